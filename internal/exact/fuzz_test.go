package exact

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"
)

// doublesOf reads bytes as doubles, eight at a time.
func doublesOf(b []byte) (xs []float64) {
	for ; len(b) >= 8; b = b[8:] {
		xs = append(xs, math.Float64frombits(binary.LittleEndian.Uint64(b)))
	}
	return xs
}

func bytesOf(xs ...float64) (b []byte) {
	for _, x := range xs {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

// FuzzSum: accumulator, pair with promotion, and a merge in two halves agree
// with math/big, bit for bit.
func FuzzSum(f *testing.F) {
	f.Add(bytesOf(1, 0x1p-53, 5e-324), uint8(1))
	f.Add(bytesOf(math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64), uint8(2))
	f.Add(bytesOf(extremes...), uint8(7))
	f.Add(bytesOf(math.Inf(1), 1, math.NaN()), uint8(0))
	f.Fuzz(func(t *testing.T, b []byte, cut uint8) {
		xs := doublesOf(b)
		var want oracle
		var hi, lo float64
		var sum, promoted, left, right Sum
		for i, x := range xs {
			want.add(x)
			sum.Add(x)
			var ok bool
			if hi, lo, ok = AddPair(hi, lo, x); !ok {
				promoted.AddPair(hi, lo)
				promoted.Add(x)
				hi, lo = 0, 0
			}
			if i < int(cut) {
				left.Add(x)
			} else {
				right.Add(x)
			}
		}
		promoted.AddPair(hi, lo)
		right.Merge(&left)
		wire := sum.AppendBinary(nil)
		for _, s := range []*Sum{&sum, &promoted, &right} {
			if got, want := s.Round(), want.round(); !sameBits(got, want) {
				t.Errorf("%x rounds to %x, not %x", xs, got, want)
			}
			if got := s.AppendBinary(nil); !bytes.Equal(got, wire) {
				t.Errorf("%x is %x and %x", xs, got, wire)
			}
		}
		checkDecode(t, wire)
	})
}

func FuzzProductSum(f *testing.F) {
	f.Add(bytesOf(5e-324, 5e-324, 1e300, 1e300, -1e300, 1e300))
	f.Add(bytesOf(extremes...))
	f.Add(bytesOf(math.Inf(1), 0))
	f.Fuzz(func(t *testing.T, b []byte) {
		var want oracle
		var sum ProductSum
		for xs := doublesOf(b); len(xs) >= 2; xs = xs[2:] {
			want.addProduct(xs[0], xs[1])
			sum.AddProduct(xs[0], xs[1])
		}
		if got, want := sum.Round(), want.round(); !sameBits(got, want) {
			t.Errorf("%x rounds to %x, not %x", b, got, want)
		}
		checkDecode(t, sum.AppendBinary(nil))
	})
}

func FuzzDecodeSum(f *testing.F) {
	f.Add(sumOf().AppendBinary(nil))
	f.Add(sumOf(1, -0x1p-300).AppendBinary(nil))
	f.Add(sumOf(math.NaN()).AppendBinary(nil))
	f.Add(new(ProductSum).AppendBinary(nil))
	f.Fuzz(func(t *testing.T, b []byte) { checkDecode(t, b) })
}

func FuzzFloat64Scaled(f *testing.F) {
	f.Add(uint64(1), uint64(0), uint64(0), uint64(0), int16(1))
	f.Add(uint64(1<<53+1), uint64(0), uint64(0), uint64(1<<63), int16(-309))
	f.Fuzz(func(t *testing.T, w0, w1, w2, w3 uint64, scale int16) {
		checkScaled(t, Int256{w0, w1, w2, w3}, int(scale)%500)
	})
}
