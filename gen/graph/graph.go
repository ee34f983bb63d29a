// Package graph exports what a model of a table can do: all states and all
// steps, refusals included, as JSON or in Graphviz' language.
package graph

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/trace"
)

// Graph is that of a model.
type Graph = explore.Graph[interp.State, interp.Label]

// Moves returns g without the steps that change nothing.
func Moves(g *Graph) *Graph {
	out := &Graph{States: g.States, Inits: g.Inits}
	for _, e := range g.Edges {
		if e.From != e.To {
			out.Edges = append(out.Edges, e)
		}
	}
	return out
}

// state is one in JSON: its number, and it in words.
type state struct {
	ID    int    `json:"id"`
	Start bool   `json:"start,omitempty"`
	State string `json:"state"`
}

// edge is a step in JSON.
type edge struct {
	From     int            `json:"from"`
	To       int            `json:"to"`
	Event    string         `json:"event"`
	Args     map[string]any `json:"args,omitempty"`
	Instance string         `json:"instance,omitempty"`
	Row      string         `json:"row"`
	Outcome  string         `json:"outcome"`
	Code     string         `json:"code,omitempty"`
	Effects  []trace.Effect `json:"effects,omitempty"`
}

// JSON writes g as one object: machine, table, model, states and edges, each on
// a line of its own, in the order of the search.
func JSON(w io.Writer, m *interp.Machine, g *Graph) error {
	t := m.Table()
	p := &printer{w: bufio.NewWriter(w)}
	p.printf("{\"machine\": %q, \"table\": %q, \"model\": %q,\n\"states\": [", t.Name, t.Hash, m.Model().Name)
	for i, s := range g.States {
		p.element(i, state{i, i < g.Inits, m.Format(s)})
	}
	p.printf("\n],\n\"edges\": [")
	for i, e := range g.Edges {
		out := edge{
			From: e.From, To: e.To, Event: e.Label.Event.Event.Name, Args: trace.Args(m, e.Label.Event),
			Row: e.Label.Decision(), Effects: trace.Effects(m, e.Label.Effects),
		}
		if t.Per != "" {
			out.Instance = interp.InstanceName(e.Label.Instance)
		}
		out.Outcome, out.Code = trace.Said(&e.Label)
		p.element(i, out)
	}
	p.printf("\n]}\n")
	return p.end()
}

// DOT writes g for Graphviz: a node a state, and an edge a step, or several
// steps that one row decides.
func DOT(w io.Writer, m *interp.Machine, g *Graph) error {
	p := &printer{w: bufio.NewWriter(w)}
	p.printf("digraph %q {\n  node [shape=box]\n", m.Table().Name+" "+m.Model().Name)
	for i, s := range g.States {
		style := ""
		if i < g.Inits {
			style = ", style=bold"
		}
		p.printf("  %d [label=%s%s]\n", i, quote(m.Format(s)), style)
	}
	for i := 0; i < len(g.Edges); {
		e := g.Edges[i]
		// Parallel edges of one row lie apart where its event has arguments,
		// so they are looked for among all that leave the state.
		n := i
		for ; n < len(g.Edges) && g.Edges[n].From == e.From; n++ {
		}
		p.bundles(m, g.Edges[i:n])
		i = n
	}
	p.printf("}\n")
	return p.end()
}

// bundles prints the edges from one state, one for each target and row.
func (p *printer) bundles(m *interp.Machine, edges []explore.Edge[interp.Label]) {
	type key struct {
		to  int
		row string
	}
	var order []key
	events := map[key][]string{}
	for _, e := range edges {
		k := key{e.To, e.Label.Decision()}
		if events[k] == nil {
			order = append(order, k)
		}
		events[k] = append(events[k], m.FormatEvent(e.Label.Event))
	}
	for _, k := range order {
		label := k.row
		if n := len(events[k]); n == 1 {
			label += "\n" + events[k][0]
		} else {
			label += fmt.Sprintf("\n%s and %d more", events[k][0], n-1)
		}
		p.printf("  %d -> %d [label=%s]\n", edges[0].From, k.to, quote(label))
	}
}

// quote returns s as a quoted string in DOT, in which a line ends with \n.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

// printer keeps the first error.
type printer struct {
	w   *bufio.Writer
	err error
}

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

func (p *printer) element(i int, v any) {
	data, err := json.Marshal(v)
	if p.err == nil {
		p.err = err
	}
	comma := ","
	if i == 0 {
		comma = ""
	}
	p.printf("%s\n  %s", comma, data)
}

func (p *printer) end() error {
	if p.err != nil {
		return p.err
	}
	return p.w.Flush()
}
