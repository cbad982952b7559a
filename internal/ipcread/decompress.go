package ipcread

import (
	"encoding/binary"

	"arrowagg/internal/ipcmeta"
)

// decompress returns what buffer k of a compressed body holds: eight bytes of
// length, little-endian in every stream, and a frame of the codec; or the
// length -1 and the bytes as they are.
//
// The memory is asked for before the frame is read, so the claimed length has
// to be one that so many bytes can decompress to at all.
func (d *Decoder) decompress(s *slot, k int, raw []byte) ([]byte, error) {
	if len(raw) < 8 {
		return nil, faultf(ErrCorrupt, "compressed buffer of %d bytes", len(raw))
	}
	size, frame := int64(binary.LittleEndian.Uint64(raw)), raw[8:]
	if size == -1 {
		return frame, nil
	}
	codec := d.batch.msg.Codec()
	if size < 0 || size > mostOf(codec, int64(len(frame))) {
		return nil, faultf(ErrCorrupt, "compressed buffer of %d bytes claims to hold %d", len(frame), size)
	}
	if size > d.shared.maxBuffer {
		return nil, faultf(ErrLimit, "buffer decompresses to %d bytes, more than %d", size, d.shared.maxBuffer).
			withHint(maxBufferHint)
	}
	plain, err := d.scratch(s, areaPlain(k), size)
	if err != nil {
		return nil, err
	}
	if codec == ipcmeta.LZ4Frame {
		err = decompressLZ4(plain, frame)
	} else {
		err = d.shared.decompressZSTD(plain, frame)
	}
	return plain, err
}

// mostOf bounds what n bytes of a frame can hold. An LZ4 length byte stands
// for at most 255 bytes of output. A ZSTD block takes at least four bytes, its
// header and the byte that a run-length block repeats, and holds at most 128 KiB.
func mostOf(codec ipcmeta.Codec, n int64) int64 {
	if codec == ipcmeta.LZ4Frame {
		return 255 * n
	}
	const block = 128 << 10
	return (n/4 + 1) * block
}

func wrongSize(claimed int, frame string) error {
	return faultf(ErrCorrupt, "%s frame does not hold the %d bytes that its buffer claims", frame, claimed)
}
