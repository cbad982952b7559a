package civil

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"
)

// extremes are the days at which an implementation breaks first.
var extremes = []int64{
	math.MinInt64, math.MinInt64 + 1, math.MaxInt64, math.MaxInt64 - 1, math.MinInt32, math.MaxInt32,
	-marchOfYear0, -marchOfYear0 - 1, -719528, -719529, 0, -1, 1, 11016, 11017, daysPerEra, -daysPerEra,
}

func TestDatesAgreeWithTheStandardLibrary(t *testing.T) {
	// time.Time is exact in this range; 400 years cover every kind of year.
	for days := int64(-daysPerEra); days <= daysPerEra; days++ {
		y, m, d := time.Unix(days*SecondsPerDay, 0).UTC().Date()
		want := Date{int64(y), int(m), d}
		if got := FromDays(days); got != want {
			t.Fatalf("FromDays(%d) = %v, want %v", days, got, want)
		}
		if got := want.Days(); got != days {
			t.Fatalf("%v.Days() = %d, want %d", want, got, days)
		}
	}
}

// fromDaysByBigYears counts in big integers: whole eras first, then within an
// era by the standard library.
func fromDaysByBigYears(days int64) (string, int, int) {
	era, rest := new(big.Int).DivMod(big.NewInt(days), big.NewInt(daysPerEra), new(big.Int))
	y, m, d := time.Unix(rest.Int64()*SecondsPerDay, 0).UTC().Date()
	year := new(big.Int).Mul(era, big.NewInt(yearsPerEra))
	return year.Add(year, big.NewInt(int64(y))).String(), int(m), d
}

func TestDatesOfEveryInt64(t *testing.T) {
	days := append([]int64(nil), extremes...)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for r, i := rand.New(rand.NewPCG(seed, 0)), 0; i < 20000; i++ {
		days = append(days, int64(r.Uint64())>>r.IntN(64))
	}
	for _, n := range days {
		d := FromDays(n)
		year, month, day := fromDaysByBigYears(n)
		if fmt.Sprint(d.Year) != year || d.Month != month || d.Day != day {
			t.Fatalf("FromDays(%d) = %v, want %s-%d-%d", n, d, year, month, day)
		}
		if got := d.Days(); got != n {
			t.Fatalf("FromDays(%d).Days() = %d", n, got)
		}
	}
}

func TestSplitFloors(t *testing.T) {
	for _, v := range extremes {
		for _, per := range []int64{7, SecondsPerDay, SecondsPerDay * 1e9, daysPerEra} {
			days, rest := Split(v, per)
			want, wantRest := new(big.Int).DivMod(big.NewInt(v), big.NewInt(per), new(big.Int))
			if days != want.Int64() || rest != wantRest.Int64() {
				t.Errorf("Split(%d, %d) = %d, %d, want %s, %s", v, per, days, rest, want, wantRest)
			}
		}
	}
}

func TestStartsOfPeriods(t *testing.T) {
	for days := int64(-daysPerEra); days <= daysPerEra; days += 3 {
		at := time.Unix(days*SecondsPerDay, 0).UTC()
		y, m, _ := at.Date()
		week := at
		for week.Weekday() != time.Monday {
			week = week.AddDate(0, 0, -1)
		}
		for _, period := range []struct {
			name string
			got  int64
			want time.Time
		}{
			{"week", StartOfWeek(days), week},
			{"month", StartOfMonth(days), time.Date(y, m, 1, 0, 0, 0, 0, time.UTC)},
			{"quarter", StartOfQuarter(days), time.Date(y, (m-1)/3*3+1, 1, 0, 0, 0, 0, time.UTC)},
			{"year", StartOfYear(days), time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC)},
		} {
			if want := period.want.Unix() / SecondsPerDay; period.got != want {
				t.Fatalf("start of %s of day %d = %d, want %d", period.name, days, period.got, want)
			}
		}
	}
}

// A period's start is at most a year away, except where it lies below int64.
func TestStartsOfPeriodsNeverLeadForward(t *testing.T) {
	for _, days := range extremes {
		if days < math.MinInt64+366 {
			continue
		}
		starts := []int64{StartOfWeek(days), StartOfMonth(days), StartOfQuarter(days), StartOfYear(days)}
		for i, start := range starts {
			if limit := []int64{7, 31, 92, 366}[i]; start > days || days-start >= limit {
				t.Errorf("period %d of day %d starts at %d", i, days, start)
			}
		}
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{string(Append(nil, 0)), "1970-01-01"},
		{string(Append(nil, -719528)), "0000-01-01"},
		{string(Append(nil, -719529)), "-0001-12-31"},
		{string(Append(nil, 2932896)), "9999-12-31"},
		{string(Append(nil, 2932897)), "+10000-01-01"},
		{string(Append(nil, math.MaxInt64)), "+25252734927768524-07-27"},
		{string(AppendClock(nil, 0, 0)), "00:00:00"},
		{string(AppendClock(nil, 86399999, 3)), "23:59:59.999"},
		{string(AppendClock(nil, -1, 6)), "-00:00:00.000001"},
		{string(AppendClock(nil, 90000, 0)), "25:00:00"},
		{string(AppendClock(nil, math.MinInt64, 9)), "-2562047:47:16.854775808"},
		{string(AppendInstant(nil, -1, 3)), "1969-12-31T23:59:59.999"},
		{string(AppendInstant(nil, 1500, 3)), "1970-01-01T00:00:01.500"},
		{string(AppendInstant(nil, 11865225600000, 3)), "2345-12-30T00:00:00.000"},
		{string(AppendInstant(nil, 1700000000000000001, 9)), "2023-11-14T22:13:20.000000001"},
		{string(AppendInstant(nil, math.MinInt64, 9)), "1677-09-21T00:12:43.145224192"},
		{string(AppendInstant(nil, math.MaxInt64, 9)), "2262-04-11T23:47:16.854775807"},
		{string(AppendInstant(nil, math.MinInt64, 6)), "-290308-12-21T19:59:05.224192"},
		{string(AppendInstant(nil, math.MinInt64, 0)), "-292277022657-01-27T08:29:52"},
		{string(AppendInstant(nil, math.MaxInt64, 0)), "+292277026596-12-04T15:30:07"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}

func TestInstantsAgreeWithTheStandardLibrary(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 5000 {
		v := int64(r.Uint64())
		want := time.Unix(0, v).UTC().Format("2006-01-02T15:04:05.000000000")
		if got := string(AppendInstant(nil, v, 9)); got != want {
			t.Fatalf("%d ns: got %s, want %s", v, got, want)
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	dst := make([]byte, 0, 64)
	if n := testing.AllocsPerRun(100, func() {
		dst = AppendInstant(dst[:0], math.MinInt64, 9)
		dst = Append(dst[:0], math.MinInt64)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkAppendInstant(b *testing.B) {
	dst := make([]byte, 0, 64)
	for i := range b.N {
		dst = AppendInstant(dst[:0], int64(i)*60e9, 9)
	}
}
