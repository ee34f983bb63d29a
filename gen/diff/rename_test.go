package diff_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/diff"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/expr"
)

// kept are names that are words of the language too, so that a rename in the
// source can't tell them apart.
var kept = map[string]bool{"answer": true, "answered": true, "answers": true, "fails": true, "forget": true, "given": true, "holds": true, "id": true, "moved": true, "never": true, "none": true, "refused": true, "told": true}

// TestRenamedThroughout gives every name of the bundled tables another one:
// that, and nothing else, is what changed.
func TestRenamedThroughout(t *testing.T) {
	for _, name := range []string{"lane", "session", "queue"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join("../../spec", name+".yaml")
			src, err := os.ReadFile(path)
			require.NoError(t, err)
			old, err := spec.Load(path)
			require.NoError(t, err)
			fresh, err := spec.Read(path, []byte(renamed(string(src), old)))
			require.NoError(t, err)
			r, err := diff.Tables(context.Background(), old, fresh, diff.Options{})
			require.NoError(t, err)
			assert.Equal(t, diff.Harmless, r.Verdict, r.Text())
			assert.Equal(t, "equal, names apart: the same states and steps", r.Graph, r.Text())
			assert.Greater(t, len(r.Renamed), 60)
			r.Renamed, r.Wording = nil, nil // the words for people have the names in them
			r.Graph, r.Unasked = "", 0
			assert.Empty(t, r.Rows, r.Text())
			assert.Equal(t, name+"Zz: no decision changed", r.Headline(), r.Text())
			assert.Len(t, strings.Split(strings.TrimSpace(r.Text()), "\n"), 2, r.Text())
		})
	}
}

// renamed puts Zz behind each name that the table declares.
func renamed(src string, t *spec.Table) string {
	to := map[string]string{}
	add := func(names ...string) {
		for _, n := range names {
			if n != "" && !kept[n] {
				to[n] = n + "Zz"
			}
		}
	}
	for _, e := range namesOf(t) {
		add(e)
	}
	for _, p := range t.Parts {
		to[p.State.Type.Name] = p.Key.Name + "ZzState"
	}
	word := regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)
	return word.ReplaceAllStringFunc(src, func(w string) string {
		if n, ok := to[w]; ok {
			return n
		}
		return w
	})
}

// namesOf returns all declared names, and those that stand for the machine and
// its parts in from and to.
func namesOf(t *spec.Table) []string {
	out := []string{t.Name, t.Per, lowerFirst(t.Per)}
	syms := func(list []*expr.Symbol) {
		for _, s := range list {
			out = append(out, s.Name)
		}
	}
	vars := func(list []*spec.Var) {
		for _, v := range list {
			out = append(out, v.Sym.Name)
		}
	}
	states := func(list []*spec.State) {
		for _, s := range list {
			out = append(out, s.Name)
		}
	}
	for _, x := range t.Types {
		out = append(append(out, x.Name), x.Values...)
	}
	states(t.States)
	syms(t.Groups)
	syms(t.Params)
	vars(t.Vars)
	vars(t.Shared)
	vars(t.Ghosts)
	syms(t.Defs)
	for _, a := range t.Answers {
		out = append(out, a.Code)
	}
	for _, e := range t.Effects {
		out = append(out, e.Name)
		syms(e.Args)
	}
	for _, p := range t.Parts {
		out = append(out, p.Name, lowerFirst(p.Key.Name))
		states(p.States)
		syms(p.Groups)
		vars(p.Vars)
		for _, m := range p.Moves {
			out = append(out, m.Name)
		}
	}
	for _, s := range t.Tables {
		out = append(out, s.Name)
	}
	for _, e := range append(append([]*spec.Event(nil), t.Events...), t.World...) {
		out = append(out, e.Name)
		for _, a := range e.Args {
			out = append(out, a.Sym.Name)
		}
	}
	for _, r := range t.Rows() {
		out = append(out, r.ID)
	}
	for _, a := range t.Assumptions {
		out = append(out, a.Name)
	}
	for _, p := range t.Properties {
		out = append(out, p.Name)
		syms(p.Each)
	}
	for _, m := range t.Models {
		out = append(out, m.Name)
	}
	return out
}

func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
