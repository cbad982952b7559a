package peer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"arrowagg/bench/internal/dataset"
)

// Build builds what the peers need into d.Bin: arrowagg from the module above, as
// its users build it, the Go programs of this one, and gen and check. DuckDB's binding needs cgo; where it does not
// build, the reason comes back as a note and the rest is there.
func Build(d Dirs, peers []Peer) (notes []string, err error) {
	if err := os.MkdirAll(d.Bin, 0o777); err != nil {
		return nil, err
	}
	bin, err := filepath.Abs(d.Bin)
	if err != nil {
		return nil, err
	}
	if err := goBuild(d.Bench, bin+"/", "./check", "./gen"); err != nil {
		return nil, err
	}
	for _, p := range peers {
		switch {
		case p.Subject && d.Arrowagg != "":
		case p.Subject:
			err = run(filepath.Join(d.Bench, ".."), "make", "build", "BINARY="+filepath.Join(bin, p.Name))
		case p.tags != "":
			err = goBuild(d.Bench, bin+"/", "-tags", p.tags, "./peers/"+p.Name)
			if err != nil {
				// A program left from an earlier build would be measured in its place.
				if gone := os.Remove(filepath.Join(bin, p.Name)); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
					return nil, gone
				}
				notes, err = append(notes, err.Error()), nil
			}
		case p.built:
			err = goBuild(d.Bench, bin+"/", "./peers/"+p.Name)
		}
		if err != nil {
			return nil, err
		}
	}
	return notes, nil
}

// Generate makes the files of a table unless they are there. It is a process of
// its own, because the one that measures must stay small.
func Generate(ctx context.Context, d Dirs, spec dataset.Spec, dir string) ([]string, error) {
	spec, err := spec.WithDefaults()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, filepath.Join(d.Bin, "gen"), append(spec.Arguments(), "-dir", dir)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("generate %s: %w", spec.Name(), err)
	}
	return strings.Fields(string(out)), nil
}

func goBuild(dir, output string, args ...string) error {
	return run(dir, "go", append([]string{"build", "-trimpath", "-o", output}, args...)...)
}

func run(dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %v in %s: %w\n%s", name, args, dir, err, out)
	}
	return nil
}
