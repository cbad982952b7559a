package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// walls says which rooms a room must not know, directly or through another.
var walls = map[string][]string{
	"arrowagg/internal/render":  {"arrowagg/internal/planner", "arrowagg/internal/groupby", "arrowagg/internal/ipcread"},
	"arrowagg/internal/groupby": {"arrowagg/internal/planner", "arrowagg/internal/render", "arrowagg/internal/ipcread"},
	"arrowagg/internal/planner": {"arrowagg/internal/render", "arrowagg/internal/ipcread"},
	"arrowagg/internal/ipcread": {"arrowagg/internal/planner", "arrowagg/internal/groupby", "arrowagg/internal/render"},
	"arrowagg/internal/scan": {
		"arrowagg/internal/planner", "arrowagg/internal/groupby", "arrowagg/internal/render", "arrowagg/internal/ipcread",
	},
	"arrowagg/internal/arrange": {
		"arrowagg/internal/planner", "arrowagg/internal/groupby", "arrowagg/internal/render", "arrowagg/internal/ipcread",
	},
	"arrowagg/internal/spill": {
		"arrowagg/internal/planner", "arrowagg/internal/render", "arrowagg/internal/ipcread", "arrowagg/internal/arrange",
	},
	"arrowagg/internal/tempfile": {"arrowagg/internal/", "github.com/"},
	"arrowagg/internal/exact":    {"arrowagg/internal/", "github.com/apache/arrow-go/v18/arrow/array"},
	"arrowagg/internal/civil":    {"arrowagg/internal/", "github.com/", "time"},
	"arrowagg/internal/warning":  {"arrowagg/internal/", "github.com/"},
	// What would make the program large, or let tests' tools into it.
	"arrowagg/cmd/arrowagg": {
		"arrowagg/internal/arrowtest", "testing",
		"github.com/apache/arrow-go/v18/arrow/compute", "github.com/apache/arrow-go/v18/arrow/csv",
		"github.com/apache/arrow-go/v18/arrow/scalar", "github.com/apache/arrow-go/v18/parquet",
	},
}

func TestWalls(t *testing.T) {
	t.Parallel()
	for room, forbidden := range walls {
		out, err := exec.Command("go", "list", "-deps", room).Output()
		if err != nil {
			t.Fatalf("go list -deps %s: %v", room, err)
		}
		for _, dep := range strings.Fields(string(out)) {
			for _, wall := range forbidden {
				if dep != room && (dep == wall || strings.HasPrefix(dep, strings.TrimSuffix(wall, "/")+"/")) {
					t.Errorf("%s knows %s", room, dep)
				}
			}
		}
	}
}

// eachFile parses every file of ours below root that is no test.
func eachFile(t *testing.T, root string, visit func(name string, fset *token.FileSet, f *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		visit(name, fset, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestOnlyTheCommandPrintsAndExits: packages below cmd return errors, and have
// no say in when the process ends or what stands on its outputs.
func TestOnlyTheCommandPrintsAndExits(t *testing.T) {
	forbidden := map[string][]string{
		"os":  {"Exit", "Stdout", "Stderr"},
		"fmt": {"Print", "Println", "Printf"},
		"log": nil, // all of it
	}
	eachFile(t, "../../internal", func(name string, fset *token.FileSet, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, ok := sel.X.(*ast.Ident)
			if !ok || pkg.Obj != nil {
				return true
			}
			names, watched := forbidden[pkg.Name]
			if watched && (names == nil || slices.Contains(names, sel.Sel.Name)) {
				t.Errorf("%s: %s.%s", fset.Position(n.Pos()), pkg.Name, sel.Sel.Name)
			}
			return true
		})
	})
}

// TestHouseRules: no registries filled behind the reader's back, no loose
// ends, no file that holds more than one idea can be told from.
func TestHouseRules(t *testing.T) {
	const mostLines = 500
	for _, root := range []string{"../../internal", ".", "../../testdata"} {
		eachFile(t, root, func(name string, fset *token.FileSet, f *ast.File) {
			if lines := fset.Position(f.End()).Line; lines > mostLines {
				t.Errorf("%s has %d lines", name, lines)
			}
			for _, group := range f.Comments {
				for _, mark := range []string{"TODO", "FIXME"} {
					if strings.Contains(group.Text(), mark) {
						t.Errorf("%s: %s", fset.Position(group.Pos()), mark)
					}
				}
			}
			for _, decl := range f.Decls {
				if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
					t.Errorf("%s: func init", fset.Position(fn.Pos()))
				}
			}
		})
	}
}

// TestEveryPackageIsExplained: a package comment says what the package is for,
// in more than a sentence.
func TestEveryPackageIsExplained(t *testing.T) {
	longest := map[string]int{}
	for _, root := range []string{"../../internal", ".", "../../testdata"} {
		eachFile(t, root, func(name string, _ *token.FileSet, f *ast.File) {
			dir := filepath.Dir(name)
			longest[dir] = max(longest[dir], len(f.Doc.Text()))
		})
	}
	for dir, length := range longest {
		if length < 300 {
			t.Errorf("%s: the package comment has %d characters", dir, length)
		}
	}
}

// TestTestdataIsGenerated: the committed inputs are what the generator writes.
func TestTestdataIsGenerated(t *testing.T) {
	t.Parallel()
	fresh := t.TempDir()
	gen := exec.Command("go", "run", "./testdata/gen", "-C", fresh)
	gen.Dir = "../.."
	if out, err := gen.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, dir := range []string{"workers", "special"} {
		names, err := filepath.Glob(filepath.Join("../../testdata", dir, "*"))
		if err != nil || len(names) == 0 {
			t.Fatal("no inputs in ", dir)
		}
		made, err := os.ReadDir(filepath.Join(fresh, dir))
		if err != nil || len(made) != len(names) {
			t.Errorf("%s: %d committed, %d generated, %v", dir, len(names), len(made), err)
		}
		for _, name := range names {
			want, err := os.ReadFile(filepath.Join(fresh, dir, filepath.Base(name)))
			if err != nil {
				t.Error(err)
				continue
			}
			if got, err := os.ReadFile(name); err != nil || string(got) != string(want) {
				t.Errorf("%s is not what the generator writes: %v", name, err)
			}
		}
	}
}
