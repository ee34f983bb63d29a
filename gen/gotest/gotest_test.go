package gotest_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/gen/golang"
	"github.com/interlock-go/interlock/gen/gotest"
	"github.com/interlock-go/interlock/gen/looplab"
	"github.com/interlock-go/interlock/spec"
)

func load(t testing.TB, name string) *spec.Table {
	t.Helper()
	table, err := spec.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestFilesAreTheSameEachTime(t *testing.T) {
	want, err := gotest.Files(load(t, "../../spec/lane.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		got, err := gotest.Files(load(t, "../../spec/lane.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	}
}

// TestPath: the test finds the table from its own folder, wherever the
// generator read it from.
func TestPath(t *testing.T) {
	src, err := os.ReadFile("testdata/gate.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, want string }{
		{"spec/gate.yaml", `"../../spec/gate.yaml"`},
		{"../../spec/gate.yaml", `"../../spec/gate.yaml"`},
		{"/somewhere/spec/gate.yaml", `"../../spec/gate.yaml"`},
		{"/spec/old/spec/far/gate.yaml", `"../../spec/far/gate.yaml"`},
		{"machines/gate.yaml", `"../../machines/gate.yaml"`},
		{"./gate.yaml", `"../../gate.yaml"`},
		{"../gate.yaml", ""},
		{"/somewhere/gate.yaml", ""},
	} {
		table, err := spec.Read(c.name, src)
		if err != nil {
			t.Fatal(err)
		}
		files, err := gotest.Files(table)
		switch {
		case c.want == "":
			if err == nil || !strings.Contains(err.Error(), "outside the module") {
				t.Errorf("%s: %v", c.name, err)
			}
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
		case !strings.Contains(string(files[0].Data), c.want):
			t.Errorf("%s: no %s in the test", c.name, c.want)
		}
	}
}

func TestRowThatNoModelReaches(t *testing.T) {
	src, err := os.ReadFile("testdata/gate.yaml")
	if err != nil {
		t.Fatal(err)
	}
	// Nobody raises the level any more, so it is never above another.
	text := strings.Replace(string(src), "up:   {when: to > level, set: {level: to, counted: \"false\"}}", "up:   {when: to > level, stay: AS_IS}", 1)
	if text == string(src) {
		t.Fatal("gate.yaml has no such row")
	}
	table, err := spec.Read("gate.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	_, err = gotest.Files(table)
	if err == nil || !strings.Contains(err.Error(), "D003: no model reaches tune.down") {
		t.Error(err)
	}
}

// TestWithoutLooplab has a name that looplab/fsm would hijack: the tests do
// without that library.
func TestWithoutLooplab(t *testing.T) {
	src, err := os.ReadFile("testdata/gate.yaml")
	if err != nil {
		t.Fatal(err)
	}
	table, err := spec.Read("gate.yaml", []byte(strings.Replace(string(src), "lock():", "leave_it():", 1)))
	if err != nil {
		t.Fatal(err)
	}
	files, err := gotest.Files(table)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(files[0].Data); strings.Contains(text, "looplab") || !strings.Contains(text, "mbt.Random(t, source, subject{}, nil)") {
		t.Error(text)
	}
}

// TestGenerated generates machines with all that the lane doesn't have, and
// runs their tests: the gate has numbers, identities, several effects, a start
// that isn't Go's zero and an event without arguments; the parcel has optional
// arguments, serials that nothing answers outside the rows, ignores that the
// world follows, and a model without a world; the till has parts, lists, sets
// and a sub-table, the shelf parts that don't start at Go's zero; the dial
// starts in several states.
func TestGenerated(t *testing.T) {
	for _, name := range []string{"gate", "parcel", "till", "shelf", "dial"} {
		t.Run(name, func(t *testing.T) { generated(t, name) })
	}
}

func generated(t *testing.T, name string) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err) // who tests has one
	}
	path := "testdata/" + name + ".yaml"
	table := load(t, path)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var files []file.File
	for _, backend := range []func(*spec.Table) ([]file.File, error){golang.Files, looplab.Files, gotest.Files} {
		out, err := backend(table)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, out...)
	}
	if _, err := file.Write(dir, files); err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{}
	for _, f := range files {
		replace[filepath.Join(root, f.Path)] = filepath.Join(dir, f.Path)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Write(dir, []file.File{{Path: "overlay.json", Data: overlay}, {Path: path, Data: source}}); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, name+".test")
	compile := exec.Command(goTool, "test", "-vet=off", "-c", "-o", binary, "-overlay", filepath.Join(dir, "overlay.json"), "./fsm/"+name)
	compile.Dir = root
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	tests := exec.Command(binary, "-test.v")
	tests.Dir = filepath.Join(dir, "fsm", name)
	out, err := tests.CombinedOutput()
	if err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	for _, d := range table.Rows() {
		if d.Table != nil || d.Then != nil {
			continue // they decide in pairs
		}
		if d.Event.By != "world" && d.Outcome != spec.Never && !strings.Contains(string(out), "--- PASS: TestRows/"+d.Name()+" ") {
			t.Errorf("TestRows/%s didn't run", d.Name())
		}
	}
}

// TestPackageNames looks for all that the generated tests declare or import: a
// machine of that name would be a package that they can't name.
func TestPackageNames(t *testing.T) {
	paths, err := filepath.Glob("../../fsm/*/*_gen_test.go")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	names := map[string]bool{}
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, im := range file.Imports {
			if !strings.Contains(im.Path.Value, "/interlock/fsm/") {
				names[strings.Trim(im.Path.Value[strings.LastIndex(im.Path.Value, "/")+1:], `"`)] = true
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Obj != nil && id.Obj.Pos() == id.Pos() {
				names[id.Name] = true // it is declared here
			}
			return true
		})
	}
	if len(names) < 20 {
		t.Fatal(names)
	}
	for name := range names {
		if name == "_" {
			continue
		}
		src := "machine: " + name + "\nstates: {open: {initial: true}}\nevents: {push(): {rows: {done: {to: open}}}}\n"
		table, err := spec.Read("table.yaml", []byte(src))
		if err == nil {
			_, err = golang.Files(table)
		}
		if err == nil && strings.ToLower(name) == name {
			t.Errorf("a machine %s is taken, and the generated tests have something else of that name", name)
		}
	}
}
