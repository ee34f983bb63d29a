package lanes_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/lanes"
)

// Every call with an argument that isn't one is refused with its name, before
// coordinator and session are looked at.
func TestQueueBadArguments(t *testing.T) {
	c, other := coordinator(t, lanes.QueueConfig{}), coordinator(t, lanes.QueueConfig{})
	theirs := mustSubmit(t, other, "s", "x")
	mine := mustSubmit(t, c, "s", "x")
	c.Close(bg, "")
	target := func(change func(*lanes.Target)) lanes.Target {
		to := aimed("s", "x")
		to.Reason = "r"
		change(&to)
		return to
	}
	request := func(change func(*lanes.Request)) lanes.Request {
		r := asks("s", "y")
		change(&r)
		return r
	}
	none := func(context.Context, lanes.Ticket) error { return nil }
	for _, r := range []struct {
		argument string
		call     func() error
	}{
		{"session", func() error {
			_, err := c.Submit(bg, request(func(r *lanes.Request) { r.Session = "\t " }))
			return err
		}},
		{"execution", func() error {
			_, err := c.Submit(bg, request(func(r *lanes.Request) { r.Execution = "\n" }))
			return err
		}},
		{"owner kind", func() error {
			_, err := c.Submit(bg, request(func(r *lanes.Request) { r.Owner.Kind = "" }))
			return err
		}},
		{"owner id", func() error {
			_, err := c.Submit(bg, request(func(r *lanes.Request) { r.Owner.ID = "\u2003" }))
			return err
		}},
		{"session", func() error { return c.Run(bg, lanes.Request{}, none) }},
		{"function", func() error { return c.Run(bg, asks("s", "y"), nil) }},
		{"timeout", func() error { return c.Run(bg, request(func(r *lanes.Request) { r.Timeout = -1 }), none) }},
		{"ticket", func() error { return c.Wait(bg, lanes.Ticket{}) }},
		{"timeout", func() error { return c.WaitFor(bg, mine, -time.Second) }},
		{"ticket", func() error { _, err := c.WaitEnd(bg, lanes.Ticket{}); return err }},
		{"timeout", func() error { _, err := c.WaitEndFor(bg, mine, -1); return err }},
		{"ticket", func() error { _, err := c.Complete(bg, lanes.Ticket{}); return err }},
		{"ticket", func() error { _, err := c.Fail(bg, lanes.Ticket{}, nil); return err }},
		{"session", func() error { return c.CancelQueued(bg, target(func(to *lanes.Target) { to.Session = "" })) }},
		{"execution", func() error { return c.CancelQueued(bg, target(func(to *lanes.Target) { to.Execution = " " })) }},
		{"owner kind", func() error { return c.CancelQueued(bg, target(func(to *lanes.Target) { to.Owner = lanes.Owner{} })) }},
		{"owner id", func() error {
			_, err := c.Interrupt(bg, target(func(to *lanes.Target) { to.Owner.ID = " " }))
			return err
		}},
		{"execution", func() error { return c.ForceEnd(bg, target(func(to *lanes.Target) { to.Execution = "" })) }},
		{"reason", func() error { return c.ForceEnd(bg, target(func(to *lanes.Target) { to.Reason = "" })) }},
		{"session", func() error { _, err := c.CloseSession(bg, "", ""); return err }},
		{"session", func() error { _, err := c.CleanupSession(bg, " ", ""); return err }},
		{"session", func() error { _, err := c.Snapshot(bg, ""); return err }},
		{"buffer", func() error { _, err := c.Subscribe(bg, lanes.SubscribeOptions{Buffer: -1}); return err }},
		{"sink", func() error { _, err := c.SubscribeFunc(bg, lanes.SubscribeOptions{}, nil); return err }},
	} {
		if no := wantRefusal(t, r.call(), lanes.ErrInvalidArgument, "shell.argument"); no.Argument != r.argument || !strings.Contains(no.Error(), r.argument) {
			t.Errorf("got %v; want argument %s", no, r.argument)
		}
	}
	for name, call := range map[string]func() error{
		"Wait":     func() error { return c.Wait(bg, theirs) },
		"WaitFor":  func() error { return c.WaitFor(bg, theirs, 0) },
		"WaitEnd":  func() error { _, err := c.WaitEnd(bg, theirs); return err },
		"Complete": func() error { _, err := c.Complete(bg, theirs); return err },
		"Fail":     func() error { _, err := c.Fail(bg, theirs, nil); return err },
	} {
		wantRefusal(t, call(), lanes.ErrForeignTicket, "shell.ticket")
		if v := theirs.View(); v.State != lanes.TicketRunning || v.CancelRequested {
			t.Errorf("%s: another coordinator's ticket is %+v", name, v)
		}
	}
}

// The calls that end or close something are done under a context that has ended.
func TestQueueEndsUnderAnEndedContext(t *testing.T) {
	c := coordinator(t, lanes.QueueConfig{})
	done := ended(t)
	a, b, d := mustSubmit(t, c, "s", "a"), mustSubmit(t, c, "s", "b"), mustSubmit(t, c, "s", "d")
	if err := c.CancelQueued(done, aimed("s", "d")); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Complete(done, a); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Fail(done, b, nil); err != nil {
		t.Fatal(err)
	}
	wantState(t, a, lanes.TicketCompleted, b, lanes.TicketFailed, d, lanes.TicketCancelled)
	if _, err := c.CloseSession(done, "s", ""); err != nil {
		t.Fatal(err)
	}
	if s, err := c.Snapshot(done, "s"); err != nil || !s.Closed {
		t.Fatalf("%+v, %v", s, err)
	}
	if _, err := c.CleanupSession(done, "s", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Close(done, ""); err != nil {
		t.Fatal(err)
	}
}

// The zero Ticket, its copies and those of a manager that was closed.
func TestQueueHandles(t *testing.T) {
	var zero lanes.Ticket
	if !zero.IsZero() || zero.Session() != "" || zero.Execution() != "" || zero.Owner() != (lanes.Owner{}) || zero.Serial() != 0 ||
		zero.String() != "ticket()" || !zero.Equal(lanes.Ticket{}) || zero.Cancelled() != nil || zero.View().Position != lanes.NoPosition {
		t.Errorf("the zero Ticket is %v", zero)
	}
	if _, requested := zero.CancelRequested(); requested {
		t.Error("the zero Ticket is told to stop")
	}
	m, err := lanes.Open(lanes.Config{})
	if err != nil {
		t.Fatal(err)
	}
	c := m.Coordinator()
	a := mustSubmit(t, c, "s", "a")
	same := a
	if !same.Equal(a) || same.IsZero() || same.Owner() != agent || same.String() != "ticket(s/a)" {
		t.Errorf("a copy is %v", same)
	}
	for range 2 {
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
	_, err = c.Submit(bg, asks("s", "b"))
	if no := wantRefusal(t, err, lanes.ErrCoordinatorClosed, "submit.shut"); no.Reason != "coordinator closed" {
		t.Errorf("got %+v", no)
	}
	<-a.Cancelled()
	if e := mustComplete(t, c, same); e.State != lanes.TicketCancelled || e.Already {
		t.Errorf("got %+v", e)
	}
	if e := mustComplete(t, c, a); !e.Already {
		t.Errorf("got %+v", e)
	}
	if lease := mustClaim(t, m.Projects(), "p", "run"); lease.IsZero() {
		t.Error("no lease")
	}
}

// Whoever changes what it gave or got changes nothing of a ticket.
func TestQueueIdentityNeverChanges(t *testing.T) {
	c := coordinator(t, lanes.QueueConfig{Replay: 10})
	r := asks("s", "x")
	r.ResourceKeys, r.Metadata = []string{"gpu"}, map[string]string{"k": "v"}
	ticket, err := c.Submit(bg, r)
	if err != nil {
		t.Fatal(err)
	}
	want := ticket.View()
	spoil := func(v *lanes.TicketView) {
		v.ResourceKeys[0], v.Metadata["k"], v.Owner.ID = "changed", "changed", "changed"
	}
	var stop sync.WaitGroup
	done := make(chan struct{})
	stop.Go(func() { // its caller keeps changing it
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			default:
				r.Metadata["k"], r.ResourceKeys[0] = fmt.Sprint(i), fmt.Sprint(i)
			}
		}
	})
	for range 100 {
		v, s := ticket.View(), snapshot(t, c, "s")
		spoil(&v)
		spoil(s.Owner)
		for all := range c.Snapshots(bg) {
			spoil(all.Owner)
		}
		events, err := c.Subscribe(bg, lanes.SubscribeOptions{Replay: true})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for e := range events.Events() {
			if e.Ticket != nil {
				if e.Ticket.Metadata["k"] != "v" {
					t.Fatalf("got %+v", e.Ticket)
				}
				spoil(e.Ticket)
			}
			if e.Snapshot != nil {
				spoil(e.Snapshot.Owner)
			}
			if n++; n == 4 {
				break
			}
		}
		events.Close()
		if diff := cmp.Diff(want, ticket.View()); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	}
	close(done)
	stop.Wait()
}

// Strings of a megabyte, and such as aren't text, are ids as any other; of one
// with much space around it only the rest is kept.
func TestQueueStrangeStrings(t *testing.T) {
	c := coordinator(t, lanes.QueueConfig{})
	long := strings.Repeat("x", 1<<20)
	for _, id := range []string{long, "\xff\xfe", "a\x00b", "日本語", "ѕ", "s/../t", `"`, "a b"} {
		r := lanes.Request{Session: id, Execution: id, Owner: lanes.Owner{Kind: id, ID: id}, Metadata: map[string]string{id: id}}
		ticket, err := c.Submit(bg, r)
		if err != nil {
			t.Fatal(err)
		}
		if v := ticket.View(); v.Session != id || v.Execution != id || v.Owner.Kind != id || v.Owner.ID != id || v.Metadata[id] != id {
			t.Fatalf("%.20q isn't kept", id)
		}
		if _, err := c.Interrupt(bg, lanes.Target{Session: id, Execution: id + "\n", Owner: r.Owner, Reason: id}); err != nil {
			t.Fatal(err)
		}
		if data, err := json.Marshal(snapshot(t, c, id)); err != nil || !json.Valid(data) {
			t.Fatalf("JSON of %.20q: %v", id, err)
		}
		mustComplete(t, c, ticket)
	}
	c.CleanupSession(bg, long, "")
	before := heap()
	for i := range 20 {
		mustSubmit(t, c, strings.Repeat(" ", 1<<20)+fmt.Sprint("trimmed", i), strings.Repeat("\t", 1<<18)+"x")
	}
	if after := heap(); after > before+1<<20 {
		t.Errorf("%d bytes are kept of 20 short ids", after-before)
	}
}

// Two owners whose kind and id run together are two.
func TestQueueOwnersAreApart(t *testing.T) {
	for _, o := range [][2]lanes.Owner{
		{{Kind: "ab", ID: "c"}, {Kind: "a", ID: "bc"}}, {{Kind: "1", ID: ":x"}, {Kind: "1:", ID: "x"}}, {{Kind: "a\x00", ID: "b"}, {Kind: "a", ID: "\x00b"}},
		{{Kind: "a", ID: "A"}, {Kind: "a", ID: "а"}}, {{Kind: "agent"}, {Kind: "agent", ID: "Agent"}},
	} {
		c := coordinator(t, lanes.QueueConfig{})
		ticket, err := c.Submit(bg, lanes.Request{Session: "s", Execution: "x", Owner: o[0]})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Interrupt(bg, lanes.Target{Session: "s", Execution: "x", Owner: o[1]})
		wantRefusal(t, err, lanes.ErrNotOwner, "interrupt.notOwner")
		if _, err := c.Interrupt(bg, lanes.Target{Session: "s", Execution: "x", Owner: ticket.Owner()}); err != nil {
			t.Fatal(err)
		}
	}
}

// Calls from inside of Run: of any session, and of its own.
func TestQueueCallsFromInsideRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := coordinator(t, lanes.QueueConfig{})
		nothing := func(context.Context, lanes.Ticket) error { return nil }
		err := c.Run(bg, asks("s", "a"), func(_ context.Context, own lanes.Ticket) error {
			if err := c.Run(bg, asks("t", "a"), nothing); err != nil {
				t.Error(err)
			}
			inner := asks("s", "b")
			inner.Timeout = time.Second
			wantWait(t, c.Run(bg, inner, nothing), lanes.ErrAdmissionTimedOut, "admission timed out")
			if _, err := c.WaitEndFor(bg, own, time.Second); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v", err)
			}
			if e := mustComplete(t, c, own); e.State != lanes.TicketCompleted {
				t.Errorf("got %+v", e)
			}
			return errors.New("too late to fail")
		})
		if err == nil || err.Error() != "too late to fail" {
			t.Fatalf("got %v", err)
		}
		if s := snapshot(t, c, "s"); s.Owner != nil || s.Queue != nil {
			t.Fatalf("got %+v", s)
		}
	})
}

func TestQueueNothingShowsTheToken(t *testing.T) {
	type hidden struct {
		name   string
		ticket lanes.Ticket
	}
	values := func(x lanes.Ticket) []any {
		return []any{
			x, &x, hidden{"x", x}, &hidden{"x", x}, []hidden{{"x", x}}, map[string]hidden{"x": {"x", x}}, []lanes.Ticket{x},
			map[string]lanes.Ticket{"x": x}, struct{ any }{x}, struct {
				Ticket  lanes.Ticket
				Pointer *lanes.Ticket
				Any     any
			}{x, nil, x},
		}
	}
	render := func(x lanes.Ticket) map[string]string {
		out := map[string]string{}
		for i, v := range values(x) {
			for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x", "%X", "%t", "%c", "%e", "%p", "%10v", "%w", "%!"} {
				if k := reflect.TypeOf(v).Kind(); verb == "%p" && k != reflect.Struct {
					continue // the address of the caller's own value
				}
				out[fmt.Sprint(i, verb)] = fmt.Sprintf(verb, v)
			}
			data, err := json.Marshal(v)
			out[fmt.Sprint(i, "json")] = fmt.Sprintf("%s %v", data, err)
			data, err = xml.Marshal(v)
			out[fmt.Sprint(i, "xml")] = fmt.Sprintf("%s %v", data, err)
			var b bytes.Buffer
			slog.New(slog.NewTextHandler(&b, noTime)).Info("m", "v", v)
			slog.New(slog.NewJSONHandler(&b, noTime)).Info("m", "v", v)
			out[fmt.Sprint(i, "slog")] = b.String()
		}
		return out
	}
	first := render(mustSubmit(t, coordinator(t, lanes.QueueConfig{}), "chat", "run7"))
	second := render(mustSubmit(t, coordinator(t, lanes.QueueConfig{}), "chat", "run7"))
	if diff := cmp.Diff(first, second); diff != "" {
		t.Fatalf("two tickets with the same ids can be told apart:\n%s", diff)
	}
	for how, s := range first {
		if strings.Contains(s, "0xc0") {
			t.Errorf("%s shows an address: %s", how, s)
		}
	}
	for verb, want := range map[string]string{"0%v": "ticket(chat/run7)", "0%#v": "ticket(chat/run7)", "0json": `{"session_id":"chat","execution_id":"run7"} <nil>`} {
		if first[verb] != want {
			t.Errorf("%s: %s; want %s", verb, first[verb], want)
		}
	}
	var decoded lanes.Ticket
	if err := json.Unmarshal([]byte(`{"session_id":"chat","execution_id":"run7"}`), &decoded); err != nil || !decoded.IsZero() {
		t.Errorf("decoded %v, %v", decoded, err)
	}
}
