// Command bigger measures a group-by whose groups take more than memory: engines
// under one limit, which put the rest on disk.
//
//	go run ./bigger                  # 1e8 rows in 5e7 groups, under 1 GiB
//	go run ./bigger -rows 1e7 -minutes 627 -limit 134217728
//	go run ./bigger -write           # and put the table into README.md
//
// The table is sensor's (see dataset) over so many minutes that rows are about
// twice the groups, the query merges it by region, host and minute. Each engine
// runs once, as a whole process, and writes its result to a file. What the
// results add up to is compared.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"arrowagg/bench/internal/dataset"
	"arrowagg/bench/internal/job"
	"arrowagg/bench/internal/measure"
	"arrowagg/bench/internal/peer"
	"arrowagg/bench/internal/report"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bigger:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	rows := flag.String("rows", "1e8", "rows of the table")
	minutes := flag.Int("minutes", 6272, "minutes of the table: 200,000 times as many groups could be")
	limit := flag.Int64("limit", 1<<30, "bytes of memory")
	names := flag.String("engines", "arrowagg,duckdb,clickhouse", "engines")
	keep := flag.Bool("keep", false, "keep the table in data/")
	write := flag.Bool("write", false, "put the table into README.md")
	timeout := flag.Duration("timeout", 20*time.Minute, "longest run")
	flag.Parse()
	n, err := dataset.ParseCount(*rows)
	if err != nil {
		return fmt.Errorf("-rows: %w", err)
	}
	peers, err := peer.Select(strings.Split(*names, ","))
	if err != nil {
		return err
	}
	dirs, err := peer.Enter("")
	if err != nil {
		return err
	}
	if _, err := peer.Build(dirs, peers); err != nil {
		return err
	}
	paths, err := peer.Generate(ctx, dirs, dataset.Spec{Set: "sensor", Rows: n, Minutes: *minutes}, "data")
	if err != nil {
		return err
	}
	if !*keep {
		defer os.Remove(paths[0])
	}
	if err := measure.WarmCache(paths...); err != nil {
		return err
	}
	text, err := compare(ctx, dirs, peers, paths[0], n, *limit, *timeout)
	if err != nil {
		return err
	}
	fmt.Print(text)
	if *write {
		return report.Insert("README.md", "bigger", text)
	}
	return nil
}

// compare runs every engine and returns the report.
func compare(
	ctx context.Context, d peer.Dirs, peers []peer.Peer, input string, rows, limit int64, timeout time.Duration,
) (string, error) {
	table := report.Table{Header: []string{"engine", "seconds", "processor time", "peak MB", "spilled MB", "groups"}}
	var head, commands strings.Builder
	fmt.Fprintf(&head, "%s rows, %.1f GB, under a limit of %d MiB. Load average before the first run: %s.\n\nMachine: %s.\n\n",
		report.Count(rows), float64(fileSize(input))/1e9, limit>>20, report.Load(), report.Machine())
	temp, output := filepath.Join("data", "temp"), filepath.Join("data", "bigger.arrows")
	want := ""
	for _, p := range peers {
		version, err := p.Version(d)
		if err != nil {
			return "", err
		}
		if err := os.MkdirAll(temp, 0o777); err != nil {
			return "", err
		}
		c := p.Command(d, sensorJob(input, output))
		c.Env = []string{fmt.Sprintf("BENCH_MEMORY=%d", limit), "BENCH_TEMP=" + temp}
		if p.Subject {
			c.Env = nil
			c.Args = append(c.Args, "--memory-limit", strconv.FormatInt(limit, 10), "--temp-dir", temp, "--stats-json")
		}
		fmt.Fprintf(&commands, "\n%s: `%s`\n", version, c)
		runCtx, cancel := context.WithTimeout(ctx, timeout)
		spilled := watchDirectory(temp)
		u, err := measure.Run(runCtx, c)
		cancel()
		bytes := spilled()
		if p.Subject {
			bytes = figure(u.Stderr, "spilled_bytes")
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "bigger:", err)
			table.Add(p.Name, "failed", report.Seconds(u.CPU()), report.Megabytes(u.PeakAnon), report.Megabytes(bytes), "")
		} else {
			sums, groups, err := totals(ctx, d, output)
			if err != nil {
				return "", err
			}
			if want == "" {
				want = sums
			} else if sums != want {
				return "", fmt.Errorf("%s: the result adds up to %s, not to %s", p.Name, sums, want)
			}
			table.Add(p.Name, report.Seconds(u.Wall), report.Seconds(u.CPU()), report.Megabytes(u.PeakAnon),
				report.Megabytes(bytes), groups)
		}
		if err := errors.Join(os.RemoveAll(temp), os.RemoveAll(output)); err != nil {
			return "", err
		}
	}
	return head.String() + table.String() + commands.String(), nil
}

func sensorJob(input, output string) job.Job {
	j := job.Job{Input: input, Output: output, Keys: []string{"region", "host", "minute"}}
	for _, a := range [][2]string{{"sum", "bytes_sum"}, {"sum", "req_count"}, {"min", "lat_min"}, {"max", "lat_max"}} {
		j.Aggregates = append(j.Aggregates, job.Aggregate{Function: a[0], Column: a[1], Name: job.DefaultName(a[0], a[1])})
	}
	return j
}

// totals are what all groups of a result add up to, and their number.
func totals(ctx context.Context, d peer.Dirs, result string) (sums, groups string, err error) {
	const calls = "count(*), sum(bytes_sum), sum(req_count_sum), min(lat_min), max(lat_max)"
	cmd := exec.CommandContext(ctx, filepath.Join(d.Bin, "arrowagg"), "--no-keys", "-a", calls, "-f", "csv", "--no-header", result)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", "", fmt.Errorf("adding up %s: %w", result, err)
	}
	sums = strings.TrimSpace(string(out))
	count, _, _ := strings.Cut(sums, ",")
	n, err := strconv.ParseInt(count, 10, 64)
	return sums, report.Count(n), err
}

// figure is a number of arrowagg's --stats-json, 0 if it is not there.
func figure(stats, key string) int64 {
	m := regexp.MustCompile(`"` + key + `": ([0-9]+)`).FindStringSubmatch(stats)
	if m == nil {
		return 0
	}
	n, _ := strconv.ParseInt(m[1], 10, 64)
	return n
}

func fileSize(name string) int64 {
	info, err := os.Stat(name)
	if err != nil {
		return 0
	}
	return info.Size()
}

// watchDirectory samples the size of the files with names in a directory until
// the returned function is called, which gives the largest.
func watchDirectory(dir string) func() int64 {
	stop, most := make(chan struct{}), make(chan int64)
	go func() {
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		var peak int64
		for {
			var size int64
			entries, _ := os.ReadDir(dir)
			for _, e := range entries {
				size += fileSize(filepath.Join(dir, e.Name()))
			}
			peak = max(peak, size)
			select {
			case <-stop:
				most <- peak
				return
			case <-tick.C:
			}
		}
	}()
	return func() int64 {
		close(stop)
		return <-most
	}
}
