package groupby

import (
	"fmt"

	"arrowagg/internal/arena"
)

// states holds the state of every aggregate of every group: one record a
// group, all of its aggregates side by side, so that a row touches one cache
// line or two and not one for each aggregate.
//
//	record of group 5: | sum: hi lo | count | max |
//
// Records have no pointers. What is known of a group besides is in flags. Group
// ids are dense or nearly so; a record that no row touched is all zero.
type states struct {
	aggregates   []Aggregate
	columns      []Column
	accumulators []accumulator
	flags        flags
	stride       int      // words a record
	n            int      // groups
	room         int      // groups that block has memory for
	block        []uint64 // room * stride words, then the flags
	records      []uint64 // n * stride, of block
	arena        *arena.Arena
	fetched      uint64 // means nothing
}

func newStates(aggregates []Aggregate, columns []Column, memory *arena.Arena) (*states, error) {
	s := &states{aggregates: aggregates, columns: columns, arena: memory, flags: newFlags(len(aggregates))}
	for _, a := range aggregates {
		types := make([]Column, len(a.Arguments))
		for i, c := range a.Arguments {
			types[i] = columns[c]
		}
		acc, err := a.Function.accumulate(types, a.Type)
		if err != nil {
			return nil, fmt.Errorf("%s for column %q: %w", a.Function.Name, a.Name, err)
		}
		acc.bind(s.stride)
		s.stride += acc.words()
		s.accumulators = append(s.accumulators, acc)
	}
	s.stride = recordWords(s.stride)
	return s, nil
}

// lineWords is the size of a cache line.
const lineWords = 8

// recordWords is the size of a record that has states of so many words: one
// that fits a line, but would often lie across two, gets a line of its own.
func recordWords(states int) int {
	if states > lineWords/2 && states < lineWords {
		return lineWords
	}
	return states
}

// like returns states of the same aggregates without groups.
func (s *states) like() *states {
	n, err := newStates(s.aggregates, s.columns, s.arena)
	if err != nil {
		panic(err) // it went well for s
	}
	return n
}

// grow makes room for group ids below n.
func (s *states) grow(n int) {
	if n <= s.n {
		return
	}
	if n > s.room {
		s.enlarge(max(n, 2*s.room, 16))
	}
	s.records = s.block[:n*s.stride]
	s.n = n
	for _, a := range s.accumulators {
		a.grow(n)
	}
}

// enlarge moves the groups to memory for room of them, and for as many more as
// fit what the arena gives.
func (s *states) enlarge(room int) {
	if words := room*s.stride + s.flags.words(room); words >= largeRecords {
		room = arena.Size(8*words) / s.groupBytes()
	}
	block := s.zeroed(room*s.stride + s.flags.words(room))
	copy(block, s.records)
	s.flags.move(bytesOf(block[room*s.stride:]), room, s.n)
	if cap(s.block) >= largeRecords {
		s.arena.Drop(bytesOf(s.block[:1])) // nothing will be as large again
	}
	s.block, s.room = block, room
}

// largeRecords is the size in words from which on records lie in the arena:
// random access to many small pages costs more than to the cache.
const largeRecords = 256 << 10 / 8

// zeroed returns n words.
func (s *states) zeroed(n int) []uint64 {
	if n < largeRecords {
		return make([]uint64, n)
	}
	return cast[uint64](s.arena.GetZeroed(8 * n))
}

// release gives the records' memory back; s has no groups then.
func (s *states) release() {
	if cap(s.block) >= largeRecords {
		s.arena.Put(bytesOf(s.block[:1]))
	}
	s.block, s.records, s.room = nil, nil, 0
}

// reset forgets all groups and keeps the memory.
func (s *states) reset() {
	clear(s.records)
	s.flags.clear(s.n)
	s.records, s.n = s.records[:0], 0
	for _, a := range s.accumulators {
		a.reset()
	}
}

// size is the memory held on Go's heap, in bytes.
func (s *states) size() int64 {
	size := heapSize(cap(s.block))
	for _, a := range s.accumulators {
		size += a.size()
	}
	return size
}

// fetch brings the records of groups into the cache, if they are more than it
// holds: a loop that only loads has many more misses under way at a time than
// one that computes and stores, so it pays to go over the rows once more.
//
// What it returns means nothing; kept in memory of the caller's own, for others
// may fetch from s at the same time, it makes the compiler leave the loads in.
func (s *states) fetch(ids []uint32) (x uint64) {
	if s.stride == 0 || len(s.records) < largeRecords {
		return 0
	}
	records, stride := s.records, s.stride
	for at := 0; at < stride; at += lineWords {
		for _, id := range ids {
			x |= records[int(id)*stride+at]
		}
	}
	if stride > lineWords && stride%lineWords != 0 { // the end may lie in one more line
		for _, id := range ids {
			x |= records[int(id)*stride+stride-1]
		}
	}
	return x
}

// groupBytes is what a group takes, apart from what accumulators keep beside
// the records.
func (s *states) groupBytes() int { return 8*s.stride + len(s.flags.planes) }

// merge folds groups of from into groups of s: rows[i] into ids[i], which exist.
func (s *states) merge(ids []uint32, from *states, rows []uint32) {
	s.flags.merge(ids, &from.flags, rows)
	s.fetched = from.fetch(rows)
	for a, acc := range s.accumulators {
		acc.merge(s, ids, from, from.accumulators[a], rows)
	}
}

// finish returns the output column of one aggregate for the groups listed, and
// the first position whose value does not fit, or -1.
// Values of fixed width lie in memory that alloc gives.
func (s *states) finish(aggregate int, groups []uint32, alloc func(int) []byte) (*column, int) {
	c := newColumn(s.aggregates[aggregate].Type, len(groups), alloc)
	bad := s.accumulators[aggregate].finish(s, groups, c)
	if s.aggregates[aggregate].Function.neverNull {
		return c, bad
	}
	if s.flags.all(groups, valued(aggregate)) {
		return c, bad
	}
	for i, id := range groups {
		if !s.flags.has(id, aggregate) {
			c.setNull(i)
		}
	}
	return c, bad
}
