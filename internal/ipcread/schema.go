package ipcread

import (
	"context"
	"fmt"
	"os"

	"github.com/apache/arrow-go/v18/arrow"
)

// ReadSchema returns the schema that a regular file begins with. It reads no
// further than there, but for a compressed input in the file format, whose
// schema stands at its end. What is no regular file is refused, since reading
// would take from those who wait for its bytes.
func ReadSchema(ctx context.Context, name string) (*arrow.Schema, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() == 0 {
		return nil, fmt.Errorf("%s: no regular file with content", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	spooler := newSpooler(nil)
	defer spooler.close()
	c, err := fromExtent(ctx, &readAt{file: f, len: info.Size()}, spooler)
	if err != nil {
		return nil, err
	}
	defer c.close()
	in := &input{name: name}
	w, err := in.walk(c, walkOptions{noBodies: true})
	if err != nil {
		return nil, err
	}
	first, err := w.next()
	if err != nil {
		return nil, err
	}
	if first.kind != stepSchema {
		return nil, fmt.Errorf("%s: does not begin with a schema", name)
	}
	parsed, err := first.schema()
	if err != nil {
		return nil, err
	}
	return parsed.Arrow, nil
}
