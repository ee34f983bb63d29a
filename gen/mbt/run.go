package mbt

import (
	"slices"

	looplab "github.com/looplab/fsm"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/gen/interp"
)

// run is one random run: the same machine three times over.
type run[M, F any] struct {
	*rig[M, F]
	*setup[M, F]
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

// follow does the commands of a way, as far as another instance didn't have to
// do something in between.
func (r *run[M, F]) follow(t tester, way []command) {
	for _, c := range way {
		if _, _, err := r.reference(slices.Clone(r.vars), c); err != nil {
			return
		}
		r.do(t, c)
	}
}

// do gives c to all engines and compares what they do.
func (r *run[M, F]) do(rt tester, c command) {
	state := r.table.States[r.vars[0]].Name
	before, codes := clone(&r.machine), append([]uint64(nil), r.vars...)
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
	if diff := difference(want, got); diff != "" {
		r.script.add(c.text, want.Row+", but the machine in Go differs")
		rt.Fatalf("%s differs from the table:\n%s\n(-table +Go):\n%s", want.Row, r.script, diff)
	}
	if info.Kind != fsm.Move {
		if diff := difference(before, r.machine); diff != "" {
			r.script.add(c.text, want.Row)
			rt.Fatalf("%s, a %s, changed the machine:\n%s\n%s", want.Row, want.Answer, r.script, diff)
		}
	}
	if clones(&before) {
		if diff := difference(r.subject.Machine(r.params, codes), before); diff != "" {
			r.script.add(c.text, want.Row)
			rt.Fatalf("%s changed a clone that was made before:\n%s\n%s", want.Row, r.script, diff)
		}
	}
	r.script.add(c.text, want.Row)
	if r.other != nil {
		if err := r.peer.follow(r.table, r.other, r.known[info.Name], state, r.table.States[r.vars[0]].Name); err != nil {
			rt.Fatalf("%s: looplab/fsm: %v\n%s", want.Row, err, r.script)
		}
	}
	r.use(c, info.Kind)
	if _, ok := r.taken[info.Name]; !ok {
		r.taken[info.Name] = witness[M, F]{r.setup, codes, c}
	}
}

// use keeps the fresh counters above all that was ever shown, or where there are
// few values, above all that were used up.
func (r *run[M, F]) use(c command, kind fsm.Kind) {
	for i, a := range c.event.Args {
		_, limited := r.most[a.Sym.Type]
		if t := a.Sym.Type.Name; a.Fresh && c.args[i] < foreign && (kind == fsm.Move || !limited) {
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
