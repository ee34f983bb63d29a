package diff

import (
	"context"
	"fmt"
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
	codes    map[*expr.Type]func(uint64) (uint64, bool) // from the new table's code of a value to the old one's
	fields   []fieldPair
	flat     [2][]placed
	visible  [2]map[interp.State]string
	pairs    []pairing
	index    map[[2]interp.State]int
	max      int
	buf      []byte
	events   map[*spec.Event]*signature
	steps    map[call]interp.Step // of the old machine, from the state that is expanded
	found    func(at int, s *sighting)
	agreed   func(at int, a, b *interp.Step)
}

// pairing is a pair of states with the step that led to it first.
type pairing struct {
	state [2]interp.State
	from  int // among the pairs; -1: the start
	by    interp.Label
	steps int // from the start
}

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
	l := &lockstep{m: m, old: old, new: new, codes: map[*expr.Type]func(uint64) (uint64, bool){}, index: map[[2]interp.State]int{}, steps: map[call]interp.Step{}, max: max}
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

// run walks all pairs, and reports whether it saw all of them.
func (l *lockstep) run(ctx context.Context) (bool, error) {
	l.reach([2]interp.State{l.old.Init()[0], l.new.Init()[0]}, -1, interp.Label{})
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

func (l *lockstep) reach(s [2]interp.State, from int, by interp.Label) {
	if _, ok := l.index[s]; !ok {
		l.index[s] = len(l.pairs)
		steps := 0
		if from >= 0 {
			steps = l.pairs[from].steps + 1
		}
		l.pairs = append(l.pairs, pairing{s, from, by, steps})
	}
}

// expand puts each call to both machines in a pair of states.
func (l *lockstep) expand(at int) error {
	p := l.pairs[at]
	steps, more := l.steps, map[call][]interp.Step{}
	clear(steps)
	err := l.old.Steps(p.state[0], func(st interp.Step) bool {
		if c, ok := l.oldCall(&st.Label.Event); ok && l.events[st.Label.Event.Event].more {
			more[c] = append(more[c], st)
		} else if ok {
			steps[c] = st
		}
		return true
	})
	if err != nil {
		return fmt.Errorf("the old table: %w", err)
	}
	err = l.new.Steps(p.state[1], func(b interp.Step) bool {
		c, ok := l.newCall(&b.Label.Event)
		if !ok {
			return true
		}
		if a, ok := steps[c]; ok {
			l.both(at, &a, &b)
		}
		for i := range more[c] {
			l.both(at, &more[c][i], &b)
		}
		return true
	})
	if err != nil {
		return fmt.Errorf("the new table: %w", err)
	}
	return nil
}

// both takes in what both machines do at one call.
func (l *lockstep) both(at int, a, b *interp.Step) {
	p := l.pairs[at]
	if what := l.differ(p, a, b); what != "" {
		l.found(at, &sighting{a, b, what})
		return
	}
	if l.agreed != nil {
		l.agreed(at, a, b)
	}
	l.reach([2]interp.State{a.To, b.To}, at, b.Label)
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
			v, ok := l.code(arg.Type)(b[i].Args[j])
			if !ok || v != a[i].Args[j] {
				return false
			}
		}
	}
	return true
}

// way returns the steps to a pair, in the new table's words.
func (l *lockstep) way(at int) []Step {
	var back []Step
	for i := at; l.pairs[i].from >= 0; i = l.pairs[i].from {
		back = append(back, l.step(&l.pairs[i].by))
	}
	for i, j := 0, len(back)-1; i < j; i, j = i+1, j-1 {
		back[i], back[j] = back[j], back[i]
	}
	return back
}

func (l *lockstep) step(label *interp.Label) Step { return stepOf(l.new, label) }

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
