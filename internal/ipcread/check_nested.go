package ipcread

import (
	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/ipcmeta"
)

// verify checks a column of any type with all that is below it, and returns how
// many rows its field node says it has, and how many of them are null. What no
// plan can use is looked at by a check only, and no array is made of it.
func (d *Decoder) verify(c *ipcmeta.Column, at ipcmeta.Span) (rows, nulls int64, err error) {
	rows, _ = d.batch.msg.Node(at.Nodes)
	if rows < 0 {
		return 0, 0, faultf(ErrCorrupt, "column of %d rows", rows)
	}
	r := rowRange{total: rows, count: rows}
	_, encoded := c.Type.(*arrow.DictionaryType)
	if encoded || Readable(c.Type) {
		array, err := d.column(c, at, r)
		if err != nil {
			return 0, 0, err
		}
		return rows, int64(array.NullN()), nil
	}
	s := d.slot()
	switch t := c.Type.(type) {
	case *arrow.RunEndEncodedType:
		return rows, 0, d.verifyRuns(c, at, r)
	case arrow.UnionType:
		return rows, 0, d.verifyUnion(s, c, t, at, r)
	}
	s.shape(1)
	if nulls, err = d.validity(s, at, r); err != nil {
		return 0, 0, err
	}
	children, err := d.verifyChildren(c, at)
	if err != nil {
		return 0, 0, err
	}
	switch t := c.Type.(type) {
	case *arrow.StructType:
		err = enough(children, rows)
	case *arrow.FixedSizeListType:
		if size := int64(t.Len()); size > 0 && rows > children[0].rows/size {
			err = faultf(ErrCorrupt, "%d lists of %d values have %d", rows, size, children[0].rows)
		}
	case *arrow.MapType:
		err = checkOffsets[int32](d, s, at, r, children[0].rows)
		if err == nil && children[0].nulls > 0 {
			err = faultf(ErrCorrupt, "%d entries of maps are null", children[0].nulls)
		}
	case *arrow.ListType:
		err = checkOffsets[int32](d, s, at, r, children[0].rows)
	case *arrow.LargeListType:
		err = checkOffsets[int64](d, s, at, r, children[0].rows)
	case *arrow.ListViewType:
		err = checkListViews[int32](d, s, at, r, children[0].rows)
	case *arrow.LargeListViewType:
		err = checkListViews[int64](d, s, at, r, children[0].rows)
	}
	return rows, nulls, err
}

// verified is what is known of a child.
type verified struct{ rows, nulls int64 }

func (d *Decoder) verifyChildren(c *ipcmeta.Column, at ipcmeta.Span) ([]verified, error) {
	children := make([]verified, len(c.Children))
	at = c.Below(at)
	for i := range c.Children {
		child := &c.Children[i]
		rows, nulls, err := d.verify(child, at)
		if err != nil {
			return nil, err
		}
		children[i] = verified{rows, nulls}
		at = at.Plus(child.Span)
	}
	return children, nil
}

// enough says that children have a value for every row of their parent.
func enough(children []verified, rows int64) error {
	for i, child := range children {
		if child.rows < rows {
			return faultf(ErrCorrupt, "child %d of %d rows where %d belong", i+1, child.rows, rows)
		}
	}
	return nil
}

func checkOffsets[T int32 | int64](d *Decoder, s *slot, at ipcmeta.Span, r rowRange, values int64) error {
	_, err := copiedOffsets[T](d, s, at, r, values)
	return err
}

// checkListViews checks lists that begin anywhere. What a null says is open.
func checkListViews[T int32 | int64](d *Decoder, s *slot, at ipcmeta.Span, r rowRange, values int64) error {
	offsets, err := d.elements(s, at, 1, offsetElement[T](), r.total)
	if err != nil {
		return err
	}
	sizes, err := d.elements(s, at, 2, offsetElement[T](), r.total)
	if err != nil {
		return err
	}
	ends := arrow.GetData[T](sizes)
	for i, offset := range arrow.GetData[T](offsets) {
		from, size := int64(offset), int64(ends[i])
		if s.valid(int64(i)) && (from < 0 || size < 0 || from > values-size) {
			return faultf(ErrCorrupt, "row %d: %d values from %d on, of %d", i+1, size, from, values)
		}
	}
	return nil
}

// verifyUnion: before version 5 a union had a validity bitmap, which nothing
// follows from.
func (d *Decoder) verifyUnion(s *slot, c *ipcmeta.Column, t arrow.UnionType, at ipcmeta.Span, r rowRange) error {
	if _, err := d.node(at.Nodes, r.total); err != nil {
		return err
	}
	ids, err := d.elements(s, at, d.unions, wordElement("type ids", 1), r.total)
	if err != nil {
		return err
	}
	var offsets []int32
	if t.Mode() == arrow.DenseMode {
		b, err := d.elements(s, at, d.unions+1, offsetElement[int32](), r.total)
		if err != nil {
			return err
		}
		offsets = arrow.GetData[int32](b)
	}
	children, err := d.verifyChildren(c, at)
	if err != nil {
		return err
	}
	if offsets == nil {
		if err := enough(children, r.total); err != nil {
			return err
		}
	}
	lengths := [256]int64{} // of the child that has an id, and one
	for i, code := range t.TypeCodes() {
		lengths[uint8(code)] = children[i].rows + 1
	}
	for i, id := range ids {
		if lengths[id] == 0 {
			return faultf(ErrCorrupt, "row %d: no child of the union has type id %d", i+1, int8(id))
		}
		if offsets != nil && (offsets[i] < 0 || int64(offsets[i]) >= lengths[id]-1) {
			return faultf(ErrCorrupt, "row %d: offset %d into a child of %d rows", i+1, offsets[i], lengths[id]-1)
		}
	}
	return nil
}

func (d *Decoder) verifyRuns(c *ipcmeta.Column, at ipcmeta.Span, r rowRange) error {
	runs, err := d.runs(c, at, r)
	if err != nil {
		return err
	}
	_, _, err = d.verify(&c.Children[1], runs.valuesAt)
	return err
}
