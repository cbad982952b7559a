package ipcread

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf8"
)

// An input is what its first bytes say, never what its name says.

// format is what a piece of content is.
type format int

const (
	formatStream format = iota
	formatFile
	formatGzip
	formatZstd
	formatLZ4
	formatSkippable // a frame of user bytes, before zstd or lz4 frames
	formatForeign
)

func (f format) String() string {
	return [...]string{"stream", "file", "gzip", "zstd", "lz4", "unknown", "unknown"}[f]
}

const (
	sniffed      = 16  // bytes that tell an Arrow input or a wrapper
	sniffedWords = 512 // bytes that tell what foreign text it is
)

// sniff tells the format of content that begins with those bytes: at least
// sniffed of them, or all there are.
func sniff(b []byte) format {
	switch {
	case bytes.HasPrefix(b, []byte("ARROW1")):
		return formatFile
	case bytes.HasPrefix(b, []byte{0x1f, 0x8b}):
		return formatGzip
	case bytes.HasPrefix(b, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return formatZstd
	case bytes.HasPrefix(b, []byte{0x04, 0x22, 0x4d, 0x18}):
		return formatLZ4
	case isSkippableFrame(b):
		return formatSkippable
	case known(b) == nil && startsStream(b):
		return formatStream
	}
	return formatForeign
}

// isSkippableFrame tells a frame of user bytes, as pzstd writes in front:
// magic numbers 0x184D2A50 to 0x184D2A5F.
func isSkippableFrame(b []byte) bool {
	return len(b) >= 4 && b[0]&0xf0 == 0x50 && b[1] == 0x2a && b[2] == 0x4d && b[3] == 0x18
}

// startsStream tells a message's prefix, of the new or the old framing. A few
// bytes that could become one count too: then the stream is cut short, which
// is a better thing to say than that it is none.
func startsStream(b []byte) bool {
	if len(b) < wordSize {
		return len(b) > 0 && bytes.Count(b, []byte{0xff}) == len(b)
	}
	word := binary.LittleEndian.Uint32(b)
	if word == continuation {
		return true
	}
	if word == 0 {
		return allZero(b) && len(b) < sniffed // an old end marker and nothing else
	}
	if word > maxMetadata {
		return false // text: four printable bytes are a number past any limit
	}
	// The length of a schema's metadata in the old framing. A flatbuffer begins
	// with the offset of its root table, which its writers put near the front.
	if len(b) < 2*wordSize {
		return word%wordSize == 0
	}
	root := binary.LittleEndian.Uint32(b[wordSize:])
	return word > 2*wordSize && root >= wordSize && root < 256 && root < word
}

func allZero(b []byte) bool { return bytes.Count(b, []byte{0}) == len(b) }

// foreign is one format that people hand to a reader of Arrow streams.
type foreign struct {
	at    int
	magic string
	name  string
	hint  string
}

const (
	hintIPC     = "if arrowagg wrote it, add -f ipc to the first command"
	hintConvert = "convert it to an Arrow IPC stream first"
)

var foreigns = []foreign{
	{0, "PAR1", "a Parquet file", hintConvert},
	{0, "PARE", "an encrypted Parquet file", hintConvert},
	{0, "ORC", "an ORC file", hintConvert},
	{0, "Obj\x01", "an Avro file", hintConvert},
	{0, "FEA1", "a Feather file of version 1", "write it again as version 2, which is the Arrow file format"},
	{0, "\xfd7zXZ\x00", "xz-compressed", "decompress it first: xz -dc FILE | arrowagg -"},
	{0, "BZh", "bzip2-compressed", "decompress it first: bzip2 -dc FILE | arrowagg -"},
	{0, "\x02\x21\x4c\x18", "a legacy lz4 frame", "decompress it first: lz4 -dc FILE | arrowagg -"},
	{0, "\xff\x06\x00\x00sNaPpY", "snappy-compressed", "decompress it first"},
	{0, "PK\x03\x04", "a zip archive", "unpack it first"},
	{0, "7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it first"},
	{257, "ustar", "a tar archive", "unpack it first"},
	{0, "SQLite format 3\x00", "an SQLite database", hintConvert},
	{0, "\x89HDF", "an HDF5 file", hintConvert},
	{0, "\xff\xfe", "UTF-16 text", hintConvert},
	{0, "\xfe\xff", "UTF-16 text", hintConvert},
}

// known returns the format in the table that b begins like.
func known(b []byte) *foreign {
	for i, f := range foreigns {
		if len(b) >= f.at && bytes.HasPrefix(b[f.at:], []byte(f.magic)) {
			return &foreigns[i]
		}
	}
	return nil
}

// foreignFault names content that is no Arrow stream by its first bytes.
func foreignFault(b []byte) *fault {
	if f := known(b); f != nil {
		return faultf(ErrForeign, "not an Arrow stream but %s", f.name).withHint(f.hint)
	}
	if allZero(b) {
		return faultf(ErrForeign, "not an Arrow stream: it begins with zero bytes")
	}
	if name, hint, ok := textKind(b); ok {
		return faultf(ErrForeign, "not an Arrow stream but %s", name).withHint(hint)
	}
	if len(b) >= wordSize && allZero(b[:wordSize]) {
		return faultf(ErrForeign, "not an Arrow stream: it begins with zero bytes")
	}
	return faultf(ErrForeign, "not an Arrow stream: its first bytes are % x", b[:min(len(b), 8)])
}

// textKind tells what kind of text begins with b.
func textKind(b []byte) (name, hint string, ok bool) {
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	text := string(b)
	if !isText(b) {
		return "", "", false
	}
	line, _, _ := strings.Cut(strings.TrimLeft(text, " \t\r\n"), "\n")
	lower := strings.ToLower(line)
	switch {
	case strings.HasPrefix(line, "┌") || strings.HasPrefix(line, "+-") || strings.HasPrefix(line, "╭"):
		return "a table as text", hintIPC, true
	case strings.HasPrefix(lower, "<!doctype html") || strings.HasPrefix(lower, "<html"):
		return "an HTML page", "a download may have failed; look into the file", true
	case strings.HasPrefix(line, "<"):
		return "XML or HTML", hintConvert, true
	case strings.HasPrefix(line, "{") || strings.HasPrefix(line, "["):
		return "JSON", hintIPC, true
	case strings.HasPrefix(line, "| "):
		return "a markdown table", hintIPC, true
	case strings.Contains(line, "\t"):
		return "tab-separated text", hintIPC, true
	case strings.Contains(line, ",") || strings.Contains(line, ";"):
		return "CSV", hintIPC, true
	}
	return "text", hintIPC, true
}

// isText says that b, which may end inside a rune, is printable UTF-8.
func isText(b []byte) bool {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n <= 1 {
			return !utf8.FullRune(b)
		}
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != 0x1b {
			return false
		}
		b = b[n:]
	}
	return true
}
