package groupby

import (
	"encoding/binary"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arena"
)

// KeyOrder writes the keys of rows as bytes that compare as the rows stand in
// the result: column after column, each
//
//	0, then    numbers   8 bytes of ordered bits (ordered.go), the highest first
//	           texts     the bytes, a zero written 0 255, and 0 0 behind them
//	1          null, which comes last
//
// and, where rows have the values of multisets, which of these a row has one of,
// counted from 1 (0: of none), in two bytes, and the value, as a key. It belongs
// to one goroutine.
type KeyOrder struct {
	keys    []*loader
	sets    []valueOrder
	scratch internScratch
}

// valueOrder is the columns of a multiset's values in batches of states, without
// their counts, which come next.
type valueOrder struct {
	set     *multiset
	first   int
	loaders []*loader
}

// NewKeyOrder is for batches whose first columns are the keys of spec, in their
// order and output types: partial results, or what is spilled.
func NewKeyOrder(spec Spec) *KeyOrder {
	k := &KeyOrder{}
	for i := range spec.Keys {
		k.keys = append(k.keys, mustLoad(spec.Columns[spec.Keys[i].Column].Name, spec.Keys[i].Type))
	}
	prototype, err := newStates(spec.Aggregates, spec.Columns, &arena.Arena{})
	if err != nil {
		panic(err) // no engine has such an aggregate
	}
	at := len(spec.Keys)
	sets, of := multisetsOf(prototype)
	for a, fields := range prototype.fields() {
		if of[a] >= 0 && len(fields) > 0 {
			v := valueOrder{set: sets[of[a]], first: at}
			for _, f := range fields[:len(fields)-1] {
				v.loaders = append(v.loaders, mustLoad(f.Name, f.Type))
			}
			k.sets = append(k.sets, v)
		}
		at += len(fields)
	}
	return k
}

// mustLoad is a loader of a column that engines have, too.
func mustLoad(name string, t arrow.DataType) *loader {
	l, err := newLoader(Column{Name: name, Type: t})
	if err != nil {
		panic(err)
	}
	return l
}

// Bind takes the batch that rows are asked of from now on.
func (k *KeyOrder) Bind(batch arrow.RecordBatch) error {
	for i, l := range k.keys {
		if err := l.bind(batch.Column(i).Data()); err != nil {
			return err
		}
	}
	for _, v := range k.sets {
		for i, l := range v.loaders {
			if err := l.bind(batch.Column(v.first + i).Data()); err != nil {
				return err
			}
		}
	}
	return nil
}

// Append appends the key of a row of the batch and, where there are multisets,
// its value. The first bytes, so many as it returns, are the key.
func (k *KeyOrder) Append(dst []byte, row int) (all []byte, key int) {
	begin := len(dst)
	for _, l := range k.keys {
		dst = k.append(dst, l, row)
	}
	key = len(dst) - begin
	dst, set := k.appendSet(dst, row)
	if set >= 0 {
		for _, l := range k.sets[set].loaders {
			dst = k.append(dst, l, row)
		}
	}
	return dst, key
}

// appendGroup appends the key of a row and which multiset it has a value of,
// which it returns; -1: of none.
func (k *KeyOrder) appendGroup(dst []byte, row int) (all []byte, set int) {
	for _, l := range k.keys {
		dst = k.append(dst, l, row)
	}
	return k.appendSet(dst, row)
}

func (k *KeyOrder) appendSet(dst []byte, row int) (all []byte, set int) {
	if len(k.sets) == 0 {
		return dst, -1
	}
	set = -1
	for i, v := range k.sets {
		if v.loaders[0].load(row, 1, nil); v.loaders[0].natural.has(0) {
			set = i
			break
		}
	}
	return binary.BigEndian.AppendUint16(dst, uint16(set+1)), set
}

// append appends the value of a row.
func (k *KeyOrder) append(dst []byte, l *loader, row int) []byte {
	var word [1]uint64
	l.load(row, 1, nil)
	l.apply()
	v := &l.converted
	if !v.has(0) {
		return append(dst, 1)
	}
	dst = append(dst, 0)
	switch v.lane {
	case laneWords:
		return appendOrderedBytes(dst, orderedBytes(v, &k.scratch).at(0))
	case laneBytes:
		return appendOrderedBytes(dst, v.at(0))
	}
	orderedKeys(word[:], v)
	return binary.BigEndian.AppendUint64(dst, word[0])
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
