// Command gomap is the program that people write themselves: arrow-go's reader,
// a Go map from key to running values, one goroutine, arrow-go's writer.
//
// The key is a string that the columns' values are glued into, length first so
// that no two keys glue alike; the values of a group lie in one slice.
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"arrowagg/bench/internal/job"
)

func main() {
	job.Main(func() (string, error) { return "arrow-go " + arrow.PkgVersion + " + Go map", nil }, run)
}

// group holds a group's running values: of every aggregate an integer or a
// float, and how many values it has seen.
type group struct {
	ints   []int64
	floats []float64
	counts []int64
}

func run(j job.Job) error {
	in, err := os.Open(j.Input)
	if err != nil {
		return err
	}
	defer in.Close()
	r, err := ipc.NewReader(bufio.NewReaderSize(in, 1<<20))
	if err != nil {
		return err
	}
	defer r.Release()
	keys, err := indices(r.Schema(), j.Keys)
	if err != nil {
		return err
	}
	arguments := make([]int, len(j.Aggregates))
	for i, a := range j.Aggregates {
		arguments[i] = -1
		if a.Column != "" {
			at, err := indices(r.Schema(), []string{a.Column})
			if err != nil {
				return err
			}
			arguments[i] = at[0]
		}
	}
	groups := map[string]*group{}
	var key []byte
	for {
		batch, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		for row := range int(batch.NumRows()) {
			key = key[:0]
			for _, k := range keys {
				if key, err = appendKey(key, batch.Column(k), row); err != nil {
					return err
				}
			}
			g := groups[string(key)]
			if g == nil {
				n := len(j.Aggregates)
				g = &group{make([]int64, n), make([]float64, n), make([]int64, n)}
				groups[string(key)] = g
			}
			for i, at := range arguments {
				if at < 0 {
					g.counts[i]++
				} else if c := batch.Column(at); !c.IsNull(row) {
					g.update(i, j.Aggregates[i].Function, c, row)
				}
			}
		}
	}
	return write(j, r.Schema(), keys, arguments, groups)
}

func indices(schema *arrow.Schema, names []string) ([]int, error) {
	var at []int
	for _, name := range names {
		found := schema.FieldIndices(name)
		if len(found) != 1 {
			return nil, fmt.Errorf("%d columns are named %q", len(found), name)
		}
		at = append(at, found[0])
	}
	return at, nil
}

func appendKey(key []byte, c arrow.Array, row int) ([]byte, error) {
	if c.IsNull(row) {
		return append(key, 0), nil
	}
	key = append(key, 1)
	switch c := c.(type) {
	case *array.String:
		key = binary.AppendUvarint(key, uint64(len(c.Value(row))))
		return append(key, c.Value(row)...), nil
	case *array.Int32:
		return binary.LittleEndian.AppendUint32(key, uint32(c.Value(row))), nil
	case *array.Timestamp:
		return binary.LittleEndian.AppendUint64(key, uint64(c.Value(row))), nil
	}
	return nil, fmt.Errorf("key of type %s", c.DataType())
}

func (g *group) update(i int, function string, c arrow.Array, row int) {
	first := g.counts[i] == 0
	g.counts[i]++
	var n int64
	var f float64
	switch c := c.(type) {
	case *array.Int32:
		n = int64(c.Value(row))
		f = float64(n)
	case *array.Int64:
		n = c.Value(row)
		f = float64(n)
	case *array.Float64:
		f = c.Value(row)
	}
	switch function {
	case "sum", "mean":
		g.ints[i] += n
		g.floats[i] += f
	case "min":
		if first || n < g.ints[i] {
			g.ints[i] = n
		}
		if first || f < g.floats[i] {
			g.floats[i] = f
		}
	case "max":
		if first || n > g.ints[i] {
			g.ints[i] = n
		}
		if first || f > g.floats[i] {
			g.floats[i] = f
		}
	}
}

// outputs are the fields of the result.
func outputs(j job.Job, schema *arrow.Schema, keys, arguments []int) []arrow.Field {
	var fields []arrow.Field
	for _, k := range keys {
		fields = append(fields, schema.Field(k))
	}
	for i, a := range j.Aggregates {
		f := arrow.Field{Name: a.Name, Type: arrow.PrimitiveTypes.Int64, Nullable: true}
		if at := arguments[i]; at >= 0 && (a.Function == "mean" || schema.Field(at).Type.ID() == arrow.FLOAT64) {
			f.Type = arrow.PrimitiveTypes.Float64
		}
		fields = append(fields, f)
	}
	return fields
}

func write(j job.Job, schema *arrow.Schema, keys, arguments []int, groups map[string]*group) error {
	f, err := os.Create(j.Output)
	if err != nil {
		return err
	}
	out := arrow.NewSchema(outputs(j, schema, keys, arguments), nil)
	buffered := bufio.NewWriterSize(f, 1<<20)
	w := ipc.NewWriter(buffered, ipc.WithSchema(out))
	b := array.NewRecordBuilder(memory.DefaultAllocator, out)
	rows := 0
	flush := func() error {
		batch := b.NewRecordBatch()
		defer batch.Release()
		rows = 0
		return w.Write(batch)
	}
	for key, g := range groups {
		rest := []byte(key)
		for i := range keys {
			rest = appendBack(b.Field(i), rest)
		}
		for i, a := range j.Aggregates {
			g.finish(b.Field(len(keys)+i), i, a.Function)
		}
		if rows++; rows == 65536 {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	return errors.Join(w.Close(), buffered.Flush(), f.Close())
}

// appendBack takes the first value off a glued key.
func appendBack(b array.Builder, key []byte) []byte {
	present, key := key[0] == 1, key[1:]
	if !present {
		b.AppendNull()
		return key
	}
	switch b := b.(type) {
	case *array.StringBuilder:
		n, used := binary.Uvarint(key)
		key = key[used:]
		b.Append(string(key[:n]))
		return key[n:]
	case *array.Int32Builder:
		b.Append(int32(binary.LittleEndian.Uint32(key)))
		return key[4:]
	case *array.TimestampBuilder:
		b.Append(arrow.Timestamp(binary.LittleEndian.Uint64(key)))
		return key[8:]
	}
	panic(fmt.Sprintf("builder %T of a key that appendKey refuses", b))
}

func (g *group) finish(b array.Builder, i int, function string) {
	switch {
	case function == "count":
		b.(*array.Int64Builder).Append(g.counts[i])
	case g.counts[i] == 0:
		b.AppendNull()
	case function == "mean":
		b.(*array.Float64Builder).Append(g.floats[i] / float64(g.counts[i]))
	default:
		if floats, ok := b.(*array.Float64Builder); ok {
			floats.Append(g.floats[i])
		} else {
			b.(*array.Int64Builder).Append(g.ints[i])
		}
	}
}
