package groupby

import (
	"math/bits"
	"sync"

	"arrowagg/internal/arena"
)

// bucketRows is rows that several goroutines, its dealers, deal out into buckets,
// and that are taken out again bucket by bucket. It takes memory as rows come and
// gives it back as buckets go. So where rows go from one place to another, and
// from there into a result, memory never holds much more than one of the three.
//
//	region    buckets 0 … 31      32 … 63
//	          ┌───────────────┐  ┌────────────
//	page      │ 5 0 5 31 7 5 … │  │ 40 33 40 …     extents: each of one bucket and dealer
//	          └───────────────┘  └────────────
//
// A region's pages are given back when all of its buckets were taken. A place is
// the number of a page and of a word in it.
type bucketRows struct {
	arena   *arena.Arena
	words   int // a row, at least 1
	extent  int // words of an extent: a power of two
	span    int // buckets of a region
	pages   []*rowPage
	regions []region
	dealers []dealer

	mu   sync.Mutex
	used int // pages
}

// rowPage is a page of an arena.
type rowPage [1 << pageBits]uint64

const (
	pageBits = 18
	inPage   = 1<<pageBits - 1

	regionBytes  = 16 << 20 // of which the last page is half empty
	extentsEach  = 16       // of a bucket and dealer, on average: the last of them is half empty
	mostInExtent = 256      // rows
	fewInExtent  = 8        // rows: less than one more may be left over
)

// region is the memory of buckets that follow each other.
type region struct {
	mu    sync.Mutex
	next  int // place of the next extent; 0: on a new page
	pages []int
	left  int // buckets that were not taken yet
}

// dealer is where one goroutine's rows go.
type dealer struct {
	of      *bucketRows
	nexts   []int   // by bucket: the place of the next row; at the beginning of an extent: there is none
	lasts   []int32 // by bucket: the number of its last extent; 0: it has none
	extents []extentBefore
	fetched uint64 // means nothing
}

// extentBefore is the place of an extent and the number of the one before it in
// its bucket.
type extentBefore struct {
	at     int
	before int32
}

// newBucketRows makes room for so many rows.
func newBucketRows(memory *arena.Arena, buckets, rows, words, dealers int) *bucketRows {
	r := &bucketRows{arena: memory, words: words, dealers: make([]dealer, dealers)}
	each := min(max(rows/(buckets*dealers*extentsEach), fewInExtent), mostInExtent)
	r.extent = 1 << max(bits.Len(uint(words*each))-1, bits.Len(uint(words*fewInExtent-1)))
	regions := min(8*words*rows/regionBytes+1, buckets)
	r.span = (buckets + regions - 1) / regions
	r.regions = make([]region, (buckets+r.span-1)/r.span)
	for i := range r.regions {
		r.regions[i].left = min(r.span, buckets-i*r.span)
	}
	most := rows/(r.extent/words) + min(rows, buckets*dealers) // extents
	r.pages = make([]*rowPage, 1+most/(1<<pageBits/r.extent)+len(r.regions))
	r.used = 1 // no place is 0
	for d := range r.dealers {
		r.dealers[d] = dealer{of: r, nexts: make([]int, buckets), lasts: make([]int32, buckets), extents: make([]extentBefore, 1)}
	}
	return r
}

// row is the row at a place.
func (r *bucketRows) row(at int) []uint64 { return r.pages[at>>pageBits][at&inPage:][:r.words] }

// places writes where rows of these keys go, whose first words lead to buckets.
func (d *dealer) places(to []int, keys []uint64, words int, shift uint) {
	nexts, size, last := d.nexts, d.of.words, d.of.extent-1
	for i := range to {
		bucket := keys[i*words] >> shift // 64 where all are in one
		at := nexts[bucket]
		if uint(at&last-1) >= uint(last+1-size) { // no room, or not yet an extent
			at = d.extend(int(bucket))
		}
		nexts[bucket] = at + size
		to[i] = at
	}
}

// extend begins another extent of a bucket.
func (d *dealer) extend(bucket int) int {
	at := d.of.cut(bucket)
	d.extents = append(d.extents, extentBefore{at: at, before: d.lasts[bucket]})
	d.lasts[bucket] = int32(len(d.extents) - 1)
	return at
}

// cut cuts an extent off the memory of the bucket's region.
func (r *bucketRows) cut(bucket int) int {
	g := &r.regions[bucket/r.span]
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.next&inPage == 0 {
		page := r.page()
		g.pages = append(g.pages, page)
		g.next = page << pageBits
	}
	at := g.next
	g.next += r.extent
	return at
}

// page takes another page from the arena.
func (r *bucketRows) page() int {
	page := (*rowPage)(cast[uint64](r.arena.Get(8 << pageBits)))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pages[r.used] = page
	r.used++
	return r.used - 1
}

// eachExtent calls f for the rows of a bucket, some at a time.
func (r *bucketRows) eachExtent(bucket int, f func(rows []uint64)) {
	full := r.extent / r.words * r.words
	for i := range r.dealers {
		d := &r.dealers[i]
		end := d.nexts[bucket]
		for k := d.lasts[bucket]; k != 0; k = d.extents[k].before {
			at := d.extents[k].at
			n := full
			if end > 0 {
				n, end = end-at, 0
			}
			f(r.pages[at>>pageBits][at&inPage:][:n])
		}
	}
}

// take moves the rows of a bucket, in no particular order, to memory of into,
// where they stay until its next use. It is called once a bucket, when all rows
// are dealt, for several buckets at a time.
func (r *bucketRows) take(bucket int, into *wordRoom) []uint64 {
	n, at := 0, 0
	r.eachExtent(bucket, func(rows []uint64) { n += len(rows) })
	taken := into.sized(n)
	r.eachExtent(bucket, func(rows []uint64) { at += copy(taken[at:], rows) })

	g := &r.regions[bucket/r.span]
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.left--; g.left == 0 {
		r.putBack(g)
	}
	return taken
}

// putBack gives a region's memory back.
func (r *bucketRows) putBack(g *region) {
	for _, page := range g.pages {
		r.arena.Put(bytesOf(r.pages[page][:]))
	}
	g.pages = nil
}

// release gives all memory back.
func (r *bucketRows) release() {
	for i := range r.regions {
		r.putBack(&r.regions[i])
	}
}

// wordRoom is memory that is used for one thing after the other.
type wordRoom struct {
	memory bump
	words  []uint64
}

// sized returns n words of undefined content, in the place of what it returned
// before.
func (r *wordRoom) sized(n int) []uint64 {
	if n > len(r.words) {
		r.memory.release()
		r.words = r.memory.words(n + min(n/8, arena.Page/8))
	}
	return r.words[:n]
}

func (r *wordRoom) release() {
	r.memory.release()
	r.words = nil
}
