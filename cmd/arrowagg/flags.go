package main

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"arrowagg/internal/planner"
	"arrowagg/internal/render"
	"arrowagg/internal/warning"
)

// options is the command line as typed: what the flags say, not yet what it
// means.
type options struct {
	query  planner.Flags
	limit  int
	repeat int
	files0 string

	format      string
	output      string
	compression string
	noHeader    bool
	null        string
	floatDigits int
	shard       string
	expect      int

	check, explain, sql bool
	strict              bool
	allow               []string
	stats, statsJSON    bool
	color               string
	progress            string
	quiet               bool
	version, man        bool

	cpuProfile, memProfile string

	threads     int
	buffer      int
	memoryLimit string
	tempDir     string
	maxBuffer   string
}

// flagGroup is one heading of the help.
type flagGroup string

const (
	groupQuery  flagGroup = "What to compute"
	groupInput  flagGroup = "Inputs"
	groupOutput flagGroup = "Output"
	groupReport flagGroup = "Checks and reports"
	groupTuning flagGroup = "Tuning (never changes the result)"
)

var flagGroups = []flagGroup{groupQuery, groupInput, groupOutput, groupReport, groupTuning}

// groupAnnotation is where a flag keeps its heading.
const groupAnnotation = "arrowagg_group"

// groupOf is the heading a flag stands under, "" for hidden ones.
func groupOf(f *pflag.Flag) flagGroup {
	if a := f.Annotations[groupAnnotation]; len(a) == 1 {
		return flagGroup(a[0])
	}
	return ""
}

// defineFlags is the one definition of every flag.
func defineFlags(fs *pflag.FlagSet, o *options) {
	fs.SortFlags = false
	in := func(g flagGroup, names ...string) {
		for _, name := range names {
			fs.SetAnnotation(name, groupAnnotation, []string{string(g)})
		}
	}

	fs.StringArrayVarP(&o.query.GroupBy, "group-by", "g", nil, "key `COLS`, comma-separated, in sort order (repeatable)")
	fs.BoolVar(&o.query.NoKeys, "no-keys", false, "one row over everything")
	fs.StringArrayVarP(&o.query.Aggregates, "agg", "a", nil, "aggregate `EXPRS` like 'sum(bytes), max(lat) as worst, count(*)'")
	fs.StringArrayVarP(&o.query.Exclude, "exclude", "x", nil, "leave `COLS` out before the rule is applied (repeatable)")
	fs.StringVar(&o.query.IntSum, "int-sum", "int64", "integer sums of `TYPE` int64 or decimal (default: int64, overflow an error)")
	fs.StringVarP(&o.query.Where, "where", "w", "", "take only input rows that meet `EXPR` (for groups: --having)")
	fs.StringVar(&o.query.Having, "having", "", "show only groups that meet `EXPR`, over the columns of the result")
	fs.StringArrayVarP(&o.query.Sort, "sort", "s", nil, "sort by `KEYS` like 'lat_max desc, host', nulls last (default: by key)")
	fs.IntVarP(&o.limit, "limit", "n", 0, "show only the first `N` rows (default: all)")
	fs.StringVar(&o.query.Zone, "tz", "", "cut days, months and years in `ZONE` (default: the column's)")
	in(groupQuery, "group-by", "no-keys", "agg", "exclude", "where", "having", "sort", "limit", "tz", "int-sum")

	fs.IntVar(&o.repeat, "repeat", 1, "feed the inputs `N` times into the one aggregation")
	fs.StringVar(&o.files0, "files0-from", "", "more inputs, by name from `FILE` or -, NUL- or newline-separated")
	fs.BoolVar(&o.query.UnionByName, "union-by-name", false, "columns that only some inputs have are null elsewhere")
	fs.StringVar(&o.query.Source, "source", "", "make the input's name a key column called `NAME`")
	fs.StringVar(&o.shard, "shard", "", "as worker `I/N`, take the inputs at positions I, I+N, I+2N and so on")
	fs.IntVar(&o.expect, "expect", 0, "fail unless the partial inputs are all `N` shards of one run")
	in(groupInput, "repeat", "files0-from", "union-by-name", "source", "shard", "expect")

	fs.StringVarP(&o.format, "format", "f", "", "output `FORMAT`: "+strings.Join(formatNames(), " ")+" (default: by the -o suffix, else table)")
	fs.StringVarP(&o.output, "output", "o", "", "write to `FILE`, whole or not at all (- is standard output)")
	fs.BoolVar(&o.query.Partial, "partial", false, "write exact states, not values, as an Arrow stream for a later run")
	fs.StringVar(&o.compression, "compression", "none", "compress Arrow output with `CODEC` none, lz4 or zstd")
	fs.BoolVar(&o.noHeader, "no-header", false, "no header line")
	fs.StringVar(&o.null, "null", "", "write nulls as `TEXT`")
	fs.IntVar(&o.floatDigits, "float-digits", -1, "round floats to `N` digits (default: the fewest that read back the same)")
	in(groupOutput, "format", "output", "partial", "compression", "no-header", "null", "float-digits")

	fs.BoolVar(&o.check, "check", false, "read everything, print a row per input; exit 1 if one is not ok")
	fs.BoolVar(&o.explain, "explain", false, "print what becomes of every column, and by which rule; reads no batch")
	fs.BoolVar(&o.sql, "sql", false, "print the same query as SQL; reads no batch")
	fs.BoolVar(&o.strict, "strict", false, "warnings are errors")
	fs.StringArrayVar(&o.allow, "allow", nil, "accept and silence warnings of these `IDS`, comma-separated")
	fs.BoolVar(&o.stats, "stats", false, "figures of the run on standard error")
	fs.BoolVar(&o.statsJSON, "stats-json", false, "the same as one line of JSON")
	fs.StringVar(&o.progress, "progress", "auto", "how far a long run is, `WHEN`: auto (default: on a terminal), always, never")
	fs.StringVar(&o.color, "color", "auto", "dim lines and nulls, `WHEN`: auto (default: on a terminal), always, never")
	fs.BoolVarP(&o.quiet, "quiet", "q", false, "no warnings, no progress; errors stay")
	fs.BoolVarP(&o.version, "version", "V", false, "print the version")
	fs.BoolVar(&o.man, "man", false, "print the manual page")
	fs.MarkHidden("man")
	fs.StringVar(&o.cpuProfile, "cpu-profile", "", "write a CPU profile to `FILE`")
	fs.StringVar(&o.memProfile, "mem-profile", "", "write a profile of allocations to `FILE`")
	fs.MarkHidden("cpu-profile")
	fs.MarkHidden("mem-profile")
	fs.BoolP("help", "h", false, "print this help")
	in(groupReport, "check", "explain", "sql", "strict", "allow", "stats", "stats-json", "progress", "color", "quiet", "version", "help")

	fs.IntVarP(&o.threads, "threads", "j", runtime.GOMAXPROCS(0), "`N` worker threads (default: the processors this process may use)")
	fs.IntVar(&o.buffer, "buffer", 100, "at most `N` record batches wait between readers and workers")
	fs.StringVar(&o.memoryLimit, "memory-limit", "80%", "hold at most `SIZE` in memory, the rest on disk (default: 80% of it)")
	fs.StringVar(&o.tempDir, "temp-dir", "", "`DIR` for temporary files (default: $TMPDIR, else the system's)")
	fs.StringVar(&o.maxBuffer, "max-buffer", "1GiB", "one compressed buffer may unpack to `SIZE`")
	in(groupTuning, "threads", "buffer", "memory-limit", "temp-dir", "max-buffer")

	beStrict(fs)
}

// meaning is the command line understood: checked, defaults resolved.
type meaning struct {
	inputs    []string
	query     *planner.Query
	format    *render.Format
	render    render.Options
	maxBuffer int64
	memory    memoryLimit
	allow     map[string]bool
	shard     planner.Shard // the zero Shard: all inputs
}

// understand checks everything that can be wrong before an input is opened.
func (o *options) understand(fs *pflag.FlagSet, inputs []string) (*meaning, error) {
	m := &meaning{inputs: inputs, allow: map[string]bool{}}
	if fs.Changed("limit") {
		o.query.Limit = &o.limit
	}
	var err error
	if m.query, err = planner.Parse(o.query); err != nil {
		return nil, err
	}
	if m.format, err = o.chooseFormat(); err != nil {
		return nil, err
	}
	if o.query.Partial && m.format.Name != partialFormat {
		return nil, usagef("leave the format out",
			fmt.Sprintf("--partial writes an Arrow stream, not format %s", m.format.Name))
	}
	if m.render, err = o.renderOptions(fs, m.format); err != nil {
		return nil, err
	}
	if m.maxBuffer, err = parseSize(o.maxBuffer, 0); err != nil {
		return nil, usagef("", "--max-buffer: "+err.Error())
	}
	if m.memory, err = parseMemory(o.memoryLimit); err != nil {
		return nil, err
	}
	for _, id := range idList(o.allow) {
		if _, ok := warning.Lookup(id); !ok {
			return nil, usagef(nearestHint(id, warning.IDs()), fmt.Sprintf("--allow: unknown warning id %q", id))
		}
		m.allow[id] = true
	}
	if err := o.checkRanges(); err != nil {
		return nil, err
	}
	for _, flag := range []struct{ name, when string }{{"color", o.color}, {"progress", o.progress}} {
		if !slices.Contains(occasions, flag.when) {
			return nil, usagef("", fmt.Sprintf("--%s: %q is not auto, always or never", flag.name, flag.when))
		}
	}
	if err := exclusive(fs, "check", "explain", "sql"); err != nil {
		return nil, err
	}
	if err := exclusive(fs, "stats", "stats-json"); err != nil {
		return nil, err
	}
	if err := o.understandShards(fs, m); err != nil {
		return nil, err
	}
	switch {
	case o.sql: // a table of an engine is read once, and whole
		err = unused(fs, "--sql", "format", "output", "repeat", "shard")
	case o.check: // what computes something
		err = unused(fs, "--check", "shard", "expect", "partial", "group-by", "no-keys", "agg", "exclude", "int-sum",
			"where", "having", "sort", "limit", "tz", "repeat", "union-by-name", "source", "float-digits")
	}
	if err != nil {
		return nil, err
	}
	return m, checkNames(inputs)
}

// occasions are when something may be shown that only people want.
var occasions = []string{"auto", "always", "never"}

// checkRanges refuses numbers that mean nothing, or that a slip of the finger
// made so large that the system would give out.
func (o *options) checkRanges() error {
	for _, flag := range []struct {
		name        string
		value, most int
	}{
		{"repeat", o.repeat, math.MaxInt},
		{"threads", o.threads, 4096},
		{"buffer", o.buffer, 1_000_000},
	} {
		switch {
		case flag.value < 1:
			return usagef("", fmt.Sprintf("--%s: %d is less than 1", flag.name, flag.value))
		case flag.value > flag.most:
			return usagef("", fmt.Sprintf("--%s: %d is more than %d", flag.name, flag.value, flag.most))
		}
	}
	return nil
}

// chooseFormat applies -f, else the suffix of -o, else table.
func (o *options) chooseFormat() (*render.Format, error) {
	name := o.format
	switch _, told := render.BySuffix(o.output); {
	case name != "":
	case o.query.Partial && !told:
		name = partialFormat
	case o.output == "" || o.output == "-":
		name = "table"
	}
	if name == "" {
		if f, ok := render.BySuffix(o.output); ok {
			return f, nil
		}
		return nil, usagef("add -f with one of: "+strings.Join(formatNames(), " "),
			fmt.Sprintf("-o %s: the suffix tells no format", o.output))
	}
	f, ok := render.Lookup(name)
	if !ok {
		return nil, usagef(nearestHint(name, formatNames()), fmt.Sprintf("-f: unknown format %q", name))
	}
	return f, nil
}

// renderOptions refuses flags that the format would ignore: a flag without
// effect is a misunderstanding.
func (o *options) renderOptions(fs *pflag.FlagSet, f *render.Format) (render.Options, error) {
	for _, flag := range []struct {
		name string
		use  render.Flag
	}{
		{"no-header", render.FlagNoHeader},
		{"null", render.FlagNull},
		{"float-digits", render.FlagFloatDigits},
		{"compression", render.FlagCompression},
	} {
		if fs.Changed(flag.name) && f.Uses&flag.use == 0 {
			return render.Options{}, usagef("", fmt.Sprintf("--%s has no effect on format %s", flag.name, f.Name))
		}
	}
	opt := render.Options{NoHeader: o.noHeader, FloatDigits: o.floatDigits, Compression: o.compression}
	if fs.Changed("null") {
		opt.Null = &o.null
	}
	if fs.Changed("float-digits") && (o.floatDigits < 0 || o.floatDigits > 17) {
		return opt, usagef("", fmt.Sprintf("--float-digits: %d is not between 0 and 17", o.floatDigits))
	}
	switch o.compression {
	case "none", "lz4", "zstd":
	default:
		return opt, usagef(nearestHint(o.compression, []string{"none", "lz4", "zstd"}),
			fmt.Sprintf("--compression: unknown codec %q", o.compression))
	}
	if err := f.Check(opt); err != nil {
		return opt, usagef("", err.Error())
	}
	return opt, nil
}

// idList is the ids of all --allow.
func idList(flags []string) []string {
	var ids []string
	for _, list := range flags {
		for id := range strings.SplitSeq(list, ",") {
			ids = append(ids, strings.TrimSpace(id))
		}
	}
	return ids
}

func exclusive(fs *pflag.FlagSet, names ...string) error {
	var given []string
	for _, name := range names {
		if fs.Changed(name) {
			given = append(given, "--"+name)
		}
	}
	if len(given) > 1 {
		return usagef("", strings.Join(given, " and ")+" exclude each other")
	}
	return nil
}

func unused(fs *pflag.FlagSet, mode string, names ...string) error {
	for _, name := range names {
		if fs.Changed(name) {
			return usagef("", fmt.Sprintf("--%s has no effect with %s", name, mode))
		}
	}
	return nil
}

// checkNames refuses names that cannot be what was meant.
func checkNames(inputs []string) error {
	standard := 0
	for i, name := range inputs {
		switch name {
		case "-":
			standard++
		case "":
			return usagef("is a variable unset?", fmt.Sprintf("input %d: the name is empty", i+1))
		}
	}
	if standard > 1 {
		return usagef("standard input can be read once; name it once", "- is given twice")
	}
	return nil
}

func formatNames() []string {
	var names []string
	for _, f := range render.Formats {
		names = append(names, f.Name)
	}
	return names
}

func nearestHint(word string, known []string) string {
	if near := planner.Nearest(word, known); near != "" {
		return "did you mean " + near + "?"
	}
	return "one of: " + strings.Join(known, " ")
}
