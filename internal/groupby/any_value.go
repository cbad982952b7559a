package groupby

// anyValueFunction is any value of a group that is not null, in the sense that
// the caller does not mind which. It has to be the same for every order of the
// rows, so it is the least; that is also what the SQL asks for, since engines
// are free to answer ANY_VALUE with what comes first.
var anyValueFunction = func() Function {
	f := extremeFunction("any_value", "some value, and always the same one: the least", true)
	f.Merge = "min"
	return f
}()
