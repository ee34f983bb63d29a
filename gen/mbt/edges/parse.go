package edges

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// ErrData is what all errors of Parse wrap.
var ErrData = errors.New("edges")

// ReadFile reads a file of edges, such as fsm/lane/lane_edges_gen.txt.
func ReadFile(name string) (*Data, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return Parse(text)
}

// Parse reads what Data.Text wrote. The edges of each recording must be as many
// as it says and have its sum, and each must lead to a state of it. Errors wrap
// ErrData and name the line.
func Parse(text []byte) (*Data, error) {
	p := &parser{data: &Data{}}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if err := p.line(line); err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", ErrData, n, err)
		}
	}
	if err := p.end(); err != nil {
		return nil, fmt.Errorf("%w: line %d: %w", ErrData, n, err)
	}
	if p.data.Machine == "" {
		return nil, fmt.Errorf("%w: no machine", ErrData)
	}
	return p.data, nil
}

type parser struct {
	data   *Data
	rec    *Recording // nil: none was begun
	says   Graph      // what it says of itself
	start  int
	states [][]uint64
	known  map[string]bool // states
}

func (p *parser) line(line string) error {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "machine":
		name, hash, ok := strings.Cut(rest, " ")
		if !ok || p.data.Machine != "" {
			return errors.New("not one machine with the hash of its table")
		}
		p.data.Machine, p.data.Table = name, hash
		return nil
	case "graph":
		g, err := readGraph(rest)
		p.data.Graphs = append(p.data.Graphs, g)
		return err
	case "recording":
		if err := p.end(); err != nil {
			return err
		}
		g, err := readGraph(rest)
		p.rec, p.says, p.states, p.known = &Recording{Name: g.Name, Sizes: map[string]int{}}, g, nil, map[string]bool{}
		return err
	}
	if p.rec == nil {
		return fmt.Errorf("%q outside a recording", word)
	}
	return p.inside(word, rest, line)
}

// inside reads a line of a recording.
func (p *parser) inside(word, rest, line string) error {
	var err error
	switch word {
	case "sizes":
		for _, f := range fields(rest) {
			name, n, _ := strings.Cut(f, "=")
			if p.rec.Sizes[name], err = strconv.Atoi(n); err != nil {
				return err
			}
		}
	case "params":
		for _, f := range fields(rest) {
			n, err := strconv.Atoi(f)
			if err != nil {
				return err
			}
			p.rec.Params = append(p.rec.Params, n)
		}
	case "fields":
		p.rec.Fields = fields(rest)
	case "start":
		p.start, err = strconv.Atoi(rest)
	case "state":
		s, err := readCodes(rest, " ")
		if err != nil {
			return err
		}
		if len(s) != len(p.rec.Fields) {
			return fmt.Errorf("%d values for %d fields", len(s), len(p.rec.Fields))
		}
		p.states = append(p.states, s)
		p.known[codes(s, " ")] = true
	default:
		return p.edges(line)
	}
	return err
}

// edges reads the line of a row.
func (p *parser) edges(line string) error {
	before, at, ok := strings.Cut(line, " @ ")
	if !ok {
		return errors.New("no states")
	}
	parts := strings.Split(before, " > ")
	words := strings.Fields(parts[0])
	if len(words) < 2 || len(parts) > 3 || len(parts) > 1 && len(words) > 2 {
		return fmt.Errorf("%q is no row with its arguments", before)
	}
	var changed []change
	var sent []Effect
	var err error
	if len(parts) > 1 {
		if changed, err = readChanges(parts[1], len(p.rec.Fields)); err != nil {
			return err
		}
	}
	if len(parts) > 2 {
		if sent, err = readEffects(parts[2]); err != nil {
			return err
		}
	}
	from, err := readRanges(at, len(p.states))
	if err != nil {
		return err
	}
	event, _, _ := strings.Cut(words[0], ".")
	for _, i := range from {
		to := p.states[i]
		if changed != nil {
			to = slices.Clone(to)
			for _, c := range changed {
				to[c.field] = c.code
			}
			if !p.known[codes(to, " ")] {
				return fmt.Errorf("%s leads from state %d to none of the states", words[0], i)
			}
		}
		for _, w := range words[1:] {
			args, err := readCodes(w, ",")
			if err != nil {
				return err
			}
			p.rec.Edges = append(p.rec.Edges, Edge{From: p.states[i], Event: event, Args: args, Row: words[0], Effects: sent, To: to})
		}
	}
	return nil
}

// end checks the recording that ends here.
func (p *parser) end() error {
	r := p.rec
	if r == nil {
		return nil
	}
	if p.start < 0 || p.start >= len(p.states) {
		return fmt.Errorf("recording %s starts in none of its states", r.Name)
	}
	r.Start = p.states[p.start]
	slices.SortFunc(r.Edges, compare)
	if got := r.graph(); got != p.says {
		return fmt.Errorf("recording %s has %d states and %d edges of sum %s, not %d and %d of sum %s: it was changed by hand, or cut",
			r.Name, got.States, got.Edges, got.Sum, p.says.States, p.says.Edges, p.says.Sum)
	}
	p.data.Recordings = append(p.data.Recordings, r)
	p.rec = nil
	return nil
}

func readGraph(s string) (g Graph, err error) {
	if n, err := fmt.Sscanf(s, "%s states=%d edges=%d sha256=%s", &g.Name, &g.States, &g.Edges, &g.Sum); n != 4 {
		return g, fmt.Errorf("%q isn't a name with states, edges and their sum: %w", s, err)
	}
	return g, nil
}

// fields splits a list of words; "-" is none.
func fields(s string) []string {
	if s == "-" {
		return nil
	}
	return strings.Fields(s)
}

func readCodes(s, sep string) ([]uint64, error) {
	if s == "-" {
		return nil, nil
	}
	var out []uint64
	for f := range strings.SplitSeq(s, sep) {
		c, err := strconv.ParseUint(f, 10, 64)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

type change struct {
	field int
	code  uint64
}

func readChanges(s string, fields int) ([]change, error) {
	if s == "-" {
		return nil, nil
	}
	var out []change
	for f := range strings.SplitSeq(s, ",") {
		field, code, _ := strings.Cut(f, ":")
		i, err := strconv.Atoi(field)
		if err != nil || i < 0 || i >= fields {
			return nil, fmt.Errorf("%q changes none of the %d fields", f, fields)
		}
		c, err := strconv.ParseUint(code, 10, 64)
		if err != nil {
			return nil, err
		}
		out = append(out, change{i, c})
	}
	return out, nil
}

func readEffects(s string) ([]Effect, error) {
	var out []Effect
	for f := range strings.SplitSeq(s, " ") {
		name, args, ok := strings.Cut(f, ":")
		if !ok {
			return nil, fmt.Errorf("%q is no effect with its arguments", f)
		}
		codes, err := readCodes(args, ",")
		if err != nil {
			return nil, err
		}
		out = append(out, Effect{name, codes})
	}
	return out, nil
}

// readRanges reads numbers below n.
func readRanges(s string, n int) ([]int, error) {
	var out []int
	for f := range strings.SplitSeq(s, " ") {
		from, to, both := strings.Cut(f, "-")
		if !both {
			to = from
		}
		a, err := strconv.Atoi(from)
		if err != nil {
			return nil, err
		}
		b, err := strconv.Atoi(to)
		if err != nil {
			return nil, err
		}
		if a < 0 || a > b || b >= n {
			return nil, fmt.Errorf("%q: there are %d states", f, n)
		}
		for i := a; i <= b; i++ {
			out = append(out, i)
		}
	}
	return out, nil
}
