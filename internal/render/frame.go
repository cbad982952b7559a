package render

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/tw"
)

// frame is everything of a table that is not a cell.
type frame struct {
	top    []byte   // the line above the first row
	rule   []byte   // the line below the header, if there are rows
	bottom []byte   // the line below the last row
	lead   [][]byte // what stands before each cell of a row
	tail   []byte   // what stands after its last cell, with the line end
}

// placeholder is the cell that tablewriter sees. It is ASCII, so that the
// library's measure of it is ours, and occurs in no border.
const placeholder = 'x'

var errFrame = errors.New("table: tablewriter drew a frame that cannot be read")

// drawFrame lets tablewriter draw a table of one-character cells, with a
// header, a row, or both, and stretches it to columns of those widths:
//
//	┌───┬───┐   what is above and below a placeholder is repeated;
//	│ x │ x │   what is between placeholders stands between cells
//	└───┴───┘
func drawFrame(widths []int, header, row bool) (*frame, error) {
	cells := slices.Repeat([]string{string(placeholder)}, len(widths))
	var drawn strings.Builder
	t := tablewriter.NewTable(&drawn, tablewriter.WithConfig(asGiven))
	// The library asks the locale and RUNEWIDTH_EASTASIAN how wide its borders
	// are and makes the lines of them shorter.
	twwidth.SetOptions(twwidth.Options{})
	if header {
		t.Header(cells)
	}
	if row {
		if err := t.Append(cells); err != nil {
			return nil, err
		}
	}
	if err := t.Render(); err != nil {
		return nil, err
	}
	lines := strings.SplitAfter(drawn.String(), "\n")
	lines = lines[:len(lines)-1] // nothing follows the last line end
	want := 3
	if header && row {
		want = 5
	}
	if len(lines) != want || strings.Count(lines[1], string(placeholder)) != len(widths) {
		return nil, errFrame
	}
	for _, line := range lines {
		if utf8.RuneCountInString(line) != utf8.RuneCountInString(lines[1]) {
			return nil, errFrame
		}
	}
	between := strings.Split(lines[1], string(placeholder))
	f := &frame{
		top:    stretch(lines[0], between, widths),
		bottom: stretch(lines[want-1], between, widths),
		tail:   []byte(between[len(widths)]),
	}
	if header && row {
		f.rule = stretch(lines[2], between, widths)
	}
	for _, lead := range between[:len(widths)] {
		f.lead = append(f.lead, []byte(lead))
	}
	return f, nil
}

// stretch repeats the character of a line that stands above or below each cell,
// as wide as the cell is. The cells lie between texts that are as long, counted
// in characters, as the line's own.
func stretch(line string, between []string, widths []int) []byte {
	var wide []byte
	rest := []rune(line)
	for i, width := range widths {
		lead := utf8.RuneCountInString(between[i])
		wide = append(wide, string(rest[:lead])...)
		wide = append(wide, strings.Repeat(string(rest[lead]), width)...)
		rest = rest[lead+1:]
	}
	return append(wide, string(rest)...)
}

// asGiven keeps tablewriter from rewriting cells; by default it upper-cases a
// header and makes blanks of its dots and underscores.
var asGiven = tablewriter.Config{
	Header: tw.CellConfig{Formatting: tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone}},
	Row:    tw.CellConfig{Formatting: tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone}},
}

// colour puts escape sequences around every piece of the frame, inside the
// line ends.
func (f *frame) colour(on, off []byte) {
	wrap := func(piece []byte) []byte {
		if len(on) == 0 || len(piece) == 0 {
			return piece
		}
		body, ended := bytes.CutSuffix(piece, []byte("\n"))
		piece = append(append(append([]byte(nil), on...), body...), off...)
		if ended {
			piece = append(piece, '\n')
		}
		return piece
	}
	f.top, f.rule, f.bottom, f.tail = wrap(f.top), wrap(f.rule), wrap(f.bottom), wrap(f.tail)
	for i := range f.lead {
		f.lead[i] = wrap(f.lead[i])
	}
}
