package mbt

import (
	"github.com/google/go-cmp/cmp"
	looplab "github.com/looplab/fsm"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/gen/interp"
)

// run is one random run: the same machine three times over.
type run[M comparable, F any] struct {
	*rig[M, F]
	*setup
	vars    []uint64 // the reference's
	machine M
	other   *looplab.FSM // nil: none
	fresh   map[string]uint64
	script  *script
	buf     []F
}

// answer is what is compared after a command.
type answer struct {
	Row     string
	Answer  string // kind and code
	Machine any
	Effects []string // in the table's words
}

// tester ends a test: *testing.T does, and *rapid.T, which then shrinks.
type tester interface {
	Fatalf(format string, args ...any)
}

// follow does the commands of a way.
func (r *run[M, F]) follow(t tester, way []command) {
	for _, c := range way {
		r.do(t, c)
	}
}

// do gives c to all engines and compares what they do.
func (r *run[M, F]) do(rt tester, c command) {
	state := r.table.States[r.vars[0]].Name
	before, codes := r.machine, append([]uint64(nil), r.vars...)
	info, effects, err := r.reference(r.vars, c)
	if err != nil {
		rt.Fatalf("the table: %v", err)
	}
	want := answer{info.Name, say(info), r.subject.Machine(r.params, r.vars), words(effects)}

	var gotInfo fsm.Info
	gotInfo, r.buf = r.subject.Step(&r.machine, c.event.Index, c.args, r.buf[:0])
	gotEffects, err := effectsOf(r.table, r.subject, r.buf)
	if err != nil {
		r.script.add(c.text, gotInfo.Name)
		rt.Fatalf("%s: %v\n%s", gotInfo.Name, err, r.script)
	}
	got := answer{gotInfo.Name, say(gotInfo), r.machine, words(gotEffects)}
	if diff := cmp.Diff(want, got, exported); diff != "" {
		r.script.add(c.text, want.Row+", but the machine in Go differs")
		rt.Fatalf("%s differs from the table:\n%s\n(-table +Go):\n%s", want.Row, r.script, diff)
	}
	if info.Kind != fsm.Move && r.machine != before {
		r.script.add(c.text, want.Row)
		rt.Fatalf("%s, a %s, changed the machine:\n%s\n%s", want.Row, want.Answer, r.script, cmp.Diff(before, r.machine, exported))
	}
	r.script.add(c.text, want.Row)
	if r.other != nil {
		if err := r.peer.follow(r.other, r.known[info.Name], state, r.table.States[r.vars[0]].Name); err != nil {
			rt.Fatalf("%s: looplab/fsm: %v\n%s", want.Row, err, r.script)
		}
	}
	r.use(c)
	if _, ok := r.taken[info.Name]; !ok {
		r.taken[info.Name] = witness{r.params, codes, c}
	}
}

// use keeps the fresh counters above all that was ever shown.
func (r *run[M, F]) use(c command) {
	for i, a := range c.event.Args {
		if t := a.Sym.Type.Name; a.Fresh && c.args[i] < foreign {
			r.fresh[t] = max(r.fresh[t], c.args[i])
		}
	}
}

func words(effects []interp.Effect) []string {
	var out []string
	for _, f := range effects {
		out = append(out, interp.FormatEffect(f))
	}
	return out
}
