package tlaplus

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// ErrOrder is a log that isn't in the order in which serials were issued.
var ErrOrder = errors.New("tlaplus: serials aren't in the order of their issue")

// Line is a line of a program's log: how one event was answered. Values are
// codes: bool 0 and 1; a number of a range counted from its lowest; an
// enumeration's value its index; an optional 0 for none, else 1 + the code it
// holds; a set a bit mask. Identities and serials may be any numbers (a
// serial's origin is 0): they are renumbered from 1 in the order in which the
// log's moves use them up, those never used up last.
type Line struct {
	Row      *spec.Row
	Then     *spec.Row // of the sub-table that Row goes on with
	Instance string    // empty if there is just one
	Args     []uint64
	Effects  []Emitted
	After    []uint64 // state, the machine's variables, shared variables; nil: not told
	// With After, of each list among the variables the elements' codes, in the
	// table's order (its code in After isn't looked at), and the parts that
	// aren't as at the start.
	Lists [][]uint64
	Parts []Record
}

// Record is a part: the codes of its state and variables.
type Record struct {
	Part   *spec.Part
	Key    uint64
	Fields []uint64
}

// decision is the name of what decided the step.
func (l *Line) decision() string {
	if l.Then == nil {
		return l.Row.Name()
	}
	return l.Row.Name() + "+" + l.Then.Name()
}

// Emitted is an effect as the program was told it.
type Emitted struct {
	Effect *spec.Effect
	Args   []uint64
}

// Trace returns the run that accepts a log, and reports a deadlock in the state
// in which the variable at is how many of its lines can be explained. For the
// arguments and errors see [TraceLog].
func Trace(t *spec.Table, params []int, lines []Line) (Run, error) {
	log, err := TraceLog(t, params, lines)
	if err != nil {
		return Run{}, err
	}
	m, err := newModule(t)
	if err != nil {
		return Run{}, err
	}
	r := Run{
		Name: "trace", Module: m.name + "Trace", CfgName: m.name + "Trace.cfg", Cfg: m.traceCfg(), Workers: 1,
		Files: []file.File{{Path: m.name + ".tla", Data: m.base()}, {Path: m.name + "Trace.tla", Data: m.trace()}, log},
	}
	return r, m.err()
}

// TraceLog prints the log as the module that XTrace.tla reads; its Path is a
// file name. params are the program's constants in the table's order, as in
// [spec.Model]. Lines of all instances are in one order: of an instance its
// own, and of instances that share fresh values that of their issue, else the
// error is an [ErrOrder].
func TraceLog(t *spec.Table, params []int, lines []Line) (file.File, error) {
	m, err := newModule(t)
	if err != nil {
		return file.File{}, err
	}
	if len(params) != len(t.Params) {
		return file.File{}, fmt.Errorf("tlaplus: %d constants given, the table has %d", len(params), len(t.Params))
	}
	r := &ranks{m: m, rank: map[pool]map[uint64]uint64{}}
	if err := r.collect(lines); err != nil {
		return file.File{}, err
	}
	w := &printer{m: m}
	w.preface(m.name+"TraceLog", "A program's log, for "+m.name+"Trace.")
	if len(t.Parts) > 0 {
		w.line("EXTENDS %s, TLC", m.name)
	} else {
		w.line("EXTENDS %s", m.name)
	}
	w.line("")
	if m.p != "" {
		var is []string
		for _, l := range lines {
			is = append(is, strconv.Quote(l.Instance))
		}
		slices.Sort(is)
		w.line("Trace%s == {%s}", names.Exported(t.Per), strings.Join(slices.Compact(is), ", "))
	}
	for _, ty := range m.identity {
		w.line("Trace%s == 1..%d", names.Exported(ty.Name), r.size(ty))
	}
	for i, p := range t.Params {
		w.line("Trace%s == %s", names.Exported(p.Name), param(p.Type, params[i]))
	}
	w.line("")
	w.line("Log == <<")
	for i, l := range lines {
		s, err := r.record(l)
		if err != nil {
			return file.File{}, fmt.Errorf("line %d: %w", i+1, err)
		}
		if i < len(lines)-1 {
			s += ","
		}
		w.line("  %s", s)
	}
	w.line(">>")
	w.end()
	return file.File{Path: m.name + "TraceLog.tla", Data: w.buf.Bytes()}, m.err()
}

// pool is where fresh values come from: a type, of one instance unless shared.
type pool struct {
	of       *expr.Type
	instance string
}

// ranks renumbers identities and serials.
type ranks struct {
	m    *module
	rank map[pool]map[uint64]uint64
}

func (r *ranks) pool(ty *expr.Type, instance string) pool {
	if ty.Shared {
		instance = ""
	}
	return pool{ty, instance}
}

// collect numbers what moves use up, then all else that the lines mention.
func (r *ranks) collect(lines []Line) error {
	last := map[pool]uint64{}
	for i, l := range lines {
		if err := r.m.fitting(l); err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
		for j, a := range l.Row.Event.Args {
			if !a.Fresh || l.Row.Outcome != spec.Move {
				continue
			}
			p, v := r.pool(a.Sym.Type, l.Instance), l.Args[j]
			if p.of.Kind == expr.Serial && v <= last[p] {
				return fmt.Errorf("line %d: %s after %d comes %d: %w", i+1, p.of.Name, last[p], v, ErrOrder)
			}
			last[p] = v
			r.add(p, v)
		}
	}
	seen := map[pool]map[uint64]bool{}
	for _, l := range lines {
		r.m.each(l, func(ty *expr.Type, code uint64) {
			p := r.pool(ty, l.Instance)
			if seen[p] == nil {
				seen[p] = map[uint64]bool{}
			}
			seen[p][code] = true
		})
	}
	for p, values := range seen {
		for _, v := range slices.Sorted(maps.Keys(values)) {
			r.add(p, v)
		}
	}
	return nil
}

// add gives v the next number, unless it has one.
func (r *ranks) add(p pool, v uint64) {
	if r.rank[p] == nil {
		r.rank[p] = map[uint64]uint64{}
	}
	if _, ok := r.rank[p][v]; !ok && (v != 0 || p.of.Kind != expr.Serial) {
		r.rank[p][v] = uint64(len(r.rank[p])) + 1
	}
}

func (r *ranks) size(ty *expr.Type) int {
	n := 1
	for p, values := range r.rank {
		if p.of == ty {
			n = max(n, len(values))
		}
	}
	if r.m.t.IsKey(ty) {
		n++ // a fresh value that a refusal doesn't use up names a part too
	}
	return n
}

// fitting reports a line that isn't one of the table's.
func (m *module) fitting(l Line) error {
	if l.Row == nil || len(l.Args) != len(l.Row.Event.Args) {
		return fmt.Errorf("tlaplus: the arguments aren't the event's")
	}
	for _, e := range l.Effects {
		if e.Effect == nil || len(e.Args) != len(e.Effect.Args) {
			return fmt.Errorf("tlaplus: the arguments aren't the effect's")
		}
	}
	if l.Row.Then != nil && (l.Then == nil || l.Then.Table != l.Row.Then) || l.Row.Then == nil && l.Then != nil {
		return fmt.Errorf("tlaplus: %s doesn't go on so", l.Row.Name())
	}
	if l.After == nil {
		return nil
	}
	told, lists := m.told(), 0
	for _, v := range told {
		if v.sym.Type.Kind == expr.List {
			lists++
		}
	}
	if len(l.After) != len(told) || len(l.Lists) != lists {
		return fmt.Errorf("tlaplus: %d variables told and %d lists, the machine has %d and %d", len(l.After), len(l.Lists), len(told), lists)
	}
	for _, p := range l.Parts {
		if p.Part == nil || len(p.Fields) != len(p.Part.Fields()) {
			return fmt.Errorf("tlaplus: the fields aren't the part's")
		}
	}
	return nil
}

// told returns the machine's variables, its parts aside.
func (m *module) told() []*variable {
	return slices.DeleteFunc(slices.Clone(m.vars), func(v *variable) bool { return v.world || v.part != nil })
}

// each calls f for every identity and serial in l.
func (m *module) each(l Line, f func(*expr.Type, uint64)) {
	for i, a := range l.Row.Event.Args {
		if !a.Fresh || l.Row.Outcome == spec.Move {
			inside(a.Sym.Type, l.Args[i], f)
		}
	}
	for _, e := range l.Effects {
		for i, a := range e.Effect.Args {
			inside(a.Type, e.Args[i], f)
		}
	}
	if l.After == nil {
		return
	}
	lists := l.Lists
	for i, v := range m.told() {
		if v.sym.Type.Kind != expr.List {
			inside(v.sym.Type, l.After[i], f)
			continue
		}
		for _, code := range lists[0] {
			inside(v.sym.Type.Elem, code, f)
		}
		lists = lists[1:]
	}
	for _, p := range l.Parts {
		inside(p.Part.Key, p.Key, f)
		for i, field := range p.Part.Fields() {
			inside(field.Type, p.Fields[i], f)
		}
	}
}

func inside(ty *expr.Type, code uint64, f func(*expr.Type, uint64)) {
	switch ty.Kind {
	case expr.Identity, expr.Serial:
		f(ty, code)
	case expr.Optional:
		if code != 0 {
			inside(ty.Elem, code-1, f)
		}
	case expr.Set:
		for i := range uint64(64) {
			if code>>i&1 == 1 {
				inside(ty.Elem, i, f)
			}
		}
	}
}
