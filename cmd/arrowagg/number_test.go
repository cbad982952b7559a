package main

import (
	"cmp"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arrowtest"
)

// canonical is the text of a key: one for both zeros.
func canonical(dt arrow.DataType, c arrowtest.Cell) arrowtest.Cell {
	if c.Null || !isFloating(dt) {
		return c
	}
	v := parseNumber(dt, c.Text).float
	if v == 0 {
		v = 0 // not -0.0
	}
	return arrowtest.Cell{Text: floatCell(v, dt.(arrow.FixedWidthDataType).BitWidth())}
}

// compareKeys orders keys: nulls last, numbers by value, the rest by bytes
// (false before true; dates and instants of one type are text of one length).
func compareKeys(dt arrow.DataType, a, b arrowtest.Cell) int {
	switch {
	case a.Null != b.Null:
		return map[bool]int{true: 1, false: -1}[a.Null]
	case a.Null || !isNumeric(dt):
		return cmp.Compare(a.Text, b.Text)
	}
	return parseNumber(dt, a.Text).compare(parseNumber(dt, b.Text))
}

func isFloating(dt arrow.DataType) bool { return arrow.IsFloating(dt.ID()) }

func isNumeric(dt arrow.DataType) bool {
	return isFloating(dt) || arrow.IsInteger(dt.ID()) || arrow.IsDecimal(dt.ID()) || dt.ID() == arrow.DURATION
}

// number is an exact value; floats keep their double beside it, which alone
// knows NaN, infinities and the sign of zero.
type number struct {
	exact *big.Rat // nil: NaN or infinite
	float float64
}

func parseNumber(dt arrow.DataType, text string) number {
	if !isFloating(dt) {
		exact, ok := new(big.Rat).SetString(text)
		if !ok {
			panic(text)
		}
		return number{exact: exact}
	}
	v, err := strconv.ParseFloat(text, dt.(arrow.FixedWidthDataType).BitWidth())
	if err != nil {
		panic(err)
	}
	return number{exact: new(big.Rat).SetFloat64(v), float: v}
}

func (n number) plus(m number) number {
	if n.exact == nil || m.exact == nil {
		special := n.float + m.float // NaN and infinities follow IEEE
		switch {
		case n.exact != nil:
			special = m.float
		case m.exact != nil:
			special = n.float
		}
		return number{float: special}
	}
	return number{exact: new(big.Rat).Add(n.exact, m.exact)}
}

// double is the nearest double, ties to even; past the largest it is infinite.
func (n number) double() float64 {
	if n.exact == nil {
		return n.float
	}
	f, _ := n.exact.Float64()
	return f
}

// compare orders by value, -0.0 before 0.0, NaN last.
func (n number) compare(m number) int {
	switch nan := math.IsNaN(n.float); {
	case nan || math.IsNaN(m.float):
		return cmp.Compare(map[bool]int{true: 1}[nan], map[bool]int{true: 1}[math.IsNaN(m.float)])
	case n.exact == nil || m.exact == nil:
		return cmp.Compare(n.double(), m.double())
	}
	if c := n.exact.Cmp(m.exact); c != 0 {
		return c
	}
	return cmp.Compare(map[bool]int{true: -1}[math.Signbit(n.float)], map[bool]int{true: -1}[math.Signbit(m.float)])
}

func integer(n *big.Int) arrowtest.Cell { return arrowtest.Cell{Text: n.String()} }

// floatCell is the shortest text, plain from 1e-5 up to 1e17.
func floatCell(v float64, bits int) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 0):
		return map[bool]string{true: "-inf", false: "inf"}[v < 0]
	}
	scientific := strconv.FormatFloat(v, 'e', -1, bits)
	_, exponent, _ := strings.Cut(scientific, "e")
	if e, _ := strconv.Atoi(exponent); e < -5 || e >= 17 {
		return scientific
	}
	text := strconv.FormatFloat(v, 'f', -1, bits)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}
