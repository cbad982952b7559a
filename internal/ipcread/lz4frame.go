package ipcread

import (
	"bufio"
	"encoding/binary"
	"io"
)

// lz4Frame reads the bytes of one lz4 frame and then reports io.EOF. It knows
// the structure only (LZ4 Frame Format 1.6: descriptor, blocks, end mark,
// checksum); an input that ends before the frame does is an
// io.ErrUnexpectedEOF, also between two blocks, where a decoder that reads up
// to the end of its input notices nothing.
type lz4Frame struct {
	src   *bufio.Reader
	at    lz4Part
	left  int64 // bytes of the present piece still to hand out
	extra int64 // checksum bytes after each block
	tail  int64 // checksum bytes after the end mark
}

type lz4Part int

const (
	atDescriptor lz4Part = iota
	atBlocks
	pastEnd
)

func (f *lz4Frame) Read(p []byte) (int, error) {
	for f.left == 0 {
		if f.at == pastEnd {
			return 0, io.EOF
		}
		if err := f.piece(); err != nil {
			return 0, err
		}
	}
	if int64(len(p)) > f.left {
		p = p[:f.left]
	}
	n, err := f.src.Read(p)
	f.left -= int64(n)
	return n, cut(err)
}

// piece looks at what comes next, the descriptor or a block, and how long it
// is.
func (f *lz4Frame) piece() error {
	if f.at == atDescriptor {
		head, err := f.peek(wordSize + 1)
		if err != nil {
			return err
		}
		flags := head[wordSize]
		f.left = wordSize + 3 // magic, flags, block size, header checksum
		if flags&lz4ContentSize != 0 {
			f.left += 8
		}
		if flags&lz4DictionaryID != 0 {
			f.left += 4
		}
		if flags&lz4BlockChecksum != 0 {
			f.extra = 4
		}
		if flags&lz4ContentChecksum != 0 {
			f.tail = 4
		}
		f.at = atBlocks
		return nil
	}
	head, err := f.peek(wordSize)
	if err != nil {
		return err
	}
	word := binary.LittleEndian.Uint32(head)
	if word == 0 {
		f.left, f.at = wordSize+f.tail, pastEnd
		return nil
	}
	f.left = wordSize + int64(word&^lz4Stored) + f.extra
	return nil
}

func (f *lz4Frame) peek(n int) ([]byte, error) {
	b, err := f.src.Peek(n)
	return b, cut(err)
}
