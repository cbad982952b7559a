package planner

import (
	"fmt"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/groupby"
)

func candidateSchema() *arrow.Schema {
	return arrow.NewSchema([]arrow.Field{
		{Name: "host", Type: &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}},
		{Name: "day 1", Type: arrow.FixedWidthTypes.Date32},
		{Name: "bytes_sum", Type: arrow.PrimitiveTypes.Int64},
		{Name: "raw", Type: arrow.BinaryTypes.Binary},
		{Name: "tags", Type: arrow.ListOf(arrow.BinaryTypes.String)},
		{Name: "host", Type: arrow.BinaryTypes.String},
	}, nil)
}

func candidateNames(list []Candidate) []string {
	var names []string
	for _, c := range list {
		names = append(names, c.Name)
	}
	return names
}

func TestCandidates(t *testing.T) {
	s := candidateSchema()
	for _, c := range []struct {
		what string
		got  []Candidate
		want []string
	}{
		{"-g", KeyCandidates(s), []string{"host", "day 1", "bytes_sum", "raw"}},
		{"-x", ColumnCandidates(s), []string{"host", "day 1", "bytes_sum", "raw", "tags"}},
		{"sum", ArgumentCandidates(s, "sum"), []string{"bytes_sum"}},
		{"unknown", ArgumentCandidates(s, "nosuch"), nil},
	} {
		if got := candidateNames(c.got); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
	if got := KeyCandidates(s)[0].Type; got != "dictionary<int8, utf8>" {
		t.Errorf("type %q", got)
	}
}

// TestCandidatesBind: what is offered as a function's only argument is what
// binding accepts, for every function of one argument.
func TestCandidatesBind(t *testing.T) {
	s := candidateSchema()
	s = arrow.NewSchema(s.Fields()[:s.NumFields()-1], nil) // one name twice is its own error
	for _, f := range groupby.Functions {
		if f.MinArguments > 1 || f.MaxArguments < 1 {
			continue
		}
		offered := candidateNames(ArgumentCandidates(s, f.Name))
		for _, field := range s.Fields() {
			call := fmt.Sprintf("%s(%q)", f.Name, field.Name)
			if f.Parameter != "" {
				call = fmt.Sprintf("%s(%q, 0.5)", f.Name, field.Name)
			}
			q, err := Parse(Flags{NoKeys: true, Aggregates: []string{call}})
			if err != nil {
				t.Fatal(err)
			}
			_, _, err = q.Bind([]Source{{Name: "a", Schema: s}})
			if (err == nil) != slices.Contains(offered, field.Name) {
				t.Errorf("%s(%s): offered %v, bound %v", f.Name, field.Name, offered, err)
			}
		}
	}
}
