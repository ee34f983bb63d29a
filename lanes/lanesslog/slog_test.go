package lanesslog_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/lanes"
	"github.com/interlock-go/interlock/lanes/lanesslog"
)

func TestSink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, err := lanes.Open(lanes.Config{})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		c := m.Coordinator()
		var all, few bytes.Buffer
		for _, to := range []struct {
			out   *bytes.Buffer
			level slog.Level
		}{{&all, slog.LevelDebug}, {&few, slog.LevelWarn}} {
			h := slog.NewTextHandler(to.out, &slog.HandlerOptions{Level: to.level})
			if _, err := c.SubscribeFunc(t.Context(), lanes.SubscribeOptions{}, lanesslog.Sink(slog.New(h))); err != nil {
				t.Fatal(err)
			}
		}
		ctx := context.Background()
		owner := lanes.Owner{Kind: lanes.OwnerAgent, ID: "a1"}
		ticket, err := c.Submit(ctx, lanes.Request{Session: "s", Execution: "x", Owner: owner})
		if err != nil {
			t.Fatal(err)
		}
		c.Fail(ctx, ticket, errors.New("out of memory"))
		c.Submit(ctx, lanes.Request{Session: "s", Execution: "y", Owner: owner})
		synctest.Wait()
		all.Reset()
		c.ForceEnd(ctx, lanes.Target{Session: "s", Execution: "y", Reason: "hangs"})
		synctest.Wait()
		const at = "time=2000-01-01T00:00:00.000Z "
		want := []string{
			at + "level=WARN msg=execution_force_ended seq=12 session_id=s execution_id=y owner.kind=agent owner.id=a1 status=running serial=2 queue_position=0 reason=hangs",
			at + "level=INFO msg=execution_ticket_state seq=13 session_id=s execution_id=y owner.kind=agent owner.id=a1 status=cancelled serial=2 reason=hangs",
			at + "level=INFO msg=execution_owner_changed seq=14 session_id=s previous_execution_id=y previous_owner.kind=agent previous_owner.id=a1 reason=cancelled",
			at + "level=DEBUG msg=execution_queue_changed seq=15 session_id=s closed=false queued_count=0 active_count=0",
		}
		utc := strings.ReplaceAll(all.String(), "time=2000-01-01T00:00:00.000+00:00", "time=2000-01-01T00:00:00.000Z")
		if diff := cmp.Diff(want, strings.Split(strings.TrimSpace(utc), "\n")); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if n := strings.Count(few.String(), "\n"); n != 1 {
			t.Errorf("%d warnings: %s", n, few.String())
		}
	})
}

// The error text of a failed ticket, and events that are missing, are logged.
func TestSinkTellsOfFailuresAndGaps(t *testing.T) {
	var out bytes.Buffer
	sink := lanesslog.Sink(slog.New(slog.NewTextHandler(&out, nil)))
	sink(lanes.Event{Type: lanes.EventTicketState, Seq: 1, Session: "s", Ticket: &lanes.TicketView{
		Execution: "x", State: lanes.TicketFailed, Error: "out of memory", Position: lanes.NoPosition,
	}})
	sink(lanes.Event{Type: lanes.EventEventsDropped, Seq: 9, Dropped: 8})
	for _, want := range []string{`error="out of memory"`, "level=WARN msg=execution_events_dropped seq=9 count=8"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in:\n%s", want, out.String())
		}
	}
}
