package ipcread

import (
	"errors"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// maxWindow is the largest window that the zstd tool itself decompresses
// without being asked to (--ultra -22 writes it).
const maxWindow = 128 << 20

// sharedZSTD makes one decoder for all workers: DecodeAll may be called
// concurrently, and the decoder's own state is worth keeping.
func sharedZSTD() func() (*zstd.Decoder, error) {
	return sync.OnceValues(func() (*zstd.Decoder, error) {
		return zstd.NewReader(nil,
			zstd.WithDecoderConcurrency(0),
			zstd.WithDecoderMaxWindow(maxWindow),
			zstd.WithDecodeAllCapLimit(true))
	})
}

// decompressZSTD fills plain, neither more nor less.
func (s *decoding) decompressZSTD(plain, frame []byte) error {
	decoder, err := s.zstd()
	if err != nil {
		return err
	}
	got, err := decoder.DecodeAll(frame, plain[:0])
	switch {
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		return faultf(ErrLimit, "zstd frame with a window of more than %d bytes", maxWindow)
	case errors.Is(err, zstd.ErrDecoderSizeExceeded) || err == nil && len(got) != len(plain):
		return wrongSize(len(plain), "zstd")
	case err != nil:
		return faultf(ErrCorrupt, "zstd frame: %v", err)
	}
	return nil
}
