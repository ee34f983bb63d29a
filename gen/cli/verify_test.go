package cli_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/tla"
)

// rejectedDoor is looseDoor as a design that is rejected since anybody opens it.
var rejectedDoor = strings.Replace(looseDoor, "machine: door\n", "machine: door\ndoc: Who asks may open it.\n", 1) +
	"invariants:\n  LockedIsOwned: (state == locked) == owner.hasValue()\nfails: OnlyItsOwner\n"

// TestManifest pins a rejected design, and then has it fail otherwise.
func TestManifest(t *testing.T) {
	if _, err := tla.Available(t.Context()); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("TLC is left out: %v", err)
	}
	t.Chdir(t.TempDir())
	write := func(text string) { require.NoError(t, os.WriteFile("door.yaml", []byte(text), 0o644)) }
	write(rejectedDoor)
	_, errOut := run(t, 2, "verify", "--update", "door.yaml")
	require.Contains(t, errOut, "--update needs --manifest FILE")
	out, _ := run(t, 1, "verify", "--manifest", "pins.txtar", "door.yaml")
	require.Contains(t, out, "FINDING door.yaml isn't as pins.txtar says:\nnothing is pinned for door.yaml\n")
	require.NoFileExists(t, "pins.txtar")

	out, _ = run(t, 0, "verify", "--manifest", "pins.txtar", "--update", "door.yaml")
	require.Contains(t, out, "door             OnlyItsOwner  small  2 steps   invariant MCOnlyItsOwner is violated  12\n")
	pins, err := os.ReadFile("pins.txtar")
	require.NoError(t, err)
	require.Contains(t, string(pins), "OnlyItsOwner  of steps  small  fails     fails  12    invariant MCOnlyItsOwner is violated\n")
	out, _ = run(t, 0, "verify", "--manifest", "pins.txtar", "door.yaml")
	require.Contains(t, out, "all is as pins.txtar says\n")

	// It still fails as it must, and by one more. Of another table nothing is told.
	require.NoError(t, os.WriteFile("other.yaml", nil, 0o644))
	require.NoError(t, os.WriteFile("pins.txtar", append(pins, "-- other.yaml --\n"...), 0o644))
	write(strings.Replace(rejectedDoor, "set: {owner: none()}", "set: {}", 1))
	out, _ = run(t, 1, "verify", "--manifest", "pins.txtar", "door.yaml")
	require.Contains(t, out, "\n+LockedIsOwned  invariant  small  fails     fails  12    invariant LockedIsOwned is violated\n")
	require.Contains(t, out, "pins.txtar pins tables that weren't compared: other.yaml\n")

	// It no longer fails by what it names.
	write(strings.Replace(rejectedDoor, "owner.is(key) && new.state == open", "key == key", 1))
	out, _ = run(t, 1, "verify", "--manifest", "pins.txtar", "door.yaml")
	require.Contains(t, out, "FINDING door: OnlyItsOwner holds, though this design is rejected for breaking it\n")

	write(rejectedDoor)
	require.NoError(t, os.Rename("door.yaml", "gate.yaml"))
	out, _ = run(t, 1, "verify", "--manifest", "pins.txtar", "gate.yaml")
	require.Contains(t, out, "FINDING pins.txtar pins door.yaml, which is gone; --update takes it out\n")
	run(t, 0, "verify", "--manifest", "pins.txtar", "--update", "gate.yaml")
	pins, err = os.ReadFile("pins.txtar")
	require.NoError(t, err)
	require.NotContains(t, string(pins), "door.yaml")
}
