// Package edges sums up the graph of a model so that two of them can be
// compared without keeping either, whichever engine reached them.
package edges

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"strconv"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
)

// Env is the environment variable that names the folder to which mbt.Graph
// writes a Summary of each model's graph. go test doesn't know of these files:
// run it with -count=1.
const Env = "INTERLOCK_EDGES"

// AppendLine appends the canonical line of an edge to buf, without a newline:
// what decides it, the instance from 0, the arguments, each effect with its
// arguments, and the two states, all values as codes of m. The parts are
// separated by " | ", those of a part by a space:
//
//	release.freed | 0 | 2 1 | receipt 2 0 1 1 0 | 1 2 1 1 0 ... | 0 0 0 0 0 ...
//
// The line is the same for every engine and every run; nothing in it depends on
// the order in which edges are found.
func AppendLine(buf []byte, m *interp.Machine, from interp.State, label interp.Label, to interp.State) []byte {
	l := liner{m: m}
	return l.append(buf, from, &interp.Step{Label: label, To: to})
}

// liner makes canonical lines. Searches give all that leaves a state one after
// another, so it keeps the text of the state before.
type liner struct {
	m    *interp.Machine
	from interp.State
	text []byte // of from; nil: there was none
}

func (l *liner) append(buf []byte, from interp.State, st *interp.Step) []byte {
	if l.text == nil || l.from != from {
		l.from, l.text = from, appendCodes([]byte(" |"), l.m.Values(from))
	}
	label := &st.Label
	buf = append(buf, label.Decision()...)
	buf = append(buf, " | "...)
	buf = strconv.AppendInt(buf, int64(label.Instance), 10)
	buf = appendCodes(append(buf, " |"...), label.Args)
	for _, f := range label.Effects {
		buf = append(append(buf, " | "...), f.Effect.Name...)
		buf = appendCodes(buf, f.Args)
	}
	buf = append(buf, l.text...)
	if st.To == from {
		return append(buf, l.text...)
	}
	return appendCodes(append(buf, " |"...), l.m.Values(st.To))
}

func appendCodes(buf []byte, codes []uint64) []byte {
	for _, c := range codes {
		buf = strconv.AppendUint(append(buf, ' '), c, 10)
	}
	return buf
}

// Sum is the hash of a multiset of lines, whatever their order: the sum of
// their SHA-256, as big-endian numbers, modulo 2^256. It guards against
// accidents, not against someone who looks for a collision. The zero Sum is
// that of no line.
type Sum [4]uint64

// Add adds a line.
func (s *Sum) Add(line []byte) {
	h := sha256.Sum256(line)
	var carry uint64
	for i := range s {
		at := len(h) - 8*(i+1)
		var word uint64
		for _, b := range h[at : at+8] {
			word = word<<8 | uint64(b)
		}
		s[i], carry = bits.Add64(s[i], word, carry)
	}
}

// String returns the sum as 64 hexadecimal digits.
func (s Sum) String() string {
	var out []byte
	for i := len(s) - 1; i >= 0; i-- {
		for shift := 56; shift >= 0; shift -= 8 {
			out = append(out, byte(s[i]>>shift))
		}
	}
	return hex.EncodeToString(out)
}

// Summary is what one engine found in one model.
type Summary struct {
	Machine string `json:"machine"`
	Table   string `json:"table"` // sha256 of the table
	Model   string `json:"model"`
	States  int    `json:"states"`
	Edges   int    `json:"edges"`
	Moves   int    `json:"moves"`
	Sum     string `json:"sum"` // of the canonical lines of all edges
	Rows    []Row  `json:"rows"`
}

// Row is how many edges a row decided.
type Row struct {
	Name  string `json:"name"`
	Edges int    `json:"edges"`
}

// Summarize searches all of m. Its error is ctx's, or that of a step that can't
// be told.
func Summarize(ctx context.Context, m *interp.Machine) (*Summary, error) {
	var sum Sum
	var buf []byte
	l := liner{m: m}
	rows := m.Table().Rows()
	fired := make([]int, len(rows))
	report, err := explore.Run(ctx, m, explore.Options[interp.State, interp.Label]{
		Rows: len(rows),
		Visit: func(from interp.State, st interp.Step) error {
			buf = l.append(buf[:0], from, &st)
			sum.Add(buf)
			if st.Label.Then != nil {
				fired[st.Label.Then.Index]++ // the report counts first rows only
			}
			return nil
		},
	})
	if err != nil {
		return nil, err
	}
	if report.Steps.Err != nil {
		return nil, report.Steps.Err
	}
	s := &Summary{
		Machine: m.Table().Name, Table: m.Table().Hash, Model: m.Model().Name,
		States: report.States, Edges: report.Edges, Moves: report.Moves, Sum: sum.String(),
	}
	for _, r := range rows {
		s.Rows = append(s.Rows, Row{Name: r.Name(), Edges: report.Fired[r.Index] + fired[r.Index]})
	}
	return s, nil
}

// file is the name under which a summary is kept.
func file(machine, model string) string { return machine + "." + model + ".json" }

// Write writes s to a file of its own below dir: MACHINE.MODEL.json.
func (s *Summary) Write(dir string) error {
	data, err := json.MarshalIndent(s, "", "\t")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, file(s.Machine, s.Model)), append(data, '\n'), 0o644)
}

// Read reads what Write wrote for a model.
func Read(dir string, t *spec.Table, m *spec.Model) (*Summary, error) {
	name := file(t.Name, m.Name)
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	var s Summary
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &s, nil
}
