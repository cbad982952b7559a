package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestTable(t *testing.T) {
	table := Table{Header: []string{"query", "s"}}
	table.Add("q1 – ä", "0.5")
	table.Add("q2", "12.25")
	want := "| query  |     s |\n|--------|------:|\n| q1 – ä |   0.5 |\n| q2     | 12.25 |\n"
	if got := table.String(); got != want {
		t.Errorf("have\n%swant\n%s", got, want)
	}
}

func TestFigures(t *testing.T) {
	for have, want := range map[string]string{
		Seconds(44 * time.Millisecond):    "0.044",
		Seconds(4820 * time.Millisecond):  "4.82",
		Seconds(21540 * time.Millisecond): "21.5",
		Megabytes(1_234_567):              "1.2",
		Megabytes(700_000_000):            "700",
		Count(7):                          "7",
		Count(999):                        "999",
		Count(7209368):                    "7,209,368",
	} {
		if have != want {
			t.Errorf("have %s, want %s", have, want)
		}
	}
}

func TestInsert(t *testing.T) {
	path := filepath.Join(t.TempDir(), "README.md")
	const before, after = "# Title\n\n<!-- a:begin -->\n", "<!-- a:end -->\n\nrest <!-- b:begin -->\n<!-- b:end -->\n"
	if err := os.WriteFile(path, []byte(before+"old\n"+after), 0o666); err != nil {
		t.Fatal(err)
	}
	// Twice: what is inserted can be replaced again.
	for range 2 {
		if err := Insert(path, "a", "new\n\n"); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := before + "\nnew\n\n" + after; string(got) != want {
		t.Errorf("have %q, want %q", got, want)
	}
	if err := Insert(path, "c", "new"); err == nil || !strings.Contains(err.Error(), "c:begin") {
		t.Errorf("error %v", err)
	}
}
