package planner

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/civil"
	"arrowagg/internal/expr"
	"arrowagg/internal/syntax"
	"arrowagg/internal/zone"
)

// value writes a value.
func (s *sqlScope) value(e syntax.Expr) sqlOperand {
	if x, ok := s.column(e); ok {
		return x
	}
	switch e := e.(type) {
	case *syntax.Call:
		return s.bucket(e)
	case *syntax.Cast:
		return s.cast(e)
	}
	panic("planner: " + e.String() + " was bound and is no value")
}

// zoneOf is the zone whose dates are cut, "" where the clock's own are.
func (s *sqlScope) zoneOf(dt arrow.DataType) string {
	t, ok := dt.(*arrow.TimestampType)
	switch {
	case !ok || t.TimeZone == "":
		return ""
	case s.plan.query.zone != "":
		return s.plan.query.zone
	}
	return t.TimeZone
}

// sessionNote is what DuckDB needs where it cuts instants: it cuts them by the
// session's zone, DataFusion by the column's.
const sessionNote = "in DuckDB: SET TimeZone = 'UTC'"

// local writes the clock of a zone, which only DuckDB can do and undo.
func (s *sqlScope) local(zone, x string) string {
	s.note("DuckDB only: DataFusion has no clock of a zone other than the column's")
	if strings.HasPrefix(zone, "+") || strings.HasPrefix(zone, "-") {
		s.note(neither + "DuckDB has no clock of a fixed offset such as " + zone)
	}
	return "timezone(" + sqlString(zone) + ", " + x + ")"
}

// bucket writes date_trunc and time_bucket.
func (s *sqlScope) bucket(c *syntax.Call) sqlOperand {
	x := s.value(c.Arguments[1])
	width := widthText(c.Arguments[0])
	var w expr.Width
	var begin func(x string) string
	if c.Function == "date_trunc" {
		w, _ = expr.ParseDateUnit(width) // it was bound
		if w.Nanos == 1 {
			return x
		}
		begin = func(x string) string { return "date_trunc(" + sqlString(strings.ToLower(width)) + ", " + x + ")" }
	} else {
		w, _ = expr.ParseWidth(width)
		s.note("DuckDB only: DataFusion has no time_bucket")
		begin = func(x string) string { return s.timeBucket(w, x) }
	}
	name := s.zoneOf(x.dataType)
	switch {
	case name == "":
		return sqlOperand{asType(begin(x.text), x.dataType), x.dataType}
	case zone.IsUTC(name):
		s.note(sessionNote)
		return sqlOperand{begin(x.text), x.dataType}
	case w.Nanos != 0: // instants
		s.note(sessionNote)
		s.note("DuckDB only: DataFusion cuts hours by the column's zone")
		return sqlOperand{begin(x.text), x.dataType}
	}
	return sqlOperand{s.local(name, begin(s.local(name, x.text))), x.dataType}
}

// widthText is a unit or width as it was written.
func widthText(e syntax.Expr) string {
	if l, ok := e.(*syntax.Literal); ok {
		return l.Text
	}
	return e.(*syntax.Name).Text
}

// timeBucket counts from the epoch, or from the Monday before it, where DuckDB
// by itself would count from the year 2000.
func (s *sqlScope) timeBucket(w expr.Width, x string) string {
	interval, origin := "", "1970-01-01"
	switch {
	case w.Days != 0:
		interval = fmt.Sprintf("%d days", w.Days)
	case w.Weeks != 0:
		interval, origin = fmt.Sprintf("%d days", 7*w.Weeks), "1969-12-29"
	case w.Months != 0:
		interval = fmt.Sprintf("%d months", w.Months)
	default:
		if w.Nanos%1000 != 0 {
			s.note(neither + "DuckDB's intervals are of whole microseconds, and DataFusion has no time_bucket")
		}
		interval = fmt.Sprintf("%d microseconds", w.Nanos/1000)
	}
	return "time_bucket(INTERVAL '" + interval + "', " + x + ", TIMESTAMP '" + origin + " 00:00:00')"
}

// asType casts what an engine makes of dates and timestamps without a zone
// back to their type. The other types need none.
func asType(x string, dt arrow.DataType) string {
	switch dt.ID() {
	case arrow.DATE32, arrow.DATE64:
		return "CAST(" + x + " AS DATE)"
	case arrow.TIMESTAMP:
		if name := sqlType(dt); name != "" {
			return "CAST(" + x + " AS " + name + ")"
		}
	}
	return x
}

// cast writes a cast. Timestamps are cut before, where engines would round.
func (s *sqlScope) cast(e *syntax.Cast) sqlOperand {
	x := s.value(e.X)
	to, err := expr.CastType(e.Type, x.dataType)
	if err != nil {
		panic("planner: " + e.String() + " was bound and has no type")
	}
	out := sqlOperand{x.text, to}
	from, isTimestamp := x.dataType.(*arrow.TimestampType)
	switch t := to.(type) {
	case *arrow.TimestampType:
		if isTimestamp && t.Unit < from.Unit {
			unit := [...]string{"second", "millisecond", "microsecond"}[t.Unit]
			out.text = "date_trunc('" + unit + "', " + x.text + ")"
		}
		out.text = asType(out.text, to)
	case *arrow.Date32Type:
		switch name := s.zoneOf(x.dataType); {
		case name != "" && zone.IsUTC(name):
			s.note(sessionNote)
		case name != "":
			out.text = s.local(name, x.text)
		}
		out.text = asType(out.text, to)
	default:
		name := sqlTypes[to.ID()]
		if name == "" { // the engines name unsigned types differently
			name = "DECIMAL(20, 0)"
		}
		out.text = "CAST(" + x.text + " AS " + name + ")"
	}
	return out
}

// constant writes a literal as a value of a type.
func (s *sqlScope) constant(l *syntax.Literal, dt arrow.DataType) string {
	switch t := dt.(type) {
	case *arrow.Float16Type, *arrow.Float32Type:
		return "CAST(" + sqlString(positiveZero(l.Text)) + " AS REAL)"
	case *arrow.Float64Type:
		return "CAST(" + sqlString(positiveZero(l.Text)) + " AS DOUBLE)"
	case *arrow.Date32Type, *arrow.Date64Type:
		return "CAST(" + sqlString(l.Text) + " AS DATE)"
	case *arrow.TimestampType:
		if t.TimeZone != "" && !zone.IsUTC(t.TimeZone) {
			s.note("DuckDB only: DataFusion takes an instant for one by the clock of the column's zone")
		}
		return timestampSQL(l.Text, t.TimeZone != "")
	case *arrow.Time32Type, *arrow.Time64Type:
		if !arrow.TypeEqual(dt, arrow.FixedWidthTypes.Time64ns) {
			s.note("DuckDB only: DataFusion compares times of day in nanoseconds only")
		}
		return "CAST(" + sqlString(withSeconds(l.Text)) + " AS TIME)"
	case *arrow.DurationType:
		span, err := expr.ParseSpan(l.Text)
		if err != nil {
			panic("planner: " + l.Text + " was bound and is no duration")
		}
		s.note("DataFusion only: DuckDB has no durations")
		nanos := span.Mul(span, big.NewRat(1e9, 1))
		return "arrow_cast(" + nanos.FloatString(0) + ", 'Duration(Nanosecond)')"
	case *arrow.BinaryType, *arrow.LargeBinaryType, *arrow.BinaryViewType, *arrow.FixedSizeBinaryType:
		s.note("DuckDB only: the engines write binary constants differently")
		digits, err := hex.DecodeString(strings.TrimPrefix(l.Text, `\x`))
		if err != nil {
			panic("planner: " + l.Text + " was bound and is not hexadecimal")
		}
		return fmt.Sprintf("from_hex('%x')", digits)
	}
	if l.Kind == syntax.Text {
		return sqlString(l.Text)
	}
	return numberSQL(l.Text)
}

// positiveZero is a float constant, without the sign of a zero: compared has made
// the two zeros of the other side one.
func positiveZero(text string) string {
	if v, err := strconv.ParseFloat(text, 64); err == nil && v == 0 {
		return "0"
	}
	return text
}

// numberSQL writes a number so that engines read it exactly: with an exponent
// it would be a float.
func numberSQL(text string) string {
	if !strings.ContainsAny(text, "eE") {
		return text
	}
	n, ok := new(big.Rat).SetString(text)
	if !ok {
		return text
	}
	digits, exact := n.FloatPrec()
	if plain := n.FloatString(digits); exact && len(plain) <= 38 {
		return plain
	}
	return text
}

// timestampSQL writes a timestamp in UTC, with the digits it needs.
func timestampSQL(text string, zoned bool) string {
	seconds, err := expr.ParseTimestamp(text, zoned)
	if err != nil {
		panic("planner: " + text + " was bound and is no timestamp")
	}
	whole := new(big.Int)
	fraction := new(big.Int)
	whole.DivMod(seconds.Num(), seconds.Denom(), fraction)
	days, clock := civil.Split(whole.Int64(), civil.SecondsPerDay)
	b := append(civil.Append(nil, days), ' ')
	b = civil.AppendClock(b, clock, 0)
	name := "TIMESTAMP"
	if fraction.Sign() != 0 {
		digits, _ := seconds.FloatPrec()
		part := new(big.Rat).SetFrac(fraction, seconds.Denom()).FloatString(digits)
		b = append(b, part[1:]...)
		if digits > 6 {
			name = "TIMESTAMP(9)"
		}
	}
	if zoned {
		b, name = append(b, "+00:00"...), "TIMESTAMP WITH TIME ZONE"
	}
	return "CAST(" + sqlString(string(b)) + " AS " + name + ")"
}

// withSeconds adds the seconds that hh:mm leaves out.
func withSeconds(clock string) string {
	if strings.Count(clock, ":") == 1 {
		return clock + ":00"
	}
	return clock
}

// sqlString is a string literal.
func sqlString(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
