package ipcread

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/ipcmeta"
)

// Stream is one stream of an input: a schema and the batches after it. Its
// address is its identity, also when the inputs are fed several times.
type Stream struct {
	Input    string // as errors call it, UTF-8
	Position int    // of the input among the inputs listed, from 0
	Number   int    // 1-based within the input
	Schema   *arrow.Schema

	parsed *ipcmeta.Schema
	raw    []byte // the schema's metadata, to see that another walk finds the same
}

// Name is "w1.arrows", or "w1.arrows: stream 2" for later streams.
func (s *Stream) Name() string {
	if s.Number > 1 {
		return fmt.Sprintf("%s: stream %d", s.Input, s.Number)
	}
	return s.Input
}
