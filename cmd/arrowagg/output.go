package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arrange"
	"arrowagg/internal/outfile"
	"arrowagg/internal/planner"
	"arrowagg/internal/render"
)

// output is where the result goes: standard output, or a file that appears
// whole or not at all.
type output struct {
	w    io.Writer
	name string
	file *outfile.File // nil: standard output
}

// openOutput checks before anything is read that the result can be written.
func (r *runner) openOutput() (*output, error) {
	if r.opts.output == "" || r.opts.output == "-" || outfile.IsStandardOutput(r.opts.output) {
		if r.meaning.format.Binary && !r.opts.sql && isTerminal(r.con.stdout) {
			return nil, usagef("add -o FILE, or pipe it into a program",
				fmt.Sprintf("format %s is binary and standard output is a terminal", r.meaning.format.Name))
		}
		return &output{w: r.con.stdout, name: "standard output"}, nil
	}
	file := outfile.New(r.opts.output)
	r.con.left.add(file.Abort) // first, for a signal may come at any moment
	if err := file.Create(); err != nil {
		return nil, err
	}
	r.stale = outfile.Stale(r.opts.output)
	return &output{w: file, name: r.opts.output, file: file}, nil
}

// Abort leaves the target as it was, unless Commit came first.
func (o *output) Abort() {
	if o.file != nil {
		o.file.Abort()
	}
}

func (o *output) commit() error {
	if o.file == nil {
		return nil
	}
	return o.file.Commit()
}

// identity is the file behind the output, nil where there is none.
func (o *output) identity() os.FileInfo {
	if o.file != nil {
		info, err := os.Stat(o.name)
		if err != nil {
			return nil
		}
		return info
	}
	if f, ok := o.w.(*os.File); ok {
		if info, err := f.Stat(); err == nil {
			return info
		}
	}
	return nil
}

// writeResult renders the result batch by batch.
func (r *runner) writeResult(ctx context.Context, out *output, schema *arrow.Schema, result arrange.Source) error {
	return r.write(out, schema, func() (arrow.RecordBatch, error) { return result.Next(ctx) })
}

// writeOne renders a single batch.
func (r *runner) writeOne(out *output, batch arrow.RecordBatch) error {
	next := func() (arrow.RecordBatch, error) {
		if batch == nil {
			return nil, io.EOF
		}
		b := batch
		batch = nil
		return b, nil
	}
	return r.write(out, batch.Schema(), next)
}

func (r *runner) write(out *output, schema *arrow.Schema, next func() (arrow.RecordBatch, error)) error {
	r.progress.stop()
	opt := r.meaning.render
	opt.Color = r.colored(out)
	w, err := r.meaning.format.New(out.w, schema, opt)
	if err != nil {
		return out.failed(err)
	}
	if err := writeAll(w, next); err != nil {
		return out.failed(err)
	}
	return out.failed(out.commit())
}

func writeAll(w render.Writer, next func() (arrow.RecordBatch, error)) error {
	for {
		batch, err := next()
		if errors.Is(err, io.EOF) {
			return w.Close()
		}
		if err != nil {
			return err
		}
		err = w.Write(batch)
		batch.Release()
		if err != nil {
			return err
		}
	}
}

func (r *runner) writeSQL(out *output, plan *planner.Plan) error {
	text, err := plan.SQL()
	if err != nil {
		return err
	}
	r.progress.stop()
	_, err = io.WriteString(out.w, text)
	return out.failed(err)
}

// failed names the output in an error of writing it.
func (o *output) failed(err error) error {
	if o.file != nil {
		return err // which names the file
	}
	return stdoutFailed(err)
}

// stdoutFailed says "standard output" where the system's error has a path that
// nobody typed.
func stdoutFailed(err error) error {
	var path *os.PathError
	if !errors.As(err, &path) {
		return err
	}
	return fmt.Errorf("standard output: %w", path.Err)
}

// colored tells whether the table may dim its lines.
func (r *runner) colored(out *output) bool {
	switch r.opts.color {
	case "always":
		return true
	case "never":
		return false
	}
	return out.file == nil && isTerminal(r.con.stdout) && os.Getenv("NO_COLOR") == ""
}
