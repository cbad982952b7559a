package ipcread

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"
)

func TestCrowdedInputsAreOneError(t *testing.T) {
	full := func(name string) error {
		in := &input{name: name}
		return in.err(&fs.PathError{Op: "open", Path: name, Err: syscall.EMFILE})
	}
	missing := func(name string) error {
		in := &input{name: name}
		return in.err(&fs.PathError{Op: "open", Path: name, Err: syscall.ENOENT})
	}
	for _, c := range []struct {
		errs []error
		want []string
	}{
		{nil, nil},
		{[]error{missing("a"), missing("b")}, []string{"a: no such file or directory", "b: no such file or directory"}},
		{[]error{full("a")}, []string{"a: too many open files"}},
		{
			[]error{missing("a"), full("b"), missing("c"), full("d"), errors.New("e")},
			[]string{"a: no such file or directory", "b and 1 other input: too many open files", "c: no such file or directory", "e"},
		},
		{[]error{full("a"), full("b"), full("c")}, []string{"a and 2 other inputs: too many open files"}},
	} {
		var got []string
		for _, err := range crowded(c.errs) {
			got = append(got, err.Error())
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%v: %q", c.errs, got)
		}
	}
	var hinted interface{ HintText() string }
	if err := crowded([]error{full("a")})[0]; !errors.As(err, &hinted) || hinted.HintText() == "" || !errors.Is(err, ErrInput) {
		t.Errorf("%v gives no hint", err)
	}
}
