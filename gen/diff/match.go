package diff

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// matching says which entity of the new table is which of the old one: first
// by its name, then by what it is and how it is used, then by likeness.
type matching struct {
	old, new *facts
	toNew    map[*entity]*entity
	toOld    map[*entity]*entity
}

func newMatching(a, b *facts) *matching {
	m := &matching{old: a, new: b, toNew: map[*entity]*entity{}, toOld: map[*entity]*entity{}}
	m.pair(a.by[a.t], b.by[b.t])
	if a.t.Per != "" && b.t.Per != "" {
		m.pair(a.by[&a.t.Per], b.by[&b.t.Per])
	}
	for m.byName() || m.byUse() || m.byLikeness() {
	}
	return m
}

func (m *matching) pair(a, b *entity) { m.toNew[a], m.toOld[b] = b, a }

// open returns the unmatched entities of both sides whose parents are matched,
// by kind and parent, in the order of the old table.
func (m *matching) open() []openSet {
	type key struct {
		kind string
		of   *entity // of the old side
	}
	sets := map[key]*openSet{}
	var keys []key
	for _, e := range m.old.all {
		if m.toNew[e] == nil && (e.of == nil || m.toNew[e.of] != nil) {
			k := key{kindred(e.kind), e.of}
			if sets[k] == nil {
				sets[k] = &openSet{}
				keys = append(keys, k)
			}
			sets[k].old = append(sets[k].old, e)
		}
	}
	for _, e := range m.new.all {
		if m.toOld[e] != nil || e.of != nil && m.toOld[e.of] == nil {
			continue
		}
		k := key{kindred(e.kind), m.toOld[e.of]}
		if s := sets[k]; s != nil {
			s.new = append(s.new, e)
		}
	}
	var out []openSet
	for _, k := range keys {
		if len(sets[k].new) > 0 {
			out = append(out, *sets[k])
		}
	}
	return out
}

type openSet struct{ old, new []*entity }

// kindred puts together what may become one another without being another
// thing: a check may become a row.
func kindred(kind string) string {
	switch kind {
	case "check":
		return "row"
	case "shared variable":
		return "variable"
	}
	return kind
}

func (m *matching) byName() bool {
	found := false
	for _, s := range m.open() {
		for _, a := range s.old {
			i := slices.IndexFunc(s.new, func(b *entity) bool { return b.name == a.name && m.toOld[b] == nil })
			if i >= 0 {
				m.pair(a, s.new[i])
				found = true
			}
		}
	}
	return found
}

// rounds are how far away a difference may be that tells two uses apart.
const rounds = 5

// byUse pairs entities that are alike in all that is said of them and in all
// that names them, names themselves aside.
func (m *matching) byUse() bool {
	sets := m.open()
	if len(sets) == 0 {
		return false
	}
	a, b := m.colours(m.old, m.oldToken), m.colours(m.new, m.newToken)
	found := false
	var first [2]*entity // of those that are one of several alike
	for _, s := range sets {
		for _, x := range s.old {
			var like []*entity
			for _, y := range s.new {
				if a[x] == b[y] {
					like = append(like, y)
				}
			}
			switch {
			case len(like) == 1 && !slices.ContainsFunc(s.old, func(o *entity) bool { return o != x && a[o] == a[x] }):
				m.pair(x, like[0])
				found = true
			case len(like) > 0 && first[0] == nil:
				first = [2]*entity{x, like[0]}
			}
		}
	}
	if !found && first[0] != nil {
		m.pair(first[0], first[1]) // one, since it tells more of the others
		return true
	}
	return found
}

// oldToken and newToken are the words for what is matched: the same on both
// sides. What isn't has none.
func (m *matching) oldToken(e *entity) string {
	if m.toNew[e] == nil {
		return ""
	}
	return e.kind + " " + e.path()
}

func (m *matching) newToken(e *entity) string {
	if o := m.toOld[e]; o != nil {
		return o.kind + " " + o.path()
	}
	return ""
}

// colours tells entities apart by what is said of them, and of what names
// them, several steps away.
func (m *matching) colours(f *facts, token func(*entity) string) map[*entity]string {
	colour := map[*entity]string{}
	for _, e := range f.all {
		colour[e] = cmp.Or(token(e), kindred(e.kind))
	}
	uses := f.uses()
	for range rounds {
		next := map[*entity]string{}
		for _, e := range f.all {
			if token(e) != "" {
				next[e] = colour[e]
				continue
			}
			lines := []string{colour[e], e.kind}
			for i := range e.pieces {
				p := &e.pieces[i]
				lines = append(lines, "says "+p.label0()+p.string(f.tokens(func(x *entity) string { return colour[x] })))
			}
			for _, u := range uses[e] {
				lines = append(lines, "used "+u.way+" "+colour[u.by])
			}
			slices.Sort(lines)
			next[e] = digest(lines)
		}
		colour = next
	}
	return colour
}

// label0 is a piece's label without a name that may change.
func (p *piece) label0() string {
	first, _, _ := strings.Cut(p.label, " ")
	if p.aspect == sizes && first != "up" && first != "assume" && first != "checks" && first != "world" {
		return "size "
	}
	return first + " "
}

func digest(lines []string) string {
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return hex.EncodeToString(sum[:8])
}

// tokens makes words for what terms name.
func (f *facts) tokens(of func(*entity) string) func(any) string {
	return func(ref any) string {
		if e := f.by[ref]; e != nil {
			return of(e)
		}
		return fmt.Sprint(ref)
	}
}

// use is a place where an entity is named.
type use struct {
	by  *entity
	way string
}

// uses returns where each entity is named; what belongs to it counts too.
func (f *facts) uses() map[*entity][]use {
	out := map[*entity][]use{}
	for _, e := range f.all {
		if e.of != nil {
			out[e.of] = append(out[e.of], use{e, "of " + e.kind})
			out[e] = append(out[e], use{e.of, "in"})
		}
		for i := range e.pieces {
			p := &e.pieces[i]
			p.names(p.label0(), func(ref any, way string) {
				if x := f.by[ref]; x != nil {
					out[x] = append(out[x], use{e, way})
				}
			})
		}
	}
	return out
}

// alike is how much of what is said of two entities must be the same for one
// to be the other under a new name.
const alike = 0.6

// byLikeness pairs the two that are most alike, if they are enough so: the
// rename that comes with a change. One pair at a time, since it tells more of
// the rest.
func (m *matching) byLikeness() bool {
	sets := m.open()
	if len(sets) == 0 {
		return false
	}
	fa := m.old.features(m.oldToken)
	fb := m.new.features(m.newToken)
	var best [2]*entity
	score := 0.0
	for _, s := range sets {
		if s.old[0].kind == "model" {
			continue // two models are two questions, however alike
		}
		for _, x := range s.old {
			for _, y := range s.new {
				if n := likeness(fa[x], fb[y]); n >= alike && n > score {
					best, score = [2]*entity{x, y}, n
				}
			}
		}
	}
	if best[0] == nil {
		return false
	}
	m.pair(best[0], best[1])
	return true
}

// features are what is said of each entity and where it is named, near by.
func (f *facts) features(token func(*entity) string) map[*entity]map[string]int {
	out := map[*entity]map[string]int{}
	near := func(e *entity) string { return cmp.Or(token(e), kindred(e.kind)) }
	uses := f.uses()
	for _, e := range f.all {
		if token(e) != "" {
			continue
		}
		set := map[string]int{}
		out[e] = set
		if e.doc != "" {
			set["doc "+e.doc] = 2
		}
		for i := range e.pieces {
			p := &e.pieces[i]
			set[p.label0()+p.string(f.tokens(near))]++
		}
		for _, w := range e.words {
			if w != "" {
				set["words "+w]++
			}
		}
		for _, u := range uses[e] {
			set[u.way+" "+near(u.by)]++
		}
	}
	return out
}

// likeness is the share that two multisets have in common.
func likeness(a, b map[string]int) float64 {
	common, total := 0, 0
	for k, n := range a {
		common += min(n, b[k])
		total += max(n, b[k])
	}
	for k, n := range b {
		if _, ok := a[k]; !ok {
			total += n
		}
	}
	if total == 0 {
		return 0
	}
	return float64(common) / float64(total)
}

// tokenOld and tokenNew write what terms name, so that equal texts say the
// same: what is only on one side is marked.
func (m *matching) tokenOld() func(any) string {
	return m.old.tokens(func(e *entity) string {
		if s := m.oldToken(e); s != "" {
			return s
		}
		return "old " + e.kind + " " + e.path()
	})
}

func (m *matching) tokenNew() func(any) string {
	return m.new.tokens(func(e *entity) string {
		if s := m.newToken(e); s != "" {
			return s
		}
		return "new " + e.kind + " " + e.path()
	})
}
