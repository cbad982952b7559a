package ipcread

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"arrowagg/internal/arrowtest"
)

func TestSniff(t *testing.T) {
	stream := plain(1).MustEncode(arrowtest.Encoding{})
	for _, c := range []struct {
		name  string
		bytes []byte
		want  format
	}{
		{"stream", stream, formatStream},
		{"end marker", endMarker, formatStream},
		{"cut continuation", stream[:3], formatStream},
		{"old framing", oldFraming(t, stream), formatStream},
		{"old end marker", make([]byte, 4), formatStream},
		{"file", plain(1).MustEncode(arrowtest.Encoding{File: true}), formatFile},
		{"gzip", []byte{0x1f, 0x8b, 8}, formatGzip},
		{"zstd", []byte{0x28, 0xb5, 0x2f, 0xfd}, formatZstd},
		{"lz4", []byte{0x04, 0x22, 0x4d, 0x18}, formatLZ4},
		{"skippable", []byte{0x5a, 0x2a, 0x4d, 0x18, 0, 0, 0, 0}, formatSkippable},
		{"text", []byte("host,minute,bytes_sum\n"), formatForeign},
		{"little-endian UTF-16", []byte("a\x00b\x00c\x00d\x00e\x00f\x00"), formatForeign},
		{"zeros", make([]byte, sniffed), formatForeign},
	} {
		if got := sniff(c.bytes[:min(len(c.bytes), sniffed)]); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestForeignInputsAreNamed(t *testing.T) {
	for content, want := range map[string]string{
		"PAR1\x15\x04\x15\x10\x15\x14":    "a Parquet file",
		"PARE\x15\x04\x15\x10\x15\x14":    "an encrypted Parquet file",
		"host,minute,bytes_sum\nh1,2,3\n": "CSV",
		"\xef\xbb\xbfhost;minute\n":       "CSV",
		"host\tminute\nh1\t2\n":           "tab-separated text",
		`{"host":"h1","bytes_sum":3}`:     "JSON",
		"[\n{\"host\":\"h1\"}\n]\n":       "JSON",
		"┌──────┬───────┐\n│ host │ bytes │\n":         "a table as text",
		"+------+-------+\n| host | bytes |\n":         "a table as text",
		"| host | bytes |\n| --- | ---: |\n":           "a markdown table",
		"\xfd7zXZ\x00\x00\x04\xe6\xd6\xb4\x46":         "xz-compressed",
		"BZh91AY&SY":                                   "bzip2-compressed",
		"\x02\x21\x4c\x18\x05\x00\x00\x00":             "a legacy lz4 frame",
		"<!DOCTYPE html><html><body>404</body></html>": "an HTML page",
		"<?xml version='1.0'?><rows/>":                 "XML or HTML",
		"ORC\n\x03\x04":                                "an ORC file",
		"Obj\x01\x04\x14avro.codec":                    "an Avro file",
		"PK\x03\x04\x14\x00":                           "a zip archive",
		strings.Repeat("a", 257) + "ustar\x0000":       "a tar archive",
		"SQLite format 3\x00\x10\x00":                  "an SQLite database",
		"FEA1\x00\x00\x00\x00":                         "a Feather file of version 1",
		"\xff\xfeh\x00o\x00s\x00t\x00":                 "UTF-16 text",
		"\xfe\xff\x00h\x00o\x00s\x00t":                 "UTF-16 text",
		"h\x00o\x00s\x00t\x00,\x00m\x00i\x00n\x00":     "its first bytes are 68 00 6f 00 73 00 74 00",
		"oops":                        "text",
		"\x1b[1mhost\x1b[0m  bytes\n": "text",
		string(make([]byte, 4096)):    "it begins with zero bytes",
		string(make([]byte, 8)) + "\xff\xff\xff\xff\x10\x01": "it begins with zero bytes",
		"\x80\x81\x82\x83\x84\x85\x86\x87\x88":               "its first bytes are 80 81 82 83 84 85 86 87",
	} {
		path := write(t, "w1.arrows", []byte(content))
		_, err := read([]string{path}, Options{})
		if !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", content[:min(len(content), 20)], err, want)
		}
		if fromPipe := readPiped(t, []byte(content)); fromPipe == nil || !strings.Contains(fromPipe.Error(), want) {
			t.Errorf("%q from a pipe: %v, want %s", content[:min(len(content), 20)], fromPipe, want)
		}
	}
}

func TestForeignHints(t *testing.T) {
	for content, want := range map[string]string{
		"host,minute\n": "add -f ipc to the first command",
		"PAR1":          "convert it",
		"BZh91AY&SY":    "bzip2 -dc",
	} {
		_, err := read([]string{write(t, "w1", []byte(content))}, Options{})
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(e.HintText(), want) {
			t.Errorf("%q: %v has no hint %q", content, err, want)
		}
	}
	_, err := read([]string{"https://example.org/w1.arrows"}, Options{})
	var e *Error
	if !errors.As(err, &e) || !strings.Contains(e.Error(), "URL") || !strings.Contains(e.HintText(), "curl") {
		t.Errorf("URL: %v", err)
	}
}

// readPiped reads bytes that come through a pipe as standard input.
func readPiped(t testing.TB, b []byte) error {
	t.Helper()
	_, err := read([]string{"-"}, Options{Stdin: piped(t, b)})
	return err
}

// piped is a pipe's end that gives b.
func piped(t testing.TB, b []byte) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer w.Close()
		w.Write(bytes.Clone(b))
	}()
	t.Cleanup(func() { r.Close() })
	return r
}
