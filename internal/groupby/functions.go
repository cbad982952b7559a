package groupby

// Functions is the function table, in the order of the help. An aggregate is a
// file of its own and a row here.
var Functions = []Function{
	sumFunction,
	minFunction,
	maxFunction,
	countFunction,
	meanFunction,
	boolAndFunction,
	boolOrFunction,
	anyValueFunction,
	varSampFunction,
	varPopFunction,
	stddevSampFunction,
	stddevPopFunction,
	ratioFunction,
	weightedMeanFunction,
	argMinFunction,
	argMaxFunction,
	firstFunction,
	lastFunction,
	countDistinctFunction,
	medianFunction,
	quantileFunction,
}
