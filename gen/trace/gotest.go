package trace

import (
	"errors"
	"fmt"
	"go/format"
	"path"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/gen/mbt/literal"
	"github.com/interlock-go/interlock/gen/names"
)

// runtime is the package whose values literals are made of.
const runtime = "github.com/interlock-go/interlock/fsm"

// goTest is an external test of the generated package. It fails for as long as
// the generated machine goes the whole way of the counterexample.
func (c *Counterexample) goTest(module string) (string, error) {
	if c.Endless != nil {
		return "", fmt.Errorf("the counterexample to %s is a behaviour without end, which no test of steps can show", c.Property)
	}
	t := c.Machine.Table()
	p := literal.Of(t).In(c.Machine)
	var used []int
	var steps []string
	for i, st := range c.Path.Steps {
		if ofWorld(t, st.Label.Event.Event) {
			steps = append(steps, "// "+c.Machine.FormatEvent(st.Label.Event)+": the world's")
			continue
		}
		if !slices.Contains(used, st.Label.Instance) {
			used = append(used, st.Label.Instance)
		}
		steps = append(steps, c.goStep(p, i))
	}
	if used == nil {
		return "", errors.New("the counterexample has no event of the machine, so there is nothing to test in Go")
	}
	why, err := c.why()
	if err != nil {
		return "", err
	}
	slices.Sort(used)
	var vars strings.Builder
	for _, i := range used {
		fmt.Fprintf(&vars, "%s := %s\n", c.goVar(i), p.Machine(c.Machine.Model().Params, literal.Vars(c.Machine, c.Path.Init, i)))
	}
	share := ""
	if len(t.Shared) > 0 {
		share = "s.of.Shared = shared\n"
	}
	body := fmt.Sprintf(`// Test%[2]sCounterexample takes the steps of a counterexample to
// %[3]s, found in model %[4]s. It fails
// for as long as the machine goes this way; that it goes another doesn't show
// that the property holds: a check of the table does.
func Test%[2]sCounterexample(t *testing.T) {
%[5]ssteps := []struct {
	of      *%[1]s.Machine
	event   %[1]s.Event
	row     string
	effects []%[1]s.Effect
	after   %[1]s.Machine
}{
%[6]s
}
%[8]sfor i, s := range steps {
	%[9]sd, effects := s.of.Step(s.event, nil)
	%[10]sgot, bad := fmt.Sprintf("%%v %%v %%v", d, effects, *s.of), fmt.Sprintf("%%v %%v %%v", s.row, s.effects, s.after)
	if got != bad {
		t.Logf("step %%d goes another way: %%s", i+1, got)
		return
	}
}
t.Error(%[7]q)
}
`, p.Pkg, ident(c.Property), c.Property, c.Machine.Model().Name, vars.String(), strings.Join(steps, "\n"), why,
		when(share != "", "shared := "+c.goVar(used[0])+".Shared\n"), share, when(share != "", "shared = s.of.Shared\n"))
	imports := fmt.Sprintf("\"fmt\"\n\"testing\"\n\n%q\n", path.Join(module, "fsm", t.Name))
	if strings.Contains(body, "fsm.") {
		imports = fmt.Sprintf("\"fmt\"\n\"testing\"\n\n%q\n%q\n", runtime, path.Join(module, "fsm", t.Name))
	}
	src, err := format.Source([]byte("package " + p.Pkg + "_test\n\nimport (\n" + imports + ")\n\n" + body))
	return string(src), err
}

func when(yes bool, text string) string {
	if !yes {
		return ""
	}
	return text
}

// goVar names the machine of an instance; it is no name of a package.
func (c *Counterexample) goVar(i int) string {
	if n := c.instance(i); n != "" {
		return n
	}
	return "m"
}

// goStep prints a step as an element of the test's table.
func (c *Counterexample) goStep(p literal.Printer, i int) string {
	st := c.Path.Steps[i]
	effects := "nil"
	if len(st.Label.Effects) > 0 {
		var list []string
		for _, f := range st.Label.Effects {
			list = append(list, strings.TrimPrefix(p.Effect(f), p.Pkg+".Effect"))
		}
		effects = "[]" + p.Pkg + ".Effect{" + strings.Join(list, ", ") + "}"
	}
	after := p.Machine(c.Machine.Model().Params, literal.Vars(c.Machine, st.To, st.Label.Instance))
	return fmt.Sprintf("{\n&%s, %s, %q,\n%s,\n%s,\n},", c.goVar(st.Label.Instance), p.Event(st.Label.Event.Event, st.Label.Args),
		st.Label.Decision(), effects, after)
}

// ident makes a Go name of a property's, or of a goal's "Every{o=failed}".
func ident(property string) string {
	var b strings.Builder
	for _, part := range strings.FieldsFunc(property, func(r rune) bool { return !strings.ContainsRune(letters, r) }) {
		b.WriteString(names.Exported(part))
	}
	return b.String()
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
