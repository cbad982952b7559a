package expr

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"arrowagg/internal/syntax"
)

func TestTemporalTexts(t *testing.T) {
	for text, want := range map[string]string{
		"2024-01-31": "1706659200", "2024-01-31T09:30": "1706693400", "2024-01-31 09:30:15": "1706693415",
		"2024-01-31T09:30:15.25": "6826773661/4", "1969-12-31T23:59:59.999": "-1/1000", "-0001-01-01": "-62198755200",
		"+10000-01-01": "253402300800", "2024-02-29": "1709164800", "0000-01-01": "-62167219200",
		"2023-02-29": "", "2024-13-01": "", "2024-1-1": "", "2024-01-31T24:00": "", "2024-01-31T23:60": "", "20240131": "",
		"2024-01-31T09:30:15.": "", "2024-01-31T": "", "2024-01-31x": "", "": "", "2024-01-31T09:30:60": "", "2024-01-32": "",
	} {
		got, err := ParseTimestamp(text, false)
		checkRat(t, text, got, err, want)
	}
	for text, want := range map[string]string{
		"2024-01-31Z": "1706659200", "2024-01-31T09:30z": "1706693400", "2024-01-31T09:30+01:00": "1706689800",
		"2024-01-31T09:30-0130": "1706698800", "2024-01-31T09:30:00.5Z": "3413386801/2",
		"2024-01-31T09:30+24:00": "", "2024-01-31T09:30+1": "", "2024-01-31T09:30ZZ": "", "2024-01-31T09:30 UTC": "",
	} {
		got, err := ParseTimestamp(text, true)
		checkRat(t, text, got, err, want)
	}
	if _, err := ParseTimestamp("2024-01-31", true); !errors.Is(err, errNeedsZone) {
		t.Errorf("no zone: %v", err)
	}
	if _, err := ParseTimestamp("2024-01-31Z", false); !errors.Is(err, errNeedsLocal) {
		t.Errorf("a zone: %v", err)
	}
	for text, want := range map[string]string{
		"90s": "90", "1h30m": "5400", "1.5h": "5400", "-2d": "-172800", "1w": "604800", "10ns": "1/100000000", "5us": "1/200000",
		"5µs": "1/200000", "1m1ms": "60001/1000", "": "", "-": "", "5": "", "m": "", "1x": "", "1h-1m": "", "1.2.3s": "",
	} {
		got, err := ParseSpan(text)
		checkRat(t, text, got, err, want)
	}
}

func checkRat(t *testing.T, text string, got *big.Rat, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err == nil:
		t.Errorf("%q: %s, want an error", text, got)
	case want != "" && err != nil:
		t.Errorf("%q: %v", text, err)
	case want != "" && strings.TrimSuffix(got.String(), "/1") != want:
		t.Errorf("%q: %s, want %s", text, got, want)
	}
}

// Random instants, written by the standard library, read back.
func TestTimestampsAgainstTime(t *testing.T) {
	for range 2000 {
		at := time.Unix(rand.Int64N(4e11)-6e10, rand.Int64N(1e9)).UTC()
		got, err := ParseTimestamp(at.Format("2006-01-02T15:04:05.999999999"), false)
		want := new(big.Rat).Add(big.NewRat(at.Unix(), 1), big.NewRat(int64(at.Nanosecond()), 1e9))
		if at.Year() <= 9999 && (err != nil || got.Cmp(want) != 0) {
			t.Fatalf("%s: %v, %v", at, got, err)
		}
	}
}

func TestLike(t *testing.T) {
	const letters = "ab_%ö"
	random := func(n int) string {
		var b strings.Builder
		for range rand.IntN(n) {
			b.WriteRune([]rune(letters)[rand.IntN(5)])
		}
		return b.String()
	}
	for range 20000 {
		text, pattern := random(8), random(6)
		if got, want := newPattern(pattern).has([]byte(text)), likeSlowly([]rune(text), []rune(pattern)); got != want {
			t.Fatalf("%q like %q: %v, want %v", text, pattern, got, want)
		}
	}
}

// Text that is no UTF-8 is an error with its row, in every encoding; behind a
// null or unused it is none.
func TestInvalidText(t *testing.T) {
	const src = "s = 'x'"
	e, err := syntax.ParseCondition(src)
	if err != nil {
		t.Fatal(err)
	}
	c, err := BindCondition(src, e, Scope{Columns: []Column{{Name: "s", Type: arrow.BinaryTypes.String}}})
	if err != nil {
		t.Fatal(err)
	}
	b := array.NewStringBuilder(memory.DefaultAllocator)
	b.AppendValues([]string{"x", "ö", "\xff\xfe"}, nil)
	plain := b.NewArray()
	indices := array.NewInt8Builder(memory.DefaultAllocator)
	indices.AppendValues([]int8{0, 0, 2, 1}, nil)
	encoded := array.NewDictionaryArray(&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String},
		indices.NewArray(), plain)
	for name, data := range map[string]arrow.ArrayData{"plain": plain.Data(), "dictionary": encoded.Data()} {
		_, _, err := c.NewFilter().Select([]arrow.ArrayData{data}, int64(data.Len()))
		var value *ValueError
		if !errors.As(err, &value) || value.Row != 2 || value.Text != `"\xff\xfe" is not valid UTF-8` {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A filter over columns that it need not convert allocates nothing once it has
// its scratch.
func TestFilterDoesNotAllocate(t *testing.T) {
	const src = "i > 5 and (s like 'a%' or not f between 0.5 and 2) and i in (7, 8, 9)"
	e, err := syntax.ParseCondition(src)
	if err != nil {
		t.Fatal(err)
	}
	c, err := BindCondition(src, e, Scope{Columns: []Column{
		{Name: "i", Type: arrow.PrimitiveTypes.Int64}, {Name: "s", Type: arrow.BinaryTypes.String}, {Name: "f", Type: arrow.PrimitiveTypes.Float32},
	}})
	if err != nil {
		t.Fatal(err)
	}
	ints, texts := array.NewInt64Builder(memory.DefaultAllocator), array.NewStringBuilder(memory.DefaultAllocator)
	floats := array.NewFloat32Builder(memory.DefaultAllocator)
	for i := range 1000 {
		ints.Append(int64(i % 20))
		texts.Append(strings.Repeat("a", i%3))
		floats.Append(float32(i) / 100)
	}
	ints.AppendNull()
	texts.AppendNull()
	floats.AppendNull()
	columns := []arrow.ArrayData{ints.NewArray().Data(), texts.NewArray().Data(), floats.NewArray().Data()}
	f := c.NewFilter()
	if n := testing.AllocsPerRun(20, func() {
		if _, _, err := f.Select(columns, 1001); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations a batch", n)
	}
}
