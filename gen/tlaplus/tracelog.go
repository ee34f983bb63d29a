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
	Instance string // empty if there is just one
	Args     []uint64
	Effects  []Emitted
	After    []uint64 // state, the machine's variables, shared variables; nil: not told
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
	w.line("EXTENDS %s", m.name)
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
	if n := len(m.told()); l.After != nil && len(l.After) != n {
		return fmt.Errorf("tlaplus: %d variables told, the machine has %d", len(l.After), n)
	}
	return nil
}

// told returns the machine's variables.
func (m *module) told() []*variable {
	return slices.DeleteFunc(slices.Clone(m.vars), func(v *variable) bool { return v.world })
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
	if l.After != nil {
		for i, v := range m.told() {
			inside(v.sym.Type, l.After[i], f)
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

// record prints a line.
func (r *ranks) record(l Line) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "[row |-> %q", l.Row.Name())
	if r.m.p != "" {
		fmt.Fprintf(&b, ", instance |-> %s", strconv.Quote(l.Instance))
	}
	var args []string
	for i, a := range l.Row.Event.Args {
		args = append(args, r.text(a.Sym.Type, l.Args[i], l.Instance))
	}
	fmt.Fprintf(&b, ", args |-> <<%s>>", strings.Join(args, ", "))
	var effects []string
	for _, e := range l.Effects {
		parts := []string{strconv.Quote(e.Effect.Name)}
		for i, a := range e.Effect.Args {
			parts = append(parts, r.text(a.Type, e.Args[i], l.Instance))
		}
		effects = append(effects, "<<"+strings.Join(parts, ", ")+">>")
	}
	fmt.Fprintf(&b, ", effects |-> <<%s>>", strings.Join(effects, ", "))
	if l.After != nil {
		var fields []string
		for i, v := range r.m.told() {
			fields = append(fields, v.name+" |-> "+r.text(v.sym.Type, l.After[i], l.Instance))
		}
		fmt.Fprintf(&b, ", after |-> [%s]", strings.Join(fields, ", "))
	}
	b.WriteString("]")
	if s := b.String(); !strings.Contains(s, badValue) {
		return s, nil
	}
	return "", fmt.Errorf("tlaplus: a value of %s is outside its type", l.Row.Name())
}

// badValue can't be part of TLA+.
const badValue = "\x00"

// text prints a value.
func (r *ranks) text(ty *expr.Type, code uint64, instance string) string {
	switch ty.Kind {
	case expr.Bool:
		return param(ty, int(code&1))
	case expr.Int:
		return strconv.Itoa(int(code) + ty.Lo)
	case expr.Enum:
		if code >= uint64(len(ty.Values)) {
			return badValue
		}
		return strconv.Quote(ty.Values[code])
	case expr.Optional:
		if code == 0 {
			return "None"
		}
		return r.text(ty.Elem, code-1, instance)
	case expr.Set:
		var elems []string
		for i := range uint64(64) {
			if code>>i&1 == 1 {
				elems = append(elems, r.text(ty.Elem, i, instance))
			}
		}
		return "{" + strings.Join(elems, ", ") + "}"
	}
	return strconv.FormatUint(r.rank[r.pool(ty, instance)][code], 10) // 0 is the origin
}
