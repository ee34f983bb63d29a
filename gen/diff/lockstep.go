package diff

import (
	"context"
	"strings"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// lockstep walks both machines side by side: the same event with the same
// arguments is put to both, as long as both answer alike. So the first way on
// which they differ is a shortest one.
type lockstep struct {
	m        *matching
	old, new *interp.Machine
	codes    map[crossing]coder
	fields   []fieldPair
	extra    [2][]int // what production code sees of one side alone, in Machine.Values
	flat     [2][]placed
	visible  [2]map[interp.State]string
	pairs    []pairing
	index    map[[2]interp.State]int
	max      int
	buf      []byte
	events   map[*spec.Event]*signature
	told     []taken      // by the old machine, in the state that is expanded
	first    map[call]int // of these
	forks    [2][]int     // pairs in which one machine goes on where the other doesn't, by its side
	found    func(at int, s *sighting)
	agreed   func(at int, a, b *interp.Step)
	aside    func(side, at int, st *interp.Step) // a step in a state that the other side can't be in
}

// pairing is a pair of states with the step that led to it first.
type pairing struct {
	state  [2]interp.State
	from   int // among the pairs; -1: the start
	by     interp.Label
	steps  int   // from the start
	after  after // whose steps lead to it
	beside bool  // the other side can't be in such a state: it is where it was last
}

// after says which machine's way leads to a pair.
type after string

// Both answer alike all the way, or it is the way of one of them, past a call
// that the other answers otherwise, or doesn't know.
const (
	afterBoth after = ""
	afterOld  after = "old"
	afterNew  after = "new"
)

// sighting is a call that the two machines answer differently.
type sighting struct {
	old, new *interp.Step
	what     difference
}

// difference says what is first seen to differ.
type difference string

// What a caller sees of a step.
const (
	answers difference = "answer"  // accepted or not, or the code
	effects difference = "effects" // what the shell is to do
	states  difference = "state"   // the state after it
	data    difference = "data"    // what variables hold after it
)

// newLockstep fails where one of the machines can't be run.
func newLockstep(m *matching, old, new *interp.Machine, max int) *lockstep {
	l := &lockstep{m: m, old: old, new: new, codes: map[crossing]coder{}, index: map[[2]interp.State]int{}, first: map[call]int{}, max: max}
	l.visible = [2]map[interp.State]string{{}, {}}
	l.flat = [2][]placed{flatten(old), flatten(new)}
	l.pairFields()
	l.pairEvents()
	return l
}

func (l *lockstep) machine(side int) *interp.Machine {
	if side == 0 {
		return l.old
	}
	return l.new
}

// run walks all pairs that both machines reach alike, and reports whether it saw
// all of them.
func (l *lockstep) run(ctx context.Context) (bool, error) {
	old, fresh := l.old.Init(), l.new.Init()
	if len(old) != len(fresh) { // which starts are new is said of the variables
		old, fresh = old[:1], fresh[:1]
	}
	for i := range old {
		l.reach(pairing{state: [2]interp.State{old[i], fresh[i]}, from: -1})
	}
	for at := 0; at < len(l.pairs); at++ {
		if at%64 == 0 && ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		if err := l.expand(at); err != nil {
			return false, err
		}
		if l.max > 0 && len(l.pairs) > l.max {
			return false, nil
		}
	}
	return true, nil
}

// reach notes a pair, unless it was reached before.
func (l *lockstep) reach(p pairing) bool {
	if _, ok := l.index[p.state]; ok {
		return false
	}
	l.index[p.state] = len(l.pairs)
	l.add(p)
	return true
}

func (l *lockstep) add(p pairing) {
	if p.from >= 0 {
		p.steps = l.pairs[p.from].steps + 1
	}
	l.pairs = append(l.pairs, p)
}

// expand puts each call to both machines in a pair of states, and notes the pair
// if one of them goes on where the other doesn't.
func (l *lockstep) expand(at int) error {
	p := l.pairs[at]
	return l.calls(p, func(a, b *interp.Step) {
		switch {
		case a == nil:
			l.fork(1, at, b.To != p.state[1])
		case b == nil:
			l.fork(0, at, a.To != p.state[0])
		default:
			if what := l.differ(p, a, b); what != "" {
				l.found(at, &sighting{a, b, what})
				l.fork(0, at, a.To != p.state[0])
				l.fork(1, at, b.To != p.state[1])
				return
			}
			l.agreed(at, a, b)
			l.reach(pairing{state: [2]interp.State{a.To, b.To}, from: at, by: b.Label})
		}
	})
}

func (l *lockstep) fork(side, at int, moved bool) {
	if f := l.forks[side]; moved && (len(f) == 0 || f[len(f)-1] != at) {
		l.forks[side] = append(f, at)
	}
}

// differ says what of two steps is seen to differ.
func (l *lockstep) differ(p pairing, a, b *interp.Step) difference {
	if a.Kind != b.Kind || l.codeOf(0, &a.Label) != l.codeOf(1, &b.Label) {
		return answers
	}
	if a.Kind == fsm.Internal {
		return ""
	}
	if !l.sameEffects(a.Label.Effects, b.Label.Effects) {
		return effects
	}
	if a.To == p.state[0] && b.To == p.state[1] || l.see(0, a.To) == l.see(1, b.To) {
		return ""
	}
	sa, pa := l.control(0, a.To, &a.Label.Event)
	sb, pb := l.control(1, b.To, &b.Label.Event)
	if !l.sameState(sa, sb) || !l.sameState(pa, pb) {
		return states
	}
	return data
}

func (l *lockstep) sameState(a, b *spec.State) bool {
	if a == nil || b == nil {
		return a == b
	}
	return l.m.toOld[l.m.new.by[b]] == l.m.old.by[a]
}

// codeOf returns the code that a step answers, in the old table's words.
func (l *lockstep) codeOf(side int, label *interp.Label) string {
	code := label.Row.Code
	if code == "" || side == 0 {
		return code
	}
	for _, a := range l.m.new.t.Answers {
		if a.Code == code {
			if o := l.m.toOld[l.m.new.by[a]]; o != nil {
				return o.name
			}
			return "new " + code
		}
	}
	return code
}

func (l *lockstep) sameEffects(a, b []interp.Effect) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		o := l.m.toOld[l.m.new.by[b[i].Effect]]
		if o == nil || o.obj != any(a[i].Effect) || len(a[i].Args) != len(b[i].Args) {
			return false
		}
		for j, arg := range b[i].Effect.Args {
			if !likeTypes(a[i].Effect.Args[j].Type, arg.Type) {
				return false
			}
			v, ok := l.code(1, arg.Type, a[i].Effect.Args[j].Type)(b[i].Args[j])
			if !ok || v != a[i].Args[j] {
				return false
			}
		}
	}
	return true
}

// way returns the steps to a pair, in the words of the machine whose way it is.
func (l *lockstep) way(at int) []Step {
	var back []Step
	for i := at; l.pairs[i].from >= 0; i = l.pairs[i].from {
		back = append(back, l.step(&l.pairs[i]))
	}
	for i, j := 0, len(back)-1; i < j; i, j = i+1, j-1 {
		back[i], back[j] = back[j], back[i]
	}
	return back
}

func (l *lockstep) step(p *pairing) Step {
	if p.after == afterOld {
		return stepOf(l.old, &p.by)
	}
	return stepOf(l.new, &p.by)
}

func stepOf(m *interp.Machine, label *interp.Label) Step {
	return Step{Event: m.FormatEvent(label.Event), Row: label.Decision(), Values: choices(label)}
}

// choices are the arguments that tell calls of one row apart for a reader:
// values of enumerations and conditions.
func choices(label *interp.Label) string {
	var out []string
	for i, a := range label.Event.Event.Args {
		if i >= len(label.Args) {
			break
		}
		switch a.Sym.Type.Kind {
		case expr.Enum:
			out = append(out, interp.FormatValue(a.Sym.Type, label.Args[i]))
		case expr.Bool:
			not := ""
			if label.Args[i] == 0 {
				not = "not "
			}
			out = append(out, not+a.Sym.Name)
		}
	}
	return strings.Join(out, ", ")
}
