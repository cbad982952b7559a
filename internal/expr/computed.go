package expr

import (
	"errors"
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"arrowagg/internal/syntax"
)

// Computed is a column made of others, bound to them: date_trunc(hour, ts). It
// does not change and may be used concurrently.
type Computed struct {
	bound
	root value
}

// BindComputed gives a function call or cast its types. Errors are as
// BindCondition's.
func BindComputed(src string, e syntax.Expr, scope Scope) (*Computed, error) {
	b := &binder{src: src, scope: scope}
	root, _ := b.value(e)
	if err := errors.Join(b.errs...); err != nil {
		return nil, err
	}
	return &Computed{bound: b.bound, root: root}, nil
}

// Type is the type of the column, once the inputs are reconciled.
func (c *Computed) Type() arrow.DataType { return c.root.dataType() }

// Computer computes the column of one batch after the other. It owns scratch
// memory and is for one goroutine.
type Computer struct {
	computed  *Computed
	evaluator *evaluator
	narrow    []byte
}

// NewComputer returns a computer for one goroutine.
func (c *Computed) NewComputer() *Computer {
	return &Computer{computed: c, evaluator: newEvaluator(len(c.used), c.testers, c.outputs)}
}

// Compute returns the column for a batch: nil where every row is null, else of
// the class of Type, in the unit that this batch has. columns are as in
// Filter.Select, and so is selected, nil for all: in other rows there stands
// any value, and no error comes of them. The array is valid until the next call
// and as long as the batch. An error about a value is a *ValueError.
func (c *Computer) Compute(columns []arrow.ArrayData, rows int64, selected []int32) (arrow.ArrayData, error) {
	if alike := c.evaluator.begin(columns, rows); alike {
		return nil, nil
	}
	if rows > math.MaxInt32 {
		return nil, fmt.Errorf("a batch of %d rows is too large to compute a column", rows)
	}
	c.evaluator.selected = selected
	v, err := c.computed.root.compute(c.evaluator)
	if err != nil || v.form == formNone {
		return nil, err
	}
	return c.array(v), nil
}

// array wraps a vector of words as an array.
func (c *Computer) array(v *vector) arrow.ArrayData {
	dt := v.typ
	if t, ok := dt.(*arrow.TimestampType); ok {
		dt = &arrow.TimestampType{Unit: t.Unit, TimeZone: c.computed.Type().(*arrow.TimestampType).TimeZone}
	}
	var validity *memory.Buffer
	nulls := 0
	if v.valid != nil {
		validity = memory.NewBufferBytes(arrow.Uint64Traits.CastToBytes(v.valid))
		nulls = v.n - v.valid.count()
	}
	return array.NewData(dt, v.n, []*memory.Buffer{validity, memory.NewBufferBytes(c.bytes(v))}, nil, nulls, 0)
}

// bytes is the values' buffer for the width of the vector's type.
func (c *Computer) bytes(v *vector) []byte {
	width := v.typ.(arrow.FixedWidthDataType).BitWidth() / 8
	if width == 8 {
		return arrow.Uint64Traits.CastToBytes(v.words)
	}
	c.narrow = sized(c.narrow, v.n*width)
	switch width {
	case 4:
		truncate(arrow.Uint32Traits.CastFromBytes(c.narrow), v.words)
	case 2:
		truncate(arrow.Uint16Traits.CastFromBytes(c.narrow), v.words)
	default:
		truncate(c.narrow, v.words)
	}
	return c.narrow
}

// truncate keeps the low bits, which are all that values of the type have.
func truncate[T uint8 | uint16 | uint32](dst []T, words []uint64) {
	for i, w := range words {
		dst[i] = T(w)
	}
}
