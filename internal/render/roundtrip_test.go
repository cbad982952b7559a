package render

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// cellsOf is what a table holds, by the oracle.
func cellsOf(batches []arrow.RecordBatch) [][]readCell {
	var rows [][]readCell
	for _, batch := range batches {
		for row := range int(batch.NumRows()) {
			cells := make([]readCell, batch.NumCols())
			for i, a := range batch.Columns() {
				if cells[i].null = a.DataType().ID() == arrow.NULL || a.IsNull(row); !cells[i].null {
					cells[i].text = oracleText(a, row)
				}
			}
			rows = append(rows, cells)
		}
	}
	return rows
}

func namesOf(schema *arrow.Schema) []string {
	names := make([]string, schema.NumFields())
	for i, f := range schema.Fields() {
		names[i] = f.Name
	}
	return names
}

// readBack renders a table, reads it strictly and compares every cell.
func readBack(t *testing.T, format string, null *string, schema *arrow.Schema, batches []arrow.RecordBatch) {
	t.Helper()
	opt := asIs
	opt.Null = null
	out := rendered(t, format, opt, schema, batches...)
	want, names := cellsOf(batches), namesOf(schema)
	columns := len(names)
	var header []string
	var got [][]readCell
	var err error
	switch format {
	case "csv":
		text := ""
		if null != nil {
			text = *null
		}
		header, got, err = readCSV(out, columns, text)
	case "tsv":
		header, got, err = readTSV(out, columns)
	case "markdown":
		header, got, err = readMarkdown(out, columns)
		want = asShown(want)
	case "ndjson", "json":
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		if format == "json" {
			lines, err = insideArray(lines)
		} else if out == "" {
			lines = nil
		}
		header = names
		for _, line := range lines {
			var cells []readCell
			if err == nil {
				header, cells, err = readObject(line)
			}
			got = append(got, cells)
		}
	}
	if err != nil {
		t.Fatalf("%s: %v in\n%q", format, err, out)
	}
	if !slices.Equal(header, names) {
		t.Fatalf("%s: header %q, want %q", format, header, names)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("%s: read back\n%v, want\n%v, from\n%q", format, got, want, out)
	}
}

// insideArray checks the brackets and commas of the json format.
func insideArray(lines []string) ([]string, error) {
	if len(lines) == 1 && lines[0] == "[]" {
		return nil, nil
	}
	if len(lines) < 3 || lines[0] != "[" || lines[len(lines)-1] != "]" {
		return nil, fmt.Errorf("no array")
	}
	lines = lines[1 : len(lines)-1]
	for i := range lines[:len(lines)-1] {
		var comma bool
		if lines[i], comma = strings.CutSuffix(lines[i], ","); !comma {
			return nil, fmt.Errorf("no comma after %q", lines[i])
		}
	}
	return lines, nil
}

// asShown replaces nulls and what looks like them as people see them.
func asShown(rows [][]readCell) [][]readCell {
	for _, row := range rows {
		for i, c := range row {
			switch {
			case c.null:
				row[i] = readCell{text: "NULL"}
			case c.text == "" || c.text == "NULL":
				row[i].text = `"` + c.text + `"`
			}
		}
	}
	return rows
}

// readable are the formats that can be read back cell by cell.
var readable = []string{"csv", "tsv", "json", "ndjson", "markdown"}

func TestTextRoundTrips(t *testing.T) {
	r := seeded(t)
	for range rounds(300) {
		schema, batches := randomTable(r)
		for _, format := range readable {
			readBack(t, format, nil, schema, batches)
		}
		for _, null := range []string{"NULL", "a", "0", "true", `\N`, " "} {
			readBack(t, "csv", &null, schema, batches)
		}
	}
}

func TestTableLinesAreEquallyWide(t *testing.T) {
	r := seeded(t)
	for range rounds(300) {
		schema, batches := randomTable(r)
		rows := len(cellsOf(batches))
		lines := rows + 4
		if rows == 0 {
			lines = 3
		}
		out := rendered(t, "table", asIs, schema, batches...)
		if err := checkTable(out, lines); err != nil {
			t.Fatalf("%v in\n%s", err, out)
		}
	}
}

// stringsOf makes a batch of one column of strings, with a null at its end.
func stringsOf(t testing.TB, name string, values ...string) (*arrow.Schema, arrow.RecordBatch) {
	t.Helper()
	schema := arrow.NewSchema([]arrow.Field{{Name: name, Type: arrow.BinaryTypes.String, Nullable: true}}, nil)
	b := array.NewRecordBuilder(allocator, schema)
	defer b.Release()
	for _, v := range values {
		b.Field(0).(*array.StringBuilder).Append(v)
	}
	b.Field(0).AppendNull()
	return schema, b.NewRecordBatch()
}

// FuzzText feeds any UTF-8 through every text format as a name and as values.
func FuzzText(f *testing.F) {
	for _, fragment := range fragments {
		f.Add(fragment, "a"+fragment+"b")
	}
	f.Fuzz(func(t *testing.T, name, value string) {
		// The reader refuses strings that are not UTF-8; names may be anything.
		value = strings.ToValidUTF8(value, "?")
		schema, batch := stringsOf(t, strings.ToValidUTF8(name, "?"), value, "", value+value)
		for _, format := range readable {
			readBack(t, format, nil, schema, []arrow.RecordBatch{batch})
		}
		if value != "" && !strings.ContainsAny(value, csvSpecial) {
			readBack(t, "csv", &value, schema, []arrow.RecordBatch{batch})
		}
		out := rendered(t, "table", asIs, schema, batch)
		if err := checkTable(out, 8); err != nil {
			t.Fatalf("%v in\n%s", err, out)
		}
		schema, batch = stringsOf(t, name, value)
		out = strings.TrimSuffix(rendered(t, "ndjson", asIs, schema, batch), "\n")
		for _, line := range strings.Split(out, "\n") {
			if _, _, err := readObject(line); err != nil {
				t.Fatal(err)
			}
		}
	})
}
