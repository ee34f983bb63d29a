package tlaplus

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/spec"
)

// Kind is the form in which TLC reports a property.
type Kind uint8

const (
	NoError        Kind = iota // nothing is violated
	Invariant                  // a state breaks an invariant
	ActionProperty             // a step breaks a property of steps
	Liveness                   // a behaviour breaks a temporal property; TLC 2.18 doesn't say which
)

// String returns the kind in words.
func (k Kind) String() string {
	return [...]string{"no error", "invariant", "action property", "temporal property"}[k]
}

// Expect is a run's expected verdict. Name is TLC's name of the property, such
// as MCClaimWins; [PropertyOf] leads from it to the table's.
type Expect struct {
	Kind Kind
	Name string
}

// String returns the verdict in words, such as "invariant NoOverlap is violated".
func (e Expect) String() string {
	if e.Kind == NoError {
		return e.Kind.String()
	}
	return e.Kind.String() + " " + e.Name + " is violated"
}

// Run is one run of TLC that the table asks for.
type Run struct {
	Name     string // for people, such as "honest without HonestOwner: NoOverlap"
	Module   string
	CfgName  string
	Cfg      []byte
	Model    *spec.Model
	Property *spec.Property   // nil: all of Judges
	Judges   []*spec.Property // of a size: those of its job that the run is about
	Without  *spec.Assumption // of a control: the assumption that Model doesn't make
	Unfair   bool             // of a control: Property is claimed without the fairness that it asks for
	Expect   Expect

	Safety     bool        // of a size: the one that goes through all of its states
	Invariants []string    // of a size: what TLC is to judge in each state, by the names that it uses
	Again      bool        // of a size: properties of steps once more, in the form that shows the bad step
	Coverage   bool        // say how often each row moved, and name the invariants
	Short      bool        // it ends soon, at a violation or since the design is small
	Workers    int         // at most, where the order of lines matters; 0: any number, but one for liveness
	Files      []file.File // the modules, by file name
}

// Runs returns every run that t asks for: for each size its properties, as
// invariants where TLC sees more that way; once more those of steps, in the
// form that shows the bad step; those of liveness; the controls, in which an
// assumption or the fairness is dropped and a property that needs it must fail;
// and each goal. TLC names what it judges only where it fails and, with coverage,
// the invariants: so each property is named by some run. The error says which names clash or what TLA+ can't say.
func Runs(t *spec.Table) ([]Run, error) {
	m, err := newModule(t)
	if err != nil {
		return nil, err
	}
	var runs []Run
	for _, model := range t.Models {
		runs = append(runs, m.sizeRuns(model, true)...)
		for _, p := range model.Checks {
			for _, a := range p.Given {
				if model.Assumes(a) {
					runs = append(runs, m.control(model, p, a))
				}
			}
			if p.Kind == spec.Eventually && len(p.Fair) > 0 {
				runs = append(runs, m.unfair(model, p))
			}
			if p.Kind == spec.Sometimes {
				for _, g := range m.goals(p) {
					runs = append(runs, m.goalRun(model, g))
				}
			}
		}
	}
	return m.with(runs)
}

// Alone returns the runs of one property at one size: a step property as the
// invariant that also sees steps that change nothing, a sometimes property
// goal by goal. Their Expect tells how TLC reports it if it fails, and for
// goals that TLC reports each.
func Alone(t *spec.Table, model *spec.Model, p *spec.Property) ([]Run, error) {
	m, err := newModule(t)
	if err != nil {
		return nil, err
	}
	if p.Kind == spec.Sometimes {
		var runs []Run
		for _, g := range m.goals(p) {
			runs = append(runs, m.goalRun(model, g))
		}
		return m.with(runs)
	}
	name := fmt.Sprintf("MC%s_%s_%s.cfg", m.name, model.Name, p.Name)
	return m.with([]Run{m.alone(model, p, model.Assume, model.Name+": "+p.Name, name)})
}

// Together returns the runs, a few, that find no error if all of these
// properties hold at one size; those of the form sometimes aren't looked at.
func Together(t *spec.Table, model *spec.Model, props []*spec.Property) ([]Run, error) {
	m, err := newModule(t)
	if err != nil {
		return nil, err
	}
	all := *model
	all.Checks = props
	runs := m.sizeRuns(&all, false)
	for i := range runs {
		runs[i].Short = true
	}
	return m.with(runs)
}

// Edges returns the run that prints every edge of a size.
func Edges(t *spec.Table, model *spec.Model) (Run, error) {
	m, err := newModule(t)
	if err != nil {
		return Run{}, err
	}
	runs, err := m.with([]Run{m.edgesRun(model)})
	if err != nil {
		return Run{}, err
	}
	runs[0].Files = append(runs[0].Files, file.File{Path: m.name + "Edges.tla", Data: m.edges()})
	return runs[0], nil
}

// PropertyOf returns the table's property that TLC calls by name: itself, its
// invariant twin or one of its goals. It is nil for TypeOK and Never.
func PropertyOf(t *spec.Table, name string) *spec.Property {
	for _, p := range t.Properties {
		if p.Name == name || (p.Kind == spec.StepAlways || p.Kind == spec.Isolated) && twin(p) == name {
			return p
		}
		if p.Kind == spec.Sometimes {
			m := &module{t: t}
			for _, g := range m.goals(p) {
				if g.operator() == name {
					return p
				}
			}
		}
	}
	return nil
}

// with adds the modules to the runs.
func (m *module) with(runs []Run) ([]Run, error) {
	files := []file.File{{Path: m.name + ".tla", Data: m.base()}, {Path: "MC" + m.name + ".tla", Data: m.mc()}}
	for i := range runs {
		runs[i].Files = slices.Clip(files)
	}
	return runs, m.err()
}

func (m *module) edgesRun(model *spec.Model) Run {
	init := "INIT Init"
	if len(m.t.Starts()) > 0 {
		init = "INIT EdgesInit"
	}
	c := cfg{expect: "every edge, printed", spec: []string{init, "NEXT EdgesNext"}, model: model, assume: model.Assume}
	return Run{
		Name: model.Name + ": edges", Module: m.name + "Edges", CfgName: m.name + "Edges_" + model.Name + ".cfg",
		Cfg: m.cfg(c), Model: model, Workers: 1,
	}
}

// sizeRuns returns those of a size in which nothing is violated; again says to
// have properties of steps judged in the form that shows the bad step, too.
func (m *module) sizeRuns(model *spec.Model, again bool) []Run {
	invariants, steps := []string{"TypeOK"}, []string(nil)
	if m.hasNever() {
		invariants = append(invariants, "Never")
	}
	live, fair := map[string][]string{}, map[string][]*spec.Property{}
	var specs []string
	var safe []*spec.Property
	for _, p := range model.Checks {
		switch {
		case m.stateLevel(p):
			invariants = append(invariants, p.Name)
		case p.Kind == spec.StepAlways, p.Kind == spec.Isolated && m.p != "":
			invariants, steps = append(invariants, twin(p)), append(steps, p.Name)
		case p.Kind == spec.Eventually:
			s := m.fairSpec(p)
			if live[s] == nil {
				specs = append(specs, s)
			}
			live[s], fair[s] = append(live[s], p.Name), append(fair[s], p)
			continue
		case p.Kind == spec.Sometimes:
			continue
		}
		safe = append(safe, p)
	}
	runs := []Run{m.size(model, "", "Spec", invariants, nil)}
	runs[0].Judges, runs[0].Safety = safe, true
	if again && len(steps) > 0 {
		r := m.size(model, "steps", "Spec", nil, steps)
		r.Again = true
		runs = append(runs, r)
	}
	for i, s := range specs {
		suffix := "live"
		if i > 0 {
			suffix += strconv.Itoa(i + 1)
		}
		r := m.size(model, suffix, s, nil, live[s])
		r.Judges = fair[s]
		runs = append(runs, r)
	}
	return runs
}

func (m *module) size(model *spec.Model, suffix, specification string, invariants, properties []string) Run {
	c := cfg{
		expect: "no error", spec: []string{"SPECIFICATION " + specification},
		model: model, assume: model.Assume, invariants: invariants, properties: properties,
	}
	name := model.Name
	if suffix != "" {
		name += ": " + suffix
		suffix = "_" + suffix
	}
	return Run{
		Name: name, Module: "MC" + m.name,
		CfgName: "MC" + m.name + "_" + model.Name + suffix + ".cfg", Cfg: m.cfg(c), Model: model, Invariants: invariants,
	}
}

func (m *module) control(model *spec.Model, p *spec.Property, a *spec.Assumption) Run {
	cfgName := fmt.Sprintf("MC%s_%s_without_%s_%s.cfg", m.name, model.Name, a.Name, p.Name)
	weaker := model.Without(a, p)
	r := m.alone(weaker, p, weaker.Assume, model.Name+" without "+a.Name+": "+p.Name, cfgName)
	r.Without = a
	return r
}

// unfair is the run of a property of behaviours without the fairness that it
// asks for: TLC must find one that doesn't come to its goal.
func (m *module) unfair(model *spec.Model, p *spec.Property) Run {
	cfgName := fmt.Sprintf("MC%s_%s_unfair_%s.cfg", m.name, model.Name, p.Name)
	r := m.claim(model, p, model.Assume, "Spec", model.Name+" without fairness: "+p.Name, cfgName)
	r.Unfair = true
	return r
}

// alone is the run of one property that fails if it does.
func (m *module) alone(model *spec.Model, p *spec.Property, assume []*spec.Assumption, name, cfgName string) Run {
	specification := "Spec"
	if p.Kind == spec.Eventually {
		specification = m.fairSpec(p)
	}
	return m.claim(model, p, assume, specification, name, cfgName)
}

func (m *module) claim(model *spec.Model, p *spec.Property, assume []*spec.Assumption, specification, name, cfgName string) Run {
	c := cfg{spec: []string{"SPECIFICATION " + specification}, model: model, assume: assume}
	e := Expect{Invariant, p.Name}
	switch {
	case p.Kind == spec.Eventually:
		e.Kind = Liveness
	case !m.stateLevel(p):
		e.Name = twin(p)
	}
	if e.Kind == Invariant {
		c.invariants = []string{e.Name}
	} else {
		c.properties = []string{e.Name}
	}
	c.expect = e.Name + " is violated"
	return Run{Name: name, Module: "MC" + m.name, CfgName: cfgName, Cfg: m.cfg(c), Model: model, Property: p, Expect: e, Short: true}
}

func (m *module) goalRun(model *spec.Model, g goal) Run {
	e := Expect{Invariant, g.operator()}
	c := cfg{
		expect: e.Name + " is violated", spec: []string{"SPECIFICATION Spec"},
		model: model, assume: model.Assume, invariants: []string{e.Name},
	}
	return Run{
		Name: model.Name + ": " + g.name, Module: "MC" + m.name,
		CfgName: fmt.Sprintf("MC%s_%s_%s.cfg", m.name, model.Name, g.name),
		Cfg:     m.cfg(c), Model: model, Property: g.property, Expect: e, Short: true,
	}
}
