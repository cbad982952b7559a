package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"arrowagg/bench/internal/dataset"
)

// experiment is one thing that varies, all else being equal. Its first variant
// is what the others are compared with.
type experiment struct {
	name, title string
	queries     []string
	variants    []variant
}

// variant is one value of what varies.
type variant struct {
	label  string
	change func(*dataset.Spec) // of the table; nil: as it is
	args   []string            // of arrowagg, added
	piped  bool                // cat FILE | arrowagg
	repeat int64               // --repeat, 1 if 0
	// otherRows says that the rows are not those of the first variant, so the
	// result is another.
	otherRows bool
}

func (v variant) times() int64 { return max(v.repeat, 1) }

func data(label string, change func(*dataset.Spec)) variant {
	return variant{label: label, change: change}
}

func other(label string, change func(*dataset.Spec)) variant {
	return variant{label: label, change: change, otherRows: true}
}

func plain(label string) variant { return variant{label: label} }

// experiments is the table of them, at a scale of rows.
func experiments(rows, mostRows int64) []experiment {
	return []experiment{
		{
			name: "rows", title: "Rows: a tenth of the table, fed again and again (`--repeat`)",
			queries: []string{"q2", "q3", "s2"}, variants: repeats(max(rows/10, 1), mostRows),
		},
		{
			name: "threads", title: "Threads (`-j`)", queries: []string{"q1", "q2", "q3", "s1", "q10"},
			variants: []variant{
				{label: "1", args: []string{"-j", "1"}},
				{label: "2", args: []string{"-j", "2"}},
				{label: "4", args: []string{"-j", "4"}},
				{label: "16", args: []string{"-j", "16"}},
			},
		},
		{
			name: "batch", title: "Rows per batch", queries: []string{"q2", "q3", "s1"},
			variants: []variant{
				plain("65,536"),
				data("8,192", func(s *dataset.Spec) { s.Batch = 8192 }),
				data("262,144", func(s *dataset.Spec) { s.Batch = 262144 }),
				data("1,000,000", func(s *dataset.Spec) { s.Batch = 1_000_000 }),
				data("1,024", func(s *dataset.Spec) { s.Batch = 1024 }),
				data("100", func(s *dataset.Spec) { s.Batch = 100 }),
			},
		},
		{
			name: "files", title: "Files that the rows come in", queries: []string{"q2", "q3", "s1"},
			variants: []variant{
				plain("1"),
				data("150", func(s *dataset.Spec) { s.Files = 150 }),
				data("1,500", func(s *dataset.Spec) { s.Files = 1500 }),
			},
		},
		{
			name: "skew", title: "Distribution of the keys", queries: []string{"q1", "q2", "q3", "q10", "s1"},
			variants: []variant{
				plain("uniform"),
				other("Zipf, exponent 1", func(s *dataset.Spec) { s.Skew = dataset.Skew{Kind: "zipf", Value: 1} }),
				other("one group has 90 %", func(s *dataset.Spec) { s.Skew = dataset.Skew{Kind: "hot", Value: 0.9} }),
			},
		},
		{
			name: "order-h2o", title: "Order of the rows, h2o", queries: []string{"q1", "q2", "q3", "q5", "q10"},
			variants: []variant{
				plain("random"),
				data("sorted by id1 … id6", func(s *dataset.Spec) {
					s.SortBy = []string{"id1", "id2", "id3", "id4", "id5", "id6"}
				}),
				data("sorted by id3", func(s *dataset.Spec) { s.SortBy = []string{"id3"} }),
			},
		},
		{
			name: "order-sensor", title: "Order of the rows, sensor", queries: []string{"s1", "s2"},
			variants: []variant{
				plain("random"),
				data("by minute", func(s *dataset.Spec) { s.SortBy = []string{"minute"} }),
				data("by region, host, minute", func(s *dataset.Spec) {
					s.SortBy = []string{"region", "host", "minute"}
				}),
			},
		},
		{
			name: "width", title: "Columns of the schema that the query does not use", queries: []string{"q2", "s2"},
			variants: []variant{
				data("as it is", func(s *dataset.Spec) { s.Rows = max(rows/10, 1) }),
				data("and 200 more", func(s *dataset.Spec) { s.Rows, s.Pad = max(rows/10, 1), 200 }),
			},
		},
		{
			name: "nulls", title: "Share of nulls in every column", queries: []string{"q1", "q2", "q3", "q5", "s1"},
			variants: []variant{
				plain("none, no bitmap"),
				other("10 %", func(s *dataset.Spec) { s.Nulls = 0.1 }),
				other("50 %", func(s *dataset.Spec) { s.Nulls = 0.5 }),
			},
		},
		{
			name: "encoding", title: "Encoding of the strings", queries: []string{"q1", "q2", "q3", "s1"},
			variants: []variant{
				plain("utf8"),
				data("large_utf8", func(s *dataset.Spec) { s.Encoding = "large_utf8" }),
				data("dictionary", func(s *dataset.Spec) { s.Encoding = "dictionary" }),
				data("utf8_view", func(s *dataset.Spec) { s.Encoding = "view" }),
			},
		},
		{
			name: "codec", title: "Compression of the bodies", queries: []string{"q1", "q2", "q3", "s1"},
			variants: []variant{
				plain("none"),
				data("lz4", func(s *dataset.Spec) { s.Codec = "lz4" }),
				data("zstd", func(s *dataset.Spec) { s.Codec = "zstd" }),
			},
		},
		{
			name: "pipe", title: "Mapped file or pipe (`cat f | arrowagg`)",
			queries:  []string{"q1", "q2", "q3", "q10", "s1"},
			variants: []variant{plain("mapped"), {label: "piped", piped: true}},
		},
	}
}

// repeats feeds a table of rows (at least 1) until there are most, ten times
// more each time.
func repeats(rows, most int64) []variant {
	var all []variant
	for times := int64(1); times <= most/rows; times *= 10 {
		all = append(all, variant{
			label:     strconv.FormatInt(times, 10) + " ×",
			change:    func(s *dataset.Spec) { s.Rows = rows },
			args:      []string{"--repeat", strconv.FormatInt(times, 10)},
			repeat:    times,
			otherRows: true,
		})
	}
	return all
}

func experimentNames() []string {
	var names []string
	for _, e := range experiments(1, 1) {
		names = append(names, e.name)
	}
	return names
}

func selectExperiments(names string, rows, mostRows int64) ([]experiment, error) {
	all := experiments(rows, mostRows)
	if names == "" {
		return all, nil
	}
	var chosen []experiment
	for _, name := range strings.Split(names, ",") {
		i := slices.IndexFunc(all, func(e experiment) bool { return e.name == name })
		if i < 0 {
			return nil, fmt.Errorf("no experiment %q; there are %s", name, strings.Join(experimentNames(), ", "))
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}
