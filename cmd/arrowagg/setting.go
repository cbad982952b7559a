package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/pflag"
)

// setting is the value of a flag that is no list, and stricter than pflag's.
// It may be given twice only with one meaning: where the last one would win,
// the other was in vain. Numbers are decimal, so that 010 is ten. A text is not
// empty unless the flag is about empty texts: -o "$OUT" with OUT unset would
// otherwise print where a file was wanted.
type setting struct {
	pflag.Value
	given      bool
	mayBeEmpty bool
}

// beStrict makes settings of all flags but the lists.
func beStrict(fs *pflag.FlagSet) {
	fs.VisitAll(func(f *pflag.Flag) {
		if _, list := f.Value.(pflag.SliceValue); !list {
			f.Value = &setting{Value: f.Value, mayBeEmpty: f.Name == "null"}
		}
	})
}

// Set takes the text of one appearance of the flag. Its errors continue a
// line that begins with the flag's name.
func (s *setting) Set(text string) error {
	before, again := s.String(), s.given
	s.given = true
	switch s.Type() {
	case "int":
		n, err := strconv.Atoi(text)
		switch {
		case errors.Is(err, strconv.ErrRange):
			return fmt.Errorf("%s is out of range", text)
		case err != nil:
			return fmt.Errorf("%q is not a whole number", text)
		}
		text = strconv.Itoa(n)
	case "bool":
		if _, err := strconv.ParseBool(text); err != nil {
			return fmt.Errorf("%q is not true or false", text)
		}
	case "string":
		if text == "" && !s.mayBeEmpty {
			return errors.New("the value is empty")
		}
	}
	if err := s.Value.Set(text); err != nil {
		return err
	}
	if after := s.String(); again && after != before {
		return fmt.Errorf("given twice, as %q and %q", before, after)
	}
	return nil
}
