package main

import "sync/atomic"

// tally counts the rows that one worker has done, by what their inputs can say
// of how many there will be. Only its worker writes, once a frame, and into a
// cache line of its own, so that counting costs the workers nothing; the
// progress line adds the tallies up when it is drawn.
type tally struct {
	sized []bool // by the position of the input: a regular file

	ofFiles, ofPipes atomic.Int64
	_                [64]byte
}

func (t *tally) add(input int, rows int64) {
	if input < len(t.sized) && t.sized[input] {
		t.ofFiles.Add(rows)
	} else {
		t.ofPipes.Add(rows)
	}
}
