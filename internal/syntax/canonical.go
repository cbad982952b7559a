package syntax

import "strings"

// Canonical prints a value so that two ways of writing it are the same text,
// and so are a value in a list and the same one in a condition: quotes that
// need not be, blanks and the case of keywords make no difference.
//
//	sum( "x" )    max(lat)    time_bucket(15m, ts)
//	sum(x)        max(lat)    time_bucket(15m, ts)
func Canonical(e Expr) string {
	switch e := e.(type) {
	case *Name:
		return Column(e.Text)
	case *Literal:
		if e.Kind == Number || e.Kind == Duration {
			return Column(e.Text) // a list has it as a name
		}
	case *Call:
		arguments := make([]string, len(e.Arguments))
		for i, a := range e.Arguments {
			arguments[i] = Canonical(a)
		}
		if len(arguments) == 0 {
			arguments = []string{"*"} // count() is count(*)
		}
		return e.Function + "(" + strings.Join(arguments, ", ") + ")"
	case *Cast:
		return "cast(" + Canonical(e.X) + " as " + e.Type + ")"
	}
	return e.String()
}
