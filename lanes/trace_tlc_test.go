package lanes_test

import (
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/tla"
)

// TestTracesByTLC has TLC accept the start of a log of each machine as a
// behaviour of the module that is made from its table, and reject it where a
// record is forged, and one of the lane where a record is missing. TLC doesn't
// look at the records' numbers; TestTracesRejected does.
func TestTracesByTLC(t *testing.T) {
	if testing.Short() {
		t.Skip("TLC takes seconds")
	}
	needTLC(t)
	for _, c := range traces {
		t.Run(c.machine, func(t *testing.T) {
			w := writerOf(t, c.machine)
			tr := c.of(t, 1)
			records := tr.records
			if w.table.Per == "" {
				records = busiest(records) // its module is of one instance
			}
			lines := w.lines(t, records[:min(len(records), 120)])
			params := map[string][]int{"lane": {0}, "queue": {queueCap, queueKeep, 0}}[c.machine]
			if res := explain(t, w, lines, params); res.Verdict.Kind != tla.OK || res.Distinct != int64(len(lines)+1) {
				t.Fatalf("%s after %d states\n%s", res.Verdict, res.Distinct, res.Trace)
			}
			at := len(lines) / 2
			forged := slices.Clone(lines)
			forged[at].After = slices.Clone(forged[at].After)
			if forged[at].After[0] > 0 {
				forged[at].After[0] = 0
			} else {
				forged[at].After[0] = 1
			}
			rejected(t, w, "forged", forged, params, at)
			if c.machine == "lane" {
				at = taking(lines)
				rejected(t, w, "dropped", slices.Delete(slices.Clone(lines), at, at+1), params, -1)
			}
		})
	}
}

// taking returns the first line in which an instance leaves its start and in the
// next line is still away from it: without the one, the other can't be.
func taking(lines []tlaplus.Line) int {
	for at, l := range lines {
		for _, next := range lines[at+1:] {
			if next.Instance != l.Instance {
				continue
			}
			if l.After[0] != 0 && next.After[0] != 0 {
				return at
			}
			break
		}
	}
	return 0
}

// rejected fails unless TLC can't explain a log: that line of it, from 0, or any
// for -1.
func rejected(t *testing.T, w *writer, how string, lines []tlaplus.Line, params []int, at int) {
	t.Helper()
	res := explain(t, w, lines, params)
	if res.Verdict.Kind != tla.Deadlock {
		t.Fatalf("%s: %s", how, res.Verdict)
	}
	explained, ok := res.Trace.States[len(res.Trace.States)-1].Get("at")
	if !ok || at >= 0 && explained.Int() != int64(at) {
		t.Fatalf("%s: TLC explains %v lines; want %d", how, explained, at)
	}
}

// busiest returns the records of the instance that has the most.
func busiest(all []numbered) []numbered {
	by := map[string][]numbered{}
	var most []numbered
	for _, r := range all {
		by[r.Instance] = append(by[r.Instance], r)
		if own := by[r.Instance]; len(own) > len(most) {
			most = own
		}
	}
	return most
}

// explain has TLC look for a behaviour that a log is the log of.
func explain(t *testing.T, w *writer, lines []tlaplus.Line, params []int) *tla.Result {
	t.Helper()
	lines = slices.Clone(lines)
	for i := range lines {
		if w.table.Per == "" {
			lines[i].Instance = ""
		}
	}
	run, err := tlaplus.Trace(w.table, params, lines)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{run.CfgName: run.Cfg}
	for _, f := range run.Files {
		files[f.Path] = f.Data
	}
	res, err := tla.Run(t.Context(), tla.Config{Files: files, Module: run.Module, Cfg: run.CfgName, Workers: 1, Short: true})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func needTLC(t *testing.T) {
	t.Helper()
	_, err := tla.Available(t.Context())
	if err == nil {
		return
	}
	missing := errors.Is(err, tla.ErrNoJava) || errors.Is(err, tla.ErrNoMaven) || errors.Is(err, tla.ErrFetch)
	if missing && os.Getenv("CI") != "true" {
		t.Skipf("needs TLC: %v", err)
	}
	t.Fatal(err)
}
