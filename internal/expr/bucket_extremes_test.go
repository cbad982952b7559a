package expr

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// bucketStart is the oracle: where the bucket of v begins, counted in big
// integers. Clocks are offset seconds ahead of UTC.
func bucketStart(w Width, v, unitNanos, offset int64) *big.Int {
	unit := big.NewInt(unitNanos)
	n := new(big.Int).Mul(big.NewInt(v), unit)
	if w.Nanos != 0 {
		n = floorTo(n, w.Nanos)
		rest := new(big.Int)
		n.DivMod(n, unit, rest)
		return n.Add(n, big.NewInt(int64(rest.Sign()))) // the first unit in the bucket
	}
	ahead := new(big.Int).Mul(big.NewInt(offset), big.NewInt(1e9))
	day := new(big.Int).Div(n.Add(n, ahead), big.NewInt(nanosPerDay))
	const monday = 3
	switch {
	case w.Days != 0:
		day = floorTo(day, w.Days)
	case w.Weeks != 0:
		day = floorTo(day.Add(day, big.NewInt(monday)), 7*w.Weeks)
		day.Sub(day, big.NewInt(monday))
	default:
		day = firstOfMonth(floorTo(monthOf(day), w.Months))
	}
	day.Mul(day, big.NewInt(nanosPerDay))
	return day.Div(day.Sub(day, ahead), unit)
}

func floorTo(n *big.Int, width int64) *big.Int {
	return n.Sub(n, new(big.Int).Mod(n, big.NewInt(width)))
}

// The calendar repeats after 400 years; the standard library knows those from
// 1970 on.
const eraDays, eraMonths = 146097, 400 * 12

func monthOf(day *big.Int) *big.Int {
	era, rest := new(big.Int).DivMod(day, big.NewInt(eraDays), new(big.Int))
	y, m, _ := time.Unix(rest.Int64()*86400, 0).UTC().Date()
	return era.Add(era.Mul(era, big.NewInt(eraMonths)), big.NewInt(int64(12*(y-1970)+int(m)-1)))
}

func firstOfMonth(month *big.Int) *big.Int {
	era, rest := new(big.Int).DivMod(month, big.NewInt(eraMonths), new(big.Int))
	first := time.Date(1970, time.Month(1+rest.Int64()), 1, 0, 0, 0, 0, time.UTC)
	return era.Add(era.Mul(era, big.NewInt(eraDays)), big.NewInt(first.Unix()/86400))
}

// temporal is a column of one value.
func temporal(dt arrow.DataType, v int64) arrow.ArrayData {
	bytes := arrow.Int64Traits.CastToBytes([]int64{v})
	if dt.ID() == arrow.DATE32 {
		bytes = arrow.Int32Traits.CastToBytes([]int32{int32(v)})
	}
	return array.NewData(dt, 1, []*memory.Buffer{nil, memory.NewBufferBytes(bytes)}, nil, 0, 0)
}

func temporalValue(data arrow.ArrayData) int64 {
	if bytes := data.Buffers()[1].Bytes(); data.DataType().ID() == arrow.DATE32 {
		return int64(arrow.Int32Traits.CastFromBytes(bytes)[0])
	} else {
		return arrow.Int64Traits.CastFromBytes(bytes)[0]
	}
}

// TestBucketsAtTheEnds: at both ends of every type a bucket begins where the
// oracle says, or its value is an error because the type does not reach there.
func TestBucketsAtTheEnds(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 5))
	var calls []string
	widths := map[string]Width{}
	for _, u := range dateUnits {
		call := fmt.Sprintf("date_trunc(%s, x)", u.name)
		calls, widths[call] = append(calls, call), u.width
	}
	for _, text := range []string{
		"1500ms", "13s", "7m", "5h", "3d", "1000000d", "2w", "1000000w", "5mo", "1000000mo", "7y", "1000000y",
	} {
		w, err := ParseWidth(text)
		if err != nil {
			t.Fatal(err)
		}
		call := fmt.Sprintf("time_bucket(%s, x)", text)
		calls, widths[call] = append(calls, call), w
	}
	held, refused := 0, 0
	for _, c := range extremeTypes() {
		for _, call := range calls {
			w := widths[call]
			if c.date && w.Nanos != 0 {
				continue
			}
			computer := bindComputed(t, call, Scope{Columns: []Column{{Name: "x", Type: c.typ}}}).NewComputer()
			near := rng.Int64N(c.year)
			for _, v := range []int64{
				c.least, c.least + 1, c.least + near, c.least + c.year, c.most - near, c.most - 1, c.most,
			} {
				offset := c.early
				if v > 0 {
					offset = c.late
				}
				want := bucketStart(w, v, c.unitNanos, offset)
				ok := want.IsInt64() && want.Int64() >= c.least
				if c.zoned && w.Nanos == 0 { // beyond 2^53 s no zone's rules are known
					seconds := math.Floor(float64(v) * float64(c.unitNanos) / 1e9)
					ok = ok && math.Abs(seconds) <= 1<<53
				}
				data, err := computer.Compute([]arrow.ArrayData{temporal(c.typ, v)}, 1, nil)
				text := fmt.Sprintf("%s %d lies in a bucket that the type does not hold", c.typ, v)
				var value *ValueError
				switch {
				case ok && err != nil:
					t.Errorf("seed %d: %s of %s %d: %v, want %s", seed, call, c.typ, v, err, want)
				case ok && temporalValue(data) != want.Int64():
					t.Errorf("seed %d: %s of %s %d: %d, want %s", seed, call, c.typ, v, temporalValue(data), want)
				case !ok && (!errors.As(err, &value) || value.Text != text):
					t.Errorf("seed %d: %s of %s %d: %v, want %s", seed, call, c.typ, v, err, text)
				case ok:
					held++
				default:
					refused++
				}
			}
		}
	}
	if held < 1000 || refused < 100 {
		t.Errorf("%d values hold, %d do not", held, refused)
	}
}

type extremeType struct {
	typ             arrow.DataType
	date, zoned     bool
	unitNanos, year int64
	least, most     int64
	early, late     int64 // the zone's offsets at the two ends, in seconds
}

func extremeTypes() []extremeType {
	const yearNanos = 366 * nanosPerDay
	types := []extremeType{
		{
			typ: arrow.FixedWidthTypes.Date32, date: true, unitNanos: nanosPerDay, year: 366,
			least: math.MinInt32, most: math.MaxInt32,
		},
		{
			typ: arrow.FixedWidthTypes.Date64, date: true, unitNanos: 1e6, year: yearNanos / 1e6,
			least: math.MinInt64, most: math.MaxInt64,
		},
	}
	for _, zone := range []struct {
		name        string
		early, late int64
	}{
		{"", 0, 0},
		{"UTC", 0, 0},
		{"+05:30", 19800, 19800},
		{"-08:00", -28800, -28800},
		{"Asia/Tokyo", 33539, 32400}, // local mean time at first
	} {
		for unit, nanos := range map[arrow.TimeUnit]int64{
			arrow.Second: 1e9, arrow.Millisecond: 1e6, arrow.Microsecond: 1e3, arrow.Nanosecond: 1,
		} {
			types = append(types, extremeType{
				typ: &arrow.TimestampType{Unit: unit, TimeZone: zone.name}, zoned: zone.name != "", unitNanos: nanos,
				year: yearNanos / nanos, least: math.MinInt64, most: math.MaxInt64, early: zone.early, late: zone.late,
			})
		}
	}
	return types
}
