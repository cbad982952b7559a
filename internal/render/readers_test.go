package render

import (
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// The readers here are strict: they accept only what the format's writer may
// write, and give back the header and the cells.

// readCell is a cell as its format can tell it: text, or null.
type readCell struct {
	text string
	null bool
}

func (c readCell) String() string {
	if c.null {
		return "null"
	}
	return fmt.Sprintf("%q", c.text)
}

// readCSV reads a header of that many columns and rows of as many, in which a
// field is quoted exactly if it must be.
func readCSV(text string, columns int, null string) (header []string, rows [][]readCell, err error) {
	var all [][]readCell
	for at := 0; at < len(text); {
		var row []readCell
		for more := true; more; {
			var field strings.Builder
			quoted := at < len(text) && text[at] == '"'
			if quoted {
				for at++; ; at++ {
					if at >= len(text) {
						return nil, nil, fmt.Errorf("quote without end")
					}
					if text[at] == '"' {
						if at++; at >= len(text) || text[at] != '"' {
							break
						}
					}
					field.WriteByte(text[at])
				}
			} else {
				for ; at < len(text) && text[at] != ',' && text[at] != '\n'; at++ {
					if text[at] == '"' || text[at] == '\r' {
						return nil, nil, fmt.Errorf("byte %d: %q in a field without quotes", at, text[at])
					}
					field.WriteByte(text[at])
				}
			}
			if at >= len(text) || text[at] != ',' && text[at] != '\n' {
				return nil, nil, fmt.Errorf("byte %d: neither comma nor line end", at)
			}
			more = text[at] == ','
			at++
			s := field.String()
			if must := s == "" || s == null || strings.ContainsAny(s, ",\"\r\n"); quoted && !must {
				return nil, nil, fmt.Errorf("%q is quoted without need", s)
			} else if !quoted && must && s != null {
				return nil, nil, fmt.Errorf("%q is not quoted", s)
			}
			row = append(row, readCell{text: s, null: !quoted && s == null})
		}
		if len(row) != columns {
			return nil, nil, fmt.Errorf("row %d has %d fields, not %d", len(all), len(row), columns)
		}
		all = append(all, row)
	}
	return split(all)
}

// split takes the header off.
func split(all [][]readCell) (header []string, rows [][]readCell, err error) {
	if len(all) == 0 {
		return nil, nil, fmt.Errorf("no header")
	}
	for _, c := range all[0] {
		header = append(header, c.text)
	}
	return header, all[1:], nil
}

func readTSV(text string, columns int) (header []string, rows [][]readCell, err error) {
	body, ended := strings.CutSuffix(text, "\n")
	if !ended || strings.Contains(text, "\r") {
		return nil, nil, fmt.Errorf("bad line end")
	}
	var all [][]readCell
	for _, line := range strings.Split(body, "\n") {
		var row []readCell
		for _, field := range strings.Split(line, "\t") {
			if field == `\N` {
				row = append(row, readCell{null: true})
				continue
			}
			var plain strings.Builder
			for i := 0; i < len(field); i++ {
				if field[i] != '\\' {
					plain.WriteByte(field[i])
					continue
				}
				i++
				if i >= len(field) {
					return nil, nil, fmt.Errorf("%q ends in a backslash", field)
				}
				at := strings.IndexByte(`tnr\`, field[i])
				if at < 0 {
					return nil, nil, fmt.Errorf("%q has an unknown escape", field)
				}
				plain.WriteByte("\t\n\r\\"[at])
			}
			row = append(row, readCell{text: plain.String()})
		}
		if len(row) != columns {
			return nil, nil, fmt.Errorf("row %d has %d fields, not %d", len(all), len(row), columns)
		}
		all = append(all, row)
	}
	return split(all)
}

// readObject reads one JSON object token by token, so that the order of its
// keys and the digits of its numbers are seen.
func readObject(line string) (keys []string, cells []readCell, err error) {
	if !utf8.ValidString(line) || strings.ContainsAny(line, "\n\r\t\x7f") {
		return nil, nil, fmt.Errorf("%q is not one clean line", line)
	}
	d := json.NewDecoder(strings.NewReader(line))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, nil, fmt.Errorf("%q begins with %v (%v)", line, t, err)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, nil, err
		}
		value, err := d.Token()
		if err != nil {
			return nil, nil, err
		}
		keys = append(keys, key.(string))
		cell := readCell{null: value == nil}
		if value != nil {
			cell.text = fmt.Sprint(value)
		}
		cells = append(cells, cell)
	}
	if _, err := d.Token(); err != nil {
		return nil, nil, err
	}
	if rest := line[d.InputOffset():]; rest != "" {
		return nil, nil, fmt.Errorf("%q after the object", rest)
	}
	return keys, cells, nil
}

// readMarkdown undoes what a renderer of pipe tables does to cells: split at
// pipes, trim, unescape, resolve references.
func readMarkdown(text string, columns int) (header []string, rows [][]readCell, err error) {
	body, ended := strings.CutSuffix(text, "\n")
	if !ended {
		return nil, nil, fmt.Errorf("no line end")
	}
	var all [][]readCell
	for number, line := range strings.Split(body, "\n") {
		if number == 1 {
			if n := len(regexp.MustCompile(`\| ---:? `).FindAllString(line, -1)); n != columns {
				return nil, nil, fmt.Errorf("%d columns in %q", n, line)
			}
			continue
		}
		line, opened := strings.CutPrefix(line, "|")
		if !opened || !strings.HasSuffix(line, " |") {
			return nil, nil, fmt.Errorf("%q is no row", line)
		}
		var row []readCell
		var plain strings.Builder
		lead := 0 // where the text begins
		for i := 0; i < len(line); i++ {
			switch {
			case line[i] == '\\':
				i++
				plain.WriteByte(line[i])
			case strings.HasPrefix(line[i:], "<br>"):
				plain.WriteByte('\n')
				i += 3
			case strings.HasPrefix(line[i:], "&#"):
				end := strings.IndexByte(line[i:], ';')
				if reference := line[i : i+end+1]; reference == "&#0;" {
					plain.WriteByte(0)
				} else {
					plain.WriteString(html.UnescapeString(reference))
				}
				i += end
			case line[i] == '|':
				cell := plain.String()
				if len(cell) < 2 || cell[0] != ' ' || cell[len(cell)-1] != ' ' {
					return nil, nil, fmt.Errorf("cell %q", cell)
				}
				source := line[lead : i-1]
				if trimmed := strings.Trim(source[1:], " \t"); trimmed != source[1:] {
					return nil, nil, fmt.Errorf("cell %q loses blanks", source)
				}
				row = append(row, readCell{text: cell[1 : len(cell)-1]})
				plain.Reset()
				lead = i + 1
			case strings.IndexByte("`*<[]~$&", line[i]) >= 0:
				return nil, nil, fmt.Errorf("markup %q in %q", line[i], line)
			default:
				plain.WriteByte(line[i])
			}
		}
		if len(row) != columns {
			return nil, nil, fmt.Errorf("row %q has %d cells, not %d", line, len(row), columns)
		}
		all = append(all, row)
	}
	return split(all)
}

// hidden are characters that a terminal obeys, or does not show.
const hidden = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\u200e\u200f\ufeff\u2028\u2029"

// checkTable says what is wrong with the shape of a table: its lines must all
// take the same room and hold nothing that a terminal obeys or hides.
func checkTable(text string, lines int) error {
	body, ended := strings.CutSuffix(text, "\n")
	if !ended {
		return fmt.Errorf("no line end")
	}
	list := strings.Split(body, "\n")
	if len(list) != lines {
		return fmt.Errorf("%d lines, not %d", len(list), lines)
	}
	for _, line := range list {
		if got, want := displaywidth.String(line), displaywidth.String(list[0]); got != want {
			return fmt.Errorf("width %d of %q, not %d", got, line, want)
		}
		for _, r := range line {
			if r < ' ' || r >= 0x7f && r < 0xa0 || strings.ContainsRune(hidden, r) {
				return fmt.Errorf("%q in %q", r, line)
			}
		}
	}
	return nil
}
