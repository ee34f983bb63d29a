package equal_test

import (
	"context"
	"errors"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/interlock-go/interlock/gen/equal"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
	"github.com/interlock-go/interlock/tla"
)

func loadLane(t testing.TB) *spec.Table {
	t.Helper()
	table, err := spec.Load("../../spec/lane.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func lane(t testing.TB, table *spec.Table, model string, opts ...interp.Option) *interp.Machine {
	t.Helper()
	for _, md := range table.Models {
		if md.Name != model {
			continue
		}
		m, err := interp.New(table, md, opts...)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	t.Fatalf("no model %s", model)
	return nil
}

// small returns the least machine in which two projects have work.
func small(t testing.TB, table *spec.Table, durable int) *interp.Machine {
	t.Helper()
	md := &spec.Model{Name: "least", Instances: 2, Sizes: map[*expr.Type]int{}, Params: []int{durable}}
	for _, typ := range table.Types {
		md.Sizes[typ] = map[string]int{"Lease": 1, "Fence": 2}[typ.Name]
	}
	m, err := interp.New(table, md)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// given returns lines that are there already.
func given(lines []string) equal.Lines {
	return func(_ context.Context, print func([]byte) error) error {
		for _, l := range lines {
			if err := print([]byte(l)); err != nil {
				return err
			}
		}
		return nil
	}
}

// quoted returns v as PrintT(ToString(v)) prints it.
func quoted(v tla.Value) string { return tla.Str(v.String()).String() }

// vars returns a state as the variables of the lane's model.
func vars(m *interp.Machine, s interp.State) tla.Value {
	own, shared := m.Fields()
	values := m.Values(s)
	find := func(fields []interp.Field, name string) int {
		return slices.IndexFunc(fields, func(f interp.Field) bool { return f.Name == name })
	}
	var out []tla.Value
	for _, name := range []string{
		"state", "holder", "fencing", "claimedFencing", "stopped", "issuedLease", "issuedFence",
		"work", "held", "given", "receipts", "unresolved", "asked", "carried", "started", "misled",
	} {
		i := find(own, name)
		if i < 0 {
			i = find(shared, name)
			out = append(out, equal.Encode(shared[i].Type, values[m.Instances()*len(own)+i]))
			continue
		}
		var pairs []tla.Pair
		for p := range m.Instances() {
			pairs = append(pairs, tla.Pair{
				Arg:    tla.Model(interp.InstanceName(p)),
				Result: equal.Encode(own[i].Type, values[p*len(own)+i]),
			})
		}
		out = append(out, tla.Func(pairs...))
	}
	return tla.Tuple(out...)
}

func argsOf(e *equal.Edge) tla.Value {
	var out []tla.Value
	for i, a := range e.Event.Event.Args {
		out = append(out, equal.Encode(a.Sym.Type, e.Args[i]))
	}
	return tla.Tuple(out...)
}

func effectsOf(e *equal.Edge) tla.Value {
	var out []tla.Value
	for _, f := range e.Effects {
		parts := []tla.Value{tla.Str(f.Effect.Name)}
		for i, a := range f.Effect.Args {
			parts = append(parts, equal.Encode(a.Type, f.Args[i]))
		}
		out = append(out, tla.Tuple(parts...))
	}
	return tla.Tuple(out...)
}

// printed returns the lines that the comparison module of m's model prints.
func printed(t testing.TB, m *interp.Machine) []string {
	t.Helper()
	var lines []string
	err := equal.Machine("ours", m).Edges(t.Context(), func(e *equal.Edge) error {
		lines = append(lines, quoted(tla.Tuple(
			tla.Str(e.Row.Name()), tla.Model(interp.InstanceName(e.Instance)), argsOf(e), effectsOf(e),
			vars(m, e.From), vars(m, e.To))))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func TestPrinted(t *testing.T) {
	m := lane(t, loadLane(t), "memory")
	lines := append(printed(t, m), "TLC2 Version 2.18", "")
	r := rand.New(rand.NewSource(1))
	r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	c, err := equal.Compare(t.Context(), "table", m, equal.Printed("TLC", m, given(lines)))
	if want := (equal.Counts{States: 1745, Edges: 53134, Moves: 10390}); err != nil || c != want {
		t.Errorf("%+v, %v; want %+v", c, err, want)
	}
}

// change replaces text in the first line that has all of the given parts.
func change(t *testing.T, lines []string, old, new string, parts ...string) []string {
	t.Helper()
	out := slices.Clone(lines)
	for i, l := range out {
		if strings.Contains(l, old) && !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(l, p) }) {
			out[i] = strings.Replace(l, old, new, 1)
			return out
		}
	}
	t.Fatalf("no line has %q", old)
	return nil
}

func wantDifference(t *testing.T, err error, parts ...string) {
	t.Helper()
	var d *equal.Difference
	if !errors.As(err, &d) {
		t.Errorf("no difference: %v", err)
		return
	}
	for _, p := range parts {
		if !strings.Contains(d.Text, p) {
			t.Errorf("%q isn't in:\n%s", p, d.Text)
		}
	}
}

func TestPrintedDiffers(t *testing.T) {
	m := small(t, loadLane(t), 0)
	lines := printed(t, m)
	free := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "release.freed") })
	for _, c := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{"another row", change(t, lines, "requestStop.stale", "requestStop.again"), []string{
			"2 edges differ between table and TLC; the nearest:\nthen, in\np1: state = free",
			"requestStop(lease 1) of p1:\n  table: requestStop.stale\n     nothing changes\n  TLC: requestStop.again\n     nothing changes\n",
		}},
		{"another effect", change(t, lines, `\"failed\", FALSE`, `\"failed\", TRUE`, "release.freed"), []string{
			"1. claim(lease 1, fence 1) of p1: claim.won", "then, in\np1: state = running",
			"release(outcome failed, lease 1) of p1:\n  table: release.freed\n     receipt(outcome failed, stopRequested false",
			"  TLC: release.freed\n     receipt(outcome failed, stopRequested true",
		}},
		{"a lost edge", slices.Delete(slices.Clone(lines), free, free+1), []string{
			"1 edges differ", "  TLC: it isn't possible",
		}},
		{"a double edge", append(slices.Clone(lines), lines[free]), []string{
			"1 edges differ", "  TLC: release.freed", "  TLC: release.freed",
		}},
		{"nothing", nil, []string{" edges differ between", "claim(lease 1, fence 1) of p1:\n  table: claim.won", "TLC: it isn't possible"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := equal.Compare(t.Context(), "table", m, equal.Printed("TLC", m, given(c.lines)))
			wantDifference(t, err, c.want...)
		})
	}
}

// TestUnreachable has a state that only one side knows.
func TestUnreachable(t *testing.T) {
	m := small(t, loadLane(t), 0)
	lines := printed(t, m)
	odd := strings.ReplaceAll(lines[0], `p1 :> {} @@ p2 :> {}`, `p1 :> {1} @@ p2 :> {}`)
	_, err := equal.Compare(t.Context(), "table", m, equal.Printed("TLC", m, given(append(lines, odd))))
	wantDifference(t, err, "1 edges differ", "only TLC reaches this state:\np1: state = free", "work = {1}", "claim(lease 1, fence 1) of p1: claim.won")
}

func TestPrintedRefuses(t *testing.T) {
	m := small(t, loadLane(t), 0)
	good := printed(t, m)[0]
	for _, c := range [][3]string{
		{`claim.won`, `claim.lost`, `there is no row "claim.lost"`},
		{`, p1, `, `, p3, `, "p3 is none of the 2 instances"},
		{`, <<1, 1>>, `, `, <<1>>, `, "the arguments: <<1>> isn't a tuple of 2"},
		{`, << >>, `, `, <<\"sent\">>, `, `"sent" is no effect`},
		{`\"free\"`, `\"open\"`, `state: "open" is no value of type State`},
		{`p1 :> \"free\" @@ `, ``, "isn't a function of the 2 instances"},
		{`<<(p1`, `<<1, (p1`, "isn't a tuple of the 16 variables"},
		{`p1 :> {}`, `p1 :> {9}`, "work has no value with code 512"},
	} {
		bad := strings.Replace(good, c[0], c[1], 1)
		if bad == good {
			bad = strings.Replace(good, strings.ReplaceAll(c[0], "<< >>", "<<>>"), c[1], 1)
		}
		_, err := equal.Compare(t.Context(), "table", m, equal.Printed("TLC", m, given([]string{bad})))
		if err == nil || !strings.Contains(err.Error(), c[2]) || !strings.Contains(err.Error(), "TLC: printed line 1") {
			t.Errorf("%s: %v", c[2], err)
		}
	}
}

// liar changes what the table's own stepper says, as wrongly generated code
// would.
type liar struct {
	interp.Stepper
	lie func(vars []uint64, row int, effects []interp.Effect)
}

func (l liar) Step(vars []uint64, event int, args []uint64) (interp.Decision, []interp.Effect, error) {
	d, effects, err := l.Stepper.Step(vars, event, args)
	l.lie(vars, d.Row, effects)
	return d, effects, err
}

func TestSteppers(t *testing.T) {
	table := loadLane(t)
	for _, md := range table.Models {
		m := lane(t, table, md.Name)
		other := lane(t, table, md.Name, interp.WithStepper(m.TableStepper()))
		if _, err := equal.Compare(t.Context(), "table", m, equal.Machine("Go", other)); err != nil {
			t.Errorf("%s: %v", md.Name, err)
		}
		adopted := slices.IndexFunc(table.Rows(), func(r *spec.Row) bool { return r.Name() == "adopt.stopping" })
		wrong := lane(t, table, md.Name, interp.WithStepper(liar{m.TableStepper(), func(vars []uint64, row int, _ []interp.Effect) {
			if row == adopted {
				vars[0] = 1 // the stop is forgotten
			}
		}}))
		_, err := equal.Compare(t.Context(), "table", m, equal.Machine("Go", wrong))
		if md.Params[0] == 0 {
			if err != nil {
				t.Errorf("%s: %v", md.Name, err)
			}
			continue
		}
		wantDifference(t, err, "between table and Go", "requestStop.asked", "orphan.lost", "then, in\np1: state = orphaned",
			"  table: adopt.stopping\n     p1: state = stop_requested, holder = 2", "  Go: adopt.stopping\n     p1: state = running, holder = 2")
	}
}
