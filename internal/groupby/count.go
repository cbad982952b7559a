package groupby

import (
	"math"
	"math/bits"

	"github.com/apache/arrow-go/v18/arrow"
)

var countFunction = Function{
	Name:         "count",
	Help:         "the number of rows, or of rows where the column is not null",
	MaxArguments: 1,
	Merge:        "sum",
	Bind: func([]arrow.DataType, BindOptions) (arrow.DataType, error) {
		return arrow.PrimitiveTypes.Int64, nil
	},
	SQL: func(arguments []string, _ []arrow.DataType, _ arrow.DataType) string {
		if len(arguments) == 0 {
			return "COUNT(*)"
		}
		return "COUNT(" + arguments[0] + ")"
	},
	neverNull: true,
	accumulate: func(arguments []Column, _ arrow.DataType) (accumulator, error) {
		c := &counter{reads: takesRows}
		if len(arguments) > 0 {
			c.reads = takesValidity
			if isString(valueType(arguments[0].Type)) {
				c.reads = takesConverted // so that its values are checked
			}
		}
		return c, nil
	},
}

// counter counts rows in one word a group. A count past int64 stays at
// countOverflow, far from where counting rows one by one could wrap around.
type counter struct {
	place
	pure
	reads taking
}

const countOverflow = 1 << 63

func (c *counter) words() int    { return 1 }
func (c *counter) takes() taking { return c.reads }

func (c *counter) update(s *states, ids []uint32, _ *vector) {
	records, stride, at := s.records, s.stride, c.at
	for _, id := range ids {
		records[int(id)*stride+at]++
	}
}

// addRows counts any number of rows of one group at once.
func (c *counter) addRows(s *states, id uint32, rows uint64) {
	p := &s.records[int(id)*s.stride+c.at]
	sum, carry := bits.Add64(*p, rows, 0)
	if carry != 0 || sum > math.MaxInt64 {
		sum = countOverflow
	}
	*p = sum
}

func (c *counter) merge(s *states, ids []uint32, from *states, other accumulator, rows []uint32) {
	at := other.(*counter).at
	for i, row := range rows {
		c.addRows(s, ids[i], from.records[int(row)*from.stride+at])
	}
}

func (c *counter) value(s *states, id uint32) uint64 { return s.records[int(id)*s.stride+c.at] }

func (c *counter) finish(s *states, groups []uint32, out *column) int {
	bad := -1
	dst := cast[uint64](out.fixed)
	for i, id := range groups {
		dst[i] = c.value(s, id)
		if dst[i] > math.MaxInt64 && bad < 0 {
			bad = i
		}
	}
	return bad
}
