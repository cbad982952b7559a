package ipcread

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"arrowagg/internal/arrowtest"
)

// TestTakes: of the other inputs the schemas are known, and nothing is produced
// nor warned of, mapped or not.
func TestTakes(t *testing.T) {
	var names []string
	for i := range 5 {
		names = append(names, write(t, fmt.Sprint("w", i), plain(3).MustEncode(arrowtest.Encoding{NoEndMarker: i == 1})))
	}
	for _, unmapped := range []bool{false, true} {
		s, err := Open(testContext, names, Options{Takes: func(p int) bool { return p%2 == 0 }, unmapped: unmapped})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(s.Streams()); n != 5 {
			t.Errorf("%d streams are known", n)
		}
		frames := make(chan *Frame, 100)
		if err := s.Produce(testContext, frames, nil); err != nil {
			t.Fatal(err)
		}
		close(frames)
		seen := map[int]bool{}
		for f := range frames {
			seen[f.Stream.Position] = true
			f.Release()
		}
		if len(seen) != 3 || !seen[0] || !seen[2] || !seen[4] {
			t.Errorf("unmapped %v: batches of %v", unmapped, seen)
		}
		if w := s.Warnings(); len(w) > 0 {
			t.Errorf("warnings %v", w)
		}
		for i, r := range s.Reports() {
			if (r.Rows > 0) != (i%2 == 0) {
				t.Errorf("input %d: %d rows are reported", i, r.Rows)
			}
		}
		s.Close()
	}
}

func TestPipesCannotBeShared(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	w.Close()
	_, err = Open(testContext, []string{"-"}, Options{Stdin: r, Takes: func(int) bool { return true }})
	if !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), "--shard needs inputs") {
		t.Errorf("error %v", err)
	}
}

func TestFingerprint(t *testing.T) {
	a, b := write(t, "a", plain(3).MustEncode(arrowtest.Encoding{})), write(t, "b", plain(1).MustEncode(arrowtest.Encoding{}))
	of := func(repeat int, names ...string) string {
		s, err := Open(testContext, names, Options{Repeat: repeat})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		return s.Fingerprint()
	}
	first := of(1, a, b)
	if again := of(1, a, b); again != first {
		t.Errorf("%s, and then %s", first, again)
	}
	others := map[string]bool{first: true}
	others[of(1, b, a)], others[of(1, a)], others[of(1, b)], others[of(2, a, b)] = true, true, true, true
	if err := os.WriteFile(a, plain(3).Recut(1).MustEncode(arrowtest.Encoding{Codec: "lz4"}), 0o666); err != nil {
		t.Fatal(err)
	}
	others[of(1, a, b)] = true
	if len(others) != 6 {
		t.Errorf("only %d of 6 sets of inputs differ", len(others))
	}
}
