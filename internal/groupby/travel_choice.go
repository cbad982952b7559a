package groupby

import (
	"encoding/binary"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
)

// A choice travels as the row that was chosen, and merges as one more row:
//
//	arg_min, arg_max   | by | value |            value may be null
//	by is a float      | by | above | value |    see putAbove
//	first, last        | ordinal | value |
//
// Ordinals are those of all inputs of the run, so they go on comparing as long
// as all parts are of one run.

// choiceFields are the columns of a choice whose value has type out.
func (c *choice) choiceFields(by string, out arrow.DataType) []arrow.Field {
	t := c.by.typ
	if isString(t) {
		t = arrow.BinaryTypes.String
	}
	fields := []arrow.Field{{Name: by, Type: t, Nullable: true}}
	if c.by.exact {
		fields[0].Type = arrow.PrimitiveTypes.Float64
		fields = append(fields, arrow.Field{Name: "above", Type: arrow.PrimitiveTypes.Int64, Nullable: true})
	}
	return append(fields, valueField(out)...)
}

func (a *argWords) stateFields(out arrow.DataType) []arrow.Field { return a.choiceFields("by", out) }

func (a *argBytes) stateFields(out arrow.DataType) []arrow.Field { return a.choiceFields("by", out) }

func (a *endWords) stateFields(out arrow.DataType) []arrow.Field {
	return a.choiceFields("ordinal", out)
}

func (a *endBytes) stateFields(out arrow.DataType) []arrow.Field {
	return a.choiceFields("ordinal", out)
}

func (a *argWords) export(s *states, groups []uint32, out []*column) int {
	return exportChoices(a, s, groups, out)
}

func (a *argBytes) export(s *states, groups []uint32, out []*column) int {
	return exportChoices(a, s, groups, out)
}

func exportChoices(a chooser, s *states, groups []uint32, out []*column) int {
	c, last := a.codes(), len(out)-1
	by := c.by
	if by.exact {
		by.typ = arrow.PrimitiveTypes.Float64 // of which every narrower float is one
	}
	putBy, putValue := by.decoder(out[0]), c.x.decoder(out[last])
	for i, id := range groups {
		byCode, x, ok := a.parts(s, id)
		if !ok {
			byCode = nil
		}
		putBy(i, byCode)
		if by.exact {
			above := uint64(0)
			if ok {
				above = uint64(intOfOrdered(binary.BigEndian.Uint64(byCode[8:])))
			}
			out[1].putInt(i, above)
		}
		if putValue(i, x); x == nil {
			out[last].setNull(i)
		}
	}
	return -1
}

func (a *argWords) load(s *states, ids []uint32, in []*vector) int {
	by, above, x, bad := a.arriving(in)
	a.fold(s, ids, x, by, above)
	return bad
}

func (a *argBytes) load(s *states, ids []uint32, in []*vector) int {
	by, above, x, bad := a.arriving(in)
	a.fold(s, ids, x, by, above)
	return bad
}

// arriving tells the columns of choices apart. bad is the first row that is
// none, or -1.
func (c *choice) arriving(in []*vector) (by, above, x *vector, bad int) {
	by, x = in[0], in[len(in)-1]
	if !c.by.exact {
		return by, nil, x, -1
	}
	above = in[1]
	for i := range by.n {
		if !above.has(i) || !isAbove(by.floats[i], above.ints[i]) {
			return by, above, x, i
		}
	}
	return by, above, x, -1
}

// isAbove reports whether an integer lies so far above its nearest double.
func isAbove(nearest float64, above int64) bool {
	switch {
	case above == 0:
		return true
	case nearest != nearest:
		return false
	case nearest > 0x1p64 || nearest < -0x1p63 || nearest != math.Trunc(nearest):
		return false
	case nearest == 0x1p64:
		return above < 0 && float64(uint64(above)) == nearest
	case nearest > 0:
		v := uint64(wrapped(nearest)) + uint64(above)
		return (v > uint64(wrapped(nearest))) == (above > 0) && float64(v) == nearest
	}
	v := int64(nearest) + above
	return (v > int64(nearest)) == (above > 0) && float64(v) == nearest
}

// What has been first has a value.
func (a *endWords) load(s *states, ids []uint32, in []*vector) int {
	return firstOf(firstNull(in[1]), a.argWords.load(s, ids, in))
}

func (a *endBytes) load(s *states, ids []uint32, in []*vector) int {
	return firstOf(firstNull(in[1]), a.argBytes.load(s, ids, in))
}

// firstNull is the first row without a value, or -1.
func firstNull(v *vector) int {
	for i := range v.n {
		if !v.has(i) {
			return i
		}
	}
	return -1
}
