package diff

import (
	"fmt"
	"strings"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// plan is a pair of models to walk.
type plan struct {
	name     string
	old, new *spec.Model
}

func (c *comparer) modelKey(m *spec.Model) string {
	var b strings.Builder
	fmt.Fprint(&b, m.Instances, m.Params, m.Alone)
	for _, t := range c.new.t.Types {
		fmt.Fprint(&b, " ", m.Sizes[t])
	}
	for _, a := range m.Assume {
		fmt.Fprint(&b, " ", a.Name)
	}
	return b.String()
}

// plans returns the models of the new table, then those of the old one, each
// for both tables.
func (c *comparer) plans(anything bool) []plan {
	var out []plan
	for _, m := range c.new.t.Models {
		out = append(out, plan{m.Name, c.modelFor(m, c.new, c.old, c.toOld, anything), c.copyModel(m, anything)})
	}
	for _, m := range c.old.t.Models {
		out = append(out, plan{m.Name + " of the old table", c.copyModel(m, anything), c.modelFor(m, c.old, c.new, c.toNew, anything)})
	}
	return out
}

func (c *comparer) copyModel(m *spec.Model, anything bool) *spec.Model {
	out := *m
	if anything {
		out.Alone, out.Assume = true, nil
	}
	return &out
}

// modelFor returns m, a model of from, for the other table. What the other one
// gives sizes to and this one doesn't has the sizes of its own first model.
func (c *comparer) modelFor(m *spec.Model, from, to *facts, other map[*entity]*entity, anything bool) *spec.Model {
	out := &spec.Model{Name: m.Name, Instances: m.Instances, Sizes: map[*expr.Type]int{}, Params: make([]int, len(to.t.Params)), Alone: m.Alone || anything}
	if len(to.t.Models) > 0 {
		own := to.t.Models[0]
		for t, n := range own.Sizes {
			out.Sizes[t] = n
		}
		copy(out.Params, own.Params)
	}
	for _, t := range to.t.Types {
		if (t.Kind == expr.Identity || t.Kind == expr.Serial) && out.Sizes[t] == 0 {
			out.Sizes[t] = 2
		}
	}
	for _, t := range from.t.Types {
		if o := other[from.by[t]]; o != nil {
			if x, ok := o.obj.(*expr.Type); ok && m.Sizes[t] > 0 {
				out.Sizes[x] = m.Sizes[t]
			}
		}
	}
	for i, p := range from.t.Params {
		if o := other[from.by[p]]; o != nil {
			out.Params[o.at] = m.Params[i]
		}
	}
	if !anything {
		for _, a := range m.Assume {
			if o := other[from.by[a]]; o != nil {
				out.Assume = append(out.Assume, o.obj.(*spec.Assumption))
			}
		}
	}
	return out
}
