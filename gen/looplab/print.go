package looplab

import (
	"fmt"
	"path"
	"strings"

	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
)

func (p *printer) header() {
	p.printf("// %s\n", file.Marker(path.Base(p.Path)))
	p.printf("// Table: sha256:%s\n\n", p.Hash)
	p.printf(`// Package looplab is the machine %[1]s for github.com/looplab/fsm: its control
// states, and the events that are accepted in them.
//
// Variables and arguments are unknown to that library, so the definition takes
// an event wherever the table takes it for some of their values. Where they
// matter (Decides is false) guards of the program's own come first: they choose
// one of the rows that Guards lists, and fire Event(row) only if it isn't empty.
// Package %[1]s has those guards: a Decision's row is such a row.
`, p.Name)
	if len(p.Parts) > 0 {
		p.printf("//\n")
		p.comment("Of %s that library knows nothing: a guard decides by their states too.", parts(p.Table))
	}
	if len(p.Tables) > 0 {
		p.printf("//\n")
		p.comment("Where a row goes on with one of a sub-table, both names joined by + stand for it, as a Decision's String has them.")
	}
	var split []string
	for _, e := range p.Events {
		if p.def.split[e] {
			split = append(split, e.Name)
		}
	}
	if len(split) > 0 {
		p.printf("//\n")
		p.comment("An event that leads from one state to several has an event for each of its rows here, by the row's name: %s.", strings.Join(split, ", "))
	}
	p.printf("package looplab\n\nimport (\n%q\n\n%q\n)\n\n", "context", "github.com/looplab/fsm")
}

func (p *printer) definition() {
	p.printf("// Initial is the state in which every machine starts.\nconst Initial = %q\n\n", p.initial())
	p.printf(`// Events returns the definition. A comment names the rows that an entry stands
// for. An entry from a state to itself is a stay, or a move that keeps the
// state: looplab/fsm reports it as a NoTransitionError, see Fire.
`)
	p.printf("func Events() fsm.Events {\nreturn fsm.Events{\n")
	for _, e := range p.def.entries {
		p.printf("{Name: %q, Src: []string{%s}, Dst: %q}, // %s\n", e.name, quoted(stateNames(e.src)), e.dst.Name, strings.Join(rowNames(e.rows), ", "))
	}
	p.printf("}\n}\n\n")
	p.printf(`// New returns a machine at its start. Callbacks are looplab/fsm's own and may be
// nil; keys that it doesn't know are ignored.
func New(callbacks fsm.Callbacks) *fsm.FSM { return fsm.NewFSM(Initial, Events(), callbacks) }

`)
}

func (p *printer) initial() string {
	for _, s := range p.States {
		if s.Initial {
			return s.Name
		}
	}
	return p.States[0].Name
}

func (p *printer) fire() {
	p.printf(`// Fire fires an event and reports whether the state changed. A stay is no
// error, where looplab/fsm itself returns a NoTransitionError for it, after the
// callbacks before_EVENT and after_EVENT and without those of states. Other
// errors are those of the library and of the callbacks.
func Fire(ctx context.Context, f *fsm.FSM, event string, args ...any) (moved bool, err error) {
	err = f.Event(ctx, event, args...)
	if stay, ok := err.(fsm.NoTransitionError); ok {
		return false, stay.Err
	}
	return err == nil, err
}

`)
}

// rows prints Event.
func (p *printer) rows() {
	p.printf(`// Event returns the event to fire for a row of the table, named as there:
// event.row. It is empty for rows that refuse or ignore, and for unknown ones:
// nothing is fired.
func Event(row string) string {
	switch row {
`)
	for _, e := range p.Events {
		var kept []choice
		for _, x := range choices(e) {
			switch {
			case !x.accepted():
			case p.def.split[e]:
				p.printf("case %q:\nreturn %q\n", x.name(), x.name())
			default:
				kept = append(kept, x)
			}
		}
		if len(kept) > 0 {
			p.printf("case %s:\nreturn %q\n", quoted(rowNames(kept)), e.Name)
		}
	}
	p.printf("}\nreturn \"\"\n}\n\n")
}

// guards prints Decides and Guards.
func (p *printer) guards() {
	p.printf(`// Decides reports whether a control state alone decides an event of the table:
// whatever the variables are, and the arguments within their types, it is
// accepted with one target, or it isn't accepted.
func Decides(event, state string) bool { return len(Guards(event, state)) == 0 }

// Guards returns the rows from which guards have to choose before an event of
// the table is fired in a state, in the table's order: the first that applies.
// It is empty where the control state decides.
func Guards(event, state string) []string {
	switch event + " in " + state {
`)
	for _, c := range p.def.guarded {
		all := possible(c)
		p.printf("case %q:\n", c.event.Name+" in "+c.state.Name)
		for _, x := range all {
			if words := conditions(x); words != "" {
				p.comment("%s: %s", x.name(), words)
			}
		}
		p.printf("return []string{%s}\n", quoted(rowNames(all)))
	}
	p.printf("}\nreturn nil\n}\n\n")
}

func (p *printer) diagram() {
	p.printf(`// Diagram returns a Mermaid state diagram of the definition. It starts where
// machines start; one that looplab/fsm draws of a running machine starts where
// that one is.
func Diagram() (string, error) {
	return fsm.VisualizeForMermaidWithGraphType(New(nil), fsm.StateDiagram)
}
`)
}

// conditions returns when and unless in the table's words, and in which states
// the subject is.
func conditions(x choice) string {
	var words []string
	for _, r := range []*spec.Row{x.row, x.then} {
		if r == nil {
			continue
		}
		if r.PartFrom != nil {
			words = append(words, "from "+names.Local(r.Event.Of.Key.Name)+" "+strings.Join(r.PartFromSrc, ", "))
		}
		for _, list := range []struct {
			word  string
			conds []*spec.Cond
		}{{"when", r.When}, {"unless", r.Unless}} {
			for _, c := range list.conds {
				says := c.Says
				if says == "" {
					says = c.Src
				}
				words = append(words, list.word+" "+says)
			}
		}
	}
	return strings.Join(words, ", ")
}

// comment prints words as a comment of lines of at most 80 columns.
func (p *printer) comment(format string, args ...any) {
	line := "//"
	for _, word := range strings.Fields(fmt.Sprintf(format, args...)) {
		if len(line)+1+len(word) > 80 {
			p.printf("%s\n", line)
			line = "//"
		}
		line += " " + word
	}
	p.printf("%s\n", line)
}

func parts(t *spec.Table) string {
	var out []string
	for _, x := range t.Parts {
		out = append(out, x.Name)
	}
	return strings.Join(out, " and ")
}

func quoted(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = fmt.Sprintf("%q", n)
	}
	return strings.Join(q, ", ")
}

func stateNames(states []*spec.State) []string {
	var out []string
	for _, s := range states {
		out = append(out, s.Name)
	}
	return out
}

func rowNames(all []choice) []string {
	var out []string
	for _, x := range all {
		out = append(out, x.name())
	}
	return out
}
