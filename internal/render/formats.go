package render

// lineFlags are what formats obey that print lines under a header.
const lineFlags = FlagNoHeader | FlagNull | FlagFloatDigits

// Formats is the format table, in the order of the help.
var Formats = []Format{
	{
		Name: "table", Suffixes: []string{".txt"}, Holds: true,
		Help: "box drawing, for people", Uses: lineFlags, New: newTable,
	},
	{
		Name: "csv", Suffixes: []string{".csv"},
		Help: "comma-separated values", Uses: lineFlags, New: newCSV,
	},
	{
		Name: "tsv", Suffixes: []string{".tsv"},
		Help: "tab-separated values with escapes", Uses: lineFlags, New: newTSV,
	},
	{
		Name: "json", Suffixes: []string{".json"},
		Help: "an array of objects", Uses: FlagFloatDigits, New: newJSON,
	},
	{
		Name: "ndjson", Suffixes: []string{".ndjson", ".jsonl"},
		Help: "one JSON object a line", Uses: FlagFloatDigits, New: newNDJSON,
	},
	{
		Name: "markdown", Suffixes: []string{".md"},
		Help: "pipe table", Uses: FlagNull | FlagFloatDigits, New: newMarkdown,
	},
	{
		Name: "arrows", Aliases: []string{"ipc"}, Suffixes: []string{".arrows"},
		Help: "Arrow IPC stream", Binary: true, Uses: FlagCompression, New: newArrowStream,
	},
	{
		Name: "arrow", Suffixes: []string{".arrow", ".feather"},
		Help: "Arrow IPC file (Feather V2)", Binary: true, Uses: FlagCompression, New: newArrowFile,
	},
}
