package mermaid

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFlowchart(t *testing.T) {
	var f Flowchart
	free, running := f.Node("free"), f.Node("running")
	f.Links = []Link{{free, running, "claim", Kept}, {running, f.Node("free"), "requestStop", Gained}, {running, f.Node("stop_requested"), "requestStop", Lost}}
	const want = `flowchart LR
  s1(["free"])
  s2(["running"])
  s3(["stop_requested"])
  s1 -->|"claim"| s2
  s2 ==>|"requestStop"| s1
  s2 -.->|"requestStop"| s3
  linkStyle 1 stroke:#2da44e,stroke-width:4px
  linkStyle 2 stroke:#cf222e,stroke-width:2px
`
	if d := cmp.Diff(want, string(f.Bytes())); d != "" {
		t.Errorf("meant and printed (-, +):\n%s", d)
	}
}

func TestChains(t *testing.T) {
	c := Chains{{"before", []string{"a", "b"}, []string{"b"}}, {"after", []string{"b", "a"}, []string{"b"}}}
	const want = `flowchart TB
  subgraph g1 ["before"]
    direction LR
    c1n1["a"] --> c1n2["b"]:::moved
  end
  subgraph g2 ["after"]
    direction LR
    c2n1["b"]:::moved --> c2n2["a"]
  end
  g1 ~~~ g2
  classDef moved stroke-width:4px
`
	if d := cmp.Diff(want, string(c.Bytes())); d != "" {
		t.Errorf("meant and printed (-, +):\n%s", d)
	}
}

// TestMermaidReadsFlowcharts gives hostile names to the real parser.
func TestMermaidReadsFlowcharts(t *testing.T) {
	var sources []string
	for _, name := range hostile {
		var f Flowchart
		a, b := f.Node(name), f.Node("b")
		f.Links = []Link{{a, b, name, Gained}, {b, a, name, Lost}, {a, a, name, Kept}}
		c := Chains{{name, []string{name, "x"}, []string{name}}, {"after", []string{"x", name}, nil}}
		sources = append(sources, string(f.Bytes()), string(c.Bytes()))
	}
	for i, got := range parse(t, sources) {
		if got.Error != "" {
			t.Errorf("%s\n%s", strings.TrimSpace(sources[i]), got.Error)
		}
	}
}
