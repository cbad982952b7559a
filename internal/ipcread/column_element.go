package ipcread

import (
	"encoding/binary"

	"github.com/apache/arrow-go/v18/arrow"
)

// element is what a buffer is a sequence of.
type element struct {
	what  string // what the buffer holds
	width int    // bytes
	align int    // of the Go type that reads it
	swap  func(dst, src []byte)
}

var (
	bytesElement = element{"bytes", 1, 1, nil}
	word8        = element{"values", 1, 1, nil}
	word16       = element{"values", 2, 2, swap16}
	word32       = element{"values", 4, 4, swap32}
	word64       = element{"values", 8, 8, swap64}
	word128      = element{"values", 16, 8, swap128}
	word256      = element{"values", 32, 8, swap256}
	dayTime      = element{"values", 8, 4, swap32}
	monthDayNano = element{"values", 16, 8, swapMonthDayNano}
	viewElement  = element{"views", 16, 8, swapViews}
)

// elementOf is the element of a fixed-width type of whole bytes.
func elementOf(t arrow.FixedWidthDataType) element {
	switch t := t.(type) {
	case *arrow.FixedSizeBinaryType:
		return element{"values", t.ByteWidth, 1, nil}
	case *arrow.DayTimeIntervalType:
		return dayTime
	case *arrow.MonthDayNanoIntervalType:
		return monthDayNano
	}
	switch t.Bytes() {
	case 1:
		return word8
	case 2:
		return word16
	case 4:
		return word32
	case 8:
		return word64
	case 16:
		return word128
	default:
		return word256
	}
}

func wordElement(what string, width int) element {
	e := [...]element{1: word8, 2: word16, 4: word32, 8: word64}[width]
	e.what = what
	return e
}

// The functions below bring the bytes of a stream that another byte order
// wrote into this machine's. Bytes past the last whole element stay as they are.

func swap16(dst, src []byte) {
	for i := 0; i+2 <= len(src); i += 2 {
		binary.BigEndian.PutUint16(dst[i:], binary.LittleEndian.Uint16(src[i:]))
	}
}

func swap32(dst, src []byte) {
	for i := 0; i+4 <= len(src); i += 4 {
		binary.BigEndian.PutUint32(dst[i:], binary.LittleEndian.Uint32(src[i:]))
	}
}

func swap64(dst, src []byte) {
	for i := 0; i+8 <= len(src); i += 8 {
		binary.BigEndian.PutUint64(dst[i:], binary.LittleEndian.Uint64(src[i:]))
	}
}

func swap128(dst, src []byte) { reverse(dst, src, 16) }
func swap256(dst, src []byte) { reverse(dst, src, 32) }

// reverse turns integers of width bytes, several words wide, end for end.
func reverse(dst, src []byte, width int) {
	for i := 0; i+width <= len(src); i += width {
		for j := range width / 8 {
			word := binary.LittleEndian.Uint64(src[i+8*j:])
			binary.BigEndian.PutUint64(dst[i+width-8*(j+1):], word)
		}
	}
}

// swapMonthDayNano: months and days int32, nanoseconds int64.
func swapMonthDayNano(dst, src []byte) {
	for i := 0; i+16 <= len(src); i += 16 {
		swap32(dst[i:i+8], src[i:i+8])
		swap64(dst[i+8:i+16], src[i+8:i+16])
	}
}

// swapViews: the length is an int32, and in views too long to hold their
// bytes so are, after a prefix of four bytes, buffer and offset.
func swapViews(dst, src []byte) {
	for i := 0; i+viewSize <= len(src); i += viewSize {
		view, from := dst[i:i+viewSize], src[i:i+viewSize]
		copy(view, from)
		swap32(view[:4], from[:4])
		if int32(binary.LittleEndian.Uint32(view)) > inlineView {
			swap32(view[8:], from[8:])
		}
	}
}
