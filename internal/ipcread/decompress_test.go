package ipcread

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

func lz4Variants(t *testing.T, plain []byte) map[string][]byte {
	frames := map[string][]byte{}
	for name, options := range map[string][]lz4.Option{
		"plain":          {lz4.ChecksumOption(false)},
		"small blocks":   {lz4.ChecksumOption(false), lz4.BlockSizeOption(lz4.Block64Kb)},
		"checksum":       {lz4.ChecksumOption(true)},
		"block checksum": {lz4.ChecksumOption(false), lz4.BlockChecksumOption(true)},
		"size":           {lz4.ChecksumOption(false), lz4.SizeOption(uint64(len(plain)))},
		"size, checksum": {lz4.ChecksumOption(true), lz4.SizeOption(uint64(len(plain)))},
	} {
		var b bytes.Buffer
		w := lz4.NewWriter(&b)
		if err := w.Apply(options...); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(plain); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		frames[name] = b.Bytes()
	}
	return frames
}

func plainBuffers() map[string][]byte {
	g := gen{rand.New(rand.NewPCG(5, 6))}
	return map[string][]byte{
		"empty":  {},
		"short":  []byte("abc"),
		"random": g.bytes(200_000),
		"runs":   slices.Repeat([]byte("abcdefgh12345678"), 40_000),
		"zeros":  make([]byte, 1<<20),
	}
}

// TestLZ4Frames: every kind of frame, to exactly the size claimed.
func TestLZ4Frames(t *testing.T) {
	for what, plain := range plainBuffers() {
		for kind, frame := range lz4Variants(t, plain) {
			got := make([]byte, len(plain))
			if err := decompressLZ4(got, frame); err != nil || !bytes.Equal(got, plain) {
				t.Errorf("%s, %s: %v", what, kind, err)
			}
			if err := decompressLZ4(make([]byte, len(plain)+1), frame); !errors.Is(err, ErrCorrupt) {
				t.Errorf("%s, %s, claimed larger: %v", what, kind, err)
			}
			if len(plain) == 0 {
				continue
			}
			if err := decompressLZ4(make([]byte, len(plain)-1), frame); !errors.Is(err, ErrCorrupt) {
				t.Errorf("%s, %s, claimed smaller: %v", what, kind, err)
			}
			if err := decompressLZ4(got, append(slices.Clone(frame), 0)); !errors.Is(err, ErrCorrupt) {
				t.Errorf("%s, %s, a byte more: %v", what, kind, err)
			}
		}
	}
}

// TestLZ4LinkedBlocks: blocks that refer to the ones before, made by hand: the
// library's writer makes none. "abcd" stored, then a match of 8 from 4 back.
func TestLZ4LinkedBlocks(t *testing.T) {
	frame := []byte{
		0x04, 0x22, 0x4D, 0x18, lz4Version, 0x40, 0,
		4, 0, 0, 0x80, 'a', 'b', 'c', 'd',
		9, 0, 0, 0, 0x04, 4, 0, 0x50, 'v', 'w', 'x', 'y', 'z',
		0, 0, 0, 0,
	}
	got := make([]byte, 17)
	if err := decompressLZ4(got, frame); err != nil || string(got) != "abcdabcdabcdvwxyz" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestLZ4Damage cuts and changes frames everywhere.
func TestLZ4Damage(t *testing.T) {
	plain := slices.Repeat([]byte("abcdefgh12345678"), 20)
	for kind, frame := range lz4Variants(t, plain) {
		got := make([]byte, len(plain))
		for n := range frame {
			if err := decompressLZ4(got, frame[:n]); err == nil {
				t.Errorf("%s: cut to %d of %d bytes", kind, n, len(frame))
			}
		}
		for i := range frame {
			damaged := slices.Clone(frame)
			damaged[i] ^= 0x55
			decompressLZ4(got, damaged) // any answer but a panic
		}
	}
}

func TestZSTDFrames(t *testing.T) {
	d := testDecoding()
	for what, plain := range plainBuffers() {
		for _, level := range []zstd.EncoderLevel{zstd.SpeedFastest, zstd.SpeedBestCompression} {
			w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(level))
			if err != nil {
				t.Fatal(err)
			}
			frame := w.EncodeAll(plain, nil)
			streamed := unsizedZSTD(t, plain)
			for kind, frame := range map[string][]byte{"sized": frame, "streamed": streamed} {
				got := make([]byte, len(plain))
				if err := d.decompressZSTD(got, frame); err != nil || !bytes.Equal(got, plain) {
					t.Errorf("%s, %s: %v", what, kind, err)
				}
				for _, wrong := range []int{len(plain) + 1, len(plain) - 1} {
					if wrong >= 0 {
						if err := d.decompressZSTD(make([]byte, wrong), frame); !errors.Is(err, ErrCorrupt) {
							t.Errorf("%s, %s, claimed %d: %v", what, kind, wrong, err)
						}
					}
				}
			}
		}
	}
}

// unsizedZSTD is a frame that does not say how long its content is.
func unsizedZSTD(t *testing.T, plain []byte) []byte {
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range [][]byte{plain[:len(plain)/2], plain[len(plain)/2:]} {
		if _, err := w.Write(part); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestPlausible: honest frames of the most compressible content pass the
// bound that is applied before memory is taken.
func TestPlausible(t *testing.T) {
	zeros := make([]byte, 8<<20)
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		t.Fatal(err)
	}
	if n := int64(len(w.EncodeAll(zeros, nil))); mostOf(2, n) < int64(len(zeros)) {
		t.Errorf("zstd: %d bytes", n)
	}
	for kind, frame := range lz4Variants(t, zeros) {
		if n := int64(len(frame)); mostOf(1, n) < int64(len(zeros)) {
			t.Errorf("lz4, %s: %d bytes", kind, n)
		}
	}
	if got := fmt.Sprint(mostOf(1, 0), mostOf(2, 0)); got != "0 131072" {
		t.Error(got)
	}
}
