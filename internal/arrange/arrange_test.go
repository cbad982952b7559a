package arrange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"arrowagg/internal/arrowtest"
	"arrowagg/internal/expr"
	"arrowagg/internal/syntax"
)

// listed is a result of batches that are there already.
type listed struct {
	batches []arrow.RecordBatch
	next    int
	read    int
}

func (l *listed) Next(context.Context) (arrow.RecordBatch, error) {
	if l.next == len(l.batches) {
		return nil, io.EOF
	}
	l.next++
	l.read++
	b := l.batches[l.next-1]
	b.Retain()
	return b, nil
}

func (l *listed) Rewind()      { l.next = 0 }
func (l *listed) Close() error { return nil }

// columnTypes are all that results have, with cells that are easy to get
// wrong.
var columnTypes = []struct {
	typ   string
	cells []string
}{
	{"bool", []string{"true", "false"}},
	{"int8", []string{"-128", "-1", "0", "127"}},
	{"uint8", []string{"0", "200", "255"}},
	{"int16", []string{"-32768", "-1", "1", "32767"}},
	{"uint16", []string{"0", "65535", "9"}},
	{"int32", []string{"-2147483648", "-7", "2147483647"}},
	{"uint32", []string{"0", "4294967295", "5"}},
	{"int64", []string{"-9223372036854775808", "-1", "0", "9223372036854775807"}},
	{"uint64", []string{"0", "18446744073709551615", "9223372036854775808"}},
	{"float16", []string{"NaN", "-inf", "inf", "0.0", "-0.0", "1.5", "-2.0"}},
	{"float32", []string{"NaN", "-inf", "inf", "0.0", "-0.0", "0.1", "-2.5"}},
	{"float64", []string{"NaN", "-inf", "inf", "0.0", "-0.0", "1e300", "-1e-300"}},
	{"decimal32(9, 2)", []string{"-1.50", "0.00", "1.50"}},
	{"decimal64(18, 2)", []string{"-1.50", "0.00", "1.50"}},
	{"decimal128(38, 2)", []string{"-1.50", "1.49", "1.50", "99999999999999999999.00", "-99999999999999999999.00"}},
	{"decimal256(76, 2)", []string{"-1.50", "1.50", "-0.01", "99999999999999999999999999999999999999999.00"}},
	{"date32", []string{"1969-12-31", "1970-01-01", "2024-02-29"}},
	{"time64[us]", []string{"00:00:00.000000", "23:59:59.999999"}},
	{"timestamp[ns, UTC]", []string{"1969-12-31T23:59:59.999999999Z", "2024-01-01T00:00:00.000000000Z"}},
	{"duration[s]", []string{"-5", "0", "7"}},
	{"utf8", []string{`""`, "a", "aaaaaaaa", "aaaaaaaab", "aaaaaaaa\x01", "b", "ä"}},
	{"binary", []string{`\x`, `\x00`, `\x0000`, `\x616161616161616100`, `\x6161616161616161`, `\xff`}},
	{"large_binary", []string{`\x`, `\x00`, `\x616161616161616161`, `\x61616161616161616161`}},
	{"binary_view", []string{`\x`, `\x00`, `\x6161616161616161616161616161`, `\x6161616161616161616161616162`}},
	{"fixed_size_binary(9)", []string{`\x616161616161616161`, `\x616161616161616162`, `\x000000000000000000`}},
}

// rank orders a cell's texts by value: numbers with NaN last, texts by bytes.
func compareCells(typ string, a, b string) int {
	switch {
	case strings.HasPrefix(typ, "float"):
		x, _ := strconv.ParseFloat(a, 64)
		y, _ := strconv.ParseFloat(b, 64)
		switch {
		case x != x || y != y:
			return cmp.Compare(btoi(x != x), btoi(y != y))
		case typ == "float16" || typ == "float32" || typ == "float64":
			return cmp.Compare(x+0, y+0)
		}
	case strings.HasPrefix(typ, "int"), strings.HasPrefix(typ, "uint"), typ == "duration[s]", strings.HasPrefix(typ, "decimal"):
		return compareDecimals(a, b)
	}
	return strings.Compare(a, b) // booleans too, and hex digits, and fixed-width dates
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// compareDecimals compares numbers digit by digit.
func compareDecimals(a, b string) int {
	if x, y := strings.HasPrefix(a, "-"), strings.HasPrefix(b, "-"); x || y {
		if x && y {
			return compareDecimals(b[1:], a[1:])
		}
		return btoi(y) - btoi(x)
	}
	if len(a) != len(b) { // same scale, no leading zeros
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

type random struct {
	types   []int
	batches []arrow.RecordBatch
	rows    []arrowtest.Row // the same, as text
}

func randomResult(rng *rand.Rand, rows int) random {
	var r random
	s := &arrowtest.Stream{}
	names := []string{}
	for c := range 1 + rng.IntN(4) {
		k := rng.IntN(len(columnTypes))
		r.types = append(r.types, k)
		names = append(names, fmt.Sprintf("c%d %s", c, columnTypes[k].typ))
	}
	names = append(names, "at int64") // which row it was
	s = arrowtest.Must(strings.Join(names, " | "))
	var list []arrowtest.Row
	for i := range rows {
		var row arrowtest.Row
		for _, k := range r.types {
			cell := arrowtest.Cell{Text: pick(rng, columnTypes[k].cells)}
			if cell.Text == `""` {
				cell.Text = ""
			}
			if rng.IntN(6) == 0 {
				cell = arrowtest.Null
			}
			row = append(row, cell)
		}
		list = append(list, append(row, arrowtest.Cell{Text: strconv.Itoa(i)}))
	}
	s.Batches = []arrowtest.Batch{{Rows: list}}
	recs, err := s.RecutAt(rng).Records()
	if err != nil {
		panic(err)
	}
	r.batches = recs
	r.rows = arrowtest.FromRecords(s.Schema(), recs).Rows()
	return r
}

func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

// want sorts the rows as text and cuts them.
func (r random) want(keys []Key, limit int64) []arrowtest.Row {
	rows := slices.Clone(r.rows)
	slices.SortStableFunc(rows, func(a, b arrowtest.Row) int {
		for _, k := range keys {
			x, y := a[k.Column], b[k.Column]
			if x.Null || y.Null {
				if x.Null != y.Null {
					return btoi(x.Null) - btoi(y.Null)
				}
				continue
			}
			typ := "int64"
			if k.Column < len(r.types) {
				typ = columnTypes[r.types[k.Column]].typ
			}
			if d := compareCells(typ, x.Text, y.Text); d != 0 {
				if k.Descending {
					return -d
				}
				return d
			}
		}
		return 0
	})
	if limit >= 0 {
		rows = rows[:min(int64(len(rows)), limit)]
	}
	return rows
}

// read reads a source to its end and returns its rows.
func read(t *testing.T, s Source) (rows []arrowtest.Row) {
	t.Helper()
	for {
		b, err := s.Next(context.Background())
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, arrowtest.FromRecords(b.Schema(), []arrow.RecordBatch{b}).Rows()...)
		b.Release()
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return rows
}

func show(rows []arrowtest.Row) string {
	var b strings.Builder
	for _, row := range rows {
		fmt.Fprintf(&b, "%v\n", row)
	}
	return b.String()
}

// Random rows, keys and limits against a stable sort of their text.
func TestOrder(t *testing.T) {
	seed := uint64(rand.Uint32())
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := range 300 {
		r := randomResult(rng, rng.IntN(200))
		var keys []Key
		for _, c := range rng.Perm(len(r.types) + 1)[:rng.IntN(len(r.types)+1)] {
			keys = append(keys, Key{Column: c, Descending: rng.IntN(2) == 0})
		}
		limit := pick(rng, []int64{All, All, 0, 1, 5, 50, 1000})
		s, err := Arrangement{Keys: keys, Limit: limit}.Open(context.Background(), &listed{batches: r.batches})
		if err != nil {
			t.Fatal(err)
		}
		got := read(t, s)
		if g, w := show(got), show(r.want(keys, limit)); g != w {
			t.Fatalf("seed %d, %d: keys %v, limit %d of %v\ngot\n%swant\n%s", seed, i, keys, limit, r.batches, g, w)
		}
		shelf := &shelf{}
		room := Room{Rows: 1 + rng.IntN(60), Keep: shelf.keep}
		s, err = Arrangement{Keys: keys, Limit: limit, Room: room}.Open(context.Background(), &listed{batches: r.batches})
		if err != nil {
			t.Fatal(err)
		}
		if g, w := show(read(t, s)), show(r.want(keys, limit)); g != w {
			t.Fatalf("seed %d, %d: keys %v, limit %d, %d rows at a time of %v\ngot\n%swant\n%s",
				seed, i, keys, limit, room.Rows, r.batches, g, w)
		}
		if shelf.open != 0 {
			t.Fatalf("seed %d, %d: %d of what was put aside is not closed", seed, i, shelf.open)
		}
	}
}

// shelf puts sorted rows aside in memory.
type shelf struct {
	open    int
	failing bool
}

type shelved struct {
	*listed
	on *shelf
}

func (s *shelf) keep(ctx context.Context, _ *arrow.Schema, from Source) (Source, error) {
	if s.failing {
		return nil, errors.New("no room")
	}
	l := &listed{}
	for {
		batch, err := from.Next(ctx)
		if errors.Is(err, io.EOF) {
			s.open++
			return shelved{l, s}, nil
		}
		if err != nil {
			return nil, err
		}
		l.batches = append(l.batches, batch)
	}
}

func (s shelved) Close() error {
	s.on.open--
	return nil
}

// What cannot be put aside ends the sorting.
func TestSortingWithoutRoom(t *testing.T) {
	room := Room{Rows: 100, Keep: (&shelf{failing: true}).keep}
	a := Arrangement{Keys: []Key{{Column: 0}}, Limit: All, Room: room}
	if _, err := a.Open(context.Background(), numbers(1000, 64)); err == nil || err.Error() != "no room" {
		t.Errorf("error %v", err)
	}
}

// numbers is a result of n rows in batches of the given length: k, which
// repeats, at, the row's number, and s, a text.
func numbers(n, batch int) *listed {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "k", Type: arrow.PrimitiveTypes.Int64},
		{Name: "at", Type: arrow.PrimitiveTypes.Int64},
		{Name: "s", Type: arrow.BinaryTypes.String},
	}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	l := &listed{}
	for i := range n {
		b.Field(0).(*array.Int64Builder).Append(int64(i * 7919 % 1000))
		b.Field(1).(*array.Int64Builder).Append(int64(i))
		b.Field(2).(*array.StringBuilder).Append([]string{"", "a", "longer than a word"}[i%3])
		if i%batch == batch-1 || i == n-1 {
			l.batches = append(l.batches, b.NewRecordBatch())
		}
	}
	return l
}

// readNumbers reads such a result to its end; the texts have to fit.
func readNumbers(t *testing.T, s Source) (k, at, sizes []int64) {
	t.Helper()
	for {
		b, err := s.Next(context.Background())
		if errors.Is(err, io.EOF) {
			return k, at, sizes
		}
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, b.NumRows())
		k = append(k, b.Column(0).(*array.Int64).Int64Values()...)
		at = append(at, b.Column(1).(*array.Int64).Int64Values()...)
		for i := range int(b.NumRows()) {
			n := b.Column(1).(*array.Int64).Value(i)
			if got := b.Column(2).(*array.String).Value(i); len(got) != []int{0, 1, 18}[n%3] {
				t.Fatalf("row %d has the text %q", n, got)
			}
		}
		b.Release()
	}
}

// The first N of many more rows than are ever held.
func TestFirstRows(t *testing.T) {
	const rows = 200_000
	result := numbers(rows, 1000)
	for _, limit := range []int64{1, 10, 70_000} {
		s := &sorter{order: order{keys: []Key{{Column: 0, Descending: true}}}, limit: limit}
		most := 0
		result.Rewind()
		for {
			b, err := result.Next(context.Background())
			if err != nil {
				break
			}
			s.add(b)
			held := 0
			for _, b := range s.batches {
				held += int(b.NumRows())
			}
			most = max(most, held)
		}
		s.sort()
		k, at, sizes := readNumbers(t, sorted{s})
		if int64(len(k)) != limit || sizes[0] != min(limit, cutRows) {
			t.Fatalf("limit %d: %d rows in batches of %v", limit, len(k), sizes)
		}
		for i := range k {
			// k counts down from 999, 200 rows each, in the order of at.
			if want := int64(999 - i/200); k[i] != want {
				t.Fatalf("limit %d: row %d has %d, want %d", limit, i, k[i], want)
			}
			if i%200 > 0 && at[i-1] >= at[i] {
				t.Fatalf("limit %d: rows %d and %d are not in the order in which they came", limit, i-1, i)
			}
		}
		if bound := int(max(2*limit, limit+2*cutRows)) + 1000; most > bound {
			t.Errorf("limit %d: %d rows were held, more than %d", limit, most, bound)
		}
	}
}

func mustBind(t *testing.T, src string, columns ...expr.Column) *expr.Condition {
	t.Helper()
	e, err := syntax.ParseCondition(src)
	if err != nil {
		t.Fatal(err)
	}
	c, err := expr.BindCondition(src, e, expr.Scope{Columns: columns})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// What a condition leaves over is cut into batches as if it were all there is.
func TestHavingIsRecut(t *testing.T) {
	const rows = 200_000
	k := expr.Column{Name: "k", Type: arrow.PrimitiveTypes.Int64}
	for src, want := range map[string]int{"k < 500": rows / 2, "k < 0": 0, "k >= 0": rows, "k = 7": rows / 1000} {
		c := mustBind(t, src, k)
		s, err := Arrangement{Having: c, HavingInputs: []int{0}, Limit: All}.Open(context.Background(), numbers(rows, 900))
		if err != nil {
			t.Fatal(err)
		}
		_, at, sizes := readNumbers(t, s)
		if len(at) != want {
			t.Errorf("%s: %d rows, want %d", src, len(at), want)
		}
		for i, n := range sizes {
			if i < len(sizes)-1 && n != cutRows || n > cutRows {
				t.Errorf("%s: batches of %v rows", src, sizes)
			}
		}
		for i := 1; i < len(at); i++ {
			if at[i-1] >= at[i] {
				t.Fatalf("%s: rows %d and %d changed places", src, i-1, i)
			}
		}
	}
}

// A condition that fails on the last row fails before the first batch.
func TestHavingFailsBeforehand(t *testing.T) {
	result := numbers(5000, 1000)
	c := mustBind(t, "cast(at as int8) >= 0", expr.Column{Name: "at", Type: arrow.PrimitiveTypes.Int64})
	var value *expr.ValueError
	_, err := Arrangement{Having: c, HavingInputs: []int{1}, Limit: All}.Open(context.Background(), result)
	if !errors.As(err, &value) {
		t.Fatalf("got %v", err)
	}
	// One that cannot fail reads the result once.
	result = numbers(5000, 1000)
	c = mustBind(t, "at >= 0", expr.Column{Name: "at", Type: arrow.PrimitiveTypes.Int64})
	s, err := Arrangement{Having: c, HavingInputs: []int{1}, Limit: 10}.Open(context.Background(), result)
	if err != nil || result.read != 0 {
		t.Fatalf("%v, %d batches read", err, result.read)
	}
	if k, _, _ := readNumbers(t, s); len(k) != 10 {
		t.Errorf("%d rows", len(k))
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s, err := Arrangement{Keys: []Key{{Column: 0}}, Limit: All}.Open(ctx, numbers(10, 5))
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := s.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// Rows whose bytes no offsets could address together go into batches of their
// own.
func TestFits(t *testing.T) {
	huge := column{typ: arrow.BinaryTypes.String, small: []int32{0, math.MaxInt32}, bytes: make([]byte, 0)}
	huge.bytes = hugeBytes(t)
	g := &gatherer{
		schema:  arrow.NewSchema([]arrow.Field{{Name: "s", Type: arrow.BinaryTypes.String}}, nil),
		columns: [][]column{{huge}, {huge}},
	}
	if n := g.fits([]ref{newRef(0, 0), newRef(1, 0)}); n != 1 {
		t.Errorf("%d rows fit", n)
	}
}
