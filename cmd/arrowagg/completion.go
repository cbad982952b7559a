package main

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"arrowagg/internal/render"
)

// shells are those that there are completion scripts for. The scripts ask the
// program itself what could stand at the cursor, through cobra's hidden argument
// __complete, so they need no change when flags do. They are our own: cobra's
// hand the line to eval, and so fail at an open quote, as in -a 'sum(; in bash
// they fail at commas too.
var shells = []struct{ name, install, script string }{
	{"bash", "arrowagg completion bash > ~/.local/share/bash-completion/completions/arrowagg", bashCompletion},
	{"zsh", `arrowagg completion zsh > "${fpath[1]}/_arrowagg"`, zshCompletion},
	{"fish", "arrowagg completion fish > ~/.config/fish/completions/arrowagg.fish", fishCompletion},
}

var (
	//go:embed completion/arrowagg.bash
	bashCompletion string
	//go:embed completion/arrowagg.zsh
	zshCompletion string
	//go:embed completion/arrowagg.fish
	fishCompletion string
)

// isCompletion tells that the arguments ask for a completion script. A file of
// that name is written ./completion.
func isCompletion(args []string) bool { return len(args) > 0 && args[0] == "completion" }

// isRequest tells that a completion script asks what could stand at the cursor.
func isRequest(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// answer answers such a request. Shells show the usage of flags as it stands,
// so the marks of what their values are called are taken out.
func answer(root *cobra.Command) error {
	defineCompletions(root)
	root.Flags().VisitAll(func(f *pflag.Flag) { _, f.Usage = pflag.UnquoteUsage(f) })
	return root.Execute()
}

// printCompletion prints the script for a shell. It is no command of cobra's:
// a command beside the root would bring along a help command and take its name
// from the files that can be read.
func printCompletion(args []string, w io.Writer) error {
	var names []string
	for _, s := range shells {
		names = append(names, s.name)
	}
	if len(args) != 1 {
		return usagef("arrowagg completion --help says how to install it",
			"completion takes the name of a shell: "+strings.Join(names, ", "))
	}
	if args[0] == "-h" || args[0] == "--help" {
		return printCompletionHelp(w)
	}
	i := slices.Index(names, args[0])
	if i < 0 {
		return usagef(nearestHint(args[0], names), fmt.Sprintf("completion: unknown shell %q", args[0]))
	}
	_, err := io.WriteString(w, shells[i].script)
	return stdoutFailed(err)
}

func printCompletionHelp(w io.Writer) error {
	var b strings.Builder
	b.WriteString("arrowagg completion SHELL prints a script with which the shell completes flags, their values,\n" +
		"functions, and the columns of the file that the line names. To install it:\n\n")
	for _, s := range shells {
		fmt.Fprintf(&b, "  %s\n", s.install)
	}
	_, err := io.WriteString(w, b.String())
	return stdoutFailed(err)
}

// defineCompletions says of every flag with a value what can be completed
// there; a test sees to it that none is forgotten. Cobra remembers it of every
// command for as long as the process runs.
func defineCompletions(root *cobra.Command) {
	words := func(list ...string) cobra.CompletionFunc {
		return cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp)
	}
	file := cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)
	directory := cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	free := cobra.NoFileCompletions // what nobody can guess

	for flag, f := range map[string]cobra.CompletionFunc{
		"group-by":     completeKeys,
		"agg":          completeAggregates,
		"exclude":      completeColumns,
		"where":        free,
		"having":       free,
		"sort":         completeColumns,
		"limit":        free,
		"tz":           free,
		"int-sum":      words("int64\toverflow is an error", "decimal\tdecimal128(38, 0)"),
		"repeat":       free,
		"shard":        free,
		"expect":       free,
		"files0-from":  file,
		"source":       free,
		"format":       words(describeFormats()...),
		"output":       file,
		"compression":  words("none", "lz4", "zstd"),
		"null":         free,
		"float-digits": free,
		"allow":        completeWarnings,
		"progress":     words("auto\ton a terminal", "always", "never"),
		"color":        words("auto\ton a terminal", "always", "never"),
		"threads":      free,
		"buffer":       free,
		"memory-limit": free,
		"temp-dir":     directory,
		"max-buffer":   free,
	} {
		if err := root.RegisterFlagCompletionFunc(flag, f); err != nil {
			panic(err) // there is no such flag
		}
	}
}

func describeFormats() []string {
	var list []string
	for _, f := range render.Formats {
		list = append(list, f.Name+"\t"+f.Help)
	}
	return list
}
