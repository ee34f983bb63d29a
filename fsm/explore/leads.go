package explore

import (
	"context"
	"errors"
	"fmt"
)

// Leads is the claim that every state at which From is true is followed, at
// once or later, by one at which To is, in every behaviour that is fair.
//
// A behaviour may stop for ever anywhere: a step that changes nothing is no
// progress, and no step counts that leads to the state it starts from. Only
// fairness forces progress.
type Leads[S comparable, L any] struct {
	Name     string
	From, To func(s S) (bool, error)
	Fair     []Fair[L]
}

// Fair says which steps a behaviour may not put off for ever: weakly, if one of
// them can always be taken from some time on; strongly, if one can be taken
// again and again.
type Fair[L any] struct {
	Name   string
	Strong bool
	Of     func(label L) bool
}

// Lasso is a behaviour without end: a path, then a loop that leads from the
// path's last state back to it. With an empty Loop nothing changes any more.
type Lasso[S comparable, L any] struct {
	Name string // of the claim that it breaks
	Path *Path[S, L]
	Loop []Step[S, L]
}

// ErrLeads says that a claim lacks From or To, or a fairness its Of.
var ErrLeads = errors.New("explore: a leads-to needs From and To, and fairness needs to know its steps")

// Moves is the graph of all steps that change a state, for claims about
// behaviours without end. It is made once for a system.
type Moves[S comparable, L any] struct {
	walk  *walk[S, L]
	steps []Step[S, L]
	to    []uint32 // the steps' targets
	first []uint32 // of each state, its first step; one more at the end
}

// MovesOf searches sys for at most maxStates states (0: no bound). Its error is
// that of [GraphOf].
func MovesOf[S comparable, L any](ctx context.Context, sys System[S, L], maxStates int) (*Moves[S, L], error) {
	m := &Moves[S, L]{walk: newWalk(sys, maxStates)}
	err := m.walk.run(ctx, visitor[S, L]{
		state: func(uint32) error { return nil },
		step: func(from uint32, st Step[S, L], to uint32) error {
			if to != from {
				m.steps, m.to = append(m.steps, st), append(m.to, to)
			}
			return nil
		},
		closed: func(uint32) error {
			m.first = append(m.first, uint32(len(m.steps)))
			return nil
		},
	})
	if err != nil {
		return nil, unwrapFault(err)
	}
	m.first = append([]uint32{0}, m.first...)
	return m, nil
}

// Check returns nil if the claim holds, or a fair behaviour that breaks it, with
// a shortest way into its loop. The error is one of the claim's functions, with
// the state that it was asked about, or ErrLeads.
func (m *Moves[S, L]) Check(ctx context.Context, c Leads[S, L]) (*Lasso[S, L], error) {
	s, err := m.search(c)
	if err != nil {
		return nil, err
	}
	s.reach()
	if len(s.order) == 0 {
		return nil, nil
	}
	if at, ok := s.rest(); ok {
		return s.lasso(at, nil)
	}
	var best []uint32
	for _, component := range s.components(s.order) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if fair := s.fairPart(component); fair != nil && (best == nil || s.rank[fair[0]] < s.rank[best[0]]) {
			best = fair
		}
	}
	if best == nil {
		return nil, nil
	}
	return s.lasso(best[0], s.loop(best))
}

// Pending calls f for each state in which c waits for its To, the nearest first,
// with the steps that change it, until f returns false. Fairness doesn't matter.
// The error is that of Check.
func (m *Moves[S, L]) Pending(c Leads[S, L], f func(at S, steps []Step[S, L]) bool) error {
	s, err := m.search(c)
	if err != nil {
		return err
	}
	s.reach()
	for _, at := range s.order {
		if !f(m.walk.states[at], m.steps[m.first[at]:m.first[at+1]:m.first[at+1]]) {
			break
		}
	}
	return nil
}

// Each calls f for each state, in the order in which they were found, with the
// steps that change it.
func (m *Moves[S, L]) Each(f func(at S, steps []Step[S, L])) {
	for i, at := range m.walk.states {
		f(at, m.steps[m.first[i]:m.first[i+1]:m.first[i+1]])
	}
}

// pending is the search for a behaviour that breaks one claim: it stays in the
// states that are reached from one with From, through none with To.
type pending[S comparable, L any] struct {
	*Moves[S, L]
	name  string
	fair  []Fair[L]
	from  []bool
	to    []bool
	can   [][]bool // of each fairness, the states in which it has a step
	order []uint32 // the states in question, by their distance
	rank  []uint32 // their places in order, from 1
	pred  [2][]way // the ways to each state: before one with From was met, and after
}

// way is the step by which a state was found, and in which phase it starts.
type way struct {
	step  uint32
	phase uint8
	known bool
	init  bool
}

func (m *Moves[S, L]) search(c Leads[S, L]) (*pending[S, L], error) {
	if c.From == nil || c.To == nil {
		return nil, fmt.Errorf("%w: %q", ErrLeads, c.Name)
	}
	n := len(m.walk.states)
	s := &pending[S, L]{Moves: m, name: c.Name, fair: c.Fair, from: make([]bool, n), to: make([]bool, n), rank: make([]uint32, n)}
	for i, st := range m.walk.states {
		var err error
		if s.from[i], err = c.From(st); err != nil {
			return nil, err
		}
		if s.to[i], err = c.To(st); err != nil {
			return nil, err
		}
	}
	for _, f := range c.Fair {
		if f.Of == nil {
			return nil, fmt.Errorf("%w: %q, %q", ErrLeads, c.Name, f.Name)
		}
		can := make([]bool, n)
		for at := range n {
			for e := m.first[at]; e < m.first[at+1] && !can[at]; e++ {
				can[at] = f.Of(m.steps[e].Label)
			}
		}
		s.can = append(s.can, can)
	}
	return s, nil
}

// reach finds the states in question and a shortest way to each: any steps to
// one with From, then steps that avoid To.
func (s *pending[S, L]) reach() {
	type node struct {
		at    uint32
		phase uint8
	}
	s.pred = [2][]way{make([]way, len(s.from)), make([]way, len(s.from))}
	var queue []node
	visit := func(at uint32, phase uint8, by way) {
		if phase == 1 && s.to[at] || s.pred[phase][at].known {
			return
		}
		by.known = true
		s.pred[phase][at] = by
		queue = append(queue, node{at, phase})
		if phase == 1 {
			s.order = append(s.order, at)
			s.rank[at] = uint32(len(s.order))
		}
	}
	for at := range uint32(s.walk.inits) {
		if s.from[at] {
			visit(at, 1, way{init: true})
		}
		visit(at, 0, way{init: true})
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for e := s.first[n.at]; e < s.first[n.at+1]; e++ {
			to := s.Moves.to[e]
			if n.phase == 1 || s.from[to] {
				visit(to, 1, way{step: e, phase: n.phase})
			}
			if n.phase == 0 {
				visit(to, 0, way{step: e})
			}
		}
	}
}

// rest returns the nearest state in which nothing fair can be done.
func (s *pending[S, L]) rest() (uint32, bool) {
	for _, at := range s.order {
		free := true
		for _, can := range s.can {
			free = free && !can[at]
		}
		if free {
			return at, true
		}
	}
	return 0, false
}

// source returns the state that a step leads from.
func (s *pending[S, L]) source(e uint32) uint32 {
	lo, hi := 0, len(s.first)-1
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; s.first[mid] <= e {
			lo = mid
		} else {
			hi = mid
		}
	}
	return uint32(lo)
}

// lasso returns the behaviour that goes to a state in question and then round
// the loop.
func (s *pending[S, L]) lasso(at uint32, loop []uint32) (*Lasso[S, L], error) {
	var back []uint32
	start, phase := at, uint8(1)
	for {
		w := s.pred[phase][start]
		if w.init {
			break
		}
		back = append(back, w.step)
		start, phase = s.source(w.step), w.phase
	}
	l := &Lasso[S, L]{Name: s.name, Path: &Path[S, L]{Init: s.walk.states[start]}}
	for i := len(back) - 1; i >= 0; i-- {
		l.Path.Steps = append(l.Path.Steps, s.steps[back[i]])
	}
	for _, e := range loop {
		l.Loop = append(l.Loop, s.steps[e])
	}
	return l, nil
}
