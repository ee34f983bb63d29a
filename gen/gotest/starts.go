package gotest

import (
	"slices"
	"strings"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/mbt/literal"
	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// mostStarts is how many starts have a case: of more, some that are spread
// evenly.
const mostStarts = 64

// starts prints a test of Start, if the machine has that: the states in which
// the first model starts are made by it, and nothing is of other values.
func (p *printer) starts() error {
	own := slices.DeleteFunc(slices.Concat(p.Vars, p.Shared), func(v *spec.Var) bool { return !v.Any })
	if len(own) == 0 {
		return nil
	}
	m, err := interp.New(p.Table, p.Models[0])
	if err != nil {
		return err
	}
	print := p.In(m)
	var all [][]uint64
	for _, s := range m.Init() {
		vars := literal.Vars(m, s, 0)
		if !slices.ContainsFunc(all, func(o []uint64) bool { return slices.Equal(o, vars) }) {
			all = append(all, vars)
		}
	}
	call := p.Pkg + ".Start"
	if len(p.Params) > 0 {
		call = "func(s " + p.Pkg + ".Starts) (" + p.Pkg + ".Machine, bool) { return " + p.Pkg + ".Start(" + print.ParamsOf(p.Models[0].Params) + ", s) }"
	}
	p.printf("// TestStart makes the states that the first model starts in.\n")
	p.printf("func TestStart(t *testing.T) {\nmbt.Starts(t, %s, []mbt.StartCase[%[2]s.Starts, %[2]s.Machine]{\n", call, p.Pkg)
	fields := literal.Fields(m)
	with := func(vars []uint64, other int) string {
		var out []string
		for i, v := range own {
			at := slices.IndexFunc(fields, func(f interp.Field) bool { return f.Sym == v.Sym })
			code := vars[at]
			if i == other {
				code = past(v.Sym.Type)
			}
			out = append(out, names.Exported(v.Sym.Name)+": "+print.Value(v.Sym.Type, code))
		}
		return p.Pkg + ".Starts{" + strings.Join(out, ", ") + "}"
	}
	for i := 0; i < len(all); i += (len(all) + mostStarts - 1) / mostStarts {
		p.printf("{With: %s, Want: %s},\n", with(all[i], -1), print.Machine(p.Models[0].Params, all[i]))
	}
	for i, v := range own {
		if past(v.Sym.Type) != 0 {
			p.printf("{With: %s, Outside: true},\n", with(all[0], i))
		}
	}
	p.printf("})\n}\n\n")
	return nil
}

// past returns a code of no value of t, the one after the last; 0 for a bool.
func past(t *expr.Type) uint64 {
	switch t.Kind {
	case expr.Int:
		return uint64(t.Hi-t.Lo) + 1
	case expr.Enum:
		return uint64(len(t.Values))
	case expr.Optional:
		if n := past(t.Elem); n != 0 {
			return n + 1
		}
	}
	return 0
}
