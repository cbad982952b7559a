package groupby

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"arrowagg/internal/arena"
)

// TestNumeralsCodes: strings of digits have the same codes whether they are
// looked up as numbers or in the table, also among others, cut off, lengthened or
// with other characters.
func TestNumeralsCodes(t *testing.T) {
	random := rand.New(rand.NewPCG(31, 32))
	formats := map[string]func(i int) string{
		"eight":         func(i int) string { return fmt.Sprintf("%08d", i) },
		"with head":     func(i int) string { return fmt.Sprintf("id%010d", i) },
		"fifteen":       func(i int) string { return fmt.Sprintf("machine-%07d", i) },
		"common inside": func(i int) string { return fmt.Sprintf("20%02d-%02d-%02d", 20+i/372%10, 1+i/31%12, 1+i%31) },
		"in steps":      func(i int) string { return fmt.Sprintf("port%08d", 1000*i) },
		"around digits": func(i int) string { // the characters beside 0 and 9, for instance
			return fmt.Sprintf("key-%04d", i) + string(rune('-'+i%16))
		},
		"heads":    func(i int) string { return fmt.Sprintf("%c-host-%04d", 'a'+i%3, i/3) },
		"too long": func(i int) string { return fmt.Sprintf("machine-%08d", i) },
	}
	for name, format := range formats {
		for _, distinct := range []int{1, 20, 300, 3000} {
			pool := make([]string, distinct)
			for i := range pool {
				pool[i] = format(i)
			}
			in := newBytesInterner(newHashing(false), true, &arena.Arena{})
			shortened := internScratch{numerals: &patience{}}
			var plain internScratch
			for chunk := range 40 {
				if chunk == 20 {
					pool = append(pool, strangers(random, pool[0])...)
				}
				v := chunkOf(random, pool, 1+random.IntN(chunkRows), chunk%3 == 0)
				codes, want := make([]uint32, v.n), make([]uint32, v.n)
				if bad := in.intern(codes, v, &shortened); bad >= 0 {
					t.Fatal(bad)
				}
				if bad := in.intern(want, v, &plain); bad >= 0 {
					t.Fatal(bad)
				}
				if !slices.Equal(codes, want) {
					t.Fatalf("%s, %d values, chunk %d: %v, want %v", name, distinct, chunk, codes, want)
				}
			}
		}
	}
}

// strangers are strings that differ from one of digits in a character or in
// their length.
func strangers(random *rand.Rand, like string) []string {
	others := []string{"", "x", like[1:], like + "0", "0" + like}
	for i := range like {
		b := []byte(like)
		b[i] = "/:0 9a\x00pP"[random.IntN(9)]
		others = append(others, string(b))
	}
	return others
}

// TestNumeralsAreAskedWhereTheyPay: for strings of digits, nullable or not; not
// for others, and no more when too many others have come.
func TestNumeralsAreAskedWhereTheyPay(t *testing.T) {
	random := rand.New(rand.NewPCG(33, 34))
	pools := func(format string) (pool []string) {
		for i := range 5000 {
			pool = append(pool, fmt.Sprintf(format, i))
		}
		return pool
	}
	for _, c := range []struct {
		name   string
		format string
		nulls  bool
		others int
		want   bool
	}{
		{"digits", "host-%05d", false, 0, true},
		{"nullable digits", "host-%05d", true, 0, true},
		{"letters", "host-%x", false, 0, false},
		{"others later", "host-%05d", false, 2500, false},
	} {
		pool := pools(c.format)
		in := newBytesInterner(newHashing(false), true, &arena.Arena{})
		s := internScratch{numerals: &patience{}}
		codes := make([]uint32, chunkRows)
		for chunk := range 300 {
			if chunk == 200 {
				for i := range c.others {
					pool[i] = fmt.Sprintf("other-%d", i)
				}
			}
			in.intern(codes, chunkOf(random, pool, chunkRows, c.nulls), &s)
		}
		if got := in.numerals.Load() != nil && s.numerals.wait == 0; got != c.want {
			t.Errorf("%s: asked always: %t, want %t", c.name, got, c.want)
		}
	}
}

func TestEightDigits(t *testing.T) {
	for _, n := range []uint64{0, 1, 9, 10, 99, 100, 12345678, 90000000, 99999999} {
		text, x := fmt.Sprintf("%08d", n), uint64(0)
		for i := range text {
			x |= uint64(text[i]-'0') << (8 * i)
		}
		if got := eightDigits(x); got != n {
			t.Errorf("%d, want %d", got, n)
		}
	}
}
