package planner

import (
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// role is what becomes of a column.
type role uint8

const (
	roleSkipped    role = iota // its type has no merge rule
	roleKey                    // group by it
	roleAggregated             // fold it
	roleNeutral                // type null: whatever it is elsewhere
)

// typeRoles is the default rule's first half: what a column of a type is. A
// type that is missing here is skipped. Dictionaries, runs and extension types
// are looked up by their values' type.
var typeRoles = map[arrow.Type]role{
	arrow.NULL: roleNeutral,

	arrow.STRING:       roleKey,
	arrow.LARGE_STRING: roleKey,
	arrow.STRING_VIEW:  roleKey,
	arrow.BOOL:         roleKey,
	arrow.TIMESTAMP:    roleKey,
	arrow.DATE32:       roleKey,
	arrow.DATE64:       roleKey,
	arrow.TIME32:       roleKey,
	arrow.TIME64:       roleKey,

	arrow.INT8:       roleAggregated,
	arrow.INT16:      roleAggregated,
	arrow.INT32:      roleAggregated,
	arrow.INT64:      roleAggregated,
	arrow.UINT8:      roleAggregated,
	arrow.UINT16:     roleAggregated,
	arrow.UINT32:     roleAggregated,
	arrow.UINT64:     roleAggregated,
	arrow.FLOAT16:    roleAggregated,
	arrow.FLOAT32:    roleAggregated,
	arrow.FLOAT64:    roleAggregated,
	arrow.DECIMAL32:  roleAggregated,
	arrow.DECIMAL64:  roleAggregated,
	arrow.DECIMAL128: roleAggregated,
	arrow.DECIMAL256: roleAggregated,
	arrow.DURATION:   roleAggregated,
}

// alsoKeys are the types that the rule skips but that -g may name.
var alsoKeys = map[arrow.Type]bool{
	arrow.BINARY:            true,
	arrow.LARGE_BINARY:      true,
	arrow.BINARY_VIEW:       true,
	arrow.FIXED_SIZE_BINARY: true,
}

// keyable tells whether values of a type can be compared and hashed.
func keyable(dt arrow.DataType) bool {
	return readable(dt) && dt.ID() != arrow.NULL
}

// readable tells whether an aggregate can be asked of values of a type; which
// ones it takes among these is its own matter.
func readable(dt arrow.DataType) bool {
	return typeRoles[dt.ID()] != roleSkipped || alsoKeys[dt.ID()]
}

// suffixFunctions is the rule's second half: which function a column's name
// asks for. Names are compared by bytes.
var suffixFunctions = []struct{ suffix, function string }{
	{"_sum", "sum"},
	{"_count", "sum"},
	{"_min", "min"},
	{"_max", "max"},
}

// defaultFunction is for names without such a suffix.
const defaultFunction = "sum"

// suffixFunction returns the function that a name asks for.
func suffixFunction(name string) (function, suffix string) {
	for _, s := range suffixFunctions {
		if strings.HasSuffix(name, s.suffix) {
			return s.function, s.suffix
		}
	}
	return defaultFunction, ""
}

// mergeKey is the field metadata by which an aggregated column says how it is
// merged further. It overrides type and suffix.
const mergeKey = "arrowagg.merge"

// mergeNone is the value that forbids merging: a mean of means is no mean.
const mergeNone = "none"

// mergeFunctions are the other values that mergeKey may have.
var mergeFunctions = []string{"sum", "min", "max"}

// Words that names end in, alone or behind an underscore. A column that is
// summed for want of a better rule is warned of if its name says that a sum
// means nothing, or that it is a key.
var (
	sumlessWords = words(`avg mean median percentile stddev std var rate ratio pct percent first last`)
	keyWords     = words(`id status code port shard partition pid year month day hour minute epoch
		ts time timestamp version seq offset`)
)

// distinctWord makes a sum doubtful wherever it stands in a name, a count of
// distinct things in particular: those of two workers overlap.
const distinctWord = "distinct"

func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// lastWord is what follows the last underscore of a name, or all of it.
func lastWord(name string) string { return name[strings.LastIndexByte(name, '_')+1:] }

// sumless tells whether a name says that sums of the column mean nothing.
func sumless(name string) bool {
	w := lastWord(name)
	return sumlessWords[w] || isPercentile(w) || hasWord(name, distinctWord)
}

// isPercentile tells whether a word is p50, p99, p99.9.
func isPercentile(w string) bool {
	digits, ok := strings.CutPrefix(w, "p")
	return ok && digits != "" && strings.Trim(digits, "0123456789.") == ""
}

func hasWord(name, word string) bool {
	for part := range strings.SplitSeq(name, "_") {
		if part == word {
			return true
		}
	}
	return false
}
