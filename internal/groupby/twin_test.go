package groupby

import (
	"fmt"
	"math"
	"math/big"
	"sort"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// The twin does what the engine does, a row at a time, with maps and math/big.
// It is the judge: nothing of the engine's code is in it.

type twinGroup struct {
	key    []any
	table  [][]any // for functions of several columns
	in     []int   // the group's rows
	values [][]any // by aggregate: the values that are not null
	rows   int64
}

// twin returns the result rows in Spec.Order, or the text "overflow".
func twin(spec Spec, table [][]any) (rows [][]any, problem string) {
	groups := map[string]*twinGroup{}
	n := 0
	if len(table) > 0 {
		n = len(table[0])
	}
	if len(spec.Keys) == 0 {
		groups[""] = &twinGroup{table: table, values: make([][]any, len(spec.Aggregates))}
	}
	for row := range n {
		var id strings.Builder
		key := make([]any, len(spec.Keys))
		for k, def := range spec.Keys {
			key[k] = twinKey(table[def.Column][row])
			text := fmt.Sprintf("%T%v", key[k], key[k])
			fmt.Fprintf(&id, "%d:%s", len(text), text)
		}
		g := groups[id.String()]
		if g == nil {
			g = &twinGroup{key: key, table: table, values: make([][]any, len(spec.Aggregates))}
			groups[id.String()] = g
		}
		g.rows++
		g.in = append(g.in, row)
		for a, def := range spec.Aggregates {
			if len(def.Arguments) > 0 && table[def.Arguments[0]][row] != nil {
				g.values[a] = append(g.values[a], table[def.Arguments[0]][row])
			}
		}
	}
	var sorted []*twinGroup
	for _, g := range groups {
		sorted = append(sorted, g)
	}
	sort.Slice(sorted, func(i, j int) bool {
		for k := range spec.Keys {
			if c := twinCompare(sorted[i].key[k], sorted[j].key[k]); c != 0 {
				return c < 0
			}
		}
		return false
	})
	for _, g := range sorted {
		var out []any
		for _, r := range spec.Order {
			if !r.Aggregate {
				out = append(out, g.key[r.Index])
				continue
			}
			v, ok := twinAggregate(spec.Aggregates[r.Index], spec, g, r.Index)
			if !ok {
				return nil, "overflow"
			}
			out = append(out, v)
		}
		rows = append(rows, out)
	}
	return rows, ""
}

// twinKey makes equal what groups as equal.
func twinKey(c any) any {
	if f, ok := c.(float64); ok {
		if f != f {
			return math.NaN()
		}
		return f + 0 // -0.0 + 0 is 0.0
	}
	return c
}

// twinCompare orders cells of one type, nulls last, NaN after numbers.
func twinCompare(a, b any) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	less := func(x, y bool) int {
		switch {
		case x:
			return -1
		case y:
			return 1
		}
		return 0
	}
	switch a := a.(type) {
	case int64:
		return less(a < b.(int64), a > b.(int64))
	case uint64:
		return less(a < b.(uint64), a > b.(uint64))
	case string:
		return strings.Compare(a, b.(string))
	case *big.Int:
		return a.Cmp(b.(*big.Int))
	}
	x, y := a.(float64), b.(float64)
	switch {
	case x != x || y != y:
		return less(x == x && y != y, x != x && y == y)
	case x == 0 && y == 0:
		return less(math.Signbit(x) && !math.Signbit(y), !math.Signbit(x) && math.Signbit(y))
	}
	return less(x < y, x > y)
}

func twinAggregate(def Aggregate, spec Spec, g *twinGroup, a int) (v any, ok bool) {
	if len(def.Arguments) > 1 {
		return twinPair(def, spec, g), true
	}
	values := g.values[a]
	switch {
	case len(values) == 0:
	case def.Function.Name == "first":
		return values[0], true
	case def.Function.Name == "last":
		return values[len(values)-1], true
	}
	switch def.Function.Name {
	case "count":
		if len(def.Arguments) == 0 {
			return g.rows, true
		}
		return int64(len(values)), true
	case "count_distinct":
		return twinDistinct(values), true
	case "min", "max", "bool_and", "bool_or", "any_value":
		least := def.Function.Name != "max" && def.Function.Name != "bool_or"
		for i, c := range values {
			cmp := 0
			if i > 0 {
				cmp = twinCompare(c, v)
			}
			if i == 0 || (cmp < 0) == least && cmp != 0 {
				v = c
			}
		}
		return v, true
	}
	if len(values) == 0 {
		return nil, true
	}
	t := spec.Columns[def.Arguments[0]].Type
	if def.Function.Name == "median" || def.Function.Name == "quantile" {
		return twinQuantile(def.Function, values, t), true
	}
	switch def.Function.Name {
	case "var_samp", "var_pop", "stddev_samp", "stddev_pop":
		return twinSpread(def.Function.Name, values, t), true
	}
	if def.Function.Name == "mean" {
		sum := twinFloatSum(values, t)
		return sum / float64(len(values)), true
	}
	if def.Type.ID() == arrow.FLOAT64 {
		return twinFloatSum(values, t), true
	}
	sum := new(big.Int)
	for _, c := range values {
		sum.Add(sum, twinInt(c))
	}
	switch {
	case def.Type.ID() == arrow.UINT64:
		return sum.Uint64(), sum.IsUint64()
	case def.Type.ID() == arrow.INT64 || def.Type.ID() == arrow.DURATION:
		return sum.Int64(), sum.IsInt64()
	}
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(def.Type.(arrow.DecimalType).GetPrecision())), nil)
	return sum, sum.CmpAbs(limit) < 0
}

func twinInt(c any) *big.Int {
	switch c := c.(type) {
	case int64:
		return big.NewInt(c)
	case uint64:
		return new(big.Int).SetUint64(c)
	}
	return c.(*big.Int)
}

// twinFloatSum is the double nearest to the exact sum.
func twinFloatSum(values []any, t arrow.DataType) float64 {
	sum, special := new(big.Rat), 0.0
	for _, c := range values {
		f, ok := c.(float64)
		switch {
		case !ok:
			sum.Add(sum, new(big.Rat).SetInt(twinInt(c)))
		case f-f != 0:
			special += f
		default:
			sum.Add(sum, new(big.Rat).SetFloat64(f))
		}
	}
	if special != 0 {
		return special
	}
	if d, ok := t.(arrow.DecimalType); ok {
		power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(d.GetScale())), nil)
		sum.Quo(sum, new(big.Rat).SetInt(power))
	}
	f, _ := sum.Float64()
	return f
}
