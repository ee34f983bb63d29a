package mutate_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/mutant"
	"github.com/interlock-go/interlock/gen/overlay"
	"github.com/interlock-go/interlock/tla"
)

// generatorChange is one change to the source of a generator or of the
// interpreter, and what must notice it: the generated TestGraph of a table, which
// holds the generated Go against the interpreted table, or TLC's edges of a model.
type generatorChange struct {
	name, file, old, new string
	by                   string // "session", or "queue pair" for TLC
}

var generatorChanges = []generatorChange{
	{"a refusal that changes the state", "golang/step.go", "if r.Outcome != spec.Move {\n\t\tb.returns(decision, strings", "if r.Outcome != spec.Move {\n\t\tb.printf(\"m.State = 0\\n\")\n\t\tb.returns(decision, strings", "lane"},
	{"an update that is lost", "interp/moves.go", "\t\tsc.sets = append(sc.sets, write{at, v})\n", "\t\tif i == 0 {\n\t\t\tsc.sets = append(sc.sets, write{at, v})\n\t\t}\n", "lane"},
	{"a state that stays", "tlaplus/changes.go", "\tif r.To != nil {\n\t\tstate := m.variable(m.t.State)\n\t\tnext", "\tif r.To != nil && r.To.Initial {\n\t\tstate := m.variable(m.t.State)\n\t\tnext", "lane honest"},

	{"unless taken for when", "golang/guard.go", "negate(normal(c.Expr))", "normal(c.Expr)", "lane"},
	{"wrong opposite", "golang/normal.go", "expr.OpGt: expr.OpLe,", "expr.OpGt: expr.OpLt,", "queue"},
	{"off by one", "golang/normal.go", "m.Op = expr.OpGt", "m.Op = expr.OpGe", "session"},
	{"a premise that isn't negated", "golang/normal.go", "boolean(expr.OpOr, negate(args[0]), args[1])", "boolean(expr.OpOr, args[0], args[1])", "session"},
	{"not in a state taken for in it", "golang/guard.go", "return negate(is(i))", "return is(i)", "lane"},
	{"effects that read the new state", "golang/step.go", "\tif len(r.Emit) > 0 {\n\t\tb.emit(r.Emit)\n\t}\n\tb.updates(r)\n", "\tb.updates(r)\n\tif len(r.Emit) > 0 {\n\t\tb.emit(r.Emit)\n\t}\n", "lane"},
	{"pushed where it is taken out", "golang/fire.go", `push, remove := list+".Push("+key+")", list+".Remove("+key+")"`, `remove, push := list+".Push("+key+")", list+".Remove("+key+")"`, "queue"},
	{"a sub-table that isn't asked", "golang/step.go", "\t\tb.goOn(r.Then)\n", "", "queue"},
	{"the wrong row of a sub-table", "golang/subtable.go", "return Decision{row, %s}\", b.conjunction(b.guards(r)), names.Row(r))", "return Decision{row, %s}\", b.conjunction(b.guards(r)), names.Row(s.Rows[0]))", "queue"},
	{"an empty list that has an element", "golang/normal.go", "&expr.Node{Op: expr.OpInt, Type: expr.IntType, Pos: n.Pos}", "&expr.Node{Op: expr.OpInt, Type: expr.IntType, Int: 1, Pos: n.Pos}", "queue"},

	{"or in place of and", "interp/compile.go", "bit(a(e) != 0 && e.undefined == nil && b(e) != 0)", "bit(a(e) != 0 || e.undefined == nil && b(e) != 0)", "session"},
	{"off by one", "interp/compile.go", "bit(a(e) > b(e))", "bit(a(e) >= b(e))", "session"},
	{"a bound that is off by one", "interp/compile.go", "bit(int64(a(e)) >= int64(b(e)))", "bit(int64(a(e)) > int64(b(e)))", "queue"},
	{"holds another", "interp/compile.go", "bit(a(e) == some(t, b(e)))", "bit(a(e) != some(t, b(e)))", "lane"},
	{"a part that doesn't move", "interp/moves.go", "rec[0] = uint64(m.To.Index)", "_ = m.To.Index", "queue"},
	{"one too few is remembered", "interp/moves.go", "for len(ended) > p.most {", "for len(ended) >= max(p.most, 1) {", "queue"},
	{"effects in the wrong order", "interp/stepper.go", "em := &r.emits[i]", "em := &r.emits[len(r.emits)-1-i]", "queue"},
	{"the effects of a sub-table alone", "interp/stepper.go", "both, then = append(both, sub), sub.row", "both, then = []*rule{sub}, sub.row", "queue"},
	{"an event that the world doesn't follow", "interp/follow.go", "\tif row.Followed() {\n", "\tif row.Followed() && row.Outcome == spec.Stay {\n", "session lists"},
	{"an assumption turned round", "interp/steps.go", "if only == 0 {", "if only != 0 {", "lane honest"},
	{"a fresh value that isn't used up", "interp/steps.go", "sc.next[f.counter.in(e.base)] = e.args[f.arg]", "sc.next[f.counter.in(e.base)] = e.args[f.arg] - 1", "lane honest"},

	{"off by one", "tlaplus/expr.go", `expr.OpAfter:   {relation, ">", "<="}`, `expr.OpAfter:   {relation, ">=", "<"}`, "session alone"},
	{"unless taken for when", "tlaplus/event.go", "out = append(out, s.not(c.Expr))", "out = append(out, s.expr(c.Expr))", "lane honest"},
	{"a check that doesn't keep rows from applying", "tlaplus/event.go", "for _, c := range e.Checks[:n] {", "for _, c := range e.Checks[:max(n-1, 0)] {", "lane honest"},
	{"not in a state taken for in it", "tlaplus/event.go", "in, is = `\\notin`, \"#\"", "in, is = `\\in`, \"=\"", "lane honest"},
	{"a value that isn't there", "tlaplus/expr.go", "\tcase expr.OpHasValue:\n\t\treturn binary(relation, \"#\", s.expr(n.Args[0]), text(\"None\"))\n\tcase expr.OpSize", "\tcase expr.OpHasValue:\n\t\treturn binary(relation, \"=\", s.expr(n.Args[0]), text(\"None\"))\n\tcase expr.OpSize", "session alone"},
	{"an element taken out, not put in", "tlaplus/expr.go", "return s.element(`\\cup`, n)", "return s.element(`\\`, n)", "lane honest"},
	{"a fresh value that isn't used up", "tlaplus/changes.go", "\t\t\tv := m.counter(a.Sym.Type)\n\t\t\tnext[v] = m.next(v, text(a.Sym.Name), c)\n", "", "lane honest"},
	{"the wrong element taken out of a list", "tlaplus/list.go", "SubSeq(list, i + 1, Len(list))", "SubSeq(list, i + 2, Len(list))", "queue small"},
	{"effects in the wrong order", "tlaplus/edges.go", "binary(setOp, `\\o`, own, then)", "binary(setOp, `\\o`, then, own)", "queue pair"},
	{"EXCEPT of another instance", "tlaplus/changes.go", `wrapped("["+v.name+" EXCEPT !["+m.p+"] = ", value, "]")`, `wrapped("["+v.name+" EXCEPT ![CHOOSE other \\in DOMAIN "+v.name+" : other # "+m.p+"] = ", value, "]")`, "queue pair"},
}

// sampledGenerators are tried whenever all tests are run.
const sampledGenerators = 3

// TestGenerators changes the generators and the interpreter in one place at a
// time: the graphs of the bundled tables aren't equal any more then. A change that
// doesn't apply or compile is an error, and so is Go or TLA+ that can't be run:
// that the graphs differ is what must be seen.
func TestGenerators(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err) // who tests has one
	}
	_, noTLC := tla.Available(t.Context())
	if noTLC != nil && os.Getenv("CI") == "true" {
		t.Fatal(noTLC)
	}
	tried := generatorChanges
	if os.Getenv(mutantsEnv) == "" {
		tried = tried[:sampledGenerators]
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	for _, c := range tried {
		t.Run(c.file+"/"+c.name, func(t *testing.T) {
			g := generator{t: t, goTool: goTool, root: root, dir: t.TempDir()}
			text := g.changed(c)
			table, model, byTLC := strings.Cut(c.by, " ")
			var out string
			switch {
			case byTLC && noTLC != nil:
				t.Skipf("TLC is left out: %v", noTLC)
			case byTLC:
				out = g.tlc(c, text, table, model)
			case strings.HasPrefix(c.file, "golang/"):
				out = g.written(c, text, table)
			default:
				out = g.graph(map[string]string{"gen/" + c.file: text}, table)
			}
			first, _, _ := strings.Cut(strings.TrimSpace(out), "\n")
			t.Logf("noticed by the graph of %s: %s", c.by, first)
		})
	}
}

// TestGeneratorsApply has one place for each change.
func TestGeneratorsApply(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	of := map[string]bool{}
	for _, c := range generatorChanges {
		g := generator{t: t, root: root}
		g.changed(c)
		of[filepath.Dir(c.file)] = true
	}
	require.Len(t, of, 3)
}

// mutantsEnv, set to all, has the tests try everything, as make mutate does.
const mutantsEnv = "INTERLOCK_MUTANTS"

// generator builds what a changed generator is tried with.
type generator struct {
	t                 *testing.T
	goTool, root, dir string
}

func (g *generator) changed(c generatorChange) string {
	g.t.Helper()
	text, err := os.ReadFile(filepath.Join(g.root, "gen", filepath.FromSlash(c.file)))
	require.NoError(g.t, err)
	out, err := mutant.Replace(string(text), c.old, c.new)
	require.NoError(g.t, err, "%s: %s", c.file, c.name)
	return out
}

// overlay lays files over the tree.
func (g *generator) overlay(files map[string]string) string {
	g.t.Helper()
	dir, err := os.MkdirTemp(g.dir, "overlay")
	require.NoError(g.t, err)
	laid, err := overlay.Write(dir, g.root, files)
	require.NoError(g.t, err)
	return laid
}

// probe builds testdata/probe.go.txt with a changed file.
func (g *generator) probe(c generatorChange, text string) string {
	g.t.Helper()
	probe, err := os.ReadFile("testdata/probe.go.txt")
	require.NoError(g.t, err)
	binary := filepath.Join(g.dir, "probe")
	files := map[string]string{"gen/" + c.file: text, "gen/mutate/probe/main.go": string(probe)}
	cmd := exec.Command(g.goTool, "build", "-o", binary, "-overlay", g.overlay(files), "./gen/mutate/probe")
	cmd.Dir = g.root
	out, err := cmd.CombinedOutput()
	require.NoError(g.t, err, "%s", out)
	return binary
}

// graph builds a table's generated test with changed files, and returns how
// TestGraph fails.
func (g *generator) graph(files map[string]string, table string) string {
	g.t.Helper()
	binary := filepath.Join(g.dir, table+".test")
	cmd := exec.Command(g.goTool, "test", "-vet=off", "-c", "-o", binary, "-overlay", g.overlay(files), "./fsm/"+table)
	cmd.Dir = g.root
	out, err := cmd.CombinedOutput()
	require.NoError(g.t, err, "%s", out)
	cmd = exec.Command(binary, "-test.run", "^TestGraph$", "-test.timeout", "5m")
	cmd.Dir = filepath.Join(g.root, "fsm", table)
	out, err = cmd.CombinedOutput()
	require.Contains(g.t, string(out), "--- FAIL: TestGraph", "nothing notices: %v", err)
	return strings.Join(slices.DeleteFunc(strings.Split(string(out), "\n"), func(l string) bool {
		return strings.HasPrefix(strings.TrimSpace(l), "--- FAIL")
	}), "\n")
}

// written has the changed back end write a table's Go, and holds that against
// the interpreted table.
func (g *generator) written(c generatorChange, text, table string) string {
	g.t.Helper()
	out, err := exec.Command(g.probe(c, text), "go", filepath.Join(g.root, "spec", table+".yaml"), g.dir).CombinedOutput()
	require.NoError(g.t, err, "%s", out)
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		data, err := os.ReadFile(name)
		require.NoError(g.t, err)
		files[path] = string(data)
	}
	return g.graph(files, table)
}

// tlc holds what TLC prints against the table, one of them changed.
func (g *generator) tlc(c generatorChange, text, table, model string) string {
	g.t.Helper()
	cmd := exec.Command(g.probe(c, text), "tla", filepath.Join(g.root, "spec", table+".yaml"), model)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	require.True(g.t, errors.As(err, &exit), "nothing notices")
	require.Equal(g.t, 1, exit.ExitCode(), "it isn't the graphs that differ:\n%s", out)
	return string(out)
}
