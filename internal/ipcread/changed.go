package ipcread

import "os"

// checkChanged records that a file changed. Whatever else seems wrong with it is
// then no wonder, so this takes its place.
func (in *input) checkChanged() {
	if e := in.changed(); e != nil {
		in.fail(e)
	}
}

// changed compares a regular file with what it was when it was opened. Bytes
// past the end of a file that shrank read as zeros up to the end of its last
// page, and bytes written meanwhile read as they come, both without a fault:
// only size and time tell.
func (in *input) changed() *Error {
	if in.info == nil {
		return nil
	}
	var now os.FileInfo
	var err error
	if in.file != nil {
		now, err = in.file.Stat()
	} else {
		now, err = os.Stat(in.path)
	}
	switch was := in.info; {
	case os.IsNotExist(err):
		return in.err(faultf(ErrChanged, "the file was removed while it was read"))
	case err != nil:
		return in.err(err)
	case !os.SameFile(was, now):
		return in.err(faultf(ErrChanged, "the file was replaced while it was read"))
	case now.Size() < was.Size():
		return in.err(errShrunk)
	case now.Size() != was.Size() || !now.ModTime().Equal(was.ModTime()):
		return in.err(faultf(ErrChanged, "the file was written to while it was read"))
	}
	return nil
}
