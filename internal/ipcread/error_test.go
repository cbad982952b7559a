package ipcread

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"testing"
)

func TestErrorTexts(t *testing.T) {
	cut := faultf(ErrTruncated, "truncated: the message's body has %d of %d bytes", 7, 8)
	for _, c := range []struct {
		err  Error
		want string
	}{
		{Error{Input: "w1", Offset: noOffset, Cause: cut}, "w1: truncated: the message's body has 7 of 8 bytes"},
		{
			Error{Input: "w1", Stream: 1, Batch: 3, Offset: 120, Cause: cut},
			"w1: batch 3, at byte 120: truncated: the message's body has 7 of 8 bytes",
		},
		{
			Error{Input: "w1", Stream: 2, Batch: 3, Column: "lat\n", Offset: 120, Cause: errors.New("bad")},
			`w1: stream 2, batch 3, column "lat\n", at byte 120: bad`,
		},
		{Error{Input: "w\x1b[1m1\n", Offset: 0, Cause: errors.New("bad\tthing")}, `w\x1b[1m1\n: at byte 0: bad\tthing`},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestKindsOfErrors(t *testing.T) {
	e := error(&Error{Input: "w1", Cause: faultf(ErrTruncated, "x").withHint("try again")})
	if !errors.Is(e, ErrTruncated) || errors.Is(e, ErrCorrupt) {
		t.Error("errors.Is does not tell kinds apart")
	}
	if hint := e.(*Error).HintText(); hint != "try again" {
		t.Errorf("hint %q", hint)
	}
	if hint := (&Error{Cause: errors.New("x")}).HintText(); hint != "" {
		t.Errorf("hint %q of nothing", hint)
	}
}

func TestSystemCauses(t *testing.T) {
	_, err := os.Open(t.TempDir() + "/missing")
	if !errors.Is(systemCause(err), fs.ErrNotExist) || systemCause(err).Error() != syscall.ENOENT.Error() {
		t.Errorf("cause %q", systemCause(err))
	}
	wrapped := &fs.PathError{Op: "read", Path: "x", Err: os.NewSyscallError("read", syscall.EIO)}
	if systemCause(wrapped) != syscall.EIO {
		t.Errorf("cause %v", systemCause(wrapped))
	}
}

func TestCount(t *testing.T) {
	if got := count(1, "byte") + ", " + count(2, "byte"); got != "1 byte, 2 bytes" {
		t.Error(got)
	}
}
