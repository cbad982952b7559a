package expr

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"arrowagg/internal/arrowtest"
	"arrowagg/internal/syntax"
	"arrowagg/internal/zone"
)

func bindComputed(t *testing.T, src string, scope Scope) *Computed {
	t.Helper()
	items, err := syntax.ParseItems(src)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	c, err := BindComputed(src, items[0].Expr, scope)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return c
}

// computeText computes a column over cells and returns the cells' text.
func computeText(t *testing.T, src, typ string, cells ...string) ([]string, error) {
	t.Helper()
	s := arrowtest.Must("x " + typ + "\n" + strings.Join(cells, "\n"))
	c := bindComputed(t, src, scopeOf(s.Fields))
	recs, err := s.Slices(2, 1)
	if err != nil {
		t.Fatal(err)
	}
	data, err := c.NewComputer().Compute([]arrow.ArrayData{recs[0].Column(0).Data()}, recs[0].NumRows(), nil)
	if err != nil {
		return nil, err
	}
	if !arrow.TypeEqual(data.DataType(), c.Type()) {
		t.Errorf("%s of %s: type %s, announced %s", src, typ, data.DataType(), c.Type())
	}
	schema := arrow.NewSchema([]arrow.Field{{Name: "x", Type: c.Type(), Nullable: true}}, nil)
	column := array.MakeFromData(data)
	out := arrowtest.FromRecords(schema, []arrow.RecordBatch{array.NewRecordBatch(schema, []arrow.Array{column}, int64(column.Len()))})
	var text []string
	for _, row := range out.Rows() {
		if row[0].Null {
			text = append(text, "null")
		} else {
			text = append(text, row[0].Text)
		}
	}
	return text, nil
}

func TestComputed(t *testing.T) {
	for _, c := range []struct{ src, typ, in, want string }{
		{"date_trunc(hour, x)", "timestamp[s]", "3599 3600 -1 null", "0 3600 -3600 null"},
		{"date_trunc(MINUTE, x)", "timestamp[ns]", "60000000001 -1", "60000000000 -60000000000"},
		{"date_trunc(millisecond, x)", "timestamp[s]", "7 -7", "7 -7"},
		{"date_trunc(day, x)", "timestamp[ms]", "86399999 86400000 -1", "0 86400000 -86400000"},
		{"date_trunc(week, x)", "date32", "0 3 4 10 11 -4", "-3 -3 4 4 11 -10"},
		{"date_trunc(month, x)", "date32", "0 30 31 58 59 -1", "0 0 31 31 59 -31"},
		{"date_trunc(quarter, x)", "date32", "0 89 90 -1", "0 0 90 -92"},
		{"date_trunc(year, x)", "date64", "0 31535999999 31536000000 -1", "0 0 31536000000 -31536000000"},
		{"date_trunc(day, x)", "date32", "0 5 null", "0 5 null"},
		{"time_bucket(15m, x)", "timestamp[s]", "0 899 900 -1", "0 0 900 -900"},
		{"time_bucket(7m, x)", "timestamp[s]", "0 419 420 -1", "0 0 420 -420"},
		{"time_bucket(1500ms, x)", "timestamp[s]", "0 1 2 3 4 -1", "0 0 2 3 3 -1"},
		{"time_bucket(1d, x)", "timestamp[s]", "86399 -1", "0 -86400"},
		{"time_bucket(24h, x)", "timestamp[s]", "86399 -1", "0 -86400"},
		{"time_bucket(3d, x)", "date32", "0 2 3 -1", "0 0 3 -3"},
		{"time_bucket(2w, x)", "date32", "0 10 11 -4", "-3 -3 11 -17"},
		{"time_bucket(3mo, x)", "date32", "89 90", "0 90"},
		{"time_bucket(5y, x)", "date32", "1825 1826 -1", "0 1826 -1826"},
		{"date_trunc(day, x)", "timestamp[s, Europe/Berlin]", "0 82799 82800", "-3600 -3600 82800"},
		{"date_trunc(hour, x)", "timestamp[s, Asia/Kolkata]", "1800 5400", "0 3600"},
		{"date_trunc(day, x)", "timestamp[ms, +05:30]", "0 66600000", "-19800000 66600000"},

		{"cast(x as timestamp[s])", "timestamp[ns]", "1999999999 -1 null", "1 -1 null"},
		{"cast(x as timestamp[us])", "timestamp[s]", "5 -1", "5000000 -1000000"},
		{"cast(x as timestamp[s, UTC])", "timestamp[s, Asia/Tokyo]", "5", "5"},
		{"cast(x as timestamp[ms])", "timestamp[s, UTC]", "5", "5000"},
		{"cast(x as date32)", "timestamp[ms]", "86399999 86400000 -1", "0 1 -1"},
		{"cast(x as date32)", "timestamp[s, America/New_York]", "0 18000", "-1 0"},
		{"cast(x as date32)", "date64", "86400000 -86400000", "1 -1"},
		{"cast(x as int64)", "float64", "1.0 -3.0 null", "1 -3 null"},
		{"cast(x as uint8)", "int64", "0 255", "0 255"},
		{"cast(x as int8)", "decimal128(10, 2)", "1.00 -128.00 127.00", "1 -128 127"},
		{"cast(x as int16)", "uint64", "32767", "32767"},
		{"cast(date_trunc(month, x) as date32)", "timestamp[s]", "3000000", "31"},
		{"date_trunc(hour, cast(x as timestamp[s]))", "timestamp[us]", "3600000001", "3600"},
	} {
		got, err := computeText(t, c.src, c.typ, strings.Fields(c.in)...)
		if err != nil {
			t.Errorf("%s of %s: %v", c.src, c.typ, err)
			continue
		}
		want := strings.Fields(c.want)
		for i := range want {
			if inUnit(t, got[i], c) != want[i] {
				t.Errorf("%s of %s %s: %s, want %s", c.src, c.typ, strings.Fields(c.in)[i], got[i], want[i])
			}
		}
	}
}

// inUnit undoes the dates that arrowtest shows temporal values as.
func inUnit(t *testing.T, text string, c struct{ src, typ, in, want string }) string {
	t.Helper()
	for _, layout := range []string{"2006-01-02T15:04:05.999999999Z07:00", "2006-01-02T15:04:05.999999999", "2006-01-02"} {
		at, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		unit := c.typ
		if i := strings.Index(c.src, "cast("); i == 0 {
			unit = c.src[strings.LastIndex(c.src, " as ")+4 : len(c.src)-1]
		} else if i > 0 {
			unit = c.src[strings.Index(c.src, " as ")+4:]
		}
		switch {
		case strings.HasPrefix(unit, "date32"):
			return fmt.Sprint(at.Unix() / 86400)
		case strings.HasPrefix(unit, "date64"), strings.HasPrefix(unit, "timestamp[ms"):
			return fmt.Sprint(at.UnixMilli())
		case strings.HasPrefix(unit, "timestamp[us"):
			return fmt.Sprint(at.UnixMicro())
		case strings.HasPrefix(unit, "timestamp[ns"):
			return fmt.Sprint(at.UnixNano())
		}
		return fmt.Sprint(at.Unix())
	}
	return text
}

func TestComputedErrors(t *testing.T) {
	for _, c := range []struct {
		src, typ, in string
		row          int64
		want         string
	}{
		{"cast(x as int8)", "int64", "1 128", 1, "int64 128 does not become int8"},
		{"cast(x as uint64)", "int64", "0 0 -1", 2, "int64 -1 does not become uint64"},
		{"cast(x as int64)", "float64", "0.5", 0, "float64 0.5 does not become int64"},
		{"cast(x as int64)", "float64", "NaN", 0, "float64 NaN does not become int64"},
		{"cast(x as int64)", "decimal128(10, 2)", "0.01", 0, "decimal(10, 2) 1 does not become int64"},
		{"cast(x as timestamp[ns])", "timestamp[s]", "0 253402300799", 1, "timestamp[s] 253402300799 does not become timestamp[ns]"},
		{
			"date_trunc(year, x)", "timestamp[ns]", "-9223372036854775808", 0,
			"timestamp[ns] -9223372036854775808 lies in a bucket that the type does not hold",
		},
		{
			"time_bucket(7m, x)", "timestamp[ns]", "-9223372036854775808", 0,
			"timestamp[ns] -9223372036854775808 lies in a bucket that the type does not hold",
		},
		{
			"date_trunc(day, x)", "timestamp[s, Asia/Tokyo]", "9223372036854775807", 0,
			"timestamp[s, tz=Asia/Tokyo] 9223372036854775807 lies in a bucket that the type does not hold",
		},
	} {
		_, err := computeText(t, c.src, c.typ, strings.Fields(c.in)...)
		var value *ValueError
		if !errors.As(err, &value) || value.Row != c.row || value.Error() != c.want {
			t.Errorf("%s of %s: %v, want row %d: %s", c.src, c.typ, err, c.row, c.want)
		}
	}
}

// The buckets of a day and more against the standard library's calendar, in
// zones with every kind of change, around the changes.
func TestBucketsAgainstTime(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 3))
	monday := time.Date(1969, 12, 29, 0, 0, 0, 0, time.UTC)
	for _, name := range []string{"UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "America/Sao_Paulo", "+05:30"} {
		loc, err := zone.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		var cells []string
		var instants []time.Time
		for range 40 {
			at := rng.Int64N(4e9) - 1e9
			if rng.IntN(2) == 0 { // around a change of the offset
				if _, end := time.Unix(at, 0).In(loc).ZoneBounds(); !end.IsZero() {
					at = end.Unix() + rng.Int64N(7) - 3
				}
			}
			cells = append(cells, strconv.FormatInt(at, 10))
			instants = append(instants, time.Unix(at, 0).In(loc))
		}
		for call, date := range map[string]func(y int, m time.Month, d int) (int, time.Month, int){
			"date_trunc(day, x)":   func(y int, m time.Month, d int) (int, time.Month, int) { return y, m, d },
			"date_trunc(month, x)": func(y int, m time.Month, _ int) (int, time.Month, int) { return y, m, 1 },
			"date_trunc(year, x)":  func(y int, _ time.Month, _ int) (int, time.Month, int) { return y, 1, 1 },
			"date_trunc(quarter, x)": func(y int, m time.Month, _ int) (int, time.Month, int) {
				return y, (m-1)/3*3 + 1, 1
			},
			"date_trunc(week, x)": func(y int, m time.Month, d int) (int, time.Month, int) {
				at := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
				return at.AddDate(0, 0, -int(at.Sub(monday).Hours()/24+70000)%7).Date()
			},
		} {
			got, err := computeText(t, call, "timestamp[s, "+name+"]", cells...)
			if err != nil {
				t.Fatal(err)
			}
			for i, at := range instants {
				y, m, d := date(at.Date())
				if begin := beginOf(y, m, d, loc, at); begin.Format("2006-01-02T15:04:05Z") != got[i] {
					t.Fatalf("seed %d: %s of %s in %s: %s, want %s", seed, call, at.UTC(), name, got[i], begin)
				}
			}
		}
	}
}

// beginOf finds the first instant that shows the date, by looking at every
// quarter of an hour around it; a date that was skipped begins with the next.
func beginOf(y int, m time.Month, d int, loc *time.Location, at time.Time) time.Time {
	want := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	for begin := want.Add(-36 * time.Hour); ; begin = begin.Add(15 * time.Minute) {
		yy, mm, dd := begin.In(loc).Date()
		if shown := time.Date(yy, mm, dd, 0, 0, 0, 0, time.UTC); !shown.Before(want) {
			return begin.UTC()
		}
		if begin.After(at) {
			return at
		}
	}
}

func TestZoneOption(t *testing.T) {
	s := arrowtest.Must("x timestamp[s, UTC]\n0")
	scope := scopeOf(s.Fields)
	scope.Zone = "Asia/Tokyo"
	recs, err := s.Records()
	if err != nil {
		t.Fatal(err)
	}
	data, err := bindComputed(t, "date_trunc(day, x)", scope).NewComputer().
		Compute([]arrow.ArrayData{recs[0].Column(0).Data()}, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := array.NewTimestampData(data).Value(0); got != -32400 {
		t.Errorf("midnight in Tokyo: %d", got)
	}
}

// A batch may bring another unit or encoding than the inputs agreed on: the
// column keeps the batch's unit, and the zone that was agreed on.
func TestComputedOfOtherTypes(t *testing.T) {
	scope := Scope{Columns: []Column{{Name: "x", Type: &arrow.TimestampType{Unit: arrow.Nanosecond, TimeZone: "UTC"}}}}
	c := bindComputed(t, "date_trunc(hour, x)", scope).NewComputer()
	for typ, want := range map[string]string{
		"timestamp[s, Asia/Tokyo]":                       "timestamp[s, tz=UTC]",
		"timestamp[us, UTC]":                             "timestamp[us, tz=UTC]",
		"dictionary<int8, timestamp[ms, UTC]>":           "timestamp[ms, tz=UTC]",
		"run_end_encoded<int32, timestamp[ns, Etc/UTC]>": "timestamp[ns, tz=UTC]",
	} {
		s := arrowtest.Must("x " + typ + "\n1970-01-01T02:59:59\nnull\n1970-01-01T01:00:00")
		recs, err := s.Records()
		if err != nil {
			t.Fatal(err)
		}
		data, err := c.Compute([]arrow.ArrayData{recs[0].Column(0).Data()}, 3, nil)
		if err != nil {
			t.Fatal(err)
		}
		a := array.NewTimestampData(data)
		if a.DataType().String() != want || !a.IsNull(1) || a.NullN() != 1 {
			t.Errorf("%s: %s", typ, a)
		}
		unit := a.DataType().(*arrow.TimestampType).Unit
		if !a.Value(0).ToTime(unit).Equal(time.Unix(7200, 0)) || !a.Value(2).ToTime(unit).Equal(time.Unix(3600, 0)) {
			t.Errorf("%s: %s", typ, a)
		}
	}
	if data, err := c.Compute([]arrow.ArrayData{nil}, 1e15, nil); data != nil || err != nil {
		t.Errorf("no column: %v, %v", data, err)
	}
}

func TestRoundToHalf(t *testing.T) {
	for text, want := range map[string]float64{
		"0.1": 0.0999755859375, "1": 1, "65504": 65504, "65519.9": 65504, "65520": math.Inf(1), "-1e9": math.Inf(-1),
		"5.960464477539063e-08": 0x1p-24, "2e-8": 0, "3e-8": 0x1p-24, "1e-300": 0, "2049": 2048, "2051": 2052,
	} {
		n, err := parseNumber(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := roundToHalf(n); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
