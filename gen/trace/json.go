package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
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
// them. A script begins with machines at their declared start: one that needs
// another is an error.
func (c *Counterexample) script() (string, error) {
	if c.Path.Init != c.Machine.Init()[0] {
		return "", fmt.Errorf("the counterexample to %s starts with values that aren't the declared ones, which no script can say; the formats text, json and go do", c.Property)
	}
	var b strings.Builder
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

func encode(v any, indent string) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	err := e.Encode(v)
	return b.String(), err
}
