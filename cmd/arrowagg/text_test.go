package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arrowtest"
	"arrowagg/internal/groupby"
)

// usesOfText are the ways in which a run can depend on the strings of column t:
// as a key, in every function that takes one, in a condition.
func usesOfText() [][]string {
	uses := [][]string{{"-g", "t", "-a", "count()"}, {"-g", "v,t", "-a", "count()"}, {"-g", "v", "-w", "t <> 'x'", "-a", "count()"}}
	types := map[string]arrow.DataType{"t": arrow.BinaryTypes.String, "v": arrow.PrimitiveTypes.Int64}
	for _, f := range groupby.Functions {
		for _, arguments := range [][]string{{"t"}, {"t", "v"}, {"v", "t"}, {"t", "t"}} {
			bound := make([]arrow.DataType, len(arguments))
			for i, a := range arguments {
				bound[i] = types[a]
			}
			if len(bound) < f.MinArguments || len(bound) > f.MaxArguments {
				continue
			}
			if _, err := f.Bind(bound, groupby.BindOptions{}); err == nil {
				uses = append(uses, []string{"-g", "v", "-a", callOf(&f, strings.Join(arguments, ", "))})
			}
		}
	}
	return uses
}

// callOf writes a call of a function over columns.
func callOf(f *groupby.Function, columns string) string {
	if f.Parameter != "" {
		columns += ", 0.9"
	}
	return f.Name + "(" + columns + ")"
}

// A string that is no UTF-8 is an error with its place, however it is encoded
// and whatever it is used for; where it is not used, nobody looks, but --check.
func TestInvalidTextIsNeverUsed(t *testing.T) {
	const sound, spoilt = "not yet spoilt", "not \xff spoilt!!!"
	uses := usesOfText()
	for _, encoding := range []string{"utf8", "large_utf8", "utf8_view", "dictionary<int8, utf8>", "run_end_encoded<int32, utf8>"} {
		content := arrowtest.Must(fmt.Sprintf("v int64 | t %s\n1 | plain\n1 | null\n1 | %s\n1 | plain\n", encoding, sound)).
			MustEncode(arrowtest.Encoding{})
		content = bytes.ReplaceAll(content, []byte(sound), []byte(spoilt[:len(sound)]))
		name := filepath.Join(t.TempDir(), "w.arrows")
		writeFile(t, name, content)
		for _, use := range uses {
			got := runWith(nil, append(slices.Clone(use), name)...)
			place := "w.arrows: batch 1, row 3: column \"t\""
			if slices.Contains(use, "-w") {
				place = "w.arrows: batch 1, row 3: -w"
			}
			if got.code != 1 || got.stdout != "" || !strings.Contains(got.stderr, place) || !strings.Contains(got.stderr, "UTF-8") {
				t.Errorf("%s, %q: %v", encoding, use, got)
			}
		}
		if got := runWith(nil, "-g", "v", "-a", "count()", "-f", "csv", name); got.stdout != "v,count\n1,4\n" {
			t.Errorf("%s: not used, and looked at: %v", encoding, got)
		}
		if got := runWith(nil, "--check", name); got.code != 1 || !strings.Contains(got.stdout, "UTF-8") {
			t.Errorf("%s: --check: %v", encoding, got)
		}
	}
}
