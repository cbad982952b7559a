package groupby

import (
	"math/big"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/decimal256"

	"arrowagg/internal/exact"
)

// wideDigits is the most that a decimal256 has.
const wideDigits = 76

// A sum of decimals of at most 128 bits travels as a decimal256, which has room
// for more of them than anybody has. One of decimal256 may be past 76 digits,
// though what is added to it elsewhere brings it back: a second column has what
// stands before those digits.
func (a *wideSum) stateFields(arrow.DataType) []arrow.Field {
	digits := &arrow.Decimal256Type{Precision: wideDigits, Scale: int32(scaleOf(a.in))}
	fields := []arrow.Field{{Name: "sum", Type: digits, Nullable: true}}
	if a.width == 4 {
		fields = append(fields, arrow.Field{Name: "times_1e76", Type: arrow.PrimitiveTypes.Int64, Nullable: true})
	}
	return fields
}

func (a *wideSum) export(s *states, groups []uint32, out []*column) int {
	dst := cast[uint64](out[0].fixed)
	for i, id := range groups {
		var digits exact.Int256
		ok := true
		if a.width == 2 {
			digits, ok = wideTotal(a, s, id, scaleOf(a.in))
		} else {
			var upper int64
			digits, upper, ok = a.split(s, id)
			out[1].putInt(i, uint64(upper))
		}
		if !ok || !digits.FitsDecimal(wideDigits) {
			return i
		}
		putWide(dst[4*i:4*i+4], digits)
	}
	return -1
}

// split is the sum of a group as upper * 10^76 + digits, both of one sign.
func (a *wideSum) split(s *states, id uint32) (digits exact.Int256, upper int64, ok bool) {
	total, fits := a.total(s, id)
	if fits && total.FitsDecimal(wideDigits) {
		return total, 0, true
	}
	sum := total.Decimal().BigInt()
	if a.carry != nil {
		sum.Add(sum, new(big.Int).Lsh(big.NewInt(a.carry[id]), 256))
	}
	before, rest := new(big.Int).QuoRem(sum, tenToWide, new(big.Int))
	return exact.Int256(decimal256.FromBigInt(rest).Array()), before.Int64(), before.IsInt64()
}

var tenToWide = new(big.Int).Exp(big.NewInt(10), big.NewInt(wideDigits), nil)

func (a *wideSum) load(s *states, ids []uint32, in []*vector) int {
	for i, id := range ids {
		digits := wideInt(in[0].words[4*i : 4*i+4])
		switch {
		case !digits.FitsDecimal(wideDigits):
			return i
		case a.width == 2:
			if int64(digits[3]) != int64(digits[2])>>63 || !travels(int64(digits[2])) {
				return i
			}
			a.addWide(s, id, digits)
		case !in[1].has(i) || !a.addSplit(s, id, digits, in[1].ints[i]):
			return i
		}
		if a.carry != nil && !travels(a.carry[id]) {
			return i
		}
	}
	return -1
}

// addSplit adds upper * 10^76 + digits, unless split cannot have given them.
func (a *wideSum) addSplit(s *states, id uint32, digits exact.Int256, upper int64) bool {
	if upper == 0 {
		a.add(s, id, digits[:], 0)
		return true
	}
	if !travels(upper) || !digits.IsZero() && digits.IsNegative() != (upper < 0) {
		return false
	}
	sum := new(big.Int).Mul(big.NewInt(upper), tenToWide)
	sum.Add(sum, digits.Decimal().BigInt())
	// sum = words + carry * 2^256, the words read as signed.
	half := new(big.Int).Lsh(big.NewInt(1), 255)
	carry := new(big.Int).Rsh(new(big.Int).Add(sum, half), 256)
	words := sum.Sub(sum, new(big.Int).Lsh(carry, 256))
	wide := decimal256.FromBigInt(words).Array()
	a.add(s, id, wide[:], carry.Int64())
	return true
}
