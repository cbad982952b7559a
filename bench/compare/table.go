package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"arrowagg/bench/internal/measure"
	"arrowagg/bench/internal/peer"
	"arrowagg/bench/internal/report"
	"arrowagg/bench/internal/sample"
)

// markdown is the whole report.
func (c *comparison) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s rows, batches of 65,536, page cache warm, medians of %d alternating runs.\n"+
		"Load average before the first run: %s.\n\n", report.Count(c.rows), c.runs, c.load)
	fmt.Fprintf(&b, "Machine: %s.\n\n", report.Machine())
	b.WriteString("### Wall time, seconds\n\n")
	b.WriteString(c.wall())
	b.WriteString("\nRatio: arrowagg's median over that of the fastest engine on that query. ")
	if mean := c.meanRatio(); mean != "" {
		fmt.Fprintf(&b, "Geometric mean over the queries, start-up aside: **%s**. ", mean)
	}
	b.WriteString("Spread: the slowest of an engine's runs over its quickest, the worst engine's.\n\n")
	b.WriteString("### Processor time (user + system), seconds\n\n")
	b.WriteString(c.figures(func(r sample.Runs) string { return report.Seconds(r.CPU()) }))
	b.WriteString("\n### Peak memory, MB: allocated (anonymous) / resident (with mapped input)\n\n")
	b.WriteString(c.figures(func(r sample.Runs) string {
		return report.Megabytes(r.Anon()) + " / " + report.Megabytes(r.RSS())
	}))
	b.WriteString("\n### Versions\n\n")
	for _, p := range c.peers {
		fmt.Fprintf(&b, "- %s: %s\n", p.Name, c.versions[p.Name])
	}
	for _, text := range c.absent {
		fmt.Fprintf(&b, "- absent: %s\n", text)
	}
	for _, o := range c.outcomes {
		for _, p := range c.peers {
			if why := o.failures[p.Name]; why != "" {
				fmt.Fprintf(&b, "- %s failed on %s: %s\n", p.Name, o.query.Name, strings.ReplaceAll(why, "\n", " "))
			}
		}
	}
	b.WriteString("\n### Commands\n\n")
	b.WriteString(c.commands())
	return b.String()
}

func (c *comparison) header(first ...string) []string {
	for _, p := range c.peers {
		first = append(first, p.Name)
	}
	return first
}

func (c *comparison) wall() string {
	t := report.Table{Header: append(c.header("query", "groups"), "ratio", "fastest engine", "spread")}
	for _, o := range c.outcomes {
		row := []string{o.query.Name + " " + o.query.Title, report.Count(o.groups)}
		spread := 1.0
		for _, p := range c.peers {
			row = append(row, o.cell(p, func(r sample.Runs) string { return report.Seconds(r.Wall()) }))
			spread = max(spread, o.runs[p.Name].Spread())
		}
		fastest, _ := c.fastest(o)
		ratio := ""
		if r, ok := c.ratio(o); ok {
			ratio = fmt.Sprintf("**%.2f**", r)
		}
		t.Add(append(row, ratio, fastest, fmt.Sprintf("%.2f", spread))...)
	}
	return t.String()
}

func (c *comparison) figures(figure func(sample.Runs) string) string {
	t := report.Table{Header: c.header("query")}
	for _, o := range c.outcomes {
		row := []string{o.query.Name}
		for _, p := range c.peers {
			row = append(row, o.cell(p, figure))
		}
		t.Add(row...)
	}
	return t.String()
}

func (o outcome) cell(p peer.Peer, figure func(sample.Runs) string) string {
	if o.failures[p.Name] != "" {
		return "failed"
	}
	return figure(o.runs[p.Name])
}

// fastest is the engine with the least median wall time, arrowagg and the floor
// aside.
func (c *comparison) fastest(o outcome) (name string, wall time.Duration) {
	for _, p := range c.peers {
		runs := o.runs[p.Name]
		if p.Subject || p.Floor || len(runs) == 0 {
			continue
		}
		if name == "" || runs.Wall() < wall {
			name, wall = p.Name, runs.Wall()
		}
	}
	return name, wall
}

func (c *comparison) ratio(o outcome) (float64, bool) {
	_, fastest := c.fastest(o)
	own := o.runs["arrowagg"]
	if fastest == 0 || len(own) == 0 {
		return 0, false
	}
	return float64(own.Wall()) / float64(fastest), true
}

func (c *comparison) meanRatio() string {
	var ratios []float64
	for _, o := range c.outcomes {
		if r, ok := c.ratio(o); ok && !o.query.Empty {
			ratios = append(ratios, r)
		}
	}
	if len(ratios) == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", sample.GeometricMean(ratios))
}

// commands lists what was run: arrowagg and the SQL for every query, every
// engine for the first.
func (c *comparison) commands() string {
	var b strings.Builder
	for _, o := range c.outcomes {
		fmt.Fprintf(&b, "%s\n\n```\n", o.query.Name)
		if command, ok := o.commands["arrowagg"]; ok {
			fmt.Fprintln(&b, command)
		}
		fmt.Fprintf(&b, "%s\n```\n\n", o.query.Job("", "").SQL("input"))
	}
	if len(c.outcomes) > 0 {
		o := c.outcomes[0]
		fmt.Fprintf(&b, "The engines, with the query as arguments (%s):\n\n```\n", o.query.Name)
		for _, p := range c.peers {
			if !p.Subject {
				fmt.Fprintln(&b, o.commands[p.Name])
			}
		}
		b.WriteString("```\n")
	}
	return b.String()
}

// writeRaw writes a line for every counted run.
func (c *comparison) writeRaw(path string) error {
	var b strings.Builder
	b.WriteString("query\tengine\trun\twall_s\tuser_s\tsystem_s\tpeak_rss_bytes\tpeak_anon_bytes\n")
	for _, o := range c.outcomes {
		for _, p := range c.peers {
			for i, u := range o.runs[p.Name] {
				fmt.Fprintf(&b, "%s\t%s\t%d\t%s\n", o.query.Name, p.Name, i+1, tsv(u))
			}
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(b.String()), 0o666)
}

func tsv(u measure.Usage) string {
	return fmt.Sprintf("%.6f\t%.6f\t%.6f\t%d\t%d",
		u.Wall.Seconds(), u.User.Seconds(), u.System.Seconds(), u.PeakRSS, u.PeakAnon)
}
