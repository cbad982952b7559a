package render

import (
	"io"

	"github.com/apache/arrow-go/v18/arrow"
)

// Options are the flags that formats obey. Which of them a format uses is in
// its row of the table; the others are a usage error.
type Options struct {
	NoHeader    bool
	Null        *string // --null; nil: the format's own
	FloatDigits int     // --float-digits; negative: the shortest that reads back
	Compression string  // "none", "lz4", "zstd"
	Color       bool    // dim lines and nulls, table only
}

// Writer renders one result. Write does not keep the batch. Close ends the
// text (or writes the end marker) and flushes; it does not close the
// underlying writer.
type Writer interface {
	Write(arrow.RecordBatch) error
	Close() error
}

// Flag is an option of Options that a format may use.
type Flag uint

const (
	FlagNoHeader Flag = 1 << iota
	FlagNull
	FlagFloatDigits
	FlagCompression
)

// Format is one row of the format table.
type Format struct {
	Name     string
	Aliases  []string
	Suffixes []string // of -o file names, with the dot
	Help     string
	Binary   bool // not for terminals
	Uses     Flag
	New      func(w io.Writer, schema *arrow.Schema, opt Options) (Writer, error)
}

// Formats is the format table, in the order of the help.
var Formats []Format
