package result

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"strings"
	"sync"
)

// Tolerance is how far two approximate floats may lie apart, relative to the
// larger: well above what a sum of 1e9 values in another order rounds to, far
// below what a lost row does.
const Tolerance = 1e-10

// Options say how two results are compared.
type Options struct {
	// Keys are the columns by whose values rows are matched. In an ordered
	// comparison they mean nothing: row i is compared with row i.
	Keys    []string
	Ordered bool
	// Approximate are the float columns in which rounding is forgiven.
	Approximate []string
}

// atMost is how many differences are named.
const atMost = 5

// Diff returns how got differs from want, nothing if it does not. The columns
// are matched by name; got may have them in another order.
func Diff(want, got *Table, opt Options) []string {
	d := differ{want: want, opt: opt}
	if text := d.align(got); text != "" {
		return []string{text}
	}
	if want.Rows != got.Rows {
		d.report("%d rows, want %d", got.Rows, want.Rows)
	}
	switch {
	case !opt.Ordered:
		d.unordered()
	case want.Rows == got.Rows:
		for row := range want.Rows {
			d.row(row, row)
		}
	}
	if more := d.found - len(d.texts); more > 0 {
		d.texts = append(d.texts, fmt.Sprintf("and %d more", more))
	}
	return d.texts
}

type differ struct {
	want, got *Table // got's columns in the order of want's
	opt       Options
	isKey     []bool
	forgiving []bool
	texts     []string
	found     int
}

func (d *differ) report(format string, args ...any) {
	if d.found++; len(d.texts) < atMost {
		d.texts = append(d.texts, fmt.Sprintf(format, args...))
	}
}

func (d *differ) align(got *Table) string {
	d.got = &Table{Rows: got.Rows}
	if len(got.Columns) != len(d.want.Columns) {
		return fmt.Sprintf("columns %s, want %s", names(got), names(d.want))
	}
	for _, w := range d.want.Columns {
		g := got.Column(w.Name)
		if g == nil {
			return fmt.Sprintf("columns %s, want %s", names(got), names(d.want))
		}
		if g.Family != w.Family {
			return fmt.Sprintf("column %q is of type %s, want one like %s", w.Name, g.Type, w.Type)
		}
		d.got.Columns = append(d.got.Columns, g)
		d.isKey = append(d.isKey, slices.Contains(d.opt.Keys, w.Name))
		d.forgiving = append(d.forgiving, slices.Contains(d.opt.Approximate, w.Name))
	}
	for _, k := range d.opt.Keys {
		if d.want.Column(k) == nil {
			return fmt.Sprintf("key column %q is missing", k)
		}
	}
	return ""
}

func names(t *Table) string {
	var all []string
	for _, c := range t.Columns {
		all = append(all, c.Name)
	}
	return strings.Join(all, ",")
}

// entry is a row under the hash of its key.
type entry struct {
	hash uint64
	row  uint32
}

// unordered walks both tables in the order of their keys' hashes, run by run
// of equal hashes.
func (d *differ) unordered() {
	seed := maphash.MakeSeed()
	var w, g []entry
	var both sync.WaitGroup
	both.Go(func() { w = d.index(d.want, seed) })
	both.Go(func() { g = d.index(d.got, seed) })
	both.Wait()
	for len(w) > 0 || len(g) > 0 {
		next := uint64(math.MaxUint64)
		if len(w) > 0 {
			next = w[0].hash
		}
		if len(g) > 0 {
			next = min(next, g[0].hash)
		}
		nw, ng := run(w, next), run(g, next)
		d.match(w[:nw], g[:ng])
		w, g = w[nw:], g[ng:]
	}
}

func run(entries []entry, hash uint64) int {
	n := 0
	for n < len(entries) && entries[n].hash == hash {
		n++
	}
	return n
}

// match pairs the rows of one hash by their real keys.
func (d *differ) match(w, g []entry) {
	taken := make([]bool, len(g))
	for _, a := range w {
		found := false
		for i, b := range g {
			if !taken[i] && d.sameKey(int(a.row), int(b.row)) {
				taken[i], found = true, true
				d.row(int(a.row), int(b.row))
				break
			}
		}
		if !found {
			d.report("no row for %s", d.key(d.want, int(a.row)))
		}
	}
	for i, b := range g {
		if !taken[i] {
			d.report("a row too many for %s", d.key(d.got, int(b.row)))
		}
	}
}

func (d *differ) index(t *Table, seed maphash.Seed) []entry {
	entries := make([]entry, t.Rows)
	var h maphash.Hash
	h.SetSeed(seed)
	for row := range entries {
		h.Reset()
		for i, c := range t.Columns {
			if d.isKey[i] {
				c.hash(&h, row)
			}
		}
		entries[row] = entry{h.Sum64(), uint32(row)}
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.hash, b.hash) })
	return entries
}

func (c *Column) hash(h *maphash.Hash, row int) {
	switch {
	case c.null[row]:
		h.WriteByte(0)
	case c.Family == Text:
		h.WriteByte(1)
		maphash.WriteComparable(h, c.offsets[row+1]-c.offsets[row])
		h.Write(c.bytes(row))
	case c.Family == Float:
		v := c.floats[row] + 0 // -0 is 0
		if v != v {
			v = 0 // all NaNs alike; equal decides
		}
		maphash.WriteComparable(h, v)
	default:
		maphash.WriteComparable(h, c.ints[row])
	}
}

func (d *differ) sameKey(want, got int) bool {
	for i, c := range d.want.Columns {
		if d.isKey[i] && !equal(c, want, d.got.Columns[i], got, false) {
			return false
		}
	}
	return true
}

func (d *differ) row(want, got int) {
	for i, w := range d.want.Columns {
		g := d.got.Columns[i]
		if !equal(w, want, g, got, d.forgiving[i]) {
			d.report("%s: %s is %s, want %s", d.key(d.want, want), w.Name, g.Show(got), w.Show(want))
		}
	}
}

func equal(w *Column, want int, g *Column, got int, forgiving bool) bool {
	if w.null[want] || g.null[got] {
		return w.null[want] == g.null[got]
	}
	switch w.Family {
	case Text:
		return bytes.Equal(w.bytes(want), g.bytes(got))
	case Float:
		return sameFloat(w.floats[want], g.floats[got], forgiving)
	}
	return w.ints[want] == g.ints[got]
}

func sameFloat(a, b float64, forgiving bool) bool {
	if a == b || a != a && b != b {
		return true
	}
	if !forgiving || math.IsInf(a, 0) || math.IsInf(b, 0) {
		return false
	}
	return math.Abs(a-b) <= Tolerance*max(math.Abs(a), math.Abs(b))
}

// key names a row by its keys, or by its number where there are none.
func (d *differ) key(t *Table, row int) string {
	var parts []string
	for i, c := range t.Columns {
		if d.isKey[i] {
			parts = append(parts, c.Name+"="+c.Show(row))
		}
	}
	if len(parts) == 0 || d.opt.Ordered {
		parts = append([]string{fmt.Sprintf("row %d", row)}, parts...)
	}
	return strings.Join(parts, " ")
}
