package ipcmeta

import (
	"errors"
	"strings"
	"testing"
)

// FuzzMessage: whatever the bytes are, parsing ends, and what it accepts can
// be read to the last entry.
func FuzzMessage(f *testing.F) {
	for _, b := range corpusFiles(f) {
		if foot := footer(b); foot != nil && len(foot) < 4<<10 {
			f.Add(foot)
			b = b[8:]
		}
		for i, meta := range messages(b) {
			if len(meta) < 4<<10 && i < 3 {
				f.Add(meta)
			}
		}
	}
	f.Add(strayFlag)
	f.Fuzz(func(t *testing.T, meta []byte) {
		if footer, err := ParseFooter(meta); err == nil {
			walk(t, footer.Schema)
		} else {
			mustBeOurs(t, err)
		}
		m, err := ParseMessage(meta)
		if err != nil {
			return
		}
		for i := range m.Nodes() {
			m.Node(i)
		}
		for i := range m.Buffers() {
			m.Buffer(i)
		}
		for i := range m.Variadics() {
			m.Variadic(i)
		}
		if m.Rows() < 0 || m.BodyLength < 0 {
			t.Fatalf("%d rows in %d bytes", m.Rows(), m.BodyLength)
		}
		if s, err := m.Schema(); err == nil {
			walk(t, s)
		} else {
			mustBeOurs(t, err)
		}
	})
}

// mustBeOurs: what passes verification, arrow-go's parser reads without a panic,
// one that it recovers from itself included.
func mustBeOurs(t *testing.T, err error) {
	if errors.Is(err, errSenseless) || strings.Contains(err.Error(), "unknown error") {
		t.Fatalf("the parser panics: %v", err)
	}
}

// walk holds the spans of all columns against their children's.
func walk(t *testing.T, s *Schema) {
	total := Span{}
	for i := range s.Columns {
		c := &s.Columns[i]
		if c.First != total {
			t.Fatalf("column %d begins at %v, not %v", i, c.First, total)
		}
		total = total.Plus(c.Span)
		walkColumn(t, s, c)
	}
	if total != s.Total || len(s.Columns) != s.Arrow.NumFields() {
		t.Fatalf("%v in all, not %v", total, s.Total)
	}
}

func walkColumn(t *testing.T, s *Schema, c *Column) {
	sum := ownSpan(c.Type)
	for i := range c.Children {
		walkColumn(t, s, &c.Children[i])
		sum = sum.Plus(c.Children[i].Span)
	}
	if c.Dictionary >= 0 {
		walkColumn(t, s, s.Dictionaries[c.Dictionary].Values)
		sum = Span{Nodes: 1, Buffers: 2}
	}
	if sum != c.Span {
		t.Fatalf("column %q has %v, not %v", c.Name, c.Span, sum)
	}
}
