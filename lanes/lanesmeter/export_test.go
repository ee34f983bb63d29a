package lanesmeter

import "github.com/interlock-go/interlock/lanes"

// Tell has r see events that no coordinator sent.
func Tell(r Recorder, events ...lanes.Event) {
	w := &watch{recorder: r, busy: map[string]depth{}}
	for _, e := range events {
		w.see(e)
	}
}
