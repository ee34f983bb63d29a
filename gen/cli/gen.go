package cli

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/interlock-go/interlock/gen"
	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/spec"
)

func newGen() *cobra.Command {
	var check bool
	var root string
	cmd := &cobra.Command{
		Use:   "gen [--check] [TABLE...]",
		Short: "Write what follows from the tables: Go, tests, TLA+, pages",
		Long: `gen writes the outputs of each table below the root of the module that it is
in: fsm/NAME, tla and docs. Files that are right already are left alone;
those that the table gave earlier and gives no more are removed. With
--check nothing is written: a missing or stale file is a finding.`,
		Example: "  interlock gen\n  interlock gen --check spec/lane.yaml",
		RunE: func(cmd *cobra.Command, args []string) error {
			ts, err := tables(args, spec.Until(cmd.Context()))
			if err != nil {
				return err
			}
			if err := warn(cmd, ts); err != nil {
				return err
			}
			stale := false
			for _, t := range ts {
				if t.Fails != "" {
					return fmt.Errorf("%s is a rejected design (fails: %s); nothing is generated from it", t.Path, t.Fails)
				}
				dir := root
				if dir == "" {
					if dir, err = moduleRoot(filepath.Dir(t.Path)); err != nil {
						return err
					}
				}
				module, err := modulePath(dir)
				if err != nil {
					return err
				}
				p := begin(cmd, "generating from "+t.Name)
				files, err := gen.Files(module, t)
				p.finish()
				if err != nil {
					return fmt.Errorf("%s: %w", t.Path, err)
				}
				if err := context.Cause(cmd.Context()); err != nil {
					return err
				}
				found, err := generate(cmd, dir, t, files, check)
				if err != nil {
					return err
				}
				stale = stale || found
			}
			if stale {
				return errFindings
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; exit with 1 if a file is missing or stale")
	cmd.Flags().StringVar(&root, "root", "", "folder to write below (default: the root of the table's module)")
	return cmd
}

// generate writes or checks, and reports whether something was stale.
func generate(cmd *cobra.Command, dir string, t *spec.Table, files []file.File, check bool) (stale bool, err error) {
	out := cmd.OutOrStdout()
	leftovers, err := file.Leftovers(dir, path.Base(t.Path), files, func(name string) bool { return gen.Owns(t.Name, name) })
	if err != nil {
		return false, err
	}
	if !check {
		changed, err := file.Write(dir, files)
		for _, p := range changed {
			fmt.Fprintln(out, "wrote", p)
		}
		for _, p := range leftovers {
			if err == nil {
				err = os.Remove(filepath.Join(dir, filepath.FromSlash(p)))
				fmt.Fprintln(out, "removed", p)
			}
		}
		return false, err
	}
	found, err := file.Check(dir, files)
	if err != nil {
		return false, err
	}
	for _, p := range leftovers {
		found = append(found, file.Stale{Path: p, Leftover: true})
	}
	for _, s := range found {
		fmt.Fprintln(cmd.ErrOrStderr(), s)
	}
	if len(found) > 0 {
		_, err = fmt.Fprintf(cmd.ErrOrStderr(), "hint: run %s gen, then read the diff\n", invocation())
	}
	return len(found) > 0, err
}
