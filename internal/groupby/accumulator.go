package groupby

// accumulator is one aggregate for all groups. Its state lies in the group
// records of a states (see there), at the place it is bound to; what does not
// fit a record of fixed size (the bytes of strings, the rare wide sums) it
// keeps beside them, in vectors of its own. Zero words are the state of a group
// without values, so fresh records need no setting up and merging them changes
// nothing. What it folds is said by one of single and paired.
//
// Whether a group has a value at all is not the accumulator's business: the
// records have a bit for it.
//
// One goroutine at a time uses an accumulator.
type accumulator interface {
	// words is the size of the state in a record.
	words() int
	// bind gives the position of the state within a record.
	bind(at int)
	// grow makes room for n groups.
	grow(n int)
	// merge folds groups of another states, rows[i] of from into ids[i]; other
	// is this aggregate's accumulator there, perhaps at another place.
	merge(s *states, ids []uint32, from *states, other accumulator, rows []uint32)
	// finish writes the values of the groups listed to out, whatever it writes
	// for groups without a value. It returns the first position in groups whose
	// value does not fit the output type, or -1.
	finish(s *states, groups []uint32, out *column) (bad int)
	// reset forgets everything beside the records, which the caller zeroes.
	reset()
	// size is the memory held beside the records, in bytes.
	size() int64
}

// single is an accumulator of one argument, or of none.
type single interface {
	accumulator
	// takes says what update wants to see of the argument.
	takes() taking
	// update folds values into groups: value i of v into group ids[i]. v has no
	// nulls, and as many values as there are ids.
	update(s *states, ids []uint32, v *vector)
}

// paired is an accumulator of two arguments.
type paired interface {
	accumulator
	// takesEach says what updatePair wants to see of either.
	takesEach() [2]taking
	// needs says which argument leaves the row out where it is null. Rows left
	// out are no values of the group.
	needs() [2]bool
	// updatePair folds rows into groups: values i of x and y into group ids[i].
	// What is needed has no nulls; what is not may be of laneNone.
	updatePair(s *states, ids []uint32, x, y *vector)
}

// takings says what an accumulator reads of each of its arguments.
func takings(acc accumulator) []taking {
	switch acc := acc.(type) {
	case single:
		return []taking{acc.takes()}
	case paired:
		each := acc.takesEach()
		return each[:]
	}
	return nil
}

// taking is what an accumulator reads of its argument.
type taking uint8

const (
	takesRows      taking = iota // no argument, the rows alone
	takesValidity                // which rows have a value
	takesNatural                 // the values in the type that the batch brings
	takesConverted               // the values in the column's type
	takesOrdinal                 // no argument, but the number of the row among all
)

// place is the position of a state, embedded by accumulators.
type place struct{ at int }

func (p *place) bind(at int) { p.at = at }

// pure is embedded by accumulators whose state is all in the record.
type pure struct{}

func (pure) grow(int)    {}
func (pure) reset()      {}
func (pure) size() int64 { return 0 }
