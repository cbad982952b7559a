//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"

	"arrowagg/internal/arrowtest"
)

// soakInput is one input: its bytes, and how the process gets them.
type soakInput struct {
	content []byte
	piped   bool
	name    string // of the file
}

// inputs writes the stream's rows in one of the countless ways: dealt out
// to files and perhaps pipes, each encoded, cut and wrapped in its own way.
// Integers of several widths are only for files, as what a pipe's schema may
// widen depends on who comes first, and for text, where types do not show.
func (d drawn) inputs(r *round, pipes, text bool) []soakInput {
	pipes = pipes && r.rng.IntN(3) > 0
	var inputs []soakInput
	for _, part := range d.Parts(r.rng, 1+r.rng.IntN(4)) {
		in := soakInput{piped: pipes && r.rng.IntN(2) == 0}
		if text && !pipes {
			part = widened(r.rng, part)
		}
		in.content = wrapped(r.rng, randomEncoding(r.rng, part))
		if !in.piped {
			in.name = r.file(in.content)
		}
		inputs = append(inputs, in)
	}
	return inputs
}

// wrapped compresses an input as a whole, at times.
func wrapped(rng *rand.Rand, content []byte) []byte {
	switch rng.IntN(8) {
	case 0:
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		w.Write(content)
		must(w.Close())
		return out.Bytes()
	case 1:
		w, err := zstd.NewWriter(nil)
		must(err)
		defer w.Close()
		return w.EncodeAll(content, nil)
	}
	return content
}

// file writes an input. Its time is in the past, as that of most files: two
// changes within the clock's tick cannot be told apart.
func (r *round) file(content []byte) string {
	r.files++
	name := filepath.Join(r.dir, fmt.Sprintf("%d.in", r.files))
	must(os.WriteFile(name, content, 0o666))
	past := time.Now().Add(-time.Hour)
	must(os.Chtimes(name, past, past))
	return name
}

// launch has the process read the inputs, in a temporary directory of the round.
// Whoever feeds a pipe is done when the process is gone.
func (r *round) launch(args []string, inputs []soakInput) launch {
	l := launch{args: args, temp: r.temp}
	for _, in := range inputs {
		switch {
		case !in.piped:
			l.args = append(l.args, in.name)
		default:
			read, write, err := os.Pipe()
			must(err)
			l.take(read, r.rng.IntN(3) == 0, 0)
			go feedPieces(write, in.content, rand.New(rand.NewPCG(r.rng.Uint64(), 0)))
		}
	}
	return l
}

// take gives the process an open file as an input, with so many of the other
// arguments behind it; as standard input if that is wanted and free.
func (l *launch) take(f *os.File, standard bool, behind int) {
	name := "-"
	if standard && l.stdin == nil {
		l.stdin = f
	} else {
		l.extra = append(l.extra, f)
		name = fmt.Sprintf("/dev/fd/%d", 2+len(l.extra))
	}
	l.args = slices.Insert(l.args, len(l.args)-behind, name)
}

// feedPieces writes content as a slow and clumsy writer does, and closes.
func feedPieces(w *os.File, content []byte, rng *rand.Rand) {
	defer w.Close()
	size := max(pick(rng, 7, 1000, 100_000, 1<<30), len(content)/1000)
	for len(content) > 0 {
		n := min(1+rng.IntN(size), len(content))
		if _, err := w.Write(content[:n]); err != nil {
			return // the reader gave up, and says why
		}
		content = content[n:]
		if rng.IntN(500) == 0 {
			time.Sleep(time.Millisecond)
		}
	}
}

// soakStream draws the rows of a round: mostly few, so that there are many
// rounds, and enough now and then for the engine to work in its other ways.
func soakStream(rng *rand.Rand) *arrowtest.Stream {
	return randomStream(rng, pick(rng, 0, 3, 30, 300, 300, 300, 3000, 3000)*pick(rng, 1, 1, 1, 10))
}
