package groupby

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
)

// Values are distinct as keys are: by value, whatever their encoding; NaNs are
// one value, and so are 0.0 and -0.0. A null is none.
var countDistinctFunction = Function{
	Name:         "count_distinct",
	Help:         "how many different values there are, exactly; nulls are none",
	MinArguments: 1,
	MaxArguments: 1,
	Merge:        "none",
	Bind: func(arguments []arrow.DataType, _ BindOptions) (arrow.DataType, error) {
		if t := valueType(arguments[0]); !hasLane(t) {
			return nil, fmt.Errorf("count_distinct takes numbers, strings, binary, booleans, dates, times, timestamps "+
				"and durations, not %s", t)
		}
		return arrow.PrimitiveTypes.Int64, nil
	},
	SQL: func(arguments []string, types []arrow.DataType, _ arrow.DataType) string {
		x := arguments[0]
		switch t := valueType(types[0]); {
		case t.ID() == arrow.FLOAT64:
			x += " + CAST(0 AS DOUBLE)" // the two zeros are one
		case isFloat(t):
			x += " + CAST(0 AS REAL)"
		}
		return "COUNT(DISTINCT " + x + ")"
	},
	neverNull: true,
	accumulate: func([]Column, arrow.DataType) (accumulator, error) {
		return &countDistinct{}, nil
	},
}

func hasLane(t arrow.DataType) bool {
	_, _, ok := laneOf(t)
	return ok
}

// countDistinct has the number of values in its word.
type countDistinct struct{ unfolded }

func (a *countDistinct) fold(s *states, id uint32, v groupValues) {
	n := uint64(0)
	v.each(func([]uint64, uint64) bool {
		n++
		return true
	})
	s.records[int(id)*s.stride+a.at] = n
}

func (a *countDistinct) finish(s *states, groups []uint32, out *column) int {
	dst := cast[uint64](out.fixed)
	for i, id := range groups {
		dst[i] = s.records[int(id)*s.stride+a.at]
	}
	return -1
}
