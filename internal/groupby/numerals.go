package groupby

import (
	"encoding/binary"
	"math/bits"
)

// numerals leads from short strings to codes where these have one length and
// differ in nothing but digits, as host-00042 and id0000000017 do: the last
// eight bytes, digits less their '0' and the others, which all have in common,
// as zeros, are a number, and for that denseWords has a place:
//
//	h o s t - 0 0 0 4 2
//	├─┤ └─────────────┘
//	head      tail        42
//
// Equal numbers are equal strings, for a string that is not like the others has
// no number. It only shortens the way, as denseWords does.
type numerals struct {
	length   int // of all
	head     uint64
	headMask uint64
	tail     uint64 // '0' where all have a digit
	least    uint64 // by byte: gives a top bit if it is added to what is no digit, or not the common byte's 0
	dense    *denseWords
}

const (
	wordTail    = 8 // bytes
	eachByte    = 0x0101010101010101
	topBits     = 0x80 * eachByte
	asciiZeros  = '0' * eachByte
	aboveDigits = (0x80 - 10) * eachByte // gives a top bit if it is added to 10 or more
)

// headAndTail are a key's last eight bytes and what is before them, as words
// whose lowest byte is the first.
func headAndTail(key [2]uint64) (head, tail uint64) {
	left := 8 * (key[1]&0xff - wordTail)
	return bits.ReverseBytes64(key[0] &^ (^uint64(0) >> left)), bits.ReverseBytes64(key[0]<<left | key[1]>>(64-left))
}

// newNumerals returns what leads from a table's keys, whose codes count from 1,
// to these; nil if they are not alike, or so short that recent finds them as fast.
func newNumerals(keys [][2]uint64) *numerals {
	n := &numerals{length: int(keys[0][1] & 0xff)}
	if n.length < wordTail || n.length > shortBytes {
		return nil
	}
	var first, differ, others uint64
	n.head, first = headAndTail(keys[0])
	n.headMask = 1<<(8*(n.length-wordTail)) - 1
	for _, key := range keys {
		head, tail := headAndTail(key)
		if int(key[1]&0xff) != n.length || head != n.head {
			return nil
		}
		differ |= tail ^ first
		x := tail ^ asciiZeros
		others |= x + aboveDigits | x
	}
	common := others & topBits >> 7 * 0xff // bytes that are no digits in all
	if differ&common != 0 {
		return nil
	}
	n.tail = asciiZeros&^common | first&common
	n.least = aboveDigits&^common | 0x7f*eachByte&common
	words := make([]uint64, len(keys))
	for i, key := range keys {
		words[i] = n.number(key)
	}
	if n.dense = newDense(words); n.dense == nil {
		return nil
	}
	for i, word := range words {
		n.dense.put(word, uint32(i+1))
	}
	return n
}

// number is a short key's number, or a word that has no place.
func (n *numerals) number(key [2]uint64) uint64 {
	if int(key[1]&0xff) != n.length {
		return oddBit(1)
	}
	head, tail := headAndTail(key)
	x := tail ^ n.tail
	return eightDigits(x) | oddBit((x+n.least|x)&topBits|(head^n.head))
}

// eightDigits is the number with these digits, the first in the lowest byte: two
// and two neighbors are put together, then those, then these.
func eightDigits(x uint64) uint64 {
	x = x * (10<<8 + 1) >> 8 & (0xff * (1 + 1<<16 + 1<<32 + 1<<48))
	x = x * (100<<16 + 1) >> 16 & (0xffff * (1 + 1<<32))
	return x * (10000<<32 + 1) >> 32
}

// put notes the code of a key, if there are numerals and the key has a place.
func (n *numerals) put(key [2]uint64, code uint32) {
	if n != nil {
		n.dense.put(n.number(key), code)
	}
}

func (n *numerals) size() int64 {
	if n == nil {
		return 0
	}
	return n.dense.size()
}

// look writes the codes that are known and lists the rows of other values.
func (n *numerals) look(codes []uint32, v *vector, s *internScratch) (missed int) {
	s.words = sized(s.words, v.n)
	if !n.split(s.words, v) {
		n.splitMixed(s.words, v)
	}
	least := n.least
	for i, x := range s.words {
		s.words[i] = eightDigits(x) | oddBit((x+least|x)&topBits)
	}
	return n.dense.probe(codes, s)
}

// oddBit is what makes a word one that no string of digits has, unless x is 0.
func oddBit(x uint64) uint64 { return (x | -x) & (1 << 63) }

// split writes what the last eight bytes differ in from those that all have in
// common, if all values have the length and the head.
func (n *numerals) split(words []uint64, v *vector) bool {
	length, tail := n.length, n.tail
	at, other := int(v.offsets[0]), 0
	for _, end := range v.offsets[1:][:len(words)] {
		at += length
		other |= at ^ int(end)
	}
	if other != 0 {
		return false
	}
	b := v.bytes[v.offsets[0]:at]
	if length == wordTail {
		for i := range words {
			words[i] = binary.LittleEndian.Uint64(b) ^ tail
			b = b[wordTail:]
		}
		return true
	}
	head, differ := n.head, uint64(0)
	for i := range words {
		value := b[:length]
		differ |= binary.LittleEndian.Uint64(value) ^ head
		words[i] = binary.LittleEndian.Uint64(value[len(value)-wordTail:]) ^ tail
		b = b[length:]
	}
	return differ&n.headMask == 0
}

// splitMixed is split for any values: what is not like the others differs in
// everything.
func (n *numerals) splitMixed(words []uint64, v *vector) {
	b, length := v.bytes, n.length
	for i := range words {
		from, to := int(v.offsets[i]), int(v.offsets[i+1])
		words[i] = ^uint64(0)
		if to-from == length && (binary.LittleEndian.Uint64(b[from:])^n.head)&n.headMask == 0 {
			words[i] = binary.LittleEndian.Uint64(b[to-wordTail:]) ^ n.tail
		}
	}
}
