package groupby

import (
	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/exact"
)

// portableProducts are sums of products whose states travel in one column.
type portableProducts interface {
	products
	stateField(name string) arrow.Field
	export(s *states, groups []uint32, out *column)
	load(s *states, ids []uint32, in *vector) (bad int)
}

// A sum of products of doubles travels as the bytes of a superaccumulator,
// whose form is canonical where four terms are not. Zero has no bytes.
func (a *productSum) stateField(name string) arrow.Field {
	return arrow.Field{Name: name, Type: arrow.BinaryTypes.Binary, Nullable: true}
}

func (a *productSum) export(s *states, groups []uint32, out *column) {
	var form []byte
	for _, id := range groups {
		var few exact.ProductSum
		sum, words := &few, a.of(s, id)
		if words[0] == promoted {
			sum = &a.large[words[1]]
		} else {
			for _, t := range expansionOf(words) {
				few.Add(t)
			}
		}
		form = form[:0]
		if !sum.IsZero() {
			form = sum.AppendBinary(form)
		}
		out.append(form)
	}
}

func (a *productSum) load(s *states, ids []uint32, in *vector) int {
	for i, id := range ids {
		form := in.at(i)
		if len(form) == 0 {
			continue
		}
		sum, err := exact.DecodeProductSum(form)
		if err != nil || sum.IsZero() {
			return i
		}
		a.addSum(a.of(s, id), &sum)
	}
	return -1
}

// addSum adds a superaccumulator, as terms where few enough are the sum, so
// that groups do not stay promoted for having travelled.
func (a *productSum) addSum(words []uint64, sum *exact.ProductSum) {
	var terms exact.Expansion
	rest := *sum
	for i := range terms {
		terms[i] = rest.Round()
		rest.Add(-terms[i])
	}
	if !rest.IsZero() {
		a.promote(words).Merge(sum)
		return
	}
	for _, t := range terms {
		if t != 0 {
			a.add(words, t)
		}
	}
}

// A sum of products of integers travels as the words of the record, most
// significant byte first.
func (a *intProducts) stateField(name string) arrow.Field {
	return arrow.Field{Name: name, Type: &arrow.FixedSizeBinaryType{ByteWidth: 8 * a.width}, Nullable: true}
}

func (a *intProducts) export(s *states, groups []uint32, out *column) {
	for i, id := range groups {
		putWords(out.fixed[i*out.width:], a.of(s, id))
	}
}

func (a *intProducts) load(s *states, ids []uint32, in *vector) int {
	words := make([]uint64, a.width)
	for i, id := range ids {
		takeWords(words, in.at(i))
		if !travels(int64(words[a.width-1])) {
			return i
		}
		sum := a.of(s, id)
		if addSigned(sum, words); !travels(int64(sum[a.width-1])) {
			return i
		}
	}
	return -1
}

// A weighted mean travels as the sum of its products and that of its weights.
func (a *weightedMean) stateFields(out arrow.DataType) []arrow.Field {
	fields := []arrow.Field{a.products.(portableProducts).stateField("products")}
	for _, f := range a.weights.(portable).stateFields(out) {
		f.Name = "weights_" + f.Name
		fields = append(fields, f)
	}
	return fields
}

func (a *weightedMean) export(s *states, groups []uint32, out []*column) int {
	a.products.(portableProducts).export(s, groups, out[0])
	return a.weights.(portable).export(s, groups, out[1:])
}

func (a *weightedMean) load(s *states, ids []uint32, in []*vector) int {
	for i := range ids {
		if !in[1].has(i) {
			return i
		}
	}
	return firstOf(a.products.(portableProducts).load(s, ids, in[0]), a.weights.(portable).load(s, ids, in[1:]))
}
