package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

func newExplain() *cobra.Command {
	return &cobra.Command{
		Use:   "explain [CODE]",
		Short: "Show what a complaint's code means, with an example and its repair",
		Long: `explain shows what a code stands for, a table that has the fault, what is said
of it, and the lines to change. Without a code it lists all of them.`,
		Example: "  interlock explain\n  interlock explain D001",
		Args:    takes(0, 1, "one code, such as D001, or none"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return codeNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listCodes(cmd.OutOrStdout())
			}
			return explainCode(cmd.OutOrStdout(), args[0])
		},
	}
}

func codeNames() []string {
	var out []string
	for _, c := range diag.Codes {
		out = append(out, string(c.Code))
	}
	return out
}

func listCodes(w io.Writer) error {
	var out strings.Builder
	for _, c := range diag.Codes {
		fmt.Fprintf(&out, "%s  %-7s  %s\n", c.Code, c.Severity, c.Means)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func explainCode(w io.Writer, name string) error {
	info := diag.Code(strings.ToUpper(name)).Info()
	if info.Code == "" {
		if near := diag.Nearest(strings.ToUpper(name), codeNames()); near != "" {
			return fmt.Errorf("there is no code %s; did you mean %s?", name, near)
		}
		return fmt.Errorf("there is no code %q; %s explain lists them", name, invocation())
	}
	ex, err := spec.ExampleOf(info.Code)
	if err != nil {
		return err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s (%s): %s\nrepair: %s\n\n%s\n", info.Code, info.Severity, info.Means, info.Repair, ex.Says)
	block(&out, ex.Table)
	fmt.Fprintf(&out, "\n%s check says:\n\n", invocation())
	block(&out, ex.Complaint)
	if ex.Repaired != nil {
		out.WriteString("\nmended:\n\n")
		block(&out, changed(ex))
	}
	_, err = io.WriteString(w, out.String())
	return err
}

// changed returns the difference between an example and its repair, without
// the names of files.
func changed(ex spec.Example) []byte {
	text := string(diff.Diff("a", ex.Table, "b", ex.Repaired))
	_, hunks, _ := strings.Cut(text, "\n@@")
	return []byte("@@" + hunks)
}

// block indents what is quoted.
func block(out *strings.Builder, text []byte) {
	for line := range strings.Lines(string(text)) {
		if strings.TrimSpace(line) == "" {
			out.WriteString("\n")
			continue
		}
		out.WriteString("    " + line)
	}
}
