package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/tla"
)

// A door that anybody may open, whatever its property says; then a mended one,
// of which the property is that it is locked and opened again.
const (
	looseDoor = `machine: door
types:
  Key: {is: serial, else: INVALID_KEY}
states:
  open:   {initial: true}
  locked: {}
vars:
  owner: {type: optional(Key)}
answers:
  LOCKED:      The door is locked already.
  OPEN:        It is open.
  INVALID_KEY: There is no key.
events:
  lock(key fresh Key):
    checks: [{id: again, from: locked, refuse: LOCKED}]
    rows:
      done: {from: open, to: locked, set: {owner: some(key)}}
  unlock(key Key):
    checks: [{id: open, from: open, refuse: OPEN}]
    rows:
      done: {from: locked, to: open, set: {owner: none()}}
  slam():
    rows:
      open:   {from: open, to: open}
      locked: {from: locked, never: nobody slams a locked door}
after:
  unlock: {OnlyItsOwner: owner.is(key) && new.state == open}
models:
  small: {sizes: {Key: 3}}
`
	mendedRow = `    checks: [{id: open, from: open, refuse: OPEN}, {id: stale, unless: owner.is(key), refuse: INVALID_KEY}]
    rows:
`
)

// TestCounterexampleInGo has a counterexample told as a Go test, which fails on
// the code that is generated from the table, and passes once that is mended.
func TestCounterexampleInGo(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	outside(t, root)
	require.NoError(t, os.WriteFile("door.yaml", []byte(looseDoor), 0o644))
	run(t, 0, "gen", "door.yaml")
	out, _ := run(t, 1, "trace", "--format", "go", "--property", "OnlyItsOwner", "door.yaml")
	require.NoError(t, os.WriteFile("fsm/door/found_test.go", []byte(out), 0o644))
	told, err := goTest("-run", "Counterexample", "./fsm/door")
	require.Error(t, err, "%s", told)
	require.Contains(t, told, "OnlyItsOwner fails: owner.is(key)\n")

	// A row that decides though it must never is a finding of the code too.
	require.NoError(t, os.WriteFile("script", []byte("{\"event\": \"slam\"}\n{\"event\": \"lock\", \"args\": {\"key\": 1}}\n{\"event\": \"slam\"}\n"), 0o644))
	t.Setenv("GOFLAGS", "-mod=mod")
	byTable, _ := run(t, 1, "replay", "door.yaml", "script")
	byCode, _ := run(t, 1, "replay", "--go", "door.yaml", "script")
	require.Equal(t, byTable, byCode)
	require.Contains(t, byCode, "3: slam(): slam.locked, never\n")
	_, errOut := run(t, 2, "trace", "--format", "go", "door.yaml")
	require.Contains(t, errOut, "OnlyItsOwner and slam.locked fail; name one of them by --property")

	rows := "    checks: [{id: open, from: open, refuse: OPEN}]\n    rows:\n"
	require.Contains(t, looseDoor, rows)
	mended := strings.Replace(looseDoor, rows, mendedRow, 1)
	require.NoError(t, os.WriteFile("door.yaml", []byte(mended), 0o644))
	run(t, 0, "gen", "door.yaml")
	told, err = goTest("-v", "-run", "Counterexample", "./fsm/door")
	require.NoError(t, err, "%s", told)
	require.Contains(t, told, "step 2 goes another way: unlock.stale")
}

// TestCounterexampleOfTLC has TLC find what only it can tell: a behaviour
// without end. What both find is told alike.
func TestCounterexampleOfTLC(t *testing.T) {
	if _, err := tla.Available(t.Context()); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("TLC is left out: %v", err)
	}
	t.Chdir(t.TempDir())
	endless := looseDoor + "eventually:\n  Opens: {each: k Key, from: state == locked && owner.is(k), to: state == open, fair: [lock]}\n"
	require.NoError(t, os.WriteFile("door.yaml", []byte(endless), 0o644))
	require.NoError(t, os.WriteFile("go.mod", []byte("module example.org/door\n"), 0o644))
	out, _ := run(t, 1, "trace", "--by", "tlc", "--property", "Opens", "door.yaml")
	require.Equal(t, "1. lock(key 1): lock.done\n     state = locked, owner = 1, issuedKey = 1\n"+
		"and nothing changes any more\nOpens fails for k = 1: state == locked && owner.is(k) is never followed by state == open\n", out)
	same, _ := run(t, 1, "trace", "--property", "Opens", "door.yaml")
	require.Equal(t, out, same)
	out, _ = run(t, 1, "trace", "--format", "json", "--property", "Opens", "door.yaml")
	require.Contains(t, out, `"stuttering": true`)
	goTest, _ := run(t, 1, "trace", "--format", "go", "--property", "Opens", "door.yaml")
	require.Contains(t, goTest, "// what has to happen some time changes nothing here")
	same, _ = run(t, 1, "trace", "--by", "tlc", "--format", "go", "--property", "Opens", "door.yaml")
	require.Equal(t, goTest, same)
	diagram, _ := run(t, 1, "trace", "--format", "mermaid", "--property", "Opens", "door.yaml")
	require.Contains(t, diagram, "  note over mp1: nothing changes any more\n")
	byTLC, _ := run(t, 1, "trace", "--by", "tlc", "--property", "OnlyItsOwner", "door.yaml")
	byExplorer, _ := run(t, 1, "trace", "--property", "OnlyItsOwner", "door.yaml")
	require.Equal(t, byExplorer, byTLC)
}

// swing goes on for ever and never falls.
const swing = `machine: swing
states: {left: {initial: true}, right: {}, down: {}}
events:
  push() by timer:
    rows:
      over: {from: left, to: right}
      back: {from: right, to: left}
      lies: {from: down, to: down}
  fall() by environment:
    rows:
      falls: {from: right, to: down}
      holds: {from: [left, down], to: down}
eventually:
  Falls: {from: state == left, to: state == down, fair: [push]}
sometimes:
  GoesRight: state == right
models:
  only: {}
`

// TestLoop has a behaviour told that goes round: alike by both, and as a diagram.
func TestLoop(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("swing.yaml", []byte(swing), 0o644))
	byExplorer, _ := run(t, 1, "trace", "swing.yaml")
	require.Contains(t, byExplorer, "from the start again and again:\n  1. push(): push.over\n       state = right\n  2. push(): push.back\n       state = left\n")
	out, _ := run(t, 1, "trace", "--format", "json", "swing.yaml")
	require.Contains(t, out, `"backTo": 0`)
	require.Contains(t, out, `"condition": "state == left is never followed by state == down"`)
	out, _ = run(t, 1, "trace", "--format", "mermaid", "swing.yaml")
	require.Contains(t, out, "  loop again and again\n  timer->>mp1: 1. push()\n")
	require.Contains(t, out, "  end\n  note over mp1: Falls fails")
	if _, err := tla.Available(t.Context()); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("TLC is left out: %v", err)
	}
	byTLC, _ := run(t, 1, "trace", "--by", "tlc", "swing.yaml")
	require.Contains(t, byTLC, "and from there again and again:\n  1. push(): push.back\n       state = left\n  2. push(): push.over\n       state = right\n") // from a state later
	require.Contains(t, byTLC, "Falls fails: state == left is never followed by state == down\n")

	// A goal that is reached is a violation for TLC, and said to be none.
	out, _ = run(t, 1, "tlc", "swing.yaml")
	require.Regexp(t, `only: GoesRight: invariant \w+ is violated, as it must be; .*\n`, out)
	require.Regexp(t, `only: live: temporal property Falls is violated; .*\n    FINDING: `, out)
}

// goTest runs go test offline in the working directory.
func goTest(args ...string) (string, error) {
	cmd := exec.Command("go", append([]string{"test", "-mod=mod"}, args...)...)
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	return string(out), err
}
