package main

import (
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"arrowagg/internal/ipcread"
	"arrowagg/internal/spill"
)

const (
	progressDelay    = time.Second            // shorter runs need no patience
	progressInterval = 200 * time.Millisecond // often enough to look alive
)

// progress is one line on standard error that says how far a long run is. It
// is redrawn in place and gone before anything else is printed: what else goes
// to standard error is written through it. No escape sequence is used, only
// carriage returns and blanks, so that any terminal will do.
//
// All methods may be called on nil, where nobody looks.
type progress struct {
	w        io.Writer
	terminal *os.File // nil: w is none
	begun    time.Time

	quit    chan struct{}
	once    sync.Once
	drawing sync.WaitGroup

	mu      sync.Mutex
	stage   stage
	set     *ipcread.Set
	store   *spill.Store // nil: nothing can be spilled
	inputs  int
	known   extentOfFiles
	reads   time.Time // when reading began
	tallies []*tally
	shown   int // characters of the line that stands there
}

// stage is what a run is about.
type stage int

const (
	stageOpening stage = iota
	stageChecking
	stageReading
	stageFinishing
)

// extentOfFiles is what all regular files together have, over all repetitions.
type extentOfFiles struct {
	sized []bool // by input
	all   bool   // there is nothing but regular files
	bytes float64
	rows  float64
}

// newProgress begins to show progress after a while, or returns nil.
func newProgress(o *options, stderr io.Writer, inputs int) *progress {
	terminal, _ := stderr.(*os.File)
	if !isTerminal(stderr) {
		terminal = nil
	}
	if o.quiet || o.progress == "never" || o.progress == "auto" && terminal == nil {
		return nil
	}
	p := &progress{w: stderr, terminal: terminal, inputs: inputs}
	if o.check {
		p.stage = stageChecking
	}
	p.start(progressDelay, progressInterval)
	return p
}

func (p *progress) start(delay, interval time.Duration) {
	p.begun, p.quit = time.Now(), make(chan struct{})
	p.drawing.Go(func() {
		wait := time.NewTimer(delay)
		defer wait.Stop()
		for {
			select {
			case <-p.quit:
				return
			case <-wait.C:
				p.draw()
				wait.Reset(interval)
			}
		}
	})
}

// reading says that the inputs are open and will be read that often.
func (p *progress) reading(set *ipcread.Set, repeat int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stage, p.set, p.reads = stageReading, set, time.Now()
	p.known = extentOf(set.Reports(), repeat)
}

func extentOf(reports []ipcread.Report, repeat int) extentOfFiles {
	x := extentOfFiles{all: true}
	for _, r := range reports {
		x.sized = append(x.sized, r.Sized)
		x.all = x.all && r.Sized
		if r.Sized {
			x.bytes += float64(r.Bytes) * float64(repeat)
			x.rows += float64(r.Rows) * float64(repeat)
		}
	}
	return x
}

// newTally returns what one worker counts in.
func (p *progress) newTally() *tally {
	if p == nil {
		return &tally{}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	t := &tally{sized: p.known.sized}
	p.tallies = append(p.tallies, t)
	return t
}

// finishing says that everything was read.
func (p *progress) finishing() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stage = stageFinishing
}

// stop takes the line away for good. What is written afterwards passes through.
func (p *progress) stop() {
	if p == nil {
		return
	}
	p.once.Do(func() { close(p.quit) })
	p.drawing.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}

// abandon is stop for a dying process, which waits for nothing long: the
// terminal may have been halted.
func (p *progress) abandon() {
	done := make(chan struct{})
	go func() {
		p.stop()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(50 * time.Millisecond):
	}
}

// Write writes to standard error in place of the line.
func (p *progress) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(b) > 0 {
		p.erase()
	}
	return p.w.Write(b)
}

// draw puts the line of the moment in the place of the last one.
func (p *progress) draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	width := defaultWidth
	if p.terminal != nil {
		if !inForeground(p.terminal) {
			return // the terminal is another's
		}
		width = terminalWidth(p.terminal)
	}
	line := p.now(time.Now()).line()
	line = line[:min(len(line), max(width-1, 0))] // a full line might wrap
	io.WriteString(p.w, "\r"+line+strings.Repeat(" ", max(p.shown-len(line), 0)))
	p.shown = len(line)
}

// erase leaves the cursor where the line began.
func (p *progress) erase() {
	if p.shown > 0 {
		io.WriteString(p.w, "\r"+strings.Repeat(" ", p.shown)+"\r")
		p.shown = 0
	}
}

// now is the state of the run. It asks the workers how many groups there are.
func (p *progress) now(at time.Time) snapshot {
	s := snapshot{stage: p.stage, inputs: p.inputs, elapsed: at.Sub(p.begun)}
	if p.set == nil {
		return s
	}
	s.elapsed = at.Sub(p.reads)
	if p.store != nil {
		s.spilled = p.store.Figures().Bytes
	}
	var ofFiles int64
	for _, t := range p.tallies {
		ofFiles += t.ofFiles.Load()
		s.rows += t.ofPipes.Load()
		s.groups = max(s.groups, t.groups.Load())
		s.others = s.others || t.others.Load()
		t.asked.Store(true)
	}
	s.rows += ofFiles
	share := 1.0
	if p.known.rows > 0 {
		share = min(float64(ofFiles)/p.known.rows, 1)
	}
	s.bytes = p.known.bytes * share
	if p.known.all {
		s.of = p.known.bytes
		return s
	}
	for _, r := range p.set.Reports() {
		if !r.Sized {
			s.bytes += float64(r.Bytes)
		}
	}
	return s
}
