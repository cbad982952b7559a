package ipcread

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"arrowagg/internal/arrowtest"
)

func TestReadNames(t *testing.T) {
	for list, want := range map[string][]string{
		"":                   nil,
		"a":                  {"a"},
		"a\n":                {"a"},
		"a\nb c\n":           {"a", "b c"},
		"a\r\n":              {"a\r"},
		"a\x00b\nc\x00":      {"a", "b\nc"},
		"a\x00":              {"a"},
		"day 1,part \"2\"\n": {"day 1,part \"2\""},
	} {
		got, err := ReadNames("-", strings.NewReader(list))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v, want %q", list, got, err, want)
		}
		got, err = ReadNames(write(t, "list", []byte(list)), strings.NewReader("not this"))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q from a file: %q, %v, want %q", list, got, err, want)
		}
	}
}

func TestReadNamesRefuses(t *testing.T) {
	for list, want := range map[string]string{
		"a\n\nb\n":       "standard input: name 2 of the list is empty",
		"\x00a\x00":      "standard input: name 1 of the list is empty",
		"ARROW1\x00\x00": "standard input: an Arrow input, not a list of names",
		string(plain(1).MustEncode(arrowtest.Encoding{})): "standard input: an Arrow input, not a list of names",
	} {
		if _, err := ReadNames("-", strings.NewReader(list)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %q", list[:min(len(list), 20)], err, want)
		}
	}
	missing := t.TempDir() + "/missing"
	_, err := ReadNames(missing, nil)
	var e *Error
	if !errors.As(err, &e) || e.Input != missing {
		t.Errorf("missing list: %v", err)
	}
}
