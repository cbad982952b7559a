package groupby

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
)

// Nulls are skipped: the first value that is one. The order is that of the
// inputs as given, and of the rows within them, whatever worker has them.
var firstFunction = endFunction("first", "the first value, in the order of the inputs as given", true)

var lastFunction = endFunction("last", "the last value, in the order of the inputs as given", false)

// endFunction is the arg_min or arg_max of a hidden column: the ordinal of the
// row.
func endFunction(name, help string, least bool) Function {
	extreme := extremeFunction(name, help, least)
	return Function{
		Name:         name,
		Help:         help,
		MinArguments: 1,
		MaxArguments: 1,
		Merge:        "none",
		Ordered:      true,
		Bind:         extreme.Bind,
		SQL: func(arguments []string, _ []arrow.DataType, _ arrow.DataType) string {
			return fmt.Sprintf("%s(%s, rowid)", map[bool]string{true: "ARG_MIN", false: "ARG_MAX"}[least], arguments[0])
		},
		SQLNote: "DuckDB only: input has to be a table, whose rowid is the order of the rows",
		accumulate: func(arguments []Column, _ arrow.DataType) (accumulator, error) {
			by, err := newOrderCode(arrow.PrimitiveTypes.Uint64, true)
			if err != nil {
				return nil, err
			}
			acc, err := newArg(valueType(arguments[0].Type), by, least)
			switch a := acc.(type) {
			case *argWords:
				return &endWords{*a}, err
			case *argBytes:
				return &endBytes{*a}, err
			}
			return nil, err
		},
	}
}

// endWords and endBytes are choices by ordinal among rows with a value.
type endWords struct{ argWords }

type endBytes struct{ argBytes }

func (a *endWords) takesEach() [2]taking { return [2]taking{a.x.takes(), takesOrdinal} }
func (a *endWords) needs() [2]bool       { return [2]bool{true, false} }
func (a *endBytes) takesEach() [2]taking { return [2]taking{a.x.takes(), takesOrdinal} }
func (a *endBytes) needs() [2]bool       { return [2]bool{true, false} }

func (a *endWords) merge(s *states, ids []uint32, from *states, other accumulator, rows []uint32) {
	a.argWords.merge(s, ids, from, &other.(*endWords).argWords, rows)
}

func (a *endBytes) merge(s *states, ids []uint32, from *states, other accumulator, rows []uint32) {
	a.argBytes.merge(s, ids, from, &other.(*endBytes).argBytes, rows)
}

// Ordinals number the rows of all inputs: where a row's input stands among
// them, and where in the input the row does.
const (
	ordinalRowBits = 44
	maxInputs      = 1 << (64 - ordinalRowBits)
	maxInputRows   = 1<<ordinalRowBits - 1<<32 // before a batch, whose rows are fewer than 2^32
)

// SetOrdinal says where the rows of the next Update stand: the position of
// their input, and the row of it that is their first, both counted from 0.
// Without first and last it costs nothing and does not matter.
func (w *Worker) SetOrdinal(input int, row int64) error {
	if !w.engine.ordinals {
		return nil
	}
	if input >= maxInputs || row >= maxInputRows {
		return fmt.Errorf("first and last can tell apart %d inputs of %d rows each", maxInputs, int64(maxInputRows))
	}
	w.ordinal = uint64(input)<<ordinalRowBits + uint64(row)
	return nil
}

// number makes the ordinals of a chunk.
func (w *Worker) number(lo, n int, part []int32) {
	v := &w.ordinals
	v.n, v.lane = n, laneUints
	v.uints = sized(v.uints, n)
	for i := range v.uints {
		v.uints[i] = w.ordinal + uint64(rowOf(lo, i, part))
	}
}
