package ipcread

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"arrowagg/internal/arrowtest"
)

func TestStreamsAreKnownBeforeAnyBatch(t *testing.T) {
	a, b := sample().MustEncode(arrowtest.Encoding{}), plain(1).MustEncode(arrowtest.Encoding{})
	names := []string{
		write(t, "w1", slices.Concat(a, b)), write(t, "w2", wrappers["gzip"](slices.Concat(b, a))),
		write(t, "w3", plain(2).MustEncode(arrowtest.Encoding{File: true})),
	}
	s, err := Open(testContext, names, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var got []string
	for _, st := range s.Streams() {
		got = append(got, st.Name())
		if st.Schema.NumFields() < 2 {
			t.Errorf("%s has schema %v", st.Name(), st.Schema)
		}
	}
	want := []string{names[0], names[0] + ": stream 2", names[1], names[1] + ": stream 2", names[2]}
	if !slices.Equal(got, want) {
		t.Errorf("streams %q, want %q", got, want)
	}
}

func TestStreamsKeepTheirIdentity(t *testing.T) {
	stream := sample().MustEncode(arrowtest.Encoding{})
	names := []string{write(t, "w1", slices.Concat(stream, stream)), write(t, "w2", wrappers["zstd"](stream))}
	s, err := Open(testContext, names, Options{Repeat: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	seen := map[*Stream]int64{}
	frames := make(chan *Frame, 100)
	if err := s.Produce(testContext, frames, nil); err != nil {
		t.Fatal(err)
	}
	close(frames)
	for f := range frames {
		seen[f.Stream] += f.Rows
		f.Release()
	}
	if len(seen) != 3 {
		t.Errorf("%d streams seen", len(seen))
	}
	for _, st := range s.Streams() {
		if seen[st] != 15 {
			t.Errorf("%s: %d rows, want 15", st.Name(), seen[st])
		}
	}
}

func TestFramesSayWhereTheyAre(t *testing.T) {
	stream := sample().MustEncode(arrowtest.Encoding{})
	s, err := Open(testContext, []string{write(t, "w1", slices.Concat(stream, stream))}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	frames := make(chan *Frame, 100)
	if err := s.Produce(testContext, frames, nil); err != nil {
		t.Fatal(err)
	}
	close(frames)
	type place struct{ stream, batch, firstRow, rows int64 }
	var got []place
	for f := range frames {
		got = append(got, place{int64(f.Stream.Number), f.Batch, f.FirstRow, f.Rows})
		if f.Row != 0 || f.Offset <= 0 {
			t.Errorf("frame %+v", f)
		}
	}
	want := []place{{1, 1, 0, 3}, {1, 2, 3, 0}, {1, 3, 3, 2}, {2, 1, 5, 3}, {2, 2, 8, 0}, {2, 3, 8, 2}}
	if !slices.Equal(got, want) {
		t.Errorf("frames %v, want %v", got, want)
	}
}

func TestLargeBatchesAreShared(t *testing.T) {
	const rows = 2*morselRows + 100
	path := write(t, "w1", large(1, rows))
	s, err := Open(testContext, []string{path}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	frames := make(chan *Frame, 100)
	if err := s.Produce(testContext, frames, nil); err != nil {
		t.Fatal(err)
	}
	close(frames)
	var got []int64
	for f := range frames {
		got = append(got, f.Row, f.Rows)
	}
	if !slices.Equal(got, []int64{0, morselRows, morselRows, morselRows, 2 * morselRows, 100}) {
		t.Errorf("morsels %v", got)
	}
}

func TestMorselsGiveTheirMemoryBackTogether(t *testing.T) {
	path := write(t, "w1", large(1, 2*morselRows))
	s, err := Open(testContext, []string{path}, Options{unmapped: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	frames := make(chan *Frame, 100)
	if err := s.Produce(testContext, frames, nil); err != nil {
		t.Fatal(err)
	}
	first, second := <-frames, <-frames
	first.Release()
	if s.inFlight.used == 0 {
		t.Error("the body is given back while a morsel is in use")
	}
	second.Release()
	if s.inFlight.used != 0 {
		t.Errorf("%d bytes still in flight", s.inFlight.used)
	}
}

func TestRepeat(t *testing.T) {
	stream := sample().MustEncode(arrowtest.Encoding{})
	for _, opt := range []Options{{Repeat: 4}, {Repeat: 4, unmapped: true}} {
		r, err := read([]string{write(t, "w1", stream), write(t, "w2", wrappers["lz4"](stream))}, opt)
		if err != nil || len(r.rows) != 4*2*5 {
			t.Errorf("%d rows, %v", len(r.rows), err)
		}
		if r.reports[0].Rows != 5 {
			t.Errorf("report %+v", r.reports[0])
		}
	}
}

func TestNoEndMarkers(t *testing.T) {
	open := sample().MustEncode(arrowtest.Encoding{NoEndMarker: true})
	whole := sample().MustEncode(arrowtest.Encoding{})
	names := []string{
		write(t, "w1", open), write(t, "w2", whole), write(t, "w3", slices.Concat(open, whole)),
		write(t, "w4", wrappers["gzip"](open)),
	}
	r, err := read(names, Options{})
	if err != nil || len(r.rows) != 25 {
		t.Errorf("%d rows, %v", len(r.rows), err)
	}
	if got := r.warned("no-end-marker"); !slices.Equal(got, []string{names[0], names[2], names[3]}) {
		t.Errorf("warned of %v", got)
	}
}

func TestAllBadInputsAreReported(t *testing.T) {
	stream := sample().MustEncode(arrowtest.Encoding{})
	good, cut := write(t, "good", stream), write(t, "cut", stream[:len(stream)-20])
	csv, missing := write(t, "csv", []byte("a,b\n1,2\n")), t.TempDir()+"/missing"
	_, err := Open(testContext, []string{cut, good, missing, csv}, Options{})
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], cut) || !strings.HasPrefix(lines[1], missing) || !strings.HasPrefix(lines[2], csv) {
		t.Errorf("error\n%v", err)
	}
}

// spoiled is the sample stream with an offset in its last batch that leads
// outside the strings: framing does not see it.
func spoiled() []byte {
	b := sample().MustEncode(arrowtest.Encoding{})
	at := strings.LastIndex(string(b), "a longer text")
	for b[at-1] == 0 { // padding, and the upper bytes of the last offset
		at--
	}
	b[at] = 0xff
	return b
}

func TestDecodingErrorsOfAllInputs(t *testing.T) {
	good := sample().MustEncode(arrowtest.Encoding{})
	names := []string{write(t, "w1", spoiled()), write(t, "w2", good), write(t, "w3", slices.Concat(good, spoiled()))}
	_, err := read(names, Options{})
	if err == nil {
		t.Fatal("no error")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], names[0]+`: batch 3, column "t"`) ||
		!strings.HasPrefix(lines[1], names[2]+`: stream 2, batch 3, column "t"`) {
		t.Errorf("error\n%v", err)
	}
}

func TestRefusedStreams(t *testing.T) {
	conflict := errors.New("w1: column k is text elsewhere")
	for range 20 {
		s, err := Open(testContext, []string{"-"}, Options{
			Stdin: piped(t, slices.Concat(sample().MustEncode(arrowtest.Encoding{}), plain(1).MustEncode(arrowtest.Encoding{}))),
		})
		if err != nil {
			t.Fatal(err)
		}
		frames := make(chan *Frame, 100)
		err = s.Produce(testContext, frames, func(st *Stream) error {
			if st.Number != 2 {
				t.Errorf("%s is late", st.Name())
			}
			return conflict
		})
		if err == nil || err.Error() != conflict.Error() || !errors.Is(err, conflict) {
			t.Errorf("error %v", err)
		}
		s.Close()
	}
}

func TestCancelledOpen(t *testing.T) {
	ctx, cancel := context.WithCancelCause(testContext)
	why := errors.New("enough")
	cancel(why)
	_, err := Open(ctx, []string{write(t, "w1", sample().MustEncode(arrowtest.Encoding{}))}, Options{})
	wantError(t, err, why)
}

func TestMoreRowsThanCanBeCounted(t *testing.T) {
	path := filepath.Join(corpus, "hostile", "null_len_1e15.arrows")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Skip("the corpus is not here")
	}
	for name, c := range map[string]struct {
		names []string
		opt   Options
	}{
		"in one input": {[]string{write(t, "w1", bytes.Repeat(b, 9224))}, Options{}},
		"by repeating": {[]string{path}, Options{Repeat: 9224}},
		"in several":   {slices.Repeat([]string{path}, 9224), Options{}},
	} {
		if _, err := countRows(c.names, c.opt); !errors.Is(err, ErrLimit) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if rows, err := countRows([]string{path}, Options{Repeat: 9223}); err != nil || rows != 9223e15 {
		t.Errorf("%d rows, %v", rows, err)
	}
}

func TestDictionariesThroughPipesAreBounded(t *testing.T) {
	stream := sample().MustEncode(arrowtest.Encoding{Deltas: true})
	_, err := read([]string{"-"}, Options{Stdin: piped(t, stream), Scratch: 20})
	wantError(t, err, ErrLimit)
}

func TestNothingStaysOpenAfterAFailedOpen(t *testing.T) {
	r := piped(t, nil)
	before := openDescriptors(t)
	for range 10 {
		if s, err := Open(testContext, []string{"-", t.TempDir() + "/missing"}, Options{Stdin: r}); err == nil {
			s.Close()
			t.Fatal("no error")
		}
	}
	if after := openDescriptors(t); after > before {
		t.Errorf("%d descriptors open, %d before", after, before)
	}
}

// openDescriptors is how many descriptors the process has.
func openDescriptors(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no /proc/self/fd here")
	}
	return len(entries)
}

func TestSameFile(t *testing.T) {
	path := write(t, "w1", sample().MustEncode(arrowtest.Encoding{}))
	other := write(t, "w2", nil)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	stdin, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	names := []string{other, path, t.TempDir() + "/missing", "-"}
	if got := SameFile(names, stdin, info); !slices.Equal(got, []string{path, "standard input"}) {
		t.Errorf("same: %v", got)
	}
	if got := SameFile(names, stdin, nil); got != nil {
		t.Errorf("nothing is the same as no file, but %v", got)
	}
	dir, err := os.Stat(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if got := SameFile([]string{t.TempDir()}, stdin, dir); got != nil {
		t.Errorf("a directory is no output: %v", got)
	}
}

// A small MaxBuffer is about what decompresses, not about what is copied; the
// limits say which flag sets them.
func TestLimitsNameTheirFlag(t *testing.T) {
	growing := write(t, "w1", sample().MustEncode(arrowtest.Encoding{Deltas: true}))
	if _, err := read([]string{growing}, Options{MaxBuffer: 1}); err != nil {
		t.Error(err)
	}
	if _, err := read([]string{growing}, Options{Scratch: 4}); !errors.Is(err, ErrLimit) {
		t.Errorf("nothing is copied: %v", err)
	}
	if got := (Options{MaxBuffer: 1}).withDefaults().Scratch; got != 64<<20 {
		t.Errorf("%d bytes in all", got)
	}
	l := lease{budget: newBudget(7, 7)}
	for what, err := range map[string]error{
		"in all": l.take(8),
		"a body": overMaxBody(8, 7),
	} {
		var f *fault
		if !errors.As(err, &f) || !strings.Contains(f.hint, "--max-buffer") {
			t.Errorf("%s: %v", what, err)
		}
	}
}
