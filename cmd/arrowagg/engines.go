package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"arrowagg/internal/expr"
	"arrowagg/internal/groupby"
	"arrowagg/internal/ipcread"
	"arrowagg/internal/planner"
	"arrowagg/internal/scan"
	"arrowagg/internal/warning"
)

// engines is the engine of a run, and its successors: a schema that appears
// only while a pipe is read may widen an aggregated column, and then an engine
// bound to the wider plan takes over for the streams from there on. The last
// one absorbs the others in finish, through the exact states that partial
// results are made of. Runs over regular files have one engine.
//
// When the engines hold too much, their groups are put aside and fresh engines
// take their places: room.go.
type engines struct {
	threads int
	room

	mu     sync.RWMutex
	plan   *planner.Plan
	late   []warning.Warning // what the late schemas gave rise to
	all    []*groupby.Engine
	specs  []groupby.Spec // by engine
	routes map[*ipcread.Stream]route
}

// route is how the batches of one stream reach their engine.
type route struct {
	engine     int
	columns    []int // to decode, by their index in the stream's schema
	projection *scan.Projection
}

func newRoute(engine int, plan *planner.Plan, s *ipcread.Stream) route {
	r := route{engine, plan.Columns(s.Schema), plan.Projection()}
	s.Use(r.columns)
	return r
}

// begin makes the first engine and the routes of the streams known before.
func (e *engines) begin(plan *planner.Plan, streams []*ipcread.Stream) error {
	if err := e.add(plan); err != nil {
		return err
	}
	e.routes = make(map[*ipcread.Stream]route, len(streams))
	for _, s := range streams {
		e.routes[s] = newRoute(0, plan, s)
	}
	return nil
}

// extend makes the route of a stream that appeared late. The producer calls it
// before the stream's first frame.
func (e *engines) extend(s *ipcread.Stream) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	plan, found, err := e.plan.Extend(planner.Source{Name: s.Name(), Schema: s.Schema})
	if err != nil {
		return err
	}
	e.late = append(e.late, found...)
	if plan != e.plan {
		if err := e.add(plan); err != nil {
			return err
		}
	}
	e.routes[s] = newRoute(len(e.all)-1, plan, s)
	return nil
}

// add makes an engine for a plan, which is now the run's.
func (e *engines) add(plan *planner.Plan) error {
	engine, err := e.newEngine(plan.Spec())
	if err != nil {
		return err
	}
	e.plan, e.all, e.specs = plan, append(e.all, engine), append(e.specs, plan.Spec())
	e.aside.Begin(plan.Spec())
	e.publish()
	return nil
}

func (e *engines) route(s *ipcread.Stream) (route, *groupby.Engine) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	r := e.routes[s]
	return r, e.all[r.engine]
}

// finish folds all engines into the last and returns its result.
func (e *engines) finish(ctx context.Context) (result, error) {
	if e.aside.Any() {
		return e.gather(ctx)
	}
	last, others := e.all[len(e.all)-1], e.all[:len(e.all)-1]
	if !last.HasRoomFor(others...) {
		return e.gather(ctx)
	}
	for _, old := range others {
		if err := last.Absorb(old); err != nil {
			return nil, err
		}
	}
	return last.Finish(ctx)
}

// close gives the memory of all engines back where there is no result that has
// it. No worker is at work.
func (e *engines) close() {
	for _, engine := range e.all {
		engine.Close()
	}
}

// worker is one goroutine's way into the engines. It keeps the route of the
// stream it last saw, so that the lock is not touched for every batch; its own
// is nobody else's business until groups are put aside, and lies apart from
// other workers'.
type worker struct {
	_        [64]byte
	busy     sync.Mutex // held in a frame, and by who takes the groups
	engines  *engines
	workers  map[int]*groupby.Worker
	scanners map[*scan.Projection]*scan.Scanner

	stream  *ipcread.Stream
	route   route
	scanner *scan.Scanner
	into    *groupby.Worker
}

func (e *engines) newWorker() *worker {
	w := &worker{engines: e, workers: map[int]*groupby.Worker{}, scanners: map[*scan.Projection]*scan.Scanner{}}
	e.gate.Lock()
	defer e.gate.Unlock()
	e.workers = append(e.workers, w)
	return w
}

// update decodes one frame, takes it through the projection and aggregates it.
func (w *worker) update(decoder *ipcread.Decoder, frame *ipcread.Frame) error {
	w.busy.Lock()
	defer w.busy.Unlock()
	if w.engines.failed != nil {
		return nil // which ends the run: there is no engine any more
	}
	if w.stream != frame.Stream {
		w.follow(frame.Stream)
	}
	columns, err := decoder.Decode(frame, w.route.columns)
	if err != nil {
		return err
	}
	return valueAt(frame, w.scanner.Scan(columns, frame.Rows, frame.Stream.Input, func(p scan.Piece) error {
		if err := w.into.SetOrdinal(frame.Stream.Position, frame.FirstRow+frame.Row+p.First); err != nil {
			return err
		}
		return groupAt(frame, p.First, w.into.Update(p.Columns, p.Rows, p.Selected))
	}))
}

func (w *worker) follow(s *ipcread.Stream) {
	r, engine := w.engines.route(s)
	into, ok := w.workers[r.engine]
	if !ok {
		into = engine.NewWorker()
		w.workers[r.engine] = into
	}
	scanner, ok := w.scanners[r.projection]
	if !ok {
		scanner = r.projection.NewScanner()
		w.scanners[r.projection] = scanner
	}
	w.stream, w.route, w.into, w.scanner = s, r, into, scanner
}

// groups are those of the engine that has most, and whether there are no others.
func (w *worker) groups() (n int64, all bool) {
	w.busy.Lock()
	defer w.busy.Unlock()
	for _, into := range w.workers {
		m, alone := into.Groups()
		n, all = max(n, m), alone && len(w.workers) == 1 && !w.engines.aside.Any()
	}
	return n, all
}

func (w *worker) close() error {
	w.busy.Lock()
	defer w.busy.Unlock()
	return w.leave()
}

// leave hands all groups to the engines. The next frame begins anew.
func (w *worker) leave() error {
	var errs []error
	for _, into := range w.workers {
		errs = append(errs, into.Close())
	}
	clear(w.workers)
	w.stream, w.into = nil, nil
	return errors.Join(errs...)
}

// groupAt and valueAt give an error about a value its place in the inputs: one
// of the engine, in a piece of the frame that begins at row first, and one of
// an expression.
func groupAt(frame *ipcread.Frame, first int64, err error) error {
	if err == nil {
		return nil // value takes memory
	}
	var value interface{ InRow() int64 }
	if !errors.As(err, &value) {
		return err
	}
	return at(frame, first+value.InRow(), err)
}

func valueAt(frame *ipcread.Frame, err error) error {
	if err == nil {
		return nil
	}
	var value *expr.ValueError
	if !errors.As(err, &value) {
		return err
	}
	return at(frame, value.Row, err)
}

func at(frame *ipcread.Frame, row int64, err error) error {
	return fmt.Errorf("%s: batch %d, row %d: %w", frame.Stream.Name(), frame.Batch, frame.Row+row+1, err)
}
