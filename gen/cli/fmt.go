package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/gen/layout"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

func newFmt() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "fmt [--check] [TABLE...]",
		Short: "Give tables their one layout",
		Long: `fmt lays out tables in place: two spaces a level, one space in flow style behind
a comma and a colon, and values in one column where entries that stand one under
another are set apart. Comments, quotes and the order of keys stay, and so does
what is written in flow style. It says nothing of what a table means: that is
for check. - is the standard input, laid out to the output.`,
		Example: "  interlock fmt\n  interlock fmt --check spec/lane.yaml",
		RunE: func(cmd *cobra.Command, args []string) error {
			if slices.Equal(args, []string{"-"}) {
				src, err := io.ReadAll(cmd.InOrStdin())
				if err != nil {
					return err
				}
				out, err := laidOut("-", src)
				if err != nil {
					return err
				}
				_, err = cmd.OutOrStdout().Write(out)
				return err
			}
			paths, err := named(args)
			if err != nil {
				return err
			}
			found := false
			for _, path := range paths {
				changed, err := lay(cmd.OutOrStdout(), path, check)
				if err != nil {
					return err
				}
				found = found || changed
			}
			if check && found {
				return errFindings
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; exit with 1 if a layout isn't that")
	return cmd
}

// lay lays out one file, or with check only says whether it isn't.
func lay(out io.Writer, path string, check bool) (changed bool, err error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return false, fmt.Errorf("read the table: %w", err)
	}
	data, err := laidOut(path, src)
	if err != nil || bytes.Equal(src, data) {
		return false, err
	}
	if check {
		_, err = fmt.Fprintf(out, "%s: not laid out; run %s fmt\n", path, invocation())
		return true, err
	}
	if _, err := file.Write(filepath.Dir(path), []file.File{{Path: filepath.Base(path), Data: data}}); err != nil {
		return false, err
	}
	_, err = fmt.Fprintln(out, "wrote", path)
	return true, err
}

// laidOut returns src in its layout. What isn't YAML as tables use it is told as
// check tells it; all else about a table is no concern here.
func laidOut(path string, src []byte) ([]byte, error) {
	_, err := spec.Read(path, src)
	var list diag.List
	if errors.As(err, &list) {
		bad := slices.DeleteFunc(slices.Clone(list), func(d *diag.Diagnostic) bool { return d.Code != diag.Syntax })
		if len(bad) > 0 {
			return nil, bad
		}
	}
	out, err := layout.Format(src)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return out, nil
}
