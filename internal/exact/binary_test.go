package exact

import (
	"bytes"
	"encoding/hex"
	"math"
	"strings"
	"testing"
)

// TestBinaryFormIsStable: bytes that were written once must be read for ever.
func TestBinaryFormIsStable(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		want string
	}{
		{nil, "0153000000"},
		{[]float64{math.SmallestNonzeroFloat64}, "015300010001000000"},
		{[]float64{1}, "015300012100000400"},
		{[]float64{-1}, "015308012100000400"},
		{[]float64{0x1p-1010, -0x1p-1074}, "0153000200ffffffffffffffff"},
		{
			[]float64{-0x1.8p1000, 3 * math.SmallestNonzeroFloat64},
			"0153084100fdffffff" + strings.Repeat("ffffffff", 63) + "ffffff05",
		},
		{[]float64{math.Inf(1), 7}, "0153010000"},
		{[]float64{-7, math.Inf(-1)}, "0153020000"},
		{[]float64{math.Inf(1), math.Inf(-1)}, "0153040000"},
		{[]float64{math.NaN(), math.Inf(-1)}, "0153040000"},
	} {
		got := hex.EncodeToString(sumOf(c.xs...).AppendBinary(nil))
		if got != c.want {
			t.Errorf("%v is written %s, not %s", c.xs, got, c.want)
		}
	}
	var product ProductSum
	product.AddProduct(-3, 0.5)
	if got := hex.EncodeToString(product.AppendBinary(nil)); got != "015008014318000000" {
		t.Errorf("a product is written %s", got)
	}
}

// TestDecodeTakesOneFormOnly: of all bytes near a valid form, those that are
// read are written back the same.
func TestDecodeTakesOneFormOnly(t *testing.T) {
	r := newRand(t)
	for range rounds(150) {
		wire := sumOf(floats(r, r.IntN(5), r.IntN(4) == 0)...).AppendBinary(nil)
		for at := range wire {
			for _, flip := range []byte{1, 2, 4, 8, 0x10, 0x80, 0xff, byte(r.Uint32())} {
				damaged := bytes.Clone(wire)
				damaged[at] ^= flip
				checkDecode(t, damaged)
			}
			checkDecode(t, wire[:at])
		}
		checkDecode(t, append(wire, 0))
		checkDecode(t, append(wire, 0, 0, 0, 0))
	}
}

func checkDecode(t *testing.T, b []byte) {
	t.Helper()
	if sum, err := DecodeSum(b); err == nil {
		if again := sum.AppendBinary(nil); !bytes.Equal(again, b) {
			t.Fatalf("%x is read and written back as %x", b, again)
		}
	} else if sum != (Sum{}) {
		t.Fatalf("%x: an error and a sum", b)
	}
	if sum, err := DecodeProductSum(b); err == nil {
		if again := sum.AppendBinary(nil); !bytes.Equal(again, b) {
			t.Fatalf("%x is read and written back as %x", b, again)
		}
	} else if sum != (ProductSum{}) {
		t.Fatalf("%x: an error and a sum", b)
	}
}

func TestDecodeErrors(t *testing.T) {
	one := func(change func(b []byte) []byte) []byte { return change(sumOf(1).AppendBinary(nil)) }
	for name, b := range map[string][]byte{
		"nothing":            nil,
		"header only":        {1, 'S', 0, 1, 33},
		"version":            one(func(b []byte) []byte { b[0] = 2; return b }),
		"kind":               one(func(b []byte) []byte { b[1] = 'P'; return b }),
		"unknown flag":       one(func(b []byte) []byte { b[2] = 16; return b }),
		"infinite and digit": one(func(b []byte) []byte { b[2] = 1; return b }),
		"both infinities":    {1, 'S', 3, 0, 0},
		"NaN and infinity":   {1, 'S', 5, 0, 0},
		"negative zero":      {1, 'S', 8, 0, 0},
		"negative NaN":       {1, 'S', 12, 0, 0},
		"zero somewhere":     {1, 'S', 0, 0, 1},
		"past the end":       one(func(b []byte) []byte { b[4] = sumLimbs; return b }),
		"zero digit":         {1, 'S', 0, 1, 0, 0, 0, 0, 0},
		"zero last digit":    {1, 'S', 0, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0},
		"zero first digit":   {1, 'S', 0, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0},
		"too large":          {1, 'S', 0, 1, sumLimbs - 1, 0, 0, 1, 0},
		"trailing byte":      one(func(b []byte) []byte { return append(b, 0) }),
	} {
		if _, err := DecodeSum(b); err == nil {
			t.Errorf("%s: %x is read", name, b)
		}
	}
	if _, err := DecodeSum([]byte{1, 'S', 0, 1, sumLimbs - 1, 255, 255, 0, 0}); err != nil {
		t.Errorf("the largest digit: %v", err)
	}
}

func TestBinaryNeverExceedsItsBound(t *testing.T) {
	sum := sumOf(math.MaxFloat64, -math.SmallestNonzeroFloat64)
	for range 62 {
		sum.Merge(sum)
	}
	sum.Add(-math.SmallestNonzeroFloat64)
	if got := len(sum.AppendBinary(nil)); got > MaxSumBinary || got < MaxSumBinary-2*digitSize {
		t.Errorf("%d bytes, the bound is %d", got, MaxSumBinary)
	}
}
