package equal

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/tla"
)

// projection is our graph without the world: states are what production code
// sees, and the counters of fresh values.
type projection struct {
	m       *interp.Machine
	visible []bool // by value of a state
	states  map[string]int
	samples []interp.State
	edges   []map[string]answer
	order   [][]string
	count   int
	buf     []byte
	values  []uint64
}

// project walks the whole graph. Steps that become the same count once; two
// that differ only by what was left out are an error, since then the world
// decides.
func project(ctx context.Context, m *interp.Machine) (*projection, error) {
	own, shared := m.Fields()
	p := &projection{m: m, states: map[string]int{}}
	for range m.Instances() {
		for _, f := range own {
			p.visible = append(p.visible, f.Kind != interp.Ghost)
		}
	}
	for _, f := range shared {
		p.visible = append(p.visible, f.Kind != interp.Ghost)
	}
	if len(m.Init()) > 1 {
		return nil, fmt.Errorf("%s starts in several states, of which lockstep knows one", m.Table().Name)
	}
	p.state(m.Init()[0])
	world := map[*spec.Event]bool{}
	for _, e := range m.Table().World {
		world[e] = true
	}
	report, err := explore.Run(ctx, m, explore.Options[interp.State, interp.Label]{
		Visit: func(from interp.State, st interp.Step) error {
			if world[st.Label.Event.Event] {
				return nil
			}
			return p.add(from, &st)
		},
	})
	if err != nil {
		return nil, err
	}
	if report.Steps.Err != nil {
		return nil, fmt.Errorf("%s%w", m.Explain(report.Steps), report.Steps.Err)
	}
	return p, nil
}

func (p *projection) state(s interp.State) int {
	p.buf = p.buf[:0]
	for i, v := range p.m.Values(s) {
		if p.visible[i] {
			p.buf = binary.AppendUvarint(p.buf, v)
		}
	}
	if i, ok := p.states[string(p.buf)]; ok {
		return i
	}
	i := len(p.samples)
	p.states[string(p.buf)] = i
	p.samples = append(p.samples, s)
	p.edges = append(p.edges, map[string]answer{})
	p.order = append(p.order, nil)
	return i
}

func (p *projection) add(from interp.State, st *interp.Step) error {
	at, l := p.state(from), p.label(st.Label.Event)
	a := answer{says: says(&st.Label), effects: effectsText(st.Label.Effects), to: p.state(st.To)}
	old, again := p.edges[at][l]
	if again && old != a {
		return fmt.Errorf("%s in\n%s\ndepends on the world: %s or %s", l, p.m.Format(from), p.say(old), p.say(a))
	}
	if !again {
		p.edges[at][l] = a
		p.order[at] = append(p.order[at], l)
		p.count++
	}
	return nil
}

func (p *projection) label(ev interp.Event) string {
	args := make([]tla.Value, len(ev.Args))
	for i, a := range ev.Event.Args {
		args[i] = Encode(a.Sym.Type, ev.Args[i])
	}
	who := tla.Str("-")
	if p.m.Table().Per != "" {
		who = tla.Model(interp.InstanceName(ev.Instance))
	}
	return label(ev.Event.Name, who, tla.Tuple(args...))
}

func says(l *interp.Label) string {
	r := l.Row
	if l.Then != nil && l.Then.Outcome == spec.Never {
		r = l.Then
	}
	switch r.Outcome {
	case spec.Move:
		return "move"
	case spec.Never:
		return "never"
	}
	return r.Code
}

func effectsText(effects []interp.Effect) string {
	var all []tla.Value
	for _, f := range effects {
		parts := []tla.Value{tla.Str(f.Effect.Name)}
		for i, a := range f.Effect.Args {
			parts = append(parts, Encode(a.Type, f.Args[i]))
		}
		all = append(all, tla.Tuple(parts...))
	}
	return tla.Tuple(all...).String()
}

// say returns an answer in words.
func (a answer) say() string {
	if a.effects == "<<>>" {
		return a.says
	}
	return a.says + ", effects " + a.effects
}

func (p *projection) say(a answer) string {
	return a.say() + ", then\n" + p.m.Format(p.samples[a.to])
}

// Lockstep walks our graph and a reference's from their first states and
// reports whether they are equal up to the names of states: the same events,
// arguments, answers and effects everywhere, and states that correspond one to
// one, with the values that the reference shows of them. Ours is projected first: ghosts, the world's events and the duplicates
// that this makes are left out. The counts are those of both graphs.
//
// A *Difference is the error if they differ; all other errors say that it
// can't be told.
func Lockstep(ctx context.Context, ours *interp.Machine, ref *Reference) (Counts, error) {
	p, err := project(ctx, ours)
	if err != nil {
		return Counts{}, err
	}
	w := &lockstep{ours: p, ref: ref, toRef: map[int]int{}, toOurs: map[int]int{}}
	if why := w.pair(0, 0, -1, ""); why != "" {
		return Counts{}, w.difference(0, why)
	}
	for at := 0; at < len(w.pairs); at++ {
		if ctx.Err() != nil {
			return Counts{}, context.Cause(ctx)
		}
		if why := w.visit(at); why != "" {
			return Counts{}, w.difference(at, why)
		}
	}
	if n := ref.States() - len(w.pairs); n > 0 {
		for i, text := range ref.texts {
			if _, ok := w.toOurs[i]; !ok {
				return Counts{}, &Difference{fmt.Sprintf("no walk reaches %d states of the reference, such as %s", n, text)}
			}
		}
	}
	c := Counts{States: len(w.pairs), Edges: p.count}
	for at, edges := range p.edges {
		for _, a := range edges {
			if a.to != at {
				c.Moves++
			}
		}
	}
	return c, nil
}

// lockstep pairs the states of both graphs as it walks them.
type lockstep struct {
	ours   *projection
	ref    *Reference
	pairs  []pairing
	toRef  map[int]int
	toOurs map[int]int
}

// pairing is a pair of states with the step that led to it first.
type pairing struct {
	ours, ref int
	from      int // among the pairs; -1: the start
	by        string
}

// pair pairs two states, and says why that can't be.
func (w *lockstep) pair(ours, ref, from int, by string) string {
	r, known := w.toRef[ours]
	o, taken := w.toOurs[ref]
	switch {
	case known && r != ref:
		return fmt.Sprintf("the reference tells two states apart that are one of ours:\n%s\n%s\nours: %s",
			w.ref.texts[r], w.ref.texts[ref], w.format(ours))
	case taken && o != ours:
		return fmt.Sprintf("ours tells two states apart that are one of the reference:\n%s\nand\n%s\nreference: %s",
			w.format(o), w.format(ours), w.ref.texts[ref])
	case !known:
		w.toRef[ours], w.toOurs[ref] = ref, ours
		w.pairs = append(w.pairs, pairing{ours, ref, from, by})
		return w.compareShown(ours, ref)
	}
	return ""
}

// compareShown compares the values of two states, where the reference tells
// them.
func (w *lockstep) compareShown(ours, ref int) string {
	theirs := w.ref.shown[ref]
	if theirs == "" {
		return ""
	}
	if own := shown(w.ours.m, w.ours.samples[ours]).String(); own != theirs {
		return fmt.Sprintf("they show other values:\nours:      %s\nreference: %s", own, theirs)
	}
	return ""
}

func (w *lockstep) format(ours int) string { return w.ours.m.Format(w.ours.samples[ours]) }

// visit compares all that two paired states do, and says where they differ.
func (w *lockstep) visit(at int) string {
	p := w.pairs[at]
	a, b := w.ours.edges[p.ours], w.ref.edges[p.ref]
	for _, l := range w.ours.order[p.ours] {
		x := a[l]
		y, ok := b[l]
		switch {
		case !ok:
			return fmt.Sprintf("%s\n  ours: %s\n  reference: it isn't possible", l, x.say())
		case x.says != y.says || x.effects != y.effects:
			return fmt.Sprintf("%s\n  ours: %s\n  reference: %s", l, x.say(), y.say())
		}
		if why := w.pair(x.to, y.to, at, l); why != "" {
			return fmt.Sprintf("%s\n  both: %s, but %s", l, x.say(), why)
		}
	}
	for _, l := range w.ref.order[p.ref] {
		if _, ok := a[l]; !ok {
			return fmt.Sprintf("%s\n  ours: it isn't possible\n  reference: %s", l, b[l].say())
		}
	}
	return ""
}

// difference tells the way to a pair and what differs there.
func (w *lockstep) difference(at int, why string) error {
	var way []string
	for i := at; w.pairs[i].from >= 0; i = w.pairs[i].from {
		way = append(way, w.pairs[i].by)
	}
	var b strings.Builder
	b.WriteString("ours and the reference differ\n")
	for i := len(way) - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "%d. %s\n", len(way)-i, way[i])
	}
	p := w.pairs[at]
	fmt.Fprintf(&b, "then, in\n%s\nreference: %s\n", w.format(p.ours), w.ref.texts[p.ref])
	b.WriteString(why + "\n")
	return &Difference{b.String()}
}
