package warning

import (
	"fmt"
	"sort"
	"strings"
)

// Class tells when a warning becomes known, and with it its exit code under
// --strict.
type Class int

const (
	Plan Class = iota // from schemas and flags: exit 2 under --strict
	Data              // from the inputs' bytes: exit 1 under --strict
)

// Kind is one row of the table.
type Kind struct {
	ID    string
	Class Class
	// One is the text for a single subject, Many for several; %s stands for the
	// subject, %d for the number of subjects.
	One, Many string
	Help      string // what it means, for the reference in the README
}

// Kinds lists every warning, in the order in which they are printed.
var Kinds = []Kind{
	{
		"skipped-column", Plan,
		"column %s is left out: its type has no merge rule",
		"%d columns are left out: their types have no merge rule",
		"a column whose type is neither a key nor a number",
	},
	{
		"summed-by-default", Plan,
		"column %s is summed, though its name says that a sum means nothing",
		"%d columns are summed, though their names say that sums mean nothing",
		"a name such as lat_p99 or load_avg; say what to do with -a, or leave it out with -x",
	},
	{
		"summed-key", Plan,
		"column %s is summed, though its name says that it is a key",
		"%d columns are summed, though their names say that they are keys",
		"a number named like a key (status, shard, year); group by it with -g",
	},
	{
		"key-by-type", Plan,
		"column %s is a group key because of its type, though its name says aggregate",
		"%d columns are group keys because of their types, though their names say aggregates",
		"a timestamp, date or string named like an aggregate (first_seen_min); merge it with -a",
	},
	{
		"missing-key", Plan,
		"key column %s is missing in some inputs and null there",
		"%d key columns are missing in some inputs and null there",
		"--union-by-name made a missing key null",
	},
	{
		"same-input-twice", Data,
		"input %s is given twice and read twice",
		"%d inputs are given twice and read twice",
		"one file under one or two names counts as often as it is named",
	},
	{
		"no-end-marker", Data,
		"%s has no end-of-stream marker",
		"%d inputs have no end-of-stream marker",
		"the rows count, but a writer that died between two batches looks the same",
	},
	{
		"missing-shard", Data,
		"shard %s of the run is not among the partial results",
		"%d parts of the run's shards are not among the partial results",
		"what is merged is part of a run; --expect makes that an error",
	},
	{
		"temp-dir-in-memory", Data,
		"temporary directory %s lies in memory: what is spilled there takes what it should spare",
		"%d temporary directories lie in memory: what is spilled there takes what it should spare",
		"a run spilled to a tmpfs; name a directory on a disk with --temp-dir",
	},
	{
		"stale-temporary", Data,
		"%s was left by a run that was killed, and can be removed",
		"%d temporary files were left by runs that were killed, and can be removed",
		"a temporary file whose run is no more",
	},
}

// Lookup returns the kind with that id.
func Lookup(id string) (Kind, bool) {
	for _, k := range Kinds {
		if k.ID == id {
			return k, true
		}
	}
	return Kind{}, false
}

// Warning is one finding: a kind, and the input or column it is about.
type Warning struct {
	ID      string
	Subject string
}

// shown is how many subjects one line names before "and N more".
const shown = 2

// Lines folds warnings into one line a kind, in the order of Kinds, subjects
// in the order found and each named once.
func Lines(ws []Warning) []string {
	subjects := map[string][]string{}
	for _, w := range ws {
		if !contains(subjects[w.ID], w.Subject) {
			subjects[w.ID] = append(subjects[w.ID], w.Subject)
		}
	}
	var lines []string
	for _, k := range Kinds {
		if s := subjects[k.ID]; len(s) > 0 {
			lines = append(lines, k.line(s))
		}
	}
	return lines
}

func (k Kind) line(subjects []string) string {
	if len(subjects) == 1 {
		return fmt.Sprintf(k.One, subjects[0]) + " [" + k.ID + "]"
	}
	text := fmt.Sprintf(k.Many, len(subjects)) + ": "
	if more := len(subjects) - shown; more > 1 {
		text += strings.Join(subjects[:shown], ", ") + fmt.Sprintf(" and %d more", more)
	} else {
		text += strings.Join(subjects, ", ")
	}
	return text + " [" + k.ID + "]"
}

// IDs returns all ids, sorted.
func IDs() []string {
	ids := make([]string, 0, len(Kinds))
	for _, k := range Kinds {
		ids = append(ids, k.ID)
	}
	sort.Strings(ids)
	return ids
}

func contains(list []string, s string) bool {
	for _, t := range list {
		if t == s {
			return true
		}
	}
	return false
}
