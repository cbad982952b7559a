package ipcread

import "arrowagg/internal/ipcmeta"

// stepKind is what a walk over an input found next.
type stepKind int

const (
	stepSchema     stepKind = iota // a stream begins
	stepDictionary                 // a dictionary batch
	stepBatch                      // a record batch
	stepEnd                        // the stream ends with its end marker
	stepOpen                       // the stream ends without one
)

// step is one thing found. msg and body are of dictionaries and batches; the
// schema of a beginning stream is parsed when asked for, since a second walk
// over the same input has it already.
type step struct {
	kind   stepKind
	offset int64 // of the message, in bytes of the input after unwrapping
	msg    ipcmeta.Message
	body   []byte // nil where the walk leaves bodies out
	wanted parts  // of the body; what lies between them is anything

	raw    []byte // the schema's metadata
	schema func() (*ipcmeta.Schema, error)
}

// walk goes through an input's messages in order. next returns io.EOF when the
// input has ended well, and an *Error, the last thing it returns, if not.
type walk interface{ next() (step, error) }

// walkOptions say what a walk is for.
type walkOptions struct {
	noBodies bool  // leave bodies out
	maxBody  int64 // bytes of a body that is read into memory
	// reserve is called before the body of a record batch is read into memory.
	// It waits until that may be done, says which parts of it are wanted, and
	// perhaps has memory for it.
	reserve func(p *step) (room []byte, err error)
}

// room is the memory for the body of p, nil if it has to be taken.
func (o *walkOptions) room(p *step) ([]byte, error) {
	if o.reserve == nil || p.kind != stepBatch {
		return nil, nil // dictionaries live as long as somebody refers to them
	}
	return o.reserve(p)
}

// walk begins a walk over recognised content.
func (in *input) walk(c content, o walkOptions) (walk, error) {
	if c.file != nil {
		return newFileWalk(in.name, c.file, o)
	}
	return &framer{src: c.stream, input: in.name, walkOptions: o}, nil
}
