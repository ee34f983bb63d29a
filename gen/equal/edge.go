package equal

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/spec"
)

// Edge is a step of one model, whichever engine takes it. States are those of
// the interp.Machine of the model.
type Edge struct {
	interp.Label
	From, To interp.State
}

// Key stands for an edge: equal edges have the same, different ones differ but
// for a collision of SHA-256, cut to 128 bits.
type Key [16]byte

// keyer computes keys, with a buffer of its own.
type keyer struct {
	effects map[*spec.Effect]int
	buf     []byte
}

func newKeyer(t *spec.Table) *keyer {
	k := &keyer{effects: map[*spec.Effect]int{}}
	for i, e := range t.Effects {
		k.effects[e] = i
	}
	return k
}

// key is canonical: every part is preceded by its length where that varies.
func (k *keyer) key(e *Edge) Key {
	b := k.buf[:0]
	list := func(values []uint64) {
		b = binary.AppendUvarint(b, uint64(len(values)))
		for _, v := range values {
			b = binary.AppendUvarint(b, v)
		}
	}
	b = binary.AppendUvarint(b, uint64(e.Row.Index))
	then := uint64(0)
	if e.Then != nil {
		then = 1 + uint64(e.Then.Index)
	}
	b = binary.AppendUvarint(b, then)
	b = binary.AppendUvarint(b, uint64(e.Instance))
	list(e.Args)
	b = binary.AppendUvarint(b, uint64(len(e.Effects)))
	for _, f := range e.Effects {
		b = binary.AppendUvarint(b, uint64(k.effects[f.Effect]))
		list(f.Args)
	}
	// States of one machine are of one length.
	b = append(append(b, e.From...), e.To...)
	k.buf = b
	sum := sha256.Sum256(b)
	return Key(sum[:16])
}

// call is what happens to whom: an event with its arguments.
type call struct {
	instance int
	event    *spec.Event
	args     string
}

func (e *Edge) call() call {
	return call{e.Instance, e.Event.Event, fmt.Sprint(e.Args)}
}

// format says what an edge does, without the event.
func format(m *interp.Machine, e *Edge) string {
	parts := []string{e.Decision()}
	for _, f := range e.Effects {
		parts = append(parts, interp.FormatEffect(f))
	}
	changed := m.Changed(e.From, e.To)
	if changed == "" {
		changed = "nothing changes"
	}
	return strings.Join(append(parts, strings.Split(changed, "\n")...), "\n     ")
}

// sortEdges orders edges in a way that doesn't depend on who gave them.
func sortEdges(edges []Edge) {
	slices.SortFunc(edges, func(a, b Edge) int {
		return cmp.Or(
			cmp.Compare(a.Instance, b.Instance),
			cmp.Compare(a.Row.Index, b.Row.Index),
			slices.Compare(a.Args, b.Args),
			cmp.Compare(a.To, b.To))
	})
}
