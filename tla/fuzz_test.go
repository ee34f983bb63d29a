package tla_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/interlock-go/interlock/tla"
)

// recorded adds the recordings' files of that name to the corpus.
func recorded(f *testing.F, name string) {
	paths, err := filepath.Glob(filepath.Join("testdata", "cases", "*", name))
	if err != nil || len(paths) == 0 {
		f.Fatal("no recordings", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
}

// What is read can be printed, and what is printed is read back to the same.
func FuzzParseValue(f *testing.F) {
	for _, tt := range texts {
		f.Add(tt.text)
	}
	f.Add(edge)
	f.Add(strings.Repeat("[a |-> ", 300))
	var reused tla.Parser
	f.Fuzz(func(t *testing.T, text string) {
		v, err := tla.ParseValue(text)
		w, errAgain := reused.Parse(text)
		if (err == nil) != (errAgain == nil) || !v.Equal(w) {
			t.Fatalf("a used parser gives %v, %v, a new one %v, %v", w, errAgain, v, err)
		}
		if err != nil {
			return
		}
		printed := v.String()
		again, err := tla.ParseValue(printed)
		if err != nil {
			t.Fatalf("%q was printed as %q: %v", text, printed, err)
		}
		if !again.Equal(v) || again.Compare(v) != 0 || again.String() != printed {
			t.Fatalf("%q was printed as %q and read as %v", text, printed, again)
		}
		quoted := tla.Str(printed).String()
		if again, err = reused.ParsePrinted([]byte(quoted)); err != nil || !again.Equal(v) {
			t.Fatalf("%q was printed by PrintT as %q and read as %v, %v", text, quoted, again, err)
		}
	})
}

// A log never breaks the reader, and only a log that says so is OK.
func FuzzReadLog(f *testing.F) {
	recorded(f, "tlc.log")
	f.Fuzz(func(t *testing.T, log string) {
		res, err := tla.ReadLog(strings.NewReader(log), 0, func([]byte) {})
		if err != nil {
			t.Fatal(err)
		}
		if res.Verdict.Kind == tla.OK && !strings.Contains(log, "STARTMSG 2193:") {
			t.Fatal("OK without TLC's word")
		}
		if res.Verdict.Kind == tla.Unknown {
			t.Fatal("no verdict")
		}
		_ = res.Trace.String()
	})
}

func FuzzParseState(f *testing.F) {
	f.Add("/\\ n = 0\n/\\ on = FALSE\n")
	f.Add("n = 0")
	f.Add("/\\ f = ( p1 :>\n      [ id |-> 1,\n        s |-> \"/\\\\ x = 1\" ] @@\n  p2 :>\n  <<>> )\n/\\ s = 1..30")
	f.Fuzz(func(t *testing.T, text string) {
		vars, err := tla.ParseState(text)
		if err != nil {
			return
		}
		printed := ""
		for _, v := range vars {
			printed += "/\\ " + v.Name + " = " + v.Value.String() + "\n"
		}
		again, err := tla.ParseState(printed)
		if err != nil || len(again) != len(vars) {
			t.Fatalf("%q was printed as %q: %v", text, printed, err)
		}
		for i, v := range vars {
			if again[i].Name != v.Name || !again[i].Value.Equal(v.Value) {
				t.Fatalf("%v was read back as %v", v, again[i])
			}
		}
	})
}

func FuzzReadDot(f *testing.F) {
	recorded(f, "graph.dot")
	f.Add("1 [label=\"n = 0\",style = filled]\n1 -> 1 [label=\"\"];")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := tla.ReadDot(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, i := range g.Initial {
			_ = g.States[i]
		}
		for _, e := range g.Edges {
			_, _ = g.States[e.From], g.States[e.To]
		}
	})
}
