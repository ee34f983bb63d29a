package trace

import (
	"errors"
	"fmt"
	"go/format"
	"path"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/mbt/literal"
	"github.com/interlock-go/interlock/gen/names"
)

// runtime is the package whose values literals are made of.
const runtime = "github.com/interlock-go/interlock/fsm"

// goTest is an external test of the generated package. It fails for as long as
// the generated machine goes the whole way of the counterexample.
func (c *Counterexample) goTest(module string) (string, error) {
	t := c.Machine.Table()
	p := literal.Of(t).In(c.Machine)
	shown, err := c.shown()
	if err != nil {
		return "", err
	}
	var used []int
	var steps []string
	for i, st := range shown {
		if i == len(c.Path.Steps) {
			steps = append(steps, "// "+c.goesOn())
		}
		if ofWorld(t, st.Label.Event.Event) {
			steps = append(steps, "// "+c.Machine.FormatEvent(st.Label.Event)+": the world's")
			continue
		}
		if !slices.Contains(used, st.Label.Instance) {
			used = append(used, st.Label.Instance)
		}
		steps = append(steps, c.goStep(p, &shown[i]))
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
// that the property holds: a check of the table does.%[11]s
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
		when(share != "", "shared := "+c.goVar(used[0])+".Shared\n"), share, when(share != "", "shared = s.of.Shared\n"),
		when(c.Endless != nil, "\n//\n// What has to happen some time, the table says: no test of steps can see that."))
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

// shown returns the steps that a test takes. Behind them a behaviour without end
// goes on: once around its loop, or, where nothing changes any more, with all
// that has to happen some time and changes nothing.
func (c *Counterexample) shown() ([]interp.Step, error) {
	if c.Endless == nil || len(c.Endless.Loop) > 0 {
		return c.allSteps(), nil
	}
	for _, prop := range c.Machine.Table().Properties {
		if prop.Name == c.Property {
			owed, err := c.Machine.Owed(prop, c.Path.Last())
			return slices.Concat(c.Path.Steps, owed), err
		}
	}
	return c.Path.Steps, nil
}

// goesOn says what follows the path of a behaviour without end.
func (c *Counterexample) goesOn() string {
	if len(c.Endless.Loop) > 0 {
		return "from here again and again"
	}
	return "what has to happen some time changes nothing here"
}

// goStep prints a step as an element of the test's table.
func (c *Counterexample) goStep(p literal.Printer, st *interp.Step) string {
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
