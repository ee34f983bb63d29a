package mermaid

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBytes(t *testing.T) {
	d := diagram("free -> running: claim", "running -> free: release", "running -> free: expire", "running -> free: release")
	d.Classes = []Class{
		{Name: "holds", Style: "stroke-width:3px", States: []int{1}},
		{Name: "only", Style: "stroke-dasharray:5 4"},
	}
	const want = `stateDiagram-v2
  direction LR
  state "free" as s1
  state "running" as s2
  [*] --> s1
  s1 --> s2: claim
  s2 --> s1: release or expire
  classDef holds stroke-width:3px
  class s2 holds
`
	if diff := cmp.Diff(want, string(d.Bytes())); diff != "" {
		t.Errorf("meant and printed (-, +):\n%s", diff)
	}
}

func TestWideDiagramsRunTopDown(t *testing.T) {
	d := diagram("a -> b: x")
	d.States[1].Name = strings.Repeat("wide", 40)
	if got := string(d.Bytes()); strings.Contains(got, "direction") {
		t.Errorf("%d px are printed from left to right:\n%s", d.Width(), got)
	}
}

func TestLabelsAreMergedAndWrapped(t *testing.T) {
	for want, labels := range map[string][]string{
		"a":                                 {"a"},
		"a or b":                            {"a", "b"},
		"a, b or c":                         {"a", "b", "c"},
		"cancel, leave, close,|shut or end": {"cancel", "leave", "close", "shut", "end"},
		"promptFailed|or graceExpired":      {"promptFailed", "graceExpired"},
		"aNameOfMoreThanTwentyTwo|or b":     {"aNameOfMoreThanTwentyTwo", "b"},
	} {
		e := Edge{Labels: labels}
		if got := strings.Join(e.lines(), "|"); got != want {
			t.Errorf("%q: got %s, want %s", labels, got, want)
		}
	}
}

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"stop_requested":  "stop_requested",
		"_a_ b_":          "#95;a#95; b#95;",
		`"x": <b>; #1`:    "#34;x#34;#58; #60;b#62;#59; #35;1",
		"__a__b":          "#95;#95;a#95;#95;b", // Mermaid 11.17 shows __a__ as _a_ in italics
		"- a":             "#45; a",
		"12. a":           "12#46; a",
		"v1.2":            "v1.2",
		" a\n\tb ":        "a b",
		"":                "#8203;",
		"direction LR":    "direction#32;LR",
		"é.b, (c)/'+=-!?": "é.b, (c)/'+=-!?",
	} {
		if got := Escape(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}
