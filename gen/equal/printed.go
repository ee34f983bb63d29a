package equal

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
	"github.com/interlock-go/interlock/tla"
)

// Lines gives each line that a model printed, without its end, to print, in
// any order. It may be called again, and then gives the same lines. A line is
// only lent. An error of print ends it and is returned.
type Lines func(ctx context.Context, print func(line []byte) error) error

// TLC returns the lines that a run of TLC prints. A verdict other than OK is
// an error: the lines wouldn't be the whole graph.
func TLC(c tla.Config) Lines {
	return func(ctx context.Context, print func([]byte) error) error {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		var failed error
		c := c
		c.Print = func(line []byte) {
			if failed == nil {
				if failed = print(line); failed != nil {
					cancel(failed)
				}
			}
		}
		res, err := tla.Run(ctx, c)
		switch {
		case failed != nil:
			return failed
		case err != nil:
			return err
		case res.Verdict.Kind != tla.OK:
			return fmt.Errorf("TLC: %s", res.Verdict)
		}
		return nil
	}
}

// Recorded returns the lines of what open opens, such as a file.
func Recorded(open func() (io.ReadCloser, error)) Lines {
	return func(ctx context.Context, print func([]byte) error) (err error) {
		r, err := open()
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, r.Close()) }()
		s := bufio.NewScanner(r)
		s.Buffer(make([]byte, 1<<16), 1<<24)
		for n := 0; s.Scan(); n++ {
			if n%1024 == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := print(bytes.TrimSuffix(s.Bytes(), []byte("\r"))); err != nil {
				return err
			}
		}
		return s.Err()
	}
}

// tuples parses the lines that are printed tuples, and leaves out all others,
// such as TLC's own.
func tuples(ctx context.Context, lines Lines, f func(v tla.Value) error) error {
	var p tla.Parser
	n := 0
	return lines(ctx, func(line []byte) error {
		if !bytes.HasPrefix(line, []byte(`"<<`)) {
			return nil
		}
		n++
		v, err := p.ParsePrinted(line)
		if err == nil {
			err = f(v)
		}
		if err != nil {
			return fmt.Errorf("printed line %d: %s: %w", n, line, err)
		}
		return nil
	})
}

type printed struct {
	name  string
	m     *interp.Machine
	lines Lines
	inits []interp.State // of the last time the lines were read
}

// Starts returns the states to start in that the last call of Edges came across.
func (p *printed) Starts() []interp.State { return p.inits }

// Printed returns the edges that the comparison module of m's model prints:
//
//	<<"claim.won", p1, <<1, 2>>, << >>, vars, vars'>>
//
// the row, the instance ("-" where there is no such thing), the arguments, the
// effects with their names, and the variables before and after. Where a machine may start in several states, a
// line <<vars>> each says in which.
func Printed(name string, m *interp.Machine, lines Lines) Source {
	return &printed{name: name, m: m, lines: lines}
}

func (p *printed) Name() string { return p.name }

func (p *printed) Edges(ctx context.Context, yield func(*Edge) error) error {
	d := newDecoder(p.m)
	var e Edge
	p.inits = nil
	return tuples(ctx, p.lines, func(v tla.Value) error {
		if v.Len() == 1 {
			s, err := d.state(v.Elem(0))
			if err != nil {
				return fmt.Errorf("to start in: %w", err)
			}
			p.inits = append(p.inits, s)
			return nil
		}
		if err := d.edge(&e, v); err != nil {
			return err
		}
		return yield(&e)
	})
}

// edge decodes a whole line.
func (d *decoder) edge(e *Edge, v tla.Value) error {
	if v.Len() != 6 {
		return fmt.Errorf("a tuple of %d, not of row, instance, arguments, effects and variables before and after", v.Len())
	}
	row, then, err := d.decision(v.Elem(0).Text())
	if err != nil {
		return err
	}
	i, err := d.who(v.Elem(1))
	if err != nil {
		return err
	}
	var types []*expr.Type
	for _, a := range row.Event.Args {
		types = append(types, a.Sym.Type)
	}
	args, err := decodeAll(types, v.Elem(2), 0)
	if err != nil {
		return fmt.Errorf("the arguments: %w", err)
	}
	effects, err := d.effectList(v.Elem(3))
	if err != nil {
		return err
	}
	*e = Edge{Label: interp.Label{Event: interp.Event{Instance: i, Event: row.Event, Args: args}, Row: row, Then: then, Effects: effects}}
	if e.From, err = d.state(v.Elem(4)); err != nil {
		return fmt.Errorf("before: %w", err)
	}
	d.last, d.lastState = v.Elem(4), e.From
	if v.Elem(4).Equal(v.Elem(5)) {
		e.To = e.From
		return nil
	}
	if e.To, err = d.state(v.Elem(5)); err != nil {
		return fmt.Errorf("after: %w", err)
	}
	return nil
}

// decision reads the name of a row, or of one and of the sub-table's row that
// it goes on with: "end.failed+handOver.next".
func (d *decoder) decision(name string) (row, then *spec.Row, err error) {
	first, second, both := strings.Cut(name, "+")
	row, then = d.rows[first], d.rows[second]
	switch {
	case row == nil || row.Event == nil || both && then == nil:
		return nil, nil, fmt.Errorf("there is no row %q", name)
	case both != (row.Then != nil) || both && then.Table != row.Then:
		return nil, nil, fmt.Errorf("%q isn't how %s goes on", name, row.Name())
	}
	return row, then, nil
}

func (d *decoder) who(v tla.Value) (int, error) {
	if d.m.Table().Per != "" {
		return d.instance(v)
	}
	if v.Type() != tla.StringType || v.Text() != "-" {
		return 0, fmt.Errorf("the instance is %s, but there is just one: \"-\"", v)
	}
	return 0, nil
}

// decodeAll decodes a tuple of values, but for its first few.
func decodeAll(types []*expr.Type, v tla.Value, skip int) ([]uint64, error) {
	if v.Type() != tla.TupleType || v.Len() != len(types)+skip {
		return nil, fmt.Errorf("%s isn't a tuple of %d", v, len(types)+skip)
	}
	out := make([]uint64, len(types))
	for i, t := range types {
		c, err := Decode(t, v.Elem(i+skip))
		if err != nil {
			return nil, err
		}
		out[i] = c
	}
	return out, nil
}

func (d *decoder) effectList(v tla.Value) ([]interp.Effect, error) {
	if v.Type() != tla.TupleType {
		return nil, fmt.Errorf("the effects are %s, not a tuple", v)
	}
	var out []interp.Effect
	for e := range v.Elems() {
		var effect *spec.Effect
		if e.Type() == tla.TupleType && e.Len() > 0 {
			effect = d.effects[e.Elem(0).Text()]
		}
		if effect == nil {
			return nil, fmt.Errorf("%s is no effect", e)
		}
		var types []*expr.Type
		for _, a := range effect.Args {
			types = append(types, a.Type)
		}
		args, err := decodeAll(types, e, 1)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", effect.Name, err)
		}
		out = append(out, interp.Effect{Effect: effect, Args: args})
	}
	return out, nil
}
