package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestReadmeShowsTheRecipes: every recipe stands in the README as it is tested,
// under a link to its file.
func TestReadmeShowsTheRecipes(t *testing.T) {
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob("../../testdata/recipes/*")
	if err != nil || len(names) < 6 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		recipe, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		link := "(testdata/recipes/" + filepath.Base(name) + ")"
		_, below, found := strings.Cut(string(b), link)
		if !found {
			t.Errorf("the README has no link to %s", name)
			continue
		}
		_, shown, _ := strings.Cut(below, "\n```")
		_, shown, _ = strings.Cut(shown, "\n") // the language
		shown, _, _ = strings.Cut(shown, "\n```\n")
		if shown+"\n" != string(recipe) {
			t.Errorf("below %s the README shows\n%s\nand the file is\n%s", link, shown, recipe)
		}
	}
}

// TestKubernetesRecipe runs the commands of the manifest's containers as the
// Jobs would: the shards with every index, then the merge.
func TestKubernetesRecipe(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("containers' commands need sh")
	}
	manifest, err := os.ReadFile("../../testdata/recipes/kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	// command: [sh, -euc] with one argument, as a block.
	commands := regexp.MustCompile(`(?m)^ +command: \[sh, -euc\]\n +args:\n +- \|\n((?: {14}.*\n)+)`).
		FindAllStringSubmatch(string(manifest), -1)
	if len(commands) != 2 || strings.Count(string(manifest), "command:") != 2 {
		t.Fatalf("the commands of the manifest are %q", commands)
	}
	completions := regexp.MustCompile(`(?m)^  completions: (\d+)$`).FindStringSubmatch(string(manifest))
	if completions == nil {
		t.Fatal("the manifest has no completions")
	}
	n, _ := strconv.Atoi(completions[1])

	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "data"), os.DirFS("../../testdata/workers")); err != nil {
		t.Fatal(err)
	}
	run := func(script string, env ...string) (string, error) {
		cmd := exec.Command("sh", "-euc", script)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	shard := func(index int) {
		t.Helper()
		if out, err := run(commands[0][1], "JOB_COMPLETION_INDEX="+strconv.Itoa(index)); err != nil || out != "" {
			t.Fatalf("index %d: %v, %s", index, err, out)
		}
	}
	merge := func() (string, error) { return run(commands[1][1]) }
	want, err := run("arrowagg -f csv data/*.arrows")
	if err != nil {
		t.Fatal(want, err)
	}

	for i := range n {
		if out, err := merge(); err == nil {
			t.Errorf("%d of %d shards are enough: %s", i, n, out)
		}
		shard(i)
	}
	part := filepath.Join(dir, "parts/2.arrows")
	for _, again := range []bool{false, true} {
		if again {
			shard(1)
		}
		if out, err := merge(); err != nil || out != "" {
			t.Fatal(err, out)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "merged.csv")); err != nil || string(got) != want {
			t.Errorf("the merged result is not that of one run: %v, %s", err, got)
		}
	}
	if err := os.Rename(part, filepath.Join(dir, "parts/again.arrows")); err != nil {
		t.Fatal(err)
	}
	shard(1)
	if out, err := merge(); err == nil || !strings.Contains(out, "holds shard 2 of") {
		t.Errorf("a shard twice: %v, %s", err, out)
	}
}
