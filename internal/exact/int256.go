package exact

import "math/bits"

// Int256 is a signed integer of 256 bits in two's complement, least significant
// word first. Its zero value is zero. Values compare with ==. Overflow is
// reported, and the result is then the true one modulo 2^256.
type Int256 [4]uint64

// Int256FromInt64 widens v.
func Int256FromInt64(v int64) Int256 { return Int256FromInt128(Int128FromInt64(v)) }

// Int256FromUint64 widens v.
func Int256FromUint64(v uint64) Int256 { return Int256{v} }

// Int256FromInt128 widens v.
func Int256FromInt128(v Int128) Int256 {
	sign := uint64(v.Hi >> 63)
	return Int256{v.Lo, uint64(v.Hi), sign, sign}
}

// Add is a+b.
func (a Int256) Add(b Int256) (sum Int256, overflow bool) {
	var carry uint64
	sum[0], carry = bits.Add64(a[0], b[0], 0)
	sum[1], carry = bits.Add64(a[1], b[1], carry)
	sum[2], carry = bits.Add64(a[2], b[2], carry)
	sum[3], _ = bits.Add64(a[3], b[3], carry)
	return sum, int64((a[3]^sum[3])&(b[3]^sum[3])) < 0
}

// Sub is a-b.
func (a Int256) Sub(b Int256) (difference Int256, overflow bool) {
	var borrow uint64
	difference[0], borrow = bits.Sub64(a[0], b[0], 0)
	difference[1], borrow = bits.Sub64(a[1], b[1], borrow)
	difference[2], borrow = bits.Sub64(a[2], b[2], borrow)
	difference[3], _ = bits.Sub64(a[3], b[3], borrow)
	return difference, int64((a[3]^b[3])&(a[3]^difference[3])) < 0
}

// AddInt64 is a+v.
func (a Int256) AddInt64(v int64) (sum Int256, overflow bool) {
	return a.Add(Int256FromInt64(v))
}

// AddUint64 is a+v.
func (a Int256) AddUint64(v uint64) (sum Int256, overflow bool) {
	return a.Add(Int256FromUint64(v))
}

// AddInt128 is a+v.
func (a Int256) AddInt128(v Int128) (sum Int256, overflow bool) {
	return a.Add(Int256FromInt128(v))
}

// Neg is -a; only -2^255 overflows.
func (a Int256) Neg() (negated Int256, overflow bool) { return Int256{}.Sub(a) }

// Cmp is -1, 0 or 1 as a is less than, equal to or greater than b.
func (a Int256) Cmp(b Int256) int {
	const sign = 1 << 63 // flipped, two's complement compares as unsigned
	a[3] ^= sign
	b[3] ^= sign
	for i := 3; i >= 0; i-- {
		switch {
		case a[i] < b[i]:
			return -1
		case a[i] > b[i]:
			return 1
		}
	}
	return 0
}

// IsZero reports whether a is zero.
func (a Int256) IsZero() bool { return a == Int256{} }

// IsNegative reports whether a is below zero.
func (a Int256) IsNegative() bool { return int64(a[3]) < 0 }

// Int64 is the value as an int64, if it is one.
func (a Int256) Int64() (v int64, ok bool) {
	v = int64(a[0])
	return v, a == Int256FromInt64(v)
}

// Uint64 is the value as a uint64, if it is one.
func (a Int256) Uint64() (v uint64, ok bool) { return a[0], a == Int256{a[0]} }

// Int128 is the value as an Int128, if it is one.
func (a Int256) Int128() (v Int128, ok bool) {
	v = Int128{Hi: int64(a[1]), Lo: a[0]}
	return v, a == Int256FromInt128(v)
}

// magnitude is |a|, which is at most 2^255.
func (a Int256) magnitude() [4]uint64 {
	if a.IsNegative() {
		a, _ = a.Neg()
	}
	return a
}

// Float64 is the double nearest to a, ties to even.
func (a Int256) Float64() float64 {
	m := a.magnitude()
	return withSign(roundWords(m[:], 0, false), a.IsNegative())
}

// Float64Scaled is the double nearest to a * 10^-scale, ties to even: what a
// decimal256(p, scale) with these digits means.
func (a Int256) Float64Scaled(scale int) float64 {
	return scaled(a.magnitude(), a.IsNegative(), scale)
}
