package golang

import (
	"github.com/interlock-go/interlock/gen/names"
	"github.com/interlock-go/interlock/spec/expr"
)

// text prints the file that gives stored states and values their names: a
// number would mean another state as soon as the table has a new one.
func (p *printer) text() {
	p.header()
	p.source(func() {
		p.printf("// generatedFrom is the table that this package was generated from.\n")
		p.printf("var generatedFrom = %s{Machine: %q, Table: %q}\n\n", p.of("fsm", "Source"), p.Name, "sha256:"+p.Hash)
		p.printf("// Source says which table the package was generated from.\n")
		p.printf("func (Decision) Source() fsm.Source { return generatedFrom }\n")
		p.marshal(p.State.Type, "state")
		for _, x := range p.Parts {
			p.marshal(x.State.Type, "state of "+x.Name)
		}
		for _, t := range p.types {
			if t.Kind == expr.Enum {
				p.marshal(t, t.Name)
			}
		}
	})
}

func (p *printer) marshal(t *expr.Type, what string) {
	recv := names.Local(t.Name)[:1]
	p.printf(`
// MarshalText returns %[1]s as the table writes it.
func (%[1]s %[2]s) MarshalText() ([]byte, error) {
	return fsm.MarshalName(generatedFrom, %[3]q, %[4]s[:], int(%[1]s))
}

// UnmarshalText is the reverse. Its error is a *fsm.UnknownError.
func (%[1]s *%[2]s) UnmarshalText(text []byte) error {
	i, err := fsm.UnmarshalName(generatedFrom, %[3]q, %[4]s[:], text)
	if err == nil {
		*%[1]s = %[2]s(i)
	}
	return err
}
`, recv, t.Name, what, tableOf(t))
}
