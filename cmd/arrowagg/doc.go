// Command arrowagg merges and aggregates Arrow IPC streams.
//
// This package is the only one that knows the command line, the terminal, the
// process and its exit code. Everything it does is in four steps, each a file:
//
//	main.go      the process: signals, and the exit code
//	run.go       arguments → exit code: parse, run one mode, report errors
//	pipeline.go  the program: open ─► bind ─► produce ══► workers ─► finish ─► arrange ─► render
//	report.go    errors and warnings → lines on standard error
//
// Memory is shared out in memory.go; when the engines have used up their part,
// room.go puts their groups aside, and show.go keeps what is large on disk until
// it is written.
//
// flags.go defines every flag once; parsing, help, completion and the tests
// read that definition. Packages below return errors and never print; the kind
// of the error (see exitCode) decides how the process ends.
package main
