// Package outfile writes the file of -o whole or not at all.
//
//	f := outfile.New(path)  nothing happens yet
//	f.Create()              before anything is read: what cannot be written later
//	                        is known now
//	f.Write(…)              into a temporary file beside the target
//	f.Commit()              sync, rename over the target, sync the directory
//	f.Abort()               remove the temporary file; nothing after Commit
//
// Until Commit succeeds, the target is what it was: whoever opens it sees the
// old content whole, also when the process is killed. A killed process leaves
// its temporary file (.NAME.XXXXXXXX.tmp) behind, nothing else; Stale names such
// files.
//
// The target of a symbolic link is written, not the link, and it may not exist
// yet. An existing file passes on its mode and, where the system lets us, its
// owner; a new file gets what the umask leaves of 0666. A file that may not be
// written is not replaced, even where its directory would allow it. Other hard
// links keep the old content.
//
// What is no regular file (a FIFO, a device, /dev/stdout, /dev/fd/3) is
// written straight, and Commit and Abort only close it. Descriptors are
// duplicated, not opened anew: opening /dev/stdout would start at the
// beginning of a file that the shell has redirected to, and fails on sockets.
// Opening a FIFO waits for its reader, as the shell does.
//
// A File is written by one goroutine. Abort may be called by any other at any
// time, before Create too, so a signal can end the process without leaving the
// temporary file.
package outfile
