package interp

import (
	"fmt"
	"strings"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// InstanceName returns what an instance is called, in the models too: p1 for
// the first one.
func InstanceName(i int) string { return fmt.Sprintf("p%d", i+1) }

// Fields returns what an instance's part of a state holds, then what all
// share, both in the order of Values.
func (m *Machine) Fields() (own, shared []Field) { return m.layout.own, m.layout.shared }

// ListBase returns the base of the codes of lists of type t.
func (m *Machine) ListBase(t *expr.Type) expr.ListBase { return m.lists(t) }

// Instances returns how many there are.
func (m *Machine) Instances() int { return m.instances }

// Values returns the codes of a state of m: the own fields of each instance,
// then the shared ones.
func (m *Machine) Values(s State) []uint64 {
	out := make([]uint64, m.length())
	m.unpack(out, s)
	return out
}

// Pack is the reverse of Values. Its error says which value is outside its
// type.
func (m *Machine) Pack(values []uint64) (State, error) {
	if len(values) != m.length() {
		return "", fmt.Errorf("%w: %d values, not %d", ErrRange, len(values), m.length())
	}
	for i, v := range values {
		if f := m.field(i); !m.inside(f.Type, f.Codes, v) && f.Kind != Issued || v >= f.Codes {
			return "", fmt.Errorf("%w: %s has no value with code %d", ErrRange, f.Name, v)
		}
	}
	return State(m.pack(nil, values)), nil
}

// Format returns s in the table's words: a line for each instance, such as
// "p1: state = running, holder = 1", and one for what they share. Of parts only
// what isn't as at the start is in it.
func (m *Machine) Format(s State) string {
	return m.format(m.Values(s), nil)
}

// Change is a field that differs between two states.
type Change struct {
	Instance int // from 0; -1: all share the field
	Field    *Field
	Old, New string // as the table writes them
}

// Changes returns the fields of new that differ from old's, in the order of
// Values.
func (m *Machine) Changes(old, new State) []Change {
	was, is := m.Values(old), m.Values(new)
	var out []Change
	for i := range is {
		if was[i] == is[i] {
			continue
		}
		c := Change{Instance: -1, Field: m.layout.field(i)}
		if c.Field.Own {
			c.Instance = i / len(m.layout.own)
		}
		c.Old, c.New = m.formatField(c.Field, was[i]), m.formatField(c.Field, is[i])
		out = append(out, c)
	}
	return out
}

// Changed returns the fields of new that differ from old's, in the form of
// Format, and "" if none does.
func (m *Machine) Changed(old, new State) string {
	return m.format(m.Values(new), m.Values(old))
}

// format leaves out the fields that are the same in old, if it is given.
func (m *Machine) format(values, old []uint64) string {
	var lines []string
	at := 0
	part := func(name string, fields []Field) {
		var items []string
		for i := range fields {
			if f := &fields[i]; old == nil || old[at] != values[at] {
				if f.Kind == OfPart && old == nil && values[at] == m.native.first(f) {
					at++
					continue // as at the start
				}
				items = append(items, f.Name+" = "+m.formatField(f, values[at]))
			}
			at++
		}
		if len(items) > 0 {
			lines = append(lines, name+strings.Join(items, ", "))
		}
	}
	for i := range m.instances {
		name := ""
		if m.table.Per != "" {
			name = InstanceName(i) + ": "
		}
		part(name, m.layout.own)
	}
	name := ""
	if m.table.Per != "" {
		name = "shared: "
	}
	part(name, m.layout.shared)
	return strings.Join(lines, "\n")
}

func (m *Machine) formatField(f *Field, code uint64) string {
	if f.Kind == Issued {
		return fmt.Sprint(code)
	}
	return m.domains.format(f.Type, code)
}

// FormatCode returns the value with that code as the table writes it, such as
// "failed", "none", "{1, 2}" or "[2, 1]".
func (m *Machine) FormatCode(t *expr.Type, code uint64) string { return m.domains.format(t, code) }

// FormatEvent returns an event in the table's words:
// "claim(lease 1, fence 2) of p1".
func (m *Machine) FormatEvent(ev Event) string {
	var args []string
	for i, a := range ev.Event.Args {
		if i < len(ev.Args) {
			args = append(args, a.Sym.Name+" "+FormatValue(a.Sym.Type, ev.Args[i]))
		}
	}
	s := ev.Event.Name + "(" + strings.Join(args, ", ") + ")"
	if m.table.Per != "" {
		s += " of " + InstanceName(ev.Instance)
	}
	return s
}

// FormatEffect returns an effect in the table's words:
// "receipt(outcome failed, fencing 1)".
func FormatEffect(f Effect) string {
	var args []string
	for i, a := range f.Effect.Args {
		if i < len(f.Args) {
			args = append(args, a.Name+" "+FormatValue(a.Type, f.Args[i]))
		}
	}
	return f.Effect.Name + "(" + strings.Join(args, ", ") + ")"
}

// answer returns what a step says, in the table's words: "claim.won",
// "end.failed+handOver.next", "claim.busy, refuse PROJECT_BUSY",
// "release.unheld, never: a free lane has no holder".
func answer(l *Label) string {
	r := l.Row
	if l.Then != nil && l.Then.Outcome == spec.Never {
		r = l.Then
	}
	switch r.Outcome {
	case spec.Move:
		return l.Decision()
	case spec.Never:
		return l.Decision() + ", never: " + r.Claim
	}
	return fmt.Sprintf("%s, %s %s", r.Name(), r.Outcome, r.Code)
}
