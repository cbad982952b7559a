package ipcread

import (
	"context"
	"io"
	"math"
)

// scan walks a regular file once without its bodies: its streams, its rows and
// whether it is whole are known afterwards.
func (in *input) scan(ctx context.Context, sp *spooler, maxBody int64) error {
	c, err := in.open(ctx, sp)
	if err != nil {
		return err
	}
	defer c.close()
	in.direct = c.inPlace()
	w, err := in.walk(c, walkOptions{noBodies: true, maxBody: maxBody})
	if err != nil {
		return err
	}
	number := 0
	for {
		p, err := w.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if p.kind == stepSchema {
			number++
			if _, _, err := in.stream(number, p); err != nil {
				return err
			}
		}
		if err := in.count(p); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	in.mu.Lock()
	in.scanned = true
	in.mu.Unlock()
	return nil
}

// count adds a step to what is known of the input.
func (in *input) count(p step) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	switch p.kind {
	case stepOpen:
		in.openEnd = true
	case stepBatch:
		rows, ok := plus(in.tally.rows, p.msg.Rows())
		if !ok {
			return in.at(len(in.streams), p, faultf(ErrLimit, "more than %d rows", math.MaxInt64))
		}
		in.tally.batches++
		in.tally.rows = rows
	}
	return nil
}

// plus adds two counts.
func plus(a, b int64) (sum int64, ok bool) {
	sum = a + b
	return sum, sum >= a
}
