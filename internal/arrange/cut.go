package arrange

import (
	"context"
	"errors"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
)

// recut joins and cuts batches of any length, so that the batches of a result
// do not show what was left out between them.
type recut struct {
	from  Source
	rows  gatherer
	ended bool
}

// Recut joins and cuts the batches of a source as those of any result are cut.
// Closing it closes the source.
func Recut(from Source) Source { return &recut{from: from} }

func (c *recut) Next(ctx context.Context) (arrow.RecordBatch, error) {
	for !c.ended && len(c.rows.refs) < cutRows {
		batch, err := c.from.Next(ctx)
		if errors.Is(err, io.EOF) {
			c.ended = true
			break
		}
		if err != nil {
			return nil, err
		}
		if len(c.rows.refs) == 0 && batch.NumRows() == cutRows {
			return batch, nil
		}
		if len(c.rows.refs) == 0 {
			c.rows.release()
		}
		c.rows.schema = batch.Schema()
		n := int(batch.NumRows())
		number := c.rows.hold(batch)
		for row := range n {
			c.rows.refs = append(c.rows.refs, newRef(number, row))
		}
	}
	batch, err := c.rows.take()
	c.forget()
	return batch, err
}

// forget lets go of the batches of which all rows are given out.
func (c *recut) forget() {
	if len(c.rows.refs) == 0 {
		return
	}
	for i := c.rows.refs[0].batch() - 1; i >= 0 && c.rows.batches[i] != nil; i-- {
		c.rows.batches[i].Release()
		c.rows.batches[i], c.rows.columns[i] = nil, nil
	}
}

func (c *recut) Close() error {
	c.rows.release()
	return c.from.Close()
}

// take gives out the next batch of the rows listed, io.EOF if there are none.
func (g *gatherer) take() (arrow.RecordBatch, error) {
	if len(g.refs) == 0 {
		g.release()
		return nil, io.EOF
	}
	n := g.fits(g.refs)
	batch := g.batch(g.refs[:n])
	g.refs = g.refs[n:]
	return batch, nil
}
