package groupby

import "github.com/apache/arrow-go/v18/arrow"

// A ratio travels as its two sums, and which of them has a value: 1 that of a,
// 2 that of b, 3 both. A sum without a value travels as zero.
func (a *ratio) stateFields(out arrow.DataType) []arrow.Field {
	fields := []arrow.Field{{Name: "which", Type: arrow.PrimitiveTypes.Uint8, Nullable: true}}
	for k, name := range [2]string{"a_", "b_"} {
		for _, f := range a.sums[k].(portable).stateFields(out) {
			f.Name = name + f.Name
			fields = append(fields, f)
		}
	}
	return fields
}

// second is where the columns of the second sum begin.
func (a *ratio) second(columns int) int {
	return columns - len(a.sums[1].(portable).stateFields(arrow.PrimitiveTypes.Float64))
}

func (a *ratio) export(s *states, groups []uint32, out []*column) int {
	for i, id := range groups {
		out[0].putInt(i, s.records[int(id)*s.stride+a.at])
	}
	second := a.second(len(out))
	bad := firstOf(a.sums[0].(portable).export(s, groups, out[1:second]), a.sums[1].(portable).export(s, groups, out[second:]))
	for i, id := range groups {
		if s.records[int(id)*s.stride+a.at] == 0 {
			for _, c := range out {
				c.setNull(i)
			}
		}
	}
	return bad
}

func (a *ratio) load(s *states, ids []uint32, in []*vector) int {
	second := a.second(len(in))
	for i, id := range ids {
		which := in[0].uints[i]
		if which < 1 || which > 3 || !in[1].has(i) || !in[second].has(i) {
			return i
		}
		s.records[int(id)*s.stride+a.at] |= which
	}
	return firstOf(a.sums[0].(portable).load(s, ids, in[1:second]), a.sums[1].(portable).load(s, ids, in[second:]))
}
