package edges

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Data is what a file of edges holds.
type Data struct {
	Machine    string
	Table      string  // spec.Table.Hash
	Graphs     []Graph // of the table's models, in its order
	Recordings []*Recording
}

// Graph sums up a graph that isn't kept.
type Graph struct {
	Name   string
	States int
	Edges  int
	Sum    string // of the canonical lines, see Sum
}

// Text returns d in the form that Parse reads. It is the same for the same
// graphs, whoever searched them:
//
//	# a comment
//	machine lane TABLE'S SHA-256
//	graph memory states=1745 edges=53134 sha256=SUM     of each model
//	recording durable states=79 edges=550 sha256=SUM
//	sizes Fence=3 Lease=3
//	params 1
//	fields state holder fencing claimedFencing stopped
//	start 0
//	state 0 0 0 0 0                                     state 0
//	state 1 2 1 1 0                                     state 1, and so on
//	claim.won 1,1 > 0:1,1:2,2:1,3:1 @ 0                 arguments > fields that change @ states before
//	release.freed 0,1 > 0:0,1:0,2:0,3:0 > receipt:0,0,1,1,0 @ 1
//	requestStop.stale 1 2 3 @ 0                         refused with each of these arguments
//
// Nothing is "-", and 2-4 are the states 2, 3 and 4. Where a row of the table
// changes, so do the lines of that row, and the sums; new states move the
// numbers of others.
func (d *Data) Text() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "machine %s %s\n", d.Machine, d.Table)
	for _, g := range d.Graphs {
		g.write(&b, "graph")
	}
	for _, r := range d.Recordings {
		r.write(&b)
	}
	return b.Bytes()
}

func (g Graph) write(b *bytes.Buffer, kind string) {
	fmt.Fprintf(b, "%s %s states=%d edges=%d sha256=%s\n", kind, g.Name, g.States, g.Edges, g.Sum)
}

func (r *Recording) write(b *bytes.Buffer) {
	r.graph().write(b, "recording")
	var sizes, params []string
	for name, n := range r.Sizes {
		sizes = append(sizes, fmt.Sprintf("%s=%d", name, n))
	}
	slices.Sort(sizes)
	for _, p := range r.Params {
		params = append(params, strconv.Itoa(p))
	}
	states := r.states()
	start := slices.IndexFunc(states, func(s []uint64) bool { return slices.Equal(s, r.Start) })
	fmt.Fprintf(b, "sizes %s\nparams %s\nfields %s\nstart %d\n", words(sizes), words(params), words(r.Fields), start)
	for _, s := range states {
		fmt.Fprintf(b, "state %s\n", codes(s, " "))
	}
	for _, l := range r.lines() {
		fmt.Fprintf(b, "%s @ %s\n", l.text, ranges(l.states))
	}
}

// states returns the states that some edge leaves: all of them, in order.
func (r *Recording) states() [][]uint64 {
	var out [][]uint64
	for i := range r.Edges {
		if from := r.Edges[i].From; i == 0 || !slices.Equal(from, out[len(out)-1]) {
			out = append(out, from)
		}
	}
	return out
}

// line is what a row does in some states alike.
type line struct {
	text   string
	states []int
}

// lines returns them by text: by row, first of all.
func (r *Recording) lines() []*line {
	byText := map[string]*line{}
	add := func(text string, state int) {
		if byText[text] == nil {
			byText[text] = &line{text: text}
		}
		byText[text].states = append(byText[text].states, state)
	}
	state, kept := -1, ""
	var last *Edge
	for i := range r.Edges {
		e := &r.Edges[i]
		same := last != nil && slices.Equal(last.From, e.From)
		if kept != "" && (!same || e.moves() || e.Row != last.Row) {
			add(kept, state)
			kept = ""
		}
		if !same {
			state++
		}
		switch {
		case e.moves():
			add(fmt.Sprintf("%s %s > %s%s", e.Row, codes(e.Args, ","), changes(e.From, e.To), effects(e.Effects)), state)
		case kept == "":
			kept = e.Row + " " + codes(e.Args, ",")
		default:
			kept += " " + codes(e.Args, ",")
		}
		last = e
	}
	if kept != "" {
		add(kept, state)
	}
	return slices.SortedFunc(maps.Values(byText), func(a, b *line) int { return strings.Compare(a.text, b.text) })
}

// moves reports whether there is more to the edge than an answer.
func (e *Edge) moves() bool { return !slices.Equal(e.From, e.To) || len(e.Effects) > 0 }

// ranges prints numbers that go up: "0 2-4".
func ranges(list []int) string {
	var out []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		if s := strconv.Itoa(list[i]); i == j {
			out = append(out, s)
		} else {
			out = append(out, s+"-"+strconv.Itoa(list[j]))
		}
		i = j + 1
	}
	return strings.Join(out, " ")
}

func words(list []string) string {
	if len(list) == 0 {
		return "-"
	}
	return strings.Join(list, " ")
}

func codes(list []uint64, sep string) string {
	var out []string
	for _, c := range list {
		out = append(out, strconv.FormatUint(c, 10))
	}
	if out == nil {
		return "-"
	}
	return strings.Join(out, sep)
}

// changes is the fields that differ: "0:1,3:0".
func changes(from, to []uint64) string {
	var out []string
	for i := range from {
		if from[i] != to[i] {
			out = append(out, fmt.Sprintf("%d:%d", i, to[i]))
		}
	}
	if out == nil {
		return "-"
	}
	return strings.Join(out, ",")
}

func effects(list []Effect) string {
	if len(list) == 0 {
		return ""
	}
	out := " >"
	for _, f := range list {
		out += " " + f.Name + ":" + codes(f.Args, ",")
	}
	return out
}
