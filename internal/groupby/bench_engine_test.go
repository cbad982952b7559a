package groupby

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// The whole engine on data like H2O.ai's group-by set and a set of sensor
// readings, in memory: what is measured begins with decoded batches and ends
// with result batches. ARROWAGG_BENCH_ROWS sets the rows, 1e6 without it.

const benchBatch = 65_536

type benchColumn struct {
	name  string
	typ   arrow.DataType
	build func(rng *rand.Rand, code []int) arrow.ArrayData
	codes int // 0: not a key
}

func stringColumn(name, format string, codes int) benchColumn {
	return benchColumn{name, arrow.BinaryTypes.String, func(_ *rand.Rand, code []int) arrow.ArrayData {
		offsets, value := make([]int32, 1, len(code)+1), []byte(nil)
		for _, c := range code {
			value = fmt.Appendf(value, format, c)
			offsets = append(offsets, int32(len(value)))
		}
		return bufferData(arrow.BinaryTypes.String, len(code), bytesOf(offsets), value)
	}, codes}
}

func numbersOf[T fixed](name string, t arrow.DataType, codes int, value func(rng *rand.Rand, code int) T) benchColumn {
	return benchColumn{name, t, func(rng *rand.Rand, code []int) arrow.ArrayData {
		values := make([]T, len(code))
		for i, c := range code {
			values[i] = value(rng, c)
		}
		return bufferData(t, len(code), bytesOf(values))
	}, codes}
}

func bufferData(t arrow.DataType, n int, buffers ...[]byte) arrow.ArrayData {
	b := []*memory.Buffer{nil}
	for _, x := range buffers {
		b = append(b, memory.NewBufferBytes(x))
	}
	return array.NewData(t, n, b, nil, 0, 0)
}

func code32(_ *rand.Rand, c int) int32 { return int32(c) + 1 }

func upTo(n int) func(*rand.Rand, int) int32 {
	return func(rng *rand.Rand, _ int) int32 { return 1 + rng.Int32N(int32(n)) }
}

func h2oColumns(n int) []benchColumn {
	many := max(n/100, 1)
	return []benchColumn{
		stringColumn("id1", "id%03d", 100), stringColumn("id2", "id%03d", 100), stringColumn("id3", "id%010d", many),
		numbersOf("id4", arrow.PrimitiveTypes.Int32, 100, code32),
		numbersOf("id5", arrow.PrimitiveTypes.Int32, 100, code32),
		numbersOf("id6", arrow.PrimitiveTypes.Int32, many, code32),
		numbersOf("v1", arrow.PrimitiveTypes.Int32, 0, upTo(5)), numbersOf("v2", arrow.PrimitiveTypes.Int32, 0, upTo(15)),
		numbersOf("v3", arrow.PrimitiveTypes.Float64, 0, func(rng *rand.Rand, _ int) float64 {
			return math.Round(rng.Float64()*100e6) / 1e6
		}),
	}
}

func sensorColumns(int) []benchColumn {
	float := func(scale float64) func(*rand.Rand, int) float64 {
		return func(rng *rand.Rand, _ int) float64 { return math.Round(rng.Float64()*scale) / 1000 }
	}
	count := func(n int64) func(*rand.Rand, int) int64 {
		return func(rng *rand.Rand, _ int) int64 { return 1 + rng.Int64N(n) }
	}
	return []benchColumn{
		stringColumn("region", "region-%02d", -20), // of the host in the next column
		stringColumn("host", "host-%05d", 10_000),
		numbersOf("minute", &arrow.TimestampType{Unit: arrow.Microsecond}, 1440, func(_ *rand.Rand, c int) int64 {
			return 1_704_067_200_000_000 + int64(c)*60_000_000
		}),
		numbersOf("bytes_sum", arrow.PrimitiveTypes.Int64, 0, count(1_000_000)),
		numbersOf("req_count", arrow.PrimitiveTypes.Int64, 0, count(1000)),
		numbersOf("lat_min", arrow.PrimitiveTypes.Float64, 0, float(10_000)),
		numbersOf("lat_max", arrow.PrimitiveTypes.Float64, 0, float(2_000_000)),
	}
}

type benchQuery struct {
	name    string
	columns func(n int) []benchColumn
	keys    []string
	aggs    [][2]string
}

var sensorAggs = [][2]string{{"sum", "bytes_sum"}, {"sum", "req_count"}, {"min", "lat_min"}, {"max", "lat_max"}}

var benchQueries = []benchQuery{
	{"q1", h2oColumns, []string{"id1"}, [][2]string{{"sum", "v1"}}},
	{"q2", h2oColumns, []string{"id1", "id2"}, [][2]string{{"sum", "v1"}}},
	{"q3", h2oColumns, []string{"id3"}, [][2]string{{"sum", "v1"}, {"mean", "v3"}}},
	{"q5", h2oColumns, []string{"id6"}, [][2]string{{"sum", "v1"}, {"sum", "v2"}, {"sum", "v3"}}},
	{"q10", h2oColumns, []string{"id1", "id2", "id3", "id4", "id5", "id6"}, [][2]string{{"sum", "v3"}, {"count", ""}}},
	{"s1", sensorColumns, []string{"region", "host", "minute"}, sensorAggs},
	{"s2", sensorColumns, []string{"region", "minute"}, sensorAggs},
}

func benchRows() int {
	if n, err := strconv.ParseFloat(os.Getenv("ARROWAGG_BENCH_ROWS"), 64); err == nil {
		return int(n)
	}
	return 1_000_000
}

// prepare makes the spec and the batches of a query's columns.
func (q benchQuery) prepare(n int) (Spec, [][]arrow.ArrayData) {
	var spec Spec
	all := map[string]benchColumn{}
	var used []benchColumn
	for _, c := range q.columns(n) {
		all[c.name] = c
	}
	use := func(name string) int {
		spec.Columns = append(spec.Columns, Column{Name: name, Type: all[name].typ})
		used = append(used, all[name])
		return len(used) - 1
	}
	var fields []arrow.Field
	for i, k := range q.keys {
		spec.Keys = append(spec.Keys, Key{Column: use(k), Type: all[k].typ})
		spec.Order = append(spec.Order, Ref{Index: i})
		fields = append(fields, arrow.Field{Name: k, Type: all[k].typ, Nullable: true})
	}
	for i, a := range q.aggs {
		f, _ := Lookup(a[0])
		agg := Aggregate{Function: f, Name: a[0] + a[1]}
		var types []arrow.DataType
		if a[1] != "" {
			agg.Arguments, types = []int{use(a[1])}, []arrow.DataType{all[a[1]].typ}
		}
		agg.Type, _ = f.Bind(types, BindOptions{})
		spec.Aggregates = append(spec.Aggregates, agg)
		spec.Order = append(spec.Order, Ref{Aggregate: true, Index: i})
		fields = append(fields, arrow.Field{Name: agg.Name, Type: agg.Type, Nullable: true})
	}
	spec.Output = arrow.NewSchema(fields, nil)
	batches := make([][]arrow.ArrayData, (n+benchBatch-1)/benchBatch)
	var wg sync.WaitGroup
	for t := range 2 {
		wg.Go(func() {
			for b := t; b < len(batches); b += 2 {
				rng := rand.New(rand.NewPCG(uint64(b), 7))
				rows := min(benchBatch, n-b*benchBatch)
				codes := make([][]int, len(used))
				for c := len(used) - 1; c >= 0; c-- {
					codes[c] = make([]int, rows)
					for i := range rows {
						switch {
						case used[c].codes > 0:
							codes[c][i] = rng.IntN(used[c].codes)
						case used[c].codes < 0 && used[c+1].name == "host":
							codes[c][i] = codes[c+1][i] % -used[c].codes
						case used[c].codes < 0:
							codes[c][i] = rng.IntN(-used[c].codes)
						}
					}
				}
				for c, col := range used {
					batches[b] = append(batches[b], col.build(rng, codes[c]))
				}
			}
		})
	}
	wg.Wait()
	return spec, batches
}

// runBench is one run of the engine; it returns the number of groups.
func runBench(spec Spec, batches [][]arrow.ArrayData, threads int) (groups int64, err error) {
	e, err := New(spec, Options{Threads: threads})
	if err != nil {
		return 0, err
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	failed := make([]error, threads)
	for t := range threads {
		wg.Go(func() {
			w := e.NewWorker()
			for {
				b := int(next.Add(1)) - 1
				if b >= len(batches) {
					failed[t] = w.Close()
					return
				}
				if failed[t] = w.Update(batches[b], int64(batches[b][0].Len()), nil); failed[t] != nil {
					return
				}
			}
		})
	}
	wg.Wait()
	for _, err := range failed {
		if err != nil {
			return 0, err
		}
	}
	r, err := e.Finish(context.Background())
	if err != nil {
		return 0, err
	}
	defer r.Close()
	for {
		batch, err := r.Next(context.Background())
		if err == io.EOF {
			return r.Groups(), nil
		}
		if err != nil {
			return 0, err
		}
		batch.Release()
	}
}

func BenchmarkEngine(b *testing.B) {
	n := benchRows()
	for _, q := range benchQueries {
		b.Run(fmt.Sprintf("query=%s/rows=%d", q.name, n), func(b *testing.B) {
			spec, batches := q.prepare(n)
			b.ResetTimer()
			cpu := cpuSeconds()
			for range b.N {
				groups, err := runBench(spec, batches, 2)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(groups), "groups")
			}
			b.ReportMetric((cpuSeconds()-cpu)*1e9/float64(b.N)/float64(n), "cpu-ns/row")
		})
	}
}
