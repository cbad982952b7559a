package expr

import "slices"

// Function is a row of the table of functions of a row, which binding,
// suggestions and completion read. All of them cut times into buckets:
// f(width, x).
type Function struct {
	Name string // lower case
	Help string // a few words, for completion
	// Widths are what one could write for the width: all that there are, or
	// the usual ones.
	Widths []string
	parse  func(width string) (Width, error)
}

// Functions is that table. Cast is not in it, which is no call.
var Functions = []Function{
	{"date_trunc", "to a unit of the calendar", dateUnitNames(), ParseDateUnit},
	{"time_bucket", "to a multiple of a width", []string{"1m", "5m", "15m", "1h", "1d", "1w"}, ParseWidth},
}

// FunctionsHint shows how all of them are written.
const FunctionsHint = "functions: date_trunc(hour, ts), time_bucket(15m, ts), cast(ts as timestamp[s])"

// Lookup finds a function by its name in lower case.
func Lookup(name string) (Function, bool) {
	i := slices.IndexFunc(Functions, func(f Function) bool { return f.Name == name })
	if i < 0 {
		return Function{}, false
	}
	return Functions[i], true
}

// FunctionNames are the names of all of them.
func FunctionNames() []string {
	var names []string
	for _, f := range Functions {
		names = append(names, f.Name)
	}
	return names
}
