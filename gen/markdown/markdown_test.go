package markdown

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/gen/mermaid"
	"github.com/interlock-go/interlock/spec"
)

var update = flag.Bool("update", false, "rewrite the golden pages, those in docs included")

const root = "../.."

// load reads a table of the repository.
func load(t *testing.T, name string) *spec.Table {
	t.Helper()
	table, err := spec.Load(filepath.Join(root, "spec", name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// pageOf returns the text of a table's only file.
func pageOf(t *testing.T, table *spec.Table) string {
	t.Helper()
	files, err := Files(table)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 1 || files[0].Path != "docs/"+table.Name+".md" {
		t.Fatalf("%s prints %d files", table.Name, len(files))
	}
	return string(files[0].Data)
}

func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no golden cases", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			table, err := spec.Read(ar.Files[0].Name, ar.Files[0].Data)
			if err != nil {
				t.Fatal(err)
			}
			got := txtar.File{Name: "docs/" + table.Name + ".md", Data: []byte(pageOf(t, table))}
			if *update {
				ar.Files = append(ar.Files[:1], got)
				if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if len(ar.Files) != 2 {
				t.Fatal("there is no golden page; run with -update")
			}
			if d := cmp.Diff(string(ar.Files[1].Data), string(got.Data)); d != "" {
				t.Errorf("golden and printed (-, +); rewrite with -update:\n%s", d)
			}
		})
	}
}

func TestPagesInDocsAreCurrent(t *testing.T) {
	for _, name := range []string{"lane", "queue", "session"} {
		files, err := Files(load(t, name))
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			if _, err := file.Write(root, files); err != nil {
				t.Fatal(err)
			}
		}
		stale, err := file.Check(root, files)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range stale {
			t.Errorf("%s; rewrite with -update", s)
		}
	}
}

func TestEveryRunPrintsTheSame(t *testing.T) {
	first := pageOf(t, load(t, "lane"))
	table := load(t, "lane")
	for range 100 {
		if got := pageOf(t, table); got != first {
			t.Fatalf("two runs differ:\n%s", cmp.Diff(first, got))
		}
	}
}

// everyTable calls f for the tables of the repository and of the golden cases.
func everyTable(t *testing.T, f func(t *testing.T, table *spec.Table, page string)) {
	for _, name := range []string{"lane", "queue", "session"} {
		t.Run(name, func(t *testing.T) {
			table := load(t, name)
			f(t, table, pageOf(t, table))
		})
	}
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		table, err := spec.Read(ar.Files[0].Name, ar.Files[0].Data)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(table.Name, func(t *testing.T) { f(t, table, pageOf(t, table)) })
	}
}

func TestEveryRowStandsOnThePage(t *testing.T) {
	everyTable(t, func(t *testing.T, table *spec.Table, page string) {
		for _, r := range table.Rows() {
			kind := "row"
			switch {
			case r.Check:
				kind = "check"
			case r.Event != nil && r.Event.By == "world":
				kind = "by itself"
			}
			if n := strings.Count(page, "\n| "+kind+" `"+r.Name()+"`"); n != 1 {
				t.Errorf("%s stands %d times on the page", r.Name(), n)
			}
		}
	})
}

// TestPicturesFit has none with more edges or text than Mermaid, or a reader,
// takes.
func TestPicturesFit(t *testing.T) {
	everyTable(t, func(t *testing.T, _ *spec.Table, page string) {
		_, rest, found := strings.Cut(page, "```mermaid\n")
		for found {
			var picture string
			picture, rest, _ = strings.Cut(rest, "```")
			if n := strings.Count(picture, " --> "); n > mermaid.MaxEdges || len(picture) > mermaid.MaxBytes {
				t.Errorf("a picture has %d edges in %d bytes", n, len(picture))
			}
			_, rest, found = strings.Cut(rest, "```mermaid\n")
		}
	})

	// Every state leads to every other one: 420 ways.
	const n = 21
	var b strings.Builder
	b.WriteString("machine: web\ndoc: Leads everywhere.\nstates:\n  s0: {initial: true}\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "  s%d: {}\n", i)
	}
	fmt.Fprintf(&b, "events:\n  hop(k 0..%d):\n    rows:\n", n-1)
	for i := range n {
		for j := range n {
			fmt.Fprintf(&b, "      s%dk%d: {from: s%d, when: k == %d, to: s%d}\n", i, j, i, j, j)
		}
	}
	table, err := spec.Read("web.yaml", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	page := pageOf(t, table)
	if strings.Contains(page, "```mermaid") || !strings.Contains(page, "Not drawn: 420 ways between states") {
		t.Error("a picture of 420 ways is drawn")
	}
}

func TestEveryMoveIsInThePicture(t *testing.T) {
	everyTable(t, func(t *testing.T, table *spec.Table, page string) {
		_, rest, _ := strings.Cut(page, "## Picture")
		words, rest, _ := strings.Cut(rest, "```mermaid\n")
		picture, _, _ := strings.Cut(rest, "```")
		reach := newReach(table)
		reach.moves(func(r *spec.Row, from, to int) {
			if from == to || everywhere(words, r.Event.Name, table.States[to].Name) {
				return
			}
			for line := range strings.Lines(picture) {
				var a, b, label = cutEdge(line)
				if a == from && b == to && strings.Contains(" "+label+" ", " "+r.Event.Name+" ") &&
					(!strings.Contains(label, r.Event.Name+" (") || told(label, r)) {
					return
				}
			}
			t.Errorf("%s from %s isn't drawn", r.Name(), table.States[from].Name)
		})
	})
}

// told reports whether a label that names a condition or rows beside r's event
// names r's condition, or r.
func told(label string, r *spec.Row) bool {
	for _, c := range r.When {
		if strings.Contains(label, r.Event.Name+" ("+c.Says+")") {
			return true
		}
	}
	_, rest, _ := strings.Cut(label, r.Event.Name+" (")
	rows, _, _ := strings.Cut(rest, ")")
	return slices.Contains(strings.Fields(strings.ReplaceAll(rows, ",", " ")), r.ID)
}

func TestEveryMoveOfAPartIsInItsPicture(t *testing.T) {
	everyTable(t, func(t *testing.T, table *spec.Table, page string) {
		reach := newReach(table)
		for _, o := range table.Parts {
			_, rest, _ := strings.Cut(page, "\nA part of `"+o.Name+"`.")
			picture, _, _ := strings.Cut(rest, "\n```\n")
			for _, m := range o.Moves {
				drawn := len(m.To) == 0
				reach.partMoves(o, func(r *spec.Row, from, to int) {
					for line := range strings.Lines(picture) {
						a, b, label := cutEdge(line)
						drawn = drawn || a == from && b == to && strings.Contains(" "+label+" ", " "+by(r)+" ")
					}
				})
				if !drawn {
					t.Errorf("%s isn't drawn", m.Name)
				}
			}
		}
	})
}

// everywhere reports whether the words over a picture say that an event leads
// from every state to one.
func everywhere(words, event, to string) bool {
	for part := range strings.SplitSeq(words, ";") {
		events, state, _ := strings.Cut(part, " from everywhere to ")
		if state == to && strings.Contains(events, "`"+event+"`") {
			return true
		}
	}
	return false
}

// cutEdge reads "  s1 --> s2: a, b<br/>or c" as 0, 1 and "a b or c".
func cutEdge(line string) (from, to int, label string) {
	ends, label, ok := strings.Cut(strings.TrimSpace(line), ": ")
	a, b, arrow := strings.Cut(ends, " --> ")
	if !ok || !arrow {
		return -1, -1, ""
	}
	label = strings.NewReplacer("<br/>", " ", ",", "").Replace(label)
	return stateID(a), stateID(b), label
}

func stateID(id string) int {
	n := 0
	for _, r := range strings.TrimPrefix(id, "s") {
		n = 10*n + int(r-'0')
	}
	return n - 1
}

func TestNamesThatAreNoFileNames(t *testing.T) {
	for _, name := range []string{"", "..", ".git", "a/b", `a\b`, "c:x"} {
		if _, err := Files(&spec.Table{Name: name}); !errors.Is(err, ErrName) {
			t.Errorf("%q: got %v, want ErrName", name, err)
		}
	}
}

func TestHeadersAreMarked(t *testing.T) {
	page := pageOf(t, load(t, "lane"))
	first, _, _ := strings.Cut(page, "\n")
	if !strings.HasPrefix(first, "<!-- Code generated by interlock from lane.yaml; DO NOT EDIT. Table: sha256:") || !strings.HasSuffix(first, " -->") {
		t.Errorf("the marker line is %s", first)
	}
	if bytes.Count([]byte(page), []byte("DO NOT EDIT")) != 1 {
		t.Error("the marker stands more than once")
	}
}
