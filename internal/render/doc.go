// Package render turns result record batches into bytes: text for people and
// scripts, Arrow IPC for the next program.
//
//	record batch ─► columns (bound once a batch) ─► rows of cells ─► sink ─► io.Writer
//	                 value → text, without            delimiters,      64 KiB,
//	                 a format's quoting               quoting          first error kept
//
// The text of a value is decided in one place (bind in column.go and the
// append functions it chooses from) and is the same in every text format; a
// format adds only what it needs to keep values apart: quotes, escapes,
// borders. Each format is one file and one row of Formats, which also feeds
// the help, the completion, the suffixes of -o and the tests.
//
//	table      table.go     drawn around a frame that tablewriter draws
//	csv        csv.go       ┐
//	tsv        tsv.go       │ row by row
//	json       json.go      │ (rows.go)
//	ndjson     json.go      │
//	markdown   markdown.go  ┘
//	arrows     arrows.go    ┐ whole batches,
//	arrow      arrows.go    ┘ by arrow-go's writers
//
// A Writer belongs to one goroutine. It writes nothing before the first Write
// or Close, keeps the first error of the underlying writer and returns it from
// then on. The table has to know every cell's width before its first line, so
// it retains the batches until Close; all other writers are done with a batch
// when Write returns. Values are read where the arrays hold them; nothing is
// allocated per cell.
//
// To add a format, write its file and add its row to Formats: the golden files
// and the property tests ask for it by themselves. To add a type, add a case
// to bind.
package render
