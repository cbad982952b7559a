package groupby

// holistic is an accumulator whose answer needs every value of a group at once,
// and so no state of a few words: count_distinct, median, quantile. Its values
// go into a multiset, as rows, and are folded when a bucket of Finish has all
// that a group has. Only then it has a state: the answer.
//
// Until then its records are zero and there is nothing to merge.
type holistic interface {
	accumulator
	// fold makes the group's state of its values, which are at least one.
	fold(s *states, id uint32, v groupValues)
}

// groupValues are the values of one group. They may be more than memory holds.
type groupValues interface {
	// rows is how often there is a value, at most countOverflow.
	rows() uint64
	// each calls f for every different value in ascending order, with how many
	// times it is there, until f says no. A value is in the multiset's code, and
	// valid until the next.
	each(f func(value []uint64, count uint64) bool)
}

// saturated adds counts, as counter does.
func saturated(a, b uint64) uint64 {
	if sum := a + b; sum >= a && sum < countOverflow {
		return sum
	}
	return countOverflow
}

func equalWords(a, b []uint64) bool {
	for i, w := range b {
		if a[i] != w {
			return false
		}
	}
	return true
}

// unfolded is embedded by holistic accumulators, whose state is one word.
type unfolded struct {
	place
	pure
}

func (unfolded) words() int { return 1 }

func (unfolded) merge(*states, []uint32, *states, accumulator, []uint32) {}

// The values themselves are absorbed with their multiset.
func (unfolded) absorb(*states, []uint32, *states, accumulator, []uint32, widened) error { return nil }
