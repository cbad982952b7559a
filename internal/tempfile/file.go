package tempfile

import "os"

// File is a temporary file.
type File struct {
	dir     *Dir
	out     *os.File
	written int64
	mapped  []byte
}

// Write appends bytes.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.out.Write(p)
	f.written += int64(n)
	return n, f.dir.failure(err)
}

// WriteAt writes bytes at an offset.
func (f *File) WriteAt(p []byte, off int64) (int, error) {
	n, err := f.out.WriteAt(p, off)
	return n, f.dir.failure(err)
}

// ReadAt reads bytes at an offset.
func (f *File) ReadAt(p []byte, off int64) (int, error) { return f.out.ReadAt(p, off) }

// Size is how many bytes Write has appended.
func (f *File) Size() int64 { return f.written }

// File is the open file itself.
func (f *File) File() *os.File { return f.out }

// Map returns what Write has appended, to be read only, until Close. Where the
// system cannot map files it is read into memory.
func (f *File) Map() ([]byte, error) {
	if f.mapped == nil && f.written > 0 {
		b, err := mapFile(f.out, f.written)
		if err != nil {
			return nil, f.dir.failure(err)
		}
		f.mapped = b
	}
	return f.mapped, nil
}

// Forget gives mapped pages back; what is read again comes from the file.
func (f *File) Forget() { forget(f.mapped) }

// Close removes the file.
func (f *File) Close() error {
	unmap(f.mapped)
	f.mapped = nil
	f.dir.mu.Lock()
	defer f.dir.mu.Unlock()
	err := f.out.Close()
	if name, ok := f.dir.named[f]; ok {
		delete(f.dir.named, f)
		os.Remove(name)
	}
	return err
}
