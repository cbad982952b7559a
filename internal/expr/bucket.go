package expr

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/civil"
	"arrowagg/internal/syntax"
	"arrowagg/internal/zone"
)

// Width is the width of time buckets: a span that counts from
// 1970-01-01T00:00Z, or a number of days, weeks or months of a calendar.
// Exactly one is not zero.
type Width struct {
	Nanos  int64 // below a day
	Days   int64
	Weeks  int64 // from Monday on
	Months int64
}

const nanosPerDay = civil.SecondsPerDay * 1_000_000_000

// dateUnits are the units of date_trunc.
var dateUnits = []struct {
	name  string
	width Width
}{
	{"nanosecond", Width{Nanos: 1}},
	{"microsecond", Width{Nanos: 1e3}},
	{"millisecond", Width{Nanos: 1e6}},
	{"second", Width{Nanos: 1e9}},
	{"minute", Width{Nanos: 60e9}},
	{"hour", Width{Nanos: 3600e9}},
	{"day", Width{Days: 1}},
	{"week", Width{Weeks: 1}},
	{"month", Width{Months: 1}},
	{"quarter", Width{Months: 3}},
	{"year", Width{Months: 12}},
}

// ParseDateUnit reads the unit of date_trunc.
func ParseDateUnit(text string) (Width, error) {
	for _, u := range dateUnits {
		if strings.EqualFold(u.name, text) {
			return u.width, nil
		}
	}
	return Width{}, fmt.Errorf("%q is no unit: it is one of %s", text, strings.Join(dateUnitNames(), ", "))
}

// dateUnitNames are those of all units of date_trunc, the smallest first.
func dateUnitNames() []string {
	var names []string
	for _, u := range dateUnits {
		names = append(names, u.name)
	}
	return names
}

// ParseWidth reads a width of time_bucket: 15m, 1h30m, 2d, 1w, 3mo, 1y.
func ParseWidth(text string) (Width, error) {
	wrong := fmt.Errorf("%q is no width such as 15m, 1h, 1d, 1w, 3mo or 1y", text)
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	n, ok := new(big.Int).SetString(text[:digits], 10)
	const most = 1e6 // of days, weeks, months, years: more than anybody's data spans
	small := ok && n.Sign() > 0 && n.Cmp(big.NewInt(most)) <= 0
	switch unit := text[digits:]; {
	case unit == "d" && small:
		return Width{Days: n.Int64()}, nil
	case unit == "w" && small:
		return Width{Weeks: n.Int64()}, nil
	case unit == "mo" && small:
		return Width{Months: n.Int64()}, nil
	case unit == "y" && small:
		return Width{Months: 12 * n.Int64()}, nil
	}
	seconds, err := ParseSpan(text)
	if err != nil {
		return Width{}, wrong
	}
	nanos, whole := floor(seconds.Mul(seconds, pow10(9)))
	if !whole || nanos.Sign() <= 0 || nanos.Cmp(big.NewInt(nanosPerDay)) > 0 {
		return Width{}, fmt.Errorf("%w: a span of at most a day, or whole days, weeks, months or years", wrong)
	}
	if nanos.Int64() == nanosPerDay {
		return Width{Days: 1}, nil
	}
	return Width{Nanos: nanos.Int64()}, nil
}

// bucketCall binds a Function: f(width, x).
func (b *binder) bucketCall(c *syntax.Call, parse func(string) (Width, error)) value {
	if c.Star || len(c.Arguments) != 2 {
		b.fail(c, FunctionsHint, "%s takes two arguments", c.Function)
		return nil
	}
	var w Width
	var err error
	switch a := c.Arguments[0].(type) {
	case *syntax.Name:
		w, err = parse(a.Text)
	case *syntax.Literal:
		w, err = parse(a.Text)
	default:
		err = fmt.Errorf("expected a width")
	}
	if err != nil {
		b.fail(c.Arguments[0], "", "%s", err)
	}
	x, class := b.value(c.Arguments[1])
	b.cutsDates = b.cutsDates || err == nil && w.Nanos == 0
	switch {
	case x == nil || err != nil:
		return nil
	case class == classNone:
		return x // nulls stay nulls
	case class != classDate && class != classLocal && class != classInstant:
		b.fail(c.Arguments[1], "", "%s takes timestamps and dates, not %s", c.Function, class)
		return nil
	case class == classDate && w.Nanos != 0:
		b.fail(c.Arguments[0], "", "dates have no parts below a day")
		return nil
	}
	name := b.scope.Zone
	if t, ok := x.dataType().(*arrow.TimestampType); ok && name == "" {
		name = t.TimeZone
	}
	if class != classInstant {
		name = ""
	}
	k := &bucket{x: x, width: w, number: b.outputs}
	if name != "" && w.Nanos == 0 {
		loc, err := zone.Load(name)
		if err != nil {
			b.fail(c, "", "%s", err)
			return nil
		}
		k.local = func() *zone.Days { return zone.NewDays(loc) }
	}
	b.outputs++
	return k
}

// bucket is the beginning of the bucket that a date or timestamp lies in, in
// the type of x.
type bucket struct {
	x      value
	width  Width
	local  func() *zone.Days // nil: dates are UTC's, or the clock's own
	number int
}

func (k *bucket) dataType() arrow.DataType { return k.x.dataType() }

func (k *bucket) compute(e *evaluator) (*vector, error) {
	v, err := k.x.compute(e)
	if err != nil || v.form == formNone {
		return v, err
	}
	out := *v
	out.typ = k.resultType(v.typ)
	begin, least := k.beginner(v.typ, out.typ), leastOf(out.typ)
	e.outputs[k.number] = sized(e.outputs[k.number], v.n)
	out.words = e.outputs[k.number]
	for i := range e.rows {
		if !v.has(i) {
			out.words[i] = 0
			continue
		}
		start, ok := begin(int64(v.words[i]))
		if !ok || start < least {
			return nil, &ValueError{
				Row:  int64(i),
				Text: fmt.Sprintf("%s %d lies in a bucket that the type does not hold", v.typ, int64(v.words[i])),
			}
		}
		out.words[i] = uint64(start)
	}
	return &out, nil
}

// resultType is the type of the beginnings of buckets of values of a batch's
// type: the same, but where buckets begin between two of its units. There it is
// the one that all inputs agreed on, so that a bucket begins at the same
// instant in all of them.
func (k *bucket) resultType(dt arrow.DataType) arrow.DataType {
	if k.width.Nanos%(nanosPerDay/unitsPerDay(dt)) != 0 {
		return k.dataType()
	}
	return dt
}

// leastOf is the least value of a type. A bucket begins before what lies in
// it, so that no other end is to be watched.
func leastOf(dt arrow.DataType) int64 {
	if dt.ID() == arrow.DATE32 {
		return math.MinInt32
	}
	return math.MinInt64
}

func unitsPerDay(dt arrow.DataType) int64 {
	switch t := dt.(type) {
	case *arrow.TimestampType:
		return civil.SecondsPerDay * perSecond(t.Unit)
	case *arrow.Date64Type:
		return civil.SecondsPerDay * 1000
	}
	return 1
}

// beginner returns the function that finds the beginning of the bucket of a
// value of type dt, in the units of type to.
func (k *bucket) beginner(dt, to arrow.DataType) func(int64) (int64, bool) {
	perDay := unitsPerDay(dt)
	if k.width.Nanos != 0 {
		return k.spans(perDay, unitsPerDay(to))
	}
	if k.local == nil {
		return func(v int64) (int64, bool) {
			day, _ := civil.Split(v, perDay)
			return times(k.width.begin(day), perDay, v)
		}
	}
	days, perSecond := k.local(), perDay/civil.SecondsPerDay
	return func(v int64) (int64, bool) {
		seconds, _ := civil.Split(v, perSecond)
		if !zone.InRange(seconds) {
			return 0, false
		}
		return times(days.Begin(k.width.begin(days.Of(seconds))), perSecond, v)
	}
}

func perSecond(u arrow.TimeUnit) int64 {
	return [...]int64{1, 1e3, 1e6, 1e9}[u]
}

// spans cuts at the multiples of a span below a day. A bucket may begin between
// two units, as every other one of 1500 ms in a column of seconds does; it is
// then named by the first unit in it.
func (k *bucket) spans(perDay, toPerDay int64) func(int64) (int64, bool) {
	nanosPerUnit := nanosPerDay / perDay
	if k.width.Nanos%nanosPerUnit == 0 && perDay == toPerDay {
		units := k.width.Nanos / nanosPerUnit
		return func(v int64) (int64, bool) {
			_, rest := civil.Split(v, units)
			return v - rest, v >= math.MinInt64+rest
		}
	}
	span := big.NewInt(k.width.Nanos)
	unit, to := big.NewInt(nanosPerUnit), big.NewInt(nanosPerDay/toPerDay)
	return func(v int64) (int64, bool) {
		n := new(big.Int).Mul(big.NewInt(v), unit)
		n.Sub(n, new(big.Int).Mod(n, span))
		q, rest := n.DivMod(n, to, new(big.Int))
		if rest.Sign() > 0 {
			q.Add(q, big.NewInt(1))
		}
		return q.Int64(), q.IsInt64()
	}
}

// begin is the first day of the bucket that a day lies in, for widths of a day
// and more. Days count from 1970-01-01, weeks from the Monday of its week,
// months from its January.
func (w Width) begin(day int64) int64 {
	switch {
	case w.Days != 0:
		_, rest := civil.Split(day, w.Days)
		return day - rest
	case w.Weeks != 0:
		const monday = 3 // days from 1969-12-29 to 1970-01-01
		_, rest := civil.Split(day, 7)
		weekday := (rest + monday) % 7
		week := (day - weekday + monday) / 7
		_, rest = civil.Split(week, w.Weeks)
		return day - weekday - 7*rest
	}
	d := civil.FromDays(day)
	month := 12*(d.Year-1970) + int64(d.Month) - 1
	_, rest := civil.Split(month, w.Months)
	month -= rest
	year, of := civil.Split(month, 12)
	return civil.Date{Year: 1970 + year, Month: int(of) + 1, Day: 1}.Days()
}

// times is n units of size each, if that is a number before v or v itself: the
// first buckets of all reach below what 64 bits hold.
func times(n, size, v int64) (int64, bool) {
	product := n * size
	return product, product/size == n && product <= v
}
