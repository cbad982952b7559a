// Package tempfile makes the temporary files of a run: what is spilled, and
// what of a pipe has to be read twice.
//
//	dir := tempfile.In(path)   "" is $TMPDIR or the system's
//	f, err := dir.Create()     a file that has no name any more
//	f.Write(…)                 errors name the directory, and are limits
//	b, err := f.Map()          the bytes, read-only, in the page cache
//	f.Close()                  and it is gone
//
// On Linux a file never has a name, where the file system can do that; on other
// Unixes it is unlinked as soon as it is made: whatever ends the process,
// nothing is left. Elsewhere it keeps its name until Close, and Dir.Remove
// removes all that are open, for a process that dies of a signal. A process
// that ends between the two steps, or is killed where there is only one, leaves
// an empty or a whole file called arrowagg-*.tmp. Its maker holds a lock on it
// as long as it lives, so Stale can tell what was left behind; it names it, and
// removes nothing.
//
// Mapped bytes are not the process's own memory: the system may write them out
// and forget them. Forget asks for that.
//
// A Dir may be used by any goroutine, a File by one at a time.
package tempfile
