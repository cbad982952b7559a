package ipcread

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// readFromHostile are the files of the hostile corpus that are right in what a
// plan reads of them, and what they hold. All others must be refused.
var readFromHostile = map[string]string{
	"buffer_unaligned_offset":              "[[[2199023255552]]]", // odd, and what its bytes say
	"control_good":                         "[[[1 2]]]",
	"dict_control":                         "[[[10 20 10]]]",
	"dict_garbage_index_under_null":        "[[[20 ∅]]]",
	"dict_late_after_allnull_batch":        "[[[∅ ∅]] [[10 20]]]",
	"dict_never_allnull_batch":             "[[[∅ ∅]]]",
	"dict_null_in_values_valid":            "[[[5 ∅ 5 ∅]]]",
	"dict_trailing_dict_no_batch":          "[[[10 20]]]",
	"dict_two_delta_before_second_dict":    "[[[10] [7]]]",
	"dict_two_replaced_before_first_batch": "[[[11] [7]]]",
	"null_nullcount_0":                     "[[[∅ ∅ ∅]]]",
	"nullcount_0_but_bitmap":               "[[[1 2]]]",
	"nullcount_minus1":                     "[[[1 ∅]]]",
	"schema_50000_fields":                  "[]",
	"timestamp_bad_tz":                     "[[[... ...]]]", // the zone is the plan's affair
	"utf8_nonzero_first_offset":            `[[["c" "def"]]]`,
	"zstd_window_8MiB":                     "[[[1 2]]]",

	// What no plan can use.
	"dict_of_struct_ree_valid": "[[[]]]",
	"dict_of_union_valid":      "[[[]]]",
	"fsb_width_zero":           "[[[]]]",
	"listview_control":         "[[[]]]",
	"union_in_struct_valid":    "[[[]]]",
}

// foundByCheck are those that are wrong in what no plan can use, at which a
// check alone looks.
var foundByCheck = []string{
	"list_decreasing", "list_off_oob", "listview_neg", "listview_oob",
	"union_bad_offset", "union_bad_typeid", "union_neg_offset", "union_neg_typeid",
}

// answeredElsewhere are those with tests of their own.
var answeredElsewhere = []string{"null_len_1e15", "fsl_size0_1e12", "bool_len_1e12", "dict_3000_deltas_valid"}

// TestHostile reads what is made to break readers, in bounded memory.
func TestHostile(t *testing.T) {
	for name, b := range corpusFiles(t, "hostile") {
		short := strings.TrimSuffix(filepath.Base(name), ".arrows")
		if slices.Contains(answeredElsewhere, short) {
			continue
		}
		before := allocated()
		got, err := decodeAll(b)
		if used := allocated() - before; used > 32<<20+uint64(20*len(b)) {
			t.Errorf("%s: %d bytes of memory for %d", name, used, len(b))
		}
		want, good := readFromHostile[short]
		if slices.Contains(foundByCheck, short) {
			want, good = "[[[]]]", true
		}
		switch {
		case good && (err != nil || fmt.Sprint(got) != want):
			t.Errorf("%s: %v, %v, want %s", name, got, err, want)
		case !good && err == nil:
			t.Errorf("%s: read as %v", name, got)
		}
	}
}

func TestFuzzFound(t *testing.T) {
	for name, b := range corpusFiles(t, "fuzzfound") {
		// 7_2 damages a map, which no plan can use.
		got, err := decodeAll(b)
		if err == nil && !strings.HasSuffix(name, "7_2.arrows") {
			t.Errorf("%s: read as %v", name, got)
		}
	}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// TestRowsWithoutBytes: rows that nothing stands for take no time.
func TestRowsWithoutBytes(t *testing.T) {
	files := corpusFiles(t, "hostile")
	for name, want := range map[string]string{
		"null_len_1e15":  "1000000000000000 nulls",
		"fsl_size0_1e12": "not read",
		"bool_len_1e12":  "values buffer of 8 bytes is too short for 1000000000000 rows",
	} {
		batches, err := framed(files["hostile/"+name+".arrows"])
		if err != nil {
			t.Fatal(name, err)
		}
		f := &batches[0]
		if f.splittable() {
			t.Errorf("%s: would be cut into morsels", name)
		}
		arrays, err := newDecoder(testDecoding()).decode(f, 0, f.msg.Rows(), readableColumns(f.schema))
		got := ""
		switch {
		case err != nil:
			got = err.Error()
		case arrays[0] == nil:
			got = "not read"
		default:
			got = fmt.Sprintf("%d nulls", arrays[0].NullN())
		}
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestManyDeltas: a stream of 3001 dictionary messages, a batch after each, is
// decoded once and not copied for each batch.
func TestManyDeltas(t *testing.T) {
	batches, err := framed(corpusFiles(t, "hostile")["hostile/dict_3000_deltas_valid.arrows"])
	if err != nil {
		t.Fatal(err)
	}
	d := newDecoder(testDecoding())
	before := allocated()
	for i := range batches {
		f := &batches[i]
		arrays, err := d.decode(f, 0, f.msg.Rows(), []int{0})
		if err != nil {
			t.Fatal(err)
		}
		if arrays[0].Dictionary() != batches[0].dicts.version(0).values {
			t.Fatal("a dictionary of its own")
		}
	}
	if used := allocated() - before; used > 4<<20 {
		t.Errorf("%d bytes for 400 kB of input", used)
	}
}

// TestErrorKinds: what the caller can tell apart.
func TestErrorKinds(t *testing.T) {
	files := corpusFiles(t, "hostile")
	for name, kind := range map[string]error{
		"utf8_decreasing":      ErrCorrupt,
		"zstd_window_512MiB":   ErrLimit,
		"zstd_usize_too_small": ErrCorrupt,
	} {
		_, err := decodeAll(files["hostile/"+name+".arrows"])
		var column *columnError
		if !errors.Is(err, kind) || !errors.As(err, &column) || column.column == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	batches, _ := framed(files["hostile/zstd_window_8MiB.arrows"])
	_, err := newDecoder(newDecoding(Options{MaxBuffer: 8, Scratch: 1 << 20}.withDefaults())).decode(&batches[0], 0, batches[0].msg.Rows(), []int{0})
	if !errors.Is(err, ErrLimit) {
		t.Errorf("a buffer over the limit: %v", err)
	}
	_, err = newDecoder(newDecoding(Options{MaxBuffer: 1 << 20, Scratch: 8}.withDefaults())).decode(&batches[0], 0, batches[0].msg.Rows(), []int{0})
	if !errors.Is(err, ErrLimit) {
		t.Errorf("buffers over the limit in all: %v", err)
	}
	lists, _ := framed(files["hostile/listview_control.arrows"])
	_, err = newDecoder(newDecoding(Options{}.withDefaults())).decode(&lists[0], 0, lists[0].msg.Rows(), []int{0})
	if !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a list: %v", err)
	}
}
