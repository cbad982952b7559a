package render

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
)

var update = flag.Bool("update", false, "write the golden files anew")

// goldens are results that every format shows; their files are
// testdata/NAME.FORMAT.
func goldens(t *testing.T) []golden {
	numbers := arrow.NewSchema([]arrow.Field{
		{Name: "i", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "u", Type: arrow.PrimitiveTypes.Uint64, Nullable: true},
		{Name: "f64", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
		{Name: "f32", Type: arrow.PrimitiveTypes.Float32, Nullable: true},
		{Name: "dec", Type: &arrow.Decimal128Type{Precision: 20, Scale: 2}, Nullable: true},
		{Name: "big", Type: &arrow.Decimal256Type{Precision: 76, Scale: 0}, Nullable: true},
		{Name: "ok", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
		{Name: "took", Type: arrow.FixedWidthTypes.Duration_ms, Nullable: true},
	}, nil)
	moments := arrow.NewSchema([]arrow.Field{
		{Name: "day", Type: arrow.FixedWidthTypes.Date32, Nullable: true},
		{Name: "day64", Type: arrow.FixedWidthTypes.Date64, Nullable: true},
		{Name: "clock", Type: arrow.FixedWidthTypes.Time32s, Nullable: true},
		{Name: "clock_ns", Type: arrow.FixedWidthTypes.Time64ns, Nullable: true},
		{Name: "local", Type: &arrow.TimestampType{Unit: arrow.Millisecond}, Nullable: true},
		{Name: "instant", Type: &arrow.TimestampType{Unit: arrow.Second, TimeZone: "America/New_York"}, Nullable: true},
		{Name: "instant_ns", Type: arrow.FixedWidthTypes.Timestamp_ns, Nullable: true},
	}, nil)
	texts, textBatch := stringsOf(t, "bytes,in_sum", "plain", "", "NULL", " blanks ",
		"a,b", `say "hi"`, "two\nlines", "tab\there",
		`back\slash`, `\N`, "pipe|d", "<b>&amp;</b>", "_under_score_",
		"\x1b[31mred\x1b[0m", "日本語", "e\u0301", "😀", "שלום", "\u202eevil")
	dash := "-"
	plain := Options{FloatDigits: -1, Compression: "none"}
	return []golden{
		{"numbers", plain, numbers, batchOf(t, numbers, `[
			{"i": 0, "u": 0, "f64": 0, "f32": 0.1, "dec": "0.00", "big": "0", "ok": false, "took": 0},
			{"i": -9223372036854775808, "u": 18446744073709551615, "f64": 1e17, "f32": 16777216, "dec": "-0.05",
			 "ok": true, "big": "1234567890123456789012345678901234567890123456789012345678901234567890123456", "took": -1},
			{"i": 9223372036854775807, "u": 1, "f64": 9e-6, "f32": 0.00001,
			 "dec": "12345678901234567.89", "big": "-1", "took": 1500},
			{}]`)},
		{"moments", plain, moments, batchOf(t, moments, `[
			{"day": "2023-11-14", "day64": "1970-01-01", "clock": "22:13:20", "clock_ns": "00:00:00.000000001",
			 "local": "1969-12-31T23:59:59.999", "instant": "1970-01-01T00:00:00Z",
			 "instant_ns": "2023-11-14T22:13:20.000000001Z"},
			{"day": "0001-01-01", "day64": "9999-12-31", "clock": "00:00:00", "clock_ns": "23:59:59.999999999",
			 "local": "2345-12-30T00:00:00", "instant": "0001-01-01T00:00:00Z",
			 "instant_ns": "1970-01-01T00:00:00Z"},
			{}]`)},
		{"texts", plain, texts, textBatch},
		{
			"flags",
			Options{NoHeader: true, Null: &dash, FloatDigits: 2, Compression: "zstd"},
			numbers,
			batchOf(t, numbers, `[
			{"i": 1, "u": 2, "f64": 2.675, "f32": 1e17, "dec": "0.10", "big": "3", "ok": true, "took": 4}, {}]`),
		},
		{"norows", plain, moments, batchOf(t, moments, `[]`)},
	}
}

type golden struct {
	name   string
	opt    Options
	schema *arrow.Schema
	batch  arrow.RecordBatch
}

func TestGolden(t *testing.T) {
	for _, g := range goldens(t) {
		for _, f := range Formats {
			t.Run(g.name+"."+f.Name, func(t *testing.T) {
				file := filepath.Join("testdata", g.name+"."+f.Name)
				got := rendered(t, f.Name, g.opt, g.schema, g.batch)
				if *update {
					if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				kept, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				want := string(kept)
				if f.Binary { // another arrow-go may write the same values differently
					got, want = described(t, f.Name, got), described(t, f.Name, want)
				}
				if got != want {
					t.Errorf("got\n%s, want\n%s", got, want)
				}
			})
		}
	}
}

// described is an Arrow stream or file as text: schema, batch cuts, cells.
func described(t *testing.T, format, content string) string {
	schema, batches := readIPC(t, format, content)
	text := schema.String()
	for _, batch := range batches {
		text += fmt.Sprintf("\n%d rows: %v", batch.NumRows(), cellsOf([]arrow.RecordBatch{batch}))
	}
	return text
}
