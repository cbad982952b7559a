// Package arena is memory outside Go's heap for what is large, free of
// pointers and short of life: packed rows, partitions, group records, result
// columns.
//
//	Arena ── Get(n) ──► []byte, page-aligned, content undefined
//	      ◄─ Put(b) ──  kept for the next Get of that size
//	      ── Close ──►  everything goes back to the system
//
// Why not make: Go zeroes what it hands out, touches it in 4 KiB pages and
// scans for when to collect it; measured, a GiB costs 1.4 s that way, 0.6 s
// in plain mapped pages, and 0.09 s in the huge pages that this package asks
// for where the system has them. And memory that is put back is warm.
//
// Sizes are rounded up to multiples of 2 MiB, the size of a huge page, and by
// an eighth of a power of two, so that memory put back fits later requests.
//
// An Arena can say how much it holds, in use or kept: that is what a memory
// limit counts. When the system gives no more, an arena first returns what it
// only keeps; then the process ends as WhenExhausted says. Get and Put may be
// called from any goroutine. A slice must not be used after Put or Close, and
// its length must not be changed before Put.
package arena
