package tlaplus

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/interlock-go/interlock/spec/expr"
)

// badValue can't be part of TLA+.
const badValue = "\x00"

// record prints a line.
func (r *ranks) record(l Line) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "[row |-> %q", l.decision())
	if r.m.p != "" {
		fmt.Fprintf(&b, ", instance |-> %s", strconv.Quote(l.Instance))
	}
	var args []string
	for i, a := range l.Row.Event.Args {
		args = append(args, r.text(a.Sym.Type, l.Args[i], l.Instance))
	}
	fmt.Fprintf(&b, ", args |-> <<%s>>", strings.Join(args, ", "))
	var effects []string
	for _, e := range l.Effects {
		parts := []string{strconv.Quote(e.Effect.Name)}
		for i, a := range e.Effect.Args {
			parts = append(parts, r.text(a.Type, e.Args[i], l.Instance))
		}
		effects = append(effects, "<<"+strings.Join(parts, ", ")+">>")
	}
	fmt.Fprintf(&b, ", effects |-> <<%s>>", strings.Join(effects, ", "))
	if l.After != nil {
		fmt.Fprintf(&b, ", after |-> [%s]", strings.Join(r.after(l), ", "))
	}
	b.WriteString("]")
	if s := b.String(); !strings.Contains(s, badValue) {
		return s, nil
	}
	return "", fmt.Errorf("tlaplus: a value of %s is outside its type", l.decision())
}

// after prints the variables after a line.
func (r *ranks) after(l Line) []string {
	var fields []string
	lists := l.Lists
	for i, v := range r.m.told() {
		if v.sym.Type.Kind != expr.List {
			fields = append(fields, v.name+" |-> "+r.text(v.sym.Type, l.After[i], l.Instance))
			continue
		}
		var elems []string
		for _, code := range lists[0] {
			elems = append(elems, r.text(v.sym.Type.Elem, code, l.Instance))
		}
		lists = lists[1:]
		fields = append(fields, v.name+" |-> <<"+strings.Join(elems, ", ")+">>")
	}
	for _, p := range r.m.t.Parts {
		var all []string
		for _, rec := range l.Parts {
			if rec.Part == p {
				all = append(all, r.text(p.Key, rec.Key, l.Instance)+" :> "+r.part(rec, l.Instance))
			}
		}
		fields = append(fields, p.Name+" |-> ("+strings.Join(append(all, atStart(p)), " @@ ")+")")
	}
	return fields
}

// part prints a part's record.
func (r *ranks) part(rec Record, instance string) string {
	var fields []string
	for i, f := range rec.Part.Fields() {
		fields = append(fields, f.Name+" |-> "+r.text(f.Type, rec.Fields[i], instance))
	}
	return "[" + strings.Join(fields, ", ") + "]"
}

// text prints a value.
func (r *ranks) text(ty *expr.Type, code uint64, instance string) string {
	switch ty.Kind {
	case expr.Bool:
		return param(ty, int(code&1))
	case expr.Int:
		return strconv.Itoa(int(code) + ty.Lo)
	case expr.Enum:
		if code >= uint64(len(ty.Values)) {
			return badValue
		}
		return strconv.Quote(ty.Values[code])
	case expr.Optional:
		if code == 0 {
			return "None"
		}
		return r.text(ty.Elem, code-1, instance)
	case expr.Set:
		var elems []string
		for i := range uint64(64) {
			if code>>i&1 == 1 {
				elems = append(elems, r.text(ty.Elem, i, instance))
			}
		}
		return "{" + strings.Join(elems, ", ") + "}"
	}
	return strconv.FormatUint(r.rank[r.pool(ty, instance)][code], 10) // 0 is the origin
}
