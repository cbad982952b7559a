package groupby

// Functions is the function table.
var Functions []Function
