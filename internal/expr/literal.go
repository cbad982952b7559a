package expr

import (
	"encoding/hex"
	"errors"
	"math"
	"math/big"
	"strings"

	"arrowagg/internal/syntax"
)

// exampleOf shows how a constant of a class is written.
var exampleOf = map[class]string{
	classTruth:   "true or false",
	classNumber:  "a number, such as 12 or 0.5",
	classText:    "text in single quotes",
	classBinary:  `hexadecimal digits, such as '\x00ff'`,
	classDate:    "a date, such as '2024-01-31'",
	classClock:   "a time of day, such as '09:30' or '09:30:00.5'",
	classSpan:    "a duration, such as 90s or 1h30m",
	classLocal:   "a timestamp without a zone, such as '2024-01-31' or '2024-01-31T09:30:00.5'",
	classInstant: "a timestamp with a zone, such as '2024-01-31T09:30Z' or '2024-01-31T09:30+01:00'",
}

// read takes a literal for a value of a class.
func read(l *syntax.Literal, c class) (constant, error) {
	k := constant{class: c}
	var err error
	switch {
	case c == classTruth && (l.Kind == syntax.True || l.Kind == syntax.False):
		k.truth = l.Kind == syntax.True
	case c == classNumber && l.Kind == syntax.Number:
		k.number, err = parseNumber(l.Text)
	case c == classNumber && l.Kind == syntax.Text:
		k.special, err = parseSpecial(l.Text)
	case c == classSpan && (l.Kind == syntax.Duration || l.Kind == syntax.Text):
		k.number, err = ParseSpan(l.Text)
	case l.Kind != syntax.Text:
		err = errors.New(l.String() + " is not " + c.String())
	case c == classText:
		k.bytes = []byte(l.Text)
	case c == classBinary:
		k.bytes, err = parseHex(l.Text)
	case c == classDate:
		k.number, err = parseDate(l.Text)
	case c == classClock:
		k.number, err = ParseClock(l.Text)
	case c == classLocal, c == classInstant:
		k.number, err = ParseTimestamp(l.Text, c == classInstant)
	default:
		err = errors.New(l.String() + " is not " + c.String())
	}
	return k, err
}

// maxExponent bounds a number's exponent: no type holds more, and the digits
// of 1e999999999 would fill the memory.
const maxExponent = 400

func parseNumber(text string) (*big.Rat, error) {
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		exponent, ok := new(big.Int).SetString(text[i+1:], 10)
		if !ok || exponent.CmpAbs(big.NewInt(maxExponent)) > 0 {
			return nil, errors.New(text + " is out of every type's range")
		}
	}
	n, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil, errors.New(text + " is no number")
	}
	return n, nil
}

// parseSpecial reads the floats that no number is, as they are shown.
func parseSpecial(text string) (*float64, error) {
	var f float64
	switch text {
	case "NaN":
		f = math.NaN()
	case "inf":
		f = math.Inf(1)
	case "-inf":
		f = math.Inf(-1)
	default:
		return nil, errors.New("'" + text + "' is text, not a number")
	}
	return &f, nil
}

// parseHex reads binary as it is shown: \x and two digits a byte.
func parseHex(text string) ([]byte, error) {
	digits, ok := strings.CutPrefix(text, `\x`)
	if !ok {
		return nil, errors.New("'" + text + `' does not begin with \x`)
	}
	b, err := hex.DecodeString(digits)
	if err != nil {
		return nil, errors.New("'" + text + "' is not made of pairs of hexadecimal digits")
	}
	return b, nil
}
