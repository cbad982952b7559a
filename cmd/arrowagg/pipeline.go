package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"arrowagg/internal/ipcread"
	"arrowagg/internal/planner"
	"arrowagg/internal/spill"
	"arrowagg/internal/tempfile"
	"arrowagg/internal/warning"
)

// runner is one run of the program.
type runner struct {
	opts     *options
	meaning  *meaning
	con      console
	warnings warnings
	progress *progress // nil: nobody looks

	temporary *tempfile.Dir
	store     *spill.Store // in the same place
	stale     []string     // what killed runs left beside the output
}

// aggregate is the program: open the inputs, bind the query to their schemas,
// let one producer frame batches into a bounded channel and workers decode,
// filter and group them, arrange the finished result and render it. Nothing is written before every
// input was read to its end and every sum was checked.
func (r *runner) aggregate(ctx context.Context) error {
	begun, watch := time.Now(), r.watchMemory()
	defer watch.stop()
	out, err := r.openOutput()
	if err != nil {
		return err
	}
	defer out.Abort()

	set, err := r.openInputs(ctx, out)
	if err != nil {
		return err
	}
	defer set.Close()

	plan, found, err := r.meaning.query.Bind(r.sources(set.Streams()))
	if err != nil {
		return err
	}
	if err := plan.CheckShard(r.meaning.shard); err != nil {
		return err
	}
	if err := r.warnings.tell(found); err != nil {
		return err
	}
	switch {
	case plan.Merges() && r.opts.repeat > 1:
		return usagef("", "--repeat: partial results are merged once")
	case r.opts.explain:
		return r.writeOne(out, plan.Explain())
	case r.opts.sql:
		return r.writeSQL(out, plan)
	}

	r.progress.reading(set, r.opts.repeat)
	result, plan, err := r.consume(ctx, set, plan)
	if err != nil {
		return err
	}
	groups := result.Groups()
	shown, err := r.arrange(ctx, plan, result)
	if err != nil {
		return err
	}
	defer shown.Close()
	own := r.meaning.shard
	own.Run = set.Fingerprint()
	if err := r.writeResult(ctx, out, plan.OutputSchema(own), shown); err != nil {
		return err
	}
	return r.printStats(set.Reports(), course{
		groups: groups, spilled: r.store.Figures(), took: time.Since(begun), most: watch.stop(), limit: r.meaning.memory.limit,
	})
}

// consume runs producer and workers to the end of all inputs and returns the
// result with its plan, which late schemas may have widened. Only Wait
// returning nil says that everything was read: a closed channel says merely
// that no more will come.
func (r *runner) consume(
	ctx context.Context, set *ipcread.Set, plan *planner.Plan,
) (_ result, _ *planner.Plan, err error) {
	engines := &engines{threads: r.threads(), room: newRoom(r.store, r.spilling())}
	defer engines.aside.Close()
	defer func() {
		if err != nil {
			engines.close()
		}
	}()
	if err := engines.begin(plan, set.Streams()); err != nil {
		return nil, nil, err
	}
	frames := make(chan *ipcread.Frame, r.opts.buffer)
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(frames)
		return set.Produce(gctx, frames, engines.extend)
	})
	for range r.threads() {
		rows := r.progress.newTally()
		g.Go(func() error { return work(gctx, set, frames, engines, rows) })
	}
	if err := errors.Join(g.Wait(), set.Verify()); err != nil {
		return nil, nil, err
	}
	if err := r.checkMerging(set, engines.plan); err != nil {
		return nil, nil, err
	}
	r.progress.finishing()
	found := slices.Concat(engines.late, set.Warnings(), r.store.Warnings())
	if !r.opts.query.Partial { // else there may be a merge to come
		for _, shard := range engines.plan.MissingShards() {
			found = append(found, warning.Warning{ID: "missing-shard", Subject: shard})
		}
	}
	for _, name := range r.stale {
		found = append(found, warning.Warning{ID: "stale-temporary", Subject: name})
	}
	if err := r.warnings.tell(found); err != nil {
		return nil, nil, err
	}
	result, err := engines.finish(ctx)
	return result, engines.plan, err
}

// work decodes frames and feeds them to the engine until no more come. A bad
// batch fails its input but not the worker, so that one run reports all bad
// inputs; Verify returns what was recorded. What cannot be put aside ends all.
func work(
	ctx context.Context, set *ipcread.Set, frames <-chan *ipcread.Frame, engines *engines, rows *tally,
) error {
	w := engines.newWorker()
	decoder := set.NewDecoder()
	for frame := range frames {
		if err := set.Guard(func() error { return w.update(decoder, frame) }); err != nil {
			set.Fail(frame, err)
		}
		rows.add(frame.Stream.Position, frame.Rows)
		rows.tell(w.groups)
		frame.Release()
		decoder.Rest()
		if err := engines.makeRoom(ctx); err != nil {
			return err
		}
	}
	return w.close()
}

// openInputs opens all inputs and refuses one that is also the output.
func (r *runner) openInputs(ctx context.Context, out *output) (*ipcread.Set, error) {
	var clashes []error
	for _, name := range ipcread.SameFile(r.meaning.inputs, r.con.stdin, out.identity()) {
		clashes = append(clashes, usagef("write to another file, and rename it afterwards",
			fmt.Sprintf("%s: is an input and the output", name)))
	}
	if len(clashes) > 0 {
		return nil, errors.Join(clashes...)
	}
	return ipcread.Open(ctx, r.meaning.inputs, r.inputOptions())
}

func (r *runner) inputOptions() ipcread.Options {
	return ipcread.Options{
		Repeat:    r.opts.repeat,
		MaxBuffer: r.meaning.maxBuffer,
		InFlight:  r.meaning.memory.inFlight(),
		Scratch:   r.meaning.memory.scratch(r.meaning.maxBuffer),
		Together:  r.meaning.memory.together(),
		Body:      r.meaning.memory.body(),
		TempDir:   r.temporary,
		Stdin:     r.con.stdin,
		Takes:     r.meaning.takes(),
	}
}
