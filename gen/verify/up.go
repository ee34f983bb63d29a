package verify

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// EdgesOneUp is how many edges a model may have one size up. One with more isn't
// compared.
const EdgesOneUp = 200_000

var errEdges = errors.New("more edges than the budget")

// atMost ends a search with errEdges at its n+1st edge.
func atMost(n int) Option {
	return func(o *explore.Options[interp.State, interp.Label]) {
		visit, edges := o.Visit, 0
		o.Visit = func(from interp.State, st interp.Step) error {
			if edges++; edges > n {
				return errEdges
			}
			if visit == nil {
				return nil
			}
			return visit(from, st)
		}
	}
}

// OneUp is what a model is one size up.
type OneUp struct {
	Of     *Search
	Model  *spec.Model
	Grown  string  // what is larger: "Lease 4, Cap 3"
	Search *Search // nil: it wasn't compared
	Why    string  // why not
	all    bool    // more of everything
}

// OneUps explores each model one size up, as many at a time as there are
// processors. Where the table says what that is (up:), it is that. Else it is
// one more of one thing, for each in turn, since that tells which bound hid what
// is found, and stays small longest; and one more of all, since some sizes only
// bite together. An error is ctx's.
func OneUps(ctx context.Context, t *spec.Table, searches []*Search) ([]*OneUp, error) {
	var out []*OneUp
	over := map[*Search]bool{} // with more edges than the budget at a size that those to come contain
	for _, s := range searches {
		out = append(out, larger(t, s)...)
		over[s] = s.Report.Edges > EdgesOneUp
	}
	for _, all := range []bool{false, true} {
		var g errgroup.Group
		g.SetLimit(runtime.GOMAXPROCS(0))
		for _, u := range out {
			if u.all != all {
				continue
			}
			if over[u.Of] {
				u.Why = tooMany
				continue
			}
			g.Go(func() error { return u.explore(ctx, t) })
		}
		if err := g.Wait(); err != nil {
			return nil, err
		}
		for _, u := range out {
			over[u.Of] = over[u.Of] || u.Why == tooMany
		}
	}
	return out, nil
}

var tooMany = fmt.Sprintf("more than %d,%03d edges", EdgesOneUp/1000, EdgesOneUp%1000)

// explore fills in u. An error is ctx's.
func (u *OneUp) explore(ctx context.Context, t *spec.Table) error {
	s, err := Explore(ctx, t, u.Model, u.Model.Checks, atMost(EdgesOneUp))
	switch {
	case errors.Is(err, errEdges):
		u.Why = tooMany
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		u.Why = err.Error()
	default:
		s.behaviours = nil
		u.Search = s
	}
	return nil
}

// larger returns what is one size up from a search's model.
func larger(t *spec.Table, s *Search) []*OneUp {
	var out []*OneUp
	m := s.Model
	add := func(l *spec.Model) {
		out = append(out, &OneUp{Of: s, Model: l, Grown: grown(t, m, l)})
	}
	if m.Up != nil {
		add(m.Up)
		return out
	}
	all := clone(m)
	one := func(grow func(*spec.Model)) {
		l := clone(m)
		grow(l)
		grow(all)
		add(l)
	}
	if t.Per != "" {
		one(func(l *spec.Model) { l.Instances++ })
	}
	for _, typ := range t.Types {
		if typ.Kind == expr.Identity || typ.Kind == expr.Serial {
			one(func(l *spec.Model) { l.Sizes[typ]++ })
		}
	}
	for i, p := range t.Params {
		if p.Type.Kind == expr.Int && m.Params[i] < p.Type.Hi {
			one(func(l *spec.Model) { l.Params[i]++ })
		}
	}
	if len(out) > 1 {
		add(all)
		out[len(out)-1].all = true
	}
	return out
}

func clone(m *spec.Model) *spec.Model {
	c := *m
	c.Sizes, c.Params = maps.Clone(m.Sizes), slices.Clone(m.Params)
	return &c
}

// grown says in which sizes l is larger than m.
func grown(t *spec.Table, m, l *spec.Model) string {
	var out []string
	say := func(name string, was, is int) {
		if was != is {
			out = append(out, fmt.Sprintf("%s %d", name, is))
		}
	}
	say(t.Per, m.Instances, l.Instances)
	for _, typ := range t.Types {
		say(typ.Name, m.Sizes[typ], l.Sizes[typ])
	}
	for i, p := range t.Params {
		if p.Type.Kind == expr.Bool && m.Params[i] != l.Params[i] {
			out = append(out, fmt.Sprintf("%s %t", p.Name, l.Params[i] != 0))
			continue
		}
		say(p.Name, m.Params[i], l.Params[i])
	}
	return strings.Join(out, ", ")
}

// Failing returns the results that aren't what their property claims, and that
// were, or weren't asked, at the model's own size.
func (u *OneUp) Failing() []interp.Result {
	if u.Search == nil {
		return nil
	}
	before := map[string]bool{}
	for _, r := range u.Of.Failing() {
		before[r.Name] = true
	}
	return slices.DeleteFunc(u.Search.Failing(), func(r interp.Result) bool { return before[r.Name] })
}

// More returns the checks and rows, never rows apart, that decide something one
// size up, and nothing at the model's own size.
func (u *OneUp) More(t *spec.Table) []*spec.Row {
	var out []*spec.Row
	for _, r := range t.Rows() {
		if u.Search != nil && r.Outcome != spec.Never && u.Of.Report.Fired[r.Index] == 0 && u.Search.Report.Fired[r.Index] > 0 {
			out = append(out, r)
		}
	}
	return out
}

// Of returns those of ups that are one size up from a search's model.
func Of(ups []*OneUp, s *Search) []*OneUp {
	return slices.DeleteFunc(slices.Clone(ups), func(u *OneUp) bool { return u.Of != s })
}

// Told says in a line what the models are that are one size up from one, such as
// "Lease 4: the same; Fence 4: not compared (more than 200,000 edges)".
func Told(t *spec.Table, ups []*OneUp) string {
	var words []string
	what := map[string][]string{}
	for _, u := range ups {
		w, grown := u.told(t), u.Grown
		if u.all {
			grown = "all of it"
		}
		if what[w] == nil {
			words = append(words, w)
		}
		what[w] = append(what[w], grown)
	}
	for i, w := range words {
		words[i] = strings.Join(what[w], ", ") + ": " + w
	}
	return strings.Join(words, "; ")
}

func (u *OneUp) told(t *spec.Table) string {
	if u.Search == nil {
		return "not compared (" + u.Why + ")"
	}
	var parts []string
	if failing := u.Failing(); len(failing) > 0 {
		var names []string
		for _, r := range failing {
			names = append(names, r.Name)
		}
		parts = append(parts, "NOT "+strings.Join(names, ", "))
	}
	if more := u.More(t); len(more) > 0 {
		var names []string
		for _, r := range more {
			names = append(names, r.Name())
		}
		parts = append(parts, "also decides "+strings.Join(names, ", "))
	}
	if len(parts) == 0 {
		return "the same"
	}
	return strings.Join(parts, ", ")
}

// notOneUp tells the claims that don't hold one size up, each once, where it is
// smallest.
func notOneUp(l *diag.List, t *spec.Table, ups []*OneUp) {
	told := map[string]bool{}
	for _, u := range ups {
		for _, r := range u.Failing() {
			if told[r.Name] {
				continue
			}
			told[r.Name] = true
			pos, width := u.Of.Model.Pos, len(u.Of.Model.Name)
			if p := PropertyOf(t, r.Name); p != nil {
				pos, width = p.Pos, len(p.Name)
			}
			d := l.Add(diag.NotOneUp, pos, "%s: %s one size up from model %s, with %s", r.Name, r.Verdict, u.Of.Model.Name, u.Grown)
			d.Width, d.Detail = width, ""
			if r.Path != nil {
				d.Detail = u.Search.Machine.Explain(r)
			}
			d.Also(u.Of.Model.Pos, "the model")
		}
	}
}

// oneUp says whether something that no search came across is one size up: in
// the first model for which is reports it. It says nothing without ups.
func oneUp(ups []*OneUp, is func(*Search) bool) string {
	if len(ups) == 0 {
		return ""
	}
	all := true
	for _, u := range ups {
		if u.Search != nil && is(u.Search) {
			return fmt.Sprintf("; it does one size up from %s, with %s: that model is too small for it", u.Of.Model.Name, u.Grown)
		}
		all = all && u.Search != nil
	}
	if all {
		return ", and not one size up either"
	}
	return ", nor one size up where that was compared"
}
