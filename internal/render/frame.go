package render

import (
	"bytes"
	"errors"
	"strings"

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

// placeholder fills the cells that tablewriter sees. It is ASCII, so that the
// library's measure of it is ours, and occurs in no border.
const placeholder = "x"

var errFrame = errors.New("table: tablewriter drew a frame that cannot be read")

// drawFrame lets tablewriter draw a table of columns of those widths, with a
// header, a row, or both, and takes out the placeholders.
func drawFrame(widths []int, header, row bool) (*frame, error) {
	cells := make([]string, len(widths))
	for i, w := range widths {
		cells[i] = strings.Repeat(placeholder, w)
	}
	var drawn bytes.Buffer
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
	lines := bytes.SplitAfter(drawn.Bytes(), []byte("\n"))
	lines = lines[:len(lines)-1] // nothing follows the last line end
	want := 3
	if header && row {
		want = 5
	}
	if len(lines) != want {
		return nil, errFrame
	}
	f := &frame{top: lines[0], bottom: lines[want-1]}
	if header && row {
		f.rule = lines[2]
	}
	rest := lines[1]
	for _, text := range cells {
		lead, after, found := bytes.Cut(rest, []byte(text))
		if !found {
			return nil, errFrame
		}
		f.lead, rest = append(f.lead, lead), after
	}
	f.tail = rest
	return f, nil
}

// asGiven switches off all that tablewriter does to cells.
var asGiven = tablewriter.Config{
	Header: tw.CellConfig{Formatting: tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone}},
	Row:    tw.CellConfig{Formatting: tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone}},
	Behavior: tw.Behavior{
		TrimSpace: tw.Off, TrimTab: tw.Off, TrimLine: tw.Off, AutoHide: tw.Off,
	},
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
