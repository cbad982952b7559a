package exact

import (
	"math"
	"math/bits"
)

// Int128 is a signed integer of 128 bits in two's complement. Its zero value is
// zero. Values compare with ==. Overflow is reported, and the result is then
// the true one modulo 2^128.
type Int128 struct {
	Hi int64
	Lo uint64
}

// Int128FromInt64 widens v.
func Int128FromInt64(v int64) Int128 { return Int128{Hi: v >> 63, Lo: uint64(v)} }

// Int128FromUint64 widens v.
func Int128FromUint64(v uint64) Int128 { return Int128{Lo: v} }

// MulInt64 is a*b, which always fits.
func MulInt64(a, b int64) Int128 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	// The unsigned product counts a negative operand as 2^64 too much.
	return Int128{Hi: int64(hi) - (a>>63)&b - (b>>63)&a, Lo: lo}
}

// Add is a+b.
func (a Int128) Add(b Int128) (sum Int128, overflow bool) {
	lo, carry := bits.Add64(a.Lo, b.Lo, 0)
	hi, _ := bits.Add64(uint64(a.Hi), uint64(b.Hi), carry)
	sum = Int128{Hi: int64(hi), Lo: lo}
	return sum, (a.Hi^sum.Hi)&(b.Hi^sum.Hi) < 0
}

// Sub is a-b.
func (a Int128) Sub(b Int128) (difference Int128, overflow bool) {
	lo, borrow := bits.Sub64(a.Lo, b.Lo, 0)
	hi, _ := bits.Sub64(uint64(a.Hi), uint64(b.Hi), borrow)
	difference = Int128{Hi: int64(hi), Lo: lo}
	return difference, (a.Hi^b.Hi)&(a.Hi^difference.Hi) < 0
}

// AddInt64 is a+v.
func (a Int128) AddInt64(v int64) (sum Int128, overflow bool) {
	return a.Add(Int128FromInt64(v))
}

// AddUint64 is a+v.
func (a Int128) AddUint64(v uint64) (sum Int128, overflow bool) {
	return a.Add(Int128FromUint64(v))
}

// Neg is -a; only -2^127 overflows.
func (a Int128) Neg() (negated Int128, overflow bool) {
	return Int128{}.Sub(a)
}

// Cmp is -1, 0 or 1 as a is less than, equal to or greater than b.
func (a Int128) Cmp(b Int128) int {
	switch {
	case a == b:
		return 0
	case a.Hi < b.Hi || a.Hi == b.Hi && a.Lo < b.Lo:
		return -1
	}
	return 1
}

// IsZero reports whether a is zero.
func (a Int128) IsZero() bool { return a.Hi == 0 && a.Lo == 0 }

// IsNegative reports whether a is below zero.
func (a Int128) IsNegative() bool { return a.Hi < 0 }

// Int64 is the value as an int64, if it is one.
func (a Int128) Int64() (v int64, ok bool) {
	return int64(a.Lo), a.Hi == int64(a.Lo)>>63
}

// Uint64 is the value as a uint64, if it is one.
func (a Int128) Uint64() (v uint64, ok bool) { return a.Lo, a.Hi == 0 }

// magnitude is |a|, which is at most 2^127.
func (a Int128) magnitude() (hi, lo uint64) {
	if a.Hi < 0 {
		a, _ = a.Neg()
	}
	return uint64(a.Hi), a.Lo
}

// MulPow10 is a * 10^exponent, exponent >= 0.
func (a Int128) MulPow10(exponent int) (product Int128, overflow bool) {
	wide, overflow := Int256FromInt128(a).MulPow10(exponent)
	product, ok := wide.Int128()
	return product, overflow || !ok
}

// FitsDecimal reports whether a has at most precision digits, which is what a
// decimal128(precision, s) can hold whatever s.
func (a Int128) FitsDecimal(precision int) bool {
	return Int256FromInt128(a).FitsDecimal(precision)
}

// Float64 is the double nearest to a, ties to even.
func (a Int128) Float64() float64 {
	hi, lo := a.magnitude()
	if hi == 0 && lo <= math.MaxInt64 { // one hardware conversion, rounded right
		return withSign(float64(int64(lo)), a.Hi < 0)
	}
	return withSign(roundWords([]uint64{lo, hi}, 0, false), a.Hi < 0)
}

// Float64Scaled is the double nearest to a * 10^-scale, ties to even: what a
// decimal128(p, scale) with these digits means.
func (a Int128) Float64Scaled(scale int) float64 {
	hi, lo := a.magnitude()
	return scaled([4]uint64{lo, hi}, a.Hi < 0, scale)
}
