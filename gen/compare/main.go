// Command compare puts small inputs to other state machine libraries, the real
// ones in pinned versions, and to this project, and writes what came of them to
// docs/comparison.md.
//
//	go run ./gen/compare [--check]
//
// With --check it writes nothing and fails if the page isn't what it would
// write. It needs go, node with npm, and python3 with venv; the registries of
// the latter two are asked the first time. It exits with 1 if the page is stale,
// with 2 if it can't be told.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/interlock-go/interlock/gen/compare/interlock"
	"github.com/interlock-go/interlock/gen/compare/looplab"
	"github.com/interlock-go/interlock/gen/compare/record"
	"github.com/interlock-go/interlock/gen/compare/stateless"
	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/gen/pinned"
)

func main() {
	check := flag.Bool("check", false, "write nothing; fail if the page is stale")
	flag.Parse()
	stale, err := compare(".", *check)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(2)
	case len(stale) > 0:
		fmt.Fprintf(os.Stderr, "compare: %v; run make compare\n", stale[0])
		os.Exit(1)
	}
}

// compare makes the page anew, and writes it below root or compares it with
// what is there.
func compare(root string, check bool) ([]file.Stale, error) {
	c, err := read()
	if err != nil {
		return nil, err
	}
	answers, err := ask(root)
	if err != nil {
		return nil, err
	}
	text, err := page(root, c, answers)
	if err != nil {
		return nil, err
	}
	files := []file.File{{Path: "docs/comparison.md", Data: text}}
	if check {
		return file.Check(root, files)
	}
	_, err = file.Write(root, files)
	return nil, err
}

// ask runs the program of each library.
func ask(root string) (map[string]record.Answers, error) {
	dir := filepath.Join(root, "gen", "compare")
	node, err := nodeAnswers(filepath.Join(dir, "xstate"))
	if err != nil {
		return nil, fmt.Errorf("XState: %w", err)
	}
	python, err := pythonAnswers(filepath.Join(dir, "statemachine"))
	if err != nil {
		return nil, fmt.Errorf("python-statemachine: %w", err)
	}
	ours, err := interlock.Answers(root)
	if err != nil {
		return nil, fmt.Errorf("interlock: %w", err)
	}
	return map[string]record.Answers{
		"looplab": looplab.Answers(), "stateless": stateless.Answers(), "xstate": node, "statemachine": python, "interlock": ours,
	}, nil
}

func nodeAnswers(dir string) (a record.Answers, err error) {
	installed, err := pinned.Node(dir, ".npmrc", "package.json", "package-lock.json", "cases.mjs")
	if err != nil {
		return a, err
	}
	return run(exec.Command("node", filepath.Join(installed, "cases.mjs")))
}

func pythonAnswers(dir string) (a record.Answers, err error) {
	python, err := pinned.Python(dir)
	if err != nil {
		return a, err
	}
	program, err := os.ReadFile(filepath.Join(dir, "cases.py"))
	if err != nil {
		return a, err
	}
	cmd := exec.Command(python, "-I", "-")
	cmd.Stdin = bytes.NewReader(program)
	return run(cmd)
}

// run reads what a program tells.
func run(cmd *exec.Cmd) (a record.Answers, err error) {
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil {
		return a, fmt.Errorf("%w\n%s", err, &errOut)
	}
	return a, json.Unmarshal(out.Bytes(), &a)
}
