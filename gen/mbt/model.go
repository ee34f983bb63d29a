package mbt

import (
	"maps"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/mbt/literal"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// Model is what codes of lists and parts depend on.
type Model struct {
	Sizes map[string]int // how many values the identities and serials have, by the type's name
	Start []uint64       // the codes of a machine at its start
}

// Sized is a Subject that needs a Model to know its codes.
type Sized[M, F any] interface {
	In(Model) Subject[M, F]
}

// sized returns s for the codes of m's model.
func sized[M, F any](s Subject[M, F], m *interp.Machine) Subject[M, F] {
	of, ok := s.(Sized[M, F])
	if !ok {
		return s
	}
	model := Model{Sizes: map[string]int{}, Start: literal.Vars(m, m.Init()[0], 0)}
	for t, n := range m.Model().Sizes {
		model.Sizes[t.Name] = n
	}
	return of.In(model)
}

// values is how many values of an identity or serial random runs know where
// the machine holds parts, lists or sets, whose codes can't hold any value: no
// fewer than the model has.
const values = 12

// spacious returns a machine of the model's parameters with many values of each
// identity and serial, for its stepper, and how many there are where there is a
// limit: elsewhere codes may be any number.
func spacious(t *spec.Table, model *spec.Model) (*interp.Machine, map[*expr.Type]uint64, error) {
	if !literal.Limited(t) {
		m, err := interp.New(t, model)
		return m, nil, err
	}
	for n := values; ; n-- {
		larger := *model
		larger.Instances, larger.Sizes = 1, maps.Clone(model.Sizes)
		most := map[*expr.Type]uint64{}
		tried := false
		for typ, size := range model.Sizes {
			tried = tried || n > size
			larger.Sizes[typ] = max(n, size)
			most[typ] = uint64(max(n, size))
		}
		m, err := interp.New(t, &larger)
		if err == nil || !tried {
			return m, most, err
		}
	}
}
