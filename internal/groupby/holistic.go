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
	fold(s *states, id uint32, run *valueRun)
}

// valueRun is the values of one group in ascending order, each with how many
// times it is there.
type valueRun struct {
	width  int      // words a value
	values []uint64 // in the multiset's code
	counts []uint64
	rows   uint64 // the sum of counts, at most countOverflow
}

func (r *valueRun) reset() { r.values, r.counts, r.rows = r.values[:0], r.counts[:0], 0 }

// add appends a value that is not less than the last.
func (r *valueRun) add(value []uint64, count uint64) {
	r.rows = saturated(r.rows, count)
	if n := len(r.counts); n > 0 && equalWords(r.values[(n-1)*r.width:], value) {
		r.counts[n-1] = saturated(r.counts[n-1], count)
		return
	}
	r.values, r.counts = append(r.values, value...), append(r.counts, count)
}

// at is the value at a position among all rows, the first being 0.
func (r *valueRun) at(row uint64) []uint64 {
	i := 0
	for ; row >= r.counts[i] && i < len(r.counts)-1; i++ {
		row -= r.counts[i]
	}
	return r.values[i*r.width : (i+1)*r.width]
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
