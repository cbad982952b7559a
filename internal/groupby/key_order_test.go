package groupby

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// TestKeyOrderIsThatOfTheResult: for keys of every type, the bytes of one group
// of a result compare less than those of the next.
func TestKeyOrderIsThatOfTheResult(t *testing.T) {
	for _, typ := range keyTypes {
		for seed := range uint64(5) {
			rng := rand.New(rand.NewPCG(seed, 31))
			second := keyTypes[rng.IntN(len(keyTypes))]
			spec := specOf([]Column{{Name: "a", Type: typ}, {Name: "b", Type: second}})
			table := [][]any{randomCells(rng, typ, 300), randomCells(rng, second, 300)}
			exporting, err := spec.Exporting()
			if err != nil {
				t.Fatal(err)
			}
			_, stream, err := feedings[0].run(rng, exporting, table)
			if err != nil {
				t.Fatal(err)
			}
			r, err := ipc.NewReader(bytes.NewReader(stream))
			if err != nil {
				t.Fatal(err)
			}
			order, last, rows := NewKeyOrder(exporting), []byte(nil), 0
			for r.Next() {
				n := r.RecordBatch().NumRows()
				for _, cut := range [][2]int64{{0, min(1, n)}, {min(1, n), n}} { // rows are counted from a slice's beginning
					part := r.RecordBatch().NewSlice(cut[0], cut[1])
					last, rows = checkOrder(t, order, part, last, rows)
					part.Release()
				}
			}
			r.Release()
			if rows == 0 {
				t.Errorf("%s: no groups", typ)
			}
		}
	}
}

func checkOrder(t *testing.T, order *KeyOrder, batch arrow.RecordBatch, last []byte, rows int) ([]byte, int) {
	t.Helper()
	if err := order.Bind(batch); err != nil {
		t.Fatal(err)
	}
	for row := range int(batch.NumRows()) {
		key, _ := order.Append(nil, row)
		if rows > 0 && bytes.Compare(last, key) >= 0 {
			t.Fatalf("%s, %s: group %d: %x after %x", batch.Column(0).DataType(), batch.Column(1).DataType(), rows, key, last)
		}
		last, rows = key, rows+1
	}
	return last, rows
}
