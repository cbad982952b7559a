//go:build unix

package main

import (
	"flag"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var (
	soakFor  = flag.Duration("soak", 0, "how long TestSoak runs (0: a few rounds)")
	soakSeed = flag.Uint64("soak.seed", 0, "the one round of TestSoak to run")
)

// TestSoak asks the real binary random questions about random rows, in random
// ways and on random inputs, and has the oracle judge the answers; then it lets
// the system fail the same runs, and judges how they end and what they leave.
// A test run takes a few rounds, so that the soak cannot rot; make soak takes
// rounds for half an hour, or the one that SEED names.
func TestSoak(t *testing.T) {
	t.Parallel()
	rounds := uint64(12)
	switch {
	case *soakFor > 0:
		rounds = 1 << 62
	case *soakSeed > 0:
		rounds = 1
	case testing.Short():
		rounds = 4
	}
	first := *soakSeed
	if first == 0 {
		first = 1
		if *soakFor > 0 {
			first = uint64(time.Now().Unix()) // new ones each time
		}
	}
	log := newSoakLog(t)
	p, dir, end := buildProgram(t), t.TempDir(), time.Now().Add(*soakFor)
	var next atomic.Uint64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for !log.full() {
				i := next.Add(1) - 1
				if i >= rounds || *soakFor > 0 && time.Now().After(end) {
					return
				}
				newRound(first+i, p, log, dir).run()
			}
		})
	}
	workers.Wait()
	if *soakFor > 0 { // and no other tests hold it up
		log.judgeDeaths()
	}
	t.Log(log.table())
}
