package interp

import (
	"fmt"
	"strings"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/spec"
)

// Trace returns a path in the table's words: a numbered line for each step,
// with its event and row, under it the effects and the fields that changed,
// and no more.
func (m *Machine) Trace(path *Path) string {
	var b strings.Builder
	from := path.Init
	if from != m.init {
		writeIndented(&b, "from ", m.Format(from))
	}
	for i, st := range path.Steps {
		fmt.Fprintf(&b, "%d. %s: %s\n", i+1, m.FormatEvent(st.Label.Event), answer(&st.Label))
		for _, f := range st.Label.Effects {
			b.WriteString("     " + FormatEffect(f) + "\n")
		}
		writeIndented(&b, "     ", m.Changed(from, st.To))
		from = st.To
	}
	return b.String()
}

func writeIndented(b *strings.Builder, indent, text string) {
	if text == "" {
		return
	}
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(indent + line + "\n")
	}
}

// Explain returns a verdict in the table's words: the trace to it, if there is
// one, and a last line that says which property it is about, and of which
// instance.
func (m *Machine) Explain(r Result) string {
	if r.Path == nil {
		return fmt.Sprintf("%s: %s\n", r.Name, r.Verdict)
	}
	return m.Trace(r.Path) + m.why(&r) + "\n"
}

func (m *Machine) why(r *Result) string {
	if r.Verdict == explore.Error {
		return fmt.Sprintf("%s can't be told: %v", r.Name, r.Err)
	}
	if r.Verdict != explore.Violated {
		return fmt.Sprintf("%s: %s", r.Name, r.Verdict)
	}
	for _, p := range m.table.Properties {
		if p.Name == r.Name {
			if why, err := m.whyNot(p, r.Path); err == nil && why != "" {
				return r.Name + " fails" + why
			}
		}
	}
	return r.Name + " fails"
}

// whyNot says where p fails at the end of path.
func (m *Machine) whyNot(p *spec.Property, path *Path) (string, error) {
	of := func(i int) string {
		if m.table.Per == "" {
			return ""
		}
		return " for " + InstanceName(i)
	}
	if p.Kind == spec.Invariant {
		holds, err := m.full.with(nil, nil, nil).compile(p.Holds, false)
		if err != nil {
			return "", err
		}
		sc := m.scratch()
		defer m.done(sc)
		m.load(sc, path.Last())
		c := claim{p.Name, p.Src, holds}
		for i := range m.instances {
			sc.env.base = i * len(m.layout.own)
			if ok, fault := c.judge(sc); fault == nil && !ok {
				return of(i) + ": " + p.Src, nil
			}
		}
	}
	if len(path.Steps) == 0 {
		return "", nil
	}
	n := len(path.Steps) - 1
	from, st := path.Init, path.Steps[n]
	if n > 0 {
		from = path.Steps[n-1].To
	}
	switch p.Kind {
	case spec.StepAlways:
		clauses, err := m.clauses(p)
		if err != nil {
			return "", err
		}
		c, err := m.broken(clauses, from, &st)
		if c == nil || err != nil {
			return "", err
		}
		return of(st.Label.Instance) + ": " + c.src, nil
	case spec.Isolated:
		q, err := m.disturbed(p.Name, from, &st)
		if q < 0 || err != nil {
			return "", err
		}
		return of(st.Label.Instance) + ": " + InstanceName(q) + " can tell", nil
	}
	return "", nil
}
