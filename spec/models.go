package spec

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// maxSize bounds the values of an identity in a model: sets of them are bit
// masks of 64.
const maxSize = 60

func (b *builder) models(n *node) {
	for _, e := range b.mapping(n) {
		checkName(e.key, "model", b.diags)
		b.modelName(e.key)
		b.mapping(e.value, "doc", "sizes", "up", "world", "assume", "checks")
		m := &Model{
			Name: e.key.text, Doc: b.sentence(e.value.get("doc")), Instances: 1,
			Sizes: map[*expr.Type]int{}, Params: make([]int, len(b.t.Params)), Pos: e.key.pos,
		}
		b.sizes("model", m, e.key, e.value.get("sizes"))
		b.assumed(m, e.value)
		m.Checks = b.checks(e.value.get("checks"))
		if up := e.value.get("up"); up != nil {
			m.Up = b.up(m, up)
		}
		b.t.Models = append(b.t.Models, m)
	}
	if b.t.Fails == "" {
		b.unchecked()
	}
}

// record reads the sizes at which the machine is recorded: what a size of a
// model needs, but for the number of instances.
func (b *builder) record(n *node) {
	for _, e := range b.mapping(n) {
		checkName(e.key, "recording", b.diags)
		m := &Model{
			Name: e.key.text, Instances: 1, Alone: true,
			Sizes: map[*expr.Type]int{}, Params: make([]int, len(b.t.Params)), Pos: e.key.pos,
		}
		b.sizes("recording", m, e.key, e.value)
		b.t.Record = append(b.t.Record, m)
	}
}

// assumed reads whether a model has a world, and what is assumed of it.
func (b *builder) assumed(m *Model, n *node) {
	if world := n.get("world"); world != nil {
		m.Alone = !b.boolean(world)
	}
	assume := n.get("assume")
	if m.Alone && assume != nil {
		b.diags.Add(diag.BadModel, assume.pos, "the model %s has no world to assume anything of", m.Name)
	}
	for _, a := range b.given(assume) {
		for _, p := range a.Parts() {
			if !slices.Contains(m.Assume, p) {
				m.Assume = append(m.Assume, p)
			}
		}
	}
}

// modelName keeps the names of models apart in names of files, where suffixes
// are put behind them.
func (b *builder) modelName(n *node) {
	for _, m := range b.t.Models {
		if strings.EqualFold(m.Name, n.text) {
			b.diags.Add(diag.NameClash, n.pos, "the models %s and %s would share files", m.Name, n.text).Also(m.Pos, "the first one").Width = len(n.text)
		}
	}
	if strings.Contains(n.text, "_") {
		b.diags.Add(diag.BadName, n.pos, "%s: a model's name has no underscore; generated files put one behind it", n.text).Width = len(n.text)
	}
}

// wants is what a size is made of: how each part of it is set, and the constants
// among them.
type wants struct {
	set    map[string]func(int)
	order  []string
	params map[string]*expr.Symbol
}

// wanted returns what m needs a size for. A recording is of one instance.
func (b *builder) wanted(of string, m *Model) wants {
	w := wants{set: map[string]func(int){}, params: map[string]*expr.Symbol{}}
	want := func(name string, set func(int)) {
		w.set[name] = set
		w.order = append(w.order, name)
	}
	if b.t.Per != "" && of == "model" {
		want(b.t.Per, func(v int) { m.Instances = v })
	}
	for _, t := range b.t.Types {
		if t.Kind == expr.Identity || t.Kind == expr.Serial {
			want(t.Name, func(v int) { m.Sizes[t] = v })
		}
	}
	for i, p := range b.t.Params {
		w.params[p.Name] = p
		want(p.Name, func(v int) { m.Params[i] = v })
	}
	return w
}

// sizes demands a size of all that needs one, and of nothing else.
func (b *builder) sizes(of string, m *Model, name, sizes *node) {
	w := b.wanted(of, m)
	given := b.setSizes(w, sizes)
	for _, n := range w.order {
		if !given[n] {
			b.diags.Add(diag.BadModel, name.pos, "the %s %s gives no size for %s", of, m.Name, n).WithHint("%s", sizeHint(of, m.Name, n, w.params[n])).Width = len(m.Name)
		}
	}
}

// setSizes sets what a mapping gives a size for, and returns all that it names.
func (b *builder) setSizes(w wants, sizes *node) map[string]bool {
	given := map[string]bool{}
	for _, s := range b.mapping(sizes) {
		set := w.set[s.key.text]
		if set == nil {
			d := b.diags.Add(diag.BadModel, s.key.pos, "%s needs no size", s.key.text).WithHint("sizes are wanted for: %s", strings.Join(w.order, ", "))
			d.Width = len(s.key.text)
		} else if v, ok := b.size(s, w.params[s.key.text]); ok {
			set(v)
		}
		given[s.key.text] = true
	}
	return given
}

// up reads the next size of a model, of which what isn't named stays as it is.
// Nothing may get smaller, and something larger.
func (b *builder) up(m *Model, n *node) *Model {
	larger := *m
	larger.Sizes, larger.Params = maps.Clone(m.Sizes), slices.Clone(m.Params)
	w := b.wanted("model", &larger)
	known := true
	for name := range b.setSizes(w, n) {
		known = known && w.set[name] != nil
	}
	least, most := larger.Instances-m.Instances, larger.Instances-m.Instances
	for t, v := range larger.Sizes {
		least, most = min(least, v-m.Sizes[t]), max(most, v-m.Sizes[t])
	}
	for i, v := range larger.Params {
		least, most = min(least, v-m.Params[i]), max(most, v-m.Params[i])
	}
	if known && (least < 0 || most <= 0) {
		b.diags.Add(diag.BadModel, n.pos, "what is one size up from the model %s has something larger, and nothing smaller", m.Name)
	}
	return &larger
}

// sizeHint says how the size of a type, or the value of a constant, is given.
func sizeHint(of, model, name string, param *expr.Symbol) string {
	value := "2"
	switch {
	case param != nil && param.Type.Kind == expr.Bool:
		value = "true"
	case param != nil:
		value = strconv.Itoa(param.Type.Lo)
	}
	if of == "model" {
		return "write " + model + ": {sizes: {" + name + ": " + value + "}}, with one for each type and constant"
	}
	return "write " + model + ": {" + name + ": " + value + "}, with one for each type and constant"
}

// size reads the size of a type or of instances, or the value of a constant.
func (b *builder) size(s entry, param *expr.Symbol) (int, bool) {
	text := b.text(s.value)
	if param != nil && param.Type.Kind == expr.Bool {
		if b.boolean(s.value) {
			return 1, true
		}
		return 0, text == "false"
	}
	lo, hi := 1, maxSize
	if param != nil {
		lo, hi = param.Type.Lo, param.Type.Hi
	}
	v, err := strconv.Atoi(text)
	if err != nil || v < lo || v > hi {
		b.diags.Add(diag.BadModel, s.value.pos, "%s is a number from %d to %d; this is %s", s.key.text, lo, hi, text)
		return 0, false
	}
	return v, true
}

// checks reads the properties that are a size's job; without a list it is all
// of them.
func (b *builder) checks(n *node) []*Property {
	if n == nil {
		return slices.Clone(b.t.Properties)
	}
	var out []*Property
	for _, w := range b.words(n) {
		i := slices.IndexFunc(b.t.Properties, func(p *Property) bool { return p.Name == w.text })
		if i >= 0 {
			out = append(out, b.t.Properties[i])
			continue
		}
		var known []string
		for _, p := range b.t.Properties {
			known = append(known, p.Name)
		}
		d := b.diags.Add(diag.UnknownGoal, w.pos, "there is no property %s", w.text)
		d.Width = len(w.text)
		if near := diag.Nearest(w.text, known); near != "" {
			d.Hint = "did you mean " + near + "?"
		}
	}
	return out
}

// unchecked finds properties that are no size's job, and assumptions that a
// given names but no size that checks the property makes.
func (b *builder) unchecked() {
	for _, p := range b.t.Properties {
		job := slices.ContainsFunc(b.t.Models, func(m *Model) bool { return slices.Contains(m.Checks, p) })
		if !job {
			d := b.diags.Add(diag.NeverChecked, p.Pos, "no model checks %s", p.Name)
			d.Width = len(p.Name)
			if len(b.t.Models) == 0 {
				d.WithHint("the table has no models: write models: {small: {sizes: {..}}}, with a size for each type and constant")
			}
		}
		for _, a := range p.Given {
			if !slices.ContainsFunc(b.t.Models, func(m *Model) bool { return slices.Contains(m.Checks, p) && m.Assumes(a) }) {
				b.diags.Add(diag.NeverChecked, p.Pos, "%s is given %s, but no model that checks it assumes that", p.Name, a.Name).Width = len(p.Name)
			}
		}
		b.notGiven(p)
	}
	for _, a := range b.t.Assumptions {
		if !slices.ContainsFunc(b.t.Properties, func(p *Property) bool { return slices.Contains(p.Given, a) }) {
			b.t.Warnings.Add(diag.UnusedAssuming, a.Pos, "no property is given %s", a.Name).Width = len(a.Name)
		}
	}
}

// notGiven finds the assumptions that every model which checks p makes, and that p
// isn't given: it is claimed without them, and nobody ever looks.
func (b *builder) notGiven(p *Property) {
	var given []*Assumption
	for _, a := range p.Given {
		given = append(given, a.Parts()...)
	}
	checking := slices.DeleteFunc(slices.Clone(b.t.Models), func(m *Model) bool { return !slices.Contains(m.Checks, p) })
	if len(checking) == 0 {
		return
	}
	for _, a := range checking[0].Assume {
		without := func(m *Model) bool { return !slices.Contains(m.Assume, a) }
		if !slices.Contains(given, a) && !slices.ContainsFunc(checking, without) {
			b.t.Warnings.Add(diag.NeverChecked, p.Pos, "%s isn't given %s, but every model that checks it assumes that", p.Name, a.Name).
				WithHint("write given: [%s], or let a model check it that doesn't assume that", a.Name).Width = len(p.Name)
		}
	}
}
