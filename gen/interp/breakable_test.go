package interp_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
)

const wardrobe = `machine: wardrobe
types:
  Coat:  {is: identity}
  Token: {is: serial, else: NO_TOKEN}
params:
  Most:   {type: 1..9}
  strict: {type: bool}
states: {shut: {initial: true}, open: {}}
parts:
  coats:
    key: Coat
    states: {away: {}, hung: {}}
    moves: {hang: {from: away, to: hung}}
    vars: {token: optional(Token)}
vars:
  last:   {type: optional(Token)}
  line:   {type: list(Token) max 2}
  inside: {type: set(Coat)}
  number: {type: 0..3}
  huge:   {type: set(Token)}
answers: {NO_TOKEN: There is no token., AGAIN: It hangs there.}
events:
  hang(coat Coat, token fresh Token) of coats:
    rows:
      done:  {from: {coat: away}, to: open, fire: {hang: coat}, set: {it.token: some(token), last: some(token), inside: inside.with(coat), number: "number < 3 ? number + 1 : number", huge: huge.with(token)}}
      again: {from: {coat: hung}, refuse: AGAIN}
  stand(token Token):
    rows:
      waits: {when: line.size() < 2, set: {line: line.append(token)}}
      full:  {unless: line.size() < 2, set: {line: line.tail()}}
%s: {%s}
models:
  small: {sizes: {Coat: 2, Token: 20, Most: 2, strict: true}}
`

// TestBreakables: what the types make true, with each kind of type; what they
// don't; and what can't be told since there are too many values.
func TestBreakables(t *testing.T) {
	const trivial, breakable, untold = interp.Trivial, interp.Breakable, interp.Untold
	for _, c := range []struct {
		holds string
		step  bool
		want  []interp.Breaks
	}{
		{"number <= 3", false, []interp.Breaks{trivial}},
		{"number <= 2", false, []interp.Breaks{breakable}},
		{"inside.size() <= 2", false, []interp.Breaks{trivial}}, // no coat is the origin
		{"Coat.all(c, c in inside || !(c in inside))", false, []interp.Breaks{trivial}},
		{"Coat.all(c, (coats(c).state == hung) == (c in inside))", false, []interp.Breaks{breakable}},
		{"coats.token.size() <= 2", false, []interp.Breaks{trivial}},
		{"coats.token.size() <= 1", false, []interp.Breaks{breakable}},
		{"last.hasValue() || !last.hasValue()", false, []interp.Breaks{trivial}},
		{"!last.is(origin())", false, []interp.Breaks{breakable}}, // nothing but the rows says that
		{"line.size() <= 2 && line.isEmpty()", false, []interp.Breaks{trivial, breakable}},
		{"state == shut || state == open", false, []interp.Breaks{trivial}},
		{"strict", false, []interp.Breaks{breakable}}, // another constant breaks it
		{"Most <= 9", false, []interp.Breaks{trivial}},
		{"number <= Most + 1", false, []interp.Breaks{breakable}}, // with Most 1
		{"huge.size() <= 21 && inside.size() <= 1", false, []interp.Breaks{untold, breakable}},
		{"new.number >= number || new.number < number", true, []interp.Breaks{trivial}},
		{"new.number >= number", true, []interp.Breaks{breakable}},
		{"new.it.token.is(token) && new.number <= 3", true, []interp.Breaks{breakable, trivial}},
		{"token != origin()", true, []interp.Breaks{trivial}},
	} {
		t.Run(c.holds, func(t *testing.T) {
			kind, holds := "invariants", fmt.Sprintf("Claim: %q", c.holds)
			if c.step {
				kind, holds = "after", "hang: {"+holds+"}"
			}
			table, err := spec.Read("wardrobe.yaml", fmt.Appendf(nil, wardrobe, kind, holds))
			require.NoError(t, err)
			parts, got, err := interp.Breakables(machine(t, table, table.Models[0]), table.Properties...)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
			for _, p := range parts {
				require.Equal(t, len(parts) == 1, p.Whole)
				require.True(t, p.Pos.IsValid())
			}
		})
	}
}
