package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"arrowagg/internal/arrowtest"
)

// TestEnvironmentChangesNothing sets every variable that something linked into
// the program asks for, and those that programs like it often obey, and
// compares bytes.
func TestEnvironmentChangesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("lists packages and runs the program once a variable")
	}
	names := variablesOfLibraries(t)
	for _, known := range []string{"RUNEWIDTH_EASTASIAN", "LC_ALL", "BASH_COMP_DEBUG_FILE"} {
		if !slices.Contains(names, known) {
			t.Errorf("%s is not among the variables found: the search is broken", known)
		}
	}
	names = append(names,
		"LANG", "LANGUAGE", "LC_CTYPE", "LC_NUMERIC", "LC_TIME", "LC_COLLATE", "TZ", "ZONEINFO",
		"COLUMNS", "LINES", "TERM", "CI", "CLICOLOR", "CLICOLOR_FORCE", "FORCE_COLOR", "PAGER", "HOME",
		"POSIXLY_CORRECT", "SOURCE_DATE_EPOCH", "ARROWAGG_DEBUG", "ARROWAGG_ACTIVE_HELP", "COBRA_ACTIVE_HELP",
		"ARROWAGG_COMPLETION_DESCRIPTIONS", "COBRA_COMPLETION_DESCRIPTIONS")
	names = slices.DeleteFunc(names, func(name string) bool {
		return slices.Contains(environment(), name) || name == "GODEBUG" // the Go runtime's own
	})

	dir := t.TempDir()
	input := arrowtest.Must("k utf8 | ts timestamp[ms, Europe/Berlin] | v_sum float64\n" +
		"±½→α① | 2024-03-31T01:00:00 | 1234567.5\n" + // wide in the eyes of some locales
		"東京👩‍🚀 | 2024-10-27T01:00:00 | null\n")
	b, err := input.Encode(arrowtest.Encoding{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.arrows"), b, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"a.arrows"},
		{"--color", "always", "a.arrows"},
		{"-f", "csv", "a.arrows"},
		{"-f", "json", "a.arrows"},
		{"-f", "arrows", "a.arrows"},
		{"--check", "a.arrows"},
		{"--explain", "a.arrows"},
		{"--sql", "a.arrows"},
		{"--help"},
		{"--man"},
		{"--version"},
		{"completion", "bash"},
		{"__complete", "a.arrows", "-g", ""},
		{"-g", "nosuch", "a.arrows"},
		{"missing.arrows"},
	} {
		want := printed(t, dir, nil, args)
		for _, value := range []string{"1", "0", "ON", "dumb", "xterm-kitty", "ja_JP.UTF-8", "tr_TR", "Asia/Tokyo", "/nowhere"} {
			var hostile []string
			for _, name := range names {
				hostile = append(hostile, name+"="+value)
			}
			if got := printed(t, dir, hostile, args); got != want {
				t.Errorf("arrowagg %q with all variables %q:\n%s\nand without:\n%s", args, value, got, want)
			}
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("a variable made the program write files: %v", left)
	}
}

// printed is all that a run prints, and how it ends.
func printed(t *testing.T, dir string, environment, args []string) string {
	t.Helper()
	path, err := exec.LookPath("arrowagg")
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, append([]string{"PATH=", withoutExitSleep}, environment...), &stdout, &stderr
	cmd.Run()
	return strconv.Itoa(cmd.ProcessState.ExitCode()) + "\n" + stdout.String() + "\n" + stderr.String()
}

// variablesOfLibraries finds the names that the packages linked into the
// program, the standard library's aside, pass to os.Getenv or os.LookupEnv:
// literals, and constants of the same package.
func variablesOfLibraries(t *testing.T) []string {
	t.Helper()
	const format = `{{if not .Standard}}{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{end}}`
	list, err := exec.Command("go", "list", "-deps", "-f", format, ".").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	constants := map[string]string{} // by directory and name
	asked := map[string][]string{}   // by directory: names of constants
	var names []string
	for file := range strings.FieldsSeq(string(list)) {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Dir(file)
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i, v := range n.Values {
					if text, ok := literal(v); ok && i < len(n.Names) {
						constants[dir+" "+n.Names[i].Name] = text
					}
				}
			case *ast.CallExpr:
				fn, ok := n.Fun.(*ast.SelectorExpr)
				if !ok || fn.Sel.Name != "Getenv" && fn.Sel.Name != "LookupEnv" || len(n.Args) != 1 {
					break
				}
				if text, ok := literal(n.Args[0]); ok {
					names = append(names, text)
				} else if constant, ok := n.Args[0].(*ast.Ident); ok {
					asked[dir] = append(asked[dir], constant.Name)
				}
			}
			return true
		})
	}
	for dir, constant := range asked {
		for _, name := range constant {
			if text, ok := constants[dir+" "+name]; ok {
				names = append(names, text)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func literal(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}
