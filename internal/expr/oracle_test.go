package expr

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arrowtest"
	"arrowagg/internal/syntax"
)

// oracle answers conditions one row at a time, from the cells' text, by
// rational numbers and the standard library's time.
type oracle struct {
	fields []arrow.Field
	row    arrowtest.Row
}

// answers of the oracle
const (
	no      = 0
	unknown = 1
	yes     = 2
)

// cellValue is a number, or a float beyond numbers (as a float), or bytes.
type cellValue struct {
	null   bool
	number *big.Rat
	beyond float64
	bytes  string
	class  class
	typ    arrow.DataType
}

func (o *oracle) condition(e syntax.Expr) int {
	switch e := e.(type) {
	case *syntax.Logic:
		answer := o.condition(e.Terms[0])
		for _, term := range e.Terms[1:] {
			if e.Or {
				answer = max(answer, o.condition(term))
			} else {
				answer = min(answer, o.condition(term))
			}
		}
		return answer
	case *syntax.Not:
		return yes - o.condition(e.X)
	case *syntax.Compare:
		return o.compare(e.Op, e.Left, e.Right)
	case *syntax.In:
		answer := no
		for _, item := range e.List {
			answer = max(answer, o.compare(syntax.Equal, e.X, item))
		}
		return invert(e.Negated, answer)
	case *syntax.Between:
		return invert(e.Negated, min(o.compare(syntax.GreaterOrEqual, e.X, e.Low), o.compare(syntax.LessOrEqual, e.X, e.High)))
	case *syntax.Like:
		v := o.cell(e.X.(*syntax.Name))
		if v.null {
			return unknown
		}
		return invert(e.Negated, truthOf(likeSlowly([]rune(v.bytes), []rune(e.Pattern.Text))))
	case *syntax.IsNull:
		return invert(e.Negated, truthOf(o.cell(e.X.(*syntax.Name)).null))
	case *syntax.Literal:
		return truthOf(e.Kind == syntax.True)
	}
	v := o.cell(e.(*syntax.Name))
	if v.null {
		return unknown
	}
	return truthOf(v.number.Sign() != 0)
}

func truthOf(b bool) int {
	if b {
		return yes
	}
	return no
}

func invert(negated bool, answer int) int {
	if negated {
		return yes - answer
	}
	return answer
}

func likeSlowly(text, pattern []rune) bool {
	switch {
	case len(pattern) == 0:
		return len(text) == 0
	case pattern[0] == '%':
		return likeSlowly(text, pattern[1:]) || len(text) > 0 && likeSlowly(text[1:], pattern)
	}
	return len(text) > 0 && (pattern[0] == '_' || pattern[0] == text[0]) && likeSlowly(text[1:], pattern[1:])
}

func (o *oracle) compare(op syntax.Op, left, right syntax.Expr) int {
	if isCondition(left) || isCondition(right) {
		a, b := o.condition(left), o.condition(right)
		if a == unknown || b == unknown {
			return unknown
		}
		return truthOf(holds(op, a-b))
	}
	a, b := o.operand(left, right), o.operand(right, left)
	if a.null || b.null {
		return unknown
	}
	return truthOf(holds(op, a.compare(b)))
}

func holds(op syntax.Op, c int) bool {
	return map[syntax.Op]bool{
		syntax.Equal: c == 0, syntax.NotEqual: c != 0, syntax.Less: c < 0,
		syntax.LessOrEqual: c <= 0, syntax.Greater: c > 0, syntax.GreaterOrEqual: c >= 0,
	}[op]
}

func (v cellValue) compare(w cellValue) int {
	switch {
	case v.number == nil && w.number == nil && v.beyond == 0 && w.beyond == 0:
		return strings.Compare(v.bytes, w.bytes)
	case v.number != nil && w.number != nil:
		return v.number.Cmp(w.number)
	}
	rank := func(v cellValue) int {
		switch {
		case v.number != nil:
			return 0
		case math.IsNaN(v.beyond):
			return 2
		}
		return int(math.Copysign(1, v.beyond))
	}
	return rank(v) - rank(w)
}

// operand is a cell, or a literal read for what it is compared with.
func (o *oracle) operand(e, other syntax.Expr) cellValue {
	if n, ok := e.(*syntax.Name); ok {
		return o.cell(n)
	}
	l := e.(*syntax.Literal)
	n, ok := other.(*syntax.Name)
	if !ok {
		return cellValue{number: big.NewRat(int64(truthOf(l.Kind == syntax.True)), yes)}
	}
	f := o.field(n.Text)
	c, _ := classOf(f.Type)
	v := cellValue{class: c, typ: f.Type}
	switch c {
	case classNone:
		v.null = true
	case classTruth:
		v.number = big.NewRat(int64(truthOf(l.Kind == syntax.True)/yes), 1)
	case classNumber:
		if l.Kind == syntax.Text {
			v.beyond, _ = strconv.ParseFloat(l.Text, 64)
			break
		}
		v.number, _ = new(big.Rat).SetString(l.Text)
		bits := map[arrow.Type]int{arrow.FLOAT32: 32, arrow.FLOAT64: 64}[f.Type.ID()]
		if bits != 0 {
			x, _ := strconv.ParseFloat(l.Text, bits)
			v.setFloat(x)
		}
	case classText:
		v.bytes = l.Text
	case classBinary:
		v.bytes = binaryOf(l.Text)
	case classDate:
		at, _ := time.Parse("2006-01-02", l.Text)
		v.number = big.NewRat(at.Unix(), 86400)
	case classClock:
		at, _ := time.Parse("15:04:05", l.Text)
		v.number = big.NewRat(int64(at.Sub(at.Truncate(24*time.Hour))), 1e9)
	case classSpan:
		d, _ := time.ParseDuration(l.Text)
		v.number = big.NewRat(int64(d), 1e9)
	case classLocal, classInstant:
		at, err := time.Parse("2006-01-02T15:04:05.999999999Z07:00", l.Text)
		if c == classLocal {
			at, err = time.Parse("2006-01-02T15:04:05.999999999", l.Text)
		}
		if err != nil {
			panic(err)
		}
		v.number = new(big.Rat).Add(big.NewRat(at.Unix(), 1), big.NewRat(int64(at.Nanosecond()), 1e9))
	}
	return v
}

// binaryOf reads \x and two digits a byte, or the bytes themselves.
func binaryOf(text string) string {
	if !strings.HasPrefix(text, `\x`) {
		return text
	}
	var b []byte
	for i := 2; i < len(text); i += 2 {
		n, _ := strconv.ParseUint(text[i:i+2], 16, 8)
		b = append(b, byte(n))
	}
	return string(b)
}

func (v *cellValue) setFloat(x float64) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		v.number, v.beyond = nil, x
		return
	}
	v.number = new(big.Rat).SetFloat64(x)
}

func (o *oracle) field(name string) arrow.Field {
	for _, f := range o.fields {
		if f.Name == name {
			return f
		}
	}
	panic("no field " + name)
}

func (o *oracle) cell(n *syntax.Name) cellValue {
	for i, f := range o.fields {
		if f.Name == n.Text {
			return cellOf(o.row[i], f.Type)
		}
	}
	panic("no column " + n.Text)
}

func cellOf(c arrowtest.Cell, dt arrow.DataType) cellValue {
	class, _ := classOf(dt)
	v := cellValue{class: class, typ: dt, null: c.Null}
	if c.Null {
		return v
	}
	switch class {
	case classTruth:
		v.number = big.NewRat(int64(truthOf(c.Text == "true")/yes), 1)
	case classText:
		v.bytes = c.Text
	case classBinary:
		v.bytes = binaryOf(c.Text)
	case classNumber:
		if f, _ := formOf(dt); f == formFloat {
			x, _ := strconv.ParseFloat(c.Text, dt.(arrow.FixedWidthDataType).BitWidth())
			v.setFloat(x)
			break
		}
		v.number, _ = new(big.Rat).SetString(c.Text)
	default: // integers in their unit
		v.number, _ = new(big.Rat).SetString(c.Text)
		perUnit := map[arrow.TimeUnit]int64{arrow.Second: 1, arrow.Millisecond: 1e3, arrow.Microsecond: 1e6, arrow.Nanosecond: 1e9}
		switch t := dt.(type) {
		case *arrow.TimestampType:
			v.number.Quo(v.number, big.NewRat(perUnit[t.Unit], 1))
		case *arrow.DurationType:
			v.number.Quo(v.number, big.NewRat(perUnit[t.Unit], 1))
		case *arrow.Time32Type:
			v.number.Quo(v.number, big.NewRat(perUnit[t.Unit], 1))
		case *arrow.Date64Type:
			v.number.Quo(v.number, big.NewRat(86400000, 1))
		}
	}
	return v
}
