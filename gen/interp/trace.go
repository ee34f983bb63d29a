package interp

import (
	"errors"
	"fmt"
	"strings"

	"github.com/interlock-go/interlock/fsm/explore"
)

// Trace returns a path in the table's words: a numbered line for each step,
// with its event and row, under it the effects and the fields that changed,
// and no more.
func (m *Machine) Trace(path *Path) string {
	var b strings.Builder
	from := path.Init
	if len(m.inits) > 1 || from != m.inits[0] {
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
	if r.Endless != nil {
		return m.explainEndless(&r)
	}
	return m.Trace(r.Path) + m.why(&r) + "\n"
}

// CantTell says why a property, or whether a step is one, can't be told: the
// name is said only where the property itself has no value.
func CantTell(property string, err error) string {
	var f *Fault
	if !errors.As(err, &f) {
		return fmt.Sprintf("%s can't be told: %v", property, err)
	}
	s := f.Where + " can't be told: " + f.Short()
	if met := f.Met(); met != "" {
		s += "\n  " + met
	}
	return s
}

func (m *Machine) why(r *Result) string {
	switch r.Verdict {
	case explore.Error:
		return CantTell(r.Name, r.Err)
	case explore.Violated:
		f, err := m.Failing(r.Name, r.Path)
		if err != nil {
			return r.Name + " fails"
		}
		return f.String()
	}
	return fmt.Sprintf("%s: %s", r.Name, r.Verdict)
}
