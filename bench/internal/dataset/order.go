package dataset

// order returns the row numbers in the order in which they are written, nil
// for the order of the numbers themselves. It sorts stably by the key columns
// named, the first being the most significant: one counting sort a column,
// from the last to the first.
func order(spec Spec, columns []column) []uint32 {
	if len(spec.SortBy) == 0 {
		return nil
	}
	rows := make([]uint32, spec.Rows)
	for i := range rows {
		rows[i] = uint32(i)
	}
	next := make([]uint32, len(rows))
	for i := len(spec.SortBy) - 1; i >= 0; i-- {
		for _, c := range columns {
			if c.name == spec.SortBy[i] {
				countingSort(next, rows, c)
				rows, next = next, rows
			}
		}
	}
	return rows
}

func countingSort(to, from []uint32, c column) {
	start := make([]uint32, c.codes+1)
	for _, row := range from {
		start[c.code(uint64(row))+1]++
	}
	for i := 1; i < len(start); i++ {
		start[i] += start[i-1]
	}
	for _, row := range from {
		code := c.code(uint64(row))
		to[start[code]] = row
		start[code]++
	}
}
