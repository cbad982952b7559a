package ipcread

import (
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"arrowagg/internal/ipcmeta"
)

// A lineage is a dictionary from the message that made it through all the
// deltas that follow:
//
//	message   delta     delta
//	[a b c]   [d e]     [f]
//	└version 1┘         │          three versions of one lineage: each is a
//	└────version 2──────┘          prefix of what the last one holds
//	└────────version 3──────┘
//
// Whoever asks for a version gets all parts known by then, so that a file
// framed to its end has one decoded dictionary however many deltas it has.
// When more parts follow later, they are added behind the memory of the values
// already handed out, which grows as slices do.
type lineage struct {
	id     int64
	column *ipcmeta.Column // of the values

	mu      sync.Mutex
	parts   []dictionaryPart
	decoded int // parts in values
	values  *array.Data
	failed  error // of part number decoded
	decoder *Decoder
	grown   *growing // once there are two parts
}

type dictionaryPart struct {
	message framedBatch
	at      int64
}

func newLineage(message framedBatch, ordinal int, at int64) *lineage {
	dictionary := message.schema.Dictionaries[ordinal]
	return &lineage{id: dictionary.ID, column: dictionary.Values, parts: []dictionaryPart{{message, at}}}
}

// append adds a part behind the first n. If another part is there already, a
// snapshot in the middle of a lineage is being continued in another way, and
// the new part begins a lineage that shares the first ones.
func (l *lineage) append(message framedBatch, at int64, n int) *lineage {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n < len(l.parts) {
		parts := append(slices.Clone(l.parts[:n]), dictionaryPart{message, at})
		return &lineage{id: l.id, column: l.column, parts: parts}
	}
	l.parts = append(l.parts, dictionaryPart{message, at})
	return l
}

// upTo returns at least the first n parts, decoded.
func (l *lineage) upTo(n int, shared *decoding) (*array.Data, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.decoded < n && l.failed == nil {
		l.failed = l.decodeParts(shared)
	}
	if l.decoded < n {
		return nil, l.failed
	}
	return l.values, nil
}

// decodeParts decodes all parts but for those behind a damaged one.
func (l *lineage) decodeParts(shared *decoding) error {
	if l.decoder == nil {
		l.decoder = newDecoder(shared)
		runtime.AddCleanup(l, (*lease).end, l.decoder.lease)
	}
	var err error
	for err == nil && l.decoded < len(l.parts) {
		err = l.decodePart(l.parts[l.decoded])
		if err == nil {
			l.decoded++
		}
	}
	if l.grown != nil {
		l.values = l.grown.values()
	}
	return err
}

// maxNulls bounds what a part of a dictionary of type null may hold. No bytes
// stand for its values, and whoever uses a dictionary looks at them all.
const maxNulls = 1 << 20

func (l *lineage) decodePart(p dictionaryPart) error {
	values, err := l.decoder.decodeValues(&p.message, l.column)
	if values == nil && err == nil {
		return nil
	}
	if err == nil && l.column.Type.ID() == arrow.NULL && values.Len() > maxNulls {
		err = faultf(ErrLimit, "%d values that are all null", values.Len())
	}
	if err == nil {
		err = l.add(values)
	}
	if err != nil {
		return fmt.Errorf("dictionary with id %d at byte %d: %w", l.id, p.at, err)
	}
	return nil
}

// add takes the values of the next part. The only part of a lineage keeps the
// decoder's memory for itself; from the second on, values are copied together.
func (l *lineage) add(values *array.Data) error {
	if l.decoded == 0 && len(l.parts) == 1 {
		l.values = values
		l.decoder.slots = nil
		return nil
	}
	if l.grown == nil {
		l.grown = newGrowing(l.column.Type, l.decoder.lease)
		if l.decoded == 1 {
			if err := l.grown.add(l.values); err != nil {
				return err
			}
		}
	}
	return l.grown.add(values)
}
