package ipcread

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"testing"
	"testing/iotest"

	"arrowagg/internal/arrowtest"
)

// framing is what a framer found in some bytes.
type framing struct {
	schemas, batches, rows, open int
	err                          error
}

func frameAll(f *framer) framing {
	var found framing
	for {
		p, err := f.next()
		if err != nil {
			if err != io.EOF {
				found.err = err
			}
			return found
		}
		switch p.kind {
		case stepSchema:
			found.schemas++
		case stepBatch:
			found.batches++
			found.rows += int(p.msg.Rows())
		case stepOpen:
			found.open++
		}
	}
}

// sources are the ways in which the same bytes can come.
var sources = []struct {
	name string
	of   func(b []byte) source
}{
	{"in memory", func(b []byte) source { return &extentSource{ext: resident(b)} }},
	{"read", func(b []byte) source { return &readerSource{r: newLookahead(bytes.NewReader(b))} }},
	{"byte by byte", func(b []byte) source {
		return &readerSource{r: smallLookahead(iotest.OneByteReader(bytes.NewReader(b)))}
	}},
	{"error with the last bytes", func(b []byte) source {
		return &readerSource{r: newLookahead(iotest.DataErrReader(bytes.NewReader(b)))}
	}},
}

// smallLookahead looks ahead no further than it must.
func smallLookahead(r io.Reader) *lookahead { return &lookahead{bufio.NewReaderSize(r, 16), r} }

// frameBytes frames b in memory and in another way, and wants one answer.
func frameBytes(t testing.TB, b []byte) framing {
	t.Helper()
	var first framing
	for i, s := range sources {
		if i > 0 && i != 1+len(b)%(len(sources)-1) && len(b) < 4096 {
			continue // tests cut at every length, so that each way has its turn
		}
		for _, noBodies := range []bool{false, true} {
			f := frameAll(&framer{src: s.of(b), walkOptions: walkOptions{maxBody: 1 << 30, noBodies: noBodies}})
			if i == 0 && !noBodies {
				first = f
				continue
			}
			if fmt.Sprint(f.err) != fmt.Sprint(first.err) && kindOf(f.err) != kindOf(first.err) {
				t.Fatalf("%s, bodies left out %v: error %v, in memory %v", s.name, noBodies, f.err, first.err)
			}
			f.err = first.err
			if f != first {
				t.Fatalf("%s, bodies left out %v: %+v, in memory %+v", s.name, noBodies, f, first)
			}
		}
	}
	return first
}

// kindOf is which of the package's kinds an error is.
func kindOf(err error) error {
	for _, kind := range []error{ErrTruncated, ErrCorrupt, ErrLimit, ErrEmpty, ErrForeign, ErrChanged} {
		if errors.Is(err, kind) {
			return kind
		}
	}
	return err
}

func TestTruncationAtEveryByte(t *testing.T) {
	sequential(t)
	s := sample()
	modern := s.MustEncode(arrowtest.Encoding{NoEndMarker: true})
	lz4 := s.MustEncode(arrowtest.Encoding{NoEndMarker: true, Codec: "lz4"})
	deltas := s.MustEncode(arrowtest.Encoding{NoEndMarker: true, Deltas: true})
	old := oldFraming(t, modern)
	cases := map[string]struct {
		stream []byte
		ends   []int // where a message, or the stream, may end
	}{
		"modern":   {modern, boundaries(t, modern)},
		"lz4":      {lz4, boundaries(t, lz4)},
		"deltas":   {deltas, boundaries(t, deltas)},
		"old":      {old, oldBoundaries(boundaries(t, modern))},
		"two":      {slices.Concat(modern, modern), twice(boundaries(t, modern))},
		"end, two": {slices.Concat(modern, endMarker, modern), twiceAfter(boundaries(t, modern), len(endMarker))},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			for n := 1; n < len(c.stream); n++ {
				found := frameBytes(t, c.stream[:n])
				switch at := slices.Contains(c.ends, n); {
				case at && (found.err != nil || found.open == 0 && name != "end, two"):
					t.Fatalf("cut at the boundary %d: %+v", n, found)
				case !at && !errors.Is(found.err, ErrTruncated):
					t.Fatalf("cut at %d, inside a message: %+v", n, found)
				}
			}
		})
	}
}

var endMarker = []byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}

func oldBoundaries(modern []int) []int {
	var old []int
	for i, at := range modern {
		old = append(old, at-i*wordSize)
	}
	return old
}

func twice(ends []int) []int { return twiceAfter(ends, 0) }

// twiceAfter are the boundaries of a stream that follows itself after a gap.
func twiceAfter(ends []int, gap int) []int {
	all := slices.Clone(ends)
	length := ends[len(ends)-1]
	for _, at := range ends {
		all = append(all, length+gap+at)
	}
	return all
}

func TestStreamsInARow(t *testing.T) {
	a := sample().MustEncode(arrowtest.Encoding{})
	b := plain(7).MustEncode(arrowtest.Encoding{})
	openA := sample().MustEncode(arrowtest.Encoding{NoEndMarker: true})
	oldA := oldFraming(t, a)
	zeros := func(n int) []byte { return make([]byte, n) }
	cases := []struct {
		name  string
		bytes []byte
		want  framing // err is only a kind here
	}{
		{"one", a, framing{1, 3, 5, 0, nil}},
		{"two", slices.Concat(a, b), framing{2, 4, 6, 0, nil}},
		{"no end marker", openA, framing{1, 3, 5, 1, nil}},
		{"no end marker before the next", slices.Concat(openA, b), framing{2, 4, 6, 1, nil}},
		{"old framing", oldA, framing{1, 3, 5, 0, nil}},
		{"old framing without end", oldA[:len(oldA)-4], framing{1, 3, 5, 1, nil}},
		{"old then new", slices.Concat(oldA, b), framing{2, 4, 6, 0, nil}},
		{"new then old", slices.Concat(b, oldA), framing{2, 4, 6, 0, nil}},
		{"old without end then new", slices.Concat(oldA[:len(oldA)-4], b), framing{2, 4, 6, 1, nil}},
		{"new without end then old", slices.Concat(openA, oldFraming(t, b)), framing{2, 4, 6, 1, nil}},
		{"padding", slices.Concat(a, zeros(3)), framing{1, 3, 5, 0, nil}},
		{"much padding", slices.Concat(a, zeros(100_001)), framing{1, 3, 5, 0, nil}},
		{"padding between", slices.Concat(a, zeros(512), b), framing{2, 4, 6, 0, nil}},
		{"garbage", slices.Concat(a, []byte("this is not arrow at all")), framing{1, 3, 5, 0, ErrCorrupt}},
		{"one byte of garbage", slices.Concat(a, []byte{1}), framing{1, 3, 5, 0, ErrCorrupt}},
		{"garbage after padding", slices.Concat(a, zeros(8), []byte("hello")), framing{1, 3, 5, 0, ErrCorrupt}},
		{"two end markers", slices.Concat(a, endMarker), framing{1, 3, 5, 0, ErrCorrupt}},
		{"batch after the end", slices.Concat(a, b[boundaries(t, b[:len(b)-8])[1]:]), framing{1, 3, 5, 0, ErrCorrupt}},
		{"zeros instead of an end", slices.Concat(openA, zeros(64)), framing{1, 3, 5, 1, nil}},
		{"zeros instead of a message", slices.Concat(openA, zeros(64), openA[len(openA)-64:]), framing{1, 3, 5, 0, ErrCorrupt}},
		{"only an end marker", endMarker, framing{0, 0, 0, 0, ErrEmpty}},
		{"only an old end marker", zeros(4), framing{0, 0, 0, 0, ErrEmpty}},
		{"batch without schema", openA[boundaries(t, openA)[1]:], framing{0, 0, 0, 0, ErrCorrupt}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			found := frameBytes(t, c.bytes)
			found.err = kindOf(found.err)
			if found != c.want {
				t.Errorf("found %+v, want %+v", found, c.want)
			}
		})
	}
}

func TestZerosAfterOldStreamThatFollowsANewOne(t *testing.T) {
	// The framing that counts is that of the stream's own schema: zeros end an
	// old stream but not a new one, whatever stood before.
	open := plain(1).MustEncode(arrowtest.Encoding{NoEndMarker: true})
	old := oldFraming(t, open)
	if found := frameBytes(t, slices.Concat(open, old)); found.open != 1 || found.err != nil {
		t.Errorf("new, old with end: %+v", found)
	}
	if found := frameBytes(t, slices.Concat(old[:len(old)-4], open, make([]byte, 8))); found.open != 2 || found.err != nil {
		t.Errorf("old, new with zeros: %+v", found)
	}
}

func TestLengthsAreCheckedBeforeMemoryIsTaken(t *testing.T) {
	stream := plain(1).MustEncode(arrowtest.Encoding{})
	huge := slices.Clone(stream)
	copy(huge[4:], []byte{0xff, 0xff, 0xff, 0x0f}) // 256 MiB less one byte of metadata
	tooLong := slices.Clone(stream)
	copy(tooLong[4:], []byte{0xff, 0xff, 0xff, 0x7f})
	negative := slices.Clone(stream)
	copy(negative[4:], []byte{0xfe, 0xff, 0xff, 0xff})
	for _, c := range []struct {
		name  string
		bytes []byte
		kind  error
	}{{"long", huge, ErrTruncated}, {"over the limit", tooLong, ErrLimit}, {"negative", negative, ErrCorrupt}} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for _, s := range sources {
			if found := frameAll(&framer{src: s.of(c.bytes), walkOptions: walkOptions{maxBody: 1 << 30}}); kindOf(found.err) != c.kind {
				t.Errorf("%s, %s: %v", c.name, s.name, found.err)
			}
		}
		runtime.ReadMemStats(&after)
		allocated := after.TotalAlloc - before.TotalAlloc
		if allocated > 16<<20 {
			t.Errorf("%s: %d bytes allocated", c.name, allocated)
		}
	}
}

func TestBodyLimitOfWhatIsRead(t *testing.T) {
	stream := sample().MustEncode(arrowtest.Encoding{})
	f := frameAll(&framer{src: sources[1].of(stream), walkOptions: walkOptions{maxBody: 8}})
	wantError(t, f.err, ErrLimit)
	if f := frameAll(&framer{src: sources[0].of(stream), walkOptions: walkOptions{maxBody: 8}}); f.err != nil {
		t.Errorf("in memory nothing is taken: %v", f.err)
	}
}

func TestReadErrorsAreNotEnds(t *testing.T) {
	stream := sample().MustEncode(arrowtest.Encoding{})
	broken := errors.New("the disk is on fire")
	for n := range len(stream) {
		r := io.MultiReader(bytes.NewReader(stream[:n]), iotest.ErrReader(broken))
		for _, noBodies := range []bool{false, true} {
			f := frameAll(&framer{src: &readerSource{r: smallLookahead(r)}, walkOptions: walkOptions{maxBody: 1 << 20, noBodies: noBodies}})
			if !errors.Is(f.err, broken) {
				t.Fatalf("failing after %d bytes: %v", n, f.err)
			}
			r = io.MultiReader(bytes.NewReader(stream[:n]), iotest.ErrReader(broken))
		}
	}
}
