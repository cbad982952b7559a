package arrange

import (
	"context"
	"errors"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
)

// Source gives batches one after the other, io.EOF at the end. The caller
// releases them. Close frees what a source holds of its own, not what it was
// made from.
type Source interface {
	Next(ctx context.Context) (arrow.RecordBatch, error)
	Close() error
}

// Result is a finished result, which can be read again from its beginning.
type Result interface {
	Source
	Rewind()
}

// cutRows is how many rows a batch has that is put together here.
const cutRows = 65_536

// Open arranges a result. It does not close it.
func (a Arrangement) Open(ctx context.Context, result Result) (Source, error) {
	var s Source = whole{result}
	cut := false
	if a.Having != nil {
		if a.Having.CanFail() {
			if err := a.probe(ctx, result); err != nil {
				return nil, err
			}
			result.Rewind()
		}
		s, cut = newHaving(s, a), true
	}
	if len(a.Keys) > 0 && a.Limit != 0 {
		sorted, err := sortAll(ctx, s, a.Keys, a.Limit, a.Room)
		return sorted, errors.Join(err, s.Close())
	}
	if cut {
		s = &recut{from: s}
	}
	if a.Limit != All {
		s = &limited{from: s, left: a.Limit}
	}
	return s, nil
}

// probe asks the condition of the whole result.
func (a Arrangement) probe(ctx context.Context, result Result) error {
	h := newHaving(whole{result}, a)
	for {
		batch, err := h.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		batch.Release()
	}
}

// whole is a result that is not closed by who reads it.
type whole struct{ Result }

func (whole) Close() error { return nil }

// limited gives the first rows.
type limited struct {
	from Source
	left int64
}

func (l *limited) Next(ctx context.Context) (arrow.RecordBatch, error) {
	if l.left <= 0 {
		return nil, io.EOF
	}
	batch, err := l.from.Next(ctx)
	if err != nil {
		return nil, err
	}
	n := batch.NumRows()
	if n > l.left {
		part := batch.NewSlice(0, l.left)
		batch.Release()
		batch, n = part, l.left
	}
	l.left -= n
	return batch, nil
}

func (l *limited) Close() error { return l.from.Close() }
