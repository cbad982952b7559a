package planner

import (
	"slices"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/groupby"
)

// Candidate is the name of a column that could stand in a flag, and its type
// for people. Shells show them.
type Candidate struct{ Name, Type string }

// KeyCandidates are the columns that -g can name.
func KeyCandidates(schema *arrow.Schema) []Candidate {
	return columnCandidates(schema, func(f arrow.Field) bool { return keyable(valueType(f)) })
}

// ColumnCandidates are all columns.
func ColumnCandidates(schema *arrow.Schema) []Candidate {
	return columnCandidates(schema, func(arrow.Field) bool { return true })
}

// TimeCandidates are the columns that date_trunc and time_bucket take.
func TimeCandidates(schema *arrow.Schema) []Candidate {
	return columnCandidates(schema, func(f arrow.Field) bool {
		switch valueType(f).ID() {
		case arrow.TIMESTAMP, arrow.DATE32, arrow.DATE64:
			return true
		}
		return false
	})
}

// ArgumentCandidates are the columns that a function takes.
func ArgumentCandidates(schema *arrow.Schema, function string) []Candidate {
	f, ok := groupby.Lookup(function)
	if !ok || f.MaxArguments == 0 {
		return nil
	}
	return columnCandidates(schema, func(field arrow.Field) bool {
		arguments := slices.Repeat([]arrow.DataType{valueType(field)}, max(1, f.MinArguments))
		_, err := f.Bind(arguments, groupby.BindOptions{})
		return err == nil && readable(arguments[0])
	})
}

// columnCandidates lists the columns once each, in the order of the schema.
func columnCandidates(schema *arrow.Schema, fits func(arrow.Field) bool) []Candidate {
	var list []Candidate
	seen := map[string]bool{}
	for _, f := range schema.Fields() {
		if seen[f.Name] || !fits(f) {
			continue
		}
		seen[f.Name] = true
		list = append(list, Candidate{Name: f.Name, Type: fieldTypeName(f)})
	}
	return list
}
