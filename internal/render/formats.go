package render

// textFlags are what every format with a header line obeys.
const textFlags = FlagNoHeader | FlagNull | FlagFloatDigits

// Formats is the format table, in the order of the help.
var Formats = []Format{
	{
		Name: "table", Suffixes: []string{".txt"}, Help: "a table for people",
		Uses: textFlags, New: newTable,
	},
	{
		Name: "csv", Suffixes: []string{".csv"}, Help: "comma-separated values",
		Uses: textFlags, New: newCSV,
	},
	{
		Name: "arrows", Aliases: []string{"ipc"}, Suffixes: []string{".arrows"}, Help: "Arrow IPC stream",
		Binary: true, Uses: FlagCompression, New: newArrowStream,
	},
	{
		Name: "arrow", Suffixes: []string{".arrow", ".feather"}, Help: "Arrow IPC file (Feather V2)",
		Binary: true, Uses: FlagCompression, New: newArrowFile,
	},
}
