package ipcread

import (
	"fmt"
	"hash/fnv"
)

// errShared: of several workers each would get a part of a pipe's bytes.
var errShared = faultf(ErrUsage, "--shard needs inputs that every worker can open, and this is not a file").
	withHint("save it to a file first, or let each worker have pipes of its own, without --shard")

// takes reports whether the input's batches are wanted.
func (s *Set) takes(in *input) bool { return s.opt.Takes == nil || s.opt.Takes(in.position) }

// Fingerprint tells sets of inputs apart: by their names, in their order, by
// the sizes of regular files, and by how often they are fed. Workers that are
// given the same command line get the same, as long as no input changes.
func (s *Set) Fingerprint() string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d\n", s.opt.Repeat)
	for _, in := range s.inputs {
		size := int64(-1)
		if in.info != nil {
			size = in.size()
		}
		fmt.Fprintf(h, "%d %d %s\n", size, len(in.name), in.name)
	}
	return fmt.Sprintf("%016x", h.Sum64())
}
