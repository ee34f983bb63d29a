package equal

import (
	"context"
	"fmt"

	"github.com/interlock-go/interlock/tla"
)

// Reference is the graph of a model that was written by hand. Its states are
// opaque: only whether two are equal counts.
type Reference struct {
	Edges  int
	states map[string]int
	texts  []string
	edges  []map[string]answer // by state, then by label
	order  [][]string          // the labels of a state, in the order of the lines
	shown  []string            // what a state shows, by the reference; empty if it doesn't say
}

// answer is what a model says to an event, and where it leads.
type answer struct {
	says    string // "move", or the code of the answer
	effects string
	to      int
}

// States returns how many states there are.
func (r *Reference) States() int { return len(r.texts) }

// ReadReference reads what a reference model prints, a line each of
//
//	<<"claim", p1, <<1, 2>>, "PROJECT_BUSY", << >>, vars, vars'>>
//
// The event, instance, arguments, answer ("move" for one) and effects are the
// table's; the state before the first line is the one to start in, and the
// rest may come in any order. A model may keep what decides nothing out of its
// lines, such as who may call; then a line comes more than once, and counts
// once. Two lines that answer one event with the same arguments in one state
// differently are an error: the model must be a function.
//
// Without more, states are equal up to renaming. A line may end with what the
// state after it shows, an eighth element: the table's variables in the order
// of its model's vars, without ghosts. Then their values are compared as well.
func ReadReference(ctx context.Context, lines Lines) (*Reference, error) {
	r := &Reference{states: map[string]int{}}
	err := tuples(ctx, lines, r.add)
	if err != nil {
		return nil, err
	}
	if r.Edges == 0 {
		return nil, fmt.Errorf("the reference printed no edge")
	}
	return r, nil
}

func (r *Reference) add(v tla.Value) error {
	if v.Len() != 7 && v.Len() != 8 || v.Elem(0).Type() != tla.StringType || v.Elem(3).Type() != tla.StringType {
		return fmt.Errorf("not a tuple of event, instance, arguments, answer, effects and variables before and after")
	}
	from := r.state(v.Elem(5))
	l := label(v.Elem(0).Text(), v.Elem(1), v.Elem(2))
	a := answer{says: v.Elem(3).Text(), effects: v.Elem(4).String(), to: r.state(v.Elem(6))}
	if v.Len() == 8 {
		text := v.Elem(7).String()
		if old := r.shown[a.to]; old != "" && old != text {
			return fmt.Errorf("the reference shows %s and %s in %s", old, text, v.Elem(6))
		}
		r.shown[a.to] = text
	}
	if old, again := r.edges[from][l]; again {
		if old != a {
			return fmt.Errorf("the reference answers %s in two ways in %s", l, v.Elem(5))
		}
		return nil
	}
	r.edges[from][l] = a
	r.order[from] = append(r.order[from], l)
	r.Edges++
	return nil
}

// state numbers a state by its canonical text, in which TLC's order of fields
// and elements doesn't matter.
func (r *Reference) state(v tla.Value) int {
	text := v.String()
	if i, ok := r.states[text]; ok {
		return i
	}
	i := len(r.texts)
	r.states[text] = i
	r.texts = append(r.texts, text)
	r.edges = append(r.edges, map[string]answer{})
	r.order = append(r.order, nil)
	r.shown = append(r.shown, "")
	return i
}

// label is an event with its instance and arguments, as both sides write it:
// "claim <<1, 2>> of p1".
func label(event string, instance, args tla.Value) string {
	b := append([]byte(event), ' ')
	b = args.Append(b)
	if instance.Type() != tla.StringType {
		b = append(b, " of "...)
		b = instance.Append(b)
	}
	return string(b)
}
