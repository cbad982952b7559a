package groupby

import (
	"encoding/hex"
	"math"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/civil"
	"arrowagg/internal/exact"
)

// groupText writes a group's key for an error message.
func (p *partition) groupText(words []uint64) string {
	var parts []string
	for c, k := range p.engine.spec.Keys {
		one := newColumn(k.Type, 1, heap)
		p.rankings[c].values.appendTo(one, []uint32{p.layout.number(words, c)})
		parts = append(parts, p.engine.spec.Columns[k.Column].Name+"="+one.text(0))
	}
	return strings.Join(parts, ", ")
}

// text is value i as an error message shows it.
func (c *column) text(i int) string {
	if c.isNull(i) {
		return "NULL"
	}
	if c.width == 0 || c.typ.ID() == arrow.FIXED_SIZE_BINARY {
		value := c.slot(i)
		switch {
		case !isString(c.typ):
			return `\x` + hex.EncodeToString(value)
		case len(value) == 0 || strings.ContainsFunc(string(value), awkward):
			return shortQuote(value)
		}
		return string(value)
	}
	return string(c.appendText(nil, c.slot(i)))
}

// awkward says that a text must be quoted to be read in a list of names.
func awkward(r rune) bool { return r < ' ' || r == ',' || r == '=' || r == '"' || r == 0x7f }

// slot is the bytes of value i.
func (c *column) slot(i int) []byte {
	if c.width == 0 {
		return c.at(i)
	}
	return c.fixed[i*c.width : (i+1)*c.width]
}

// appendText appends a value of fixed width, in the form of the text outputs.
func (c *column) appendText(dst, slot []byte) []byte {
	if len(slot) > 8 {
		return appendScaled(dst, wideInt(cast[uint64](slot)), scaleOf(c.typ))
	}
	var u uint64
	for b := len(slot) - 1; b >= 0; b-- {
		u = u<<8 | uint64(slot[b])
	}
	v := int64(u) << (64 - 8*len(slot)) >> (64 - 8*len(slot)) // sign extended
	switch t := c.typ.(type) {
	case *arrow.BooleanType:
		return strconv.AppendBool(dst, u != 0)
	case *arrow.Float64Type:
		return strconv.AppendFloat(dst, math.Float64frombits(u), 'g', -1, 64)
	case *arrow.Float32Type:
		return strconv.AppendFloat(dst, float64(math.Float32frombits(uint32(u))), 'g', -1, 32)
	case *arrow.Float16Type:
		return strconv.AppendFloat(dst, fromFloat16(uint16(u)), 'g', -1, 32)
	case *arrow.Date32Type:
		return civil.Append(dst, v)
	case *arrow.Date64Type:
		return civil.AppendInstant(dst, v, 3)
	case *arrow.TimestampType:
		dst = civil.AppendInstant(dst, v, 3*int(t.Unit))
		if t.TimeZone != "" {
			dst = append(dst, 'Z')
		}
		return dst
	case *arrow.Time32Type:
		return civil.AppendClock(dst, v, 3*int(t.Unit))
	case *arrow.Time64Type:
		return civil.AppendClock(dst, v, 3*int(t.Unit))
	}
	switch {
	case isDecimal(c.typ):
		return appendScaled(dst, exact.Int256FromInt64(v), scaleOf(c.typ))
	case isUnsigned(c.typ):
		return strconv.AppendUint(dst, u, 10)
	}
	return strconv.AppendInt(dst, v, 10)
}

// appendScaled appends the number digits * 10^-scale.
func appendScaled(dst []byte, digits exact.Int256, scale int) []byte {
	text := digits.String()
	sign := ""
	if text[0] == '-' {
		sign, text = "-", text[1:]
	}
	switch {
	case scale < 0 && text != "0":
		text += strings.Repeat("0", -scale)
	case scale > 0:
		if pad := scale + 1 - len(text); pad > 0 {
			text = strings.Repeat("0", pad) + text
		}
		text = text[:len(text)-scale] + "." + text[len(text)-scale:]
	}
	return append(append(dst, sign...), text...)
}
