package ipcread

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// dictionaryStream writes one batch for each dictionary given, its indices
// walking over the whole of it. Where a dictionary begins like the one before,
// arrow-go writes a delta, else a replacement.
func dictionaryStream(value arrow.DataType, dictionaries []arrow.Array) []byte {
	t := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int16, ValueType: value}
	schema := arrow.NewSchema([]arrow.Field{{Name: "k", Type: t, Nullable: true}}, nil)
	var b bytes.Buffer
	w := ipc.NewWriter(&b, ipc.WithSchema(schema), ipc.WithDictionaryDeltas(true))
	for _, values := range dictionaries {
		indices := array.NewInt16Builder(memory.DefaultAllocator)
		for i := range values.Len() {
			indices.Append(int16(i))
		}
		indices.AppendNull()
		column := array.NewDictionaryArray(t, indices.NewArray(), values)
		if err := w.Write(array.NewRecordBatch(schema, []arrow.Array{column}, int64(column.Len()))); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// dictionaries makes some that grow, with a replacement now and then.
func (g gen) dictionaries(value arrow.DataType) (list []arrow.Array) {
	all := g.array(value, 200)
	from, to := 0, 1+g.IntN(9)
	for range 12 {
		list = append(list, array.NewSlice(all, int64(from), int64(to)))
		to += g.IntN(12)
		if g.IntN(6) == 0 {
			from += g.IntN(to - from)
		}
	}
	return list
}

// TestDictionaryVersions: every batch has the values it was written with,
// whether the whole stream is framed first or batches are decoded as they come.
func TestDictionaryVersions(t *testing.T) {
	for i, value := range flatTypes {
		// Fixed seeds: arrow-go's writer takes float dictionaries that differ
		// by very little for equal, and then writes what was not meant.
		seed := uint64(i)
		g := gen{rand.New(rand.NewPCG(seed, 0))}
		dictionaries := g.dictionaries(value)
		b := dictionaryStream(value, dictionaries)
		batches, err := framed(b)
		if err != nil || len(batches) != len(dictionaries) {
			t.Fatalf("seed %d, %v: %d batches, %v", seed, value, len(batches), err)
		}
		for _, asTheyCome := range []bool{false, true} {
			d := newDecoder(testDecoding())
			var kept []arrow.Array // dictionaries handed out, which must not change
			if asTheyCome {
				batches = reframed(batches)
			}
			for i := range batches {
				f := &batches[i]
				want := append(cells(dictionaries[i]), "∅")
				arrays, err := d.decode(f, 0, f.msg.Rows(), []int{0})
				if err != nil {
					t.Fatalf("seed %d, %v, batch %d: %v", seed, value, i, err)
				}
				if got := texts(arrays)[0]; !slices.Equal(got, want) {
					t.Fatalf("seed %d, %v, batch %d: %v, want %v", seed, value, i, got, want)
				}
				kept = append(kept, array.MakeFromData(arrays[0].Dictionary()))
			}
			for i, values := range kept {
				if got, want := cells(values), cells(dictionaries[i]); !slices.Equal(got[:len(want)], want) {
					t.Fatalf("seed %d, %v, dictionary %d changed: %v, want %v", seed, value, i, got, want)
				}
			}
		}
	}
}

// reframed gives each batch a lineage that ends with its own version, so that
// the values are decoded as if nothing followed, but grow from one to the next.
func reframed(batches []framedBatch) []framedBatch {
	list := slices.Clone(batches)
	var last *Dictionaries
	for i := range list {
		v := list[i].dicts.version(0)
		parts := v.lineage.parts[:v.parts]
		if had := last.version(0); had == nil || had.lineage.parts[0].at != parts[0].at {
			last = nil
		} else {
			parts = parts[had.parts:]
		}
		for _, p := range parts {
			last, _ = last.with(p.message, p.at)
		}
		list[i].dicts = last
		if _, err := last.version(0).decoded(testDecoding()); err != nil {
			panic(err)
		}
	}
	return list
}

// TestDictionaryBranches: continuing an old snapshot leaves the others alone.
func TestDictionaryBranches(t *testing.T) {
	words := stringsArray("a", "b", "c", "d")
	b := dictionaryStream(arrow.BinaryTypes.String, []arrow.Array{
		array.NewSlice(words, 0, 1), array.NewSlice(words, 0, 2), words,
	})
	batches, err := framed(b)
	if err != nil {
		t.Fatal(err)
	}
	parts := batches[2].dicts.version(0).lineage.parts
	branch, err := batches[0].dicts.with(parts[2].message, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		dicts  *Dictionaries
		values string
	}{{branch, "[a c d]"}, {batches[2].dicts, "[a b c d]"}, {batches[1].dicts, "[a b]"}} {
		v := want.dicts.version(0)
		values, err := v.decoded(testDecoding())
		if err != nil {
			t.Fatal(err)
		}
		a := array.MakeFromData(values).(*array.String)
		var got []string
		for j := range v.length {
			got = append(got, a.Value(int(j)))
		}
		if fmt.Sprint(got) != want.values {
			t.Errorf("%d: %v, want %s", i, got, want.values)
		}
	}
}

func stringsArray(values ...string) arrow.Array {
	b := array.NewStringBuilder(memory.DefaultAllocator)
	b.AppendValues(values, nil)
	return b.NewArray()
}

// TestDictionariesShared decodes one stream in several goroutines.
func TestDictionariesShared(t *testing.T) {
	g := gen{rand.New(rand.NewPCG(1, 2))}
	batches, err := framed(dictionaryStream(arrow.BinaryTypes.String, g.dictionaries(arrow.BinaryTypes.String)))
	if err != nil {
		t.Fatal(err)
	}
	shared := testDecoding()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			d := newDecoder(shared)
			for i := range batches {
				if _, err := d.decode(&batches[i], 0, batches[i].msg.Rows(), []int{0}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// TestManyDictionaries: a snapshot shares all but a little with the one before.
func TestManyDictionaries(t *testing.T) {
	var d *Dictionaries
	const n = 10000
	for i := range n {
		d = d.replace(i, &version{parts: i})
	}
	for i := range n {
		if v := d.version(i); v == nil || v.parts != i {
			t.Fatal(i, v)
		}
	}
	if d.version(n+chunkSize) != nil {
		t.Error("one too many")
	}
}

// TestDamagedDelta: what came before a damaged delta can be used, what comes
// after cannot, and nothing depends on when it is asked for.
func TestDamagedDelta(t *testing.T) {
	words := stringsArray("aa", "bb", "cc", "dd")
	b := dictionaryStream(arrow.BinaryTypes.String, []arrow.Array{
		array.NewSlice(words, 0, 1), array.NewSlice(words, 0, 3), words,
	})
	at := bytes.Index(b, []byte("bbcc"))
	b[at] = 0xFF
	batches, err := framed(b)
	if err != nil {
		t.Fatal(err)
	}
	d := newDecoder(testDecoding())
	for _, i := range []int{2, 0, 1, 0, 2} {
		_, err := d.decode(&batches[i], 0, batches[i].msg.Rows(), []int{0})
		if i == 0 && err != nil || i > 0 && !errors.Is(err, ErrCorrupt) {
			t.Errorf("batch %d: %v", i, err)
		}
		if i > 0 && !strings.Contains(fmt.Sprint(err), "dictionary with id 0 at byte ") {
			t.Errorf("batch %d: %v", i, err)
		}
	}
	// A column that is not asked for is not looked at.
	if _, err := d.decode(&batches[2], 0, batches[2].msg.Rows(), []int{-1}); err != nil {
		t.Error(err)
	}
}

// TestDictionaryBudget: memory is given back once nobody can ask for it.
func TestDictionaryBudget(t *testing.T) {
	g := gen{rand.New(rand.NewPCG(3, 4))}
	b := dictionaryStream(arrow.BinaryTypes.String, g.dictionaries(arrow.BinaryTypes.String))
	batches, err := framed(b)
	if err != nil {
		t.Fatal(err)
	}
	small := newDecoding(Options{MaxBuffer: 1 << 20, Scratch: 300}.withDefaults())
	_, err = newDecoder(small).decode(&batches[11], 0, batches[11].msg.Rows(), []int{0})
	if !errors.Is(err, ErrLimit) {
		t.Errorf("a dictionary over the limit: %v", err)
	}
	if batches, err = framed(b); err != nil { // errors stay with a version
		t.Fatal(err)
	}
	large := testDecoding()
	if _, err := batches[11].dicts.version(0).decoded(large); err != nil || large.scratch.taken.Load() == 0 {
		t.Errorf("%v, %d bytes taken", err, large.scratch.taken.Load())
	}
	batches = nil
	for range 100 {
		runtime.GC()
		if large.scratch.taken.Load() == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d bytes not given back", large.scratch.taken.Load())
}

// TestSharedDictionary: two fields may have one dictionary, of one type only.
func TestSharedDictionary(t *testing.T) {
	files := corpusFiles(t, "arrow-testing/stream/4.0.0-shareddict")
	for name, b := range files {
		batches, err := framed(b)
		if err != nil {
			t.Fatal(name, err)
		}
		schema := batches[0].schema
		if len(schema.Dictionaries) >= len(schema.Columns) {
			t.Errorf("%s: %d dictionaries of %d columns", name, len(schema.Dictionaries), len(schema.Columns))
		}
		arrays, err := newDecoder(testDecoding()).decode(&batches[0], 0, batches[0].msg.Rows(), readableColumns(schema))
		if err != nil {
			t.Fatal(name, err)
		}
		seen := map[int]arrow.ArrayData{}
		for i, c := range schema.Columns {
			if c.Dictionary < 0 {
				continue
			}
			if had, ok := seen[c.Dictionary]; ok && had != arrays[i].Dictionary() {
				t.Errorf("%s: column %d has a dictionary of its own", name, i)
			}
			seen[c.Dictionary] = arrays[i].Dictionary()
		}
	}
}
