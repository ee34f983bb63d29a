package diff

import (
	"cmp"
	"strings"
)

// say says why nothing was seen of the change.
func (u *Unseen) say() string {
	before, after := cmp.Or(strings.Join(u.Before, ", "), "nothing"), cmp.Or(strings.Join(u.After, ", "), "nothing")
	s := before + " → " + after
	switch {
	case len(u.Before)+len(u.After) == 0:
		s = "the order of its checks"
	case before == after:
		s = before
	}
	switch {
	case u.Reached:
		return s + "; every model answers as before"
	case u.NoModel:
		return s + "; there is no model that could show it, so it is told from the cells alone"
	case u.Never:
		return s + "; claimed never to occur, and no model comes there"
	case u.Aside:
		return s + "; met only in states that the other table can't be in"
	}
	return s + "; no model comes there, so it is told from the cells alone"
}

// paper says what the rows do that differ, where nothing else shows it.
func (u *Unseen) paper() []string {
	if u.Reached {
		return nil
	}
	var out []string
	for _, a := range u.Was {
		out = append(out, "before: "+a.say()+when(a.When))
	}
	for _, a := range u.Is {
		out = append(out, "after:  "+a.say()+when(a.When))
	}
	return out
}
