package ipcmeta

import (
	"encoding/binary"
	"errors"
)

// Footer is the table of contents at the end of an IPC file.
type Footer struct {
	Version      int16 // V4 or V5, 0 if it does not say: 0.14 did not
	Schema       *Schema
	Dictionaries []Block
	Batches      []Block
}

// Block says where a message of a file is.
type Block struct {
	Offset     int64 // from the start of the file, ≥ 0
	MetaLength int32 // prefix, metadata and padding, > 0
	BodyLength int64 // ≥ 0
}

const blockSize = 24 // {offset int64, metaDataLength int32, padding, bodyLength int64}

// ParseFooter verifies and reads a footer: the bytes between the last message
// of a file and the footer's length. Blocks are only known to be not negative.
func ParseFooter(footer []byte) (*Footer, error) {
	f := newFlatbuffer(footer)
	root := f.root(footerShape)
	version := f.int16Field(root, 0, 0)
	schema, present := f.tableField(root, 1, schemaShape)
	dictionaries := f.blocks(root, 2)
	batches := f.blocks(root, 3)
	if f.err != nil {
		return nil, f.err
	}
	if f.field(root, 0, 2) != 0 {
		if err := checkVersion(version); err != nil {
			return nil, err
		}
	}
	if !present {
		return nil, errors.New("footer without a schema")
	}
	parsed, err := parseSchema(footer, schema.pos, version)
	if err != nil {
		return nil, err
	}
	return &Footer{Version: version, Schema: parsed, Dictionaries: dictionaries, Batches: batches}, nil
}

func (f *flatbuffer) blocks(t table, i int) []Block {
	entries := f.structs(t, i, blockSize)
	blocks := make([]Block, 0, len(entries)/blockSize)
	for ; len(entries) > 0; entries = entries[blockSize:] {
		b := Block{
			Offset:     int64(binary.LittleEndian.Uint64(entries)),
			MetaLength: int32(binary.LittleEndian.Uint32(entries[8:])),
			BodyLength: int64(binary.LittleEndian.Uint64(entries[16:])),
		}
		if b.Offset < 0 || b.MetaLength <= 0 || b.BodyLength < 0 {
			f.fail("block %d of the footer is at %d, %d and %d bytes long",
				len(blocks), b.Offset, b.MetaLength, b.BodyLength)
			return nil
		}
		blocks = append(blocks, b)
	}
	return blocks
}
