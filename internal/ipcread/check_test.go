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
			{
				Input: names[0], Format: "stream", Streams: 1, Batches: 3, Rows: 5, Bytes: int64(len(good)),
				Status: "ok", Problem: "",
			},
			{
				Input: names[1], Format: "stream", Streams: 2, Batches: 4, Rows: 6,
				Status: "ok", Problem: "",
			},
			{
				Input: names[2], Format: "gzip file", Streams: 1, Batches: 3, Rows: 5,
				Status: "ok", Problem: "",
			},
			{
				Input: names[3], Format: "stream", Streams: 1, Batches: 2, Rows: 3,
				Status: "error", Problem: "batch 3, at byte ",
			},
			{
				Input: names[4], Format: "stream", Streams: 2, Batches: 6, Rows: 10,
				Status: "error", Problem: `batch 3, column "t", at byte `,
			},
			{
				Input: names[5], Format: "unknown", Streams: 0, Batches: 0, Rows: 0, Bytes: 12,
				Status: "error", Problem: "not an Arrow stream but CSV",
			},
			{
				Input: names[6], Format: "unknown", Streams: 0, Batches: 0, Rows: 0,
				Status: "error", Problem: "no such file or directory",
			},
			{
				Input: names[7], Format: "unknown", Streams: 0, Batches: 0, Rows: 0,
				Status: "error", Problem: "empty: it has no bytes",
			},
			{
				Input: "standard input", Format: "stream", Streams: 0, Batches: 0, Rows: 0, Bytes: 100,
				Status: "error", Problem: "at byte 0: truncated: ",
			},
		}
		for i, got := range reports {
			if !strings.HasPrefix(got.Problem, want[i].Problem) || (got.Problem == "") != (want[i].Problem == "") {
				t.Errorf("%s: problem %q, want %q", got.Input, got.Problem, want[i].Problem)
			}
			w := want[i]
			if got.Input != w.Input || got.Format != w.Format || got.Streams != w.Streams || got.Status != w.Status ||
				got.Batches != w.Batches || got.Rows != w.Rows || w.Bytes != 0 && got.Bytes != w.Bytes {
				t.Errorf("report %+v, want %+v", got, w)
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
