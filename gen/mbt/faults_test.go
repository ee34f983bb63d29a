package mbt_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/gen/golang"
	"github.com/interlock-go/interlock/gen/gotest"
	"github.com/interlock-go/interlock/spec"
)

// fault is one change to the generated Go of the lane, the tests that must
// fail of it, and the row that they must name.
type fault struct {
	name     string
	old, new string
	row      string
	fails    string
}

const (
	all    = "Rows Graph ModelBased"
	deeper = "Graph ModelBased" // no case of TestRows is there
	random = "ModelBased"       // outside of every model
)

var faults = []fault{
	{"guard negated", "m.State == Orphaned && !m.Stopped:", "m.State == Orphaned && m.Stopped:", "adopt.running", all},
	{"guard of another row", "case !m.Durable:\n\t\treturn Decision{Row: OrphanMemory}", "case m.Stopped:\n\t\treturn Decision{Row: OrphanMemory}", "orphan.memory", all},
	{"wrong operator", "return m.Fencing != m.ClaimedFencing", "return m.Fencing < m.ClaimedFencing", "release.freed", deeper},
	{"off by one", "e.Outcome > OutcomeNeedsReview", "e.Outcome >= OutcomeNeedsReview", "release.outcome", deeper},
	{"off by one, outside the enumeration", "e.Outcome > OutcomeNeedsReview", "e.Outcome > OutcomeNeedsReview+1", "release.outcome", random},
	{"a refusal that sets a variable", "return Decision{Row: RequestStopStale}", "m.Stopped = m.State == Free\n\t\treturn Decision{Row: RequestStopStale}", "requestStop.stale", all},
	{"a stay that sets a variable", "return Decision{Row: OrphanAgain}", "m.Stopped = true\n\t\treturn Decision{Row: OrphanAgain}", "orphan.again", all},
	{"a refusal with an effect", "return Decision{Row: ReleaseStale}, buf", "return Decision{Row: ReleaseStale}, append(buf, Effect{Kind: EffectReceipt, Outcome: e.Outcome})", "release.stale", all},
	{"arguments of an effect swapped", "m.Fencing, m.ClaimedFencing, m.recovered()", "m.ClaimedFencing, m.Fencing, m.recovered()", "release.freed", deeper},
	{"an effect too few", "buf = append(buf, receipt(", "_ = append(buf, receipt(", "release.freed", all},
	{"an effect's argument reads the new state", "buf = append(buf, receipt(", "m.Fencing = 0\n\t\tbuf = append(buf, receipt(", "release.freed", all},
	{"wrong row", "return Decision{Row: AdoptStopping}", "return Decision{Row: AdoptRunning}", "adopt.stopping", all},
	{"wrong code", `Kind: fsm.Refuse, Code: "PROJECT_BUSY"`, `Kind: fsm.Refuse, Code: "LEASE_NOT_CURRENT"`, "claim.busy", all},
	{"wrong kind", `Kind: fsm.Stay, Code: "ALREADY_REQUESTED"`, `Kind: fsm.Refuse, Code: "ALREADY_REQUESTED"`, "requestStop.again", all},
	{"missing update", "\t\tm.ClaimedFencing = e.Fence\n", "", "claim.won", all},
	{"wrong target", "m.State = StopRequested\n\t\treturn Decision{Row: RequestStopAsked}", "m.State = Free\n\t\treturn Decision{Row: RequestStopAsked}", "requestStop.asked", all},
	{"a check too late", "case m.State != Orphaned:", "case m.State != Orphaned && m.Fencing == e.Seen:", "adopt.notOrphaned", all},
	{"a zero value taken", "case e.Lease == 0:\n\t\treturn Decision{Row: RequestStopLease}", "case false:\n\t\treturn Decision{Row: RequestStopLease}", "requestStop.lease", "Rows ModelBased"},
	{"a foreign lease taken", "case !m.Holder.Is(e.Lease):\n\t\treturn Decision{Row: RequestStopStale}", "case !m.Holder.Is(e.Lease) && e.Lease < 1<<32:\n\t\treturn Decision{Row: RequestStopStale}", "requestStop.stale", random},
	{"a step that allocates", "func (m *Machine) claim(e Claim) Decision {\n", "var leak []byte\n\nfunc (m *Machine) claim(e Claim) Decision {\n\tleak = make([]byte, 8)\n", "claim.won", "Rows ModelBased"},
	{"a state that isn't the machine's", "func (m *Machine) claim(e Claim) Decision {\n", "var calls int\n\nfunc (m *Machine) claim(e Claim) Decision {\n\tif calls++; calls%50 == 0 {\n\t\treturn Decision{Row: ClaimBusy}\n\t}\n", "claim.won", deeper},
}

// TestFaults builds a broken lane for each fault and runs its generated tests.
// All of them are one program, so that it is linked once: the packages lie in
// folders that only an overlay has.
func TestFaults(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	binary := build(t, goTool, root)
	for i, f := range append([]fault{{name: "none"}}, faults...) {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			for _, test := range strings.Fields(all) {
				out, failed := run(t, binary, root, fmt.Sprintf("^Test%s%d$", test, i))
				switch want := strings.Contains(f.fails, test); {
				case failed != want:
					t.Errorf("Test%s failed: %v, want %v\n%s", test, failed, want, out)
				case failed && !strings.Contains(out, f.row):
					t.Errorf("Test%s doesn't name %s:\n%s", test, f.row, out)
				}
			}
		})
	}
}

// run runs the tests of that name where the generated test would run.
func run(t *testing.T, binary, root, name string) (string, bool) {
	t.Helper()
	cmd := exec.Command(binary, "-test.run", name)
	cmd.Dir = filepath.Join(root, "fsm", "lane")
	cmd.Env = append(os.Environ(), "RAPID_SHRINKTIME=2s")
	out, err := cmd.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	return string(out), err != nil
}

var perFault = regexp.MustCompile(`\b(source|subject|rowCases|TestRows|TestGraph|TestModelBased)\b`)

// build links a test program with a package for each fault, and one without
// any, number 0.
func build(t *testing.T, goTool, root string) string {
	t.Helper()
	table, err := spec.Load("../../spec/lane.yaml")
	if err != nil {
		t.Fatal(err)
	}
	lane := data(t, table, golang.Files, "lane_gen.go")
	tests := data(t, table, gotest.Files, "lane_gen_test.go")
	dir := t.TempDir()
	replace := map[string]string{}
	add := func(path, text string) {
		tmp := filepath.Join(dir, strings.ReplaceAll(path, "/", "_"))
		if err := os.WriteFile(tmp, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(root, path)] = tmp
	}
	for i, f := range append([]fault{{}}, faults...) {
		broken := lane
		if f.old != "" {
			if strings.Count(lane, f.old) != 1 {
				t.Fatalf("%s: the lane in Go has %d places like\n%s", f.name, strings.Count(lane, f.old), f.old)
			}
			broken = strings.Replace(lane, f.old, f.new, 1)
		}
		pkg := fmt.Sprintf("fsm/lane/fault%d", i)
		add(pkg+"/lane.go", broken)
		test := perFault.ReplaceAllString(tests, fmt.Sprintf("${1}%d", i))
		test = strings.Replace(test, "package lane_test", "package faults_test", 1)
		test = strings.Replace(test, `interlock/fsm/lane"`, `interlock/`+pkg+`"`, 1)
		test = strings.Replace(test, `"github.com/interlock-go/interlock/`+pkg, `lane "github.com/interlock-go/interlock/`+pkg, 1)
		add(fmt.Sprintf("fsm/lane/faults/fault%d_test.go", i), test)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o644); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "faults.test")
	cmd := exec.Command(goTool, "test", "-vet=off", "-c", "-o", binary, "-overlay", filepath.Join(dir, "overlay.json"), "./fsm/lane/faults")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	return binary
}

// data returns a back end's file of that name.
func data(t *testing.T, table *spec.Table, files func(*spec.Table) ([]file.File, error), name string) string {
	t.Helper()
	out, err := files(table)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range out {
		if filepath.Base(f.Path) == name {
			return string(f.Data)
		}
	}
	t.Fatalf("no %s", name)
	return ""
}
