package ipcread

import (
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// The golden files of the Arrow project stand beside their contents in JSON,
// the format of its integration tests.
type golden struct {
	Schema       struct{ Fields []goldenField }
	Batches      []goldenBatch
	Dictionaries []struct {
		ID   int64
		Data goldenBatch
	}
}

type goldenField struct {
	Name string
	Type struct {
		Name, Unit string
		Precision  any // of a float a word, of a decimal a number
	}
	Children   []goldenField
	Dictionary *struct{ ID int64 }
}

type goldenBatch struct {
	Count   int
	Columns []goldenColumn
}

type goldenColumn struct {
	Count    int
	Validity []int             `json:"VALIDITY"`
	Data     []json.RawMessage `json:"DATA"`
	Children []goldenColumn
}

func readGolden(t *testing.T, path string) (g golden) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(unzipped).Decode(&g); err != nil {
		t.Fatal(err)
	}
	return g
}

// cells is a column as text, as goldenCell writes it.
func (g *golden) cells(t *testing.T, f goldenField, c goldenColumn) []string {
	if f.Dictionary != nil {
		return g.dictionaryCells(t, f, c)
	}
	rows := make([]string, c.Count)
	if f.Type.Name == "runendencoded" {
		values := g.cells(t, f.Children[1], c.Children[1])
		row := 0
		for run, end := range c.Children[0].Data {
			for ; row < atoi(t, end) && row < len(rows); row++ {
				rows[row] = values[run]
			}
		}
		return rows
	}
	for i := range rows {
		if f.Type.Name == "null" || c.Validity[i] == 0 {
			rows[i] = "∅"
			continue
		}
		rows[i] = jsonCell(t, f, c.Data[i])
	}
	return rows
}

func (g *golden) dictionaryCells(t *testing.T, f goldenField, c goldenColumn) []string {
	id := f.Dictionary.ID
	f.Dictionary = nil
	for _, d := range g.Dictionaries {
		if d.ID != id {
			continue
		}
		values := g.cells(t, f, d.Data.Columns[0])
		rows := make([]string, c.Count)
		for i := range rows {
			rows[i] = "∅"
			if c.Validity[i] != 0 {
				rows[i] = values[atoi(t, c.Data[i])]
			}
		}
		return rows
	}
	t.Fatalf("no dictionary %d", id)
	return nil
}

func atoi(t *testing.T, raw json.RawMessage) int {
	n, err := strconv.Atoi(strings.Trim(string(raw), `"`))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func jsonCell(t *testing.T, f goldenField, raw json.RawMessage) string {
	switch f.Type.Name {
	case "utf8", "largeutf8", "utf8view", "binary", "largebinary", "binaryview", "fixedsizebinary":
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(f.Type.Name, "utf8") {
			return strconv.Quote(s)
		}
		return strings.ToLower(s)
	case "floatingpoint":
		width := map[any]int{"HALF": 32, "SINGLE": 32, "DOUBLE": 64}[f.Type.Precision]
		v, err := strconv.ParseFloat(string(raw), width)
		if err != nil {
			t.Fatal(err)
		}
		return strconv.FormatFloat(v, 'g', -1, width)
	case "interval":
		var parts map[string]int64
		if f.Type.Unit == "YEAR_MONTH" {
			return string(raw)
		} else if err := json.Unmarshal(raw, &parts); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(parts)
	case "bool":
		return map[string]string{"0": "false", "1": "true", "true": "true", "false": "false"}[string(raw)]
	default:
		return strings.Trim(string(raw), `"`)
	}
}

// goldenCell is one of our values as jsonCell writes it.
func goldenCell(a arrow.Array, i int) string {
	switch a := a.(type) {
	case *array.RunEndEncoded:
		return goldenCell(a.Values(), a.GetPhysicalIndex(i))
	case *array.Dictionary:
		if a.IsNull(i) {
			return "∅"
		}
		return goldenCell(a.Dictionary(), a.GetValueIndex(i))
	case *array.Null:
		return "∅"
	}
	if a.IsNull(i) {
		return "∅"
	}
	switch a := a.(type) {
	case *array.String:
		return strconv.Quote(a.Value(i))
	case *array.LargeString:
		return strconv.Quote(a.Value(i))
	case *array.Binary:
		return hex.EncodeToString(a.Value(i))
	case *array.LargeBinary:
		return hex.EncodeToString(a.Value(i))
	case *array.FixedSizeBinary:
		return hex.EncodeToString(a.Value(i))
	case *array.Decimal32:
		return fmt.Sprint(int32(a.Value(i)))
	case *array.Decimal64:
		return fmt.Sprint(int64(a.Value(i)))
	case *array.Decimal128:
		return a.Value(i).BigInt().String()
	case *array.Decimal256:
		return a.Value(i).BigInt().String()
	case *array.Float32:
		return strconv.FormatFloat(float64(a.Value(i)), 'g', -1, 32)
	case *array.Float64:
		return strconv.FormatFloat(a.Value(i), 'g', -1, 64)
	case *array.Date32:
		return fmt.Sprint(int32(a.Value(i)))
	case *array.Date64:
		return fmt.Sprint(int64(a.Value(i)))
	case *array.Time32:
		return fmt.Sprint(int32(a.Value(i)))
	case *array.Time64:
		return fmt.Sprint(int64(a.Value(i)))
	case *array.Timestamp:
		return fmt.Sprint(int64(a.Value(i)))
	case *array.Duration:
		return fmt.Sprint(int64(a.Value(i)))
	case *array.MonthInterval:
		return fmt.Sprint(int32(a.Value(i)))
	case *array.DayTimeInterval:
		v := a.Value(i)
		return fmt.Sprint(map[string]int64{"days": int64(v.Days), "milliseconds": int64(v.Milliseconds)})
	case *array.MonthDayNanoInterval:
		v := a.Value(i)
		return fmt.Sprint(map[string]int64{
			"months": int64(v.Months), "days": int64(v.Days), "nanoseconds": v.Nanoseconds,
		})
	}
	return a.ValueStr(i)
}

// TestGolden compares all readable columns of the golden files, of both byte
// orders and of writers from 0.14 to 21, with their JSON.
func TestGolden(t *testing.T) {
	paths, _ := filepath.Glob(filepath.Join(corpus, "arrow-testing/stream/*/*.json.gz"))
	if len(paths) == 0 {
		t.Skip("no corpus")
	}
	for _, path := range paths {
		g := readGolden(t, path)
		for _, suffix := range []string{".stream", ".arrow_file"} {
			file := strings.TrimSuffix(path, ".json.gz") + suffix
			b, err := os.ReadFile(file)
			if err != nil {
				continue // not every golden file is at hand in both formats
			}
			name := strings.TrimPrefix(file, filepath.Join(corpus, "arrow-testing/stream")+"/")
			t.Run(name, func(t *testing.T) { g.compare(t, b) })
		}
	}
}

func (g *golden) compare(t *testing.T, b []byte) {
	batches, err := framed(b)
	if err != nil {
		t.Fatal(err)
	}
	if len(batches) != len(g.Batches) {
		t.Fatalf("%d batches, want %d", len(batches), len(g.Batches))
	}
	d := newDecoder(testDecoding())
	for n := range batches {
		f := &batches[n]
		if f.msg.Rows() != int64(g.Batches[n].Count) {
			t.Fatalf("%d rows, want %d", f.msg.Rows(), g.Batches[n].Count)
		}
		arrays, err := d.decode(f, 0, f.msg.Rows(), readableColumns(f.schema))
		if err != nil {
			t.Fatal(err)
		}
		for i, data := range arrays {
			if data == nil {
				continue
			}
			a := array.MakeFromData(data)
			got := make([]string, a.Len())
			for row := range got {
				got[row] = goldenCell(a, row)
			}
			want := g.cells(t, g.Schema.Fields[i], g.Batches[n].Columns[i])
			if !slices.Equal(got, want) {
				t.Errorf("batch %d, column %q: %v, want %v", n, g.Schema.Fields[i].Name, got, want)
			}
		}
	}
}
