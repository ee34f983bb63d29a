package trace

import (
	"fmt"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/mermaid"
)

// mermaid is a sequence diagram: who does what to which machine, the row that
// answers, and notes of what changes.
func (c *Counterexample) mermaid() (string, error) {
	why, err := c.why()
	if err != nil {
		return "", err
	}
	d := &sequence{c: c, known: map[string]bool{}}
	for i := range c.allSteps() {
		if i == len(c.Path.Steps) {
			d.body.WriteString("  loop again and again\n")
		}
		d.step(i)
	}
	if c.Endless != nil && len(c.Endless.Loop) > 0 {
		d.body.WriteString("  end\n")
	}
	var b strings.Builder
	b.WriteString("sequenceDiagram\n")
	for _, p := range d.participants() {
		fmt.Fprintf(&b, "  participant %s as %s\n", p.id, mermaid.Escape(p.name))
	}
	if len(c.Machine.Init()) > 1 {
		d.note(&b, -1, "from "+c.Machine.Format(c.Path.Init))
	}
	b.WriteString(d.body.String())
	if c.Endless != nil && len(c.Endless.Loop) == 0 {
		d.note(&b, -1, "nothing changes any more")
	}
	failing := -1
	if f, err := c.failing(); err == nil && c.Err == nil {
		failing = f.Instance
	}
	d.note(&b, failing, strings.Split(why, "\n")...)
	return b.String(), nil
}

// sequence is a diagram in the making.
type sequence struct {
	c     *Counterexample
	body  strings.Builder
	known map[string]bool // ids of those who take part
}

type participant struct{ id, name string }

// participants lists those who act, then the machines, then who gets effects.
func (d *sequence) participants() []participant {
	var out []participant
	for _, by := range []string{"caller", "timer", "operator", "environment", "world"} {
		if d.known[by] {
			out = append(out, participant{by, by})
		}
	}
	for i := range d.c.Machine.Instances() {
		name := d.c.Machine.Table().Name
		if n := d.c.instance(i); n != "" {
			name += " " + n
		}
		if d.known[machineID(i)] || i == 0 {
			out = append(out, participant{machineID(i), name})
		}
	}
	if d.known["shell"] {
		out = append(out, participant{"shell", "shell"})
	}
	return out
}

func machineID(i int) string { return "m" + interp.InstanceName(i) }

func (d *sequence) step(i int) {
	m, st := d.c.Machine, d.c.allSteps()[i]
	l := &st.Label
	who, id := l.Event.Event.By, machineID(l.Instance)
	if !slices.Contains([]string{"timer", "operator", "environment", "world"}, who) {
		who = "caller"
	}
	if ofWorld(m.Table(), l.Event.Event) {
		who = "world"
	}
	d.known[who], d.known[id] = true, true
	event := strings.TrimSuffix(m.FormatEvent(l.Event), " of "+d.c.instance(l.Instance))
	fmt.Fprintf(&d.body, "  %s->>%s: %d. %s\n", who, id, i+1, mermaid.Escape(event))
	answer := l.Decision()
	if outcome, code := Said(l); outcome != "move" {
		answer = strings.TrimSpace(answer + ", " + outcome + " " + code)
	}
	fmt.Fprintf(&d.body, "  %s-->>%s: %s\n", id, who, mermaid.Escape(answer))
	for _, f := range l.Effects {
		d.known["shell"] = true
		fmt.Fprintf(&d.body, "  %s->>shell: %s\n", id, mermaid.Escape(interp.FormatEffect(f)))
	}
	for j := range m.Instances() {
		d.changed(j, i, st.To)
	}
	d.changed(-1, i, st.To)
}

// changed notes what a step changes in an instance, or in what all share.
func (d *sequence) changed(instance, step int, to interp.State) {
	var lines []string
	for _, c := range d.c.Machine.Changes(d.c.before(step), to) {
		if c.Instance == instance {
			line := c.Field.Name + " = " + c.New
			if instance < 0 && d.c.Machine.Table().Per != "" {
				line = "shared: " + line
			}
			lines = append(lines, line)
		}
	}
	if lines == nil {
		return
	}
	if instance >= 0 {
		d.known[machineID(instance)] = true
	}
	d.note(&d.body, instance, lines...)
}

// note writes a note over a machine, or over the first one.
func (d *sequence) note(b *strings.Builder, instance int, lines ...string) {
	for i, l := range lines {
		lines[i] = mermaid.Escape(l)
	}
	fmt.Fprintf(b, "  note over %s: %s\n", machineID(max(instance, 0)), strings.Join(lines, "<br/>"))
}
