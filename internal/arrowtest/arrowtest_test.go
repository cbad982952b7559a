package arrowtest

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// everything has a column of every type and the values that are easy to lose.
const everything = `@origin=test
b bool | i8 int8 | u64 uint64 | h float16 | f float32 | d float64
true | -128 | 18446744073709551615 | 0.5 | 0.1 | NaN
false | 127 | 0 | -0.0 | inf | -0.0
null | null | null | null | null | -inf
---
true | 0 | 1 | 65504.0 | 1e-45 | 5e-324
===
d32 decimal32(9, 2) | d64 decimal64(18, 0) | d128 decimal128(10, -2) | d256 decimal256(76, 3)
-0.05 | -9 | 1200 | 1234567890123456789012345678901234567890.123
0.00 | 0 | -100 | 0.000
null | null | null | null
===
s utf8 not null {unit=ms, x=y} | l large_utf8 | v utf8_view | x binary | y fixed_size_binary(2) | z binary_view
a | "" | "null" | \x00ff | \xbeef | \x
"a|b" | "\n" | "\xff" | \x | \x0000 | \x61
" a" | "#" | a string longer than twelve bytes | null | null | null
===
t timestamp[ms, UTC] | n timestamp[ns] | d date32 | w date64 | c time32[s] | k time64[ns] | p duration[us]
1969-12-31T23:59:59.999Z | 2262-04-11T23:47:16.854775807 | 1969-12-31 | 2000-02-29 | 00:00:00 | 23:59:59.999999999 | -5
9999-12-31T23:59:59.999Z | 1677-09-21T00:12:43.145224192 | 0000-01-01 | 1 | 86400 | -1 | 0
253402300800000 | null | -2147483648 | null | 12:00:01 | null | null
===
g dictionary<int8, utf8> | r run_end_encoded<int32, utf8> | n dictionary<uint16, int64> | o extension<arrow.bool8, int8>
a | x | 1 | 1
b | x | null | 0
a | null | 2 | null
===
z null | l list<int64> | s struct<a: int64, b: utf8> | y interval[months]
null | [1,null] | {"a":1,"b":"x|y"} | 3
null | null | null | null
`

func TestTextRoundTrips(t *testing.T) {
	for _, text := range strings.Split(everything, "===\n") {
		for _, e := range []Encoding{{}, {Codec: "lz4"}, {Codec: "zstd"}, {File: true}, {NoEndMarker: true}, {Deltas: true}} {
			s, err := Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			b, err := s.Encode(e)
			if err != nil {
				t.Fatalf("%+v: %v\n%s", e, err, text)
			}
			back, rest, err := Read(b)
			if err != nil || len(rest) > 0 {
				t.Fatalf("%+v: %v, %d bytes left\n%s", e, err, len(rest), text)
			}
			if got, want := back.String(), s.String(); got != want || got != spaced(text) {
				t.Errorf("%+v: got\n%swant\n%s", e, got, text)
			}
		}
	}
}

// spaced is the text with just one blank around every bar.
func spaced(text string) string { return Must(text).String() }

func TestBatchLines(t *testing.T) {
	for text, want := range map[string][]int{
		"k utf8\n":                  {},
		"k utf8\n---\n":             {0},
		"k utf8\na\n":               {1},
		"k utf8\n---\na\n":          {1},
		"k utf8\n---\n---\na\nb\n":  {0, 2},
		"k utf8\na\n---\n---\nb\n":  {1, 0, 1},
		"k utf8\n\n# a\na\n---\n\n": {1, 0},
	} {
		got := []int{}
		for _, b := range Must(text).Batches {
			got = append(got, len(b.Rows))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: batches of %v, want %v", text, got, want)
		}
	}
}

func TestBadTextsAreRefused(t *testing.T) {
	for _, text := range []string{
		"", "k", "k utf9\na\n", "k utf8\na | b\n", "k utf8 | v int64\na |\n", "k utf8\n\"a\n",
		"k timestamp[m]\n1\n", "k decimal128\n", "k int8\n--- v=[1]\n", "k time32[ns]\n", "k list<int64, utf8>\n",
	} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
	for _, text := range []string{
		"k int8\n128\n", "k decimal128(5, 2)\n0.001\n", "k decimal32(9, 0)\n99999999999\n",
		"k timestamp[s]\n2000-01-01T00:00:00.5\n", "k timestamp[ns]\n9999-01-01\n", "k null\n1\n",
		"k fixed_size_binary(2)\n\\x00\n", "k dictionary<int8, utf8>\n--- k=[\"a\"]\nb\n",
	} {
		if _, err := Must(text).Records(); err == nil {
			t.Errorf("%q was built", text)
		}
	}
}

func TestExplicitDictionary(t *testing.T) {
	s := Must("k dictionary<int8, utf8>\n--- k=[\"unused\", null, \"a\"]\na\nnull\n")
	recs, err := s.Records()
	if err != nil {
		t.Fatal(err)
	}
	dict := recs[0].Column(0).(*array.Dictionary)
	if dict.Dictionary().Len() != 3 || dict.GetValueIndex(0) != 2 || dict.GetValueIndex(1) != 1 || dict.NullN() != 0 {
		t.Errorf("got %v of %v", dict.Indices(), dict.Dictionary())
	}
	if got := s.String(); got != spaced(got) || !strings.Contains(got, `--- k=["unused", null, "a"]`) {
		t.Errorf("got %s", got)
	}
}

// A delta message is flagged in its flatbuffer; what counts here is that a
// grown dictionary takes fewer bytes with deltas than without, and reads back.
func TestDeltas(t *testing.T) {
	s := Must("k dictionary<int8, utf8>\n" + strings.Repeat("a much longer value\n", 1))
	for _, text := range []string{"b", "c", "d"} {
		s.Batches = append(s.Batches, Batch{Rows: []Row{{Cell{Text: text}}}})
	}
	s = s.GrowingDictionaries()
	plain, delta := s.MustEncode(Encoding{}), s.MustEncode(Encoding{Deltas: true})
	if len(delta) >= len(plain) {
		t.Errorf("%d bytes with deltas, %d without", len(delta), len(plain))
	}
	back, _, err := Read(delta)
	if err != nil || len(back.Rows()) != 4 || back.Rows()[3][0].Text != "d" {
		t.Errorf("%v, %v", back, err)
	}
}

func TestRearrangementsKeepTheRows(t *testing.T) {
	s := Must("k utf8 | v int64\na | 1\nb | 2\nnull | 3\n---\nc | 4\n---\na | 5\na | null\n")
	rng := rand.New(rand.NewPCG(1, 1))
	for name, other := range map[string]*Stream{
		"recut 1":    s.Recut(1),
		"recut 0, 4": s.Recut(0, 4),
		"recut 100":  s.Recut(100),
		"recut":      s.RecutAt(rng),
		"permute":    s.Permute(rng),
		"dictionary": s.Retype(ToDictionary(arrow.PrimitiveTypes.Int16)),
		"shared":     s.Retype(ToDictionary(arrow.PrimitiveTypes.Int8)).SharedDictionaries(),
		"growing":    s.Retype(ToDictionary(arrow.PrimitiveTypes.Uint8)).GrowingDictionaries(),
		"view":       s.Retype(ToView),
		"large":      s.Retype(ToLarge),
		"runs":       s.Retype(ToRuns),
	} {
		back, _, err := Read(other.MustEncode(Encoding{}))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got, want := sortedRows(back), sortedRows(s); got != want {
			t.Errorf("%s: rows\n%s\nwant\n%s", name, got, want)
		}
	}
	if got := s.Select("v", "k").Select("k", "v"); got.String() != s.String() {
		t.Errorf("columns there and back: %s", got)
	}
	if parts := s.Parts(rng, 3); len(parts[0].Rows())+len(parts[1].Rows())+len(parts[2].Rows()) != 6 {
		t.Error("parts lose rows")
	}
}

func TestSlicesHaveOffsetsAndTheSameRows(t *testing.T) {
	s := Must("k utf8 | g dictionary<int8, utf8> | r run_end_encoded<int32, utf8> | b bool\na | x | y | true\nnull | null | y | null\n---\n")
	recs, err := s.Slices(3, 2)
	if err != nil {
		t.Fatal(err)
	}
	if offset := recs[0].Column(0).Data().Offset(); offset != 3 {
		t.Errorf("offset %d, want 3", offset)
	}
	if got := FromRecords(s.Schema(), recs).String(); got != s.String() {
		t.Errorf("got\n%s", got)
	}
}

func TestNoEndMarkerCutsJustTheMarker(t *testing.T) {
	s := Must("k utf8\na\n")
	whole := s.MustEncode(Encoding{})
	if cut := s.MustEncode(Encoding{NoEndMarker: true}); !bytes.Equal(append(cut, endMarker...), whole) {
		t.Error("more or less than the end marker is missing")
	}
	if _, err := s.Encode(Encoding{NoEndMarker: true, File: true}); err == nil {
		t.Error("a file without its footer was written")
	}
}

func sortedRows(s *Stream) string {
	var lines []string
	for _, row := range s.Rows() {
		var cells []string
		for _, c := range row {
			cells = append(cells, c.String())
		}
		lines = append(lines, strings.Join(cells, " | "))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
