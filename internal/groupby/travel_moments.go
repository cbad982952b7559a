package groupby

import (
	"encoding/binary"

	"github.com/apache/arrow-go/v18/arrow"
)

// Moments of doubles travel as the sum does, the sum of squares, and the count.
func (a *floatMoments) stateFields(out arrow.DataType) []arrow.Field {
	return append(a.sum.stateFields(out), a.squares.stateField("squares"),
		arrow.Field{Name: "count", Type: arrow.PrimitiveTypes.Int64, Nullable: true})
}

func (a *floatMoments) export(s *states, groups []uint32, out []*column) int {
	a.sum.export(s, groups, out[:3])
	a.squares.export(s, groups, out[3])
	return a.n.export(s, groups, out[4:])
}

func (a *floatMoments) load(s *states, ids []uint32, in []*vector) int {
	for i := range ids {
		if !in[4].has(i) || in[4].ints[i] < 1 || !in[3].has(i) {
			return i
		}
	}
	bad := firstOf(a.sum.load(s, ids, in[:3]), a.squares.load(s, ids, in[3]))
	return firstOf(bad, a.n.load(s, ids, in[4:]))
}

// Moments of integers and of decimals' digits travel as the words of the record,
// most significant byte first.
func (a *intMoments) stateFields(arrow.DataType) []arrow.Field {
	words := func(n int) arrow.DataType { return &arrow.FixedSizeBinaryType{ByteWidth: 8 * n} }
	return []arrow.Field{
		{Name: "count", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "sum", Type: words(a.width + 1), Nullable: true},
		{Name: "squares", Type: words(2*a.width + 1), Nullable: true},
	}
}

func (a *intMoments) export(s *states, groups []uint32, out []*column) int {
	for i, id := range groups {
		count, sum, squares := a.of(s, id)
		out[0].putInt(i, *count)
		putWords(out[1].fixed[i*out[1].width:], sum)
		putWords(out[2].fixed[i*out[2].width:], squares)
	}
	return -1
}

func (a *intMoments) load(s *states, ids []uint32, in []*vector) int {
	var words [2*4 + 1]uint64
	for i, id := range ids {
		n := in[0].ints[i]
		if n < 1 || !in[1].has(i) || !in[2].has(i) {
			return i
		}
		count, sum, squares := a.of(s, id)
		arrived := words[:len(sum)]
		takeWords(arrived, in[1].at(i))
		if !travels(int64(arrived[len(arrived)-1])) {
			return i
		}
		addSigned(sum, arrived)
		arrived = words[:len(squares)]
		takeWords(arrived, in[2].at(i))
		if arrived[len(arrived)-1] >= maxTravelling {
			return i
		}
		addSigned(squares, arrived) // its sign bit is not set
		*count += uint64(n)
		if n >= maxTravelling || *count >= maxTravelling || squares[len(squares)-1] >= maxTravelling ||
			!travels(int64(sum[len(sum)-1])) {
			return i
		}
	}
	return -1
}

func putWords(dst []byte, words []uint64) {
	for k, w := range words {
		binary.BigEndian.PutUint64(dst[8*(len(words)-1-k):], w)
	}
}

func takeWords(words []uint64, src []byte) {
	for k := range words {
		words[k] = binary.BigEndian.Uint64(src[8*(len(words)-1-k):])
	}
}
