package main

import "testing"

func TestParseSize(t *testing.T) {
	for _, c := range []struct {
		text string
		want int64
	}{
		{"512M", 512 << 20},
		{"512MiB", 512 << 20},
		{"512MB", 512e6},
		{"1.5G", 3 << 29},
		{"2TB", 2e12},
		{"64K", 64 << 10},
		{"100", 100},
		{"100B", 100},
		{"50%", 500},
	} {
		got, err := parseSize(c.text, 1000)
		if err != nil || got != c.want {
			t.Errorf("parseSize(%q) = %d, %v; want %d", c.text, got, err, c.want)
		}
	}
	for _, bad := range []string{"", "M", "-1", "0", "x", "1Q", "0%", "101%", "NaN", "NaNM", "inf", "1e300G", "1 2"} {
		if got, err := parseSize(bad, 1000); err == nil {
			t.Errorf("parseSize(%q) = %d, want an error", bad, got)
		}
	}
}
