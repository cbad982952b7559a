package main

import (
	"github.com/spf13/cobra"

	"arrowagg/internal/warning"
)

// defineCompletions tells shells the values that flags take.
func defineCompletions(root *cobra.Command) {
	fixed := func(flag string, values ...string) {
		root.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	}
	fixed("format", formatNames()...)
	fixed("compression", "none", "lz4", "zstd")
	fixed("color", "auto", "always", "never")
	fixed("int-sum", "int64", "decimal")
	fixed("allow", warning.IDs()...)
}
