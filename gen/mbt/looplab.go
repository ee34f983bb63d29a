package mbt

import (
	"context"
	"fmt"

	looplab "github.com/looplab/fsm"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/spec"
)

// Looplab is a generated definition for looplab/fsm: the functions of its
// package.
type Looplab struct {
	New     func(looplab.Callbacks) *looplab.FSM
	Fire    func(ctx context.Context, f *looplab.FSM, event string, args ...any) (moved bool, err error)
	Event   func(row string) string
	Decides func(event, state string) bool
}

// follow lets f take a step that the table decided, and reports where f does
// otherwise. What the control state doesn't decide is refused by guards, before
// anything is fired; the same goes for values outside their types.
func (l *Looplab) follow(t *spec.Table, f *looplab.FSM, d decision, from, to string) error {
	if d.row == nil {
		return nil
	}
	ctx, event := context.Background(), l.Event(d.info.Name)
	if d.info.Kind.Accepted() != (event != "") {
		return fmt.Errorf("%s has the event %q", say(d.info), event)
	}
	if event != "" {
		moved, err := l.Fire(ctx, f, event)
		if err != nil || moved != (from != to) || f.Current() != to {
			return fmt.Errorf("%s in %s leads to %s, moved: %v, error: %v; not to %s", event, from, f.Current(), moved, err, to)
		}
		return nil
	}
	if d.info.Kind == fsm.Internal || !l.Decides(d.event.Name, from) {
		return nil
	}
	for _, o := range decisions(t) {
		if o.event != d.event {
			continue
		}
		event := l.Event(o.info.Name)
		if event == "" {
			continue
		}
		if moved, err := l.Fire(ctx, f, event); err == nil || moved || f.Current() != from {
			return fmt.Errorf("%s in %s is taken, though %s", event, from, d.info.Name)
		}
	}
	return nil
}
