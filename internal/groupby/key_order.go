package groupby

import (
	"encoding/binary"

	"github.com/apache/arrow-go/v18/arrow"
)

// KeyOrder writes the keys of rows as bytes that compare as the rows stand in
// the result: column after column, each
//
//	0, then    numbers   8 bytes of ordered bits (ordered.go), the highest first
//	           texts     the bytes, a zero written 0 255, and 0 0 behind them
//	1          null, which comes last
//
// It belongs to one goroutine.
type KeyOrder struct {
	loaders []*loader
	scratch internScratch
}

// NewKeyOrder is for batches whose first columns are the keys of spec, in their
// order and output types: partial results.
func NewKeyOrder(spec Spec) *KeyOrder {
	k := &KeyOrder{}
	for i := range spec.Keys {
		l, err := newLoader(Column{Name: spec.Columns[spec.Keys[i].Column].Name, Type: spec.Keys[i].Type})
		if err != nil {
			panic(err) // no engine has such a key
		}
		k.loaders = append(k.loaders, l)
	}
	return k
}

// Bind takes the batch that rows are asked of from now on.
func (k *KeyOrder) Bind(batch arrow.RecordBatch) error {
	for i, l := range k.loaders {
		if err := l.bind(batch.Column(i).Data()); err != nil {
			return err
		}
	}
	return nil
}

// Append appends the key of a row of the batch.
func (k *KeyOrder) Append(dst []byte, row int) []byte {
	var word [1]uint64
	for _, l := range k.loaders {
		l.load(row, 1, nil)
		l.apply()
		v := &l.converted
		if !v.has(0) {
			dst = append(dst, 1)
			continue
		}
		dst = append(dst, 0)
		switch v.lane {
		case laneWords:
			dst = appendOrderedBytes(dst, orderedBytes(v, &k.scratch).at(0))
		case laneBytes:
			dst = appendOrderedBytes(dst, v.at(0))
		default:
			orderedKeys(word[:], v)
			dst = binary.BigEndian.AppendUint64(dst, word[0])
		}
	}
	return dst
}

func appendOrderedBytes(dst, value []byte) []byte {
	for _, b := range value {
		dst = append(dst, b)
		if b == 0 {
			dst = append(dst, 255)
		}
	}
	return append(dst, 0, 0)
}
