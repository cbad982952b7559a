package planner

import (
	"strings"
	"unicode/utf8"
)

// Nearest returns the known word that the given one is most likely a slip of,
// or "" if none is near. It is what every "did you mean" of arrowagg asks:
// columns, functions, flags, formats, warning ids.
//
// Words are compared by the edits that turn one into the other, an exchange of
// two neighbours being one (Damerau 1964, in the restricted form that edits no
// place twice); difference in case alone is nearer than any edit. One edit is
// near for short words, one more for every three characters. Of equally near
// words the first wins.
func Nearest(word string, known []string) string {
	if word == "" {
		return ""
	}
	allowed := max(1, utf8.RuneCountInString(word)/3)
	best, nearest := 2*allowed+1, ""
	for _, k := range known {
		d := 2 * editDistance(strings.ToLower(word), strings.ToLower(k))
		if k != word && d == 0 {
			d = 1
		}
		if d < best {
			best, nearest = d, k
		}
	}
	return nearest
}

// editDistance counts insertions, deletions, replacements and exchanges of
// neighbours, over three rows of the usual table.
func editDistance(from, to string) int {
	a, b := []rune(from), []rune(to)
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replaced := last[j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			row[j] = min(last[j]+1, row[j-1]+1, replaced)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// didYouMean is the hint for an unknown word: the nearest known one, else all
// of them if they are few enough to read.
func didYouMean(word, kind string, known []string) string {
	if near := Nearest(word, known); near != "" {
		return "did you mean " + near + "?"
	}
	if len(known) == 0 {
		return ""
	}
	const shown = 12
	list := strings.Join(known[:min(shown, len(known))], ", ")
	if len(known) > shown {
		list += ", …"
	}
	return kind + ": " + list
}
