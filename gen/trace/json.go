package trace

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/mbt/literal"
)

// document is a counterexample in JSON.
type document struct {
	Machine    string   `json:"machine"`
	Table      string   `json:"table"` // sha256 of its source
	Model      string   `json:"model"`
	Property   string   `json:"property"`
	By         string   `json:"by"`
	Start      string   `json:"start"` // in words, as the text has states
	Steps      []step   `json:"steps"`
	BackTo     *int     `json:"backTo,omitempty"` // goes on as after so many steps
	Stuttering bool     `json:"stuttering,omitempty"`
	Fails      *failing `json:"fails,omitempty"`
	CantTell   string   `json:"cantTell,omitempty"`
}

type step struct {
	Event    string         `json:"event"`
	Args     map[string]any `json:"args,omitempty"`
	Instance string         `json:"instance,omitempty"`
	World    bool           `json:"world,omitempty"` // it is the world's: the machine doesn't see it
	Row      string         `json:"row"`
	Outcome  string         `json:"outcome"`
	Code     string         `json:"code,omitempty"`
	Effects  []Effect       `json:"effects,omitempty"`
	Changed  []Change       `json:"changed,omitempty"`
}

type failing struct {
	Instance  string `json:"instance,omitempty"`
	Of        string `json:"of,omitempty"` // instance and values, where a behaviour has no end
	Condition string `json:"condition,omitempty"`
	Part      string `json:"part,omitempty"` // of the condition, what is false
	CanTell   string `json:"canTell,omitempty"`
	Stuck     bool   `json:"stuck,omitempty"` // nothing changes any more, and the condition isn't so
}

func (c *Counterexample) json() (string, error) {
	t := c.Machine.Table()
	d := document{
		Machine: t.Name, Table: t.Hash, Model: c.Machine.Model().Name, Property: c.Property, By: c.By,
		Start: c.Machine.Format(c.Path.Init), Steps: c.steps(),
	}
	if c.Endless != nil {
		if d.Stuttering = len(c.Endless.Loop) == 0; !d.Stuttering {
			back := len(c.Path.Steps)
			d.BackTo = &back
		}
	}
	if c.Err != nil {
		d.CantTell = c.Err.Error()
	} else {
		f, err := c.failing()
		if err != nil {
			return "", err
		}
		d.Fails = &failing{Instance: c.instance(f.Instance), Of: f.Of, Condition: f.Src, CanTell: c.instance(f.Disturbed), Stuck: f.Stuck}
		if f.Part != f.Src {
			d.Fails.Part = f.Part
		}
	}
	return encode(d, "  ")
}

func (c *Counterexample) steps() []step {
	t := c.Machine.Table()
	out := []step{}
	for i, st := range c.allSteps() {
		l := &st.Label
		s := step{
			Event: l.Event.Event.Name, Args: Args(c.Machine, l.Event), Instance: c.instance(l.Instance),
			World: ofWorld(t, l.Event.Event), Row: l.Decision(), Effects: Effects(c.Machine, l.Effects),
			Changed: Changes(c.Machine, c.before(i), st.To),
		}
		s.Outcome, s.Code = Said(l)
		out = append(out, s)
	}
	return out
}

// script is a line for each event of the machine, as "interlock replay" reads
// them, below one for each instance that doesn't start with the declared values.
func (c *Counterexample) script() (string, error) {
	var b strings.Builder
	if err := c.starts(&b); err != nil {
		return "", err
	}
	for _, s := range c.steps() {
		if s.World {
			continue
		}
		line, err := encode(struct {
			Event    string         `json:"event"`
			Args     map[string]any `json:"args,omitempty"`
			Instance string         `json:"instance,omitempty"`
		}{s.Event, s.Args, s.Instance}, "")
		if err != nil {
			return "", err
		}
		b.WriteString(line)
	}
	return b.String(), nil
}

// starts writes where the instances start whose events the script has.
func (c *Counterexample) starts(b *strings.Builder) error {
	m := c.Machine
	fields := literal.Fields(m)
	declared := literal.Vars(m, m.Init()[0], 0)
	for i := range m.Instances() {
		vars := literal.Vars(m, c.Path.Init, i)
		if slices.Equal(vars, declared) {
			continue
		}
		values := map[string]any{}
		for _, v := range m.Table().Starts() {
			if at := slices.IndexFunc(fields, func(f interp.Field) bool { return f.Sym == v.Sym }); at >= 0 {
				values[v.Sym.Name] = Value(m, v.Sym.Type, vars[at])
			}
		}
		line, err := encode(struct {
			Start    map[string]any `json:"start"`
			Instance string         `json:"instance,omitempty"`
		}{values, c.instance(i)}, "")
		if err != nil {
			return err
		}
		b.WriteString(line)
	}
	return nil
}

func encode(v any, indent string) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	err := e.Encode(v)
	return b.String(), err
}
