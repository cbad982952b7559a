package main

import "sync/atomic"

// tally counts the rows that one worker has done, by what their inputs can say
// of how many there will be. Only its worker writes, once a frame, and into a
// cache line of its own, so that counting costs the workers nothing; the
// progress line adds the tallies up when it is drawn. Groups take longer to
// count, so they are where the line has asked for them, which it does whenever
// it is drawn, for the next time.
type tally struct {
	sized []bool // by the position of the input: a regular file

	ofFiles, ofPipes atomic.Int64
	groups           atomic.Int64 // the most that there were
	others           atomic.Bool  // there may be more groups than these
	asked            atomic.Bool
	_                [64]byte
}

func (t *tally) add(input int, rows int64) {
	if input < len(t.sized) && t.sized[input] {
		t.ofFiles.Add(rows)
	} else {
		t.ofPipes.Add(rows)
	}
}

// tell answers how many groups there are, if that was asked.
func (t *tally) tell(count func() (n int64, all bool)) {
	if !t.asked.Load() {
		return
	}
	t.asked.Store(false)
	n, all := count()
	t.groups.Store(max(n, t.groups.Load()))
	t.others.Store(!all)
}
