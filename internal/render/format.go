package render

import (
	"io"
	"path/filepath"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
)

// Options are the flags that formats obey. Which of them a format uses is in
// its row of the table; the others are a usage error.
type Options struct {
	NoHeader    bool
	Null        *string // --null; nil: the format's own
	FloatDigits int     // --float-digits; negative: the shortest that reads back
	Compression string  // "none" (or empty), "lz4", "zstd"
	Color       bool    // dim lines and nulls, table only
}

// Writer renders one result. Write may retain the batch until Close but never
// changes it; the caller may release it. Close ends the text (or writes the
// end marker) and flushes; it does not close the underlying writer. After a
// failed Write, Close ends nothing and returns the same error.
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
	Holds    bool // batches are retained until Close
	Uses     Flag
	// New returns a writer of that schema. It fails only for options that the
	// format cannot obey and types that it cannot write, and writes nothing.
	New func(w io.Writer, schema *arrow.Schema, opt Options) (Writer, error)
}

// Check says whether the format can obey the options, before there is a schema
// or anything to write.
func (f *Format) Check(opt Options) error {
	_, err := f.New(io.Discard, arrow.NewSchema(nil, nil), opt)
	return err
}

// Lookup finds a format by its name or an alias.
func Lookup(name string) (*Format, bool) {
	for i := range Formats {
		if f := &Formats[i]; f.Name == name || slices.Contains(f.Aliases, name) {
			return f, true
		}
	}
	return nil, false
}

// BySuffix finds the format that a file of that name holds.
func BySuffix(path string) (*Format, bool) {
	suffix := filepath.Ext(path)
	for i := range Formats {
		if slices.Contains(Formats[i].Suffixes, suffix) {
			return &Formats[i], true
		}
	}
	return nil, false
}
