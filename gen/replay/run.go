package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/mbt/literal"
	"github.com/interlock-go/interlock/gen/trace"
	"github.com/interlock-go/interlock/spec"
)

// Answer is what an engine says of a command.
type Answer struct {
	Row     string // "claim.won", "end.failed+handOver.next"
	Outcome string // "move", "stay", "refuse", "ignore" or "never"
	Code    string
	Effects []interp.Effect
}

// Engine does events to machines given by their codes, which a move changes in
// place: see interp.Stepper.
type Engine interface {
	Step(vars []uint64, event *spec.Event, args []uint64) (Answer, error)
}

// Table is the engine of the table itself.
func Table(m *interp.Machine) Engine { return tableEngine{m, m.TableStepper()} }

type tableEngine struct {
	machine *interp.Machine
	stepper interp.Stepper
}

func (e tableEngine) Step(vars []uint64, event *spec.Event, args []uint64) (Answer, error) {
	if name, code, ok := literal.OutsideRow(event, args); ok {
		return Answer{Row: name, Outcome: spec.Refuse.String(), Code: code}, nil
	}
	d, effects, err := e.stepper.Step(vars, event.Index, args)
	if err != nil {
		return Answer{}, err
	}
	rows := e.machine.Table().Rows()
	l := interp.Label{Row: rows[d.Row], Effects: effects}
	if d.Then >= 0 {
		l.Then = rows[d.Then]
	}
	a := Answer{Row: l.Decision(), Effects: effects}
	a.Outcome, a.Code = trace.Said(&l)
	return a, nil
}

// Decision is what came of a command.
type Decision struct {
	Command
	Answer
	Changed []trace.Change
}

// Run does a script's commands one after another and gives each decision to
// yield. Never reports whether a row decided that must never. The error names
// the line at which the engine can't tell what to do.
func Run(s *Script, e Engine, yield func(Decision) error) (never bool, err error) {
	m := s.Machine
	fields := literal.Fields(m)
	shared := len(fields) - len(m.Table().Shared)
	start := literal.Vars(m, m.Init()[0], 0)
	machines, common := map[string][]uint64{}, start[shared:]
	for _, at := range s.Starts {
		vars := s.started(at, common)
		machines[at.Instance] = vars
		copy(common, vars[shared:])
	}
	for _, c := range s.Commands {
		vars := machines[c.Instance]
		if vars == nil {
			vars = append(vars, start...)
			machines[c.Instance] = vars
		}
		copy(vars[shared:], common)
		before := append([]uint64(nil), vars...)
		a, err := e.Step(vars, c.Event, c.Args)
		if err != nil {
			return never, fmt.Errorf("%s:%d: %w", s.File, c.Line, err)
		}
		never = never || a.Outcome == spec.Never.String()
		d := Decision{Command: c, Answer: a}
		for i, f := range fields {
			if before[i] == vars[i] {
				continue
			}
			change := trace.Change{Field: f.Name, Old: m.FormatCode(f.Type, before[i]), New: m.FormatCode(f.Type, vars[i])}
			if f.Own {
				change.Instance = c.Instance
			}
			d.Changed = append(d.Changed, change)
		}
		copy(common, vars[shared:])
		if err := yield(d); err != nil {
			return never, err
		}
	}
	return never, nil
}

// Text writes a decision in the table's words: its line in the script, the
// event, the row with outcome and code, then effects and what changed.
func (s *Script) Text(w io.Writer, d Decision) error {
	var b strings.Builder
	event := strings.TrimSuffix(s.Machine.FormatEvent(interp.Event{Event: d.Event, Args: d.Args}), " of "+interp.InstanceName(0))
	if d.Instance != "" {
		event += " of " + d.Instance
	}
	fmt.Fprintf(&b, "%d: %s: %s, %s\n", d.Line, event, d.Row, strings.TrimSpace(d.Outcome+" "+d.Code))
	for _, f := range d.Effects {
		fmt.Fprintf(&b, "     %s\n", interp.FormatEffect(f))
	}
	for _, of := range []string{d.Instance, ""} {
		var items []string
		for _, c := range d.Changed {
			if c.Instance == of {
				items = append(items, c.Field+" = "+c.New)
			}
		}
		if items != nil {
			prefix := ""
			if d.Instance != "" && of == "" {
				prefix = "shared: "
			}
			fmt.Fprintf(&b, "     %s%s\n", prefix, strings.Join(items, ", "))
		}
		if d.Instance == "" {
			break
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// JSON writes a decision on one line.
func (s *Script) JSON(w io.Writer, d Decision) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(struct {
		Line     int            `json:"line"`
		Event    string         `json:"event"`
		Args     map[string]any `json:"args,omitempty"`
		Instance string         `json:"instance,omitempty"`
		Row      string         `json:"row"`
		Outcome  string         `json:"outcome"`
		Code     string         `json:"code,omitempty"`
		Effects  []trace.Effect `json:"effects,omitempty"`
		Changed  []trace.Change `json:"changed,omitempty"`
	}{
		d.Line, d.Event.Name, trace.Args(s.Machine, interp.Event{Event: d.Event, Args: d.Args}), d.Instance,
		d.Row, d.Outcome, d.Code, trace.Effects(s.Machine, d.Effects), d.Changed,
	})
	if err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}
