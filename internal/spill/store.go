package spill

import (
	"context"
	"errors"
	"io"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/tempfile"
	"arrowagg/internal/warning"
)

// Store is where a run spills, and counts what it spilled.
type Store struct {
	dir    *tempfile.Dir
	bytes  atomic.Int64
	files  atomic.Int64
	passes atomic.Int64
}

// Figures are what was spilled so far.
type Figures struct {
	Bytes  int64 // written
	Files  int64
	Passes int64 // how often the groups that were spilled first were written
}

// NewStore spills into a directory.
func NewStore(dir *tempfile.Dir) *Store { return &Store{dir: dir} }

// Figures may be asked for at any time.
func (s *Store) Figures() Figures {
	return Figures{Bytes: s.bytes.Load(), Files: s.files.Load(), Passes: s.passes.Load()}
}

// Warnings are what is to be said about the place, if something was spilled.
func (s *Store) Warnings() (found []warning.Warning) {
	if s.files.Load() == 0 {
		return nil
	}
	if s.dir.InMemory() {
		found = append(found, warning.Warning{ID: "temp-dir-in-memory", Subject: s.dir.Path()})
	}
	for _, name := range s.dir.Stale() {
		found = append(found, warning.Warning{ID: "stale-temporary", Subject: name})
	}
	return found
}

// Batches gives batches one after the other, io.EOF at the end. The caller
// releases them.
type Batches interface {
	Next(ctx context.Context) (arrow.RecordBatch, error)
}

// Kept is batches that were put aside. They are read in order, any number of
// times. Their memory is valid until Close.
type Kept struct {
	file *file
	at   int
}

// Keep reads batches to their end and puts them aside, as they are cut.
func (s *Store) Keep(ctx context.Context, schema *arrow.Schema, from Batches) (*Kept, error) {
	w, err := s.create(schema)
	if err != nil {
		return nil, err
	}
	if err := each(ctx, from, w.write); err != nil {
		w.abandon()
		return nil, err
	}
	f, err := w.finish()
	if err != nil {
		return nil, err
	}
	return &Kept{file: f}, nil
}

// each calls f for every batch, which is released afterwards.
func each(ctx context.Context, from Batches, f func(arrow.RecordBatch) error) error {
	for {
		batch, err := from.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		err = f(batch)
		batch.Release()
		if err != nil {
			return err
		}
	}
}

// Groups is the number of rows that Next gives in all.
func (k *Kept) Groups() int64 { return k.file.rows }

// Size is the memory held, in bytes: what is on disk is only mapped.
func (k *Kept) Size() int64 { return 0 }

// Next returns the next batch, io.EOF at the end.
func (k *Kept) Next(ctx context.Context) (arrow.RecordBatch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if k.at == k.file.batches() {
		return nil, io.EOF
	}
	k.at++
	return k.file.batch(k.at - 1)
}

// Rewind lets Next begin anew.
func (k *Kept) Rewind() { k.at = 0 }

// Close gives the file back.
func (k *Kept) Close() error { return k.file.close() }
