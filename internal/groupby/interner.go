package groupby

import (
	"math/bits"

	"github.com/apache/arrow-go/v18/arrow"
)

// interner gives each distinct value of one key column a code: 1, 2, 3, … in
// the order in which they are first seen. Code 0 is null. Equal codes are equal
// values and the other way round, in whatever encoding the values came.
//
// One interner serves all workers at once: looking up takes no lock and writes
// nothing; values not found are added under a lock, a chunk's at a time. Codes
// depend on the race between workers, so nothing of the result may depend on
// them; see ranking.
type interner interface {
	// intern writes the codes of v's values, 0 for nulls. It returns the first
	// row whose value is no valid key (a string that is no UTF-8) or, if the
	// interner is full, a new one, or -1.
	intern(codes []uint32, v *vector, s *internScratch) (bad int)
	// count is the highest code given so far.
	count() int
	// full reports whether all codes are given.
	full() bool
	// rank orders the values, which are to be output as type t. It is called once,
	// when no worker is left, and ends the interning: what values were looked up in
	// is given back.
	rank(t arrow.DataType) ranking
	// size is the memory held, in bytes.
	size() int64
}

// internScratch is the memory that one worker lends to interners.
type internScratch struct {
	words  []uint64 // keys of one word
	pairs  [][2]uint64
	hashes []uint64 // of the keys
	missed []int32  // rows to be looked at again, or added
	bytes  []byte
	ends   []int32

	// Of the worker and the interner; nil: is not asked.
	recent   *recent
	numerals *patience

	fetched uint32 // means nothing
}

// listRows adds to a list of n rows those whose bit is set, counted from lo on.
func listRows(list []int32, n, lo int, set uint64) int {
	for ; set != 0; set &= set - 1 {
		list[n] = int32(lo + bits.TrailingZeros64(set))
		n++
	}
	return n
}

// ranking turns codes into ranks, which compare as the values do: rank[code].
// Nulls, code 0, come last.
type ranking struct {
	rank   []uint32
	values values // by rank, nulls not among them
}

// values are distinct key values in order.
type values interface {
	len() int
	// appendTo adds values to an output column: those of the ranks listed,
	// nulls where a rank is len().
	appendTo(c *column, ranks []uint32)
	// view makes v the values of up to n ranks from lo on, as intern takes them;
	// it returns how many it took.
	view(v *vector, lo, n int) int
	// length is the bytes of a value, 0 for those of fixed width; longest is
	// that of the longest.
	length(rank uint32) int
	longest() int
}

// maxCodes is the number of codes that an interner can give; dictionaryCodes has
// use for the codes above. See Engine.Crowded.
const maxCodes = 1<<32 - 3
