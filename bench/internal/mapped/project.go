package mapped

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// OpenColumns is Open with only the named columns, in that order. (The others'
// bodies are not touched, unless they are compressed: arrow-go's reader knows
// no projection.)
func OpenColumns(path string, names []string) (array.RecordReader, error) {
	r, err := Open(path)
	if err != nil {
		return nil, err
	}
	p := &projection{Reader: r}
	var fields []arrow.Field
	for _, name := range names {
		at := r.Schema().FieldIndices(name)
		if len(at) != 1 {
			return nil, fmt.Errorf("%s: %d columns are named %q", path, len(at), name)
		}
		p.columns = append(p.columns, at[0])
		fields = append(fields, r.Schema().Field(at[0]))
	}
	p.schema = arrow.NewSchema(fields, nil)
	return p, nil
}

type projection struct {
	*ipc.Reader
	columns []int
	schema  *arrow.Schema
	batch   arrow.RecordBatch
}

func (p *projection) Schema() *arrow.Schema { return p.schema }

func (p *projection) Next() bool {
	if p.batch != nil {
		p.batch.Release()
		p.batch = nil
	}
	if !p.Reader.Next() {
		return false
	}
	whole := p.Reader.RecordBatch()
	arrays := make([]arrow.Array, len(p.columns))
	for i, c := range p.columns {
		arrays[i] = whole.Column(c)
	}
	p.batch = array.NewRecordBatch(p.schema, arrays, whole.NumRows())
	return true
}

func (p *projection) RecordBatch() arrow.RecordBatch { return p.batch }

func (p *projection) Record() arrow.RecordBatch { return p.batch }
