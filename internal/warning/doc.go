// Package warning is the table of everything arrowagg may warn of.
//
// A warning says that the result may still be right but that a person should
// look. Each kind has a stable id that scripts pass to --allow, and a class
// that decides the exit code when --strict turns it into an error:
//
//	Plan   known from the schemas and the command line alone   exit 2
//	Data   known only from reading the inputs                  exit 1
//
// The packages that find something (ipcread, planner) return Warnings; only
// cmd/arrowagg prints them. Warnings of one kind become one line, so that 200
// inputs without an end marker do not drown the rest:
//
//	37 inputs have no end-of-stream marker: w003.arrows, w017.arrows and 35 more [no-end-marker]
//
// To add a kind, add one row to Kinds.
package warning
