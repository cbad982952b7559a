package groupby

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// Rows whose `by` is null are left out. A null x is a value like any other, but
// the last one: of rows with the same `by` the least x wins, so that the answer
// does not depend on their order.
var argMinFunction = argFunction("arg_min", "x of the row with the least y; of several the least x", true)

var argMaxFunction = argFunction("arg_max", "x of the row with the greatest y; of several the least x", false)

func argFunction(name, help string, least bool) Function {
	ordered := extremeFunction(name, "", least)
	direction := map[bool]string{true: "ASC", false: "DESC"}[least]
	return Function{
		Name:         name,
		Help:         help,
		MinArguments: 2,
		MaxArguments: 2,
		Merge:        "none",
		Bind: func(arguments []arrow.DataType, opt BindOptions) (arrow.DataType, error) {
			if _, err := ordered.Bind(arguments[1:], opt); err != nil {
				return nil, err
			}
			return ordered.Bind(arguments[:1], opt)
		},
		SQL: func(arguments []string, _ []arrow.DataType, _ arrow.DataType) string {
			x, by := arguments[0], arguments[1]
			return fmt.Sprintf("FIRST(%s ORDER BY %s %s, %s ASC NULLS LAST) FILTER (WHERE %s IS NOT NULL)",
				x, by, direction, x, by)
		},
		SQLNote: "DuckDB only: " + strings.ToUpper(name) + " is written with FIRST, for its rule about ties",
		accumulate: func(arguments []Column, _ arrow.DataType) (accumulator, error) {
			by, err := newOrderCode(valueType(arguments[1].Type), true)
			if err != nil {
				return nil, err
			}
			return newArg(valueType(arguments[0].Type), by, least)
		},
	}
}

// newArg returns the accumulator that keeps the x of the least or greatest by.
func newArg(x arrow.DataType, by orderCode, least bool) (accumulator, error) {
	code, err := newOrderCode(x, false)
	if err != nil {
		return nil, err
	}
	c := choice{by: by, x: code, flip: flipFor(least)}
	if code.words == 0 || by.words == 0 {
		return &argBytes{choice: c}, nil
	}
	return &argWords{choice: c}, nil
}

// choice is what is compared to choose a row: the codes of both arguments, and
// between them a mark that there is an x. It is written so that the greatest is
// the answer, and that nothing, all zeros, loses against everything:
//
//	| by, complemented for a minimum | 1 | x, complemented |
//	| by, complemented for a minimum | 0 | 0               |   x is null
type choice struct {
	by, x orderCode
	flip  uint64
}

func (c *choice) takesEach() [2]taking { return [2]taking{c.x.takes(), c.by.takes()} }
func (c *choice) needs() [2]bool       { return [2]bool{false, true} }

// argWords is a choice among values of fixed width; the record has its words.
type argWords struct {
	place
	pure
	choice
	chunk []uint64
}

func (a *argWords) words() int { return a.by.words + 1 + a.x.words }

func (a *argWords) updatePair(s *states, ids []uint32, x, y *vector) { a.fold(s, ids, x, y, nil) }

// fold is updatePair; above, unless nil, is what integers among floats have
// above y.
func (a *argWords) fold(s *states, ids []uint32, x, y, above *vector) {
	k, n := a.words(), len(ids)
	a.chunk = sized(a.chunk, k*n)
	a.by.put(a.chunk, k, n, y)
	if above != nil {
		for i, v := range above.ints[:n] {
			a.chunk[i*k+1] = orderedInt(v)
		}
	}
	if x.lane != laneNone {
		a.x.put(a.chunk[a.by.words+1:], k, n, x)
	}
	for i, id := range ids {
		words := a.chunk[i*k : (i+1)*k]
		a.complete(words, x.has(i))
		a.keep(s, id, words)
	}
}

// complete makes a choice of the codes in words.
func (a *argWords) complete(words []uint64, has bool) {
	for k := range words[:a.by.words] {
		words[k] ^= a.flip
	}
	words = words[a.by.words:]
	if !has {
		clear(words)
		return
	}
	words[0] = 1
	for k, w := range words[1:] {
		words[k+1] = ^w
	}
}

// keep replaces the group's choice if another is greater.
func (a *argWords) keep(s *states, id uint32, words []uint64) {
	old := s.records[int(id)*s.stride+a.at:][:len(words)]
	if slices.Compare(words, old) > 0 {
		copy(old, words)
	}
}

func (a *argWords) merge(s *states, ids []uint32, from *states, other accumulator, rows []uint32) {
	b := other.(*argWords)
	for i, row := range rows {
		a.keep(s, ids[i], from.records[int(row)*from.stride+b.at:][:a.words()])
	}
}

func (a *argWords) finish(s *states, groups []uint32, out *column) int {
	put := a.x.wordDecoder(out)
	var value [4]uint64
	for i, id := range groups {
		words := s.records[int(id)*s.stride+a.at:][:a.words()][a.by.words:]
		for k, w := range words[1:] {
			value[k] = ^w
		}
		if put(i, value[:a.x.words]); words[0] == 0 {
			out.setNull(i)
		}
	}
	return -1
}
