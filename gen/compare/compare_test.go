package main

import (
	"os"
	"os/exec"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/compare/record"
)

// TestPage makes docs/comparison.md anew: every library is really run. Without
// node, npm or python3 it is skipped; in CI it fails.
func TestPage(t *testing.T) {
	missing := t.Skipf
	if os.Getenv("CI") == "true" {
		missing = t.Fatalf
	}
	for _, tool := range [][]string{{"node", "--version"}, {"npm", "--version"}, {"python3", "-c", "import ensurepip, venv"}} {
		if err := exec.Command(tool[0], tool[1:]...).Run(); err != nil {
			missing("the comparison is left out: %s: %v", tool[0], err)
		}
	}
	stale, err := compare("../..", true)
	require.NoError(t, err)
	assert.Empty(t, stale, "run make compare")
}

// made is a case of three steps: the second is wrong, the third right.
var made = described{Case: 1, Steps: []step{{"define", refuse, ""}, {"bad", refuse, ""}, {"good", accept, "open"}}}

// sound is one without a fault.
var sound = described{Case: 2, Steps: []step{{"define", accept, ""}, {"good", accept, "open"}}}

func TestVerdict(t *testing.T) {
	yes := func(name, state string) record.Step { return record.Step{Step: name, State: state} }
	no := func(name, state string) record.Step {
		return record.Step{Step: name, Refused: true, Said: "no", State: state}
	}
	for _, tt := range []struct {
		d     described
		steps []record.Step
		want  string
	}{
		{made, []record.Step{no("define", "")}, "refuses at definition"},
		{made, []record.Step{yes("define", "shut"), no("bad", "shut"), yes("good", "open")}, "refuses at run"},
		{made, []record.Step{yes("define", "shut"), yes("bad", "open"), yes("good", "open")}, "accepts in silence"},
		{made, []record.Step{yes("define", "shut"), no("bad", "open"), yes("good", "open")}, "refuses at run; the refused bad has changed it"},
		{made, []record.Step{yes("define", "shut"), no("bad", "shut"), no("good", "shut")}, "refuses at run; refuses good, which is right"},
		{made, []record.Step{yes("define", "shut"), no("bad", "shut"), yes("good", "shut")}, "refuses at run; drops good, which is right"},
		{made, []record.Step{yes("define", "shut"), yes("bad", "shut"), no("good", "shut")}, "accepts in silence; refuses good, which is right"},
		{sound, []record.Step{yes("define", "shut"), yes("good", "open")}, "accepts"},
		{sound, []record.Step{yes("define", "shut"), no("good", "shut")}, "refuses good, which is right"},
		{sound, []record.Step{yes("define", "shut"), yes("good", "shut")}, "drops good, which is right"},
		{described{Steps: []step{{"define", accept, ""}, {"ask", refuse, ""}, {"do", refuse, ""}}},
			[]record.Step{yes("define", ""), yes("ask", ""), no("do", "")}, "refuses 1 of 2 at run"},
	} {
		assert.Equal(t, tt.want, verdict(tt.d, record.Case{Steps: tt.steps}), "%+v", tt.steps)
	}
	assert.Equal(t, "can't say", verdict(made, record.Case{Cannot: "why"}))
	assert.Equal(t, "refuses at definition", ideal(made))
	assert.Equal(t, "accepts", ideal(sound))
}

// TestAnswersAreHeldAgainstTheCase: a program that leaves a step out, or tells
// of another, makes no page.
func TestAnswersAreHeldAgainstTheCase(t *testing.T) {
	for want, c := range map[string]record.Case{
		"nothing is told":             {Case: 7},
		`step 2 is "good"`:            {Case: 1, Steps: []record.Step{{Step: "define"}, {Step: "good"}}},
		"2 of 3 steps are told":       {Case: 1, Steps: []record.Step{{Step: "define"}, {Step: "bad"}}},
		"0 of 3 steps are told":       {Case: 1},
		"was refused without a word":  {Case: 1, Steps: []record.Step{{Step: "define", Refused: true}}},
		"can't be said, and has step": {Case: 1, Cannot: "why", Steps: []record.Step{{Step: "define"}}},
	} {
		_, err := answerTo(made, record.Answers{Cases: []record.Case{c}})
		assert.ErrorContains(t, err, want)
	}
	_, err := answerTo(made, record.Answers{Cases: []record.Case{{Case: 1, Steps: []record.Step{{Step: "define", Refused: true, Said: "no"}}}}})
	assert.NoError(t, err)
}

// TestAnotherCaller: the call of somebody else is waited for, not lost.
func TestAnotherCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		free := make(chan struct{})
		c := record.Another(func() error { <-free; panic("no") })
		close(free)
		assert.EqualError(t, c.Answer(), "panic: no")
	})
	var never *record.Caller
	assert.Error(t, never.Answer())
}
