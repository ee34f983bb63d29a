package verify_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

const lanePath = "../../spec/lane.yaml"

// drops says for each check of the bundled tables what finds first that it is
// gone: the front end, by a gap or by an operation without a value; else in the
// first model where something is found, a step that isn't defined, a never row
// that is reached, or the first property that fails.
var drops = map[string]map[string]string{
	"lane": {
		"claim.busy":        "gap",
		"requestStop.stale": "never requestStop.unheld",
		"release.stale":     "property Exclusive",
		"orphan.free":       "gap",
		"orphan.moved":      "property SeenIsCurrent",
		"adopt.notOrphaned": "gap",
		"adopt.moved":       "property SeenIsCurrent",
	},
	"queue": {
		"submit.shut":             "property ShutRefuses",
		"submit.tooMany":          "property SessionsAreBounded",
		"submit.closed":           "gap",
		"submit.duplicate":        "step submit.busy: two parts have one value in a unique variable",
		"submit.full":             "undefined: in submit.busy, waiting.append(ticket)",
		"end.queued":              "gap",
		"end.already":             "gap",
		"end.orphaned":            "gap",
		"end.lost":                "property OnlyTheCurrentHandle",
		"cancelQueued.noSession":  "property NoSuchSessionIsTold",
		"cancelQueued.notWaiting": "gap",
		"cancelQueued.notOwner":   "property OnlyByItsOwner",
		"interrupt.noSession":     "property NoSuchSessionIsTold",
		"interrupt.notRunning":    "gap",
		"interrupt.notOwner":      "property OnlyByItsOwner",
		"interrupt.again":         "property InterruptSignals",
		"forceEnd.noSession":      "property NoSuchSessionIsTold",
		"forceEnd.notRunning":     "gap",
		"close.unknown":           "gap",
		"close.again":             "gap",
		"cleanUp.unknown":         "gap",
		"cleanUp.again":           "gap",
		"shut.again":              "gap",
		"crash.unknown":           "gap",
		"adopt.notOrphaned":       "gap",
		"adopt.moved":             "property SeenIsCurrent",
	},
	"session": {
		"begin.running":      "gap",
		"begin.pending":      "property BeginAnswers",
		"begin.blind":        "property OnlyConfirmedBegins",
		"sent.stale":         "property SentUnderLease",
		"status.stale":       "property ListsAnswer",
		"promptFailed.stale": "property StaleLeaseChangesNothing",
		"sendExpired.other":  "property StaleLeaseChangesNothing",
		"graceExpired.other": "property StaleLeaseChangesNothing",
		"ttlExpired.other":   "property StaleLeaseChangesNothing",
		"abort.resting":      "gap",
		"abort.stale":        "property StaleLeaseChangesNothing",
	},
}

// TestDroppedRows takes out each row of the machines, those of sub-tables
// included: the front end must show a gap with a witness at its event, since no
// other row may cover its cells.
func TestDroppedRows(t *testing.T) {
	for name := range drops {
		path := "../../spec/" + name + ".yaml"
		table, err := spec.Load(path)
		require.NoError(t, err)
		for _, r := range table.Rows() {
			if r.Check || r.Event != nil && r.Event.By == "world" {
				continue
			}
			t.Run(name+"/"+r.Name(), func(t *testing.T) {
				_, err := spec.Load(path, spec.Drop(r.Name()))
				require.True(t, hasGap(err, r), "no gap: %v", err)
			})
		}
	}
}

func hasGap(err error, r *spec.Row) bool {
	decided, _, _ := strings.Cut(r.Name(), ".")
	var list diag.List
	return errors.As(err, &list) && slices.ContainsFunc(list, func(d *diag.Diagnostic) bool {
		return d.Code == diag.Gap && strings.Contains(d.Message, "decides "+decided+" when state = ")
	})
}

// TestDroppedChecks takes out each check of the machines.
func TestDroppedChecks(t *testing.T) {
	for name, want := range drops {
		path := "../../spec/" + name + ".yaml"
		table, err := spec.Load(path)
		require.NoError(t, err)
		got := map[string]string{}
		for _, r := range table.Rows() {
			if r.Check {
				got[r.Name()] = foundWithout(t, path, r)
			}
		}
		require.Equal(t, want, got, name)
	}
}

// foundWithout says what first finds the loss of a check.
func foundWithout(t *testing.T, path string, r *spec.Row) string {
	t.Helper()
	table, err := spec.Load(path, spec.Drop(r.Name()))
	var list diag.List
	if errors.As(err, &list) {
		if hasGap(err, r) {
			return "gap"
		}
		for _, d := range list {
			if d.Code == diag.Undefined {
				return "undefined: " + d.Message[:strings.Index(d.Message, " has no value")]
			}
		}
		t.Fatalf("%s: complaints that don't tell what is wrong: %v", r.Name(), err)
	}
	require.NoError(t, err)
	for _, m := range table.Models {
		s, err := verify.Explore(t.Context(), table, m, m.Checks)
		require.NoError(t, err)
		var fault *interp.Fault
		if errors.As(s.Report.Steps.Err, &fault) {
			return fmt.Sprintf("step %s: %v", fault.Where, fault.Reason)
		}
		for _, res := range s.Failing() {
			if res.Name != s.Report.Never.Name {
				return "property " + res.Name
			}
			last := res.Path.Steps[len(res.Path.Steps)-1]
			return "never " + last.Label.Decision()
		}
	}
	return "nothing"
}
