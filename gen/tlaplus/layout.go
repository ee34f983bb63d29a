package tlaplus

import (
	"slices"
	"strings"
)

// width is the last column that a line of a module may use.
const width = 79

// form is how a piece of text is broken when it doesn't fit on one line.
type form uint8

const (
	atom   form = iota + 1 // never
	infix                  // a op b: after the operator
	list                   // /\ or \/ of several: one a line, with bullets
	quant                  // heads : body: after the colon
	choice                 // IF a THEN b ELSE c: a line each
	fill                   // open a, b, c close: at commas
	wrap                   // open a close
)

// Precedences of TLA+, loosest first. Operands that don't bind tighter than
// their operator are put in parentheses, so that nobody has to know the table.
const (
	openEnded = iota // quantifiers and IF reach as far as they can
	implies
	junction
	negation
	relation
	setOp
	sum
	product
	tight
)

// doc is text that can be laid out on one line or on several.
type doc struct {
	form    form
	prec    int
	op      string // infix, list; the text of an atom
	open    string // fill, wrap
	closing string
	heads   []string // quant: its bounds; all but the last end in a comma
	kids    []doc
	hang    bool // wrap, fill: what doesn't fit starts on a line of its own; list: never on one line
}

func text(s string) doc { return doc{form: atom, prec: tight, op: s} }

func binary(prec int, op string, a, b doc) doc {
	return doc{form: infix, prec: prec, op: op, kids: []doc{a, b}}
}

func conj(kids ...doc) doc { return junctionOf(`/\`, kids) }
func disj(kids ...doc) doc { return junctionOf(`\/`, kids) }

// junctionOf flattens lists of the same operator.
func junctionOf(op string, kids []doc) doc {
	var flat []doc
	for _, k := range kids {
		if k.form == list && k.op == op {
			flat = append(flat, k.kids...)
		} else {
			flat = append(flat, k)
		}
	}
	if len(flat) == 1 {
		return flat[0]
	}
	return doc{form: list, prec: junction, op: op, kids: flat}
}

// quantified returns `\A x \in S, y \in T : body`, or body if bounds is empty.
func quantified(quantifier string, bounds []string, body doc) doc {
	if len(bounds) == 0 {
		return body
	}
	heads := make([]string, len(bounds))
	for i, b := range bounds {
		heads[i] = b + ","
	}
	heads[0] = quantifier + " " + heads[0]
	last := len(heads) - 1
	heads[last] = strings.TrimSuffix(heads[last], ",") + " :"
	return doc{form: quant, prec: openEnded, heads: heads, kids: []doc{body}}
}

func wrapped(open string, body doc, closing string) doc {
	return doc{form: wrap, prec: tight, open: open, closing: closing, kids: []doc{body}}
}

func filled(open string, kids []doc, closing string) doc {
	return doc{form: fill, prec: tight, open: open, closing: closing, kids: kids}
}

func call(name string, args ...doc) doc {
	if len(args) == 0 {
		return text(name)
	}
	d := filled(name+"(", args, ")")
	d.hang = true
	return d
}

func parens(d doc) doc { return wrapped("(", d, ")") }

// operand is d as an operand of an operator: in parentheses unless it binds
// tighter.
func operand(d doc, prec int) doc {
	if d.prec > prec {
		return d
	}
	return parens(d)
}

func not(d doc) doc {
	return doc{form: wrap, prec: negation, open: "~", kids: []doc{operand(d, relation)}}
}

// flat returns d on one line.
func (d doc) flat() string {
	switch d.form {
	case infix:
		a, b := d.sides()
		return a.flat() + " " + d.op + " " + b.flat()
	case list:
		parts := make([]string, len(d.kids))
		for i, k := range d.kids {
			parts[i] = operand(k, junction).flat()
		}
		return strings.Join(parts, " "+d.op+" ")
	case quant:
		return strings.Join(d.heads, " ") + " " + d.kids[0].flat()
	case choice:
		return "IF " + d.kids[0].flat() + " THEN " + d.kids[1].flat() + " ELSE " + d.kids[2].flat()
	case fill:
		parts := make([]string, len(d.kids))
		for i, k := range d.kids {
			parts[i] = k.flat()
		}
		return d.open + strings.Join(parts, ", ") + d.closing
	case wrap:
		return d.open + d.kids[0].flat() + d.closing
	}
	return d.op
}

// sides returns the operands of an infix operator. What an implication implies
// may be anything that isn't an implication.
func (d doc) sides() (a, b doc) {
	a = operand(d.kids[0], d.prec)
	if d.kids[0].form == infix && d.kids[0].op == d.op && d.op == `\o` {
		a = d.kids[0]
	}
	b = d.kids[1]
	if d.prec != implies || b.prec == implies {
		b = operand(b, d.prec)
	}
	if d.kids[0].form == list && d.prec == implies && d.kids[0].op == `\/` {
		a = parens(d.kids[0])
	}
	if d.prec == implies && b.form == list && b.op == `\/` {
		b = parens(b)
	}
	return a, b
}

// lines lays d out from column col on, leaving room for tail more characters
// after it. The first line isn't indented, the others are relative to col.
func (d doc) lines(col, tail int) []string {
	if s := d.flat(); d.form == atom || col+len(s)+tail <= width && !(d.form == list && d.hang) {
		return []string{s}
	}
	switch d.form {
	case infix:
		a, b := d.sides()
		if b.form == wrap && b.open == "(" && d.prec == implies && b.kids[0].prec != implies {
			b = b.kids[0] // on lines of its own it needs none
		}
		if a.form == list {
			a = parens(a)
		}
		out := a.lines(col, len(d.op)+1)
		out[len(out)-1] += " " + d.op
		return append(out, indent(2, b.lines(col+2, tail))...)
	case list:
		var out []string
		for i, k := range d.kids {
			after := 0
			if i == len(d.kids)-1 {
				after = tail
			}
			out = append(out, bullet(d.op, k.lines(col+3, after))...)
		}
		return out
	case quant:
		out := pack(d.heads, col, 0)
		return append(out, indent(2, d.kids[0].lines(col+2, tail))...)
	case choice:
		out := prefixed("IF ", d.kids[0].lines(col+3, 0))
		out = append(out, prefixed("  THEN ", d.kids[1].lines(col+7, 0))...)
		return append(out, prefixed("  ELSE ", d.kids[2].lines(col+7, tail))...)
	case fill:
		return d.fillLines(col, tail)
	}
	return d.wrapLines(col, tail)
}

func (d doc) wrapLines(col, tail int) []string {
	tail += len(d.closing)
	if d.hang {
		out := append([]string{strings.TrimRight(d.open, " ")}, indent(2, d.kids[0].lines(col+2, tail))...)
		out[len(out)-1] += d.closing
		return out
	}
	out := prefixed(d.open, d.kids[0].lines(col+len(d.open), tail))
	out[len(out)-1] += d.closing
	return out
}

// fillLines puts as many parts on a line as fit; one that doesn't fit on a
// line of its own is broken. All parts of a hanging one stand below what opens
// it where that is narrow enough, else too wide, or shorter.
func (d doc) fillLines(col, tail int) []string {
	out := d.filledLines(col, tail)
	if !d.hang {
		return out
	}
	below := append([]string{strings.TrimRight(d.open, " ")}, indent(2, filled("", d.kids, d.closing).filledLines(col+2, tail))...)
	tooWide := func(l string) bool { return col+len(l) > width }
	if slices.ContainsFunc(out, tooWide) || len(below) < len(out) {
		return below
	}
	return out
}

func (d doc) filledLines(col, tail int) []string {
	in := len(d.open)
	out := []string{d.open}
	for i, k := range d.kids {
		after := ","
		if i == len(d.kids)-1 {
			after = d.closing
		}
		s, last := k.flat()+after, len(out)-1
		room := width - col
		if i == len(d.kids)-1 {
			room -= tail
		}
		switch {
		case i == 0 && in+len(s) <= room:
			out[0] += s
		case i > 0 && len(out[last])+1+len(s) <= room:
			out[last] += " " + s
		case i == 0:
			out = prefixed(d.open, k.lines(col+in, len(after)))
			out[len(out)-1] += after
		default:
			broken := indent(in, k.lines(col+in, len(after)))
			broken[len(broken)-1] += after
			out = append(out, broken...)
		}
	}
	return out
}

// pack puts words on lines from column col on, those after the first indented
// by in.
func pack(words []string, col, in int) []string {
	out := []string{words[0]}
	for _, w := range words[1:] {
		if last := len(out) - 1; col+len(out[last])+1+len(w) <= width {
			out[last] += " " + w
		} else {
			out = append(out, strings.Repeat(" ", max(in, 3))+w)
		}
	}
	return out
}

// bullet puts op before the first line and indents the others.
func bullet(op string, lines []string) []string { return prefixed(op+" ", lines) }

func prefixed(prefix string, lines []string) []string {
	out := indent(len(prefix), lines)
	out[0] = prefix + lines[0]
	return out
}

func indent(n int, lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.Repeat(" ", n) + l
	}
	return out
}
