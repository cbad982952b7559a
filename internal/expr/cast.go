package expr

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/civil"
	"arrowagg/internal/syntax"
	"arrowagg/internal/zone"
)

// castHint lists what a cast can make.
const castHint = "casts make timestamp[unit] or timestamp[unit, zone] of timestamps, date32 of timestamps and dates, " +
	"int8 to uint64 of whole numbers"

var integerTypes = map[string]arrow.DataType{
	"int8": arrow.PrimitiveTypes.Int8, "int16": arrow.PrimitiveTypes.Int16,
	"int32": arrow.PrimitiveTypes.Int32, "int64": arrow.PrimitiveTypes.Int64,
	"uint8": arrow.PrimitiveTypes.Uint8, "uint16": arrow.PrimitiveTypes.Uint16,
	"uint32": arrow.PrimitiveTypes.Uint32, "uint64": arrow.PrimitiveTypes.Uint64,
}

var units = map[string]arrow.TimeUnit{
	"s": arrow.Second, "ms": arrow.Millisecond, "us": arrow.Microsecond, "ns": arrow.Nanosecond,
}

// CastType is the type that a cast makes of values of type from. A timestamp
// whose zone is not written keeps the one that it has: a cast to another unit
// changes no clock.
func CastType(text string, from arrow.DataType) (arrow.DataType, error) {
	to, err := parseType(text)
	if err != nil {
		return nil, err
	}
	if t, ok := to.(*arrow.TimestampType); ok && t.TimeZone == "" {
		if f, ok := from.(*arrow.TimestampType); ok {
			t.TimeZone = f.TimeZone
		}
	}
	return to, nil
}

// parseType reads the type that a cast is written with.
func parseType(text string) (arrow.DataType, error) {
	if dt, ok := integerTypes[text]; ok {
		return dt, nil
	}
	if text == "date32" {
		return arrow.FixedWidthTypes.Date32, nil
	}
	inside, ok := strings.CutPrefix(text, "timestamp[")
	inside, closed := strings.CutSuffix(inside, "]")
	unit, name, zoned := strings.Cut(inside, ",")
	u, known := units[strings.TrimSpace(unit)]
	if !ok || !closed || !known {
		return nil, fmt.Errorf("no cast to type %s", text)
	}
	t := &arrow.TimestampType{Unit: u}
	if zoned {
		t.TimeZone = strings.TrimSpace(name)
		if _, err := zone.Load(t.TimeZone); err != nil {
			return nil, err
		}
		if zone.IsUTC(t.TimeZone) {
			t.TimeZone = "UTC"
		}
	}
	return t, nil
}

// cast binds cast(x as type).
func (b *binder) cast(e *syntax.Cast) value {
	x, from := b.value(e.X)
	var of arrow.DataType
	if x != nil {
		of = x.dataType()
	}
	to, err := CastType(e.Type, of)
	if err != nil {
		at, end := e.TypeSpan()
		wrong := syntax.ErrorAt(b.src, at, end, err.Error())
		wrong.Hint = castHint
		b.errs = append(b.errs, wrong)
	}
	if err != nil || x == nil {
		return nil
	}
	target, _ := classOf(to)
	possible := from == target || from == classNone ||
		target == classDate && (from == classLocal || from == classInstant)
	if !possible {
		b.fail(e, castHint, "%s does not become %s by a cast", from, target)
		return nil
	}
	b.cutsDates = b.cutsDates || target == classDate
	c := &conversion{x: x, to: to, number: b.outputs}
	b.outputs++
	if target == classDate && from == classInstant {
		name := b.scope.Zone
		if name == "" {
			name = x.dataType().(*arrow.TimestampType).TimeZone
		}
		loc, err := zone.Load(name)
		if err != nil {
			b.fail(e, "", "%s", err)
			return nil
		}
		c.local = func() *zone.Days { return zone.NewDays(loc) }
	}
	return c
}

// conversion is a value in another type. Timestamps lose what is below the new
// unit, downwards; numbers have to be whole and to fit.
type conversion struct {
	x      value
	to     arrow.DataType
	local  func() *zone.Days // of dates in a zone
	number int
}

func (c *conversion) dataType() arrow.DataType { return c.to }

func (c *conversion) compute(e *evaluator) (*vector, error) {
	v, err := c.x.compute(e)
	if err != nil || v.form == formNone {
		return v, err
	}
	convert := c.converter(v)
	out := vector{typ: c.to, n: v.n, valid: v.valid}
	out.form, _ = formOf(c.to)
	e.outputs[c.number] = sized(e.outputs[c.number], v.n)
	out.words = e.outputs[c.number]
	for i := range e.rows {
		out.words[i] = 0
		if !v.has(i) {
			continue
		}
		w, ok := convert(i)
		if !ok {
			return nil, &ValueError{Row: int64(i), Text: fmt.Sprintf("%s %s does not become %s", v.typ, v.text(i), c.to)}
		}
		out.words[i] = w
	}
	return &out, nil
}

// text shows the number in row i, of temporal types and decimals in their
// units.
func (v *vector) text(i int) string {
	switch v.form {
	case formFloat:
		return strconv.FormatFloat(math.Float64frombits(v.words[i]), 'g', -1, 64)
	case formWide:
		return v.wide[i].String()
	case formUnsigned:
		return strconv.FormatUint(v.words[i], 10)
	}
	return strconv.FormatInt(int64(v.words[i]), 10)
}

// converter returns the function that converts row i of a vector.
func (c *conversion) converter(v *vector) func(i int) (uint64, bool) {
	if target, ok := formOf(c.to); ok && c.to.ID() != arrow.TIMESTAMP && c.to.ID() != arrow.DATE32 {
		return func(i int) (uint64, bool) { return v.whole(i, target, c.to.(arrow.FixedWidthDataType).BitWidth()) }
	}
	from, ok := v.typ.(*arrow.TimestampType)
	if !ok { // a date
		perDay := int64(1)
		if v.typ.ID() == arrow.DATE64 {
			perDay = civil.SecondsPerDay * 1000
		}
		return func(i int) (uint64, bool) { return day32(civil.Split(int64(v.words[i]), perDay)) }
	}
	size := perSecond(from.Unit)
	to, ok := c.to.(*arrow.TimestampType)
	switch {
	case ok && perSecond(to.Unit) <= size:
		factor := size / perSecond(to.Unit)
		return func(i int) (uint64, bool) {
			n, _ := civil.Split(int64(v.words[i]), factor)
			return uint64(n), true
		}
	case ok:
		factor := perSecond(to.Unit) / size
		return func(i int) (uint64, bool) {
			n := int64(v.words[i])
			return uint64(n * factor), n*factor/factor == n
		}
	case c.local == nil:
		return func(i int) (uint64, bool) { return day32(civil.Split(int64(v.words[i]), civil.SecondsPerDay*size)) }
	}
	days := c.local()
	return func(i int) (uint64, bool) {
		seconds, _ := civil.Split(int64(v.words[i]), size)
		if !zone.InRange(seconds) {
			return 0, false
		}
		return day32(days.Of(seconds), 0)
	}
}

// day32 is a day that date32 holds.
func day32(day, _ int64) (uint64, bool) { return uint64(day), int64(int32(day)) == day }

// whole is the number in row i as an integer of that width.
func (v *vector) whole(i int, target form, width int) (uint64, bool) {
	x, beyond := v.rational(i)
	if beyond != 0 || !x.IsInt() {
		return 0, false
	}
	n := x.Num()
	if target == formUnsigned {
		return n.Uint64(), n.Sign() >= 0 && n.BitLen() <= width
	}
	limit := new(big.Int).Lsh(big.NewInt(1), uint(width-1))
	return uint64(n.Int64()), n.Cmp(limit) < 0 && n.Cmp(limit.Neg(limit)) >= 0
}
