// Package interlock puts the cases of the comparison to this project: the
// tables to interlock check, and what passes to the generated Go.
package interlock

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/gen/cli"
	"github.com/interlock-go/interlock/gen/compare/record"
)

// dir is where the tables and the program are, below the module's root.
const dir = "gen/compare/interlock"

// machines are the tables whose cases the program goes on with.
var machines = []string{"case09.yaml", "case12.yaml", "case16.yaml"}

// noActions is why case 15 can't be said.
const noActions = "A row sets variables and names effects, which the caller does afterwards; it has no code of its own, and there is no exit and no entry."

// Answers runs all cases. root is the folder of this module.
func Answers(root string) (record.Answers, error) {
	tables, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "case*.yaml"))
	if err != nil {
		return record.Answers{}, err
	}
	a, err := run(root)
	if err != nil {
		return a, err
	}
	for _, table := range tables {
		var number int
		if _, err := fmt.Sscanf(filepath.Base(table), "case%d.yaml", &number); err != nil {
			return a, fmt.Errorf("%s: %w", table, err)
		}
		said := check(table)
		switch runs := slices.Contains(machines, filepath.Base(table)); {
		case said == "" && !runs:
			return a, fmt.Errorf("%s passes, and no program goes on with it", table)
		case said != "" && runs:
			return a, fmt.Errorf("%s: %s", table, said)
		case said != "":
			a.Cases = append(a.Cases, record.Case{Case: number, Steps: []record.Step{{Step: "define", Refused: true, Said: said}}})
		}
	}
	a.Cases = append(a.Cases, record.Case{Case: 15, Cannot: noActions})
	return a, nil
}

// complaint is the first line of one, unless it only warns.
var complaint = regexp.MustCompile(`(?m)^case\d+\.yaml:\d+:\d+: ([A-Z]\d+: .*)$`)

// check returns the first thing that interlock check has against a table, ""
// if there is nothing.
func check(table string) string {
	var out, errOut bytes.Buffer
	code := cli.Main([]string{"check", table}, strings.NewReader(""), &out, &errOut)
	if code == 0 {
		return ""
	}
	said := out.String() + errOut.String()
	if m := complaint.FindStringSubmatch(strings.ReplaceAll(said, filepath.Dir(table)+string(filepath.Separator), "")); m != nil {
		return m[1]
	}
	return said
}

// run generates the machines in a module of its own and runs the program.
func run(root string) (a record.Answers, err error) {
	root, err = filepath.Abs(root)
	if err != nil {
		return a, err
	}
	tmp, err := os.MkdirTemp("", "compare")
	if err != nil {
		return a, err
	}
	defer os.RemoveAll(tmp)
	if err := module(root, tmp); err != nil {
		return a, err
	}
	args := []string{"gen"}
	for _, m := range machines {
		args = append(args, filepath.Join(tmp, "spec", m))
	}
	var told bytes.Buffer
	if code := cli.Main(args, strings.NewReader(""), &told, &told); code != 0 {
		return a, fmt.Errorf("interlock gen: exit code %d\n%s", code, &told)
	}
	var out, errOut bytes.Buffer
	cmd := exec.Command("go", "run", ".")
	cmd.Dir, cmd.Stdout, cmd.Stderr = tmp, &out, &errOut
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	if err := cmd.Run(); err != nil {
		return a, fmt.Errorf("go run: %w\n%s", err, &errOut)
	}
	return a, json.Unmarshal(out.Bytes(), &a)
}

// module writes a module that uses this one, with the program and its tables.
func module(root, to string) error {
	mod := "module example.org/compare\n\ngo 1.26\n\nrequire github.com/interlock-go/interlock v0.0.0\n\n" +
		"replace github.com/interlock-go/interlock => " + root + "\n"
	if err := os.WriteFile(filepath.Join(to, "go.mod"), []byte(mod), 0o644); err != nil {
		return err
	}
	from := filepath.Join(root, filepath.FromSlash(dir))
	if err := os.CopyFS(to, os.DirFS(filepath.Join(from, "testdata"))); err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(to, "spec"), 0o755); err != nil {
		return err
	}
	for _, name := range machines {
		data, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, "spec", name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
