package render

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
)

var errDisk = errors.New("no space left on device")

// disk takes that many bytes, then fails. It fails the test if it is written
// to after that.
type disk struct {
	t      *testing.T
	left   int
	failed bool
	short  bool // fail by writing less, without an error
}

func (d *disk) Write(p []byte) (int, error) {
	if d.failed {
		d.t.Errorf("%d bytes are written after an error", len(p))
	}
	if len(p) <= d.left {
		d.left -= len(p)
		return len(p), nil
	}
	d.failed = true
	if d.short {
		return d.left, nil
	}
	return d.left, errDisk
}

// Whenever the disk fills up, the writer says so, and from then on only that.
func TestFirstWriteErrorIsKept(t *testing.T) {
	for _, f := range Formats {
		rows := rounds(2000)
		if f.Binary {
			rows = 9000 // so that columns are larger than the buffer
		}
		batch := workerBatch(rows)
		for _, compression := range compressions {
			opt := Options{FloatDigits: -1, Compression: compression}
			if f.Uses&FlagCompression == 0 && compression != "none" {
				continue
			}
			size := len(rendered(t, f.Name, opt, workerSchema, batch, batch, batch))
			for _, room := range []int{0, 1, 100, flushAt - 1, flushAt, size / 2, size - 1} {
				for _, short := range []bool{false, true} {
					if room >= size || short && compression != "none" {
						continue
					}
					want := errDisk
					if short {
						want = io.ErrShortWrite
					}
					w, err := f.New(&disk{t: t, left: room, short: short}, workerSchema, opt)
					if err != nil {
						t.Fatal(err)
					}
					var first error
					for range 3 {
						err := w.Write(batch)
						if first != nil && err != first {
							t.Errorf("%s: after %v, Write returns %v", f.Name, first, err)
						}
						first = err
					}
					err = w.Close()
					if !errors.Is(err, want) || first != nil && err != first {
						t.Errorf("%s, room for %d of %d: Write %v, Close %v, want %v", f.Name, room, size, first, err, want)
					}
				}
			}
		}
	}
}

// Nothing is written before there is something to write, so that a writer can
// be made to check the options.
func TestNewWritesNothing(t *testing.T) {
	for _, f := range Formats {
		if _, err := f.New(&disk{t: t, failed: true}, workerSchema, asIs); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct{ format, null, want string }{
		{"csv", "a,b", "nulls are never quoted"},
		{"csv", "\"", "nulls are never quoted"},
		{"csv", "-", ""},
		{"tsv", "\t", "break the line"},
		{"tsv", "NULL", ""},
		{"table", "\n", ""},
		{"markdown", "|", ""},
	} {
		f, _ := Lookup(c.format)
		err := f.Check(Options{Null: &c.null})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s --null %q: %v", c.format, c.null, err)
		}
	}
}

func TestLookup(t *testing.T) {
	for name, want := range map[string]string{
		"csv": "csv", "ipc": "arrows", "arrows": "arrows", "arrow": "arrow", "CSV": "", "": "",
	} {
		if f, ok := Lookup(name); ok != (want != "") || ok && f.Name != want {
			t.Errorf("Lookup(%q) = %v, %v", name, f, ok)
		}
	}
	for path, want := range map[string]string{
		"a.csv": "csv", "dir.csv/a.tsv": "tsv", "a.json": "json", "a.ndjson": "ndjson", "a.jsonl": "ndjson",
		"a.md":  "markdown",
		"a.txt": "table", "a.arrows": "arrows", "a.arrow": "arrow", "a.feather": "arrow",
		"a.parquet": "", "csv": "", ".csv": "csv",
	} {
		if f, ok := BySuffix(path); ok != (want != "") || ok && f.Name != want {
			t.Errorf("BySuffix(%q) = %v, %v", path, f, ok)
		}
	}
}

func TestFormatTable(t *testing.T) {
	var names []string
	for _, f := range Formats {
		names = append(append(append(names, f.Name), f.Aliases...), f.Suffixes...)
		if f.Help == "" || f.New == nil || len(f.Suffixes) == 0 {
			t.Errorf("%s is not complete", f.Name)
		}
	}
	slices.Sort(names)
	if unique := slices.Compact(slices.Clone(names)); len(unique) != len(names) {
		t.Errorf("names or suffixes twice: %v", names)
	}
}

// The cost of a batch in allocations does not depend on its rows.
func TestNothingIsAllocatedPerCell(t *testing.T) {
	r := seeded(t)
	schema := schemaOf(everyType...)
	views := func(schema *arrow.Schema) *arrow.Schema { // the builder of views allocates blocks
		var fields []arrow.Field
		for _, f := range schema.Fields() {
			if _, view := f.Type.(arrow.BinaryViewDataType); !view {
				fields = append(fields, f)
			}
		}
		return arrow.NewSchema(fields, nil)
	}
	for _, f := range Formats {
		schema := schema
		if f.Binary {
			schema = views(schema)
		}
		rows := rounds(2000)
		long := randomBatch(r, schema, rows, 0.1)
		short := long.NewSlice(0, int64(rows/4))
		// A run before the measured one grows the buffers.
		allocations := func(batch arrow.RecordBatch) float64 {
			w, err := f.New(io.Discard, schema, asIs)
			if err != nil {
				t.Fatal(err)
			}
			w.Write(long)
			return testing.AllocsPerRun(5, func() { w.Write(batch) })
		}
		if few, many := allocations(short), allocations(long); many > few+20 {
			t.Errorf("%s: %v allocations for %d rows, %v for %d", f.Name, few, rows/4, many, rows)
		}
	}
}
