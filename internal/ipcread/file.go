package ipcread

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"io"
	"slices"

	"arrowagg/internal/ipcmeta"
)

// The IPC file format: magic, the messages of a stream, a footer that lists
// where they are, the footer's length, magic.
//
//	"ARROW1\0\0" schema dictionaries batches [end marker] FOOTER int32 "ARROW1"
const (
	fileMagic   = "ARROW1"
	fileHead    = 8 // magic and padding
	fileTail    = wordSize + len(fileMagic)
	maxFooter   = maxMetadata
	tailSearch  = 4096 // how far back a trailing magic that is not at the end is looked for
	prefixBytes = 2 * wordSize
)

// fileWalk is the walk over the file format: by the footer, dictionaries first.
type fileWalk struct {
	input    string
	ext      extent
	footer   *ipcmeta.Footer
	footerAt int64
	raw      []byte // the footer
	opt      walkOptions

	blocks []block // in the order of the walk
	at     int     // of the next one; -1: the schema
	batch  int64
}

// block is one message that the footer lists.
type block struct {
	ipcmeta.Block
	kind ipcmeta.Kind
}

func newFileWalk(input string, ext extent, opt walkOptions) (*fileWalk, error) {
	w := &fileWalk{input: input, ext: ext, opt: opt, at: -1}
	if err := w.readFooter(); err != nil {
		return nil, err
	}
	for _, b := range w.footer.Dictionaries {
		w.blocks = append(w.blocks, block{b, ipcmeta.KindDictionary})
	}
	for _, b := range w.footer.Batches {
		w.blocks = append(w.blocks, block{b, ipcmeta.KindBatch})
	}
	if err := w.checkBlocks(); err != nil {
		return nil, err
	}
	return w, w.sortDictionaries()
}

// sortDictionaries puts the dictionaries that are only added to others behind
// them. A footer may list them in any order; what is added counts in it.
func (w *fileWalk) sortDictionaries() error {
	var deltas []block
	bases := w.blocks[:0:0]
	n := len(w.footer.Dictionaries)
	for _, b := range w.blocks[:n] {
		p, err := w.metadata(b)
		if err != nil {
			return err
		}
		if _, delta := p.msg.Dictionary(); delta {
			deltas = append(deltas, b)
		} else {
			bases = append(bases, b)
		}
	}
	w.blocks = append(append(bases, deltas...), w.blocks[n:]...)
	return nil
}

// readFooter finds the footer from the file's end.
func (w *fileWalk) readFooter() error {
	size := w.ext.size()
	if size < int64(fileHead+fileTail) {
		return w.fail(0, faultf(ErrTruncated, "truncated: %s of an Arrow file", count(size, "byte")))
	}
	tail, err := w.ext.bytes(size-int64(fileTail), int64(fileTail))
	if err != nil {
		return w.fail(noOffset, err)
	}
	if string(tail[wordSize:]) != fileMagic {
		return w.noMagic()
	}
	length := int64(int32(binary.LittleEndian.Uint32(tail)))
	at := size - int64(fileTail) - length
	if length <= 0 || at < fileHead {
		return w.fail(size-int64(fileTail), faultf(ErrCorrupt,
			"a footer of %d bytes in an Arrow file of %d", length, size))
	}
	if length > maxFooter {
		return w.fail(at, faultf(ErrLimit, "a footer of %d bytes, more than %d", length, maxFooter))
	}
	if w.raw, err = w.ext.bytes(at, length); err != nil {
		return w.fail(at, err)
	}
	w.footerAt = at
	if w.footer, err = ipcmeta.ParseFooter(w.raw); err != nil {
		return w.fail(at, faultf(ErrCorrupt, "%v", err))
	}
	return nil
}

// noMagic tells a file that was cut from one that was added to.
func (w *fileWalk) noMagic() error {
	size := w.ext.size()
	from := max(fileHead, size-tailSearch)
	end, err := w.ext.bytes(from, size-from)
	if err != nil {
		return w.fail(noOffset, err)
	}
	if i := bytes.LastIndex(end, []byte(fileMagic)); i >= 0 {
		at := from + int64(i+len(fileMagic))
		return w.fail(at, faultf(ErrCorrupt, "%s after the end of the Arrow file", count(size-at, "byte")))
	}
	return w.fail(size, faultf(ErrTruncated, "truncated: the Arrow file's footer is missing"))
}

// checkBlocks holds the footer's blocks against the file: inside it, apart
// from each other, and nothing but the schema and an end marker beside them. A
// file that another one was appended to has a footer whose offsets mean other
// bytes, and is found so.
func (w *fileWalk) checkBlocks() error {
	order := make([]int, len(w.blocks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(w.blocks[a].Offset, w.blocks[b].Offset) })
	end := int64(fileHead)
	for _, i := range order {
		b := w.blocks[i]
		length := int64(b.MetaLength)
		room := w.footerAt - b.Offset
		if b.Offset < end || length < prefixBytes || length > room || b.BodyLength > room-length {
			return w.fail(b.Offset, faultf(ErrCorrupt,
				"the footer lists a %v of %d and %d bytes that lies outside the file or over another message",
				b.kind, b.MetaLength, b.BodyLength))
		}
		end = b.Offset + length + b.BodyLength
	}
	return w.checkRest(end)
}

// checkRest looks at what stands between the last message and the footer.
func (w *fileWalk) checkRest(end int64) error {
	if len(w.blocks) == 0 {
		return nil // the schema message, which the footer does not list
	}
	src := &extentSource{ext: w.ext, pos: end}
	for first := true; src.pos < w.footerAt; first = false {
		word, err := src.wordBefore(w.footerAt)
		if err != nil {
			return w.fail(end, err)
		}
		if word != 0 && !(first && word == continuation) {
			return w.fail(end, faultf(ErrCorrupt,
				"%s between the last message and the footer that belong to no message", count(w.footerAt-end, "byte")).
				withHint("files in the Arrow file format cannot be concatenated: give them one by one"))
		}
	}
	return nil
}

// wordBefore is the next word, or what there is of it before end.
func (s *extentSource) wordBefore(end int64) (uint32, error) {
	b, err := s.take(min(wordSize, end-s.pos), nil, nil)
	if err != nil {
		return 0, err
	}
	var word [wordSize]byte
	copy(word[:], b)
	return binary.LittleEndian.Uint32(word[:]), nil
}

func (w *fileWalk) next() (step, error) {
	at := w.at
	w.at++
	switch {
	case at < 0:
		schema := func() (*ipcmeta.Schema, error) { return w.footer.Schema, nil }
		return step{kind: stepSchema, offset: w.footerAt, raw: w.raw, schema: schema}, nil
	case at == len(w.blocks):
		return step{kind: stepEnd, offset: w.footerAt}, nil
	case at > len(w.blocks):
		return step{}, io.EOF
	}
	b := w.blocks[at]
	if b.kind == ipcmeta.KindBatch {
		w.batch++
	}
	p, err := w.metadata(b)
	if err == nil && !w.ext.inPlace() && b.BodyLength > w.opt.maxBody {
		err = w.fail(b.Offset, overMaxBody(b.BodyLength, w.opt.maxBody))
	}
	if err != nil || w.opt.noBodies {
		return p, err
	}
	room, err := w.opt.room(&p)
	if err != nil {
		return step{}, err
	}
	if p.body, err = takeFrom(w.ext, b.Offset+int64(b.MetaLength), b.BodyLength, room, p.wanted); err != nil {
		return step{}, w.fail(b.Offset, err)
	}
	return p, nil
}

// metadata reads the metadata of the message that a block stands for.
func (w *fileWalk) metadata(b block) (step, error) {
	p := step{kind: stepDictionary, offset: b.Offset}
	if b.kind == ipcmeta.KindBatch {
		p.kind = stepBatch
	}
	head, err := w.ext.bytes(b.Offset, int64(b.MetaLength))
	if err != nil {
		return step{}, w.fail(b.Offset, err)
	}
	meta, ok := blockMetadata(head)
	if !ok {
		return step{}, w.fail(b.Offset, faultf(ErrCorrupt, "no message where the footer lists a %v", b.kind))
	}
	if p.msg, err = ipcmeta.ParseMessage(meta); err != nil {
		return step{}, w.fail(b.Offset, faultf(ErrCorrupt, "%v", err))
	}
	if p.msg.Kind != b.kind || p.msg.BodyLength != b.BodyLength {
		return step{}, w.fail(b.Offset, faultf(ErrCorrupt,
			"a %v with a body of %d bytes where the footer lists a %v with %d",
			p.msg.Kind, p.msg.BodyLength, b.kind, b.BodyLength))
	}
	return p, nil
}

// blockMetadata is the metadata inside a block's first part: a prefix in either
// framing, the metadata, padding.
func blockMetadata(head []byte) ([]byte, bool) {
	word := binary.LittleEndian.Uint32(head)
	head = head[wordSize:]
	if word == continuation {
		word = binary.LittleEndian.Uint32(head)
		head = head[wordSize:]
	}
	if word == 0 || int64(word) > int64(len(head)) {
		return nil, false
	}
	return head[:word], true
}

func (w *fileWalk) fail(offset int64, cause error) *Error {
	return &Error{Input: w.input, Batch: w.batch, Offset: offset, Cause: systemCause(cause)}
}
