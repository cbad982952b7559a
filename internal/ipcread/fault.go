package ipcread

import (
	"runtime/debug"
	"unsafe"
)

// mapping is a regular file in the address space.
type mapping struct {
	in    *input
	bytes resident
	unmap func()
}

func (m mapping) holds(addr uintptr) bool {
	start := uintptr(unsafe.Pointer(unsafe.SliceData(m.bytes)))
	return addr >= start && addr-start < uintptr(len(m.bytes))
}

// mapped is how many bytes all mappings have.
func mapped(all []mapping) int64 {
	var n int64
	for _, m := range all {
		n += int64(len(m.bytes))
	}
	return n
}

// Guard runs work, which reads the frame's arrays. If a file shrank and its
// pages are gone, that is an error of the input and not the end of the process.
// Decode guards itself; what is done with its arrays is guarded by this.
//
// The runtime can turn a fault into a panic for one goroutine, but the panic
// looks like that of a nil pointer. So only one whose address lies in a mapping
// is taken for the input's; any other goes on.
func (s *Set) Guard(work func() error) error { return s.guarded(work) }

func (s *Set) guarded(work func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		if fault, ok := cause.(interface{ Addr() uintptr }); ok {
			for _, m := range s.mappings {
				if m.holds(fault.Addr()) {
					err = m.in.err(errShrunk)
					return
				}
			}
		}
		panic(cause)
	}()
	return work()
}
