package ipcread

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
)

// slowOffsets is what copyOffsets answers, one by one.
func slowOffsets[T int32 | int64](offsets []T, size int) bool {
	return slices.IsSorted(offsets) && offsets[0] >= 0 && int64(offsets[len(offsets)-1]) <= int64(size)
}

// TestOffsets breaks good offsets at every place in every way.
func TestOffsets(t *testing.T) {
	testOffsets(t, []int32{math.MinInt32, -1, 0, 1, math.MaxInt32})
	testOffsets(t, []int64{math.MinInt64, math.MinInt32, -1, 0, 1, math.MaxUint32, math.MaxInt64})
}

func testOffsets[T int32 | int64](t *testing.T, extremes []T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := 1; n < 30; n++ {
		good := make([]T, n)
		for i := range good[1:] {
			good[i+1] = good[i] + T(r.IntN(3))
		}
		size := int(good[n-1])
		for at := range good {
			for _, v := range append(extremes, good[at], good[at]+1, good[at]-1) {
				offsets := slices.Clone(good)
				offsets[at] = v
				dst := make([]T, n)
				if got, want := copyOffsets(dst, offsets, int64(size)), slowOffsets(offsets, size); got != want {
					t.Fatalf("%v in %d bytes: %t", offsets, size, got)
				}
			}
		}
	}
}

// TestAllBelow puts every number that matters at every place.
func TestAllBelow(t *testing.T) {
	testAllBelow[uint8](t, 1)
	testAllBelow[uint16](t, 2)
	testAllBelow[uint32](t, 4)
	testAllBelow[uint64](t, 8)
}

func testAllBelow[T uint8 | uint16 | uint32 | uint64](t *testing.T, width int) {
	half := uint64(1) << (8*width - 1)
	for n := range 20 {
		for _, limit := range []uint64{0, 1, 2, 100, half - 1, half} {
			words := make([]T, n)
			for i := range words {
				words[i] = T(limit - 1)
			}
			if got, want := allBelow(arrow.GetBytes(words), width, limit), limit > 0 || n == 0; got != want {
				t.Fatalf("%d times %d below %d: %t", n, limit-1, limit, got)
			}
			for at := range words {
				for _, v := range []uint64{0, 1, limit - 1, limit, limit + 1, half, half + limit, 1<<(8*width) - 1} {
					words[at] = T(v)
					got := allBelow(arrow.GetBytes(words), width, limit)
					want := !slices.ContainsFunc(words, func(w T) bool { return uint64(w) >= limit })
					if got != want {
						t.Fatalf("%v below %d: %t", words, limit, got)
					}
				}
				words[at] = T(limit - 1)
			}
		}
	}
}

func TestRunEnds(t *testing.T) {
	for _, c := range []struct {
		ends []int16
		rows int64
		want bool
	}{
		{nil, 0, true},
		{nil, 1, false},
		{[]int16{1, 2, 5}, 5, true},
		{[]int16{1, 2, 5}, 4, true},
		{[]int16{1, 2, 5}, 6, false},
		{[]int16{0, 5}, 5, false},
		{[]int16{-1, 5}, 5, false},
		{[]int16{2, 2, 5}, 5, false},
		{[]int16{3, 2}, 2, false},
	} {
		if got := copyRunEnds(make([]int16, len(c.ends)), c.ends, c.rows); got != c.want {
			t.Errorf("%v for %d rows: %t", c.ends, c.rows, got)
		}
	}
}

// TestASCII puts a high bit at every place of every length.
func TestASCII(t *testing.T) {
	for n := range 200 {
		b := make([]byte, n)
		if !ascii(b) {
			t.Fatalf("%d zeros", n)
		}
		for i := range b {
			b[i] = 0x80
			if ascii(b) {
				t.Fatalf("byte %d of %d", i, n)
			}
			b[i] = 0x7F
		}
	}
}

// TestFirstInvalid holds the check of all bytes at once against one row at a time.
func TestFirstInvalid(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	pieces := []string{"", "a", "plain text", "é", "世", "🙂", "\xFF", "\xE4\xB8", "\x96", "\xED\xA0\x80", "\xC0\x80"}
	for range 5000 {
		var chars []byte
		offsets := []int32{0}
		for range r.IntN(6) {
			for range r.IntN(3) {
				n := len(pieces)
				if r.IntN(4) > 0 {
					n = 6
				}
				chars = append(chars, pieces[r.IntN(n)]...)
			}
			offsets = append(offsets, int32(len(chars)))
		}
		if len(offsets) > 2 && r.IntN(3) == 0 { // move a boundary
			i := 1 + r.IntN(len(offsets)-2)
			offsets[i] += int32(r.IntN(int(offsets[i+1]-offsets[i]) + 1))
		}
		want := int64(-1)
		for i := range offsets[1:] {
			if !utf8.Valid(chars[offsets[i]:offsets[i+1]]) {
				want = int64(i)
				break
			}
		}
		s := &slot{}
		s.shape(1)
		if got := firstInvalid(s, offsets, chars, 0); got != want {
			t.Fatalf("seed %d: %q at %v: %d, want %d", seed, chars, offsets, got, want)
		}
	}
}

// TestIndices of every type against dictionaries larger than half their range:
// as bytes, -1 and 255 are the same.
func TestIndices(t *testing.T) {
	for _, c := range []struct {
		t     arrow.DataType
		index byte
		size  int64
		want  string
	}{
		{arrow.PrimitiveTypes.Int8, 127, 300, ""},
		{arrow.PrimitiveTypes.Int8, 255, 300, "row 2: index -1 in a dictionary of 300 values"},
		{arrow.PrimitiveTypes.Int8, 128, 128, "row 2: index -128 in a dictionary of 128 values"},
		{arrow.PrimitiveTypes.Uint8, 255, 300, ""},
		{arrow.PrimitiveTypes.Uint8, 199, 200, ""},
		{arrow.PrimitiveTypes.Uint8, 200, 200, "row 2: index 200 in a dictionary of 200 values"},
		{arrow.PrimitiveTypes.Uint8, 0, 0, "row 1: index 0 in a dictionary of 0 values"},
	} {
		s := &slot{}
		s.shape(2)
		from := []byte{0, c.index, 0}
		to := make([]byte, 3)
		got := ""
		if err := s.copyIndices(to, from, c.t, c.size, rowRange{total: 3, count: 3}); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%v %d of %d: %q, want %q", c.t, c.index, c.size, got, c.want)
		}
		s.set(0, []byte{0}) // all null
		if err := s.copyIndices(to, from, c.t, c.size, rowRange{total: 3, count: 3}); err != nil {
			t.Errorf("%v %d of %d, null: %v", c.t, c.index, c.size, err)
		}
		if c.want != "" && to[1] != 0 {
			t.Errorf("%v %d of %d, null: %d", c.t, c.index, c.size, to[1])
		}
	}
}
