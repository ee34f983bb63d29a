package tlaplus_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
	"github.com/interlock-go/interlock/tla"
)

// walk logs a random behaviour of a model, the world's steps left out. Values
// that are fresh come with gaps, as a program's do.
func walk(t *testing.T, table *spec.Table, model *spec.Model, steps int) []tlaplus.Line {
	t.Helper()
	m, err := interp.New(table, model)
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(1, 2))
	spread := func(ty *expr.Type, code uint64) uint64 {
		switch {
		case ty.Kind == expr.Serial:
			return code * 1000
		case ty.Kind == expr.Optional && ty.Elem.Kind == expr.Serial && code > 0:
			return 1 + (code-1)*1000
		}
		return code
	}
	var lines []tlaplus.Line
	state := m.Init()[0]
	for range steps {
		var all []interp.Step
		require.NoError(t, m.Steps(state, func(s interp.Step) bool {
			s.Label.Args = slices.Clone(s.Label.Args)
			all = append(all, s)
			return true
		}))
		moves := slices.DeleteFunc(slices.Clone(all), func(s interp.Step) bool { return s.To == state })
		if len(moves) > 0 && random.IntN(2) == 0 {
			all = moves
		}
		s := all[random.IntN(len(all))]
		state = s.To
		if slices.Contains(table.World, s.Label.Event.Event) {
			continue
		}
		l := tlaplus.Line{Row: s.Label.Row, Then: s.Label.Then, Instance: interp.InstanceName(s.Label.Instance)}
		for i, a := range s.Label.Event.Event.Args {
			l.Args = append(l.Args, spread(a.Sym.Type, s.Label.Args[i]))
		}
		for _, e := range s.Label.Effects {
			em := tlaplus.Emitted{Effect: e.Effect}
			for i, a := range e.Effect.Args {
				em.Args = append(em.Args, spread(a.Type, e.Args[i]))
			}
			l.Effects = append(l.Effects, em)
		}
		own, _ := m.Fields()
		values := m.Values(state)[s.Label.Instance*len(own):]
		l.After = []uint64{values[0]}
		for i, v := range table.Vars {
			if v.Sym.Type.Kind != expr.List {
				l.After = append(l.After, spread(v.Sym.Type, values[1+i]))
				continue
			}
			elems := []uint64{}
			for _, c := range expr.BaseOf(v.Sym.Type.Elem, model.Sizes[v.Sym.Type.Elem]).Elements(values[1+i]) {
				elems = append(elems, spread(v.Sym.Type.Elem, c))
			}
			l.After, l.Lists = append(l.After, 0), append(l.Lists, elems)
		}
		at := 1 + len(table.Vars)
		for _, p := range table.Parts {
			for key := range model.Sizes[p.Key] {
				rec := tlaplus.Record{Part: p, Key: spread(p.Key, uint64(key)+1)}
				for _, f := range p.Fields() {
					rec.Fields = append(rec.Fields, spread(f.Type, values[at]))
					at++
				}
				if slices.ContainsFunc(rec.Fields, func(v uint64) bool { return v != 0 }) {
					l.Parts = append(l.Parts, rec)
				}
			}
		}
		lines = append(lines, l)
	}
	return lines
}

func explain(t *testing.T, table *spec.Table, lines []tlaplus.Line, params ...int) *tla.Result {
	t.Helper()
	run, err := tlaplus.Trace(table, params, lines)
	require.NoError(t, err)
	return check(t, run, nil)
}

// TestTrace has TLC accept a behaviour of the table, and reject it at the line
// where it stops being one.
func TestTrace(t *testing.T) {
	needTLC(t)
	table := loadLane(t)
	lines := walk(t, table, modelNamed(t, table, "durable"), 60)
	at := slices.IndexFunc(lines, func(l tlaplus.Line) bool { return l.Row.Name() == "release.freed" })
	require.Positive(t, at)

	t.Run("accepted", func(t *testing.T) {
		t.Parallel()
		res := explain(t, table, lines, 1)
		assert.Equal(t, tla.OK, res.Verdict.Kind, "%s\n%s", res.Verdict, res.Trace)
		assert.EqualValues(t, len(lines)+1, res.Distinct)
	})
	for name, change := range map[string]func(l *tlaplus.Line){
		"another row":      func(l *tlaplus.Line) { l.Row = rowNamed(t, table, "release.stale"); l.Effects = nil },
		"another lease":    func(l *tlaplus.Line) { l.Args = []uint64{l.Args[0], l.Args[1] + 1} },
		"no effect":        func(l *tlaplus.Line) { l.Effects = nil },
		"another effect":   func(l *tlaplus.Line) { l.Effects[0].Args[1] ^= 1 },
		"another state":    func(l *tlaplus.Line) { l.After[0] = 1 },
		"another variable": func(l *tlaplus.Line) { l.After[4] ^= 1 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wrong := slices.Clone(lines)
			l := &wrong[at]
			l.Args, l.After = slices.Clone(l.Args), slices.Clone(l.After)
			l.Effects = []tlaplus.Emitted{{Effect: l.Effects[0].Effect, Args: slices.Clone(l.Effects[0].Args)}}
			change(l)
			res := explain(t, table, wrong, 1)
			require.Equal(t, tla.Deadlock, res.Verdict.Kind, res.Verdict.String())
			last := res.Trace.States[len(res.Trace.States)-1]
			explained, ok := last.Get("at")
			require.True(t, ok)
			assert.EqualValues(t, at, explained.Int())
		})
	}
}

// TestTraceOfParts has TLC accept a behaviour with parts, lists and steps that
// two rows decide, and reject it where it stops being one.
func TestTraceOfParts(t *testing.T) {
	needTLC(t)
	table := tableIn(t, "counter.txtar")
	large := *modelNamed(t, table, "one") // so that the walk doesn't run out of jobs at once
	model := &large
	model.Sizes = map[*expr.Type]int{}
	for _, ty := range table.Types {
		model.Sizes[ty] = 8
	}
	lines := walk(t, table, model, 60)
	at := slices.IndexFunc(lines, func(l tlaplus.Line) bool { return l.Then != nil && l.Then.ID == "one" && len(l.Parts) > 0 })
	require.Positive(t, at)

	t.Run("accepted", func(t *testing.T) {
		t.Parallel()
		res := explain(t, table, lines, model.Params...)
		assert.Equal(t, tla.OK, res.Verdict.Kind, "%s\n%s", res.Verdict, res.Trace)
		assert.EqualValues(t, len(lines)+1, res.Distinct)
	})
	for name, change := range map[string]func(l *tlaplus.Line){
		"another row of the sub-table": func(l *tlaplus.Line) { l.Then = rowNamed(t, table, "upNext.none") },
		"another list":                 func(l *tlaplus.Line) { l.Lists[1] = nil },
		"another part":                 func(l *tlaplus.Line) { l.Parts = l.Parts[1:] },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wrong := slices.Clone(lines)
			wrong[at].Lists = slices.Clone(wrong[at].Lists)
			change(&wrong[at])
			res := explain(t, table, wrong, model.Params...)
			require.Equal(t, tla.Deadlock, res.Verdict.Kind, res.Verdict.String())
			explained, ok := res.Trace.States[len(res.Trace.States)-1].Get("at")
			require.True(t, ok)
			assert.EqualValues(t, at, explained.Int())
		})
	}
}

func rowNamed(t *testing.T, table *spec.Table, name string) *spec.Row {
	t.Helper()
	for _, r := range table.Rows() {
		if r.Name() == name {
			return r
		}
	}
	t.Fatalf("no row %s", name)
	return nil
}

func TestTraceLogRefuses(t *testing.T) {
	table := loadLane(t)
	won := rowNamed(t, table, "claim.won")
	line := func(instance string, lease, fence uint64) tlaplus.Line {
		return tlaplus.Line{Row: won, Instance: instance, Args: []uint64{lease, fence}}
	}
	_, err := tlaplus.TraceLog(table, []int{0}, []tlaplus.Line{line("a", 7, 9), line("b", 7, 8)})
	assert.ErrorIs(t, err, tlaplus.ErrOrder)
	_, err = tlaplus.TraceLog(table, []int{0}, []tlaplus.Line{{Row: won, Instance: "a", Args: []uint64{1}}})
	assert.ErrorContains(t, err, "line 1: tlaplus: the arguments aren't the event's")
	_, err = tlaplus.TraceLog(table, nil, nil)
	assert.ErrorContains(t, err, "0 constants given, the table has 1")
	_, err = tlaplus.TraceLog(table, []int{0}, []tlaplus.Line{{Row: rowNamed(t, table, "release.stale"), Instance: "a", Args: []uint64{4, 1}}})
	assert.ErrorContains(t, err, "a value of release.stale is outside its type")
}

func TestTraceLogRenumbers(t *testing.T) {
	table := loadLane(t)
	won, stale := rowNamed(t, table, "claim.won"), rowNamed(t, table, "requestStop.stale")
	got, err := tlaplus.TraceLog(table, []int{0}, []tlaplus.Line{
		{Row: won, Instance: "a", Args: []uint64{40, 70}},
		{Row: won, Instance: "b", Args: []uint64{40, 90}},
		{Row: stale, Instance: "a", Args: []uint64{13}},
	})
	require.NoError(t, err)
	assert.Contains(t, string(got.Data), `
TraceProject == {"a", "b"}
TraceLease == 1..2
TraceFence == 1..2
TraceDurable == FALSE

Log == <<
  [row |-> "claim.won", instance |-> "a", args |-> <<1, 1>>, effects |-> <<>>],
  [row |-> "claim.won", instance |-> "b", args |-> <<1, 2>>, effects |-> <<>>],
  [row |-> "requestStop.stale", instance |-> "a", args |-> <<2>>, effects |-> <<>>]
>>
`)
	assert.Equal(t, "LaneTraceLog.tla", got.Path)
}
