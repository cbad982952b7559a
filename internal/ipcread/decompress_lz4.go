package ipcread

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"sync"

	"github.com/pierrec/lz4/v4"
)

// Fields of an LZ4 frame, see lz4_Frame_format.md of the LZ4 project.
const (
	lz4Magic = 0x184D2204

	lz4VersionMask     = 0b11 << 6
	lz4Version         = 0b01 << 6
	lz4Independent     = 1 << 5 // blocks do not refer to the ones before them
	lz4BlockChecksum   = 1 << 4
	lz4ContentSize     = 1 << 3
	lz4ContentChecksum = 1 << 2
	lz4Reserved        = 1 << 1
	lz4DictionaryID    = 1 << 0

	lz4Stored = 1 << 31 // in a block's length: it is not compressed
	lz4Window = 64 << 10
)

// decompressLZ4 fills plain, neither more nor less. The frames that Arrow
// writers make have no checksums; their blocks are decompressed straight to
// where they belong. Others go through the library's frame reader.
func decompressLZ4(plain, frame []byte) error {
	if len(frame) < 7 || binary.LittleEndian.Uint32(frame) != lz4Magic {
		return faultf(ErrCorrupt, "no LZ4 frame in a buffer of %d bytes", len(frame))
	}
	flags := frame[4]
	if flags&(lz4BlockChecksum|lz4ContentChecksum|lz4DictionaryID) != 0 {
		return readLZ4(plain, frame)
	}
	if flags&lz4VersionMask != lz4Version || flags&lz4Reserved != 0 {
		return faultf(ErrCorrupt, "LZ4 frame with flags %#x", flags)
	}
	blocks := frame[7:]
	if flags&lz4ContentSize != 0 {
		if len(frame) < 15 {
			return cutLZ4()
		}
		if binary.LittleEndian.Uint64(frame[6:]) != uint64(len(plain)) {
			return wrongSize(len(plain), "LZ4")
		}
		blocks = frame[15:]
	}
	return decompressBlocks(plain, blocks, flags&lz4Independent == 0)
}

// decompressBlocks decompresses the blocks of a frame up to its end mark.
func decompressBlocks(plain, blocks []byte, linked bool) error {
	done := 0
	for {
		if len(blocks) < 4 {
			return cutLZ4()
		}
		size := binary.LittleEndian.Uint32(blocks)
		blocks = blocks[4:]
		if size == 0 {
			break
		}
		n := int(size &^ lz4Stored)
		if n > len(blocks) {
			return cutLZ4()
		}
		block := blocks[:n]
		blocks = blocks[n:]
		if size&lz4Stored != 0 {
			if n > len(plain)-done {
				return wrongSize(len(plain), "LZ4")
			}
			done += copy(plain[done:], block)
			continue
		}
		var before []byte
		if linked {
			before = plain[max(0, done-lz4Window):done]
		}
		n, err := lz4.UncompressBlockWithDict(block, plain[done:], before)
		if err != nil {
			return faultf(ErrCorrupt, "LZ4 block damaged, or of more than the %d bytes that its buffer claims",
				len(plain))
		}
		done += n
	}
	if done != len(plain) || len(blocks) != 0 {
		return wrongSize(len(plain), "LZ4")
	}
	return nil
}

func cutLZ4() error { return faultf(ErrCorrupt, "LZ4 frame ends early") }

var lz4Readers = sync.Pool{New: func() any { return lz4.NewReader(nil) }}

func readLZ4(plain, frame []byte) error {
	r := lz4Readers.Get().(*lz4.Reader)
	defer lz4Readers.Put(r)
	source := bytes.NewReader(frame)
	r.Reset(source)
	n, err := io.ReadFull(r, plain)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return faultf(ErrCorrupt, "LZ4 frame: %v", err)
	}
	var more [1]byte
	if n < len(plain) {
		return wrongSize(len(plain), "LZ4")
	}
	if _, err := io.ReadFull(r, more[:]); err == nil || source.Len() != 0 {
		return wrongSize(len(plain), "LZ4")
	} else if err != io.EOF {
		return faultf(ErrCorrupt, "LZ4 frame: %v", err)
	}
	return nil
}
