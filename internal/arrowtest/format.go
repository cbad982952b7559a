package arrowtest

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// FromRecords reads batches into cells; dictionaries and runs are looked
// through, so what they were made of is not kept.
func FromRecords(schema *arrow.Schema, recs []arrow.RecordBatch) *Stream {
	s := &Stream{Fields: schema.Fields(), Metadata: schema.Metadata()}
	for _, rec := range recs {
		b := Batch{Rows: make([]Row, rec.NumRows())}
		for i := range b.Rows {
			b.Rows[i] = make(Row, rec.NumCols())
			for j, column := range rec.Columns() {
				b.Rows[i][j] = cellOf(column, i)
			}
		}
		s.Batches = append(s.Batches, b)
	}
	return s
}

// cellOf reads one value.
func cellOf(a arrow.Array, i int) Cell {
	switch a := a.(type) {
	case *array.Null:
		return Null
	case *array.RunEndEncoded:
		return cellOf(a.Values(), a.GetPhysicalIndex(i))
	case array.ExtensionArray:
		return cellOf(a.Storage(), i)
	}
	if a.IsNull(i) {
		return Null
	}
	switch a := a.(type) {
	case *array.Dictionary:
		return cellOf(a.Dictionary(), a.GetValueIndex(i))
	case array.StringLike:
		return Cell{Text: a.Value(i)}
	case interface{ Value(int) []byte }: // binary in any layout
		return Cell{Text: `\x` + hex.EncodeToString(a.Value(i))}
	case *array.Float64:
		return Cell{Text: floatText(a.Value(i), 64)}
	case *array.Float32:
		return Cell{Text: floatText(float64(a.Value(i)), 32)}
	case *array.Float16:
		return Cell{Text: floatText(float64(a.Value(i).Float32()), 32)}
	}
	if text, ok := temporalCell(a, i); ok {
		return Cell{Text: text}
	}
	if text, ok := decimalCell(a, i); ok {
		return Cell{Text: text}
	}
	return Cell{Text: a.ValueStr(i)}
}

func temporalCell(a arrow.Array, i int) (string, bool) {
	var n int64
	switch a := a.(type) {
	case *array.Timestamp:
		n = int64(a.Value(i))
	case *array.Duration:
		n = int64(a.Value(i))
	case *array.Date32:
		n = int64(a.Value(i))
	case *array.Date64:
		n = int64(a.Value(i))
	case *array.Time32:
		n = int64(a.Value(i))
	case *array.Time64:
		n = int64(a.Value(i))
	default:
		return "", false
	}
	return temporalText(a.DataType(), n), true
}

func decimalCell(a arrow.Array, i int) (string, bool) {
	var n *big.Int
	switch a := a.(type) {
	case *array.Decimal32:
		n = big.NewInt(int64(a.Value(i)))
	case *array.Decimal64:
		n = big.NewInt(int64(a.Value(i)))
	case *array.Decimal128:
		n = a.Value(i).BigInt()
	case *array.Decimal256:
		n = a.Value(i).BigInt()
	default:
		return "", false
	}
	return scaled(n, a.DataType().(arrow.DecimalType).GetScale()), true
}

// floatText is the shortest text that reads back, with a point where it would
// look like an integer.
func floatText(v float64, bits int) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 0):
		return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(v, 'g', -1, bits)), "+")
	}
	text := strconv.FormatFloat(v, 'g', -1, bits)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// String is the text that Parse reads.
func (s *Stream) String() string {
	var b strings.Builder
	for i, key := range s.Metadata.Keys() {
		fmt.Fprintf(&b, "@%s=%s\n", key, s.Metadata.Values()[i])
	}
	header := make([]string, len(s.Fields))
	for i, f := range s.Fields {
		header[i] = fieldText(f)
	}
	b.WriteString(strings.Join(header, " | ") + "\n")
	for i, batch := range s.Batches {
		if i > 0 || len(batch.Rows) == 0 || len(batch.Dictionaries) > 0 {
			b.WriteString(s.batchLine(batch) + "\n")
		}
		for _, row := range batch.Rows {
			cells := make([]string, len(row))
			for j, c := range row {
				cells[j] = c.String()
			}
			b.WriteString(strings.Join(cells, " | ") + "\n")
		}
	}
	return b.String()
}

func (s *Stream) batchLine(b Batch) string {
	line := "---"
	for i, f := range s.Fields {
		if entries, ok := b.Dictionaries[i]; ok {
			texts := make([]string, len(entries))
			for j, e := range entries {
				texts[j] = e.quoted()
			}
			line += " " + f.Name + "=[" + strings.Join(texts, ", ") + "]"
		}
	}
	return line
}

// String is the cell as it stands in a row.
func (c Cell) String() string {
	if !c.Null && c.plain() {
		return c.Text
	}
	return c.quoted()
}

func (c Cell) quoted() string {
	if c.Null {
		return "null"
	}
	return strconv.Quote(c.Text)
}

// plain says that the text means the same without quotes.
func (c Cell) plain() bool {
	t := c.Text
	if t == "" || t == "null" || strings.HasPrefix(t, "#") || strings.HasPrefix(t, "---") {
		return false
	}
	for _, r := range t {
		if r == '|' || r == '"' || r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return false
		}
	}
	return strings.TrimSpace(t) == t
}
