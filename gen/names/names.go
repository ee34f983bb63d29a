// Package names maps the table's names to those of generated Go and TLA+: one
// mapping for all back ends, so that a row has one name everywhere.
package names

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// Exported returns name as an exported Go name and as a TLA+ operator:
// "stop_requested" and "stopRequested" are StopRequested.
func Exported(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		r, n := utf8.DecodeRuneInString(part)
		b.WriteRune(unicode.ToUpper(r))
		b.WriteString(part[n:])
	}
	return b.String()
}

// Local returns name as an unexported Go name: "stop_requested" is
// stopRequested.
func Local(name string) string {
	s := Exported(name)
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r)) + s[n:]
}

// Row returns a row's name: claim.busy is ClaimBusy, handOver.next of a
// sub-table HandOverNext.
func Row(r *spec.Row) string {
	if r.Table != nil {
		return Exported(r.Table.Name) + Exported(r.ID)
	}
	return Exported(r.Event.Name) + Exported(r.ID)
}

// TypeRow returns the name of the answer to a value outside its type:
// ClaimLease for the argument lease of claim.
func TypeRow(e *spec.Event, arg *spec.Arg) string {
	return Exported(e.Name) + Exported(arg.Sym.Name)
}

// Value returns a value of a declared enumeration in Go: OutcomeFailed.
func Value(t *expr.Type, i int) string { return t.Name + Exported(t.Values[i]) }

// PartValue returns a state of a part in Go: TicketQueued.
func PartValue(p *spec.Part, i int) string { return p.Key.Name + Exported(p.States[i].Name) }

// Record returns the type of what a machine holds of one part: TicketPart.
func Record(p *spec.Part) string { return p.Key.Name + "Part" }

// Index returns the map by which parts are looked up by a unique field:
// TicketById.
func Index(p *spec.Part, field *expr.Symbol) string { return p.Key.Name + "By" + Exported(field.Name) }
