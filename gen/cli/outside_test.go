package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// program uses the machine that its comment has generated.
const program = `package main

import (
	"fmt"

	"example.org/door/fsm/door"
)

//go:generate go tool interlock gen spec/door.yaml

func main() {
	var m door.Machine
	d, _ := m.Step(door.Take{Key: 1}, nil)
	fmt.Println(d, m.State)
	d, _ = m.Step(door.GiveBack{Key: 2}, nil)
	fmt.Println(d, d.Info().Code)
}
`

// TestOutside is a module of one's own that has the command as a tool: go
// generate writes the machine, the program runs, the generated tests pass, and
// of this module the program needs the package fsm alone.
func TestOutside(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	outside(t, root)
	for name, value := range map[string]string{"GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOWORK": "off"} {
		t.Setenv(name, value)
	}
	require.NoError(t, os.WriteFile("main.go", []byte(program), 0o644))
	goRun := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("go", args...).CombinedOutput()
		require.NoError(t, err, "go %s\n%s", strings.Join(args, " "), out)
		return string(out)
	}
	goRun("mod", "edit", "-tool", "github.com/interlock-go/interlock/gen/interlock")
	require.Contains(t, goRun("tool", "interlock", "init", "door"), "wrote spec/door.yaml")
	require.Contains(t, goRun("tool", "interlock", "check"), "3 of 3 properties and goals hold")
	goRun("generate", "./...")
	require.Equal(t, "take.done taken\ngiveBack.stale NOT_YOURS\n", goRun("run", "."))
	goRun("vet", "./...")
	goRun("test", "./...")

	var ours []string
	for _, dep := range strings.Fields(goRun("list", "-deps", ".")) {
		if strings.Contains(strings.Split(dep, "/")[0], ".") {
			ours = append(ours, dep)
		}
	}
	require.Equal(t, []string{"github.com/interlock-go/interlock/fsm", "example.org/door/fsm/door", "example.org/door"}, ours)
	goRun("tool", "interlock", "gen", "--check")
}
