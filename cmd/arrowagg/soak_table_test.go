//go:build unix

package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// soakLog counts what the rounds did and collects what they found.
type soakLog struct {
	t         *testing.T
	rounds    atomic.Int64
	questions atomic.Int64
	spilled   atomic.Int64 // runs

	// File systems with room for nothing, for a little and for reading only; ""
	// where none may be mounted.
	smallDisk, largerDisk, readOnly string

	mu       sync.Mutex
	findings int
	struckBy map[string]map[string]int // fault → ending → times
	deaths   []time.Duration
}

func newSoakLog(t *testing.T) *soakLog {
	return &soakLog{
		t: t, struckBy: map[string]map[string]int{},
		smallDisk: smallDisk(t, "64k"), largerDisk: smallDisk(t, "5m"), readOnly: mounted(t, "ro"),
	}
}

const mostFindings = 20

func (l *soakLog) finding(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.findings++
	l.t.Error(text)
}

// full says that there is enough to mend for now.
func (l *soakLog) full() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.findings >= mostFindings
}

func (l *soakLog) struck(fault, ending string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.struckBy[fault] == nil {
		l.struckBy[fault] = map[string]int{}
	}
	l.struckBy[fault][ending]++
}

// death counts how long one took.
func (l *soakLog) death(after time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.deaths = append(l.deaths, after)
}

// A process is gone a few milliseconds after the signal; 100 ms are promised. A
// loaded machine may leave it waiting for longer, now and then and not always.
const (
	promptly  = 100 * time.Millisecond
	slowly    = 250 * time.Millisecond
	fewAreOne = 20 // slow ones in so many
)

// judgeDeaths tells whether too many were slow.
func (l *soakLog) judgeDeaths() {
	slices.Sort(l.deaths)
	if slow := len(l.deaths) - upTo(l.deaths, slowly); slow > 2+len(l.deaths)/fewAreOne {
		l.finding(fmt.Sprintf("%d of %d deaths took more than %v after the signal", slow, len(l.deaths), slowly))
	}
}

// table is what the soak did.
func (l *soakLog) table() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var b strings.Builder
	fmt.Fprintf(&b, "%d rounds, %d questions, %d runs that spilled, %d findings\n\n",
		l.rounds.Load(), l.questions.Load(), l.spilled.Load(), l.findings)
	for _, fault := range slices.Sorted(maps.Keys(l.struckBy)) {
		fmt.Fprintf(&b, "%-28s", fault)
		for _, ending := range slices.Sorted(maps.Keys(l.struckBy[fault])) {
			fmt.Fprintf(&b, "  %s: %d", ending, l.struckBy[fault][ending])
		}
		b.WriteByte('\n')
	}
	if n := len(l.deaths); n > 0 {
		fmt.Fprintf(&b, "\n%d deaths after a signal: half within %v, 99 %% within %v, the slowest %v; %d took more than %v, %d more than %v\n",
			n, l.deaths[n/2], l.deaths[n*99/100], l.deaths[n-1], n-upTo(l.deaths, promptly), promptly, n-upTo(l.deaths, slowly), slowly)
	}
	return b.String()
}

// upTo is how many of the sorted durations are at most limit.
func upTo(sorted []time.Duration, limit time.Duration) int {
	n, _ := slices.BinarySearch(sorted, limit+1)
	return n
}
