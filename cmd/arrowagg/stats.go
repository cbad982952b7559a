package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"arrowagg/internal/ipcread"
	"arrowagg/internal/spill"
)

// figure is one number about a run. Keys and their order are promised to the
// scripts that read --stats-json.
type figure struct{ key, value string }

// course is how a run went.
type course struct {
	groups  int64
	spilled spill.Figures
	took    time.Duration
	most    int64 // of the process's own memory, in bytes
	limit   int64 // of it; 0: none
}

// figures counts rows and batches as they were aggregated, once for each
// repetition, and bytes as the inputs have them.
func figures(reports []ipcread.Report, repeat int, c course) []figure {
	var streams, batches, rows, bytes int64
	for _, p := range reports {
		streams += int64(p.Streams)
		batches += p.Batches
		rows += p.Rows
		bytes += p.Bytes
	}
	batches *= int64(repeat)
	rows *= int64(repeat)
	integer := func(key string, n int64) figure { return figure{key, strconv.FormatInt(n, 10)} }
	return []figure{
		integer("inputs", int64(len(reports))),
		integer("streams", streams),
		integer("batches", batches),
		integer("rows", rows),
		integer("bytes", bytes),
		integer("groups", c.groups),
		{"seconds", strconv.FormatFloat(c.took.Seconds(), 'f', 6, 64)},
		integer("rows_per_second", int64(float64(rows)/c.took.Seconds())),
		integer("peak_memory_bytes", peakMemory()),
		integer("spilled_bytes", c.spilled.Bytes),
		integer("spill_files", c.spilled.Files),
		integer("spill_passes", c.spilled.Passes),
		integer("peak_own_bytes", c.most),
		integer("memory_limit_bytes", c.limit),
	}
}

// printStats prints the figures on standard error where a flag asks for them.
func (r *runner) printStats(reports []ipcread.Report, c course) error {
	var b strings.Builder
	switch {
	case r.opts.stats:
		for _, f := range figures(reports, r.opts.repeat, c) {
			fmt.Fprintf(&b, "%-18s %s\n", strings.ReplaceAll(f.key, "_", " "), f.value)
		}
	case r.opts.statsJSON:
		for i, f := range figures(reports, r.opts.repeat, c) {
			fmt.Fprintf(&b, "%s%q: %s", [2]string{"{", ", "}[min(i, 1)], f.key, f.value)
		}
		b.WriteString("}\n")
	}
	_, err := io.WriteString(r.con.stderr, b.String())
	return err
}
