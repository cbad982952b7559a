package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"arrowagg/internal/planner"
)

const seeHelp = "arrowagg --help lists the flags"

// flagError says in one line what pflag could not make of the arguments.
func flagError(fs *pflag.FlagSet, err error) error {
	var (
		unknown *pflag.NotExistError
		lacking *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
		syntax  *pflag.InvalidSyntaxError
	)
	switch {
	case errors.As(err, &unknown):
		if cluster := unknown.GetSpecifiedShortnames(); cluster != "" {
			return unknownLetter(fs, cluster)
		}
		name := unknown.GetSpecifiedName()
		return usagef(flagHint(fs, "--"+name), "unknown flag --"+name)
	case errors.As(err, &lacking):
		typed := "--" + lacking.GetSpecifiedName()
		if lacking.GetSpecifiedShortnames() != "" {
			typed = typed[1:]
		}
		metavar, _ := pflag.UnquoteUsage(lacking.GetFlag())
		return usagef(fmt.Sprintf("write %s %s", typed, metavar), typed+" needs a value")
	case errors.As(err, &invalid):
		return usagef("", fmt.Sprintf("--%s: %v", invalid.GetFlag().Name, errors.Unwrap(invalid)))
	case errors.As(err, &syntax):
		typed := syntax.GetSpecifiedFlag()
		return usagef(flagHint(fs, typed), fmt.Sprintf("%s is no flag", typed))
	}
	return usagef("", err.Error())
}

// unknownLetter is the error for -abc where a is no flag. pflag's own text
// takes a byte for the letter.
func unknownLetter(fs *pflag.FlagSet, cluster string) error {
	_, size := utf8.DecodeRuneInString(cluster)
	text := "unknown flag -" + cluster[:size]
	if size < len(cluster) {
		text += " in -" + cluster
	}
	return usagef(flagHint(fs, "-"+cluster), text)
}

// flagHint is the way out for an argument that was taken for a flag and is
// none: the flag that was meant, or how to name a file so.
func flagHint(fs *pflag.FlagSet, typed string) string {
	if _, err := os.Lstat(typed); err == nil {
		return "for the file of that name write ./" + typed
	}
	word := strings.TrimLeft(typed, "-")
	word, _, _ = strings.Cut(word, "=")
	if r, n := utf8.DecodeRuneInString(word); n == len(word) {
		for _, other := range []rune{unicode.ToUpper(r), unicode.ToLower(r)} {
			if other != r && other < utf8.RuneSelf && fs.ShorthandLookup(string(other)) != nil {
				return "did you mean -" + string(other) + "?"
			}
		}
		return seeHelp // any short name is near to a letter
	}
	if near := nearestFlag(fs, word); near != "" {
		return "did you mean --" + near + "?"
	}
	return seeHelp
}

// nearestFlag is the flag whose name begins as the word does, if it is the
// only one, or the one that the word is a slip of.
func nearestFlag(fs *pflag.FlagSet, word string) string {
	var known []string
	fs.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, f.Name)
		}
	})
	longer := slices.DeleteFunc(slices.Clone(known), func(name string) bool {
		return !strings.HasPrefix(name, word)
	})
	if len(longer) == 1 {
		return longer[0]
	}
	return planner.Nearest(word, known)
}

// checkDashes finds arguments that only look like flags, before pflag makes
// something else of them: it would read -format as -f ormat, and skip whatever
// begins with -test. without a word.
func checkDashes(fs *pflag.FlagSet, args []string) error {
	for _, arg := range args {
		if arg == "--" {
			return nil
		}
		word, _, _ := strings.Cut(arg, "=")
		body, dash := strings.CutPrefix(word, "-")
		switch {
		case strings.HasPrefix(arg, "-test."):
			return unknownLetter(fs, arg[1:])
		case dash && len(body) > 1 && fs.Lookup(body) != nil:
			return usagef(flagHint(fs, word), fmt.Sprintf("%s: a flag of more than a letter has two hyphens", word))
		}
		for _, other := range []string{"–", "—", "−"} {
			name := strings.TrimPrefix(word, other)
			if name != word && (fs.Lookup(name) != nil || len(name) == 1 && fs.ShorthandLookup(name) != nil) {
				return usagef("flags begin with the hyphen of the keyboard",
					fmt.Sprintf("%s begins with a dash that is no hyphen", word))
			}
		}
	}
	return nil
}
