package groupby

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
)

var minFunction = extremeFunction("min", "the least value; floats order -0.0 before 0.0 and NaN last", true)

var maxFunction = extremeFunction("max", "the greatest value; floats order -0.0 before 0.0 and NaN last", false)

func extremeFunction(name, help string, least bool) Function {
	return Function{
		Name:         name,
		Help:         help,
		MinArguments: 1,
		MaxArguments: 1,
		Merge:        name,
		Bind: func(arguments []arrow.DataType, _ BindOptions) (arrow.DataType, error) {
			t := valueType(arguments[0])
			if l, _, ok := laneOf(t); !ok || l == laneNone {
				return nil, fmt.Errorf("%s takes numbers, strings, binary, booleans, dates, times, timestamps "+
					"and durations, not %s", name, t)
			}
			if isString(t) {
				return arrow.BinaryTypes.String, nil
			}
			return t, nil
		},
		SQL: func(arguments []string, _ []arrow.DataType, _ arrow.DataType) string {
			if least {
				return "MIN(" + arguments[0] + ")"
			}
			return "MAX(" + arguments[0] + ")"
		},
		accumulate: func(arguments []Column, out arrow.DataType) (accumulator, error) {
			t := valueType(arguments[0].Type)
			l, width, ok := laneOf(t)
			switch {
			case !ok || l == laneNone:
				return nil, fmt.Errorf("no order among values of type %s", t)
			case l == laneBytes:
				return &extremeBytes{least: least}, nil
			case l == laneWords:
				return &extremeWide{width: width, flip: flipFor(least)}, nil
			}
			return &extreme{out: out, flip: flipFor(least)}, nil
		},
	}
}

// flipFor makes a minimum a maximum: the complement of ordered bits reverses
// their order.
func flipFor(least bool) uint64 {
	if least {
		return ^uint64(0)
	}
	return 0
}

// extreme keeps the least or greatest value of 64 bits or less. The record has
// it in ordered bits (see ordered.go), complemented for a minimum, so that both
// are the maximum of unsigned words and zero loses against every value.
type extreme struct {
	place
	pure
	out  arrow.DataType
	flip uint64
}

func (a *extreme) words() int    { return 1 }
func (a *extreme) takes() taking { return takesConverted }

func (a *extreme) update(s *states, ids []uint32, v *vector) {
	records, stride, at, flip := s.records, s.stride, a.at, a.flip
	switch v.lane {
	case laneInts:
		values := v.ints[:len(ids)]
		for i, id := range ids {
			p := &records[int(id)*stride+at]
			*p = max(*p, orderedInt(values[i])^flip)
		}
	case laneUints:
		values := v.uints[:len(ids)]
		for i, id := range ids {
			p := &records[int(id)*stride+at]
			*p = max(*p, values[i]^flip)
		}
	case laneFloats:
		values := v.floats[:len(ids)]
		for i, id := range ids {
			p := &records[int(id)*stride+at]
			*p = max(*p, orderedFloat(values[i])^flip)
		}
	}
}

func (a *extreme) merge(s *states, ids []uint32, from *states, other accumulator, rows []uint32) {
	at := other.(*extreme).at
	for i, row := range rows {
		p := &s.records[int(ids[i])*s.stride+a.at]
		*p = max(*p, from.records[int(row)*from.stride+at])
	}
}

func (a *extreme) finish(s *states, groups []uint32, out *column) int {
	if out.width == 8 {
		words := cast[uint64](out.fixed)
		for i, id := range groups {
			words[i] = s.records[int(id)*s.stride+a.at] ^ a.flip
		}
		valuesOfOrdered(a.out, words)
		return -1
	}
	put := orderedPut(a.out, out)
	for i, id := range groups {
		put(i, s.records[int(id)*s.stride+a.at]^a.flip)
	}
	return -1
}
