package ipcread

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"arrowagg/internal/arrowtest"
)

func TestCheck(t *testing.T) {
	good := sample().MustEncode(arrowtest.Encoding{})
	names := []string{
		write(t, "w1", good),
		write(t, "w2", slices.Concat(good, plain(1).MustEncode(arrowtest.Encoding{NoEndMarker: true}))),
		write(t, "w3", wrappers["gzip"](sample().MustEncode(arrowtest.Encoding{File: true}))),
		write(t, "w4", good[:len(good)-20]),
		write(t, "w5", slices.Concat(spoiled(), spoiled())),
		write(t, "w6", []byte("host,minute\n")),
		t.TempDir() + "/missing",
		write(t, "w8", nil),
		"-",
	}
	for range 5 {
		opt := Options{Stdin: piped(t, good[:100])}
		reports, warnings, err := Check(testContext, names, opt, 3)
		if err != nil {
			t.Fatal(err)
		}
		want := []Report{
			{names[0], "stream", 1, 3, 5, int64(len(good)), "ok", ""},
			{names[1], "stream", 2, 4, 6, 0, "ok", ""},
			{names[2], "gzip file", 1, 3, 5, 0, "ok", ""},
			{names[3], "stream", 1, 2, 3, 0, "error", "batch 3, at byte "},
			{names[4], "stream", 2, 6, 10, 0, "error", `batch 3, column "t", at byte `},
			{names[5], "unknown", 0, 0, 0, 12, "error", "not an Arrow stream but CSV"},
			{names[6], "unknown", 0, 0, 0, 0, "error", "no such file or directory"},
			{names[7], "unknown", 0, 0, 0, 0, "error", "empty: it has no bytes"},
			{"standard input", "stream", 0, 0, 0, 100, "error", "at byte 0: truncated: "},
		}
		for i, got := range reports {
			if !strings.HasPrefix(got.Problem, want[i].Problem) || (got.Problem == "") != (want[i].Problem == "") {
				t.Errorf("%s: problem %q, want %q", got.Input, got.Problem, want[i].Problem)
			}
			got.Problem = want[i].Problem
			if want[i].Bytes == 0 {
				got.Bytes = 0
			}
			if got != want[i] {
				t.Errorf("report %+v, want %+v", got, want[i])
			}
		}
		if len(warnings) != 1 || warnings[0].ID != "no-end-marker" || warnings[0].Subject != names[1] {
			t.Errorf("warnings %v", warnings)
		}
	}
}

func TestCheckIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(testContext)
	cancel()
	_, _, err := Check(ctx, []string{write(t, "w1", sample().MustEncode(arrowtest.Encoding{}))}, Options{}, 2)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
