package exact

import (
	"encoding/binary"

	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/decimal256"
)

// Sizes of the little-endian forms, which are also how Arrow lays out the
// values of decimal128 and decimal256 columns.
const (
	Int128Size = 16
	Int256Size = 32
)

// Int128FromBytes reads the first Int128Size bytes, little-endian.
func Int128FromBytes(b []byte) Int128 {
	_ = b[Int128Size-1]
	return Int128{
		Lo: binary.LittleEndian.Uint64(b),
		Hi: int64(binary.LittleEndian.Uint64(b[8:])),
	}
}

// PutBytes writes Int128Size bytes, little-endian.
func (a Int128) PutBytes(b []byte) {
	_ = b[Int128Size-1]
	binary.LittleEndian.PutUint64(b, a.Lo)
	binary.LittleEndian.PutUint64(b[8:], uint64(a.Hi))
}

// Int128FromDecimal takes the unscaled digits of an arrow value.
func Int128FromDecimal(n decimal128.Num) Int128 {
	return Int128{Hi: n.HighBits(), Lo: n.LowBits()}
}

// Decimal is a as the unscaled digits of an arrow value.
func (a Int128) Decimal() decimal128.Num { return decimal128.New(a.Hi, a.Lo) }

// String is a in decimal.
func (a Int128) String() string { return Int256FromInt128(a).String() }

// AppendText appends a in decimal.
func (a Int128) AppendText(dst []byte) []byte { return Int256FromInt128(a).AppendText(dst) }

// Int256FromBytes reads the first Int256Size bytes, little-endian.
func Int256FromBytes(b []byte) (a Int256) {
	_ = b[Int256Size-1]
	for i := range a {
		a[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return a
}

// PutBytes writes Int256Size bytes, little-endian.
func (a Int256) PutBytes(b []byte) {
	_ = b[Int256Size-1]
	for i, w := range a {
		binary.LittleEndian.PutUint64(b[8*i:], w)
	}
}

// Int256FromDecimal takes the unscaled digits of an arrow value.
func Int256FromDecimal(n decimal256.Num) Int256 { return Int256(n.Array()) }

// Decimal is a as the unscaled digits of an arrow value.
func (a Int256) Decimal() decimal256.Num { return decimal256.New(a[3], a[2], a[1], a[0]) }

// String is a in decimal.
func (a Int256) String() string { return string(a.AppendText(nil)) }

// AppendText appends a in decimal.
func (a Int256) AppendText(dst []byte) []byte {
	const (
		chunk  = 1e19 // the largest power of ten in one word
		digits = 19
	)
	if a.IsNegative() {
		dst = append(dst, '-')
	}
	// 2^255 has 77 digits: at most five chunks, of which the top is short.
	var text [5 * digits]byte
	m := a.magnitude()
	at := len(text)
	for {
		rest := divWord(m[:], chunk)
		for range digits {
			at--
			text[at] = byte('0' + rest%10)
			rest /= 10
		}
		if m == [4]uint64{} {
			break
		}
	}
	for at < len(text)-1 && text[at] == '0' {
		at++
	}
	return append(dst, text[at:]...)
}
