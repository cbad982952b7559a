package groupby

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// feeding is one way of bringing a table to the engine.
type feeding struct {
	name    string
	threads int
	batch   int // rows; 0: all at once
	encode  bool
	permute bool
	pick    bool // through selected
	slices  bool // batches are slices of whole columns and share dictionaries
	input   int  // whose rows these are
	tuning  func(*tuning)
}

var feedings = []feeding{
	{name: "plain", threads: 1},
	{name: "batches", threads: 1, batch: 13},
	{name: "threads", threads: 8, batch: 50},
	{name: "permuted", threads: 3, batch: 100, permute: true},
	{name: "encoded", threads: 2, batch: 300, encode: true},
	{name: "selected", threads: 1, batch: 400, pick: true, encode: true},
	{name: "slices", threads: 2, batch: 64, slices: true, encode: true},
	{name: "collisions", threads: 2, batch: 100, tuning: func(t *tuning) { t.collide = true }},
	{name: "hashed", threads: 2, batch: 200, tuning: func(t *tuning) { t.directBits = 0 }},
	{name: "kept rows", threads: 2, batch: 100, encode: true, tuning: keepRows},
	{name: "kept rows, threads", threads: 8, batch: 90, tuning: keepRows},
	{name: "kept rows, buckets", threads: 3, batch: 200, permute: true, tuning: func(t *tuning) { keepRows(t); t.manyGroups, t.bucketRows, t.collide = 0, 1, true }},
	{name: "kept rows, front", threads: 2, batch: 500, encode: true, tuning: keepRowsBut},
	{name: "kept rows, compacted", threads: 2, batch: 30, encode: true, tuning: compactRows},
	{name: "chunks", threads: 1, tuning: func(t *tuning) { t.chunk = 3 }},
}

// run feeds the table and returns the result's rows, its bytes as an IPC
// stream, or the error.
func (f feeding) run(rng *rand.Rand, spec Spec, table [][]any) (rows [][]any, stream []byte, err error) {
	tuned := defaultTuning()
	tuned.batchRows = 777
	if f.tuning != nil {
		f.tuning(&tuned)
	}
	e, err := New(spec, Options{Threads: f.threads, tuning: &tuned})
	if err != nil {
		return nil, nil, err
	}
	n := 0
	if len(table) > 0 {
		n = len(table[0])
	}
	order := rng.Perm(n)
	if !f.permute || e.ordinals {
		for i := range order {
			order[i] = i
		}
	}
	size := f.batch
	if size == 0 {
		size = max(n, 1)
	}
	type piece struct {
		first    int64
		columns  []arrow.ArrayData
		rows     int64
		selected []int32
	}
	var pieces []piece
	var whole []arrow.Array
	for c, cells := range table {
		if f.slices {
			whole = append(whole, encode(rng, spec.Columns[c].Type, cells))
		}
	}
	for lo := 0; lo < n; lo += size {
		part := order[lo:min(lo+size, n)]
		p := piece{first: int64(2 * lo), rows: int64(len(part))} // at most as many are not selected
		at := make([]int, 0, len(part))
		for i, row := range part {
			if f.pick && i%3 == 1 { // a row that is not selected
				at = append(at, rng.IntN(n))
			}
			if f.pick {
				p.selected = append(p.selected, int32(len(at)))
			}
			at = append(at, row)
		}
		p.rows = int64(len(at))
		for c, cells := range table {
			some := make([]any, len(at))
			for i, row := range at {
				some[i] = cells[row]
			}
			t := spec.Columns[c].Type
			if f.slices {
				p.columns = append(p.columns, array.NewSlice(whole[c], int64(lo), int64(lo+len(part))).Data())
			} else if f.encode {
				p.columns = append(p.columns, encode(rng, t, some).Data())
			} else {
				p.columns = append(p.columns, makeArray(t, some).Data())
			}
		}
		pieces = append(pieces, p)
	}
	var wg sync.WaitGroup
	next := make(chan piece, len(pieces))
	for _, p := range pieces {
		next <- p
	}
	close(next)
	failed := make([]error, f.threads)
	told, all := make([]int64, f.threads), make([]bool, f.threads)
	for t := range f.threads {
		wg.Go(func() {
			w := e.NewWorker()
			for p := range next {
				if failed[t] = w.SetOrdinal(f.input, p.first); failed[t] != nil {
					return
				}
				if failed[t] = w.Update(p.columns, p.rows, p.selected); failed[t] != nil {
					return
				}
			}
			told[t], all[t] = w.Groups()
			failed[t] = w.Close()
		})
	}
	wg.Wait()
	if err := errors.Join(failed...); err != nil {
		return nil, nil, err
	}
	result, err := e.Finish(context.Background())
	if err != nil {
		return nil, nil, err
	}
	defer result.Close()
	for t := range told {
		several := spec.Partial && len(e.multisets) > 0 // rows to a group
		if told[t] > result.Groups() || all[t] && !several && len(pieces) > 0 && len(spec.Keys) > 0 && told[t] != result.Groups() {
			return nil, nil, fmt.Errorf("%d groups, but worker %d said %d, all: %v", result.Groups(), t, told[t], all[t])
		}
	}
	return drain(spec, result)
}

func drain(spec Spec, result *Result) (rows [][]any, stream []byte, err error) {
	var buf bytes.Buffer
	w := ipc.NewWriter(&buf, ipc.WithSchema(spec.Output))
	want := result.Groups()
	for {
		batch, err := result.Next(context.Background())
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		if err := w.Write(batch); err != nil {
			return nil, nil, err
		}
		columns := make([][]any, batch.NumCols())
		for c := range columns {
			columns[c] = cellsOf(batch.Column(c))
		}
		for i := range int(batch.NumRows()) {
			row := make([]any, len(columns))
			for c := range columns {
				row[c] = columns[c][i]
			}
			rows = append(rows, row)
		}
		batch.Release()
	}
	if int64(len(rows)) != want {
		return nil, nil, fmt.Errorf("%d rows, but Groups said %d", len(rows), want)
	}
	return rows, buf.Bytes(), w.Close()
}

// show writes rows so that different cells differ and equal ones do not.
func show(rows [][]any) string {
	var b bytes.Buffer
	for _, row := range rows {
		for _, c := range row {
			switch c := c.(type) {
			case float64:
				if c != c {
					fmt.Fprint(&b, "NaN ")
				} else {
					fmt.Fprintf(&b, "%x/%v ", math.Float64bits(c), c)
				}
			default:
				fmt.Fprintf(&b, "%T:%v ", c, c)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestRandomSpecs(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 6
	}
	first := rand.Uint64()
	for round := range rounds {
		checkSpec(t, first+uint64(round))
	}
}

func checkSpec(t *testing.T, seed uint64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	checkTable(t, seed, rng, randomSpec(rng))
}

// checkTable compares what every feeding makes of a table with the twin.
func checkTable(t *testing.T, seed uint64, rng *rand.Rand, r randomTable) {
	t.Helper()
	want, problem := twin(r.spec, r.table)
	var stream []byte
	var overflow string
	for i, f := range feedings {
		rows, got, err := f.run(rng, r.spec, r.table)
		where := fmt.Sprintf("seed %d, %s", seed, f.name)
		if problem != "" {
			var o *OverflowError
			if !errors.As(err, &o) {
				t.Fatalf("%s: error %v, want an overflow", where, err)
			}
			if i > 0 && err.Error() != overflow {
				t.Fatalf("%s: %q, but %q before", where, err, overflow)
			}
			overflow = err.Error()
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", where, err)
		}
		if a, b := show(rows), show(want); a != b {
			t.Fatalf("%s: keys %v aggregates %v\ngot\n%.2000s\nwant\n%.2000s", where, r.spec.Keys, names(r.spec), a, b)
		}
		if i > 0 && !bytes.Equal(got, stream) {
			t.Fatalf("%s: the rows are right, the bytes are not the same", where)
		}
		stream = got
	}
}

func names(spec Spec) (n []string) {
	for _, a := range spec.Aggregates {
		n = append(n, fmt.Sprintf("%s%v %s", a.Name, a.Arguments, a.Type))
	}
	return n
}

func keepRows(t *tuning) { t.manyGroups = 8 }

func keepRowsBut(t *tuning) { t.manyGroups, t.chunk = 8, 2 } // so that the front is tried

func compactRows(t *tuning) { t.manyGroups, t.compactRows, t.bucketRows = 8, 40, 16 }
