package ipcread

import (
	"time"

	"github.com/apache/arrow-go/v18/arrow"
)

// firstOutsideDay returns the first row, from first on, whose time of day is
// valid and none of the day's, -1 if there is none or the type is another. The
// values of all rows from 0 on are in memory.
func firstOutsideDay(s *slot, t arrow.DataType, values []byte, first int64) int64 {
	switch t := t.(type) {
	case *arrow.Time32Type:
		return firstOutside(s, arrow.GetData[int32](values), int64(24*time.Hour/t.Unit.Multiplier()), first)
	case *arrow.Time64Type:
		return firstOutside(s, arrow.GetData[int64](values), int64(24*time.Hour/t.Unit.Multiplier()), first)
	}
	return -1
}

func firstOutside[T int32 | int64](s *slot, values []T, day, first int64) int64 {
	for i := first; i < int64(len(values)); i++ {
		if v := int64(values[i]); (v < 0 || v >= day) && s.valid(i) {
			return i
		}
	}
	return -1
}

func notOfTheDay(row int64) error {
	return faultf(ErrCorrupt, "row %d: a time of day that is outside the day", row+1)
}
