package groupby

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
)

// countBy counts rows by columns of one type each.
func countBy(t *testing.T, types ...arrow.DataType) Spec {
	t.Helper()
	count, _ := Lookup("count")
	spec := Spec{Aggregates: []Aggregate{{Function: count, Name: "n", Type: arrow.PrimitiveTypes.Int64}}}
	var fields []arrow.Field
	for i, typ := range types {
		name := string(rune('a' + i))
		spec.Columns = append(spec.Columns, Column{Name: name, Type: typ})
		spec.Keys = append(spec.Keys, Key{Column: i, Type: typ})
		spec.Order = append(spec.Order, Ref{Index: i})
		fields = append(fields, arrow.Field{Name: name, Type: typ, Nullable: true})
	}
	spec.Order = append(spec.Order, Ref{Aggregate: true})
	spec.Output = arrow.NewSchema(append(fields, arrow.Field{Name: "n", Type: arrow.PrimitiveTypes.Int64, Nullable: true}), nil)
	return spec
}

// TestCodesRunOut: the first value for which there is no code is an error of its
// row and column; values that have one still do. The engine says in time that
// it had better be finished.
func TestCodesRunOut(t *testing.T) {
	const most = 100
	for _, typ := range []arrow.DataType{
		arrow.BinaryTypes.String, arrow.BinaryTypes.Binary, arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Float64,
		&arrow.Decimal128Type{Precision: 20, Scale: 1},
	} {
		for _, encoded := range []bool{false, true} {
			cells := func(lo, hi int) arrow.ArrayData {
				var list []any
				for i := lo; i < hi; i++ {
					switch {
					case isString(typ):
						list = append(list, fmt.Sprintf("%d, a value of some length", i))
					case typ.ID() == arrow.BINARY:
						list = append(list, string([]byte{byte(i), 0xff}))
					case isFloat(typ):
						list = append(list, float64(i))
					case isDecimal(typ):
						list = append(list, big.NewInt(int64(i)))
					default:
						list = append(list, int64(i))
					}
				}
				if encoded {
					return dictionaryOf(rand.New(rand.NewPCG(1, 2)), typ, list).Data()
				}
				return makeArray(typ, list).Data()
			}
			name := fmt.Sprint(typ, ", dictionary: ", encoded)
			e := newEngine(t, countBy(t, typ), Options{Threads: 1, Numbers: most})
			w := e.NewWorker()
			for _, hi := range []int{most/2 - 1, most, most} {
				if err := w.Update([]arrow.ArrayData{cells(0, hi)}, int64(hi), nil); err != nil {
					t.Fatalf("%s, %d values: %v", name, hi, err)
				}
				if e.Crowded() != (hi == most) {
					t.Errorf("%s, %d values: crowded %v", name, hi, e.Crowded())
				}
			}
			err := w.Update([]arrow.ArrayData{cells(most-7, most+1)}, 8, nil)
			var full *FullError
			if !errors.As(err, &full) || full.Column != "a" || full.Row != 7 {
				t.Errorf("%s: error %v, want one of row 7", name, err)
			}
			if err := w.Update([]arrow.ArrayData{cells(3, 10)}, 7, nil); err != nil {
				t.Errorf("%s, values that were there: %v", name, err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			e.Close()
		}
	}
}

// TestGroupsRunOut: groups of several columns can be more than codes of each, and
// so can rows that are kept and the values of a multiset.
func TestGroupsRunOut(t *testing.T) {
	const most, side = 300, 18
	var a, b []any
	for i := range side * side {
		a, b = append(a, int64(i/side)), append(b, int64(i%side))
	}
	integer := arrow.PrimitiveTypes.Int64
	table := []arrow.ArrayData{makeArray(integer, a).Data(), makeArray(integer, b).Data()}
	hashed, kept := defaultTuning(), defaultTuning()
	hashed.directBits = 0
	kept.directBits, kept.chunk = 0, 50
	keepRows(&kept)
	median := countBy(t, integer, integer)
	median.Keys, median.Order = median.Keys[:1], []Ref{{Index: 0}, {Aggregate: true}}
	f, _ := Lookup("median")
	median.Aggregates[0] = Aggregate{Function: f, Arguments: []int{1}, Name: "n", Type: arrow.PrimitiveTypes.Float64}
	median.Output = arrow.NewSchema([]arrow.Field{median.Output.Field(0), {Name: "n", Type: arrow.PrimitiveTypes.Float64, Nullable: true}}, nil)
	for name, c := range map[string]struct {
		spec   Spec
		tuning *tuning
	}{"hashed": {countBy(t, integer, integer), &hashed}, "kept rows": {countBy(t, integer, integer), &kept}, "multiset": {median, nil}} {
		e := newEngine(t, c.spec, Options{Threads: 1, Numbers: most, tuning: c.tuning})
		w := e.NewWorker()
		part := func(n int64) error {
			return w.Update(table, n, nil)
		}
		if err := part(most/2 - 2*side); err != nil || e.Crowded() {
			t.Errorf("%s: half of them: crowded %v, %v", name, e.Crowded(), err)
		}
		err := part(side * side)
		var full *FullError
		if !e.Crowded() || !errors.As(err, &full) || full.Column != "" || full.Row != side*side-1 {
			t.Errorf("%s: crowded %v, %v", name, e.Crowded(), err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		e.Close()
	}
}
