package mutate

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// Reasons say, by mutant, why nothing notices it.
type Reasons struct {
	Path string // of the file, which need not be there
	list []reason
}

// reason is written for some mutants at once.
type reason struct {
	Mutants []string `yaml:"mutants"`
	Because string   `yaml:"because"`
}

// ReadReasons reads mutants/NAME.yaml beside a table, a list of
//
//   - mutants: [claim.won drop-condition from]
//     because: the check before it has all other states
//
// A file that isn't there has none.
func ReadReasons(table string) (*Reasons, error) {
	name := filepath.Base(table)
	r := &Reasons{Path: filepath.ToSlash(filepath.Join(filepath.Dir(table), "mutants", name))}
	data, err := os.ReadFile(filepath.FromSlash(r.Path))
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	if err := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict()).Decode(&r.list); err != nil {
		return nil, fmt.Errorf("%s: %w", r.Path, err)
	}
	seen := map[string]bool{}
	for _, x := range r.list {
		if strings.TrimSpace(x.Because) == "" || len(x.Mutants) == 0 {
			return nil, fmt.Errorf("%s: each reason has mutants, and because", r.Path)
		}
		for _, m := range x.Mutants {
			if seen[m] {
				return nil, fmt.Errorf("%s: two reasons for %q", r.Path, m)
			}
			seen[m] = true
		}
	}
	return r, nil
}

// For returns the reason for a mutant, or nothing.
func (r *Reasons) For(id string) string {
	for _, x := range r.list {
		if slices.Contains(x.Mutants, id) {
			return strings.Join(strings.Fields(x.Because), " ")
		}
	}
	return ""
}

// Findings say what is wrong with a table's survivors and with the reasons for
// them, a text each. all are the table's mutants, judged those that were tried.
func (r *Reasons) Findings(all []*Mutant, judged []*Verdict) []string {
	var out []string
	for _, v := range judged {
		why := r.For(v.ID)
		switch {
		case v.Any() && why != "":
			out = append(out, fmt.Sprintf("%s: there is a reason for %q, and it doesn't survive: %s", r.Path, v.ID, v.Kills.String()))
		case v.Any():
		case why == "":
			out = append(out, fmt.Sprintf("nothing notices %q, and %s has no reason for it", v.ID, r.Path))
		case !v.Equal:
			out = append(out, fmt.Sprintf("%s: the reason for %q isn't true: its graph isn't the table's", r.Path, v.ID))
		}
	}
	known := map[string]bool{}
	for _, m := range all {
		known[m.ID] = true
	}
	for _, x := range r.list {
		for _, id := range x.Mutants {
			if !known[id] {
				out = append(out, fmt.Sprintf("%s: there is no mutant %q", r.Path, id))
			}
		}
	}
	return out
}
