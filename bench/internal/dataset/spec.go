package dataset

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// DefaultBatch is the number of rows in a batch unless Spec.Batch says otherwise.
const DefaultBatch = 65536

// Spec says which table to make and how to write it. The zero value of a field
// is its default.
type Spec struct {
	Set  string // a row of Sets
	Rows int64
	Seed uint64

	// What the rows are.

	K       int     // h2o: cardinality of the small keys, 100
	Minutes int     // sensor: how many, 1,440
	Nulls   float64 // share of nulls in every column
	Skew    Skew
	Pad     int // float64 columns p000 … that no query uses

	// How they are written.

	SortBy   []string // order of the rows: by these key columns
	Batch    int      // rows per batch, DefaultBatch
	Encoding string   // of strings: a row of Encodings, utf8
	Codec    string   // of bodies: none, lz4, zstd
	Files    int      // written as so many files, 1
}

// Flags defines the command-line flags of gen that set the spec; Parse them,
// then the spec is set.
func (s *Spec) Flags(flags *flag.FlagSet) {
	flags.StringVar(&s.Set, "set", "h2o", "table: h2o or sensor")
	flags.Func("rows", "number of rows, as 1e7", func(text string) (err error) {
		s.Rows, err = ParseCount(text)
		return err
	})
	flags.Uint64Var(&s.Seed, "seed", 0, "seed of the random values")
	flags.IntVar(&s.K, "k", 100, "h2o: distinct values of the small keys; the large ones have rows/k")
	flags.IntVar(&s.Minutes, "minutes", sensorMinutes, "sensor: minutes from 2024-01-01 on")
	flags.Float64Var(&s.Nulls, "nulls", 0, "share of nulls in every column, 0 to 1")
	flags.Func("skew", "keys: uniform, zipf:S (weight 1/rank^S), hot:F (one group has the share F)",
		func(text string) (err error) {
			s.Skew, err = ParseSkew(text)
			return err
		})
	flags.IntVar(&s.Pad, "pad", 0, "further float64 columns that no query uses")
	flags.Func("sort-by", "write the rows sorted by these key columns, comma-separated", func(text string) error {
		s.SortBy = strings.Split(text, ",")
		return nil
	})
	flags.IntVar(&s.Batch, "batch", DefaultBatch, "rows per batch")
	flags.StringVar(&s.Encoding, "encoding", "utf8", "strings: "+strings.Join(Encodings, ", "))
	flags.StringVar(&s.Codec, "codec", "none", "bodies: "+strings.Join(Codecs, ", "))
	flags.IntVar(&s.Files, "files", 1, "write the rows as so many files")
}

// Arguments are the flags that make gen's spec this one.
func (s Spec) Arguments() []string {
	args := []string{
		"-set", s.Set, "-rows", fmt.Sprint(s.Rows), "-seed", fmt.Sprint(s.Seed), "-k", fmt.Sprint(s.K),
		"-minutes", fmt.Sprint(s.Minutes),
		"-nulls", fmt.Sprint(s.Nulls), "-skew", s.Skew.String(), "-pad", fmt.Sprint(s.Pad),
		"-batch", fmt.Sprint(s.Batch), "-encoding", s.Encoding, "-codec", s.Codec, "-files", fmt.Sprint(s.Files),
	}
	if len(s.SortBy) > 0 {
		args = append(args, "-sort-by", strings.Join(s.SortBy, ","))
	}
	return args
}

// Encodings are the string encodings, Codecs the body codecs.
var (
	Encodings = []string{"utf8", "large_utf8", "dictionary", "view"}
	Codecs    = []string{"none", "lz4", "zstd"}
)

// Sets are the tables that can be made, by name.
var Sets = map[string]func(Spec) []column{
	"h2o":    h2o,
	"sensor": sensor,
}

// WithDefaults fills in what was left zero and checks the rest.
func (s Spec) WithDefaults() (Spec, error) {
	if s.K == 0 {
		s.K = 100
	}
	if s.Minutes == 0 {
		s.Minutes = sensorMinutes
	}
	if s.Batch == 0 {
		s.Batch = DefaultBatch
	}
	if s.Encoding == "" {
		s.Encoding = "utf8"
	}
	if s.Codec == "" {
		s.Codec = "none"
	}
	if s.Files == 0 {
		s.Files = 1
	}
	if s.Skew.Kind == "" {
		s.Skew.Kind = "uniform"
	}
	make, ok := Sets[s.Set]
	switch {
	case !ok:
		return s, fmt.Errorf("set %q is none of h2o, sensor", s.Set)
	case s.Rows < 0 || s.Rows > 1<<32-1:
		return s, fmt.Errorf("%d rows: from 0 to %d can be made; feed a file several times for more",
			s.Rows, uint32(1<<32-1))
	case s.K < 1:
		return s, fmt.Errorf("k %d: at least 1", s.K)
	case s.Minutes < 1:
		return s, fmt.Errorf("minutes %d: at least 1", s.Minutes)
	case s.Batch < 1 || s.Batch > 1<<24:
		return s, fmt.Errorf("batches of %d rows: from 1 to %d", s.Batch, 1<<24)
	case !slices.Contains(Encodings, s.Encoding):
		return s, fmt.Errorf("encoding %q is none of %s", s.Encoding, strings.Join(Encodings, ", "))
	case !slices.Contains(Codecs, s.Codec):
		return s, fmt.Errorf("codec %q is none of %s", s.Codec, strings.Join(Codecs, ", "))
	case s.Nulls < 0 || s.Nulls > 1:
		return s, fmt.Errorf("share of nulls %g: from 0 to 1", s.Nulls)
	case s.Files < 1 || s.Pad < 0:
		return s, fmt.Errorf("%d files, %d padding columns: make no sense", s.Files, s.Pad)
	}
	columns := make(s)
	for _, name := range s.SortBy {
		i := slices.IndexFunc(columns, func(c column) bool { return c.name == name && c.code != nil })
		if i < 0 {
			return s, fmt.Errorf("sort by %q: %s has no key column of that name", name, s.Set)
		}
	}
	return s, nil
}

// Name is a file name (without suffix) that tells the spec from every other.
func (s Spec) Name() string {
	parts := []string{s.Set, "n" + countName(s.Rows), "b" + strconv.Itoa(s.Batch), s.Encoding, s.Codec}
	add := func(differs bool, text string) {
		if differs {
			parts = append(parts, text)
		}
	}
	add(s.K != 100, "k"+strconv.Itoa(s.K))
	add(s.Minutes != sensorMinutes, "minutes"+strconv.Itoa(s.Minutes))
	add(s.Seed != 0, "seed"+strconv.FormatUint(s.Seed, 10))
	add(s.Nulls != 0, "nulls"+strconv.FormatFloat(s.Nulls, 'g', -1, 64))
	add(s.Skew.Kind != "uniform", strings.ReplaceAll(s.Skew.String(), ":", ""))
	add(len(s.SortBy) > 0, "by-"+strings.Join(s.SortBy, "-"))
	add(s.Pad != 0, "pad"+strconv.Itoa(s.Pad))
	return strings.Join(parts, "_")
}

// Paths are the files of the spec in a directory.
func (s Spec) Paths(dir string) []string {
	if s.Files <= 1 {
		return []string{dir + "/" + s.Name() + ".arrows"}
	}
	paths := make([]string, s.Files)
	for i := range paths {
		paths[i] = fmt.Sprintf("%s/%s_of%d/%05d.arrows", dir, s.Name(), s.Files, i)
	}
	return paths
}

// ParseCount reads a number of rows: 1000000, 1_000_000, 1e6, 3.5e6.
func ParseCount(text string) (int64, error) {
	plain := strings.NewReplacer("_", "", ",", "").Replace(text)
	if n, err := strconv.ParseInt(plain, 10, 64); err == nil {
		return n, nil
	}
	f, err := strconv.ParseFloat(plain, 64)
	if err != nil || f != float64(int64(f)) {
		return 0, fmt.Errorf("%q is no whole number", text)
	}
	return int64(f), nil
}

// countName writes 10000000 as 1e7, and what has no such short form in full.
func countName(n int64) string {
	zeros, digits := 0, n
	for digits > 0 && digits%10 == 0 {
		digits /= 10
		zeros++
	}
	if zeros < 4 {
		return strconv.FormatInt(n, 10)
	}
	return fmt.Sprintf("%de%d", digits, zeros)
}
