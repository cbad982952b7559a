package main

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"arrowagg/internal/ipcread"
	"arrowagg/internal/planner"
)

// partialFormat is the format that states are written in.
const partialFormat = "arrows"

// understandShards checks the flags that cut a run into shards and put it
// together again.
func (o *options) understandShards(fs *pflag.FlagSet, m *meaning) (err error) {
	if fs.Changed("shard") {
		if m.shard, err = planner.ParseShard(o.shard); err != nil {
			return usagef("the first of four workers takes 1/4", "--shard: "+err.Error())
		}
	}
	if fs.Changed("expect") && o.expect < 1 {
		return usagef("", fmt.Sprintf("--expect: %d is less than 1", o.expect))
	}
	if err := exclusive(fs, "shard", "expect"); err != nil {
		return err
	}
	return exclusive(fs, "partial", "explain", "sql")
}

// takes says which inputs this run reads, nil for all.
func (m *meaning) takes() func(position int) bool {
	if m.shard.Count == 0 {
		return nil
	}
	return m.shard.Takes
}

// sources are the schemas that a plan is bound to. Those of other shards count,
// so that all shards have one plan.
func (r *runner) sources(streams []*ipcread.Stream) []planner.Source {
	list := make([]planner.Source, len(streams))
	for i, s := range streams {
		list[i] = planner.Source{Name: s.Name(), Schema: s.Schema, Unread: !r.meaning.shard.Takes(s.Position)}
	}
	return list
}

// checkMerging refuses what would make a merge of partial results wrong. It is
// for when all inputs were read.
func (r *runner) checkMerging(set *ipcread.Set, plan *planner.Plan) error {
	var errs []error
	if plan.Merges() {
		for _, w := range set.Warnings() {
			if w.ID == "no-end-marker" {
				errs = append(errs, fmt.Errorf("%s: a partial result without end-of-stream marker may lack groups", w.Subject))
			}
		}
	}
	if r.opts.expect > 0 {
		errs = append(errs, plan.Expect(r.opts.expect))
	}
	return errors.Join(errs...)
}
