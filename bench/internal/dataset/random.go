package dataset

import (
	"fmt"
	"math"
	"math/bits"
	"sort"
	"strconv"
	"strings"
)

// mix is the finaliser of SplitMix64 (Steele, Lea, Flood 2014): it turns
// consecutive row numbers into bits that pass for independent.
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// stream is an endless sequence of random 64-bit words that can be read at any
// position: one for each thing that is drawn per row.
type stream uint64

func newStream(seed uint64, name string) stream {
	h := mix(seed + 0x9e3779b97f4a7c15)
	for i := 0; i < len(name); i++ {
		h = mix(h ^ uint64(name[i]) + 0x9e3779b97f4a7c15)
	}
	return stream(h)
}

func (s stream) at(row uint64) uint64 {
	return mix(uint64(s) + row*0x9e3779b97f4a7c15)
}

// below maps a random word to [0, n) without the bias that matters here
// (n is far below 2^32).
func below(word uint64, n int) int {
	hi, _ := bits.Mul64(word, uint64(n))
	return int(hi)
}

// unit maps a random word to [0, 1).
func unit(word uint64) float64 { return float64(word>>11) / (1 << 53) }

// Skew says how the key columns' values are distributed.
//
//	uniform   every value alike
//	zipf:S    the value of rank r has weight 1/r^S, in each key column
//	hot:F     the share F of the rows has the first value in every key column,
//	          that is, one group has them; the others are uniform
type Skew struct {
	Kind  string // "uniform", "zipf", "hot"
	Value float64
}

// ParseSkew reads the form that String writes; the empty string is uniform.
func ParseSkew(text string) (Skew, error) {
	kind, value, _ := strings.Cut(text, ":")
	switch kind {
	case "", "uniform":
		if value != "" {
			return Skew{}, fmt.Errorf("skew %q: uniform takes no number", text)
		}
		return Skew{Kind: "uniform"}, nil
	case "zipf", "hot":
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || v <= 0 || math.IsInf(v, 0) || kind == "hot" && v > 1 {
			return Skew{}, fmt.Errorf("skew %q: %s needs a number above 0 (hot: up to 1), as %s:0.9", text, kind, kind)
		}
		return Skew{Kind: kind, Value: v}, nil
	}
	return Skew{}, fmt.Errorf("skew %q is none of uniform, zipf:S, hot:F", text)
}

func (s Skew) String() string {
	if s.Kind == "" || s.Kind == "uniform" {
		return "uniform"
	}
	return s.Kind + ":" + strconv.FormatFloat(s.Value, 'g', -1, 64)
}

// keyDraw draws key codes 0 … n-1 of one key column.
type keyDraw struct {
	own stream
	n   int
	// hot is shared by all key columns of a table, so that they are hot in the
	// same rows.
	hot      stream
	hotShare float64
	zipfUpTo []float64 // cumulated weights, nil unless zipf
}

func newKeyDraw(spec Spec, name string, n int) keyDraw {
	d := keyDraw{own: newStream(spec.Seed, name), n: n, hot: newStream(spec.Seed, "hot rows")}
	switch spec.Skew.Kind {
	case "hot":
		d.hotShare = spec.Skew.Value
	case "zipf":
		d.zipfUpTo = make([]float64, n)
		var total float64
		for i := range d.zipfUpTo {
			total += math.Pow(float64(i+1), -spec.Skew.Value)
			d.zipfUpTo[i] = total
		}
		for i := range d.zipfUpTo {
			d.zipfUpTo[i] /= total
		}
	}
	return d
}

func (d *keyDraw) at(row uint64) int {
	if d.hotShare > 0 && unit(d.hot.at(row)) < d.hotShare {
		return 0
	}
	word := d.own.at(row)
	if d.zipfUpTo != nil {
		return min(sort.SearchFloat64s(d.zipfUpTo, unit(word)), d.n-1)
	}
	return below(word, d.n)
}
