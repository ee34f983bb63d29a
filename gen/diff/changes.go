package diff

import (
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec"
)

// changes compares everything that both sides have, piece by piece, and lists
// what only one of them has.
func (c *comparer) changes() {
	for _, e := range c.new.all {
		o := c.toOld[e]
		if o == nil {
			c.only(&c.r.Added, e, c.toOld)
			continue
		}
		if o.name != e.name {
			c.r.Renamed = append(c.r.Renamed, Rename{Kind: e.kind, Old: o.path(), New: e.path(), Uses: c.usesInRows(o)})
		}
		c.pieces(o, e)
		if !slices.Equal(nonEmpty(o.words), nonEmpty(e.words)) || o.doc != e.doc {
			c.r.Wording = append(c.r.Wording, e.kind+" "+e.path())
		}
	}
	for _, e := range c.old.all {
		if c.toNew[e] == nil {
			c.only(&c.r.Removed, e, c.toNew)
		}
	}
	c.moved()
}

func nonEmpty(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(s string) bool { return s == "" })
}

// only lists e, unless what it belongs to is listed.
func (c *comparer) only(list *[]Item, e *entity, other map[*entity]*entity) {
	if e.of != nil && other[e.of] == nil {
		return
	}
	if e.kind == "group" || e.kind == "definition" {
		// What they stand for is compared where it is used.
		verb := "added"
		if list == &c.r.Removed {
			verb = "gone"
		}
		c.r.Wording = append(c.r.Wording, e.kind+" "+e.path()+" is "+verb)
		return
	}
	says := e.doc
	if r, ok := e.obj.(*spec.Row); ok {
		says = saysRow(r)
	}
	*list = append(*list, Item{Kind: e.kind, Name: e.path(), Says: says})
}

// saysRow is what a row does, in one line.
func saysRow(r *spec.Row) string {
	var parts []string
	if len(r.FromSrc) > 0 {
		parts = append(parts, "from "+strings.Join(r.FromSrc, ", "))
	}
	for _, w := range r.When {
		parts = append(parts, "when "+w.Src)
	}
	for _, w := range r.Unless {
		parts = append(parts, "unless "+w.Src)
	}
	does := r.Outcome.String()
	if r.Code != "" {
		does += " " + r.Code
	}
	if r.To != nil {
		does += " to " + r.To.Name
	}
	return strings.Join(append(parts, does), ", ")
}

// pieces compares what is said of one thing.
func (c *comparer) pieces(o, e *entity) {
	type group struct {
		aspect        aspect
		before, after []string
	}
	groups := map[string]*group{}
	var labels []string
	at := func(p *piece) *group {
		l := p.label
		if p.aspect == sizes || strings.HasPrefix(l, "set ") {
			l = c.labelOf(p)
		}
		if groups[l] == nil {
			groups[l] = &group{aspect: p.aspect}
			labels = append(labels, l)
		}
		return groups[l]
	}
	left := map[string]int{}
	to, tn := c.tokenOld(), c.tokenNew()
	for i := range o.pieces {
		left[pieceText(&o.pieces[i], to)]++
	}
	for i := range e.pieces {
		p := &e.pieces[i]
		if t := pieceText(p, tn); left[t] > 0 {
			left[t]--
			continue
		}
		at(p).after = appendOnce(at(p).after, p.src)
	}
	for i := range o.pieces {
		p := &o.pieces[i]
		if t := pieceText(p, to); left[t] > 0 {
			left[t]--
			at(p).before = appendOnce(at(p).before, p.src)
		}
	}
	for _, l := range labels {
		g := groups[l]
		c.change(g.aspect, e, Change{Kind: e.kind, Name: e.path(), What: l, Before: g.before, After: g.after})
	}
	if e.kind != o.kind {
		c.change(decision, e, Change{Kind: e.kind, Name: e.path(), What: "kind", Before: []string{o.kind}, After: []string{e.kind}})
	}
}

func appendOnce(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// pieceText is what a piece says, however it is written.
func pieceText(p *piece, token func(any) string) string {
	label := p.label0()
	if label == "when " || label == "unless " {
		label = "if "
	}
	return label + p.string(token)
}

// labelOf returns a label in the new table's words, so that both sides of a
// change come together.
func (c *comparer) labelOf(p *piece) string {
	label := p.label
	p.names("", func(ref any, _ string) {
		if o := c.old.by[ref]; o != nil && o.name == p.label {
			if n := c.toNew[o]; n != nil {
				label = n.name
			}
		}
	})
	return label
}

// change files a change under what it concerns.
func (c *comparer) change(a aspect, e *entity, ch Change) {
	switch {
	case a == order:
		if e.kind == "argument" {
			c.r.Order = append(c.r.Order, "arguments of "+e.of.path())
		}
	case e.kind == "group" || e.kind == "definition":
		c.r.Wording = append(c.r.Wording, e.kind+" "+e.path())
	case a == world:
		c.r.Environment = append(c.r.Environment, ch)
	case a == sizes:
		c.r.Bounds = append(c.r.Bounds, ch)
	case a == claims:
		c.restated[e] = append(c.restated[e], ch)
	case e.kind == "check" || e.kind == "row":
		c.r.Rows = append(c.r.Rows, ch)
	default:
		c.r.Declared = append(c.r.Declared, ch)
	}
}

// moved tells what only changed places.
func (c *comparer) moved() {
	type key struct {
		kind string
		of   *entity
	}
	was, is := map[key][]*entity{}, map[key][]*entity{}
	var keys []key
	for _, e := range c.new.all {
		if o := c.toOld[e]; o != nil && o.kind == e.kind && e.kind != "check" && e.kind != "argument" {
			k := key{e.kind, e.of}
			if is[k] == nil {
				keys = append(keys, k)
			}
			is[k] = append(is[k], e)
		}
	}
	for _, o := range c.old.all {
		if e := c.toNew[o]; e != nil {
			k := key{e.kind, e.of}
			was[k] = append(was[k], e)
		}
	}
	for _, k := range keys {
		if slices.Equal(was[k], is[k]) {
			continue
		}
		name := plural(k.kind)
		if k.of != nil {
			name += " of " + k.of.path()
		}
		c.r.Order = append(c.r.Order, name)
	}
	slices.Sort(c.r.Order)
	c.r.Order = slices.Compact(c.r.Order)
}

func plural(kind string) string {
	if strings.HasSuffix(kind, "y") {
		return kind[:len(kind)-1] + "ies"
	}
	return kind + "s"
}

// usesInRows counts the checks and rows that name e.
func (c *comparer) usesInRows(e *entity) int {
	rows := map[*entity]bool{}
	for _, u := range c.old.uses()[e] {
		if u.by.kind == "check" || u.by.kind == "row" {
			rows[u.by] = true
		}
	}
	return len(rows)
}

// unanswered lists codes that some row answered and none does any more.
func (c *comparer) unanswered() {
	answered := func(f *facts) map[*entity]bool {
		out := map[*entity]bool{}
		uses := f.uses()
		for _, e := range f.ofKind("code") {
			for _, u := range uses[e] {
				out[e] = out[e] || u.by.kind == "check" || u.by.kind == "row" || u.by.kind == "type"
			}
		}
		return out
	}
	was, is := answered(c.old), answered(c.new)
	for _, o := range c.old.ofKind("code") {
		if was[o] && (c.toNew[o] == nil || !is[c.toNew[o]]) {
			c.r.Unanswered = append(c.r.Unanswered, o.name)
		}
	}
}
