package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arrowtest"
)

const corpusDir = "../../../shared/corpus"

// TestCorpus asks the oracle about real files of many writers: every column
// that it understands as a key, and every number aggregated. What is not known
// to be valid is left to the reader's own tests.
func TestCorpus(t *testing.T) {
	t.Parallel()
	index, err := os.ReadFile(filepath.Join(corpusDir, "INDEX.tsv"))
	if err != nil {
		t.Skip("no corpus beside the project")
	}
	if testing.Short() {
		t.Skip("a thousand columns take their time")
	}
	columns := 0
	for _, line := range strings.Split(string(index), "\n")[1:] {
		cells := strings.Split(line, "\t")
		name := cells[0]
		made := strings.HasPrefix(name, "hostile/") || strings.HasPrefix(name, "fuzzfound/") ||
			strings.Contains(name, "clusterfuzz") || strings.HasPrefix(name, "made/")
		if len(cells) < 9 || made || cells[8] != "ok" {
			continue
		}
		columns += judgeFile(t, filepath.Join(corpusDir, name))
	}
	if columns < 500 {
		t.Errorf("only %d columns were judged", columns)
	}
	t.Logf("%d columns judged", columns)
}

// judgeFile returns how many columns it compared.
func judgeFile(t *testing.T, name string) int {
	content, err := os.ReadFile(name)
	if err != nil {
		t.Error(err)
		return 0
	}
	s, rest, err := arrowtest.Read(content)
	if err != nil || len(bytes.Trim(rest, "\x00")) > 0 || len(s.Rows()) > 20_000 {
		return 0
	}
	o := &oracle{rows: s.Rows()}
	seen := map[string]int{}
	for _, f := range s.Fields {
		f.Type = valueOf(f.Type)
		o.fields = append(o.fields, f)
		seen[f.Name]++
	}
	judged := 0
	for i, f := range o.fields {
		if seen[f.Name] > 1 || !understood(f, s, i) {
			continue
		}
		judged++
		q := question{keys: []int{i}, columns: []int{0, ^0}, aggregates: []call{{function: "count", name: "out"}}}
		compare(t, o, q, name, "-g", quoted(f), "-a", "count(*) as out")
		if isNumeric(f.Type) {
			q = question{columns: []int{^0, ^1, ^2, ^3}}
			var calls []string
			for _, function := range []string{"sum", "min", "max", "count"} {
				q.aggregates = append(q.aggregates, call{function: function, fields: []int{i}, name: function})
				calls = append(calls, fmt.Sprintf("%s(%s) as %s", function, quoted(f), function))
			}
			compare(t, o, q, name, "--no-keys", "-a", strings.Join(calls, ","))
		}
	}
	return judged
}

func compare(t *testing.T, o *oracle, q question, name string, flags ...string) {
	t.Helper()
	want, overflow := o.answer(q)
	got := runWith(nil, append([]string{"-f", "csv", "-q", name}, flags...)...)
	switch {
	case overflow != nil && got.code == exitInput && strings.Contains(got.stderr, "does not fit"):
	case overflow != nil || got.code != exitDone:
		t.Errorf("%s %q: %v, oracle: %v", name, flags, got, overflow)
	case got.stdout != want:
		t.Errorf("%s %q: %s", name, flags, firstDifference(got.stdout, want))
	}
}

func quoted(f arrow.Field) string { return `"` + f.Name + `"` }

// valueOf looks through dictionaries and runs.
func valueOf(dt arrow.DataType) arrow.DataType {
	switch dt := dt.(type) {
	case *arrow.DictionaryType:
		return valueOf(dt.ValueType)
	case *arrow.RunEndEncodedType:
		return valueOf(dt.Encoded())
	}
	return dt
}

func isTemporal(dt arrow.DataType) bool {
	switch dt.ID() {
	case arrow.TIMESTAMP, arrow.DATE32, arrow.DATE64, arrow.TIME32, arrow.TIME64:
		return true
	}
	return false
}

// understood tells whether the oracle prints and orders such a column: not
// where a cell is no plain text of its value.
func understood(f arrow.Field, s *arrowtest.Stream, i int) bool {
	dt := f.Type
	temporal := isTemporal(dt)
	binary := arrow.IsBaseBinary(dt.ID()) || dt.ID() == arrow.STRING_VIEW || dt.ID() == arrow.BINARY_VIEW
	known := isNumeric(dt) && dt.ID() != arrow.FLOAT16 || temporal || binary || dt.ID() == arrow.BOOL
	if !known || strings.ContainsAny(f.Name, "\"\\") || f.Name == "" || f.Metadata.FindKey("ARROW:extension:name") >= 0 {
		return false
	}
	for _, row := range s.Rows() {
		cell := row[i]
		iso := strings.ContainsAny(cell.Text, ":") || strings.Count(cell.Text, "-") == 2
		if !cell.Null && (temporal && !iso || !utf8.ValidString(cell.Text)) {
			return false
		}
	}
	return true
}
