package replay

import (
	"maps"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/mbt/literal"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

// Start is a line that says with which values an instance starts, of the
// variables that may start with any.
type Start struct {
	Line     int
	Instance string // empty where the table has just one
	Values   map[*spec.Var]uint64
}

// parsedStart is such a line whose values have no codes yet.
type parsedStart struct {
	line     int
	instance string
	values   map[*spec.Var]any
}

// start reads a line that says where an instance starts.
func (r *reader) start(e entry) {
	if e.Event != "" || e.Args != nil {
		r.complain(diag.WrongShape, `"start"`, "a line is a start or a command").WithHint("write two lines, the start first")
		return
	}
	s := parsedStart{line: r.line, instance: r.instance(e.Instance), values: map[*spec.Var]any{}}
	if len(r.commands) > 0 || slices.ContainsFunc(r.starts, func(o parsedStart) bool { return o.instance == s.instance }) {
		r.complain(diag.WrongShape, `"start"`, "an instance starts once, and before all commands").WithHint("put the starts first")
	}
	var known []string
	for _, v := range r.table.Starts() {
		if !slices.Contains(r.table.Ghosts, v) {
			known = append(known, v.Sym.Name)
			if raw, ok := e.Start[v.Sym.Name]; ok {
				s.values[v] = r.value(v.Sym.Name, v.Sym.Type, raw)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.Start)) {
		if slices.Contains(known, name) {
			continue
		}
		d := r.complain(diag.UnknownName, quoted(name), "%s has no variable %s that may start with any value", r.table.Name, name)
		if d.Hint = "leave it out"; len(known) > 0 {
			d.Hint = "those that may: " + strings.Join(known, ", ")
		}
	}
	r.starts = append(r.starts, s)
}

// started returns the codes of a machine that starts with the given values, and
// with the declared ones else: what is shared as it is already.
func (s *Script) started(at Start, common []uint64) []uint64 {
	m := s.Machine
	fields := literal.Fields(m)
	shared := len(fields) - len(common)
	want := map[int]uint64{}
	declared := literal.Vars(m, m.Init()[0], 0)
	for _, v := range m.Table().Starts() {
		i := slices.IndexFunc(fields, func(f interp.Field) bool { return f.Sym == v.Sym })
		if i < 0 {
			continue // a ghost
		}
		want[i] = declared[i]
		if i >= shared {
			want[i] = common[i-shared]
		}
		if code, ok := at.Values[v]; ok {
			want[i] = code
		}
	}
	for _, init := range m.Init() {
		vars := literal.Vars(m, init, 0)
		fits := true
		for i, code := range want {
			fits = fits && vars[i] == code
		}
		if fits {
			return vars
		}
	}
	return declared // every choice of values is a start
}
