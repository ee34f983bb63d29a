package lanes_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/interlock-go/interlock/gen/mutant"
	"github.com/interlock-go/interlock/gen/overlay"
)

// change is one change to this package's source, and the test that must fail of
// it.
type change struct {
	name, file, old, new string
	test                 string
}

// changes begin with a few that are tried whenever all tests are run, one of
// each machine.
var changes = []change{
	{"no token compare", "place.go", "l.issuer != issuer || ", "", "TestLanesRule5OnlyTheExactLeaseActs"},
	{"no cancel on time-out", "wait.go", "return c.leave(ctx, x, &leaving{ErrAdmissionTimedOut, lateReason, context.DeadlineExceeded})",
		`return &WaitError{ErrAdmissionTimedOut, x.session, x.id, TicketCancelled, lateReason, context.DeadlineExceeded}`, "TestQueueRule04WhoLeavesCancels"},
	{"a list that was asked for before counts", "session_poll.go", "d.settled, d.shown, d.shownAt = last, shown, f.asked", "d.shown, d.shownAt = shown, f.asked", "TestSessionRule05AnAcceptedListMakesOthersStale"},

	{"no version check", "memory.go", "if old != w.Old {", "if old.Number > w.Old.Number+1<<62 {", "TestLinearizable"},
	{"a conflict taken for a success", "apply.go", "if errors.Is(err, ErrConflict) {\n\t\t\tcontinue", "if errors.Is(err, ErrConflict) {\n\t\t\treturn r, nil", "TestLinearizable"},
	{"effects without a store", "apply.go", "version, err := rs.store.Swap(ctx, w)", "version, err := rs.store.Swap(ctx, w)\n\t\tif err != nil && !errors.Is(err, ErrConflict) {\n\t\t\treturn r, nil\n\t\t}", "TestCase43AnUncertainReleaseIsNoRefusal"},
	{"no compare of labels", "place.go", "l.run != g.run || ", "", "TestModel"},
	{"no compare of epochs", "place.go", " || l.fencing.Epoch != g.fencing.Epoch", "", "TestLanesRule5OnlyTheExactLeaseActs"},
	{"free on stop", "projects.go", "g.machine.Step(lane.RequestStop{Lease: p.as(c.lease, ps)}, room[:0])", "g.machine.Step(lane.Release{Outcome: lane.OutcomeCancelled, Lease: p.as(c.lease, ps)}, room[:0])", "TestLanesRule6AStopFreesNothing"},
	{"leaked project", "apply.go", "s.remove(name)", "s.put(name, r)", "TestRecordsAreStable"},
	{"a change without a version", "apply.go", "\t\tr.stamp(v)\n", "", "TestChangesAreVersions"},
	{"maps that never shrink", "memory.go", "if s.most >= roomy && n <= s.most/4 {", "if n < 0 {", "TestMapsAreRebuilt"},
	{"no compare of numbers", "place.go", "return lane.Lease(l.fencing.Number)", "return lane.Lease(g.fencing.Number)", "TestLaneEdges"},
	{"swap skipped", "apply.go", "version, err := rs.store.Swap(ctx, w)", "version, err := Version{1, 1}, ctx.Err()", "TestBothWaysToARecord"},
	{"a conflict answered", "apply.go", "if errors.Is(err, ErrConflict) {\n\t\t\tcontinue", "if errors.Is(err, ErrConflict) {\n\t\t\treturn nil, err", "TestQueueElsewhere"},
	{"copy not made", "stored.go", "old, moved = r.stored, false\n", "old, moved = r.stored, false\n\t\t\tc.mu.Lock()\n\t\t\tif l := c.lines.at(session); l != nil {\n\t\t\t\tr.machine, r.live = l.machine, l.live\n\t\t\t}\n\t\t\tc.mu.Unlock()\n", "TestQueueCase48AFailedEndWorksAgain"},
	{"any label", "label.go", "func validLabel(s string) bool {", "func validLabel(s string) bool {\n\tif len(s) > 0 {\n\t\treturn true\n\t}", "TestLanesRule3Labels"},

	{"effects before the swap", "stored.go", "\t\t\tc.written(r, a, step)\n", "\t\t\tc.written(r, a, step)\n\t\t\tc.mu.Lock()\n\t\t\tif l := c.lines.at(session); l != nil {\n\t\t\t\tfor i := range a.effects {\n\t\t\t\t\tif x := l.live[a.effects[i].Ticket]; x != nil {\n\t\t\t\t\t\tl.mark(x, &a.effects[i], a)\n\t\t\t\t\t}\n\t\t\t\t}\n\t\t\t}\n\t\t\tc.mu.Unlock()\n", "TestQueueCase48AFailedEndWorksAgain"},
	{"a step in doubt forgotten", "stored.go", "t.doubts = append(t.doubts, doubt{owed{e, a.own()}, step, old, forgets})", "_, _ = old, forgets", "TestQueueCase48AFailedEndWorksAgain"},
	{"a leave that failed forgotten", "wait.go", "a := act{at: c.clock.Now(), owed: true}", "a := act{at: c.clock.Now()}", "TestQueueCase47AFailedWaitLeavesNothing"},
	{"an end that failed forgotten", "run.go", "report: r, owed: true}", "report: r}", "TestQueueCase48RunEndsLater"},
	{"a submit in doubt kept", "stored.go", "t.lost = append(t.lost, a.ticket)", "_ = t.lost", "TestQueueCase47AnUncertainSubmitBlocksNobody"},
	{"a step in doubt may come later", "mend.go", "\tstep := c.stored.steps.Add(1)\n\tagain := false\n", "\tif t.doubts = nil; t.doubts == nil {\n\t\treturn nil\n\t}\n\tstep := c.stored.steps.Add(1)\n\tagain := false\n", "TestQueueCase48AnEndMayNotComeLater"},
	{"an older coordinator goes on", "stored.go", "if later = by > 0; later {", "if later = by > 0; false && later {", "TestQueueRule21ARestart"},
	{"no take-over", "stored.go", "if earlier = !r.blank() && by < 0; landed || earlier {", "if earlier = false; landed || earlier {", "TestQueueRule21TwoCoordinators"},
	{"a close that isn't resumed", "opening.go", "if s.closing != \"\" {", "if s.closing == \"\" {", "TestQueueRule13ACloseIsResumed"},
	{"refusals that aren't told", "refused.go", "w(ctx, r)", "_ = r", "TestRefusalsAreTold"},

	{"wrong waiter woken", "execution.go", "a.wake(x.admission)\n\t\treturn", "for _, y := range x.coordinator.lines.at(x.session).live {\n\t\t\tif y != x && y.state == TicketQueued {\n\t\t\t\tx = y\n\t\t\t}\n\t\t}\n\t\ta.wake(x.admission)\n\t\treturn", "TestQueueCase33NoWakeUpIsLost"},
	{"lost wake-up", "execution.go", "a.wake(x.admission)\n\t\treturn", "return", "TestQueueCase33NoWakeUpIsLost"},
	{"no cancel when the context ends", "wait.go", "return c.leave(ctx, x, gone(ctx))", "return &WaitError{gone(ctx).code, x.session, x.id, TicketCancelled, \"\", gone(ctx).cause}", "TestQueueRule04WhoLeavesCancels"},
	{"leaked session", "step.go", "\t\t\tc.lines.remove(l)\n", "", "TestQueueRule12CleanUp"},
	{"leaked ticket", "effect.go", "one that ran\n\t\tdelete(l.live, effect.Ticket)", "one that ran", "TestQueueKeepsWhatItMust"},
	{"tickets of others", "coordinator.go", "if x.coordinator != c {", "if x.coordinator == nil {", "TestQueueRule05OnlyTheActiveTicketEnds"},
	{"a namesake is hit", "coordinator.go", "t.Serial != 0 && t.Serial != uint64(n)", "t.Serial > uint64(n)", "TestQueueRule20ANamesakeIsSpared"},
	{"an interrupt ends no context", "execution.go", "a.stops = append(a.stops, func() { stop(cause) })", "_, _ = stop, cause", "TestQueueRule10RunReturns"},
	{"a turn is kept after a panic", "run.go", "defer func() { c.finish(ctx, x, queue.ReportFailed, Report{State: TicketFailed, Error: text}) }()", "_ = text", "TestQueueCase34WaitersOutliveAPanic"},
	{"shared variables that are lost", "step.go", "m.Params, m.Shared = c.params, t.shared", "m.Params = c.params", "TestTraces"},
	{"a failure taken for a success", "coordinator.go", "c.end(ctx, t, queue.ReportFailed, ", "c.end(ctx, t, queue.ReportCompleted, ", "TestQueueEdges"},
	{"a turn under its caller's context", "run.go", "context.WithCancelCause(context.WithoutCancel(ctx))", "context.WithCancelCause(ctx)", "TestQueueRule10RunReturns"},
	{"the coordinator closes alone", "closing.go", "for l := range c.lines.all() {\n\t\tif _, err := c.step(l.session, queue.Close{}, &a)", "for l := range c.lines.all() {\n\t\tbreak\n\t\tif _, err := c.step(l.session, queue.Close{}, &a)", "TestQueueRule13CloseTheCoordinator"},
	{"told before it is done", "effect.go", "\tl.mark(x, effect, a)\n\tif e", "\tdefer l.mark(x, effect, a)\n\tif e", "TestQueueRule15EventsOfEachCall"},
	{"events only numbered if heard", "effect.go", "c.events.seq++\n", "if c.events.heard() {\n\t\tc.events.seq++\n\t}\n", "TestQueueRule15NumbersAndTimes"},
	{"a picture that shares", "execution.go", "v.Metadata = maps.Clone(v.Metadata)", "_ = maps.Clone[map[string]string]", "TestQueueIdentityNeverChanges"},

	{"no compare of sessions' owners", "session_lease.go", "t.issuer != s || ", "", "TestSessionLeasesOfAnotherManager"},
	{"another process's record read", "session_directory.go", "if d.process != process && !d.blank() {", "if false {", "TestSessionRule10ARestartIsUnknown"},
	{"answered before the swap", "session.go", "\t\tif changed = changed || swept; !changed {", "\t\tfor _, o := range answered {\n\t\t\to.tell()\n\t\t}\n\t\tif changed = changed || swept; !changed {", "TestSessionCase47AnAbortReturns"},
	{"due a moment too late", "session_directory.go", "!r.due.IsZero() && !d.now.Before(r.due)", "!r.due.IsZero() && d.now.After(r.due)", "TestSessionRule07DueIsExpired"},
	{"obeyed by an older list", "session_abort.go", "o == nil || o.heard == 0 || poll <= o.heard", "o == nil", "TestSessionRule03AbortsAreRepeatedUntilObeyed"},
	{"an abort ends with its caller", "session_abort.go", "s.deliver(context.WithoutCancel(ctx), key, id, w, deliver)", "s.deliver(ctx, key, id, w, deliver)", "TestSessionRule03AbortsAreSeenThrough"},
	{"leaked session of a directory", "session_directory.go", "d.sessions.remove(id)\n\t\treturn", "d.sessions.put(id, r)\n\t\treturn", "TestSessionMemory"},
	{"grace counts from the begin", "session_directory.go", "r.grace = at.Add(b.grace)", "r.grace = r.since.Add(b.grace)", "TestCase56TheGraceCountsFromTheSending"},
	{"retry taken for busy", "session_poll.go", "return StatusRetry, session.ReportRetry", "return StatusRetry, session.ReportBusy", "TestSessionEdges"},
	{"a list that its caller changes", "session_poll.go", "d.settled, d.shown, d.shownAt = last, shown, f.asked", "d.settled, d.shown, d.shownAt = last, nil, f.asked", "TestSessionListsAreCopied"},
}

// mutantsEnv, set to anything, has TestMutants try all changes, as make mutants
// does. Without, it tries the first few.
const mutantsEnv = "LANES_MUTANTS"

// sampled is how many changes are tried whenever all tests are run.
const sampled = 3

// TestMutants builds this package's tests with each change, and runs the test
// that is to notice. A change that doesn't apply or compile is an error, and so
// is a test that fails without it.
func TestMutants(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err) // who tests has one
	}
	tried := changes[:sampled]
	if os.Getenv(mutantsEnv) != "" {
		tried = changes
	}
	var tests []string
	for _, c := range tried {
		if !slices.Contains(tests, c.test) {
			tests = append(tests, c.test)
		}
	}
	if out, err := runMutant(t, buildMutant(t, goTool, nil), tests...); err != nil {
		t.Fatalf("without a change: %v\n%s", err, out)
	} else {
		for _, test := range tests {
			if !strings.Contains(out, "--- PASS: "+test+" ") {
				t.Errorf("there is no %s:\n%s", test, out)
			}
		}
	}
	for _, c := range tried {
		t.Run(c.name, func(t *testing.T) {
			out, err := runMutant(t, buildMutant(t, goTool, &c), c.test)
			if err == nil {
				t.Fatalf("%s doesn't notice:\n%s", c.test, out)
			}
			// A panic in a goroutine that the test began, or a test that hangs,
			// ends all tests before it can say that it failed.
			panicked := strings.Contains(out, "panic: ") && strings.Contains(out, "lanes_test."+c.test+".")
			if !panicked && !strings.Contains(out, "--- FAIL: "+c.test) {
				t.Fatalf("%v, but %s doesn't say that it failed:\n%s", err, c.test, out)
			}
		})
	}
}

// apply returns c's file as c makes it.
func (c *change) apply(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(c.file)
	if err != nil {
		t.Fatal(err)
	}
	changed, err := mutant.Replace(string(text), c.old, c.new)
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	return changed
}

// Each change has one place to be put.
func TestMutantsApply(t *testing.T) {
	for _, c := range changes {
		t.Run(c.name, func(t *testing.T) { c.apply(t) })
	}
}

// buildMutant builds this package's tests with a change, or as they are.
func buildMutant(t *testing.T, goTool string, c *change) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{}
	if c != nil {
		files["lanes/"+c.file] = c.apply(t)
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	laid, err := overlay.Write(dir, root, files)
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "lanes.test")
	cmd := exec.Command(goTool, "test", "-vet=off", "-c", "-o", binary, "-overlay", laid, ".")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	return binary
}

// runMutant runs tests of a build, for a minute at most: all is well in seconds.
// The error says that they failed.
func runMutant(t *testing.T, binary string, tests ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(binary, "-test.v", "-test.timeout", "1m", "-test.run", "^("+strings.Join(tests, "|")+")$")
	cmd.Env = append(os.Environ(), "RAPID_SHRINKTIME=1s", "RAPID_NOFAILFILE=1", "LANES_SEEDS=100", "TMPDIR="+t.TempDir())
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if err != nil {
		err = fmt.Errorf("exit %d", exit.ExitCode())
	}
	return string(out), err
}
