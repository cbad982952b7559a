package groupby

// flags are the bits that are known of every group: that some row belongs to
// it, and of each aggregate that it has a value. They lie apart from the
// records, a byte a group and plane, so that the records of most queries are no
// longer than half a cache line, and so that setting bits stays in a small
// array:
//
//	planes[0][5]: | g f e d c b a T |    T: touched; a: the first aggregate's
//	planes[1][5]: | o n m l k j i h |
type flags struct {
	planes [][]byte // by group; their memory is that of the states
}

// A mask is bits of one plane.
type mask struct {
	plane int
	bits  byte
}

const planeBits = 8

// touched is the bit of groups that have rows.
var touched = mask{0, 1}

// valued is the bit of groups that have a value of an aggregate.
func valued(aggregate int) mask {
	return mask{(aggregate + 1) / planeBits, 1 << ((aggregate + 1) % planeBits)}
}

func newFlags(aggregates int) flags {
	return flags{planes: make([][]byte, aggregates/planeBits+1)}
}

// words is the size of the flags of n groups.
func (f *flags) words(n int) int { return (len(f.planes)*n + 7) / 8 }

// move copies the flags of n groups to zeroed memory for room groups.
func (f *flags) move(to []byte, room, n int) {
	for p, old := range f.planes {
		f.planes[p] = to[p*room:][:room:room]
		copy(f.planes[p], old[:n])
	}
}

// clear unsets the flags of the first n groups.
func (f *flags) clear(n int) {
	for _, plane := range f.planes {
		clear(plane[:min(n, len(plane))])
	}
}

// set sets bits of groups. Mostly they are set: then it only loads.
func (f *flags) set(ids []uint32, m mask) {
	if f.all(ids, m) {
		return
	}
	plane, bits := f.planes[m.plane], m.bits
	for _, id := range ids {
		plane[id] |= bits
	}
}

// all reports whether bits are set of all of the groups.
func (f *flags) all(ids []uint32, m mask) bool {
	plane, common := f.planes[m.plane], m.bits
	for len(ids) >= 4 {
		common &= plane[ids[0]] & plane[ids[1]] & plane[ids[2]] & plane[ids[3]]
		ids = ids[4:]
	}
	for _, id := range ids {
		common &= plane[id]
	}
	return common == m.bits
}

func (f *flags) touched(id uint32) bool { return f.planes[0][id]&touched.bits != 0 }

// has reports whether a group has a value of an aggregate.
func (f *flags) has(id uint32, aggregate int) bool {
	m := valued(aggregate)
	return f.planes[m.plane][id]&m.bits != 0
}

// merge adds the bits of groups rows[i] of from to groups ids[i].
func (f *flags) merge(ids []uint32, from *flags, rows []uint32) {
	for p, plane := range f.planes {
		other := from.planes[p]
		for i, row := range rows {
			plane[ids[i]] |= other[row]
		}
	}
}
