package groupby

// patience says how often a worker tries what is faster than the interner's
// table where nearly all rows are found, and useless otherwise: always, or,
// where it was not, ever more rarely.
//
// The nil patience tries nothing.
type patience struct{ wait, passed int } // chunks

const (
	// patienceMisses is the part of a chunk's rows that may be missed: one costs
	// as much as several that the table looks up at once.
	patienceMisses = 8

	patienceWait = 63 // most chunks to pass over
)

// wanted reports whether the next chunk is to be tried.
func (p *patience) wanted() bool {
	if p == nil {
		return false
	}
	p.passed++
	return p.passed > p.wait
}

// soon reports whether the chunk after this one will be wanted.
func (p *patience) soon() bool { return p != nil && p.passed >= p.wait }

// pays reports whether so few of n rows were missed that each of them is worth
// to be looked up by itself.
func (p *patience) pays(missed, n int) bool {
	p.passed = 0
	if missed*patienceMisses <= n {
		p.wait = 0
		return true
	}
	p.wait = min(2*p.wait+1, patienceWait)
	return false
}
