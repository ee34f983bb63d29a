package mbt_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/gen/golang"
	"github.com/interlock-go/interlock/gen/gotest"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/looplab"
	"github.com/interlock-go/interlock/gen/mbt/edges"
	"github.com/interlock-go/interlock/gen/mutant"
	"github.com/interlock-go/interlock/gen/overlay"
	"github.com/interlock-go/interlock/spec"
)

// fault is one change to the generated Go of the lane, or to its definition for
// looplab/fsm, the tests that must fail of it, and the row that they must name.
type fault struct {
	name     string
	old, new string
	row      string
	fails    string
}

// looplabs are faults of the definition for looplab/fsm.
var looplabs = []fault{
	{"wrong target there", `Src: []string{"free"}, Dst: "running"`, `Src: []string{"free"}, Dst: "orphaned"`, "claim.won", random},
	{"a source too few", `Src: []string{"running", "stop_requested", "orphaned"}`, `Src: []string{"running", "stop_requested"}`, "orphan.again", random},
	{"a source too many", `Src: []string{"free"}, Dst: "running"`, `Src: []string{"free", "stop_requested"}, Dst: "running"`, "claim.busy", random},
	{"a guard too few", `case "release in running":`, `case "release in free":`, "release.stale", random},
	{"a row without event", `case "claim.won":`, `case "claim.one":`, "claim.won", random},
	{"a stay taken for an error", `return false, stay.Err`, `return false, stay`, "requestStop.again", random},
}

const (
	all    = "Rows Graph Recorded ModelBased"
	deeper = "Graph Recorded ModelBased" // no case of TestRows is there
	random = "ModelBased"                // outside of every model
)

var faults = []fault{
	{"guard negated", "m.State == Orphaned && !m.Stopped:", "m.State == Orphaned && m.Stopped:", "adopt.running", all},
	{"guard of another row", "case m.State.Leased() && !m.Durable:", "case m.State.Leased() && m.Stopped:", "orphan.memory", all},
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
	{"a state that isn't the machine's", "func (m *Machine) claim(e Claim) Decision {\n", "var calls int\n\nfunc (m *Machine) claim(e Claim) Decision {\n\tif calls++; calls%50 == 0 {\n\t\treturn Decision{Row: ClaimBusy}\n\t}\n", "claim.won", "Graph ModelBased"},
}

// TestFaults builds a broken lane for each fault and runs its generated tests.
// All of them are one program, so that it is linked once: the packages lie in
// folders that only an overlay has. Number 0 is the lane as it is.
func TestFaults(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err) // who tests has one
	}
	p := build(t, goTool)
	for i, f := range slices.Concat([]fault{{name: "none"}}, faults, looplabs) {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			for _, test := range strings.Fields(all) {
				out, failed := p.run(t, fmt.Sprintf("^Test%s%d$", test, i), "RAPID_SHRINKTIME=2s")
				switch want := strings.Contains(f.fails, test); {
				case failed != want:
					t.Errorf("Test%s failed: %v, want %v\n%s", test, failed, want, out)
				case failed && !strings.Contains(out, f.row):
					t.Errorf("Test%s doesn't name %s:\n%s", test, f.row, out)
				}
			}
		})
	}
	t.Run("rows that never decide", func(t *testing.T) {
		out, failed := p.run(t, "^TestModelBased0$", "RAPID_CHECKS=1", "RAPID_STEPS=1")
		if !failed || !strings.Contains(out, "release.outcome never decided a command") {
			t.Error(out)
		}
	})
	t.Run("summaries", func(t *testing.T) { summaries(t, p) })
	t.Run("recordings", func(t *testing.T) { recordings(t, p) })
}

// summaries compares what TestGraph writes of the machine in Go with what the
// table's own graph comes to.
func summaries(t *testing.T, p program) {
	dir := t.TempDir()
	if out, failed := p.run(t, "^TestGraph0$", edges.Env+"="+dir); failed {
		t.Fatal(out)
	}
	for _, model := range p.table.Models {
		m, err := interp.New(p.table, model)
		if err != nil {
			t.Fatal(err)
		}
		want, err := edges.Summarize(context.Background(), m)
		if err != nil {
			t.Fatal(err)
		}
		got, err := edges.Read(dir, p.table, model)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Error(model.Name, diff, err)
		}
	}
}

// program is a test program that has the generated tests of each fault.
type program struct {
	table  *spec.Table
	root   string
	binary string
}

// run runs the tests of that name where the generated test would run.
func (p program) run(t *testing.T, name string, env ...string) (string, bool) {
	t.Helper()
	return p.runIn(t, p.root, name, env...)
}

// runIn is run below another root.
func (p program) runIn(t *testing.T, root, name string, env ...string) (string, bool) {
	t.Helper()
	cmd := exec.Command(p.binary, "-test.run", name)
	cmd.Dir = filepath.Join(root, "fsm", "lane")
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	return string(out), err != nil
}

func build(t *testing.T, goTool string) program {
	t.Helper()
	table, err := spec.Load("../../spec/lane.yaml")
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	laid, err := overlay.Write(dir, root, sources(t, table))
	if err != nil {
		t.Fatal(err)
	}
	p := program{table, root, filepath.Join(dir, "faults.test")}
	// No vet: it would look for the folders.
	cmd := exec.Command(goTool, "test", "-vet=off", "-c", "-o", p.binary, "-overlay", laid, "./fsm/lane/faults")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	return p
}

var perFault = regexp.MustCompile(`\b(source|subject|rowCases|TestRows|TestGraph|TestRecorded|TestModelBased)\b`)

// sources returns, by path, the packages of each fault and a package of all
// their tests.
func sources(t *testing.T, table *spec.Table) map[string]string {
	const prefix = `"github.com/interlock-go/interlock/`
	lane := data(t, table, golang.Files, "lane_gen.go")
	peer := data(t, table, looplab.Files, "lane_gen.go")
	tests := data(t, table, gotest.Files, "lane_gen_test.go")
	out := map[string]string{}
	for i, f := range slices.Concat([]fault{{}}, faults, looplabs) {
		pkg := fmt.Sprintf("fsm/lane/fault%d", i)
		goLane, goPeer := lane, peer
		if i > len(faults) {
			goPeer = spoil(t, peer, f)
		} else {
			goLane = spoil(t, lane, f)
		}
		out[pkg+"/lane.go"] = goLane
		out[pkg+"/looplab/lane.go"] = goPeer
		test := perFault.ReplaceAllString(tests, fmt.Sprintf("${1}%d", i))
		out[fmt.Sprintf("fsm/lane/faults/fault%d_test.go", i)] = strings.NewReplacer(
			"package lane_test", "package faults_test",
			prefix+`fsm/lane"`, "lane "+prefix+pkg+`"`,
			prefix+`fsm/lane/looplab"`, prefix+pkg+`/looplab"`,
		).Replace(test)
	}
	return out
}

// spoil puts a fault into the one place for it.
func spoil(t *testing.T, text string, f fault) string {
	t.Helper()
	if f.old == "" {
		return text
	}
	spoiled, err := mutant.Replace(text, f.old, f.new)
	if err != nil {
		t.Fatalf("%s: %v", f.name, err)
	}
	return spoiled
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
