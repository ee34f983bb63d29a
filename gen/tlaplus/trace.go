package tlaplus

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// trace prints the module that accepts a log.
func (m *module) trace() []byte {
	w := &printer{m: m}
	w.preface(m.name+"Trace",
		"Accepts a log of the running program if it is a behaviour of "+m.name+". The log is the module "+m.name+"TraceLog, which is printed for each run: its lines say which row answered, for which instance, with which arguments and effects, and perhaps what the machine's variables are after it.",
		"TLC finds no error if all lines can be explained. It reports a deadlock in the state before the first line that can't be: that is line at + 1.",
		"Events of the world aren't logged. They don't matter, since no row reads what they change; when the world lets an event happen isn't asked. A fresh value that a move didn't use up isn't compared: the program may make one and drop it.")
	w.line("EXTENDS %sTraceLog, Sequences", m.name)
	w.line("")
	w.line("VARIABLE at  \\* How many lines have been explained.")
	w.line("")
	w.line("Line == Log[at + 1]")
	w.line("Args == Line.args")
	if m.p != "" {
		w.line("Instance == Line.instance")
	}
	w.tells()
	w.thens()
	for _, e := range m.t.Events {
		if e.Can != nil {
			w.line("")
			w.line("%s == TRUE", m.event("Trace"+can(e), e).flat())
		}
	}
	w.line("")
	w.line("TraceInit == Init /\\ at = 0")
	w.line("")
	var kids []doc
	for _, e := range m.t.Events {
		for _, r := range e.Decisions() {
			if r.Outcome != spec.Never {
				kids = append(kids, m.explains(r))
			}
		}
	}
	w.line("TraceStep ==")
	w.body(conjunction([]doc{text("at < Len(Log)"), text("at' = at + 1"), listed(`\/`, kids), text("Tells")}))
	w.line("")
	w.line("TraceDone == at = Len(Log) /\\ UNCHANGED <<vars, at>>")
	w.line("")
	w.line("TraceNext == TraceStep \\/ TraceDone")
	w.end()
	return w.buf.Bytes()
}

// tells prints that what a line tells of the state after it is so.
func (w *printer) tells() {
	m := w.m
	p := ""
	if m.p != "" {
		p = "Instance"
	}
	var kids []doc
	for _, v := range m.vars {
		if !v.world {
			kids = append(kids, binary(relation, "=", text(v.at(p, true)), text("Line.after."+v.name)))
		}
	}
	w.line("")
	w.comment("What the line tells of the machine's variables after it is so.")
	w.define("Tells", binary(implies, "=>", text(`"after" \in DOMAIN Line`), conjunction(kids)))
}

// explains is the step of r, if the next line is about it.
func (m *module) explains(r *spec.Row) doc {
	s := m.here()
	args := []doc(nil)
	if m.p != "" {
		s.p = "Instance"
		args = append(args, text(s.p))
	}
	s.args = map[*expr.Symbol]doc{}
	for i, a := range r.Event.Args {
		d := text(fmt.Sprintf("Args[%d]", i+1))
		s.args[a.Sym] = d
		if a.Fresh && r.Outcome != spec.Move {
			d = binary(sum, "+", text(m.counter(a.Sym.Type).at(s.p, false)), text("1"))
		}
		args = append(args, d)
	}
	row, effects := strconv.Quote(r.Name()), m.sent(r, s)
	if r.Then != nil {
		instance := args[:len(m.instance())]
		row, effects = m.decision(r, instance), m.thenSent(r, effects, instance)
	}
	return conjunction([]doc{
		text("Line.row = " + row),
		call(action(r), args...),
		binary(relation, "=", text("Line.effects"), effects),
	})
}

func (m *module) traceCfg() []byte {
	var b strings.Builder
	b.WriteString("\\* Expected: no error; a deadlock is a line that can't be explained.\n\\* " + file.Marker(m.source()) + "\n")
	b.WriteString("INIT TraceInit\nNEXT TraceNext\nCONSTANTS\n")
	replaced := func(name string) { fmt.Fprintf(&b, "  %s <- Trace%s\n", name, name) }
	if m.p != "" {
		replaced(names.Exported(m.t.Per))
	}
	for _, ty := range m.identity {
		replaced(names.Exported(ty.Name))
	}
	for _, p := range m.t.Params {
		replaced(names.Exported(p.Name))
	}
	for _, e := range m.t.Events {
		if e.Can != nil {
			replaced(can(e))
		}
	}
	if len(m.t.Assumptions) > 0 {
		b.WriteString("  Assume = {}\n")
	}
	if m.worldless {
		b.WriteString("  Alone = TRUE\n")
	}
	if m.none {
		b.WriteString("  None = None\n")
	}
	b.WriteString("INVARIANTS TypeOK\nCHECK_DEADLOCK TRUE\n")
	return []byte(b.String())
}
