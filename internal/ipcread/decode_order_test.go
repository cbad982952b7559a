package ipcread

import (
	"encoding/binary"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/ipcmeta"
)

// otherOrder is the batch as a machine of the other byte order would have
// written it. Compressed bodies stay as they are: f itself is returned.
//
// It works by byte reversal, element by element, and shares nothing with the
// decoder's own swapping but the order of the walk.
func otherOrder(f *framedBatch) *framedBatch {
	if f.msg.Codec() != ipcmeta.Uncompressed {
		return f
	}
	o := orderSwapper{msg: &f.msg, from: f.body, to: slices.Clone(f.body)}
	for i := range f.schema.Columns {
		o.column(&f.schema.Columns[i])
	}
	schema := *f.schema
	schema.BigEndian = true
	swapped := *f
	swapped.schema, swapped.body, swapped.dicts = &schema, o.to, nil
	for i, dictionary := range schema.Dictionaries {
		v := f.dicts.version(i)
		if v == nil {
			continue
		}
		for _, part := range v.lineage.parts[:v.parts] {
			message := part.message
			o := orderSwapper{msg: &message.msg, from: message.body, to: slices.Clone(message.body)}
			o.column(dictionary.Values)
			message.schema, message.body = &schema, o.to
			var err error
			if swapped.dicts, err = swapped.dicts.with(message, part.at); err != nil {
				panic(err)
			}
		}
	}
	return &swapped
}

type orderSwapper struct {
	msg       *ipcmeta.Message
	from, to  []byte
	buffers   int // walked over
	variadics int
}

// reverse reverses every run of bytes of the next buffer that pattern says.
func (o *orderSwapper) reverse(pattern ...int) {
	at, length := o.msg.Buffer(o.buffers)
	o.buffers++
	if length == 0 {
		return
	}
	for end := at + length; ; {
		for _, width := range pattern {
			if at+int64(width) > end {
				return
			}
			slices.Reverse(o.to[at : at+int64(width)])
			at += int64(width)
		}
	}
}

func (o *orderSwapper) views() {
	at, length := o.msg.Buffer(o.buffers)
	for i := at; i+16 <= at+length; i += 16 {
		long := int32(binary.LittleEndian.Uint32(o.from[i:])) > 12
		slices.Reverse(o.to[i : i+4])
		if long {
			slices.Reverse(o.to[i+8 : i+12])
			slices.Reverse(o.to[i+12 : i+16])
		}
	}
	o.buffers++
}

func (o *orderSwapper) column(c *ipcmeta.Column) {
	switch t := c.Type.(type) {
	case *arrow.NullType:
		return
	case *arrow.RunEndEncodedType:
		o.column(&c.Children[0])
		o.column(&c.Children[1])
		return
	case *arrow.DictionaryType:
		o.buffers++
		o.reverse(t.IndexType.(arrow.FixedWidthDataType).Bytes())
		return
	}
	o.buffers++ // validity
	switch c.Type.ID() {
	case arrow.BOOL, arrow.FIXED_SIZE_BINARY:
		o.buffers++
	case arrow.STRING, arrow.BINARY:
		o.reverse(4)
		o.buffers++
	case arrow.LARGE_STRING, arrow.LARGE_BINARY:
		o.reverse(8)
		o.buffers++
	case arrow.STRING_VIEW, arrow.BINARY_VIEW:
		o.views()
		o.buffers += int(o.msg.Variadic(o.variadics))
		o.variadics++
	case arrow.INTERVAL_DAY_TIME:
		o.reverse(4, 4)
	case arrow.INTERVAL_MONTH_DAY_NANO:
		o.reverse(4, 4, 8)
	default:
		o.reverse(c.Type.(arrow.FixedWidthDataType).Bytes())
	}
}
