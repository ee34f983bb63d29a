package tla_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/interlock-go/interlock/tla"
)

// The two false greens of properties about steps: each wrong model passes the
// form that comes to mind, and is caught by the form that is generated.

// stopFrees is a lane whose stop is wrong: it has a release's effect.
const stopFrees = `
VARIABLES state, holder
CONSTANTS Lease, None
vars == <<state, holder>>
Init == state = "free" /\ holder = None
Claim(l) == state = "free" /\ state' = "running" /\ holder' = l
Stop(l) == state = "running" /\ holder = l /\ state' = "free" /\ holder' = None
Release(l) == state = "running" /\ holder = l /\ state' = "free" /\ holder' = None
Next == \E l \in Lease : Claim(l) \/ Stop(l) \/ Release(l)
Spec == Init /\ [][Next]_vars

Keeps == state = "free" \/ state' # "free"
ByExcuse == [][~(\E l \in Lease : Release(l)) => Keeps]_vars
ByEvent == [][\A l \in Lease : (Claim(l) \/ Stop(l)) => Keeps]_vars
ByEnabled == \A l \in Lease : ~ENABLED ((Claim(l) \/ Stop(l)) /\ ~Keeps)
`

// claimIdles is a lane whose claim is wrong: it is accepted and does nothing.
const claimIdles = `
VARIABLES state, holder
CONSTANTS Lease, None
vars == <<state, holder>>
Init == state = "free" /\ holder = None
Claim(l) == state = "free" /\ UNCHANGED vars
Next == \E l \in Lease : Claim(l)
Spec == Init /\ [][Next]_vars

Won(l) == state' = "running" /\ holder' = l
ByEvent == [][\A l \in Lease : Claim(l) => Won(l)]_vars
ByEnabled == \A l \in Lease : ~ENABLED (Claim(l) /\ ~Won(l))
`

func TestFalseGreens(t *testing.T) {
	needTLC(t)
	for _, tt := range []struct {
		name, module, check string
		verdict             string
		kind                tla.Kind
		exit                int
	}{
		// The step of Stop is also a step of Release: an action is a formula.
		{"stop that frees, every step but a release", stopFrees, "PROPERTY ByExcuse",
			"ok", tla.OK, 0},
		{"stop that frees, each other event", stopFrees, "PROPERTY ByEvent",
			"action property ByEvent is violated", tla.ActionProperty, 13},
		{"stop that frees, no such step enabled", stopFrees, "INVARIANT ByEnabled",
			"invariant ByEnabled is violated", tla.Invariant, 12},

		// []_vars looks away when nothing changes.
		{"claim that does nothing, each claim", claimIdles, "PROPERTY ByEvent",
			"ok", tla.OK, 0},
		{"claim that does nothing, no such step enabled", claimIdles, "INVARIANT ByEnabled",
			"invariant ByEnabled is violated by an initial state", tla.Invariant, 12},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res := run(t, model(tt.module, "SPECIFICATION Spec\nCONSTANTS Lease = {1, 2} None = None\n"+tt.check))
			assert.Equal(t, tt.verdict, res.Verdict.String())
			assert.Equal(t, tt.kind, res.Verdict.Kind)
			assert.Equal(t, tt.exit, res.ExitCode)
		})
	}
}
