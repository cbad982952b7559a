package main

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arrowtest"
	"arrowagg/internal/groupby"
)

// oracleFunction is what the oracle knows of an aggregate function.
type oracleFunction struct {
	takes func(dt arrow.DataType) bool // as each of its columns
	// result is the type of the result, nil that of the first column.
	result arrow.DataType
	// evaluate is the result over the rows of a group, for the cells of its
	// columns.
	evaluate func(c call, types []arrow.DataType, cells [][]arrowtest.Cell) arrowtest.Cell
}

// call is one aggregate of a question.
type call struct {
	function string
	fields   []int // none: count(*)
	p        string
	name     string
}

// text writes the call as -a has it.
func (c call) text(fields []arrow.Field) string {
	var arguments []string
	for _, f := range c.fields {
		arguments = append(arguments, fields[f].Name)
	}
	if len(c.fields) == 0 {
		arguments = []string{"*"}
	}
	if c.p != "" {
		arguments = append(arguments, c.p)
	}
	return fmt.Sprintf("%s(%s) as %s", c.function, strings.Join(arguments, ", "), c.name)
}

// oracleFunctions is every function of the table: sum and count apart, which
// may overflow and may have no column, each by its definition.
var oracleFunctions = map[string]oracleFunction{
	"sum":            {takes: isNumeric},
	"count":          {takes: anyType, result: arrow.PrimitiveTypes.Int64, evaluate: oracleValues},
	"min":            {takes: anyType, evaluate: chooses(-1)},
	"max":            {takes: anyType, evaluate: chooses(1)},
	"any_value":      {takes: anyType, evaluate: chooses(-1)},
	"bool_and":       {takes: isBool, evaluate: chooses(-1)},
	"bool_or":        {takes: isBool, evaluate: chooses(1)},
	"mean":           {takes: isMeasure, result: arrow.PrimitiveTypes.Float64, evaluate: oracleMean},
	"var_samp":       {takes: isMeasure, result: arrow.PrimitiveTypes.Float64, evaluate: oracleVariance},
	"var_pop":        {takes: isMeasure, result: arrow.PrimitiveTypes.Float64, evaluate: oracleVariance},
	"stddev_samp":    {takes: isMeasure, result: arrow.PrimitiveTypes.Float64, evaluate: oracleVariance},
	"stddev_pop":     {takes: isMeasure, result: arrow.PrimitiveTypes.Float64, evaluate: oracleVariance},
	"ratio":          {takes: isMeasure, result: arrow.PrimitiveTypes.Float64, evaluate: oracleRatio},
	"weighted_mean":  {takes: isMeasure, result: arrow.PrimitiveTypes.Float64, evaluate: oracleWeighted},
	"arg_min":        {takes: anyType, evaluate: oracleArg(-1)},
	"arg_max":        {takes: anyType, evaluate: oracleArg(1)},
	"first":          {takes: anyType, evaluate: oracleEnd(true)},
	"last":           {takes: anyType, evaluate: oracleEnd(false)},
	"count_distinct": {takes: anyType, result: arrow.PrimitiveTypes.Int64, evaluate: oracleDistinct},
	"median":         {takes: isMeasure, result: arrow.PrimitiveTypes.Float64, evaluate: oracleQuantile},
	"quantile":       {takes: isMeasure, result: arrow.PrimitiveTypes.Float64, evaluate: oracleQuantile},
}

// TestEveryFunctionHasAnOracle: a new function is judged from its first day.
func TestEveryFunctionHasAnOracle(t *testing.T) {
	for _, f := range groupby.Functions {
		if _, ok := oracleFunctions[f.Name]; !ok {
			t.Errorf("the oracle does not know %s", f.Name)
		}
	}
	if len(oracleFunctions) != len(groupby.Functions) {
		t.Errorf("the oracle knows %d functions, and there are %d", len(oracleFunctions), len(groupby.Functions))
	}
}

func anyType(arrow.DataType) bool      { return true }
func isBool(dt arrow.DataType) bool    { return dt.ID() == arrow.BOOL }
func isMeasure(dt arrow.DataType) bool { return isNumeric(dt) && dt.ID() != arrow.DURATION }
func double(v float64) arrowtest.Cell  { return arrowtest.Cell{Text: floatCell(v, 64)} }
func withValue(c []arrowtest.Cell) (kept []arrowtest.Cell) {
	return slices.DeleteFunc(slices.Clone(c), func(c arrowtest.Cell) bool { return c.Null })
}

func numbersOf(dt arrow.DataType, cells []arrowtest.Cell) (list []number) {
	for _, c := range withValue(cells) {
		list = append(list, parseNumber(dt, c.Text))
	}
	return list
}

func total(numbers []number) number {
	sum := number{exact: new(big.Rat)}
	for _, n := range numbers {
		sum = sum.plus(n)
	}
	return sum
}

// shown is a cell as the result has it: floats are written anew.
func shown(dt arrow.DataType, c arrowtest.Cell) arrowtest.Cell {
	if c.Null || !isFloating(dt) {
		return c
	}
	return arrowtest.Cell{Text: floatCell(parseNumber(dt, c.Text).float, dt.(arrow.FixedWidthDataType).BitWidth())}
}

func oracleValues(_ call, _ []arrow.DataType, cells [][]arrowtest.Cell) arrowtest.Cell {
	return integer(big.NewInt(int64(len(withValue(cells[0])))))
}

// chooses is the least value (-1) or the greatest (1).
func chooses(sign int) func(call, []arrow.DataType, [][]arrowtest.Cell) arrowtest.Cell {
	return func(_ call, types []arrow.DataType, cells [][]arrowtest.Cell) arrowtest.Cell {
		values := withValue(cells[0])
		if len(values) == 0 {
			return arrowtest.Null
		}
		return shown(types[0], slices.MaxFunc(values, func(a, b arrowtest.Cell) int {
			return sign * compareKeys(types[0], a, b)
		}))
	}
}

func oracleMean(_ call, types []arrow.DataType, cells [][]arrowtest.Cell) arrowtest.Cell {
	values := numbersOf(types[0], cells[0])
	if len(values) == 0 {
		return arrowtest.Null
	}
	return double(total(values).double() / float64(len(values)))
}

// oracleVariance is the mean of the squared distances from the mean.
func oracleVariance(c call, types []arrow.DataType, cells [][]arrowtest.Cell) arrowtest.Cell {
	values := numbersOf(types[0], cells[0])
	n := int64(len(values))
	below := n
	if strings.HasSuffix(c.function, "_samp") {
		below--
	}
	if below <= 0 {
		return arrowtest.Null
	}
	sum := total(values)
	if sum.exact == nil {
		return double(math.NaN())
	}
	mean := new(big.Rat).Quo(sum.exact, new(big.Rat).SetInt64(n))
	squares := new(big.Rat)
	for _, v := range values {
		d := new(big.Rat).Sub(v.exact, mean)
		squares.Add(squares, d.Mul(d, d))
	}
	squares.Quo(squares, new(big.Rat).SetInt64(below))
	if strings.HasPrefix(c.function, "var") {
		v, _ := squares.Float64()
		return double(v)
	}
	f := new(big.Float).SetPrec(2400).SetRat(squares)
	v, _ := f.Sqrt(f).Float64()
	return double(v)
}

func oracleRatio(_ call, types []arrow.DataType, cells [][]arrowtest.Cell) arrowtest.Cell {
	a, b := numbersOf(types[0], cells[0]), numbersOf(types[1], cells[1])
	if len(a) == 0 || len(b) == 0 {
		return arrowtest.Null
	}
	return quotient(total(a), total(b))
}

func oracleWeighted(_ call, types []arrow.DataType, cells [][]arrowtest.Cell) arrowtest.Cell {
	var products, weights []number
	for i, x := range cells[0] {
		if w := cells[1][i]; !x.Null && !w.Null {
			a, b := parseNumber(types[0], x.Text), parseNumber(types[1], w.Text)
			products, weights = append(products, a.times(b)), append(weights, b)
		}
	}
	if len(weights) == 0 {
		return arrowtest.Null
	}
	return quotient(total(products), total(weights))
}

func (n number) times(m number) number {
	if n.exact != nil && m.exact != nil {
		return number{exact: new(big.Rat).Mul(n.exact, m.exact)}
	}
	return number{float: n.sign() * m.sign()} // NaN, or an infinity, or infinity times zero
}

// sign is the sign of a finite number, and the double that any other is.
func (n number) sign() float64 {
	if n.exact == nil {
		return n.float
	}
	return float64(n.exact.Sign())
}

// quotient divides sums: by zero there is no answer, and infinite ones divide as
// doubles do.
func quotient(a, b number) arrowtest.Cell {
	switch {
	case b.exact != nil && b.exact.Sign() == 0:
		return arrowtest.Null
	case a.exact != nil && b.exact != nil:
		return double(number{exact: new(big.Rat).Quo(a.exact, b.exact)}.double())
	case a.exact == nil && b.exact == nil, math.IsNaN(a.sign()), math.IsNaN(b.sign()):
		return double(math.NaN())
	case b.exact == nil:
		return double(0)
	}
	return double(a.float * b.sign())
}

func oracleArg(sign int) func(call, []arrow.DataType, [][]arrowtest.Cell) arrowtest.Cell {
	return func(_ call, types []arrow.DataType, cells [][]arrowtest.Cell) arrowtest.Cell {
		best := -1
		for i, by := range cells[1] {
			if by.Null {
				continue
			}
			if best >= 0 {
				c := sign * compareKeys(types[1], by, cells[1][best])
				if c < 0 || c == 0 && compareKeys(types[0], cells[0][i], cells[0][best]) >= 0 {
					continue
				}
			}
			best = i
		}
		if best < 0 {
			return arrowtest.Null
		}
		return shown(types[0], cells[0][best])
	}
}

func oracleEnd(first bool) func(call, []arrow.DataType, [][]arrowtest.Cell) arrowtest.Cell {
	return func(_ call, types []arrow.DataType, cells [][]arrowtest.Cell) arrowtest.Cell {
		values := withValue(cells[0])
		switch {
		case len(values) == 0:
			return arrowtest.Null
		case first:
			return shown(types[0], values[0])
		}
		return shown(types[0], values[len(values)-1])
	}
}

func oracleDistinct(_ call, types []arrow.DataType, cells [][]arrowtest.Cell) arrowtest.Cell {
	seen := map[string]bool{}
	for _, c := range withValue(cells[0]) {
		seen[canonical(types[0], c).Text] = true
	}
	return integer(big.NewInt(int64(len(seen))))
}

// oracleQuantile is x[i] + (h-i) (x[i+1] - x[i]) at h = p (n-1).
func oracleQuantile(c call, types []arrow.DataType, cells [][]arrowtest.Cell) arrowtest.Cell {
	values := numbersOf(types[0], cells[0])
	if len(values) == 0 {
		return arrowtest.Null
	}
	slices.SortFunc(values, number.compare)
	h, _ := new(big.Rat).SetString(cmp.Or(c.p, "0.5"))
	h.Mul(h, new(big.Rat).SetInt64(int64(len(values)-1)))
	i := int(new(big.Int).Quo(h.Num(), h.Denom()).Int64())
	h.Sub(h, new(big.Rat).SetInt64(int64(i)))
	a := values[i]
	if h.Sign() == 0 || a.compare(values[i+1]) == 0 {
		return double(a.double() + 0)
	}
	b := values[i+1]
	if a.exact == nil || b.exact == nil {
		return double(a.plus(b).float)
	}
	d := new(big.Rat).Sub(b.exact, a.exact)
	return double(number{exact: d.Add(d.Mul(d, h), a.exact)}.double())
}
