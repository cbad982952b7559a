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

	used   []int  // columns, as Use was told; nil: all
	isUsed []bool // by column
}

// Use says which columns Decode will be asked for, by their indices; -1 is
// none. What the others have in a body is then left out where it would have to
// be read into memory. It is called before Produce, or by its late; where it is
// not, all columns may be decoded.
func (s *Stream) Use(columns []int) {
	s.used = append([]int{}, columns...)
	s.isUsed = make([]bool, len(s.parsed.Columns))
	for _, i := range columns {
		if i >= 0 {
			s.isUsed[i] = true
		}
	}
}

func (s *Stream) mayDecode(columns []int) bool {
	if s.used == nil {
		return true
	}
	for _, i := range columns {
		if i >= 0 && !s.isUsed[i] {
			return false
		}
	}
	return true
}

// Name is "w1.arrows", or "w1.arrows: stream 2" for later streams.
func (s *Stream) Name() string {
	if s.Number > 1 {
		return fmt.Sprintf("%s: stream %d", s.Input, s.Number)
	}
	return s.Input
}
