package ipcread

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"arrowagg/internal/tempfile"
)

// feedPipe writes b in pieces of random sizes.
func feedPipe(t *testing.T, b []byte) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	go func() {
		defer w.Close()
		for len(b) > 0 {
			n := min(len(b), 1+rng.IntN(100_000))
			w.Write(b[:n])
			b = b[n:]
		}
	}()
	return r
}

func TestAheadKeepsWhatComes(t *testing.T) {
	want := make([]byte, aheadMemory+aheadMemory/2)
	rng := rand.New(rand.NewPCG(3, 4))
	for i := 0; i < len(want); i += 8 {
		binary.LittleEndian.PutUint64(want[i:], rng.Uint64())
	}
	for name, openAfter := range map[string]int{
		"at once": 0, "early": 1000, "late": aheadMemory, "never": len(want) + 1,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			gate := make(chan struct{})
			a := newAhead(feedPipe(t, want), newSpooler(tempfile.In(dir)), gate)
			if openAfter == 0 {
				close(gate)
			}
			go a.fill()
			if openAfter > len(want)/2 {
				time.Sleep(20 * time.Millisecond) // let it read into its file
			}
			var got []byte
			b := make([]byte, 50_000)
			for {
				n, err := a.Read(b[:1+rng.IntN(len(b))])
				got = append(got, b[:n]...)
				if openAfter > 0 && len(got) >= openAfter {
					close(gate)
					openAfter = 0
				}
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%d bytes, want %d, or other ones", len(got), len(want))
			}
			a.Close()
			wantEmptyDir(t, dir)
		})
	}
}

func TestAheadWithoutTempDir(t *testing.T) {
	gate := make(chan struct{})
	a := newAhead(feedPipe(t, make([]byte, 2*aheadMemory)), newSpooler(tempfile.In(t.TempDir()+"/missing")), gate)
	a.fill()
	n, err := io.Copy(io.Discard, a)
	if !errors.Is(err, ErrTempDir) || n > aheadMemory || n <= aheadMemory-readerBuffer {
		t.Errorf("%d bytes, then %v", n, err)
	}
	a.Close()
}

func TestAheadIsClosedWhileItReads(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	a := newAhead(r, newSpooler(nil), make(chan struct{}))
	done := make(chan struct{})
	go func() { a.fill(); close(done) }()
	a.Close()
	w.Write([]byte("x")) // ends the read that fill is in
	<-done
	if _, err := w.Write([]byte("y")); err == nil {
		t.Error("the pipe is still open")
	}
	w.Close()
}
