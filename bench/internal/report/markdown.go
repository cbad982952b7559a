// Package report writes what was measured: Markdown tables, the machine, and
// the place in a file where they belong.
package report

import (
	"fmt"
	"os"
	"strings"
	"time"
	"unicode/utf8"
)

// Table is a Markdown table. The first column is left-aligned, all others are
// figures.
type Table struct {
	Header []string
	Rows   [][]string
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// String pads the cells, so that the source reads as a table too.
func (t *Table) String() string {
	widths := make([]int, len(t.Header))
	for _, row := range append([][]string{t.Header}, t.Rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell), 3)
		}
	}
	var b strings.Builder
	line := func(cells []string) {
		for i, width := range widths {
			cell := ""
			if i < len(cells) {
				cell = cells[i]
			}
			padding := strings.Repeat(" ", width-utf8.RuneCountInString(cell))
			if i == 0 {
				fmt.Fprintf(&b, "| %s%s ", cell, padding)
			} else {
				fmt.Fprintf(&b, "| %s%s ", padding, cell)
			}
		}
		b.WriteString("|\n")
	}
	line(t.Header)
	for i, width := range widths {
		if i == 0 {
			fmt.Fprintf(&b, "|%s", strings.Repeat("-", width+2))
		} else {
			fmt.Fprintf(&b, "|%s:", strings.Repeat("-", width+1))
		}
	}
	b.WriteString("|\n")
	for _, row := range t.Rows {
		line(row)
	}
	return b.String()
}

// Seconds writes a duration with three digits that mean something.
func Seconds(d time.Duration) string {
	s := d.Seconds()
	switch {
	case s < 1:
		return fmt.Sprintf("%.3f", s)
	case s < 10:
		return fmt.Sprintf("%.2f", s)
	}
	return fmt.Sprintf("%.1f", s)
}

// Megabytes writes bytes in units of a million.
func Megabytes(n int64) string {
	m := float64(n) / 1e6
	if m < 10 {
		return fmt.Sprintf("%.1f", m)
	}
	return fmt.Sprintf("%.0f", m)
}

// Count writes 7209368 as 7,209,368.
func Count(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Insert puts the text between <!-- name:begin --> and <!-- name:end --> of a
// file, instead of what is there.
func Insert(path, name, text string) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	begin, end := "<!-- "+name+":begin -->\n", "<!-- "+name+":end -->"
	before, rest, ok := strings.Cut(string(old), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return fmt.Errorf("%s has no %q followed by %q", path, strings.TrimSpace(begin), end)
	}
	return os.WriteFile(path, []byte(before+begin+"\n"+strings.TrimSpace(text)+"\n\n"+end+after), 0o666)
}
