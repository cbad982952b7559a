package groupby

import (
	"math/bits"
	"unsafe"
)

// fixed are the types of values that lie in buffers as they are.
type fixed interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// cast sees a buffer as values of T, as many as are whole. It is the one place
// where this package reinterprets memory; Arrow buffers and Go agree on the
// layout on the little-endian machines that arrow-go supports.
func cast[T fixed](b []byte) []T {
	var t T
	n := len(b) / int(unsafe.Sizeof(t))
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), n)
}

// bytesOf is the inverse of cast.
func bytesOf[T fixed](v []T) []byte {
	var t T
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*int(unsafe.Sizeof(t)))
}

// pairs sees words two by two.
func pairs(w []uint64) [][2]uint64 {
	if len(w) < 2 {
		return nil
	}
	return unsafe.Slice((*[2]uint64)(unsafe.Pointer(unsafe.SliceData(w))), len(w)/2)
}

// wordAt is the eight bytes from at on, the first uppermost. The caller has seen
// that they are there: 0 <= at <= len(b)-8.
func wordAt(b []byte, at int) uint64 {
	return bits.ReverseBytes64(*(*uint64)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), at)))
}
