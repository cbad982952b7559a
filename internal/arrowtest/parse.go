package arrowtest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// Parse reads the text form. Errors name the line.
func Parse(text string) (*Stream, error) {
	s := &Stream{}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := s.line(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	if s.Fields == nil {
		return nil, fmt.Errorf("no header line")
	}
	return s, nil
}

// Must is Parse for texts that stand in a test's source.
func Must(text string) *Stream {
	s, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return s
}

func (s *Stream) line(line string) error {
	switch {
	case s.Fields == nil && strings.HasPrefix(line, "@"):
		key, value, ok := strings.Cut(line[1:], "=")
		if !ok {
			return fmt.Errorf("metadata without = in %q", line)
		}
		s.Metadata = arrow.NewMetadata(append(s.Metadata.Keys(), key), append(s.Metadata.Values(), value))
		return nil
	case s.Fields == nil:
		return s.header(line)
	case line == "---":
		s.Batches = append(s.Batches, Batch{})
		return nil
	case strings.HasPrefix(line, "--- "):
		return s.batchWithDictionaries(line[len("--- "):])
	}
	return s.row(line)
}

func (s *Stream) header(line string) error {
	for _, text := range split(line, '|') {
		f, err := parseField(text)
		if err != nil {
			return err
		}
		s.Fields = append(s.Fields, f)
	}
	return nil
}

func (s *Stream) row(line string) error {
	texts := split(line, '|')
	if len(texts) != len(s.Fields) {
		return fmt.Errorf("%d cells for %d fields", len(texts), len(s.Fields))
	}
	row := make(Row, len(texts))
	for i, text := range texts {
		cell, err := parseCell(text)
		if err != nil {
			return fmt.Errorf("field %q: %w", s.Fields[i].Name, err)
		}
		row[i] = cell
	}
	if len(s.Batches) == 0 {
		s.Batches = append(s.Batches, Batch{})
	}
	last := &s.Batches[len(s.Batches)-1]
	last.Rows = append(last.Rows, row)
	return nil
}

// batchWithDictionaries begins a batch whose dictionaries are written out:
// `k=["a", null] d=[1, 2]`.
func (s *Stream) batchWithDictionaries(text string) error {
	b := Batch{Dictionaries: map[int][]Cell{}}
	for _, part := range split(text, ' ') {
		name, list, ok := strings.Cut(part, "=")
		field := s.Field(name)
		if !ok || field < 0 || !strings.HasPrefix(list, "[") || !strings.HasSuffix(list, "]") {
			return fmt.Errorf("want column=[entry, …], have %q", part)
		}
		entries := []Cell{}
		if list = list[1 : len(list)-1]; list != "" {
			for _, entry := range split(list, ',') {
				cell, err := parseCell(entry)
				if err != nil {
					return err
				}
				entries = append(entries, cell)
			}
		}
		b.Dictionaries[field] = entries
	}
	s.Batches = append(s.Batches, b)
	return nil
}

func parseCell(text string) (Cell, error) {
	switch {
	case text == "null":
		return Null, nil
	case text == "":
		return Cell{}, fmt.Errorf(`an empty cell (write null or "")`)
	case text[0] == '"':
		unquoted, err := strconv.Unquote(text)
		if err != nil {
			return Cell{}, fmt.Errorf("%s is no Go string", text)
		}
		return Cell{Text: unquoted}, nil
	}
	return Cell{Text: text}, nil
}

// split cuts text at sep, but not within quotes or brackets, and trims blanks.
// Empty parts between blanks are left out where sep is a blank itself.
func split(text string, sep byte) []string {
	var parts []string
	depth, start, quoted := 0, 0, false
	cut := func(end int) {
		part := strings.TrimSpace(text[start:end])
		if part != "" || sep != ' ' {
			parts = append(parts, part)
		}
		start = end + 1
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == sep && depth == 0:
			cut(i)
		case sep == '|': // a cell's text may hold any bracket
		case strings.IndexByte("([{<", c) >= 0:
			depth++
		case strings.IndexByte(")]}>", c) >= 0:
			depth--
		}
	}
	cut(len(text))
	return parts
}
