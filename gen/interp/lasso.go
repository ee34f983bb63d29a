package interp

import (
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec"
)

// Breaks returns which of p's claims a behaviour breaks, in words: of which
// instance, and for which values; empty where there is just one.
func (m *Machine) Breaks(p *spec.Property, l *Lasso) (string, error) {
	waits, err := m.waits(p)
	if err != nil {
		return "", err
	}
	for _, w := range waits {
		if broken, err := w.broken(l); broken || err != nil {
			return w.Name, err
		}
	}
	return "", nil
}

// broken reports whether a behaviour meets From and To no more from then on: To
// is met nowhere in the loop then.
func (w *wait) broken(l *Lasso) (bool, error) {
	states := []State{l.Path.Init}
	for _, st := range slices.Concat(l.Path.Steps, l.Loop) {
		states = append(states, st.To)
	}
	waiting := false
	for i, s := range states {
		from, err := w.From(s)
		if err != nil {
			return false, err
		}
		to, err := w.To(s)
		if err != nil || to && i > len(l.Path.Steps) {
			return false, err
		}
		waiting = (waiting || from) && !to
	}
	return waiting, nil
}

// Owed returns the steps from a state that p asks to be fair, as they are
// yielded by Steps.
func (m *Machine) Owed(p *spec.Property, s State) ([]Step, error) {
	fair, err := m.fairness(p)
	if err != nil {
		return nil, err
	}
	var out []Step
	err = m.Steps(s, func(st Step) bool {
		if slices.ContainsFunc(fair, func(o owed) bool { return o.Of(st.Label) }) {
			out = append(out, st)
		}
		return true
	})
	return out, err
}

// explainEndless returns the behaviour that breaks a property in the table's
// words, and a last line that says so.
func (m *Machine) explainEndless(r *Result) string {
	var b strings.Builder
	b.WriteString(m.Trace(r.Path))
	and, there := "and ", "there"
	if len(r.Path.Steps) == 0 {
		and, there = "", "the start"
	}
	if len(r.Endless.Loop) == 0 {
		b.WriteString(and + "nothing changes any more\n")
	} else {
		b.WriteString(and + "from " + there + " again and again:\n")
		loop := m.Trace(&Path{Init: r.Path.Last(), Steps: r.Endless.Loop})
		if _, rest, ok := strings.Cut(loop, "1. "); ok {
			loop = "1. " + rest // where it starts was told
		}
		writeIndented(&b, "  ", strings.TrimSuffix(loop, "\n"))
	}
	f, err := m.Failing(r.Name, r.Path)
	if err != nil {
		return b.String() + r.Name + " fails\n"
	}
	f.Of = r.Endless.Name
	return b.String() + f.String() + "\n"
}
