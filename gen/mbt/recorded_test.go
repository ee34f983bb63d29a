package mbt_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/interlock-go/interlock/gen/mbt/edges"
)

// recordings spoils the lane's file of edges: TestRecorded of the lane as it
// is must fail of each.
func recordings(t *testing.T, p program) {
	text, err := os.ReadFile(filepath.Join(p.root, "fsm", "lane", "lane_edges_gen.txt"))
	if err != nil {
		t.Fatal(err)
	}
	line := func(old, new string) func(*testing.T) []byte {
		return func(t *testing.T) []byte {
			if !bytes.Contains(text, []byte(old)) {
				t.Fatalf("the file has no %q", old)
			}
			return bytes.Replace(text, []byte(old), []byte(new), 1)
		}
	}
	// written spoils what the file says and writes it anew, with sums to match.
	written := func(spoil func(r *edges.Recording)) func(*testing.T) []byte {
		return func(t *testing.T) []byte {
			d, err := edges.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			spoil(d.Recordings[1])
			return d.Text()
		}
	}
	first := func(r *edges.Recording, row string) *edges.Edge {
		return &r.Edges[slices.IndexFunc(r.Edges, func(e edges.Edge) bool { return e.Row == row })]
	}
	for _, f := range []struct {
		name  string
		data  func(*testing.T) []byte
		wants string
	}{
		{"no fault", func(*testing.T) []byte { return text }, ""},
		{"another table", line(p.table.Hash, strings.Repeat("0", 64)), "of another table: generate again"},
		{"a row renamed", line("\nclaim.won ", "\nclaim.busy "), "changed by hand, or cut"},
		{"a line too few", line("\nclaim.won ", "\n# "), "changed by hand, or cut"},
		{"a change too few", line(",3:1 @ 0", " @ 0"), "none of the states"},
		{"an effect too few", line(" > receipt:0,0,1,1,0", ""), "changed by hand, or cut"},
		{"cut", func(*testing.T) []byte { return text[:len(text)/2] }, "edges: line"},
		{"another row, summed up", written(func(r *edges.Recording) { first(r, "orphan.moved").Row = "orphan.again" }), "isn't what the table says"},
		{"an effect too few, summed up", written(func(r *edges.Recording) { first(r, "release.freed").Effects = nil }), "isn't what the table says"},
		{"an edge too few, summed up", written(func(r *edges.Recording) { r.Edges = r.Edges[1:] }), "isn't what the table says"},
		{"a recording too few", func(t *testing.T) []byte {
			d, err := edges.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			d.Recordings = d.Recordings[:1]
			return d.Text()
		}, "the table asks for 2"},
	} {
		t.Run(f.name, func(t *testing.T) {
			root := t.TempDir()
			source, err := os.ReadFile(filepath.Join(p.root, "spec", "lane.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			for name, data := range map[string][]byte{"spec/lane.yaml": source, "fsm/lane/lane_edges_gen.txt": f.data(t)} {
				path := filepath.Join(root, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			out, failed := p.runIn(t, root, "^TestRecorded0$")
			if failed != (f.wants != "") || !strings.Contains(out, f.wants) {
				t.Errorf("failed: %v, and says no %q:\n%s", failed, f.wants, out)
			}
		})
	}
}
