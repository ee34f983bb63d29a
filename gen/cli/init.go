package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/interlock-go/interlock/gen"
	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/gen/starter"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/schema"
)

func newInit() *cobra.Command {
	return &cobra.Command{
		Use:   "init [NAME]",
		Short: "Write a table to begin with, and its schema for your editor",
		Long: `init writes spec/NAME.yaml, a small commented table that passes, and beside it
the JSON Schema that its first line names. They are put in the module around
you, or in the working directory if there is none. NAME is the machine's, "thing"
if left out. A table that is there already is left alone.`,
		Example: "  interlock init door\n  interlock check",
		Args:    takes(0, 1, "one name, or none"),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := "thing"
			if len(args) > 0 {
				name = args[0]
			}
			root, err := moduleRoot(".")
			if err != nil {
				root = "."
			}
			table := path.Join("spec", name+".yaml")
			where := filepath.Join(root, filepath.FromSlash(table))
			data := starter.Table(name, invocation())
			// The name is checked as the language checks it, before a file has it.
			if err := sayable(filepath.ToSlash(where), data); err != nil {
				return fmt.Errorf("%q can't be a machine's name: %w", name, err)
			}
			if _, err := os.Lstat(where); !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("%s is there already; name another machine", where)
			}
			files := []file.File{{Path: path.Join("spec", schema.Name), Data: schema.JSON}, {Path: table, Data: data}}
			changed, err := file.Write(root, files)
			for _, p := range changed {
				fmt.Fprintln(cmd.OutOrStdout(), "wrote", filepath.Join(root, filepath.FromSlash(p)))
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "next: %s check %s\n", invocation(), where)
			return err
		},
	}
}

// sayable returns what the language or a back end says against a starter, whose
// name alone can be wrong.
func sayable(path string, data []byte) error {
	t, err := spec.Read(path, data)
	if err == nil {
		err = gen.Printable(t)
	}
	var list diag.List
	if errors.As(err, &list) {
		return errors.New(list[0].Message) // the file isn't there to be shown
	}
	return err
}

func newSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of tables",
		Long: `schema prints what an editor needs to help with a table: its keys and their
shapes. A table names it in its first line, by a path from itself:

  # yaml-language-server: $schema=interlock.schema.json`,
		Example: "  interlock schema >spec/interlock.schema.json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := cmd.OutOrStdout().Write(schema.JSON)
			return err
		},
	}
}
