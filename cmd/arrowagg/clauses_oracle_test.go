package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arrowtest"
)

// answer3 is what a condition says of a row: SQL has a third one.
type answer3 int8

const (
	no answer3 = iota
	unknown
	yes
)

// predicate is a random condition: its text, and what it says of a row.
type predicate struct {
	text string
	test func(arrowtest.Row) answer3
}

// randomPredicate asks something of fields, with constants out of the rows
// themselves where there are any.
func randomPredicate(rng *rand.Rand, fields []arrow.Field, rows []arrowtest.Row, depth int) predicate {
	if depth > 0 && rng.IntN(2) == 0 {
		a, b := randomPredicate(rng, fields, rows, depth-1), randomPredicate(rng, fields, rows, depth-1)
		switch rng.IntN(3) {
		case 0:
			return predicate{"(" + a.text + ") and " + b.text, func(r arrowtest.Row) answer3 {
				return min(a.test(r), b.test(r))
			}}
		case 1:
			return predicate{"(" + a.text + " or (" + b.text + "))", func(r arrowtest.Row) answer3 {
				return max(a.test(r), b.test(r))
			}}
		}
		return predicate{"not (" + a.text + ")", func(r arrowtest.Row) answer3 { return yes - a.test(r) }}
	}
	f := rng.IntN(len(fields))
	dt, name := fields[f].Type, fields[f].Name
	cell := func() arrowtest.Cell {
		for range 10 {
			if len(rows) > 0 {
				if c := rows[rng.IntN(len(rows))][f]; !c.Null {
					return c
				}
			}
		}
		return arrowtest.Null
	}
	x := cell()
	if x.Null || rng.IntN(6) == 0 {
		negated := rng.IntN(2) == 0
		return predicate{
			name + map[bool]string{true: " is not null", false: " is null"}[negated],
			func(r arrowtest.Row) answer3 { return certain(r[f].Null != negated) },
		}
	}
	compare := func(r arrowtest.Row, x arrowtest.Cell) int {
		return compareKeys(dt, canonical(dt, r[f]), canonical(dt, x))
	}
	known := func(test func(arrowtest.Row) bool) func(arrowtest.Row) answer3 {
		return func(r arrowtest.Row) answer3 {
			if r[f].Null {
				return unknown
			}
			return certain(test(r))
		}
	}
	y, z := cell(), cell()
	if y.Null || z.Null {
		y, z = x, x
	}
	switch rng.IntN(5) {
	case 0:
		return predicate{
			fmt.Sprintf("%s between %s and %s", name, constant(dt, x), constant(dt, y)),
			known(func(r arrowtest.Row) bool { return compare(r, x) >= 0 && compare(r, y) <= 0 }),
		}
	case 1:
		negated := rng.IntN(2) == 0
		return predicate{
			fmt.Sprintf("%s %s (%s, %s, %s)", name, map[bool]string{true: "not in", false: "in"}[negated],
				constant(dt, x), constant(dt, y), constant(dt, z)),
			known(func(r arrowtest.Row) bool {
				return (compare(r, x) == 0 || compare(r, y) == 0 || compare(r, z) == 0) != negated
			}),
		}
	case 2:
		if prefix := x.Text[:len(x.Text)/2]; isText(dt) && !strings.ContainsAny(prefix, "%_") && isWhole(prefix) {
			return predicate{
				name + " like " + quote(prefix+"%"),
				known(func(r arrowtest.Row) bool { return strings.HasPrefix(r[f].Text, prefix) }),
			}
		}
	}
	op := pick(rng, "=", "<>", "<", "<=", ">", ">=")
	holds := known(func(r arrowtest.Row) bool {
		switch c := compare(r, x); op {
		case "=":
			return c == 0
		case "<>":
			return c != 0
		case "<":
			return c < 0
		case "<=":
			return c <= 0
		case ">":
			return c > 0
		}
		return compare(r, x) >= 0
	})
	return predicate{name + " " + op + " " + constant(dt, x), holds}
}

func certain(b bool) answer3 {
	if b {
		return yes
	}
	return no
}

func isText(dt arrow.DataType) bool {
	switch dt.ID() {
	case arrow.STRING, arrow.STRING_VIEW, arrow.LARGE_STRING, arrow.DICTIONARY, arrow.RUN_END_ENCODED:
		return true
	}
	return false
}

// isWhole tells whether a text was not cut within a character.
func isWhole(s string) bool { return strings.ToValidUTF8(s, "") == s }

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// constant writes a cell as a condition has it.
func constant(dt arrow.DataType, c arrowtest.Cell) string {
	switch {
	case dt.ID() == arrow.DURATION:
		return c.Text + "us"
	case isNumeric(dt) && !strings.ContainsAny(c.Text, "Ni"): // NaN and inf are texts
		return c.Text
	case dt.ID() == arrow.BOOL:
		return c.Text
	}
	return quote(c.Text)
}

// bucketed replaces keys by calls that cut them, and gives the oracle the
// columns that come of it: the text of a date or timestamp cut off.
func bucketed(rng *rand.Rand, o *oracle, q *question, flags []string) {
	keys := slices.Clone(q.keys)
	at := slices.Index(flags, "-g")
	if at < 0 {
		return
	}
	names := strings.Split(flags[at+1], ",")
	for i, f := range q.keys {
		field := o.fields[f]
		id := field.Type.ID()
		if id != arrow.TIMESTAMP && id != arrow.DATE32 || rng.IntN(2) == 0 {
			continue
		}
		units := map[string]int{"year": 4, "month": 7, "day": 10, "hour": 13, "minute": 16, "second": 19}
		choice := []string{"year", "month", "day", "hour", "minute", "second"}
		if id == arrow.DATE32 {
			choice = choice[:3]
		}
		unit := pick(rng, choice...)
		width := map[string]string{"year": "1y", "month": "1mo", "day": "1d", "hour": "60m", "minute": "1m", "second": "1000ms"}[unit]
		names[i] = fmt.Sprintf("date_trunc(%s, %s)", unit, field.Name)
		if rng.IntN(2) == 0 {
			names[i] = fmt.Sprintf("time_bucket(%s, %s)", width, field.Name)
		}
		keys[i] = len(o.fields)
		o.fields = append(slices.Clone(o.fields), field)
		for r, row := range o.rows {
			cell := row[f]
			if !cell.Null {
				// 0000-01-01T00:00:00.000000000 from where the unit ends
				const begin = "0000-01-01T00:00:00.000000000"
				n := units[unit]
				cell.Text = cell.Text[:n] + begin[n:max(n, len(strings.TrimSuffix(cell.Text, "Z")))] +
					cell.Text[len(strings.TrimSuffix(cell.Text, "Z")):]
			}
			o.rows[r] = append(slices.Clone(row), cell)
		}
	}
	q.keys = keys
	flags[at+1] = strings.Join(names, ",")
}

// shownResult is the oracle's answer as a table that can be filtered, sorted
// and cut.
type shownResult struct {
	fields []arrow.Field
	rows   []arrowtest.Row
}

func newShownResult(o *oracle, q question, text string) shownResult {
	lines := parseCSV(text)
	var s shownResult
	for i, c := range q.columns {
		f := arrow.Field{Name: lines[0][i].Text}
		if c >= 0 {
			f.Type = o.fields[q.keys[c]].Type
		} else {
			f.Type = resultType(o, q, q.aggregates[^c])
		}
		s.fields = append(s.fields, f)
	}
	s.rows = lines[1:]
	return s
}

func resultType(o *oracle, q question, c call) arrow.DataType {
	if result := oracleFunctions[c.function].result; result != nil {
		return result
	}
	dt := o.fields[c.fields[0]].Type
	switch {
	case c.function != "sum":
		return dt
	case isFloating(dt):
		return arrow.PrimitiveTypes.Float64
	}
	return dt
}

// parseCSV reads what the oracle prints: a null is nothing, an empty text two
// quotes.
func parseCSV(text string) (lines []arrowtest.Row) {
	var line arrowtest.Row
	for text != "" {
		var cell arrowtest.Cell
		if text[0] == '"' {
			var b strings.Builder
			i := 1
			for ; text[i] != '"' || i+1 < len(text) && text[i+1] == '"'; i++ {
				if text[i] == '"' {
					i++
				}
				b.WriteByte(text[i])
			}
			cell.Text, text = b.String(), text[i+1:]
		} else {
			n := strings.IndexAny(text, ",\n")
			cell.Text, text = text[:n], text[n:]
			cell.Null = cell.Text == ""
		}
		line = append(line, cell)
		if text[0] == '\n' {
			lines, line = append(lines, line), nil
		}
		text = text[1:]
	}
	return lines
}

func (s shownResult) print() string {
	var b strings.Builder
	for i, f := range s.fields {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(csvCell(arrowtest.Cell{Text: f.Name}))
	}
	b.WriteByte('\n')
	for _, row := range s.rows {
		for i, c := range row {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(csvCell(c))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// arranged draws --having, -s and -n, applies them, and returns the flags.
func (s *shownResult) arranged(rng *rand.Rand) (flags []string) {
	if len(s.fields) > 0 && rng.IntN(2) == 0 {
		p := randomPredicate(rng, s.fields, s.rows, 2)
		flags = append(flags, "--having", p.text)
		s.rows = slices.DeleteFunc(s.rows, func(r arrowtest.Row) bool { return p.test(r) != yes })
	}
	if rng.IntN(2) == 0 {
		type key struct {
			field      int
			descending bool
		}
		var keys []key
		var texts []string
		for _, f := range rng.Perm(len(s.fields))[:1+rng.IntN(len(s.fields))] {
			k := key{f, rng.IntN(2) == 0}
			keys = append(keys, k)
			texts = append(texts, s.fields[f].Name+map[bool]string{true: " desc", false: pick(rng, "", " asc")}[k.descending])
		}
		flags = append(flags, "-s", strings.Join(texts, ", "))
		slices.SortStableFunc(s.rows, func(a, b arrowtest.Row) int {
			for _, k := range keys {
				dt := s.fields[k.field].Type
				x, y := canonical(dt, a[k.field]), canonical(dt, b[k.field])
				c := compareKeys(dt, x, y)
				if k.descending && !x.Null && !y.Null {
					c = -c
				}
				if c != 0 {
					return c
				}
			}
			return 0
		})
	}
	if rng.IntN(2) == 0 {
		n := pick(rng, 0, 1, 2, 7, 1000)
		flags = append(flags, "-n", fmt.Sprint(n))
		s.rows = s.rows[:min(n, len(s.rows))]
	}
	return flags
}

// TestClausesOracle runs random filters, buckets, orders and limits over random
// inputs in random encodings, against an evaluation row by row.
func TestClausesOracle(t *testing.T) {
	t.Parallel()
	n := uint64(600)
	if testing.Short() {
		n = 100
	}
	if *oracleCount > 0 {
		n = *oracleCount
	}
	filtered, shown := 0, 0
	for seed := *oracleFirst; seed < *oracleFirst+n && !t.Failed(); seed++ {
		f, s := askClauses(t, seed)
		filtered += f
		shown += s
	}
	// The draw must not drift towards conditions that take all, or nothing.
	if n >= 100 && !t.Failed() && (filtered < int(n)/10 || shown < int(n)/10) {
		t.Errorf("of %d questions %d take some rows and not all, %d show some groups and not all", n, filtered, shown)
	}
}

// clauses is a question with everything that a command line can ask: what to
// compute of which rows, and what to show of that in which order. flags compute
// and shown shows; want is the CSV, or overflow the error.
type clauses struct {
	flags, shown []string
	want         string
	overflow     error
	filters      bool // -w takes some rows and not all
	shows        bool // some groups are shown and not all
}

// randomClauses draws a question about a stream and answers it. There is none
// if the draw leaves nothing to group by and nothing to aggregate.
func randomClauses(rng *rand.Rand, s *arrowtest.Stream) (c clauses, ok bool) {
	flags, q := randomQuestion(rng, s)
	if len(q.columns) == 0 {
		return c, false
	}
	o := &oracle{fields: s.Fields, rows: s.Rows()}
	if rng.IntN(3) > 0 {
		p := randomPredicate(rng, o.fields, o.rows, 3)
		flags = append(flags, "-w", p.text)
		all := len(o.rows)
		o.rows = slices.DeleteFunc(slices.Clone(o.rows), func(r arrowtest.Row) bool { return p.test(r) != yes })
		c.filters = 0 < len(o.rows) && len(o.rows) < all
	}
	bucketed(rng, o, &q, flags)
	c.flags = flags
	var text string
	text, c.overflow = o.answer(q)
	result := newShownResult(o, q, text)
	all := len(result.rows)
	c.shown = result.arranged(rng)
	c.shows = 0 < len(result.rows) && len(result.rows) < all
	c.want = result.print()
	return c, true
}

func askClauses(t *testing.T, seed uint64) (filtered, shown int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 7))
	s := randomStream(rng, []int{0, 3, 30, 300}[rng.IntN(4)])
	c, ok := randomClauses(rng, s)
	if !ok {
		return 0, 0
	}
	if c.filters {
		filtered = 1
	}
	if c.shows {
		shown = 1
	}

	dir := t.TempDir()
	var names []string
	for i, part := range s.Parts(rng, 1+rng.IntN(3)) {
		name := filepath.Join(dir, fmt.Sprintf("%d", i))
		writeFile(t, name, randomEncoding(rng, widened(rng, part)))
		names = append(names, name)
	}
	args := slices.Concat([]string{"-f", "csv", fmt.Sprint("-j", 1+rng.IntN(3))}, c.flags, c.shown, names)
	got := runWith(nil, args...)
	describe := func() string {
		return fmt.Sprintf("-run ClausesOracle -oracle.first %d -oracle.count 1: arrowagg %q\n%s", seed, args,
			(&arrowtest.Stream{Fields: s.Fields}).String())
	}
	switch {
	case c.overflow != nil:
		if got.code != exitInput || got.stdout != "" || !strings.Contains(got.stderr, "does not fit") {
			t.Errorf("%sgot %v, want an overflow (%v)", describe(), got, c.overflow)
		}
	case got.code != exitDone || got.stderr != "":
		t.Errorf("%sgot %v", describe(), got)
	case got.stdout != c.want:
		t.Errorf("%sgot and want differ: %s", describe(), firstDifference(got.stdout, c.want))
	}
	return filtered, shown
}
