package result

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// Table is a result in memory.
type Table struct {
	Rows    int
	Columns []*Column
}

// Family is what a column's values are compared as.
type Family int

const (
	Integer Family = iota
	Instant
	Float
	Text
)

func (f Family) String() string {
	return [...]string{"integer", "instant", "float", "text"}[f]
}

// Column is one column; the slice of its family is set.
type Column struct {
	Name   string
	Type   arrow.DataType // in the file
	Family Family

	null    []bool
	ints    []int64 // Integer, Instant
	floats  []float64
	text    []byte // Text: the values back to back
	offsets []int
}

// Column returns the column of that name, nil if there is none.
func (t *Table) Column(name string) *Column {
	for _, c := range t.Columns {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Load reads an IPC stream or file.
func Load(path string) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	magic := make([]byte, 6)
	if _, err := io.ReadFull(f, magic); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	t, err := (*Table)(nil), error(nil)
	if bytes.Equal(magic, []byte("ARROW1")) {
		t, err = loadFile(f)
	} else {
		t, err = loadStream(f)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

func loadStream(f *os.File) (*Table, error) {
	r, err := ipc.NewReader(f)
	if err != nil {
		return nil, err
	}
	defer r.Release()
	t, err := newTable(r.Schema())
	if err != nil {
		return nil, err
	}
	for {
		batch, err := r.Read()
		if errors.Is(err, io.EOF) {
			return t, nil
		}
		if err != nil {
			return nil, err
		}
		if err := t.append(batch); err != nil {
			return nil, err
		}
	}
}

func loadFile(f *os.File) (*Table, error) {
	r, err := ipc.NewFileReader(f)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	t, err := newTable(r.Schema())
	if err != nil {
		return nil, err
	}
	for i := range r.NumRecords() {
		batch, err := r.RecordBatch(i)
		if err != nil {
			return nil, err
		}
		if err := t.append(batch); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func newTable(schema *arrow.Schema) (*Table, error) {
	t := &Table{}
	for _, f := range schema.Fields() {
		family, err := familyOf(f.Type)
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", f.Name, err)
		}
		t.Columns = append(t.Columns, &Column{Name: f.Name, Type: f.Type, Family: family, offsets: []int{0}})
	}
	return t, nil
}

func (t *Table) append(batch arrow.RecordBatch) error {
	t.Rows += int(batch.NumRows())
	for i, c := range t.Columns {
		if err := c.append(batch.Column(i)); err != nil {
			return fmt.Errorf("column %q: %w", c.Name, err)
		}
	}
	return nil
}

func (c *Column) append(a arrow.Array) error {
	for row := range a.Len() {
		c.null = append(c.null, a.IsNull(row))
	}
	switch c.Family {
	case Integer, Instant:
		read, err := integerReader(a)
		if err != nil {
			return err
		}
		for row := range a.Len() {
			if a.IsNull(row) {
				c.ints = append(c.ints, 0)
				continue
			}
			v, err := read(row)
			if err != nil {
				return fmt.Errorf("row %d: %w", len(c.ints), err)
			}
			c.ints = append(c.ints, v)
		}
	case Float:
		read := floatReader(a)
		for row := range a.Len() {
			v := 0.0
			if !a.IsNull(row) {
				v = read(row)
			}
			c.floats = append(c.floats, v)
		}
	case Text:
		read := textReader(a)
		for row := range a.Len() {
			if !a.IsNull(row) {
				// A dictionary's own values may be null.
				v, null := read(row)
				c.null[len(c.offsets)-1] = null
				c.text = append(c.text, v...)
			}
			c.offsets = append(c.offsets, len(c.text))
		}
	}
	return nil
}

func (c *Column) bytes(row int) []byte { return c.text[c.offsets[row]:c.offsets[row+1]] }

// Append adds the rows of a table with the same columns. An empty table takes
// the columns over.
func (t *Table) Append(part *Table) error {
	if t.Columns == nil {
		*t = *part
		return nil
	}
	if len(t.Columns) != len(part.Columns) {
		return fmt.Errorf("%d columns added to %d", len(part.Columns), len(t.Columns))
	}
	for i, c := range t.Columns {
		p := part.Columns[i]
		if c.Name != p.Name || c.Family != p.Family {
			return fmt.Errorf("column %q of %s added to %q of %s", p.Name, p.Family, c.Name, c.Family)
		}
		c.null = append(c.null, p.null...)
		c.ints = append(c.ints, p.ints...)
		c.floats = append(c.floats, p.floats...)
		for _, end := range p.offsets[1:] {
			c.offsets = append(c.offsets, len(c.text)+end)
		}
		c.text = append(c.text, p.text...)
	}
	t.Rows += part.Rows
	return nil
}

// IsNull says whether the value is null.
func (c *Column) IsNull(row int) bool { return c.null[row] }

// Compare orders two values of the column that are not null: negative if the
// first is less.
func (c *Column) Compare(a, b int) int {
	switch c.Family {
	case Text:
		return bytes.Compare(c.bytes(a), c.bytes(b))
	case Float:
		return cmp.Compare(c.floats[a], c.floats[b])
	}
	return cmp.Compare(c.ints[a], c.ints[b])
}

// Show is a value as a message has it.
func (c *Column) Show(row int) string {
	switch {
	case c.null[row]:
		return "null"
	case c.Family == Text:
		return fmt.Sprintf("%q", c.bytes(row))
	case c.Family == Float:
		return fmt.Sprint(c.floats[row])
	}
	return fmt.Sprint(c.ints[row])
}
