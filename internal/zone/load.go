package zone

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"sort"
	"strings"
	"sync"
	"time"
)

// Version is the IANA release of the embedded database.
const Version = "2025c"

//go:embed zoneinfo.zip
var archive []byte

// files lists the archive's zones. It is read once, when a zone is first asked
// for: most runs name none.
var files = sync.OnceValues(func() (map[string]*zip.File, error) {
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, fmt.Errorf("embedded time zone database: %w", err)
	}
	byName := make(map[string]*zip.File, len(r.File))
	for _, f := range r.File {
		if !strings.HasSuffix(f.Name, "/") {
			byName[f.Name] = f
		}
	}
	return byName, nil
})

// UnknownError: no zone of that name. Names offers alternatives.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string { return fmt.Sprintf("unknown time zone %q", e.Name) }

// Load returns the zone of that name: one of the database's, UTC in any usual
// spelling, or an offset as Arrow writes it ("+05:30", "-0800", "+07").
func Load(name string) (*time.Location, error) {
	if IsUTC(name) {
		return time.UTC, nil
	}
	if seconds, ok := parseOffset(name); ok {
		return time.FixedZone(name, seconds), nil
	}
	byName, err := files()
	if err != nil {
		return nil, err
	}
	f, ok := byName[name]
	if !ok {
		return nil, &UnknownError{name}
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("embedded time zone %s: %w", name, err)
	}
	defer r.Close()
	rules, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("embedded time zone %s: %w", name, err)
	}
	return time.LoadLocationFromTZData(name, rules)
}

// Names lists the database's zones, sorted.
func Names() []string {
	byName, err := files()
	if err != nil {
		return nil
	}
	names := make([]string, 0, len(byName))
	for name := range byName {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// IsUTC tells whether the name is a spelling of UTC: they all name the same
// zone, so columns that differ in it alone are alike.
func IsUTC(name string) bool {
	switch strings.ToUpper(name) {
	case "UTC", "ETC/UTC", "Z", "ZULU", "ETC/ZULU", "GMT", "ETC/GMT", "UCT", "ETC/UCT", "UNIVERSAL", "ETC/UNIVERSAL",
		"GMT0", "ETC/GMT0", "GMT+0", "ETC/GMT+0", "GMT-0", "ETC/GMT-0", "GREENWICH", "ETC/GREENWICH":
		return true
	}
	seconds, ok := parseOffset(name)
	return ok && seconds == 0
}

// parseOffset reads +HH:MM, +HHMM or +HH, east of UTC positive, in seconds.
func parseOffset(s string) (int, bool) {
	if len(s) < 3 || s[0] != '+' && s[0] != '-' {
		return 0, false
	}
	digits := s[1:]
	if len(digits) == 5 && digits[2] == ':' {
		digits = digits[:2] + digits[3:]
	}
	if len(digits) == 2 {
		digits += "00"
	}
	if len(digits) != 4 {
		return 0, false
	}
	for _, d := range []byte(digits) {
		if d < '0' || d > '9' {
			return 0, false
		}
	}
	hours := int(digits[0]-'0')*10 + int(digits[1]-'0')
	minutes := int(digits[2]-'0')*10 + int(digits[3]-'0')
	if hours > 23 || minutes > 59 {
		return 0, false
	}
	seconds := hours*3600 + minutes*60
	if s[0] == '-' {
		seconds = -seconds
	}
	return seconds, true
}
