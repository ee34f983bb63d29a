package diff_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/interlock-go/interlock/gen/diff"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// sides are both machines at one size, where nothing was renamed: what they
// say is compared as text.
type sides struct {
	m    [2]*interp.Machine
	at   [2]interp.State
	seen map[string]bool // variables that both have
}

func newSides(old, fresh *spec.Table, m *spec.Model, alone bool) (*sides, error) {
	s := sides{seen: map[string]bool{"state": true}}
	for _, a := range slices.Concat(old.Vars, old.Shared) {
		for _, b := range slices.Concat(fresh.Vars, fresh.Shared) {
			if a.Sym.Name == b.Sym.Name {
				s.seen[a.Sym.Name] = true
			}
		}
	}
	for i, t := range []*spec.Table{old, fresh} {
		model := *m
		model.Sizes = map[*expr.Type]int{}
		for _, x := range t.Types {
			for y, n := range m.Sizes {
				if x.Name == y.Name {
					model.Sizes[x] = n
				}
			}
		}
		var assume []*spec.Assumption
		for _, a := range t.Assumptions {
			for _, b := range m.Assume {
				if a.Name == b.Name && !alone {
					assume = append(assume, a)
				}
			}
		}
		model.Assume, model.Alone = assume, m.Alone || alone
		machine, err := interp.New(t, &model)
		if err != nil {
			return nil, err
		}
		s.m[i], s.at[i] = machine, machine.Init()[0]
	}
	return &s, nil
}

// steps are the calls that a side knows, by their text.
func (s *sides) steps(side int) (map[string]interp.Step, []string, error) {
	out := map[string]interp.Step{}
	var order []string
	err := s.m[side].Steps(s.at[side], func(st interp.Step) bool {
		text := s.m[side].FormatEvent(st.Label.Event)
		out[text] = st
		order = append(order, text)
		return true
	})
	return out, order, err
}

// says is what a caller sees of a step.
func (s *sides) says(side int, st interp.Step) string {
	var b strings.Builder
	row := st.Label.Row
	fmt.Fprintf(&b, "%v %s", row.Outcome, row.Code)
	for _, e := range st.Label.Effects {
		b.WriteString(" " + interp.FormatEffect(e))
	}
	for line := range strings.SplitSeq(s.m[side].Format(st.To), "\n") {
		whose, rest, ok := strings.Cut(line, ": ")
		if !ok {
			whose, rest = "", line
		}
		for part := range strings.SplitSeq(rest, ", ") {
			if name, _, _ := strings.Cut(part, " ="); s.seen[name] || strings.Contains(name, "(") {
				b.WriteString("\n" + whose + " " + part)
			}
		}
	}
	return b.String()
}

// replayed runs a decision's way on both machines, and returns an error if they
// don't answer alike up to the last step, and differently there.
func replayed(old, fresh *spec.Table, d diff.Decision) error {
	name, alone := strings.CutSuffix(d.In, ", callers saying anything")
	from := fresh
	if n, ok := strings.CutSuffix(name, " of the old table"); ok {
		name, from = n, old
	}
	for _, m := range from.Models {
		if m.Name != name {
			continue
		}
		s, err := newSides(old, fresh, m, alone)
		if err != nil {
			return err
		}
		if d.Follows != "" {
			return s.followed(d)
		}
		for i, step := range d.Way {
			a, _, err1 := s.steps(0)
			b, _, err2 := s.steps(1)
			if err := errors.Join(err1, err2); err != nil {
				return err
			}
			x, ok := a[step.Event]
			y, ok2 := b[step.Event]
			if !ok || !ok2 {
				return fmt.Errorf("%s isn't possible", step.Event)
			}
			same := s.says(0, x) == s.says(1, y)
			if same != (i < len(d.Way)-1) {
				return fmt.Errorf("step %d, %s: alike is %v\n%s\n%s", i+1, step.Event, same, s.says(0, x), s.says(1, y))
			}
			if y.Label.Decision() != step.Row {
				return fmt.Errorf("step %d is decided by %s, not by %s", i+1, y.Label.Decision(), step.Row)
			}
			s.at = [2]interp.State{x.To, y.To}
		}
		return nil
	}
	return fmt.Errorf("there is no model %q", name)
}

// followed runs a decision's way on the machine that it is of, and puts the other
// one into its last state: there both must answer differently.
func (s *sides) followed(d diff.Decision) error {
	on := map[string]int{"old": 0, "new": 1}[string(d.Follows)]
	last := d.Way[len(d.Way)-1]
	for _, step := range d.Way[:len(d.Way)-1] {
		steps, _, err := s.steps(on)
		if err != nil {
			return err
		}
		if x := steps[step.Event]; x.Label.Row == nil || x.Label.Decision() != step.Row {
			return fmt.Errorf("%s isn't decided by %s where the %s table goes", step.Event, step.Row, d.Follows)
		}
		s.at[on] = steps[step.Event].To
	}
	if len(s.names(0)) != len(s.names(1)) {
		return nil // the other one holds more: in which state it is depends on the way
	}
	held := map[string]uint64{}
	for i, v := range s.m[on].Values(s.at[on]) {
		held[s.names(on)[i]] = v
	}
	var values []uint64
	for _, name := range s.names(1 - on) {
		values = append(values, held[name])
	}
	var err error
	if s.at[1-on], err = s.m[1-on].Pack(values); err != nil {
		return err
	}
	a, _, err1 := s.steps(0)
	b, _, err2 := s.steps(1)
	x, y := a[last.Event], b[last.Event]
	if x.Label.Row == nil || y.Label.Row == nil || s.says(0, x) == s.says(1, y) || y.Label.Decision() != last.Row {
		return errors.Join(err1, err2, fmt.Errorf("%s isn't answered differently after the %s table's way", last.Event, d.Follows))
	}
	return errors.Join(err1, err2)
}

// names are those of all fields, as Machine.Values has them.
func (s *sides) names(side int) []string {
	own, shared := s.m[side].Fields()
	var out []string
	for i := range s.m[side].Instances() {
		for _, f := range own {
			out = append(out, fmt.Sprintf("%d %s", i, f.Name))
		}
	}
	for _, f := range shared {
		out = append(out, f.Name)
	}
	return out
}

// wander puts random commands to both machines and returns the first that is
// answered differently.
func wander(t *rapid.T, old, fresh *spec.Table, m *spec.Model) string {
	s, err := newSides(old, fresh, m, false)
	if err != nil {
		return err.Error()
	}
	for range 12 {
		a, _, err1 := s.steps(0)
		b, order, err2 := s.steps(1)
		if err := errors.Join(err1, err2); err != nil {
			return err.Error()
		}
		for text, y := range b {
			if x, ok := a[text]; ok && s.says(0, x) != s.says(1, y) {
				return text + "\n" + s.says(0, x) + "\n" + s.says(1, y)
			}
		}
		text := rapid.SampledFrom(order).Draw(t, "command")
		s.at = [2]interp.State{a[text].To, b[text].To}
	}
	return ""
}
