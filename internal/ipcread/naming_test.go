package ipcread

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"arrowagg/internal/arrowtest"
)

func TestNameOf(t *testing.T) {
	for path, want := range map[string]string{
		"":                  "",
		"dir/w1.arrows":     "dir/w1.arrows",
		"größe.arrows":      "größe.arrows",
		"\ufffd":            "\ufffd", // it stands there itself
		"w\xff.arrows":      `w\xff.arrows`,
		"w\xc3":             `w\xc3`,
		"\x80\x81":          `\x80\x81`,
		`w\xff.arrows`:      `w\\xff.arrows`,
		"w\\\xff":           `w\\\xff`,
		`w\\xff`:            `w\\\\xff`,
		`dir\w1.arrows`:     `dir\w1.arrows`,
		`dir\x1.arrows`:     `dir\x1.arrows`,
		`dir\x7f\xfg\xFF`:   `dir\x7f\xfg\xFF`,
		"dir\\w\xff.arrows": `dir\w\xff.arrows`,
	} {
		if got := nameOf(path); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}

// pathOf undoes nameOf.
func pathOf(name string) string {
	var b strings.Builder
	for rest := name; rest != ""; {
		text := strings.TrimLeft(rest, `\`)
		n := len(rest) - len(text)
		if !looksEscaped(text) {
			n = max(n, 1)
			b.WriteString(rest[:n])
			rest = rest[n:]
			continue
		}
		b.WriteString(rest[:n/2])
		if n%2 == 1 {
			code, _ := strconv.ParseUint(text[1:3], 16, 8)
			b.WriteByte(byte(code))
		} else {
			b.WriteString(text[:3])
		}
		rest = text[3:]
	}
	return b.String()
}

// Whatever bytes a name has, what it is called is UTF-8 and no other's.
func TestNamesStayDifferent(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	parts := []string{`\`, `\`, "x", "x8", "xff", "f", "f0", "8", "\xff", "\x80", "\xc3", "ö", "\ufffd", "w", "/"}
	for range 20000 {
		var path strings.Builder
		for range rng.IntN(8) {
			path.WriteString(parts[rng.IntN(len(parts))])
		}
		name := nameOf(path.String())
		if !utf8.ValidString(name) || pathOf(name) != path.String() {
			t.Fatalf("seed %d: %q is called %q, which is %q", seed, path.String(), name, pathOf(name))
		}
	}
}

func TestInputsWithoutUTF8Names(t *testing.T) {
	dir := t.TempDir()
	raw, written := dir+"/w\xff", dir+`/w\xff`
	for _, path := range []string{raw, written} {
		if err := os.WriteFile(path, sample().MustEncode(arrowtest.Encoding{}), 0o600); err != nil {
			t.Skip("the file system has no such names")
		}
	}
	s, err := Open(testContext, []string{raw, written}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	streams := s.Streams()
	if a, b := streams[0].Input, streams[1].Input; a != dir+`/w\xff` || b != dir+`/w\\xff` {
		t.Errorf("%s and %s", a, b)
	}
}
