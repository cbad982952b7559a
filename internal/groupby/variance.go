package groupby

import (
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/exact"
)

// Nulls are skipped. One value has no var_samp (null, as in SQL), and a var_pop
// of zero. A NaN or an infinity among the values gives NaN.
var (
	varSampFunction    = spreadFunction("var_samp", "the variance of a sample (n-1), exact until it is rounded once", spread{sample: true})
	varPopFunction     = spreadFunction("var_pop", "the variance of a population (n), exact until it is rounded once", spread{})
	stddevSampFunction = spreadFunction("stddev_samp", "the square root of var_samp, rounded once", spread{sample: true, root: true})
	stddevPopFunction  = spreadFunction("stddev_pop", "the square root of var_pop, rounded once", spread{root: true})
)

// spread is which of the four.
type spread struct{ sample, root bool }

func spreadFunction(name, help string, kind spread) Function {
	return Function{
		Name:         name,
		Help:         help,
		MinArguments: 1,
		MaxArguments: 1,
		Merge:        "none",
		Bind: func(arguments []arrow.DataType, _ BindOptions) (arrow.DataType, error) {
			return bindNumbers(name, arguments)
		},
		SQL: func(arguments []string, _ []arrow.DataType, _ arrow.DataType) string {
			return fmt.Sprintf("%s(CAST(%s AS DOUBLE))", strings.ToUpper(name), arguments[0])
		},
		accumulate: func(arguments []Column, _ arrow.DataType) (accumulator, error) {
			t := valueType(arguments[0].Type)
			if isFloat(t) {
				return &floatMoments{spread: kind}, nil
			}
			_, width, _ := laneOf(t)
			return &intMoments{spread: kind, in: t, width: width}, nil
		},
	}
}

// bindNumbers binds what takes numbers, of different types too, and gives a
// float64.
func bindNumbers(name string, arguments []arrow.DataType) (arrow.DataType, error) {
	for _, t := range arguments {
		if t = valueType(t); !isInteger(t) && !isFloat(t) && !isDecimal(t) {
			return nil, fmt.Errorf("%s takes integers, floats and decimals, not %s", name, t)
		}
	}
	return arrow.PrimitiveTypes.Float64, nil
}

// finish writes the values of the groups; moments gives those of one group, and
// says whether all of its values are finite.
func (k spread) finish(groups []uint32, out *column, scale int, moments func(uint32, *exact.Moments) bool) {
	dst := cast[float64](out.fixed)
	var m exact.Moments
	for i, id := range groups {
		finite := moments(id, &m)
		switch {
		case m.Count == 0:
			dst[i] = 0
		case m.Count == 1 && k.sample:
			out.setNull(i)
		case !finite:
			dst[i] = exact.NaN()
		case k.root:
			dst[i] = m.Deviation(k.sample, scale)
		default:
			dst[i] = m.Variance(k.sample, scale)
		}
	}
}
