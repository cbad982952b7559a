package main

import (
	"bytes"
	"os"
	"strconv"
)

// peakMemory is the largest resident size of this process so far, in bytes,
// with the pages of mapped inputs. The kernel's own high-water mark is read
// because getrusage's survives exec: it would count whoever started us.
func peakMemory() int64 { return statusBytes("VmHWM:") }

// ownMemory is what is resident now of pages that are no file's, in bytes: what a
// memory limit is about. The kernel keeps no high-water mark of it.
func ownMemory() int64 { return statusBytes("RssAnon:") }

// statusBytes is a size that the kernel tells of this process, 0 if it does not.
func statusBytes(name string) int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(status, []byte(name))
	size, _, _ := bytes.Cut(rest, []byte("kB"))
	kib, err := strconv.ParseInt(string(bytes.TrimSpace(size)), 10, 64)
	if err != nil {
		return 0
	}
	return kib << 10
}
