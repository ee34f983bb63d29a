package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// completions gives each command that takes tables the names of YAML files, and
// each --format its words: those that its usage lists, as in
// "text, json or dot", behind a colon where there is one.
func completions(root *cobra.Command) {
	for _, c := range root.Commands() {
		if c.ValidArgsFunction == nil && strings.Contains(c.Use, "TABLE") {
			c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
				return []cobra.Completion{"yaml", "jsonl"}, cobra.ShellCompDirectiveFilterFileExt
			}
		}
		if c.ValidArgsFunction == nil {
			c.ValidArgsFunction = cobra.NoFileCompletions
		}
		for _, name := range []string{"format", "by"} {
			f := c.Flags().Lookup(name)
			if f == nil {
				continue
			}
			usage := f.Usage[strings.LastIndex(f.Usage, ": ")+1:]
			words := strings.Split(strings.ReplaceAll(strings.TrimSpace(usage), " or ", ", "), ", ")
			// The error is that of a flag which isn't there.
			_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
		}
	}
}
