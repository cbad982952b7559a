package arrowtest

import (
	"fmt"
	"math/big"
	"strconv"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// appendTemporal appends a date, time, timestamp or duration. It is false for
// builders of other types.
func appendTemporal(b array.Builder, text string) (bool, error) {
	var add func(int64)
	switch b := b.(type) {
	case *array.TimestampBuilder:
		add = func(n int64) { b.Append(arrow.Timestamp(n)) }
	case *array.DurationBuilder:
		add = func(n int64) { b.Append(arrow.Duration(n)) }
	case *array.Date64Builder:
		add = func(n int64) { b.Append(arrow.Date64(n)) }
	case *array.Time64Builder:
		add = func(n int64) { b.Append(arrow.Time64(n)) }
	case *array.Date32Builder:
		add = func(n int64) { b.Append(arrow.Date32(n)) }
	case *array.Time32Builder:
		add = func(n int64) { b.Append(arrow.Time32(n)) }
	default:
		return false, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		if n, err = fromISO(b.Type(), text); err != nil {
			return true, err
		}
	}
	add(n)
	return true, nil
}

const (
	dayLayout  = "2006-01-02"
	timeLayout = "15:04:05.999999999"
)

// fromISO reads text in UTC, whatever the type's zone, as a number of the type's units.
func fromISO(dt arrow.DataType, text string) (int64, error) {
	perSecond := big.NewInt(unitsPerSecond(dt))
	for _, layout := range []string{dayLayout, dayLayout + "T" + timeLayout, timeLayout} {
		for _, zone := range []string{"", "Z"} {
			t, err := time.ParseInLocation(layout+zone, text, time.UTC)
			if err != nil {
				continue
			}
			if layout == timeLayout {
				t = t.AddDate(1970, 0, 0) // the year is 0 where the text has none
			}
			switch dt.ID() {
			case arrow.DATE32:
				return t.Unix() / 86400, nil
			case arrow.DATE64:
				return t.UnixMilli(), nil
			}
			return exactUnits(t, perSecond)
		}
	}
	return 0, fmt.Errorf("%q is neither an integer nor ISO text", text)
}

// exactUnits is the instant in units, which must be whole and fit.
func exactUnits(t time.Time, perSecond *big.Int) (int64, error) {
	giga := big.NewInt(1e9)
	n := new(big.Int).Mul(big.NewInt(t.Unix()), giga)
	n.Add(n, big.NewInt(int64(t.Nanosecond()))).Mul(n, perSecond)
	units, rest := new(big.Int).DivMod(n, giga, new(big.Int))
	if rest.Sign() != 0 || !units.IsInt64() {
		return 0, fmt.Errorf("%s is no number of units that fits", t)
	}
	return units.Int64(), nil
}

func unitsPerSecond(dt arrow.DataType) int64 {
	if t, ok := dt.(arrow.TemporalWithUnit); ok {
		return int64(time.Second / t.TimeUnit().Multiplier())
	}
	return 1
}

// temporalText is the ISO text of a value, or the bare integer where ISO text
// has no room for its year or its time of day.
func temporalText(dt arrow.DataType, n int64) string {
	var t time.Time
	layout := ""
	switch dt.ID() {
	case arrow.DATE32:
		t, layout = time.Unix(n*86400, 0), dayLayout
	case arrow.DATE64:
		if t = time.UnixMilli(n); n%(86400*1000) == 0 {
			layout = dayLayout
		}
	case arrow.TIME32, arrow.TIME64, arrow.TIMESTAMP:
		per := unitsPerSecond(dt)
		seconds := n / per
		if n%per < 0 {
			seconds--
		}
		t = time.Unix(seconds, (n-seconds*per)*(1e9/per))
		digits := map[int64]string{1: "", 1e3: ".000", 1e6: ".000000", 1e9: ".000000000"}[per]
		switch {
		case dt.ID() == arrow.TIMESTAMP:
			layout = dayLayout + "T15:04:05" + digits
		case n >= 0 && seconds < 86400:
			layout = "15:04:05" + digits
		}
	}
	t = t.UTC()
	if layout == "" || t.Year() < 0 || t.Year() > 9999 {
		return strconv.FormatInt(n, 10)
	}
	if ts, ok := dt.(*arrow.TimestampType); ok && ts.TimeZone != "" {
		layout += "Z"
	}
	return t.Format(layout)
}
