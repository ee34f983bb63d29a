package verify

import (
	"fmt"
	"slices"

	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/spec"
)

// Unnamed says which declared properties TLC's own log names in no run of a
// model whose job they are, and which of a run's invariants it doesn't name. A
// cfg that lost one would find no error all the same. Without TLC, and where a run
// has no verdict, it is empty.
func (r *Result) Unnamed() []string {
	if r.TLC == "" || slices.ContainsFunc(r.Proofs, func(p *Proof) bool { return p.Err != nil }) {
		return nil
	}
	var out []string
	for _, p := range r.Proofs {
		if !p.Safety || !p.OK() {
			continue
		}
		for _, name := range p.Invariants {
			if !slices.Contains(p.Result.Judged, name) {
				out = append(out, fmt.Sprintf("TLC, %s: the log doesn't say that %s was judged", p.Name, name))
			}
		}
	}
	for _, m := range r.Table.Models {
		for _, p := range m.Checks {
			if len(r.naming(m, p)) == 0 {
				out = append(out, fmt.Sprintf("TLC, %s: %s is named in no run", m.Name, p.Name))
			}
		}
	}
	return out
}

// naming returns the runs of m in whose log TLC names p: the one that judged it
// as an invariant; those in which its goals are reached; or the one in which it
// fails without its fairness. A control in which an assumption is dropped says
// nothing of m.
func (r *Result) naming(m *spec.Model, p *spec.Property) []*Proof {
	var out []*Proof
	for _, proof := range r.Proofs {
		if proof.Run.Model != m || !proof.OK() {
			continue
		}
		named := proof.Property(r.Table) == p
		if proof.Safety {
			named = slices.ContainsFunc(proof.Result.Judged, func(name string) bool { return tlaplus.PropertyOf(r.Table, name) == p })
		}
		if named {
			out = append(out, proof)
		}
	}
	return out
}
