package tla

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Graph is a state graph as -dump dot,actionlabels writes it. Nothing is
// merged: two steps between the same states are two edges, and a step that
// changes nothing is a self-loop. Without a CONSTRAINT there are
// [Result.Steps] edges.
type Graph struct {
	// States are in the order in which the dump names them.
	States []GraphState
	// Initial are the indexes of the initial states, in that order.
	Initial []int
	// Edges are in the dump's order.
	Edges []Edge
}

// GraphState is a state of a graph.
type GraphState struct {
	// ID is TLC's fingerprint of the state.
	ID   int64
	Vars []Var
}

// Get returns the variable's value, and whether there is one.
func (s GraphState) Get(name string) (Value, bool) { return get(s.Vars, name) }

// Edge is a step.
type Edge struct {
	// From and To are indexes into Graph.States.
	From, To int
	// Action is the innermost operator that TLC takes the step for, without
	// arguments; "" in a dump without action labels.
	Action string
}

// maxDotLine bounds a line of a dump: 16 MB.
const maxDotLine = 16 << 20

// ReadDot reads what TLC's -dump dot or dot,actionlabels wrote. The error is
// r's or names the line that isn't as TLC writes it.
func ReadDot(r io.Reader) (*Graph, error) {
	d := dotReader{graph: new(Graph), index: make(map[int64]int), actions: make(map[string]string)}
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 64<<10), maxDotLine)
	for n := 1; in.Scan(); n++ {
		if err := d.line(in.Text()); err != nil {
			return nil, fmt.Errorf("tla: line %d of the dump: %w", n, err)
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("tla: reading the dump: %w", err)
	}
	for i, named := range d.named {
		if !named {
			return nil, fmt.Errorf("tla: the dump has an edge of state %d, but not the state", d.graph.States[i].ID)
		}
	}
	return d.graph, nil
}

type dotReader struct {
	graph   *Graph
	index   map[int64]int
	named   []bool            // by state: its own line was read
	actions map[string]string // one copy of each label
	values  Parser
}

// line reads a state or an edge; all other lines are about looks.
func (d *dotReader) line(line string) error {
	line = strings.TrimSpace(line)
	if line == "" || line[0] != '-' && !isDigit(line[0]) {
		return nil
	}
	head, attrs, ok := strings.Cut(line, " [")
	if !ok {
		return nil
	}
	label, rest, err := dotLabel(attrs)
	if err != nil {
		return err
	}
	from, to, isEdge := strings.Cut(head, " -> ")
	src, err := d.state(from)
	if err != nil {
		return err
	}
	if isEdge {
		dst, err := d.state(to)
		if err != nil {
			return err
		}
		action, ok := d.actions[label]
		if !ok {
			action = strings.Clone(label)
			d.actions[action] = action
		}
		d.graph.Edges = append(d.graph.Edges, Edge{src, dst, action})
		return nil
	}
	// TLC may name a state again when it meets it on another level.
	if d.named[src] {
		return nil
	}
	d.named[src] = true
	if strings.Contains(rest, "style = filled") {
		d.graph.Initial = append(d.graph.Initial, src)
	}
	d.graph.States[src].Vars, err = d.values.vars(label)
	return err
}

// state returns the index of the state with the fingerprint.
func (d *dotReader) state(id string) (int, error) {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no fingerprint", id)
	}
	i, ok := d.index[n]
	if !ok {
		i = len(d.graph.States)
		d.index[n] = i
		d.graph.States = append(d.graph.States, GraphState{ID: n})
		d.named = append(d.named, false)
	}
	return i, nil
}

// dotLabel returns the label, without its escapes, and the attributes after
// it. A line without a label has an empty one: an edge without action labels.
func dotLabel(attrs string) (label, rest string, err error) {
	body, ok := strings.CutPrefix(attrs, `label="`)
	if !ok {
		return "", attrs, nil
	}
	start := 0
	var b strings.Builder
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case '"':
			if b.Len() == 0 && start == 0 {
				return body[:i], body[i+1:], nil
			}
			b.WriteString(body[start:i])
			return b.String(), body[i+1:], nil
		case '\\':
			if i+1 == len(body) {
				return "", "", fmt.Errorf("a label does not end")
			}
			c, ok := unescape(body[i+1])
			if !ok {
				return "", "", fmt.Errorf("unknown escape in a label: %q", body[i:i+2])
			}
			b.WriteString(body[start:i])
			b.WriteByte(c)
			i++
			start = i + 1
		}
	}
	return "", "", fmt.Errorf("a label does not end")
}
