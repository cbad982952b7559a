package planner

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// Each archive in testdata is a query and its inputs, and what --explain and
// --sql print for them. The comment at its head has one flag a line; the SQL
// has been run in DuckDB and in DataFusion.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%v, %d files", err, len(paths))
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			inputs := inputFiles(archive)
			p, _ := mustBind(t, flagLines(t, string(archive.Comment)), inputs...)
			got := append(archive.Files[:len(inputs):len(inputs)],
				txtar.File{Name: "explain", Data: []byte(explainText(p))},
				txtar.File{Name: "sql", Data: []byte(sqlText(p))})
			text := string(txtar.Format(&txtar.Archive{Comment: archive.Comment, Files: got}))
			if *update {
				if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want := string(txtar.Format(archive)); text != want {
				t.Errorf("%s differs (go test -update rewrites it); got:\n%s", path, text)
			}
		})
	}
}

func inputFiles(archive *txtar.Archive) []Source {
	var list []Source
	for _, f := range archive.Files {
		if f.Name != "explain" && f.Name != "sql" {
			list = append(list, source(f.Name, string(f.Data)))
		}
	}
	return list
}

func flagLines(t *testing.T, comment string) Flags {
	t.Helper()
	var f Flags
	for line := range strings.Lines(comment) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch name {
		case "", "#":
		case "-g":
			f.GroupBy = append(f.GroupBy, value)
		case "-a":
			f.Aggregates = append(f.Aggregates, value)
		case "-x":
			f.Exclude = append(f.Exclude, value)
		case "-w":
			f.Where = value
		case "--having":
			f.Having = value
		case "-s":
			f.Sort = append(f.Sort, value)
		case "-n":
			limit, err := strconv.Atoi(value)
			if err != nil {
				t.Fatal(err)
			}
			f.Limit = &limit
		case "--source":
			f.Source = value
		case "--tz":
			f.Zone = value
		case "--no-keys":
			f.NoKeys = true
		case "--union-by-name":
			f.UnionByName = true
		case "--int-sum":
			f.IntSum = value
		default:
			t.Fatalf("unknown flag %q", name)
		}
	}
	return f
}

// explainText writes the rows of Explain with bars between the cells, nulls
// empty.
func explainText(p *Plan) string {
	rec := p.Explain()
	defer rec.Release()
	var names []string
	for _, f := range rec.Schema().Fields() {
		names = append(names, f.Name)
	}
	text := strings.Join(names, " | ") + "\n"
	for row := range int(rec.NumRows()) {
		var cells []string
		for i := range names {
			cell := ""
			if column := rec.Column(i).(*array.String); column.IsValid(row) {
				cell = column.Value(row)
			}
			cells = append(cells, cell)
		}
		text += strings.TrimRight(strings.Join(cells, " | "), " |") + "\n"
	}
	return text
}

func sqlText(p *Plan) string {
	sql, err := p.SQL()
	if err == nil {
		return sql
	}
	var lines []string
	for _, e := range each(err) {
		lines = append(lines, errorText(e)+"\n")
	}
	return strings.Join(lines, "")
}
