package main

import (
	"fmt"
	"math"
	"runtime/debug"
	"sync/atomic"

	"arrowagg/internal/allowance"
	"arrowagg/internal/arena"
	"arrowagg/internal/spill"
)

// memoryLimit is what --memory-limit allows, and how it is shared out.
//
//	limit ┬ base      Go's runtime, the program, what the output is written with
//	      ├ reading   a sixteenth for batches from pipes, another for decompressed
//	      │           ones, of which one at a time may take up to a quarter
//	      └ engines   groups; while they are finished they take as much again and more
type memoryLimit struct{ limit int64 } // bytes; 0: none

const (
	leastMemory = 64 << 20
	baseMemory  = 20 << 20
	// finishing is how many times what an engine holds its finishing takes, in
	// tenths.
	finishing = 25
)

// parseMemory reads --memory-limit.
func parseMemory(text string) (memoryLimit, error) {
	all, known := allowance.Memory()
	if !known {
		if text == defaultMemory {
			return memoryLimit{}, nil
		}
		all = math.MaxInt64
	}
	limit, err := parseSize(text, all)
	switch {
	case err != nil:
		return memoryLimit{}, usagef("", "--memory-limit: "+err.Error())
	case limit < leastMemory && text == defaultMemory:
		limit = leastMemory
	case limit < leastMemory:
		return memoryLimit{}, usagef("", fmt.Sprintf("--memory-limit: %s is less than 64MiB", text))
	}
	return memoryLimit{limit}, nil
}

const defaultMemory = "80%"

// part is a share of the limit, in sixteenths, but not more than most.
func (m memoryLimit) part(sixteenths, most int64) int64 {
	if m.limit == 0 {
		return most
	}
	return min(m.limit/16*sixteenths, most)
}

// inFlight bounds the bytes of piped batches that wait or are being worked on.
// Mapped files need none: their pages belong to the system.
func (m memoryLimit) inFlight() int64 { return m.part(1, 256<<20) }

// scratch bounds what decompressed buffers take: past their share, together,
// only one batch at a time is in memory, which may take more.
func (m memoryLimit) scratch(maxBuffer int64) int64 {
	const least = 64 << 20
	return m.part(4, max(least, 4*min(maxBuffer, math.MaxInt64/4)))
}

func (m memoryLimit) together() int64 { return m.part(1, math.MaxInt64) }

// body bounds a piped batch, which is read into memory that grows as it comes, by
// doubling.
func (m memoryLimit) body() int64 { return m.part(4, math.MaxInt64) }

// engines is what groups may take.
func (m memoryLimit) engines() int64 {
	if m.limit == 0 {
		return math.MaxInt64
	}
	return (m.limit - baseMemory - m.limit/8) * 10 / finishing
}

// spilling says when and how a run spills.
type spilling struct {
	hold int64 // bytes that engines may hold while groups come in
	rows int   // that are sorted at a time
	spill.Options
}

// threads are as many as were asked for, if each can have its own tables.
func (r *runner) threads() int {
	const least = 6 << 20
	return int(min(int64(r.opts.threads), max(1, r.meaning.memory.engines()/least)))
}

// sortedRow is what sorting holds of a row, besides the row.
const sortedRow = 48

// spilling follows from the memory limit.
func (r *runner) spilling() spilling {
	if r.con.spilling != nil {
		return *r.con.spilling
	}
	budget := r.meaning.memory.engines()
	rows := int(min(budget/sortedRow, math.MaxInt32))
	return spilling{hold: budget, rows: rows, Options: spill.Options{Threads: r.threads(), Budget: budget}}
}

// boundProcess makes Go's collector keep its heap to what the memory outside of
// it leaves of the limit, as that grows and shrinks.
func boundProcess(limit int64) {
	if limit == 0 {
		return
	}
	const least = 24 << 20
	step := limit / 64
	var told atomic.Int64
	set := func(outside int64) {
		told.Store(outside)
		debug.SetMemoryLimit(max(limit-outside, least))
	}
	set(0)
	arena.Watch(func(held int64) {
		if d := held - told.Load(); d > step || d < -step {
			set(held)
		}
	})
}
