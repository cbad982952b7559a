package groupby

import (
	"fmt"

	"arrowagg/internal/arena"
)

// states holds the state of every aggregate of every group: one record a
// group, all of its aggregates side by side, so that a row touches one or two
// cache lines and not one for each aggregate.
//
//	record of group 5: | flags | sum: hi lo | count | max |
//
// The first words are flags: bit 0 of the first says that some row belongs to
// the group, bit a+1 (counted over the flag words) that aggregate a has a
// value. Records have no pointers. Group ids are dense or nearly so; a record
// that no row touched is all zero.
type states struct {
	aggregates   []Aggregate
	columns      []Column
	accumulators []accumulator
	stride       int // words a record
	flagWords    int
	n            int      // groups
	records      []uint64 // n * stride
	arena        *arena.Arena
}

const touched = 1 // bit 0 of a record's first word

func newStates(aggregates []Aggregate, columns []Column, memory *arena.Arena) (*states, error) {
	s := &states{aggregates: aggregates, columns: columns, arena: memory, flagWords: wordsFor(len(aggregates) + 1)}
	s.stride = s.flagWords
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
	return s, nil
}

// like returns states of the same aggregates without groups.
func (s *states) like() *states {
	n, err := newStates(s.aggregates, s.columns, s.arena)
	if err != nil {
		panic(err) // it went well for s
	}
	return n
}

// flag is the place of an aggregate's has-a-value bit.
func flag(aggregate int) (word int, bit uint64) {
	return (aggregate + 1) >> 6, 1 << ((aggregate + 1) & 63)
}

// grow makes room for group ids below n.
func (s *states) grow(n int) {
	if n <= s.n {
		return
	}
	if need := n * s.stride; need > cap(s.records) {
		records := s.zeroed(max(need, 2*cap(s.records), 16*s.stride))
		copy(records, s.records)
		s.release()
		s.records = records
	}
	s.records = s.records[:n*s.stride]
	s.n = n
	for _, a := range s.accumulators {
		a.grow(n)
	}
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
	if cap(s.records) >= largeRecords {
		s.arena.Put(bytesOf(s.records[:1]))
	}
	s.records = nil
}

// reset forgets all groups and keeps the memory.
func (s *states) reset() {
	clear(s.records)
	s.records, s.n = s.records[:0], 0
	for _, a := range s.accumulators {
		a.reset()
	}
}

// size is the memory held on Go's heap, in bytes.
func (s *states) size() int64 {
	size := heapSize(cap(s.records))
	for _, a := range s.accumulators {
		size += a.size()
	}
	return size
}

// mark sets bits of a flag word in the records of groups.
func (s *states) mark(ids []uint32, word int, bits uint64) {
	records, stride := s.records, s.stride
	for _, id := range ids {
		records[int(id)*stride+word] |= bits
	}
}

func (s *states) touched(id uint32) bool { return s.records[int(id)*s.stride]&touched != 0 }

func (s *states) hasValue(id uint32, aggregate int) bool {
	word, bit := flag(aggregate)
	return s.records[int(id)*s.stride+word]&bit != 0
}

// merge folds groups of from into groups of s: rows[i] into ids[i], which exist.
func (s *states) merge(ids []uint32, from *states, rows []uint32) {
	for w := range s.flagWords {
		for i, row := range rows {
			s.records[int(ids[i])*s.stride+w] |= from.records[int(row)*s.stride+w]
		}
	}
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
	for i, id := range groups {
		if !s.hasValue(id, aggregate) {
			c.setNull(i)
		}
	}
	return c, bad
}
