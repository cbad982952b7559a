package main

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestReadme runs what the README shows, in a copy of testdata, and wants what
// it prints there: a reader who copies a command must see the same.
func TestReadme(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("the README's commands need bash")
	}
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../testdata")); err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, block := range indentedBlocks(string(b)) {
		commands, want := splitBlock(block)
		switch {
		case strings.HasPrefix(block, "┌"):
			checkFirstTable(t, dir, block, string(b))
		case strings.HasPrefix(block, "go "):
			// Building is what this test binary has done already.
		case want == "" && !strings.Contains(commands, "cmp"):
			for _, line := range strings.Split(commands, "\n") {
				ran++
				if out, code := shell(dir, line); code != 0 || out == "" && !strings.Contains(line, ">") {
					t.Errorf("%s\nexit %d\n%s", line, code, out)
				}
			}
		default:
			ran++
			if out, _ := shell(dir, commands); out != want {
				t.Errorf("%s\nprints\n%s\nbut the README has\n%s", commands, out, want)
			}
		}
	}
	if ran < 8 {
		t.Errorf("only %d examples were found", ran)
	}
}

func shell(dir, script string) (string, int) {
	cmd := exec.Command("bash", "-c", script)
	cmd.Dir = dir + "/workers"
	out, _ := cmd.CombinedOutput()
	return string(out), cmd.ProcessState.ExitCode()
}

// indentedBlocks are the indented code blocks of a Markdown text, blank lines
// inside them kept. Fenced ones are recipes, which have tests of their own.
func indentedBlocks(text string) []string {
	var blocks []string
	var block []string
	end := func() {
		if joined := strings.Trim(strings.Join(block, "\n"), "\n"); joined != "" {
			blocks = append(blocks, joined)
		}
		block = nil
	}
	fenced := false
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			end()
			continue
		}
		code, indented := strings.CutPrefix(line, "    ")
		switch {
		case fenced:
		case indented:
			block = append(block, code)
		case line == "":
			block = append(block, "")
		default:
			end()
		}
	}
	end()
	return blocks
}

var commandLine = regexp.MustCompile(`^(arrowagg|cat|head|echo|printf|go|make) `)

// splitBlock tells the commands of a block from what they print, which is any
// line that begins no command. Blank lines only part them.
func splitBlock(block string) (commands, output string) {
	var typed []string
	for _, line := range strings.Split(block, "\n") {
		switch {
		case commandLine.MatchString(line):
			typed = append(typed, line)
		case line != "":
			output += line + "\n"
		}
	}
	return strings.Join(typed, "\n"), output
}

// checkFirstTable compares the table that the main job prints with the part
// that the README shows of it, and the number of rows that it does not.
func checkFirstTable(t *testing.T, dir, block, readme string) {
	t.Helper()
	out, code := shell(dir, "arrowagg w*.arrows")
	shown := strings.TrimSuffix(block, "…")
	if code != 0 || !strings.HasPrefix(out, shown) {
		t.Errorf("the main job prints\n%.1000s\nbut the README has\n%s", out, shown)
	}
	const frame = 4 // lines that are no rows
	rows := strings.Count(out, "\n") - frame
	more := strconv.Itoa(rows - (strings.Count(shown, "\n") - frame + 1))
	if !strings.Contains(readme, more+" rows more") {
		t.Errorf("the README does not say that there are %s rows more", more)
	}
}
