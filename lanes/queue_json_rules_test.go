package lanes_test

import (
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/lanes"
)

// wantJSON fails unless v is that in JSON.
func wantJSON(t *testing.T, v any, want string) {
	t.Helper()
	got, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// next returns the next event, within a bubble.
func (l *listener) next() lanes.Event {
	synctest.Wait()
	e := l.events[0]
	l.events = l.events[1:]
	return e
}

func TestQueueRule16JSON(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		show := func(v any, want string) { t.Helper(); wantJSON(t, v, want) }
		c := coordinator(t, lanes.QueueConfig{})
		events := listen(t, c, lanes.SubscribeOptions{})
		nth := events.next
		a := mustSubmit(t, c, "s", "a")
		const running = `"execution_id":"a","session_id":"s","root_frame_id":"s","branch_id":null,"owner":{"kind":"agent","id":"a1"},"language":null,` +
			`"generation_id":null,"resource_keys":null,"status":"running","queued_at":946684800,"started_at":946684800,"finished_at":null,` +
			`"cancel_requested":false,"cancel_reason":null,"error":null,"reported":null,"serial":1,"queue_position":0`
		show(a.View(), "{"+running+"}")
		nth()
		show(nth(), `{"type":"execution_ticket_state","at":946684800,"seq":2,`+running+`}`)
		show(nth(), `{"type":"execution_owner_changed","at":946684800,"seq":3,"session_id":"s","root_frame_id":"s","previous_execution_id":null,`+
			`"previous_owner":null,"execution_id":"a","owner":{"kind":"agent","id":"a1"},"reason":"admitted"}`)
		const picture = `"session_id":"s","root_frame_id":"s","closed":false,"close_reason":null,"owner":{` + running + `},"queue":[],"queued_count":0,"active_count":1`
		show(nth(), `{"type":"execution_queue_changed","at":946684800,"seq":4,`+picture+`}`)
		show(snapshot(t, c, "s"), "{"+picture+"}")

		time.Sleep(1500 * time.Millisecond)
		b, err := c.Submit(bg, lanes.Request{
			Session: "s", Execution: "b", Owner: lanes.Owner{Kind: "system"}, Branch: "main", Language: "go", Generation: "g",
			ResourceKeys: []string{"gpu"}, Metadata: map[string]string{"k": "v"},
		})
		if err != nil {
			t.Fatal(err)
		}
		const fields = `"execution_id":"b","session_id":"s","root_frame_id":"s","branch_id":"main","owner":{"kind":"system","id":"system"},` +
			`"language":"go","generation_id":"g","resource_keys":["gpu"],"status":`
		show(b.View(), `{`+fields+`"queued","queued_at":946684801.5,"started_at":null,"finished_at":null,"cancel_requested":false,`+
			`"cancel_reason":null,"error":null,"reported":null,"serial":2,"queue_position":1,"metadata":{"k":"v"}}`)
		events.take()
		c.Interrupt(bg, aimed("s", "a"))
		show(nth(), `{"type":"execution_interrupt_requested","at":946684801.5,"seq":7,"session_id":"s","root_frame_id":"s","execution_id":"a",`+
			`"owner":{"kind":"agent","id":"a1"},"status":"running","reason":"interrupt requested by owner"}`)
		nth()
		c.Fail(bg, a, errors.New("broken"))
		show(nth(), `{"type":"execution_ticket_state","at":946684801.5,"seq":9,"execution_id":"a","session_id":"s","root_frame_id":"s","branch_id":null,`+
			`"owner":{"kind":"agent","id":"a1"},"language":null,"generation_id":null,"resource_keys":null,"status":"cancelled",`+
			`"queued_at":946684800,"started_at":946684800,"finished_at":946684801.5,"cancel_requested":true,`+
			`"cancel_reason":"interrupt requested by owner","error":null,"reported":{"status":"failed","error":"broken"},"serial":1,`+
			`"reason":"interrupt requested by owner"}`)
		show(nth(), `{"type":"execution_owner_changed","at":946684801.5,"seq":10,"session_id":"s","root_frame_id":"s","previous_execution_id":"a",`+
			`"previous_owner":{"kind":"agent","id":"a1"},"execution_id":null,"owner":null,"reason":"cancelled"}`)
		c.Fail(bg, b, nil)
		show(b.View(), `{`+fields+`"failed","queued_at":946684801.5,"started_at":946684801.5,"finished_at":946684801.5,"cancel_requested":false,`+
			`"cancel_reason":null,"error":"","reported":null,"serial":2,"metadata":{"k":"v"}}`)
	})
}

func TestQueueRule16JSONOfEndings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		show := func(v any, want string) { t.Helper(); wantJSON(t, v, want) }
		c := coordinator(t, lanes.QueueConfig{})
		events := listen(t, c, lanes.SubscribeOptions{})
		nth := events.next
		time.Sleep(1500 * time.Millisecond)
		d := mustSubmit(t, c, "s", "d")
		events.take()
		c.ForceEnd(bg, lanes.Target{Session: "s", Execution: "d", Reason: "hangs"})
		show(nth(), `{"type":"execution_force_ended","at":946684801.5,"seq":5,"session_id":"s","root_frame_id":"s","execution_id":"d",`+
			`"owner":{"kind":"agent","id":"a1"},"status":"running","reason":"hangs"}`)
		events.take()
		c.CleanupSession(bg, "s", "over")
		show(nth(), `{"type":"execution_session_closed","at":946684801.5,"seq":9,"session_id":"s","root_frame_id":"s","reason":"over"}`)
		nth()
		show(nth(), `{"type":"execution_session_forgotten","at":946684801.5,"seq":11,"session_id":"s","root_frame_id":"s"}`)
		c.Close(bg, "night")
		show(nth(), `{"type":"execution_coordinator_closed","at":946684801.5,"seq":12,"reason":"night"}`)
		show(lanes.Event{Type: lanes.EventEventsDropped, Seq: 9, At: time.Unix(0, 1), Dropped: 3},
			`{"type":"execution_events_dropped","at":0.000000001,"seq":9,"count":3}`)
		show(lanes.Event{Type: lanes.EventEventsDropped, At: time.Unix(-1, 5e8)}, `{"type":"execution_events_dropped","at":-0.5,"seq":0,"count":0}`)
		show(lanes.Event{Type: lanes.EventEventsDropped, At: time.Unix(-3, 25e7)}, `{"type":"execution_events_dropped","at":-2.75,"seq":0,"count":0}`)
		show(snapshot(t, c, "s"), `{"session_id":"s","root_frame_id":"s","closed":true,"close_reason":"night","owner":null,"queue":[],"queued_count":0,"active_count":0}`)
		show(d, `{"session_id":"s","execution_id":"d"}`)
		_, err := c.Submit(bg, asks("s", "x"))
		show(err, `{"code":"COORDINATOR_CLOSED","message":"the coordinator takes no more work","machine":"queue","row":"submit.shut","reason":"night"}`)
	})
}
