package exact

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The binary form of an accumulator. It is canonical: equal sums, whatever
// additions and merges led to them, have equal bytes, and only those bytes are
// read back. Little-endian:
//
//	byte 0    version, 1
//	byte 1    'S' a Sum, 'P' a ProductSum
//	byte 2    flags: 1 +inf, 2 -inf, 4 NaN, 8 negative
//	byte 3    n, the number of 32-bit digits that follow
//	byte 4    the position of the first of them
//	5 ...     n digits of the magnitude, least significant first; neither the
//	          first nor the last is zero
//
// Zero has n = 0, position 0 and no sign. So has a sum with one of the first
// three flags, of which there is never more than one: its finite part can
// change nothing any more.
const (
	binaryVersion = 1
	binaryHeader  = 5
	digitSize     = 4

	kindSum        = 'S'
	kindProductSum = 'P'

	flagNegative = 1 << 3
)

// MaxSumBinary and MaxProductSumBinary are the longest binary forms, in bytes.
const (
	MaxSumBinary        = binaryHeader + digitSize*(sumLimbs+1)
	MaxProductSumBinary = binaryHeader + digitSize*(productLimbs+1)
)

// AppendBinary appends the canonical binary form.
func (s *Sum) AppendBinary(dst []byte) []byte {
	var digits [sumLimbs + 1]uint32
	return appendBinary(dst, kindSum, s.limbs[:], s.special, digits[:])
}

// AppendBinary appends the canonical binary form.
func (s *ProductSum) AppendBinary(dst []byte) []byte {
	var digits [productLimbs + 1]uint32
	return appendBinary(dst, kindProductSum, s.limbs[:], s.special, digits[:])
}

// DecodeSum reads what AppendBinary wrote and takes nothing else: not a byte
// more or less, no second form of a value, no sum of more than 2^62 doubles.
func DecodeSum(b []byte) (s Sum, err error) {
	s.special, err = decodeBinary(b, kindSum, s.limbs[:], sumBits)
	return s, err
}

// DecodeProductSum is DecodeSum for a ProductSum.
func DecodeProductSum(b []byte) (s ProductSum, err error) {
	s.special, err = decodeBinary(b, kindProductSum, s.limbs[:], productBits)
	return s, err
}

func appendBinary(dst []byte, kind byte, f fixedPoint, p special, digits []uint32) []byte {
	if p != 0 {
		return append(dst, binaryVersion, kind, byte(p.settled()), 0, 0)
	}
	negative, lowest, highest := f.magnitude(digits)
	var flags byte
	if negative {
		flags = flagNegative
	}
	digits = digits[lowest : highest+1]
	dst = append(dst, binaryVersion, kind, flags, byte(len(digits)), byte(lowest))
	for _, d := range digits {
		dst = binary.LittleEndian.AppendUint32(dst, d)
	}
	return dst
}

// decodeBinary fills f, which must be zero, with a magnitude below 2^width units.
func decodeBinary(b []byte, kind byte, f fixedPoint, width int) (special, error) {
	if len(b) < binaryHeader {
		return 0, fmt.Errorf("exact sum: %d bytes, fewer than its header of %d", len(b), binaryHeader)
	}
	flags, count, first := b[2], int(b[3]), int(b[4])
	p, negative := special(flags)&specialMask, flags&flagNegative != 0
	switch {
	case b[0] != binaryVersion:
		return 0, fmt.Errorf("exact sum: version %d, not %d", b[0], binaryVersion)
	case b[1] != kind:
		return 0, fmt.Errorf("exact sum: kind %q, not %q", b[1], kind)
	case flags&^byte(specialMask|flagNegative) != 0 || p != p.settled() || negative && count == 0:
		return 0, fmt.Errorf("exact sum: impossible flags %#02x", flags)
	case p != 0 && count != 0 || count == 0 && first != 0 || first+count > len(f):
		return 0, fmt.Errorf("exact sum: impossible digits %d to %d", first, first+count)
	case len(b) != binaryHeader+digitSize*count:
		return 0, fmt.Errorf("exact sum: %d bytes, not %d", len(b), binaryHeader+digitSize*count)
	case count == 0:
		return p, nil
	}
	digits := b[binaryHeader:]
	for i := range count {
		f[first+i] = int64(binary.LittleEndian.Uint32(digits[digitSize*i:]))
	}
	if f[first] == 0 || f[first+count-1] == 0 {
		clear(f)
		return 0, errors.New("exact sum: a zero digit at an end")
	}
	if last := len(f) - 1; f[last]>>(width-last*limbBits) != 0 {
		clear(f)
		return 0, errors.New("exact sum: larger than 2^62 of the largest values")
	}
	if negative {
		for i := range f {
			f[i] = -f[i]
		}
		f.carry()
	}
	return p, nil
}
