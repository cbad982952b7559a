package main

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arrowtest"
)

// oracle computes what arrowagg -f csv must print, a row at a time, from the
// text of the cells: a Go map for the groups, math/big for the numbers, and
// nothing shared with what it judges.
type oracle struct {
	fields []arrow.Field
	rows   []arrowtest.Row
	groups map[string]*group
}

type group struct {
	key     []arrowtest.Cell
	members []arrowtest.Row
}

// question is a bound query: field indices of the keys and what to compute.
// columns orders the output: key i is i, aggregate i is ^i.
type question struct {
	keys        []int
	aggregates  []call
	columns     []int
	decimalSums bool // of integers
}

// answer is the CSV text, or the error that some group overflows.
func (o *oracle) answer(q question) (string, error) {
	o.groups = map[string]*group{}
	for _, row := range o.rows {
		var id strings.Builder
		key := make([]arrowtest.Cell, len(q.keys))
		for i, f := range q.keys {
			key[i] = canonical(o.fields[f].Type, row[f])
			fmt.Fprintf(&id, "%v:%d:%s;", key[i].Null, len(key[i].Text), key[i].Text)
		}
		g := o.groups[id.String()]
		if g == nil {
			g = &group{key: key}
			o.groups[id.String()] = g
		}
		g.members = append(g.members, row)
	}
	if len(q.keys) == 0 && len(o.groups) == 0 {
		o.groups[""] = &group{}
	}
	var sorted []*group
	for _, g := range o.groups {
		sorted = append(sorted, g)
	}
	slices.SortFunc(sorted, func(a, b *group) int {
		for i, f := range q.keys {
			if c := compareKeys(o.fields[f].Type, a.key[i], b.key[i]); c != 0 {
				return c
			}
		}
		return 0
	})
	return o.print(q, sorted)
}

func (o *oracle) print(q question, groups []*group) (string, error) {
	var out strings.Builder
	line := func(cell func(c int) arrowtest.Cell) {
		for i, c := range q.columns {
			if i > 0 {
				out.WriteByte(',')
			}
			out.WriteString(csvCell(cell(c)))
		}
		out.WriteByte('\n')
	}
	line(func(c int) arrowtest.Cell {
		if c >= 0 {
			return arrowtest.Cell{Text: o.fields[q.keys[c]].Name}
		}
		return arrowtest.Cell{Text: q.aggregates[^c].name}
	})
	var overflow error
	for _, g := range groups {
		line(func(c int) arrowtest.Cell {
			if c >= 0 {
				return g.key[c]
			}
			cell, err := o.evaluate(q, q.aggregates[^c], g.members)
			if err != nil {
				overflow = err
			}
			return cell
		})
	}
	return out.String(), overflow
}

func csvCell(c arrowtest.Cell) string {
	if c.Null {
		return ""
	}
	if c.Text == "" || strings.ContainsAny(c.Text, ",\"\r\n") {
		return `"` + strings.ReplaceAll(c.Text, `"`, `""`) + `"`
	}
	return c.Text
}

func (o *oracle) evaluate(q question, c call, rows []arrowtest.Row) (arrowtest.Cell, error) {
	if len(c.fields) == 0 {
		return integer(big.NewInt(int64(len(rows)))), nil
	}
	var types []arrow.DataType
	cells := make([][]arrowtest.Cell, len(c.fields))
	for k, f := range c.fields {
		types = append(types, o.fields[f].Type)
		for _, row := range rows {
			cells[k] = append(cells[k], row[f])
		}
	}
	if c.function != "sum" {
		return oracleFunctions[c.function].evaluate(c, types, cells), nil
	}
	values := numbersOf(types[0], cells[0])
	if len(values) == 0 {
		return arrowtest.Null, nil
	}
	if q.decimalSums && arrow.IsInteger(types[0].ID()) {
		types[0] = &arrow.Decimal128Type{Precision: 38}
	}
	return sumCell(types[0], total(values))
}

func sumCell(dt arrow.DataType, sum number) (arrowtest.Cell, error) {
	switch {
	case isFloating(dt):
		return arrowtest.Cell{Text: floatCell(sum.double(), 64)}, nil
	case arrow.IsDecimal(dt.ID()):
		digits, scale := int64(38), int(dt.(arrow.DecimalType).GetScale())
		if dt.ID() == arrow.DECIMAL256 {
			digits = 76
		}
		limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(digits), nil)
		unscaled, _ := new(big.Int).SetString(strings.Replace(sum.exact.FloatString(scale), ".", "", 1), 10)
		if unscaled.CmpAbs(limit) >= 0 {
			return arrowtest.Null, fmt.Errorf("%s does not fit", unscaled)
		}
		return arrowtest.Cell{Text: sum.exact.FloatString(scale)}, nil
	case arrow.IsUnsignedInteger(dt.ID()) && !sum.exact.Num().IsUint64(),
		!arrow.IsUnsignedInteger(dt.ID()) && !sum.exact.Num().IsInt64():
		return arrowtest.Null, fmt.Errorf("%s does not fit", sum.exact)
	}
	return integer(sum.exact.Num()), nil
}
