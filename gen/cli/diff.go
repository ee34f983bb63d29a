package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/interlock-go/interlock/gen/diff"
)

// diffFlags are the flags of diff.
type diffFlags struct {
	rev, format string
	max         int
}

func newDiff() *cobra.Command {
	var f diffFlags
	cmd := &cobra.Command{
		Use:   "diff OLD NEW | diff [A[..B]] [TABLE...]",
		Short: "Say what a change of a table means: decisions, properties, names",
		Long: `diff compares two versions of a table by what they mean. It walks both machines
side by side, so that each decision that changed is shown with a shortest
sequence of commands that reaches it; past a difference it goes on with either
machine, so that one doesn't hide another. A cell that differs and that no model
reaches is told from the tables alone. The properties are put to both in their own
models. What was only renamed, reworded or moved is told as that.

OLD and NEW are files, or REV:PATH as git writes it. With A..B the tables are
compared between two revisions, with A...B from where B left A, and with A alone
(HEAD, if nothing is given) from there to the files as they are; without tables
it is all of spec/*.yaml. --rev says the same where a name could be both.

Exit codes: 0 nothing changed, or nothing that a caller sees; 1 breaking: a
command that was accepted is refused, or the reverse, or is answered otherwise,
or a property fails; 2 it can't be told: a table can't be read, or a cell is
written otherwise and nothing shows what that means. Of several tables one that
can't be read counts first: where another one breaks, both are told, and the code
is 2.`,
		Example: "  interlock diff HEAD:spec/lane.yaml spec/lane.yaml\n  interlock diff main...HEAD --format markdown",
		RunE: func(cmd *cobra.Command, args []string) error {
			pairs, err := f.pairs(cmd, args)
			if err != nil {
				return err
			}
			return f.run(cmd, pairs)
		},
	}
	cmd.Flags().StringVar(&f.rev, "rev", "", "revisions to compare: A..B, A...B or A")
	cmd.Flags().StringVar(&f.format, "format", "text", "text, json or markdown")
	cmd.Flags().IntVar(&f.max, "max-pairs", 0, "pairs of states after which a walk ends (default: a million)")
	return cmd
}

var errUnknown = errors.New("it can't be told what the change means")

func (f *diffFlags) run(cmd *cobra.Command, pairs []tablePair) error {
	var reports []*diff.Report
	for _, p := range pairs {
		told := begin(cmd, "comparing "+p.new.name)
		r, err := p.compare(cmd.Context(), diff.Options{MaxPairs: f.max, Notice: told.tell})
		told.finish()
		if err != nil {
			return err
		}
		reports = append(reports, r)
	}
	if err := f.print(cmd.OutOrStdout(), reports); err != nil {
		return err
	}
	return told(reports)
}

// told returns what the reports mean for the exit code. That a table can't be
// read outweighs that another one breaks: then not all is known.
func told(reports []*diff.Report) error {
	worst, breaking, failed := diff.Same, 0, 0
	for _, r := range reports {
		worst = diff.Worse(worst, r.Verdict)
		if r.Verdict == diff.Breaking {
			breaking++
		}
		failed += len(r.Failed)
	}
	if failed > 0 && breaking > 0 {
		return fmt.Errorf("%w: breaking changes: %d, and tables that can't be read: %d", errUnknown, breaking, failed)
	}
	switch worst {
	case diff.Breaking:
		return errFindings
	case diff.Unknown:
		return errUnknown
	}
	return nil
}

// tell says what is being done.
func (p *progress) tell(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = what
}

func (f *diffFlags) print(w io.Writer, reports []*diff.Report) error {
	switch f.format {
	case "json":
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(reports)
	case "markdown", "md":
		_, err := io.WriteString(w, diff.Markdown(reports))
		return err
	case "text":
		var texts []string
		for _, r := range reports {
			texts = append(texts, r.Text())
		}
		_, err := io.WriteString(w, strings.Join(texts, "\n"))
		return err
	}
	return fmt.Errorf("--format is text, json or markdown, not %q", f.format)
}
