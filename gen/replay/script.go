// Package replay runs scripts of commands on a machine, that of a table or the
// code generated from it, and says of each what decided it.
//
// A script is JSON lines, a command each; empty lines and those that begin with
// # are passed over:
//
//	{"event": "claim", "args": {"lease": 1, "fence": 1}, "instance": "p1"}
//
// Identities and serials are numbers from 1, a serial's origin is 0;
// enumerations' values are strings; an optional is null or its value; sets and
// lists are arrays. An instance is any name, and begins where it is first named;
// only tables with per have several. It starts with the declared values, unless a
// line above all commands says otherwise, of variables that may start with any:
//
//	{"start": {"ready": true}, "instance": "p1"}
package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/mbt/literal"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
	"github.com/interlock-go/interlock/spec/expr"
)

// Command is one line of a script.
type Command struct {
	Line     int
	Instance string // empty where the table has just one
	Event    *spec.Event
	Args     []uint64 // codes for the script's machine
}

// Script is what a file tells a machine to do.
type Script struct {
	File     string
	Machine  *interp.Machine
	Starts   []Start
	Commands []Command
}

// Read reads a script for a machine with the constants of a model; nil stands
// for the table's first model. The error is a diag.List with each bad line, or
// says that the machine can't hold the values that the script names.
func Read(t *spec.Table, model *spec.Model, file string, src []byte) (*Script, error) {
	r := &reader{table: t, file: file, most: map[*expr.Type]int{}}
	number := 0
	for line := range bytes.Lines(src) {
		number++
		r.line = number
		r.text = strings.TrimRight(string(line), "\r\n")
		if len(r.diags) >= maxComplaints {
			r.complain(diag.Syntax, "", "the lines from here on weren't read, after %d complaints", len(r.diags)).
				WithHint("mend those before, or name a script: a line is like %s", example)
			break
		}
		if text := strings.TrimSpace(r.text); text != "" && !strings.HasPrefix(text, "#") {
			r.command()
		}
	}
	if err := r.diags.Err(); err != nil {
		return nil, err
	}
	m, err := machine(t, model, r.most)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; number identities and serials from 1: only equality and order matter", file, err)
	}
	s := &Script{File: file, Machine: m}
	for _, c := range r.starts {
		out := Start{Line: c.line, Instance: c.instance, Values: map[*spec.Var]uint64{}}
		for v, value := range c.values {
			out.Values[v] = code(m, v.Sym.Type, value)
		}
		s.Starts = append(s.Starts, out)
	}
	for _, c := range r.commands {
		out := Command{Line: c.line, Instance: c.instance, Event: c.event}
		for i, a := range c.event.Args {
			out.Args = append(out.Args, code(m, a.Sym.Type, c.values[i]))
		}
		s.Commands = append(s.Commands, out)
	}
	return s, nil
}

// maxComplaints is after how many bad lines nothing more is read: it isn't a
// script.
const maxComplaints = 20

// machine returns one with room for the values that a script names.
func machine(t *spec.Table, model *spec.Model, most map[*expr.Type]int) (*interp.Machine, error) {
	if model == nil {
		model = &spec.Model{Name: "replay"}
		if len(t.Models) > 0 {
			model = t.Models[0]
		}
	}
	larger := *model
	larger.Instances, larger.Sizes, larger.Assume = 1, maps.Clone(model.Sizes), nil
	if larger.Sizes == nil {
		larger.Sizes = map[*expr.Type]int{}
	}
	for _, typ := range t.Types {
		if typ.Kind == expr.Identity || typ.Kind == expr.Serial {
			larger.Sizes[typ] = max(larger.Sizes[typ], 1)
			if literal.Limited(t) {
				larger.Sizes[typ] = max(larger.Sizes[typ], most[typ])
			}
		}
	}
	for _, p := range t.Params[len(larger.Params):] {
		larger.Params = append(larger.Params, p.Type.Lo)
	}
	return interp.New(t, &larger)
}

// parsed is a line whose values have no codes yet.
type parsed struct {
	line     int
	instance string
	event    *spec.Event
	values   []any
}

// reader reads a script line by line.
type reader struct {
	table    *spec.Table
	file     string
	line     int
	text     string
	diags    diag.List
	starts   []parsedStart
	commands []parsed
	most     map[*expr.Type]int // the highest number of each identity and serial
}

// complain adds a complaint about the text that begins with word, if it is in
// the line.
func (r *reader) complain(code diag.Code, word, format string, args ...any) *diag.Diagnostic {
	pos := diag.Pos{File: r.file, Line: r.line, Col: 1}
	d := r.diags.Add(code, pos, format, args...)
	if i := strings.Index(r.text, word); word != "" && i >= 0 {
		d.Pos.Col, d.Width = len([]rune(r.text[:i]))+1, len([]rune(word))
	}
	return d
}

// entry is a line as JSON has it.
type entry struct {
	Event    string                     `json:"event"`
	Args     map[string]json.RawMessage `json:"args"`
	Instance string                     `json:"instance"`
	Start    map[string]json.RawMessage `json:"start"`
}

const example = `{"event": "claim", "args": {"lease": 1}, "instance": "p1"}`

func (r *reader) command() {
	var e entry
	dec := json.NewDecoder(strings.NewReader(r.text))
	dec.DisallowUnknownFields()
	err := dec.Decode(&e)
	if err == nil && dec.More() {
		err = errors.New("there is more behind the command")
	}
	if err != nil {
		r.badJSON(err)
		return
	}
	if e.Start != nil {
		r.start(e)
		return
	}
	if e.Event == "" {
		r.complain(diag.MissingKey, "", "a command needs an event").WithHint("a line is like %s", example)
		return
	}
	event := r.event(e.Event)
	if event == nil {
		return
	}
	c := parsed{line: r.line, event: event, instance: r.instance(e.Instance)}
	var known []string
	for _, a := range event.Args {
		known = append(known, a.Sym.Name)
		raw, ok := e.Args[a.Sym.Name]
		if !ok {
			r.complain(diag.MissingKey, quoted(e.Event), "%s needs the argument %s, %s", e.Event, a.Sym.Name, wanted(a.Sym.Type)).
				WithHint("it is %s", event.Signature())
			continue
		}
		c.values = append(c.values, r.value(a.Sym.Name, a.Sym.Type, raw))
	}
	for _, name := range slices.Sorted(maps.Keys(e.Args)) {
		if !slices.Contains(known, name) {
			d := r.complain(diag.UnknownName, quoted(name), "%s has no argument %s", e.Event, name).WithHint("it is %s", event.Signature())
			if near := diag.Nearest(name, known); near != "" {
				d.Hint = "did you mean " + near + "?"
			}
		}
	}
	r.commands = append(r.commands, c)
}

// instance returns what a line calls an instance, or the first one's name.
func (r *reader) instance(name string) string {
	switch per := r.table.Per; {
	case per == "" && name != "":
		r.complain(diag.UnknownKey, `"instance"`, "%s has no per: there is just one machine", r.table.Name).WithHint("leave out instance")
	case per != "" && name == "":
		return interp.InstanceName(0)
	}
	return name
}

func quoted(name string) string { return `"` + name + `"` }

func (r *reader) badJSON(err error) {
	d := r.complain(diag.Syntax, "", "this line is no command: %s", strings.TrimPrefix(err.Error(), "json: ")).WithHint("a line is like %s", example)
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		d.Pos.Col = r.column(syntax.Offset)
	case errors.Is(err, io.ErrUnexpectedEOF):
		d.Message = "this line is no command: it ends too early"
		d.Pos.Col = len([]rune(r.text)) + 1
	case errors.As(err, &typ):
		where := "here"
		if typ.Field != "" {
			where = "for " + typ.Field
		}
		d.Code, d.Message = diag.WrongShape, fmt.Sprintf("%s is wanted %s; this is a JSON %s", words[typ.Type.Kind().String()], where, typ.Value)
		d.Pos.Col = r.column(typ.Offset)
	case strings.Contains(err.Error(), "unknown field "):
		_, name, _ := strings.Cut(err.Error(), "unknown field ")
		d.Code, d.Message = diag.UnknownKey, "unknown key "+strings.Trim(name, `"`)
		if i := strings.Index(r.text, name); i >= 0 {
			d.Pos.Col, d.Width = len([]rune(r.text[:i]))+1, len([]rune(name))
		}
		if near := diag.Nearest(strings.Trim(name, `"`), []string{"event", "args", "instance", "start"}); near != "" {
			d.Hint = "did you mean " + near + "?"
		}
	}
}

var words = map[string]string{"string": "a text", "map": "an object", "struct": "an object"}

// column turns an offset behind a place into its column.
func (r *reader) column(offset int64) int {
	return max(1, len([]rune(r.text[:min(int(max(offset, 0)), len(r.text))])))
}

func (r *reader) event(name string) *spec.Event {
	var known []string
	for _, e := range r.table.Events {
		if e.Name == name {
			return e
		}
		known = append(known, e.Name)
	}
	if slices.ContainsFunc(r.table.World, func(e *spec.Event) bool { return e.Name == name }) {
		r.complain(diag.NotAllowedHere, quoted(name), "%s happens in the world of the model: the machine doesn't know it", name).WithHint("leave the line out")
		return nil
	}
	d := r.complain(diag.UnknownName, quoted(name), "%s has no event %s", r.table.Name, name).WithHint("it has %s", strings.Join(known, ", "))
	if near := diag.Nearest(name, known); near != "" {
		d.Hint = "did you mean " + near + "?"
	}
	return nil
}
