package groupby

import (
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// Nulls are skipped, as in SQL: a group of true and null is true of all values
// that it has, and one of nothing but nulls has no answer.
var boolAndFunction = booleanFunction("bool_and", "whether all values are true", &minFunction)

var boolOrFunction = booleanFunction("bool_or", "whether some value is true", &maxFunction)

// booleanFunction is an extreme of booleans under the name that SQL has for it:
// false is less than true, so that all are true if the least is. It merges as
// the extreme that it is.
func booleanFunction(name, help string, extreme *Function) Function {
	f := *extreme
	f.Name, f.Help = name, help
	f.Bind = func(arguments []arrow.DataType, _ BindOptions) (arrow.DataType, error) {
		t := valueType(arguments[0])
		if t.ID() != arrow.BOOL {
			return nil, fmt.Errorf("%s takes booleans, not %s", name, t)
		}
		return t, nil
	}
	f.SQL = func(arguments []string, _ []arrow.DataType, _ arrow.DataType) string {
		return strings.ToUpper(name) + "(" + arguments[0] + ")"
	}
	return f
}
