package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// units are the suffixes of a size. Bare and binary suffixes are powers of
// 1024, those ending in B alone powers of 1000, as in SPEC of the flags.
var units = []struct {
	suffix string
	bytes  int64
}{
	{"KiB", 1 << 10},
	{"MiB", 1 << 20},
	{"GiB", 1 << 30},
	{"TiB", 1 << 40},
	{"KB", 1e3},
	{"MB", 1e6},
	{"GB", 1e9},
	{"TB", 1e12},
	{"K", 1 << 10},
	{"M", 1 << 20},
	{"G", 1 << 30},
	{"T", 1 << 40},
	{"B", 1},
	{"", 1},
}

// parseSize reads "512M", "1.5GiB", "2GB" or, of an allowance, "80%".
func parseSize(text string, allowance int64) (int64, error) {
	if number, ok := strings.CutSuffix(text, "%"); ok {
		percent, err := strconv.ParseFloat(number, 64)
		if err != nil || !(percent > 0 && percent <= 100) {
			return 0, fmt.Errorf("%q is not a percentage between 0 and 100", text)
		}
		return int64(percent / 100 * float64(allowance)), nil
	}
	for _, u := range units {
		number, ok := strings.CutSuffix(text, u.suffix)
		if !ok {
			continue
		}
		value, err := strconv.ParseFloat(number, 64)
		size := value * float64(u.bytes)
		if err != nil || !(size >= 1 && size < math.MaxInt64) {
			break
		}
		return int64(size), nil
	}
	return 0, fmt.Errorf("%q is not a size such as 512M, 1GiB, 2GB", text)
}
