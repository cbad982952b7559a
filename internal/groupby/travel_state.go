package groupby

import (
	"github.com/apache/arrow-go/v18/arrow"
)

func (c *counter) stateFields(arrow.DataType) []arrow.Field {
	return []arrow.Field{{Name: "count", Type: arrow.PrimitiveTypes.Int64, Nullable: true}}
}

func (c *counter) export(s *states, groups []uint32, out []*column) int {
	return c.finish(s, groups, out[0])
}

func (c *counter) load(s *states, ids []uint32, in []*vector) int {
	for i, id := range ids {
		if in[0].ints[i] < 0 {
			return i
		}
		c.addRows(s, id, uint64(in[0].ints[i]))
	}
	return -1
}

// A mean travels as its sum and its count.
func (m *mean) stateFields(out arrow.DataType) []arrow.Field {
	return append(m.sum.(portable).stateFields(out), m.n.stateFields(out)...)
}

func (m *mean) export(s *states, groups []uint32, out []*column) int {
	last := len(out) - 1
	sum, n := m.sum.(portable).export(s, groups, out[:last]), m.n.export(s, groups, out[last:])
	return firstOf(sum, n)
}

func (m *mean) load(s *states, ids []uint32, in []*vector) int {
	last := len(in) - 1
	counts := in[last]
	for i := range ids {
		if !counts.has(i) || counts.ints[i] < 1 {
			return i
		}
	}
	return firstOf(m.sum.(portable).load(s, ids, in[:last]), m.n.load(s, ids, in[last:]))
}

// firstOf is the lesser of two positions, of which -1 means none.
func firstOf(a, b int) int {
	if a < 0 || b < 0 {
		return max(a, b)
	}
	return min(a, b)
}

// An extreme travels as a value, and merges as one more of them.

func (a *extreme) stateFields(out arrow.DataType) []arrow.Field { return valueField(out) }

func (a *extreme) export(s *states, groups []uint32, out []*column) int {
	return a.finish(s, groups, out[0])
}

func (a *extreme) load(s *states, ids []uint32, in []*vector) int {
	a.update(s, ids, in[0])
	return -1
}

func (a *extremeBytes) stateFields(out arrow.DataType) []arrow.Field { return valueField(out) }

func (a *extremeBytes) export(s *states, groups []uint32, out []*column) int {
	return a.finish(s, groups, out[0])
}

func (a *extremeBytes) load(s *states, ids []uint32, in []*vector) int {
	a.update(s, ids, in[0])
	return -1
}

func (a *extremeWide) stateFields(out arrow.DataType) []arrow.Field { return valueField(out) }

func (a *extremeWide) export(s *states, groups []uint32, out []*column) int {
	return a.finish(s, groups, out[0])
}

func (a *extremeWide) load(s *states, ids []uint32, in []*vector) int {
	a.update(s, ids, in[0])
	return -1
}

func valueField(out arrow.DataType) []arrow.Field {
	return []arrow.Field{{Name: "value", Type: out, Nullable: true}}
}
