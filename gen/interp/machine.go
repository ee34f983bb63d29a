package interp

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// Event is an event that happens to an instance, with the codes of its
// arguments. Args is shared by all labels of the same call: it is read-only.
type Event struct {
	Instance int // from 0
	Event    *spec.Event
	Args     []uint64
}

// Label is a step: what happened, the row that decided it, the row of a
// sub-table that it went on with, and what the shell is to do.
type Label struct {
	Event
	Row     *spec.Row
	Then    *spec.Row // nil: there is none
	Effects []Effect
}

// Step, Path and Property are the explorer's, of a Machine.
type (
	Step     = explore.Step[State, Label]
	Path     = explore.Path[State, Label]
	Property = explore.Property[State, Label]
	Result   = explore.Result[State, Label]
)

// Machine is the state space of one model of a table: its instances and its
// world. It is an explore.System. It may be used by several goroutines at once
// unless it was given a Stepper that may not.
type Machine struct {
	domains
	*layout
	rows    []*spec.Row // by Index; nil where there is none
	events  []*event    // of the machine, then of the world
	native  *tableStepper
	stepper Stepper  // nil: native
	vars    []*Field // what a Stepper sees: of the instance, then what is shared
	ownVars int      // so many of vars are the instance's
	follows follows
	full    *compiler // over the whole state
	maxArgs int
	inits   []State   // the first one is the declared start
	pool    sync.Pool // of *scratch
}

var _ explore.System[State, Label] = (*Machine)(nil)

// Option changes how a Machine runs.
type Option func(*Machine) error

// WithStepper lets s decide the machine's events in place of the table's own
// rows; ghosts, fresh values, assumptions and the world stay the table's.
func WithStepper(s Stepper) Option {
	return func(m *Machine) error {
		if s == nil {
			return errors.New("the stepper is nil")
		}
		m.stepper = s
		return nil
	}
}

// Decision returns the name of what decided the step: "claim.won", or with a
// row of a sub-table "end.failed+handOver.next".
func (l *Label) Decision() string {
	if l.Then == nil {
		return l.Row.Name()
	}
	return l.Row.Name() + "+" + l.Then.Name()
}

// New returns the state space of a model of t. Errors are those of the model's
// sizes and of tables that the package can't run, such as too many values of a
// type: a diag.List with a place in the table, or what an option says.
// Both are read-only from then on.
func New(t *spec.Table, model *spec.Model, opts ...Option) (*Machine, error) {
	m, err := build(t, model)
	if err != nil {
		return nil, cantExplore(t, model, err)
	}
	for _, o := range opts {
		if err := o(m); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func build(t *spec.Table, model *spec.Model) (*Machine, error) {
	m := &Machine{domains: domains{table: t, model: model, base: lowest(declared(t))}}
	if model.Instances < 1 {
		return nil, errors.New("a model needs an instance")
	}
	if len(model.Params) != len(t.Params) {
		return nil, fmt.Errorf("%d values for %d params", len(model.Params), len(t.Params))
	}
	if err := m.indexRows(t); err != nil {
		return nil, err
	}
	if err := m.checkSets(declared(t)); err != nil {
		return nil, err
	}
	var err error
	if m.layout, err = newLayout(t, &m.domains); err != nil {
		return nil, err
	}
	m.listProduction()
	if m.native, err = newTableStepper(t, m.domains, m.layout); err != nil {
		return nil, err
	}
	m.full = &compiler{domains: m.domains, slots: m.slots}
	for _, list := range [][]*spec.Event{t.Events, t.World} {
		for _, e := range list {
			ev, err := m.event(e)
			if err != nil {
				return nil, errorAt(e.Pos, "%s: %w", e.Name, err)
			}
			m.events = append(m.events, ev)
			m.maxArgs = max(m.maxArgs, len(e.Args))
		}
	}
	if err := m.compileFollows(); err != nil {
		return nil, err
	}
	return m, m.start()
}

// indexRows lists the rows by their index. A table from which some were
// dropped keeps the others' indices.
func (m *Machine) indexRows(t *spec.Table) error {
	for i, e := range t.Events {
		if e.Index != i {
			return fmt.Errorf("event %s has index %d, not %d", e.Name, e.Index, i)
		}
	}
	for _, r := range t.Rows() {
		for len(m.rows) <= r.Index {
			m.rows = append(m.rows, nil)
		}
		if m.rows[r.Index] != nil {
			return fmt.Errorf("%s and %s have one index, %d", m.rows[r.Index].Name(), r.Name(), r.Index)
		}
		m.rows[r.Index] = r
	}
	return nil
}

// declared returns the types of everything that holds a value.
func declared(t *spec.Table) []*expr.Type {
	var out []*expr.Type
	lists := [][]*spec.Var{t.Vars, t.Shared, t.Ghosts}
	for _, p := range t.Parts {
		lists = append(lists, p.Vars)
	}
	for _, list := range lists {
		for _, v := range list {
			out = append(out, v.Sym.Type)
		}
	}
	for _, list := range [][]*spec.Event{t.Events, t.World} {
		for _, e := range list {
			for _, a := range e.Args {
				out = append(out, a.Sym.Type)
			}
		}
	}
	for _, e := range t.Effects {
		for _, a := range e.Args {
			out = append(out, a.Type)
		}
	}
	return out
}

// checkSets makes sure that sets of numbers fit in one word together.
func (m *Machine) checkSets(types []*expr.Type) error {
	for _, t := range types {
		for ; t.Kind == expr.Optional; t = t.Elem {
		}
		if t.Kind == expr.Set && t.Elem.Kind == expr.Int && t.Elem.Hi-m.base >= maxElements {
			return fmt.Errorf("the sets of numbers range over more than %d numbers together", maxElements)
		}
	}
	return nil
}

func (m *Machine) listProduction() {
	for _, fields := range [][]Field{m.layout.own, m.layout.shared} {
		for i := range fields {
			if f := &fields[i]; f.Kind != Ghost && f.Kind != Issued {
				m.vars = append(m.vars, f)
				if f.Own {
					m.ownVars++
				}
			}
		}
	}
}

// start computes the initial state.
func (m *Machine) start() error {
	slots := make([]uint64, m.length())
	for i := range slots {
		f := m.field(i)
		if f.Kind != Issued {
			slots[i] = initial(f.Type)
		}
	}
	var states []*spec.State
	for _, s := range m.table.States {
		if s.Initial {
			states = append(states, s)
		}
	}
	if len(states) != 1 {
		return fmt.Errorf("%d initial states", len(states))
	}
	e := &env{old: slots, new: slots}
	set := func(sym *expr.Symbol, code uint64) {
		for i := range slots {
			if m.field(i).Sym == sym {
				slots[i] = code
			}
		}
	}
	set(m.table.State, uint64(states[0].Index))
	for _, p := range m.table.Parts {
		for _, v := range p.Vars {
			if v.Init == nil {
				continue
			}
			u, err := m.startOf(v)
			if err != nil {
				return err
			}
			code, fault := u.code(&m.domains, e, v.Sym.Name)
			if fault != nil {
				return fault
			}
			set(v.Sym, code)
		}
	}
	m.native.startFrom(m, slots)
	return m.starts(slots)
}

// Table and Model return what the machine was made of.
func (m *Machine) Table() *spec.Table { return m.table }
func (m *Machine) Model() *spec.Model { return m.model }

// Init returns the states at the start: the declared one first, then those with
// other values of the variables that may start with any.
func (m *Machine) Init() []State { return slices.Clone(m.inits) }

// kinds maps a row's outcome to what the explorer calls it.
var kinds = [...]fsm.Kind{
	spec.Move: fsm.Move, spec.Stay: fsm.Stay, spec.Refuse: fsm.Refuse, spec.Ignore: fsm.Ignore, spec.Never: fsm.Internal,
}
