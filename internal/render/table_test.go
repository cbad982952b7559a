package render

import (
	"bytes"
	"strings"
	"testing"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// byLibrary lets tablewriter draw the whole table.
func byLibrary(t *testing.T, schema *arrow.Schema, batches []arrow.RecordBatch) string {
	t.Helper()
	list, err := classes(schema)
	if err != nil {
		t.Fatal(err)
	}
	align := make([]tw.Align, len(list))
	for i, class := range list {
		align[i] = tw.AlignLeft
		if class == number {
			align[i] = tw.AlignRight
		}
	}
	config := asGiven
	config.Header.Alignment.PerColumn, config.Row.Alignment.PerColumn = align, align
	twwidth.SetOptions(twwidth.Options{})
	var out bytes.Buffer
	table := tablewriter.NewTable(&out, tablewriter.WithConfig(config))
	table.Header(namesOf(schema))
	for _, row := range asShown(cellsOf(batches)) {
		cells := make([]string, len(row))
		for i, c := range row {
			cells[i] = string(appendVisible(nil, []byte(c.text)))
		}
		if err := table.Append(cells); err != nil {
			t.Fatal(err)
		}
	}
	if err := table.Render(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Where the library's measure (rune by rune) is that of grapheme clusters, the
// painted table is the drawn one, byte for byte.
func TestTableIsTheLibrarys(t *testing.T) {
	r := seeded(t)
	for range rounds(200) {
		schema, batches := randomTable(r)
		fields := schema.Fields()
		for i := range fields {
			fields[i].Name = string(appendVisible(nil, []byte(fields[i].Name)))
		}
		named := arrow.NewSchema(fields, nil)
		want := byLibrary(t, named, batches)
		got := rendered(t, "table", asIs, named, batches...)
		if strings.ContainsAny(want, "\u200d\u200c\ufe0f🇩") {
			continue // spelled with joiners: the library measures the parts
		}
		if got != want {
			t.Fatalf("got\n%s, want\n%s", got, want)
		}
	}
}

func TestTableDoesNotAskTheLocale(t *testing.T) {
	schema, batch := stringsOf(t, "└─ name", "α±§", "日本語")
	want := rendered(t, "table", asIs, schema, batch)
	twwidth.SetOptions(twwidth.Options{EastAsianWidth: true})
	if got := rendered(t, "table", asIs, schema, batch); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
}

func TestTableNamesAndBlanks(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "host_name", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "p99.max", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: " BYTES sum ", Type: arrow.PrimitiveTypes.Float32, Nullable: true},
		{Name: "", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
	}, nil)
	batch := batchOf(t, schema, `[
		{"host_name": " a  b ", "p99.max": 1, " BYTES sum ": 2.5, "": true},
		{"host_name": "c\td\u001b[0m", "p99.max": -12345678, " BYTES sum ": null, "": null}]`)
	want := `
┌─────────────┬───────────┬─────────────┬──────┐
│ host_name   │   p99.max │  BYTES sum  │      │
├─────────────┼───────────┼─────────────┼──────┤
│  a  b       │         1 │         2.5 │ true │
│ c\td\x1b[0m │ -12345678 │        NULL │ NULL │
└─────────────┴───────────┴─────────────┴──────┘
`
	if got := "\n" + rendered(t, "table", asIs, schema, batch); got != want {
		t.Errorf("got%s, want%s", got, want)
	}
}

func TestTableVariants(t *testing.T) {
	schema, batch := stringsOf(t, "k", "a", "")
	dash := "-"
	for _, c := range []struct {
		name  string
		opt   Options
		batch []arrow.RecordBatch
		want  string
	}{
		{"no rows", Options{FloatDigits: -1}, nil, "┌───┐\n│ k │\n└───┘\n"},
		{"no rows and no header", Options{FloatDigits: -1, NoHeader: true}, nil, ""},
		{
			"no header",
			Options{FloatDigits: -1, NoHeader: true},
			[]arrow.RecordBatch{batch},
			"┌──────┐\n│ a    │\n│ \"\"   │\n│ NULL │\n└──────┘\n",
		},
		{
			"other null",
			Options{FloatDigits: -1, NoHeader: true, Null: &dash},
			[]arrow.RecordBatch{batch},
			"┌────┐\n│ a  │\n│ \"\" │\n│ -  │\n└────┘\n",
		},
	} {
		if got := rendered(t, "table", c.opt, schema, c.batch...); got != c.want {
			t.Errorf("%s: got\n%s, want\n%s", c.name, got, c.want)
		}
	}
}

// Colour dims the frame and the nulls and changes nothing else.
func TestTableColour(t *testing.T) {
	schema, batch := stringsOf(t, "k", "a", "NULL", "\x1b[31m")
	plain := rendered(t, "table", asIs, schema, batch)
	opt := asIs
	opt.Color = true
	coloured := rendered(t, "table", opt, schema, batch)
	if got := strings.NewReplacer("\x1b[2m", "", "\x1b[22m", "").Replace(coloured); got != plain {
		t.Errorf("without escapes\n%s, want\n%s", got, plain)
	}
	dimmed, on := "", false
	for _, part := range strings.SplitAfter(strings.ReplaceAll(coloured, "\x1b[22m", "\x1b[2m"), "\x1b[2m") {
		if on {
			dimmed += strings.TrimSuffix(part, "\x1b[2m")
		}
		on = !on
	}
	text := strings.Map(func(r rune) rune {
		if r >= 0x2500 && r < 0x2580 || r <= ' ' {
			return -1
		}
		return r
	}, dimmed)
	if text != "NULL" {
		t.Errorf("dimmed besides the frame: %q", text)
	}
}

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain ~":                  "plain ~",
		"a\nb\r\tc":                `a\nb\r\tc`,
		"\x00\x1b[2J\x7f":          `\x00\x1b[2J\x7f`,
		"\u0085\u009b31m":          `\u0085\u009b31m`,
		"a\u202eb\u2066\u200f":     `a\u202eb\u2066\u200f`,
		"x\u200by\ufeff\u00ad":     `x\u200by\ufeff\u00ad`,
		"\u2028\u2029":             `\u2028\u2029`,
		"\U000e0041\u115f":         `\U000e0041\u115f`,
		"\xff\xc3(":                `\xff\xc3(`,
		"é日本語 e\u0301\u00a0\u3000": "é日本語 e\u0301\u00a0\u3000",
		"👨\u200d👩\u200d👧 ❤\ufe0f":  "👨\u200d👩\u200d👧 ❤\ufe0f",
		"می\u200cخواهم":            "می\u200cخواهم",
		"a\u200db\ufe0f \u200c":    `a\u200db\ufe0f \u200c`,
		"é\u200d":                  `é\u200d`,
		`\n is kept`:               `\n is kept`,
		"שלום":                     "שלום",
	} {
		if got := string(appendVisible(nil, []byte(in))); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestDisplayWidth(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "abc": 3, "日本語": 6, "e\u0301": 1, "😀": 2, "👨\u200d👩\u200d👧": 2, "🇩🇪": 2, "α±§": 3, "ｱ": 1, "한": 2, "\u00a0": 1, "\u3000": 2,
	} {
		if got := displayWidth([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// The table keeps batches until Close; their owner may have released them.
func TestTableRetainsItsBatches(t *testing.T) {
	schema := schemaOf(arrow.BinaryTypes.String)
	f, _ := Lookup("table")
	var out bytes.Buffer
	w, err := f.New(&out, schema, asIs)
	if err != nil {
		t.Fatal(err)
	}
	checked := memory.NewCheckedAllocator(allocator)
	defer checked.AssertSize(t, 0)
	for _, k := range []string{"a", "b", "c"} {
		b := array.NewRecordBuilder(checked, schema)
		b.Field(0).(*array.StringBuilder).Append(k)
		batch := b.NewRecordBatch()
		b.Release()
		if err := w.Write(batch); err != nil {
			t.Fatal(err)
		}
		batch.Release()
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, k := range []string{"│ a ", "│ b ", "│ c "} {
		if !strings.Contains(out.String(), k) {
			t.Errorf("%q is missing in\n%s", k, out.String())
		}
	}
}
