package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/interlock-go/interlock/gen/mbt"
	"github.com/interlock-go/interlock/gen/mbt/literal"
	"github.com/interlock-go/interlock/gen/replay"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

// replayFlags are the flags of replay.
type replayFlags struct {
	model, format string
	generated     bool
}

func newReplay() *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use:   "replay TABLE SCRIPT",
		Short: "Run a script of commands and say what decides each",
		Long: `replay does the commands of a script to a machine as at its start and prints of
each the row that decided it, the outcome with its code, the effects and what
changed. A script is JSON lines, a command each; - is the standard input, and
lines that begin with # are passed over:

  {"event": "claim", "args": {"lease": 1, "fence": 1}, "instance": "p1"}

Identities and serials are numbers from 1 (a serial's origin is 0), values of
enumerations are strings, an optional is null or its value. The machine's
constants are those of --model. With --go the generated code runs the script
in place of the table. A never row that decides is a finding.`,
		Example: `  interlock replay spec/lane.yaml script.jsonl
  interlock replay --go --format json spec/lane.yaml script.jsonl
  interlock trace --format script spec/rejected/stop_frees.yaml | interlock replay spec/lane.yaml -`,
		Args: takes(2, 2, "a table and a script, or - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0], args[1]) },
	}
	cmd.Flags().StringVar(&f.model, "model", "", "model whose constants the machine has (default: the table's first)")
	cmd.Flags().StringVar(&f.format, "format", "text", "text or json")
	cmd.Flags().BoolVar(&f.generated, "go", false, "run the generated Go of the table's module")
	return cmd
}

func (f *replayFlags) run(cmd *cobra.Command, table, file string) error {
	if f.format != "text" && f.format != "json" {
		return fmt.Errorf("there is no format %q; there are text, json", f.format)
	}
	t, err := oneTable(table)
	if err != nil {
		return err
	}
	m, err := modelNamed(t, f.model)
	if err != nil {
		return err
	}
	src, err := readScript(cmd, file)
	if err != nil {
		return err
	}
	script, err := replay.Read(t, m, file, src)
	if err != nil {
		return err
	}
	if f.generated {
		return replayGo(cmd.Context(), t, mbt.ReplayOrder{Name: file, Script: src, Model: f.model, JSON: f.format == "json"}, cmd.OutOrStdout())
	}
	write := script.Text
	if f.format == "json" {
		write = script.JSON
	}
	never, err := replay.Run(script, replay.Table(script.Machine), func(d replay.Decision) error {
		if err := context.Cause(cmd.Context()); err != nil {
			return err
		}
		return write(cmd.OutOrStdout(), d)
	})
	if err == nil && never {
		return errFindings
	}
	return err
}

func readScript(cmd *cobra.Command, name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(cmd.InOrStdin())
	}
	src, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read the script: %w", err)
	}
	return src, nil
}

// oneTable loads one table.
func oneTable(path string) (*spec.Table, error) {
	ts, err := tables([]string{path})
	if err != nil {
		return nil, err
	}
	return ts[0], nil
}

// modelNamed returns the model of that name, or nil for no name.
func modelNamed(t *spec.Table, name string) (*spec.Model, error) {
	var known []string
	for _, m := range t.Models {
		if m.Name == name {
			return m, nil
		}
		known = append(known, m.Name)
	}
	if name == "" {
		return nil, nil
	}
	hint := "it has " + strings.Join(known, ", ")
	if near := diag.Nearest(name, known); near != "" {
		hint = "did you mean " + near + "?"
	}
	return nil, fmt.Errorf("%s has no model %s; %s", t.Path, name, hint)
}

// replayGo has the generated package of t run the order's script: a test that
// is laid over the package's own does it, so that nothing is written there.
func replayGo(ctx context.Context, t *spec.Table, o mbt.ReplayOrder, out io.Writer) (err error) {
	root, err := moduleRoot(filepath.Dir(t.Path))
	if err != nil {
		return err
	}
	pkg, err := filepath.Abs(filepath.Join(root, "fsm", t.Name))
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(pkg, t.Name+"_gen_test.go")); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("nothing was generated from %s in %s; run %s gen", t.Path, path.Join("fsm", t.Name), invocation())
	}
	dir, err := os.MkdirTemp("", "interlock-replay-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	o.Out = filepath.Join(dir, "out")
	test := filepath.Join(dir, "replay_test.go")
	overlay := map[string]map[string]string{"Replace": {filepath.Join(pkg, "interlock_replay_test.go"): test}}
	for name, v := range map[string]any{"order": o, "overlay": overlay} {
		data, err := json.Marshal(v)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return err
		}
	}
	src := fmt.Sprintf("package %s_test\n\nimport (\n\t\"testing\"\n\n\t\"github.com/interlock-go/interlock/gen/mbt\"\n)\n\n"+
		"func TestInterlockReplay(t *testing.T) { mbt.Replay(t, source, subject{}) }\n", literal.Of(t).Pkg)
	if err := os.WriteFile(test, []byte(src), 0o600); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "test", "-count=1", "-overlay", filepath.Join(dir, "overlay"), "-run", "^TestInterlockReplay$", ".")
	cmd.Dir = pkg
	cmd.Env = append(os.Environ(), mbt.ReplayEnv+"="+filepath.Join(dir, "order"))
	told, failed := cmd.CombinedOutput()
	data, err := os.ReadFile(o.Out)
	if err == nil {
		_, err = out.Write(data)
	}
	if failed != nil {
		return fmt.Errorf("go test in %s: %w\n%s", pkg, failed, bytes.TrimSpace(told))
	}
	if _, never := os.Stat(o.NeverFile()); err == nil && never == nil {
		return errFindings
	}
	return err
}
