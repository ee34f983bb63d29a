package tlaplus

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// cfg is what TLC is told about a run.
type cfg struct {
	expect     string // the verdict, for people
	spec       []string
	model      *spec.Model
	assume     []*spec.Assumption
	invariants []string
	properties []string
}

func (m *module) cfg(c cfg) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "\\* Expected: %s.\n\\* %s\n", c.expect, file.Marker(m.source()))
	for _, l := range c.spec {
		b.WriteString(l + "\n")
	}
	m.cfgConstants(&b, c)
	for _, part := range []struct {
		key   string
		names []string
	}{{"INVARIANTS", c.invariants}, {"PROPERTIES", c.properties}} {
		if len(part.names) > 0 {
			b.WriteString(strings.Join(pack(append([]string{part.key}, part.names...), 0, len(part.key)+1), "\n") + "\n")
		}
	}
	b.WriteString("CHECK_DEADLOCK FALSE\n")
	return []byte(b.String())
}

func (m *module) cfgConstants(b *strings.Builder, c cfg) {
	var lines []string
	if m.p != "" {
		var ps []string
		for i := range c.model.Instances {
			ps = append(ps, fmt.Sprintf("p%d", i+1))
		}
		lines = append(lines, names.Exported(m.t.Per)+" = {"+strings.Join(ps, ", ")+"}")
	}
	for _, ty := range m.identity {
		lines = append(lines, fmt.Sprintf("%s = %d", plural(ty.Name), c.model.Sizes[ty]))
	}
	for _, ty := range m.identity {
		name := names.Exported(ty.Name)
		lines = append(lines, name+" <- MC"+name)
	}
	for i, p := range m.t.Params {
		lines = append(lines, names.Exported(p.Name)+" = "+param(p.Type, c.model.Params[i]))
	}
	if len(m.t.Assumptions) > 0 {
		var as []string
		for _, a := range c.assume {
			as = append(as, strconv.Quote(a.Name))
		}
		lines = append(lines, "Assume = {"+strings.Join(as, ", ")+"}")
	}
	if m.worldless {
		lines = append(lines, "Alone = "+param(expr.BoolType, bit(c.model.Alone)))
	}
	if m.none {
		lines = append(lines, "None = None")
	}
	if len(lines) > 0 {
		b.WriteString("CONSTANTS\n")
		for _, l := range lines {
			b.WriteString("  " + l + "\n")
		}
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func param(t *expr.Type, v int) string {
	switch t.Kind {
	case expr.Bool:
		return strings.ToUpper(strconv.FormatBool(v != 0))
	case expr.Enum:
		return strconv.Quote(t.Values[v])
	}
	return strconv.Itoa(v)
}
