package groupby

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/exact"
)

var meanFunction = Function{
	Name:         "mean",
	Help:         "the sum as the nearest double, divided once by the count",
	MinArguments: 1,
	MaxArguments: 1,
	Merge:        "none",
	Bind: func(arguments []arrow.DataType, _ BindOptions) (arrow.DataType, error) {
		t := valueType(arguments[0])
		if isInteger(t) || isFloat(t) || isDecimal(t) {
			return arrow.PrimitiveTypes.Float64, nil
		}
		return nil, fmt.Errorf("mean takes integers, floats and decimals, not %s", t)
	},
	SQL: func(arguments []string, types []arrow.DataType, _ arrow.DataType) string {
		x := arguments[0]
		if isFloat(valueType(types[0])) {
			return fmt.Sprintf("SUM(CAST(%s AS DOUBLE)) / COUNT(%s)", x, x)
		}
		sum := fmt.Sprintf("SUM(%s)", x)
		if isInteger(valueType(types[0])) {
			sum = fmt.Sprintf("SUM(CAST(%s AS DECIMAL(38,0)))", x)
		}
		return fmt.Sprintf("CAST(%s AS DOUBLE) / COUNT(%s)", sum, x)
	},
	accumulate: func(arguments []Column, out arrow.DataType) (accumulator, error) {
		t := valueType(arguments[0].Type)
		acc, err := newSum(t, out)
		if err != nil {
			return nil, err
		}
		return &mean{sum: acc.(summation)}, nil
	},
}

// summation is a sum that can be had as a double, rounded once, and exactly,
// as digits: if it is finite, d is the sum without its decimal scale.
type summation interface {
	single
	double(s *states, id uint32) float64
	exactly(s *states, id uint32, d *exact.Dyadic) (finite bool)
}

// mean is a sum and a count side by side.
type mean struct {
	sum summation
	n   counter
}

func (m *mean) words() int    { return m.sum.words() + m.n.words() }
func (m *mean) takes() taking { return m.sum.takes() }
func (m *mean) grow(n int)    { m.sum.grow(n) }
func (m *mean) reset()        { m.sum.reset() }
func (m *mean) size() int64   { return m.sum.size() }

func (m *mean) bind(at int) {
	m.sum.bind(at)
	m.n.bind(at + m.sum.words())
}

func (m *mean) update(s *states, ids []uint32, v *vector) {
	m.sum.update(s, ids, v)
	m.n.update(s, ids, v)
}

func (m *mean) merge(s *states, ids []uint32, from *states, other accumulator, rows []uint32) {
	m.sum.merge(s, ids, from, other.(*mean).sum, rows)
	m.n.merge(s, ids, from, &other.(*mean).n, rows)
}

func (m *mean) finish(s *states, groups []uint32, out *column) int {
	bad := -1
	dst := cast[float64](out.fixed)
	for i, id := range groups {
		n := m.n.value(s, id)
		if n >= countOverflow && bad < 0 {
			bad = i
		}
		dst[i] = exact.Mean(m.sum.double(s, id), int64(n))
	}
	return bad
}
