package planner

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Shard is the part of a run's inputs that one worker takes: those whose
// position is Index modulo Count. Run tells runs over other inputs apart.
type Shard struct {
	Index, Count int // 1 ≤ Index ≤ Count; both 0: the run is not sharded
	Run          string
}

// maxShards bounds what a forged number of shards can cost.
const maxShards = 1 << 20

// ParseShard reads I/N.
func ParseShard(text string) (Shard, error) {
	i, n, ok := strings.Cut(text, "/")
	index, err := strconv.Atoi(i)
	count, err2 := strconv.Atoi(n)
	switch {
	case !ok || err != nil || err2 != nil:
		return Shard{}, fmt.Errorf("%q is not I/N, as 3/16", text)
	case count > maxShards:
		return Shard{}, fmt.Errorf("%d shards are more than %d", count, maxShards)
	case index < 1 || index > count:
		return Shard{}, fmt.Errorf("%d is not between 1 and %d", index, count)
	}
	return Shard{Index: index, Count: count}, nil
}

// Takes reports whether the input of that position, counted from 0, is in the
// shard.
func (s Shard) Takes(position int) bool {
	return s.Count == 0 || (position+1)%s.Count == s.Index%s.Count
}

// shardSet is the shards of one run that partial results hold.
type shardSet struct {
	count int // of the run; 0: it is not sharded
	run   string
	held  []int // ascending
}

func (s Shard) set() shardSet {
	if s.Count == 0 {
		return shardSet{}
	}
	return shardSet{count: s.Count, run: s.Run, held: []int{s.Index}}
}

// add takes in the shards of a set of the same run.
func (s *shardSet) add(t shardSet) {
	s.held = append(s.held, t.held...)
	slices.Sort(s.held)
}

// String is "1-4,7/16", or "" for a run that is not sharded. parseShards reads
// it.
func (s shardSet) String() string {
	if s.count == 0 {
		return ""
	}
	return strings.Join(ranges(s.held), ",") + "/" + strconv.Itoa(s.count)
}

// ranges writes ascending numbers as "1-4", "7".
func ranges(numbers []int) []string {
	var words []string
	for i := 0; i < len(numbers); {
		k := i + 1
		for k < len(numbers) && numbers[k] == numbers[k-1]+1 {
			k++
		}
		word := strconv.Itoa(numbers[i])
		if k > i+1 {
			word += "-" + strconv.Itoa(numbers[k-1])
		}
		words = append(words, word)
		i = k
	}
	return words
}

// parseShards is the inverse of String, and reads nothing else.
func parseShards(text, run string) (shardSet, error) {
	s := shardSet{run: run}
	list, count, ok := strings.Cut(text, "/")
	n, err := strconv.Atoi(count)
	if !ok || err != nil || n < 1 || n > maxShards {
		return shardSet{}, fmt.Errorf("%q are no shards", text)
	}
	s.count = n
	highest := 0
	for word := range strings.SplitSeq(list, ",") {
		if list == "" {
			break
		}
		from, to, several := strings.Cut(word, "-")
		first, err := strconv.Atoi(from)
		last := first
		if several && err == nil {
			last, err = strconv.Atoi(to)
		}
		if err != nil || first <= highest || last < first || last > n {
			return shardSet{}, fmt.Errorf("%q are no shards", text)
		}
		for i := first; i <= last; i++ {
			s.held = append(s.held, i)
		}
		highest = last
	}
	if s.String() != text {
		return shardSet{}, fmt.Errorf("%q are no shards", text)
	}
	return s, nil
}

// missing are the shards that the set lacks, as a list for people.
func (s shardSet) missing() []string {
	has := make([]bool, s.count+1)
	for _, i := range s.held {
		has[i] = true
	}
	var lack []int
	for i := 1; i <= s.count; i++ {
		if !has[i] {
			lack = append(lack, i)
		}
	}
	return ranges(lack)
}
