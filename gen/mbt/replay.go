package mbt

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/interlock-go/interlock/gen/replay"
	"github.com/interlock-go/interlock/spec"
)

// ReplayEnv is the environment variable that names the file with the
// ReplayOrder of a test by Replay.
const ReplayEnv = "INTERLOCK_REPLAY"

// ReplayOrder is what "interlock replay --go" wants of a generated package.
type ReplayOrder struct {
	Name   string // of the script, as complaints call it
	Script []byte
	Model  string // empty: the table's first
	JSON   bool
	Out    string // file for what the script's decisions are
}

// NeverFile is written, empty, where a row decided that must never.
func (o ReplayOrder) NeverFile() string { return o.Out + ".never" }

// Replay runs the script that ReplayEnv tells of on the generated machine. A
// test that calls it is given to go test by "interlock replay --go" alone.
func Replay[M, F any](t *testing.T, tab Table, s Subject[M, F]) {
	table := tab.load(t)
	if err := replayTo(table, s); err != nil {
		t.Fatal(err)
	}
}

func replayTo[M, F any](table *spec.Table, s Subject[M, F]) (err error) {
	data, err := os.ReadFile(os.Getenv(ReplayEnv))
	if err != nil {
		return err
	}
	var o ReplayOrder
	if err := json.Unmarshal(data, &o); err != nil {
		return err
	}
	var model *spec.Model
	for _, m := range table.Models {
		if m.Name == o.Model {
			model = m
		}
	}
	script, err := replay.Read(table, model, o.Name, o.Script)
	if err != nil {
		return err
	}
	out, err := os.Create(o.Out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	write := script.Text
	if o.JSON {
		write = script.JSON
	}
	e := engine[M, F]{subject: sized(s, script.Machine), table: table, params: script.Machine.Model().Params}
	never, err := replay.Run(script, e, func(d replay.Decision) error { return write(out, d) })
	if err == nil && never {
		err = os.WriteFile(o.NeverFile(), nil, 0o600)
	}
	return err
}

// engine does commands to a generated machine.
type engine[M, F any] struct {
	subject Subject[M, F]
	table   *spec.Table
	params  []int
}

// Step is replay.Engine's.
func (e engine[M, F]) Step(vars []uint64, event *spec.Event, args []uint64) (replay.Answer, error) {
	m := e.subject.Machine(e.params, vars)
	info, buf := e.subject.Step(&m, event.Index, args, nil)
	e.subject.Vars(&m, vars)
	effects, err := effectsOf(e.table, e.subject, buf)
	if err != nil {
		return replay.Answer{}, fmt.Errorf("%s: %w", info.Name, err)
	}
	a := replay.Answer{Row: info.Name, Outcome: info.Kind.String(), Code: info.Code, Effects: effects}
	for outcome, kind := range kinds {
		if kind == info.Kind {
			a.Outcome = outcome.String()
		}
	}
	return a, nil
}
