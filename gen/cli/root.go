// Package cli is the interlock command, a file for each subcommand.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/mod/modfile"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

// Exit codes.
const (
	exitOK       = 0
	exitFindings = 1   // all was read and told, and something isn't as it is claimed
	exitBad      = 2   // it can't be told: a table isn't a machine, an argument is wrong, or the system failed
	exitStopped  = 130 // an interrupt ended it, as a shell says
)

// What ends a command that has printed all that there is to say.
var (
	errFindings = errors.New("there are findings")
	errBad      = errors.New("a table isn't a machine")
)

// Main runs the command and returns its exit code. An interrupt ends it
// cleanly.
func Main(args []string, in io.Reader, out, errOut io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends what doesn't listen
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(in)
	told := &output{w: out}
	root.SetOut(told)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	if told.err != nil {
		err = fmt.Errorf("write the output: %w", told.err)
	}
	var list diag.List
	switch {
	case err == nil:
		return exitOK
	case ctx.Err() != nil:
		fmt.Fprintln(errOut, "interlock: interrupted")
		return exitStopped
	case errors.Is(err, errFindings):
		return exitFindings
	case errors.Is(err, errBad):
		return exitBad
	case errors.As(err, &list):
		if werr := diag.Write(errOut, list, readSource); werr != nil {
			fmt.Fprintln(errOut, werr)
		}
		return exitBad
	}
	fmt.Fprintf(errOut, "interlock: %v\n", err)
	return exitBad
}

// output remembers that something couldn't be written, such as to a full disk:
// what a command then says is not the whole.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// maxSource is how much of a file is read for the lines that complaints quote,
// in bytes: more than any table has.
const maxSource = 2 << 20

// readSource returns the beginning of a file that a complaint quotes.
func readSource(name string) ([]byte, bool) {
	f, err := os.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, false
	}
	src, err := io.ReadAll(io.LimitReader(f, maxSource))
	return src, errors.Join(err, f.Close()) == nil
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "interlock",
		Short: "State machines from one table: code, model, pictures and proof",
		Long: `interlock reads transition tables. From each it generates Go guard code, a
TLA+ model, reviewers' pages and tests; it explores the table, has TLC check the
model, and shows that all of them are one graph.

Without tables, a command works on all of spec/*.yaml of the module around you.
Exit codes: 0 all is well; 1 something isn't as it is claimed; 2 it can't be
told, since a table isn't a machine, an argument is wrong or the system failed; 130 it
was interrupted.`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.AddCommand(newCheck(), newExplain(), newGen(), newTLC(), newVerify())
	root.AddCommand(newTrace(), newReplay(), newExplore(), newInit(), newSchema(), newFmt(), newDiff(), newMutate())
	completions(root)
	called(root)
	return root
}

// named returns the paths of the tables that are meant: those in args, or all of
// the module around the working directory.
func named(args []string) ([]string, error) {
	if len(args) > 0 {
		return args, nil
	}
	root, err := moduleRoot(".")
	if err != nil {
		return nil, err
	}
	paths, err := filepath.Glob(filepath.Join(root, "spec", "*.yaml"))
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("no table was named, and there is none in %s", filepath.Join(root, "spec"))
	}
	return paths, err
}

// tables loads the named tables, or those of the module around the working
// directory. All complaints of all tables come at once.
func tables(args []string, opts ...spec.Option) ([]*spec.Table, error) {
	paths, err := named(args)
	if err != nil {
		return nil, err
	}
	var all diag.List
	var out []*spec.Table
	for _, path := range paths {
		t, err := spec.Load(path, opts...)
		var list diag.List
		switch {
		case errors.As(err, &list):
			all = append(all, list...)
		case err != nil:
			return nil, err
		}
		out = append(out, t)
	}
	return out, all.Err()
}

// takes refuses other numbers of arguments than least to most, and says what the
// command takes: "one table, such as spec/lane.yaml".
func takes(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return fmt.Errorf("%s takes %s; %d given", cmd.Name(), what, len(args))
		}
		return nil
	}
}

// warn prints what the front end finds of no use in tables, as check does, for
// commands that go on with them.
func warn(cmd *cobra.Command, ts []*spec.Table) error {
	var all diag.List
	for _, t := range ts {
		all = append(all, t.Warnings...)
	}
	return diag.Write(cmd.ErrOrStderr(), all, readSource)
}

// modulePath returns the path of the module with that root.
func modulePath(root string) (string, error) {
	name := filepath.Join(root, "go.mod")
	data, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("generated tests need to know their module: %w", err)
	}
	if module := modfile.ModulePath(data); module != "" {
		return module, nil
	}
	return "", fmt.Errorf("%s names no module", name)
}

// moduleRoot returns the nearest folder above dir with a go.mod.
func moduleRoot(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for d := abs; ; d = filepath.Dir(d) {
		if _, err := os.Stat(filepath.Join(d, "go.mod")); err == nil {
			if rel, err := filepath.Rel(abs, d); err == nil && len(rel) < len(d) {
				return filepath.Join(dir, rel), nil
			}
			return d, nil
		}
		if filepath.Dir(d) == d {
			return "", fmt.Errorf("no go.mod in %s or above", abs)
		}
	}
}
