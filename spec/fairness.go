package spec

import (
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec/diag"
)

// Fairness says that something isn't put off for ever: weakly, if it is possible
// all the time from some time on; strongly, if it is possible again and again.
type Fairness struct {
	Event  *Event
	Row    *Row // only steps that this row decides; nil: all of the event's
	Strong bool
	Each   []*Arg // each of their values is owed it apart; else some value is enough
	Why    string // for an event that nobody here decides: who says that it happens
	Pos    diag.Pos
}

// String returns f in words: "end for each ticket", "strongly adopt".
func (f *Fairness) String() string {
	var b strings.Builder
	if f.Strong {
		b.WriteString("strongly ")
	}
	if f.Row != nil {
		b.WriteString(f.Row.Name())
	} else {
		b.WriteString(f.Event.Name)
	}
	for i, a := range f.Each {
		b.WriteString([]string{" for each ", " and "}[min(i, 1)] + a.Sym.Name)
	}
	return b.String()
}

// Same reports whether f and g ask for the same.
func (f *Fairness) Same(g *Fairness) bool {
	return f.Event == g.Event && f.Row == g.Row && f.Strong == g.Strong && slices.Equal(f.Each, g.Each)
}

// fairness reads a list of names, or of {weak: NAME, each: [ARGUMENT], why: TEXT}
// with strong in place of weak. Of an event about parts, each part is owed it
// unless each says otherwise.
func (b *builder) fairness(n *node) []*Fairness {
	var out []*Fairness
	for _, item := range b.list(n) {
		if f := b.fair(b.long(item, "weak", "strong", "each", "why")); f != nil {
			out = append(out, f)
		}
	}
	return out
}

func (b *builder) fair(long *node) *Fairness {
	weak, strong := long.get("weak"), long.get("strong")
	if (weak == nil) == (strong == nil) {
		b.diags.Add(diag.MissingKey, long.pos, "fairness is either weak: or strong:").
			WithHint("a name alone is weak")
		return nil
	}
	name := weak
	if strong != nil {
		name = strong
	}
	if b.text(name) == "" {
		return nil
	}
	f := &Fairness{Strong: strong != nil, Why: b.sentence(long.get("why")), Pos: name.pos}
	if f.Event, f.Row = b.fairStep(name); f.Event == nil {
		return nil
	}
	if s := f.Event.Subject(); s != nil && !s.Fresh {
		f.Each = []*Arg{s}
	}
	if each := long.get("each"); each != nil {
		f.Each = nil
		for _, w := range b.words(each) {
			if a := b.argument(f.Event, w); a != nil {
				f.Each = append(f.Each, a)
			}
		}
	}
	if by := f.Event.By; f.Why == "" && (by == "world" || by == "environment") {
		b.diags.Add(diag.MissingKey, name.pos, "nobody here decides when %s happens: that it does needs why", f.Event.Name).
			WithHint("write {weak: %s, why: WHAT MAKES IT HAPPEN}", name.text).Width = len(name.text)
	}
	return f
}

// fairStep finds the event or row that is to be fair: one that can change
// something.
func (b *builder) fairStep(w *node) (*Event, *Row) {
	for _, r := range b.t.Rows() {
		if r.Event != nil && r.Name() == w.text {
			if r.Outcome != Move {
				b.diags.Add(diag.BadOutcome, w.pos, "%s is a %s: it changes nothing, so that nothing hangs on it", r.Name(), r.Outcome).
					Also(r.Pos, "the row").Width = len(w.text)
			}
			return r.Event, r
		}
	}
	return b.event(w), nil
}

// argument finds one of an event's arguments, not a fresh one: that has one
// possible value at a time.
func (b *builder) argument(e *Event, w *node) *Arg {
	var known []string
	for _, a := range e.Args {
		if a.Sym.Name == w.text && !a.Fresh {
			return a
		}
		if !a.Fresh {
			known = append(known, a.Sym.Name)
		}
	}
	b.unknown(diag.UnknownName, w, known, "%s has no argument %s that could be chosen", e.Name, w.text)
	return nil
}
