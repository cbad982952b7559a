package groupby

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arena"
)

// Options tune the engine; none changes the result.
type Options struct {
	Threads int   // workers that will be made, at least 1
	Memory  int64 // bytes that Size should stay below, 0: any; the engine takes less for speed then

	// Appends says of an engine that merges that most rows will be groups of
	// their own.
	Appends bool

	// Tests only.
	Numbers uint32 // what 32 bits can number, see Engine.Crowded; 0: maxNumbers
	tuning  *tuning
}

// tuning is what tests turn to reach every way through the engine with little
// input.
type tuning struct {
	collide     bool // all hashes are equal
	chunk       int  // rows worked on at a time, at most chunkRows
	directBits  int  // most bits of packed codes that address groups directly
	manyGroups  int  // groups of a worker past which it keeps rows unfolded
	manyBytes   int  // or bytes of their states
	compactRows int  // rows kept by a worker, past which it looks whether they repeat
	bucketRows  int  // rows that a bucket of Finish should have
	batchRows   int  // of the result
	batchBytes  int  // most bytes of one column of utf8 in a result batch
	directBytes int  // most bytes of a worker's states that are addressed by packed codes
	keptBytes   int  // of rows that a worker keeps before it looks whether they repeat
}

// within makes each worker's tables small against the memory that there is.
func (t *tuning) within(memory int64, threads int) {
	if memory > 0 {
		share := int(min(memory/int64(threads), 1<<40))
		t.directBytes = min(t.directBytes, share/16)
		t.keptBytes = min(t.keptBytes, share/4)
	}
}

// chunkRows is how many rows are worked on at a time: what all columns of a
// chunk need stays in the second-level cache.
const chunkRows = 1024

func defaultTuning() tuning {
	return tuning{
		chunk: chunkRows, directBits: 17, manyGroups: 200_000, manyBytes: 64 << 20, compactRows: 8 << 20, bucketRows: 2048,
		batchRows: 65_536, batchBytes: 1<<31 - 1, directBytes: 8 << 20, keptBytes: 128 << 20,
	}
}

// Engine holds the groups and their states.
type Engine struct {
	spec      Spec
	threads   int
	tuning    tuning
	hash      hashing
	interners []interner // one a key, shared by the workers
	arena     *arena.Arena
	prototype *states // without groups

	valueColumns []valueColumn // what aggregates read
	valueOf      [][]int       // by aggregate, an argument each
	storable     bool          // rows can be kept unfolded
	ordinals     bool          // some aggregate reads the numbers of the rows
	appends      bool          // every row has a record of its own until Finish

	multisets  []*multiset // what holistic aggregates read
	multisetOf []int       // by aggregate; -1: it is not holistic
	spread     int64       // bytes that a multiset's row is counted for, beside itself

	sorted *SortedRun // has the multisets' values instead of them; nil: none

	stateFields [][]arrow.Field // by aggregate, where states come in or go out

	onHeap   atomic.Int64 // bytes that workers and segments hold outside the arena
	numbers  uint32       // as Options.Numbers
	numbered atomic.Int64 // groups and rows of workers and segments

	mu       sync.Mutex
	segments []segment // what closed workers left
}

// segment is what one worker leaves: groups, as packed codes and states, and
// rows that were not folded.
type segment struct {
	layout  *layout
	keys    []uint64 // layout.words a group
	outside bool     // keys are in the arena
	ids     []uint32 // of the groups, in states
	states  *states
	rows    *rowStore // nil: none

	multisets [][rowKinds]*rowStore // nil: none
}

// New prepares an engine for the spec.
func New(spec Spec, opt Options) (*Engine, error) {
	e := &Engine{spec: spec, threads: max(1, opt.Threads), arena: &arena.Arena{}, tuning: defaultTuning(), numbers: maxNumbers}
	if opt.Numbers > 0 {
		e.numbers = opt.Numbers
	}
	if opt.tuning != nil {
		e.tuning = *opt.tuning
	}
	e.tuning.within(opt.Memory, e.threads)
	e.hash = newHashing(e.tuning.collide)
	for _, k := range spec.Keys {
		t := valueType(spec.Columns[k.Column].Type)
		if l, _, ok := laneOf(t); !ok || l == laneNone {
			return nil, fmt.Errorf("column %q: type %s cannot be a key", spec.Columns[k.Column].Name, t)
		}
		e.interners = append(e.interners, newInterner(t, e.numbers, e.hash, e.arena))
	}
	var err error
	if e.prototype, err = newStates(spec.Aggregates, spec.Columns, e.arena); err != nil {
		return nil, err
	}
	if err := e.bindColumns(); err != nil {
		return nil, err
	}
	e.appends = opt.Appends && spec.Merges && len(e.multisets) == 0
	if n := len(spec.Order); spec.Output == nil || n != spec.Output.NumFields() {
		return nil, fmt.Errorf("output schema and order do not go together")
	}
	for _, c := range spec.Columns {
		if _, err := newLoader(c); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// bindColumns settles what rows bring to the aggregates, and what finished
// groups have.
func (e *Engine) bindColumns() error {
	if e.spec.Merges || e.spec.Partial {
		e.bindStates()
	}
	e.bindMultisets()
	e.spread = e.spreadOf()
	e.valueColumns, e.valueOf, e.storable = valueColumns(e.prototype)
	e.ordinals = slices.ContainsFunc(e.valueColumns, func(v valueColumn) bool { return v.column == ordinalColumn })
	if e.spec.Merges {
		e.valueColumns, e.valueOf = nil, make([][]int, len(e.valueOf))
		e.storable, e.ordinals = false, false
		for i, k := range e.spec.Keys {
			if k.Column != i {
				return fmt.Errorf("key %d of partial results is not their column %d", i, i)
			}
		}
	}
	return nil
}

// outputType is the type of an output field.
func (s *Spec) outputType(r Ref) arrow.DataType {
	switch {
	case !r.Aggregate:
		return s.Keys[r.Index].Type
	case s.Partial:
		return s.states[r.Index]
	}
	return s.Aggregates[r.Index].Type
}
