package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"arrowagg/internal/ipcread"
	"arrowagg/internal/spill"
	"arrowagg/internal/tempfile"
)

// console is what a run may talk to.
type console struct {
	stdin  *os.File
	stdout io.Writer
	stderr io.Writer
	left   *leftovers        // nil: nobody sends signals here
	bound  func(limit int64) // holds the process to a memory limit; nil: it is not ours

	spilling *spilling // tests only: in place of what follows from the limit
}

// run turns arguments into an exit code. It prints all errors; nothing below
// it does.
func run(args []string, con console) int {
	root := newCommand(con)
	root.SetArgs(args)
	var helpFailed error // cobra's help has no way to tell
	root.SetHelpFunc(func(*cobra.Command, []string) { helpFailed = stdoutFailed(printHelp(con.stdout, root.Flags())) })
	err := execute(root, args, con.stdout)
	con.left.outlive()
	if helpFailed != nil {
		err = helpFailed
	}
	if err != nil && !errors.Is(err, errReported) {
		reportErrors(con.stderr, err)
	}
	return exitCode(err)
}

func execute(root *cobra.Command, args []string, stdout io.Writer) error {
	switch {
	case isCompletion(args):
		return printCompletion(args[1:], stdout)
	case isRequest(args):
		return answer(root)
	}
	if err := checkDashes(root.Flags(), args); err != nil {
		return err
	}
	return root.Execute()
}

// errReported ends a run whose message is already printed (the short help).
var errReported = usagef("", "")

func newCommand(con console) *cobra.Command {
	opts := &options{}
	root := &cobra.Command{
		Use:           "arrowagg [flags] [FILE...]",
		Short:         "merge and aggregate Arrow IPC streams",
		Args:          cobra.ArbitraryArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runMode(cmd.Context(), cmd.Flags(), opts, args, con)
		},
	}
	root.SetIn(con.stdin)
	root.SetOut(con.stdout)
	root.SetErr(con.stderr)
	defineFlags(root.Flags(), opts)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return flagError(root.Flags(), err) })
	root.CompletionOptions.DisableDefaultCmd = true // isCompletion
	root.SetContext(context.Background())
	return root
}

// runMode decides what this run prints: a result, or one of the modes that
// replace it.
func runMode(ctx context.Context, fs *pflag.FlagSet, opts *options, args []string, con console) error {
	if opts.version {
		return stdoutFailed(printVersion(con.stdout))
	}
	if opts.man {
		return stdoutFailed(printMan(con.stdout, fs))
	}
	inputs, err := inputNames(opts, args, con.stdin)
	if err != nil {
		return err
	}
	if len(inputs) == 0 {
		if isTerminal(con.stdin) {
			printShortHelp(con.stderr)
			return errReported
		}
		inputs = []string{"-"}
	}
	m, err := opts.understand(fs, inputs)
	if err != nil {
		return err
	}
	temporary := tempfile.In(opts.tempDir)
	if tempfile.KeepsNames {
		con.left.add(temporary.Remove)
	}
	if opts.tempDir != "" {
		if err := temporary.Check(); err != nil {
			return err
		}
	}
	r := &runner{opts: opts, meaning: m, con: con, temporary: temporary, store: spill.NewStore(temporary)}
	if con.bound != nil {
		con.bound(m.memory.limit)
	}
	if r.progress = newProgress(opts, con.stderr, len(inputs)); r.progress != nil {
		r.con.stderr = r.progress
		r.progress.store = r.store
		con.left.add(r.progress.abandon)
		defer r.progress.stop()
	}
	r.warnings = warnings{w: r.con.stderr, strict: opts.strict, quiet: opts.quiet, allow: m.allow}
	if opts.check {
		return r.check(ctx)
	}
	return profiled(opts.cpuProfile, opts.memProfile, func() error { return r.aggregate(ctx) })
}

// inputNames joins the arguments with the names that --files0-from lists.
func inputNames(opts *options, args []string, stdin *os.File) ([]string, error) {
	if opts.files0 == "" {
		return args, nil
	}
	listed, err := ipcread.ReadNames(opts.files0, stdin)
	if err != nil {
		return nil, err
	}
	inputs := append(append([]string(nil), args...), listed...)
	for _, name := range inputs {
		if name == "-" && opts.files0 == "-" {
			return nil, usagef("", "standard input cannot be both --files0-from and an input")
		}
	}
	if len(inputs) == 0 {
		return nil, usagef("", fmt.Sprintf("--files0-from %s names no input", opts.files0))
	}
	return inputs, nil
}
