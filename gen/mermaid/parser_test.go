package mermaid

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/gen/pinned"
)

// parsed is what Mermaid's own parser understood of a diagram.
type parsed struct {
	Error     string
	Direction string
	States    []struct {
		ID, Label string
		Classes   []string
	}
	Edges []struct{ From, To, Label string }
}

// parse gives the diagrams to the real Mermaid. Without node, npm or the
// packages the test is skipped; in CI it fails.
func parse(t *testing.T, diagrams []string) []parsed {
	t.Helper()
	missing := t.Skipf
	if os.Getenv("CI") == "true" {
		missing = t.Fatalf
	}
	dir, err := pinned.Node(filepath.Join("testdata", "npm"), ".npmrc", "package.json", "package-lock.json", "parse.mjs")
	if err != nil {
		missing("diagrams aren't parsed by Mermaid: %v", err)
	}
	in, err := json.Marshal(diagrams)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "parse.mjs")
	var out, stderr bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, bytes.NewReader(in), &out, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("node parse.mjs: %v\n%s", err, stderr.Bytes())
	}
	var results []parsed
	if err := json.Unmarshal(out.Bytes(), &results); err != nil || len(results) != len(diagrams) {
		t.Fatalf("parse.mjs printed %d results for %d diagrams: %v", len(results), len(diagrams), err)
	}
	return results
}

// hostile are names that mean something to Mermaid, or to the Markdown and
// HTML in its labels.
var hostile = []string{
	"end", "state", "note", "class", "classDef", "direction LR", "my direction TB", "as", "fork", "[*]", "<<choice>>", "default", "s1", "stateDiagram-v2", "constructor", "__proto__",
	`a "b"`, "a:b", "a::b", "a:::holds", "a;b", "a#b", "#35;", "a#quot;b", "&lt;", "<b>bold</b>", "<br/>", "*a*", "**a**", "_a_", "a_b", "a__b", "$$x$$", `a\nb`, "`a`",
	"a --> b", "a%%b", "%%{init: {}}%%", "---", "- a", "1. a", "2) a", "+ a", "{", "}", "[a](b)", "a|b", "a\\b", "http://a", "~a~", "a@b", "ä, é, 漢, ß", "😀", "a.b, (c) / 'd' + e = f - g ! ?",
	"ﬂ°°35¶ß", "\u202ea",
}

func TestHostileNamesComeOutAsWritten(t *testing.T) {
	var sources []string
	for _, name := range hostile {
		d := diagram("a -> b: x")
		d.States[0].Name = name
		d.Edges[0].Labels[0] = name
		d.Classes = []Class{{Name: "holds", Style: "stroke-width:3px", States: []int{0}}}
		sources = append(sources, string(d.Bytes()))
	}
	for i, got := range parse(t, sources) {
		want := parsed{Direction: "LR", Edges: []struct{ From, To, Label string }{{"root_start", "s1", ""}, {"s1", "s2", hostile[i]}}}
		want.States = append(want.States, state("s1", hostile[i], "holds"), state("s2", "b"), state("root_start", ""))
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s\nmeant and understood (-, +):\n%s", sources[i], d)
		}
	}
}

func state(id, label string, classes ...string) (s struct {
	ID, Label string
	Classes   []string
}) {
	s.ID, s.Label, s.Classes = id, label, append([]string{}, classes...)
	return s
}

func TestMermaidReadsEveryPage(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var sources, names []string
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for i, part := range strings.Split(string(data), "```mermaid\n")[1:] {
			source, _, _ := strings.Cut(part, "```")
			sources = append(sources, source)
			names = append(names, fmt.Sprintf("%s, diagram %d", filepath.Base(page), i+1))
		}
	}
	if len(sources) == 0 {
		t.Fatal("no page in docs has a diagram")
	}
	for i, got := range parse(t, sources) {
		switch states := strings.Count(sources[i], "\n  state "); {
		case got.Error != "":
			t.Errorf("%s: %s", names[i], got.Error)
		case states > 0 && len(got.States) != states+1:
			t.Errorf("%s: %d states are written, and Mermaid sees %d and a start", names[i], states, len(got.States)-1)
		case states > 0 && len(got.Edges) != strings.Count(sources[i], " --> "):
			t.Errorf("%s: Mermaid sees %d edges", names[i], len(got.Edges))
		}
	}
}
