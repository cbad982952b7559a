package zone

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestVersionIsOfThisArchive(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("no Go installation here")
	}
	source := filepath.Join(strings.TrimSpace(string(root)), "lib", "time")
	script, err := os.ReadFile(filepath.Join(source, "update.bash"))
	if err != nil {
		t.Skip("no Go source tree here")
	}
	shipped, err := os.ReadFile(filepath.Join(source, "zoneinfo.zip"))
	if err != nil || string(shipped) != string(archive) {
		t.Skip("the Go installation has another release")
	}
	if !strings.Contains(string(script), "\nCODE="+Version+"\n") {
		t.Errorf("Version is %s, but the release that ships this archive says otherwise", Version)
	}
}

func TestLoadIgnoresTheSystem(t *testing.T) {
	t.Setenv("ZONEINFO", t.TempDir())
	t.Setenv("TZ", "Asia/Tokyo")
	loc, err := Load("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	if _, offset := time.Unix(1700000000, 0).In(loc).Zone(); offset != 3600 {
		t.Errorf("offset %d, want 3600", offset)
	}
	for _, bad := range []string{"Mars/Base", "", "../etc/passwd", "Europe/", "+24:00", "+1", "+aa:bb"} {
		var unknown *UnknownError
		if _, err := Load(bad); !errors.As(err, &unknown) {
			t.Errorf("Load(%q): %v, want an UnknownError", bad, err)
		}
	}
}

func TestUTCSpellings(t *testing.T) {
	for _, name := range []string{"UTC", "utc", "Etc/UTC", "Z", "+00:00", "-00:00", "+00", "+0000", "GMT", "Zulu"} {
		if loc, err := Load(name); err != nil || loc != time.UTC {
			t.Errorf("Load(%q) = %v, %v; want UTC", name, loc, err)
		}
	}
	for _, name := range []string{"Europe/London", "+00:01", "UTC+1", "WET"} {
		if IsUTC(name) {
			t.Errorf("%q is taken for UTC", name)
		}
	}
}

func TestOffsets(t *testing.T) {
	for name, want := range map[string]int64{"+05:30": 19800, "-0800": -28800, "+07": 25200, "-23:59": -86340} {
		loc, err := Load(name)
		if err != nil {
			t.Errorf("Load(%q): %v", name, err)
			continue
		}
		if got := NewDays(loc).Offset(0); got != want {
			t.Errorf("%s: offset %d, want %d", name, got, want)
		}
	}
}

// TestBegin checks dates whose midnight is ordinary, skipped, or doubled, and
// a date that never was.
func TestBegin(t *testing.T) {
	for _, c := range []struct{ zone, date, begin string }{
		{"UTC", "2024-03-10", "2024-03-10T00:00:00Z"},
		{"America/New_York", "2024-03-10", "2024-03-10T05:00:00Z"}, // 23 hours long
		{"America/New_York", "2024-03-11", "2024-03-11T04:00:00Z"},
		{"America/New_York", "2024-11-03", "2024-11-03T04:00:00Z"}, // 25 hours long
		{"America/New_York", "2024-11-04", "2024-11-04T05:00:00Z"},
		{"America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z"}, // 00:00 became 01:00
		{"America/Sao_Paulo", "2018-02-18", "2018-02-18T03:00:00Z"}, // 24:00 became 23:00
		{"America/St_Johns", "2006-10-29", "2006-10-29T02:30:00Z"},  // 00:01 became 23:01: midnight twice
		{"Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z"},      // skipped altogether
		{"Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z"},
		{"Pacific/Kiritimati", "2024-01-01", "2023-12-31T10:00:00Z"},
		{"Asia/Kolkata", "1969-12-31", "1969-12-30T18:30:00Z"},
	} {
		loc, err := Load(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		date, _ := time.Parse("2006-01-02", c.date)
		begin := NewDays(loc).Begin(date.Unix() / 86400)
		if got := time.Unix(begin, 0).UTC().Format(time.RFC3339); got != c.begin {
			t.Errorf("%s begins in %s at %s, want %s", c.date, c.zone, got, c.begin)
		}
	}
}

// TestDaysAgainstClock walks zones through a century in odd steps: the date is
// what the standard library's clock shows, the beginning of that date is not
// after the instant, and no earlier instant shows the date.
func TestDaysAgainstClock(t *testing.T) {
	for _, name := range []string{
		"Europe/Paris", "America/Sao_Paulo", "America/St_Johns", "Pacific/Apia", "Africa/Cairo",
		"Asia/Tehran", "Australia/Lord_Howe", "+05:45", "UTC", "Antarctica/Troll",
	} {
		loc, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		days := NewDays(loc)
		for at := int64(-1 << 31); at < 1<<32; at += 86400*5/2 + 1234 {
			y, m, d := time.Unix(at, 0).In(loc).Date()
			want := time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400
			if utc := time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix(); utc < 0 && utc%86400 != 0 {
				t.Fatal("a UTC midnight is no whole day")
			}
			got := days.Of(at)
			if got != want {
				t.Fatalf("%s: at %d the date is %d, want %d", name, at, got, want)
			}
			begin := days.Begin(got)
			if begin > at || days.Of(begin) != got || days.Of(begin-1) >= got {
				t.Fatalf("%s: at %d, date %d: begins at %d, where the date is %d, after %d",
					name, at, got, begin, days.Of(begin), days.Of(begin-1))
			}
		}
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	loc, err := Load("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	days := NewDays(loc)
	at := int64(1700000000)
	if n := testing.AllocsPerRun(100, func() { at += 60; days.Begin(days.Of(at)) }); n != 0 {
		t.Errorf("%v allocations per instant", n)
	}
}

func BenchmarkBegin(b *testing.B) {
	loc, err := Load("Europe/Paris")
	if err != nil {
		b.Fatal(err)
	}
	days := NewDays(loc)
	at := int64(1700000000)
	for b.Loop() {
		at += 60
		days.Begin(days.Of(at))
	}
}
