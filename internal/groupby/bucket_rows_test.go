package groupby

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"arrowagg/internal/arena"
)

// TestBucketRows: what several goroutines deal out comes back, each row once and
// in its bucket, whatever the rows' width and however the buckets are filled.
func TestBucketRows(t *testing.T) {
	for _, c := range []struct{ buckets, rows, words, dealers int }{
		{1, 0, 1, 1},
		{1, 1, 1, 2},
		{1, 3000, 1, 2},
		{1, 300, 300, 2},
		{5, 40, 3, 2},
		{7, 5000, 2, 3},
		{64, 9000, 5, 2},
		{4000, 3000, 8, 4},
		{300, 50_000, 1, 5},
		{3, 200_000, 13, 2},
		{1000, 400_000, 7, 2},
	} {
		for _, skewed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%+v skewed %t", c, skewed), func(t *testing.T) {
				testBucketRows(t, c.buckets, c.rows, c.words, c.dealers, skewed)
			})
		}
	}
}

func testBucketRows(t *testing.T, buckets, rows, words, dealers int, skewed bool) {
	var memory arena.Arena
	defer memory.Close()
	r := newBucketRows(&memory, buckets, rows, words, dealers)
	want := make([][]uint64, buckets)
	of := make([]int, rows)
	random := rand.New(rand.NewPCG(uint64(rows), uint64(words)))
	for i := range of {
		of[i] = random.IntN(buckets)
		if skewed && i%10 > 0 {
			of[i] = buckets / 2
		}
		want[of[i]] = append(want[of[i]], uint64(i))
	}
	parallel(dealers, func(d int) {
		mine := of[rows*d/dealers : rows*(d+1)/dealers]
		for lo := 0; lo < len(mine); lo += 100 {
			part := mine[lo:min(lo+100, len(mine))]
			to, keys, numbers := make([]int, len(part)), make([]uint64, len(part)), make([]uint64, len(part))
			for i, bucket := range part {
				keys[i], numbers[i] = uint64(bucket)<<7|uint64(i), uint64(rows*d/dealers+lo+i)
			}
			r.dealers[d].places(to, keys, 1, 7)
			for w := range words {
				r.put(to, w, numbers, 1)
			}
		}
	})
	held := memory.InUse()
	if least := int64(8 * words * rows); held > 2*least+int64(len(r.regions))*arena.Page+int64(8*r.extent*buckets*dealers) {
		t.Errorf("%d bytes in use for %d", held, least)
	}
	room := wordRoom{memory: bump{arena: &memory}}
	for bucket := range buckets {
		taken := r.take(bucket, &room)
		var got []uint64
		for row := range slices.Chunk(taken, words) {
			if slices.Min(row) != slices.Max(row) {
				t.Fatalf("a row of the words %v", row)
			}
			got = append(got, row[0])
		}
		if slices.Sort(got); !slices.Equal(got, want[bucket]) {
			t.Fatalf("bucket %d has %d rows, want %d", bucket, len(got), len(want[bucket]))
		}
	}
	if room.release(); memory.InUse() != 0 {
		t.Errorf("%d of %d bytes in use when all buckets are taken", memory.InUse(), held)
	}
	r.release()
}

// TestBucketsGiveMemoryBack: buckets that were taken leave their memory to others
// long before the last one is.
func TestBucketsGiveMemoryBack(t *testing.T) {
	var memory arena.Arena
	defer memory.Close()
	const buckets, rows, words = 512, 1 << 20, 10
	r := newBucketRows(&memory, buckets, rows, words, 1)
	to, keys := make([]int, buckets), make([]uint64, buckets)
	for i := range keys {
		keys[i] = uint64(i)
	}
	for range rows / buckets {
		r.dealers[0].places(to, keys, 1, 0)
	}
	all := memory.InUse()
	if all > 8*rows*words*12/10 {
		t.Errorf("%d bytes for rows of %d", all, 8*rows*words)
	}
	var room wordRoom
	room.memory.arena = &memory
	for bucket := range buckets / 2 {
		r.take(bucket, &room)
	}
	if left := memory.InUse(); left > all*7/10 {
		t.Errorf("%d of %d bytes in use when half of the rows are taken", left, all)
	}
	room.release()
	r.release()
	if memory.InUse() != 0 {
		t.Errorf("%d bytes in use after release", memory.InUse())
	}
}

// TestOneBucketOfWideKeys: where one bucket has all keys, every bit of a key's
// first word is its own.
func TestOneBucketOfWideKeys(t *testing.T) {
	var memory arena.Arena
	defer memory.Close()
	r := newBucketRows(&memory, 1, 3, 2, 1)
	keys := []uint64{1 << 63, ^uint64(0), 1<<63 | 5}
	to := make([]int, len(keys))
	r.dealers[0].places(to, keys, 1, 64)
	r.put(to, 0, keys, 1)
	r.put(to, 1, keys, 1)
	var room wordRoom
	room.memory.arena = &memory
	want := []uint64{keys[0], keys[0], keys[1], keys[1], keys[2], keys[2]}
	if got := r.take(0, &room); !slices.Equal(got, want) {
		t.Errorf("%x, want %x", got, want)
	}
	room.release()
}
