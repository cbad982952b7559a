package ipcread

import (
	"context"
	"sync"

	"arrowagg/internal/ipcmeta"
	"arrowagg/internal/warning"
)

// Check reads all inputs to their end and decodes every column of every batch,
// in that many goroutines. A bad input does not keep it from the others: what
// is wrong with each is in its report. The error is only for what keeps the
// check itself from being made.
func Check(ctx context.Context, names []string, opt Options, threads int) ([]Report, []warning.Warning, error) {
	opt.Repeat = 1
	s, err := open(ctx, names, opt, true)
	if err != nil {
		return nil, nil, err
	}
	defer s.Close()
	threads = max(threads, 1)
	frames := make(chan *Frame, threads)
	var workers sync.WaitGroup
	for range threads {
		workers.Go(func() { s.checkFrames(frames) })
	}
	err = s.Produce(ctx, frames, func(*Stream) error { return nil })
	close(frames)
	workers.Wait()
	if err != nil {
		return nil, nil, err
	}
	s.Verify() // its errors are in the reports
	return s.Reports(), s.Warnings(), nil
}

// checkFrames decodes all that comes.
func (s *Set) checkFrames(frames <-chan *Frame) {
	d := s.NewDecoder()
	for f := range frames {
		if _, err := d.Decode(f, everyColumn(f.schema)); err != nil {
			s.Fail(f, err)
		}
		f.Release()
		d.Rest()
	}
}

func everyColumn(s *ipcmeta.Schema) []int {
	columns := make([]int, len(s.Columns))
	for i := range columns {
		columns[i] = i
	}
	return columns
}
