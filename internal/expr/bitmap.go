package expr

import (
	"math/bits"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
)

// bitmap has a bit per row, 64 to a word; bits past the last row are zero.
type bitmap []uint64

func wordsFor(n int) int { return (n + 63) / 64 }

// tail is the mask of the last word's rows.
func tail(n int) uint64 {
	if n%64 == 0 {
		return ^uint64(0)
	}
	return 1<<(n%64) - 1
}

func (b bitmap) has(i int) bool { return b[i/64]>>(i%64)&1 != 0 }

// fill sets the bits of n rows.
func (b bitmap) fill(n int) {
	for i := range b {
		b[i] = ^uint64(0)
	}
	if len(b) > 0 {
		b[len(b)-1] &= tail(n)
	}
}

// copyBits makes n bits of an Arrow bitmap, from a bit offset on, a bitmap.
func copyBits(dst bitmap, src []byte, offset, n int) bitmap {
	dst = sized(dst, wordsFor(n))
	if len(dst) == 0 {
		return dst
	}
	dst[len(dst)-1] = 0
	bitutil.CopyBitmap(src, offset, n, arrow.Uint64Traits.CastToBytes(dst), 0)
	return dst
}

// truth is the answer to a condition for every row, in SQL's logic of three
// values: a row is in yes, or in no, or in neither where the answer is null.
type truth struct{ yes, no bitmap }

func (t *truth) resize(n int) {
	t.yes, t.no = sized(t.yes, wordsFor(n)), sized(t.no, wordsFor(n))
}

// not exchanges the two sets; what is unknown stays unknown.
func (t *truth) not() { t.yes, t.no = t.no, t.yes }

// and keeps the rows where both say yes; one no is enough for no.
func (t *truth) and(u *truth) {
	for i := range t.yes {
		t.yes[i] &= u.yes[i]
		t.no[i] |= u.no[i]
	}
}

func (t *truth) or(u *truth) {
	for i := range t.yes {
		t.yes[i] |= u.yes[i]
		t.no[i] &= u.no[i]
	}
}

// decide makes t the answer of a test that passed the rows in t.yes and has no
// answer for rows without a value.
func (t *truth) decide(valid bitmap, n int) {
	if valid == nil {
		for i := range t.yes {
			t.no[i] = ^t.yes[i]
		}
		if len(t.no) > 0 {
			t.no[len(t.no)-1] &= tail(n)
		}
		return
	}
	for i := range t.yes {
		t.no[i] = valid[i] &^ t.yes[i]
		t.yes[i] &= valid[i]
	}
}

// all is the same answer for n rows.
func (t *truth) all(answer bool, n int) {
	t.resize(n)
	clear(t.yes)
	clear(t.no)
	if answer {
		t.yes.fill(n)
	} else {
		t.no.fill(n)
	}
}

// none is no answer for any of n rows.
func (t *truth) none(n int) {
	t.resize(n)
	clear(t.yes)
	clear(t.no)
}

// rows appends the numbers of the rows in b to dst.
func (b bitmap) rows(dst []int32) []int32 {
	for i, w := range b {
		for ; w != 0; w &= w - 1 {
			dst = append(dst, int32(64*i+bits.TrailingZeros64(w)))
		}
	}
	return dst
}

func (b bitmap) count() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}
