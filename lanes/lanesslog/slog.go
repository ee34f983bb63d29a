// Package lanesslog logs the events of a coordinator with log/slog.
package lanesslog

import (
	"context"
	"log/slog"

	"github.com/interlock-go/interlock/lanes"
)

// Sink returns a function for SubscribeFunc that logs each event to logger. The
// message is the event's type; the attributes are its number, session, tickets,
// owners and reason, under their names in JSON. Of a queue's picture only the
// counts and the one that runs are logged.
//
//	c.SubscribeFunc(ctx, lanes.SubscribeOptions{}, lanesslog.Sink(slog.Default()))
//
// Records have the event's own time. Dropped events and ends by force are
// warnings, queue pictures are for debugging, and the rest is information.
func Sink(logger *slog.Logger) func(lanes.Event) {
	return func(e lanes.Event) {
		ctx := context.Background()
		level := levelOf(e.Type)
		h := logger.Handler()
		if !h.Enabled(ctx, level) {
			return
		}
		r := slog.NewRecord(e.At, level, string(e.Type), 0)
		r.AddAttrs(attrs(e)...)
		h.Handle(ctx, r) // an error is the handler's: nobody waits for it here
	}
}

func levelOf(t lanes.EventType) slog.Level {
	switch t {
	case lanes.EventEventsDropped, lanes.EventForceEnded:
		return slog.LevelWarn
	case lanes.EventQueueChanged:
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

func attrs(e lanes.Event) []slog.Attr {
	all := []slog.Attr{slog.Uint64("seq", e.Seq)}
	if e.Session != "" {
		all = append(all, slog.String("session_id", e.Session))
	}
	if v := e.Previous; v != nil {
		all = append(all, slog.String("previous_execution_id", v.Execution), owner("previous_owner", v.Owner))
	}
	if v := e.Ticket; v != nil {
		all = append(all, slog.String("execution_id", v.Execution), owner("owner", v.Owner), slog.String("status", string(v.State)),
			slog.Uint64("serial", v.Serial))
		if v.Position != lanes.NoPosition {
			all = append(all, slog.Int("queue_position", v.Position))
		}
		if v.State == lanes.TicketFailed {
			all = append(all, slog.String("error", v.Error))
		}
	}
	if s := e.Snapshot; s != nil {
		active := 0
		if s.Owner != nil {
			active = 1
			all = append(all, slog.String("execution_id", s.Owner.Execution))
		}
		all = append(all, slog.Bool("closed", s.Closed), slog.Int("queued_count", len(s.Queue)), slog.Int("active_count", active))
	}
	if e.Reason != "" {
		all = append(all, slog.String("reason", e.Reason))
	}
	if e.Dropped > 0 {
		all = append(all, slog.Uint64("count", e.Dropped))
	}
	return all
}

func owner(name string, o lanes.Owner) slog.Attr {
	return slog.Group(name, slog.String("kind", o.Kind), slog.String("id", o.ID))
}
