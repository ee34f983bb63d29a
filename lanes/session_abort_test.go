package lanes_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/interlock-go/interlock/lanes"
)

// The lease ends at once, before the server is told, and no run begins until
// that is answered.
func TestSessionRule03TheLeaseEndsAtOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		id, lease := reach(t, s, "running")
		got, err := s.AbortSession(bg, inDir(id), func(context.Context) error {
			v := sessionView(t, s, id)
			if v.State != lanes.SessionCompleted || v.Abortable || !v.AbortPending || !v.NeedsConfirmation || !strings.Contains(v.Why, "abort") {
				t.Errorf("while the server is told the view is %+v", v)
			}
			_, err := s.Begin(bg, inDir(id), "next", true)
			wantNo(t, s, id, err, lanes.ErrAbortPending, "begin.pending")
			_, err = s.Sent(bg, lease)
			wantNo(t, s, id, err, lanes.ErrLeaseNotCurrent, "sent.stale")
			// It survives a delete.
			if err := s.Delete(bg, inDir(id)); err != nil {
				t.Error(err)
			}
			_, err = s.Begin(bg, inDir(id), "next", true)
			wantNo(t, s, id, err, lanes.ErrAbortPending, "begin.pending")
			return errors.New("no route to host")
		})
		if err != nil || got.Answer != lanes.AbortFailed || got.Deliveries != 1 || got.Err == nil {
			t.Fatalf("%+v, %v", got, err)
		}
		mustBegin(t, s, id)
	})
}

// abortion is an abort that is under way. Its deliveries wait until they are
// told to return.
type abortion struct {
	called chan struct{}
	let    chan error
	result chan lanes.Aborted
}

func startAbort(t *testing.T, s *lanes.Sessions, id string) *abortion {
	a := &abortion{make(chan struct{}, 100), make(chan error), make(chan lanes.Aborted, 1)}
	go func() {
		got, err := s.AbortSession(bg, inDir(id), func(ctx context.Context) error {
			a.called <- struct{}{}
			select {
			case err := <-a.let:
				return err
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		})
		if err != nil {
			t.Error(err)
		}
		a.result <- got
	}()
	synctest.Wait()
	return a
}

// returns lets a delivery return.
func (a *abortion) returns(err error) {
	a.let <- err
	synctest.Wait()
}

// wantAnswer fails unless the abort has returned with that answer; pending for
// an empty one.
func (a *abortion) wantAnswer(t *testing.T, want lanes.AbortAnswer, deliveries int) {
	t.Helper()
	synctest.Wait()
	select {
	case got := <-a.result:
		if got.Answer != want || got.Deliveries != deliveries {
			t.Fatalf("%+v; want %q after %d deliveries", got, want, deliveries)
		}
	default:
		if want != "" {
			t.Fatalf("the abort is pending; want %s", want)
		}
		if n := len(a.called); n != deliveries {
			t.Fatalf("%d deliveries; want %d", n, deliveries)
		}
	}
}

func TestSessionRule03AbortsAreRepeatedUntilObeyed(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		id, _ := reach(t, s, "starting sent")
		early := startPoll(t, s)
		a := startAbort(t, s, id)
		during := startPoll(t, s)
		a.returns(nil)
		a.wantAnswer(t, "", 1)
		// Lists that were asked for before the server was told say nothing.
		observe(t, early, list{}, id)
		a.wantAnswer(t, "", 1)
		observe(t, during, list{}, id)
		a.wantAnswer(t, "", 1)
		// One that shows it neither; the next delivery is a second after the first.
		show(t, s, id, lanes.StatusBusy)
		time.Sleep(time.Second - 1)
		a.wantAnswer(t, "", 1)
		time.Sleep(1)
		a.wantAnswer(t, "", 2)
		// One that leaves it out, while another delivery is under way: that one
		// may still hit what runs next.
		show(t, s, id, lanes.StatusAbsent)
		a.wantAnswer(t, "", 2)
		_, err := s.Begin(bg, inDir(id), "next", true)
		wantNo(t, s, id, err, lanes.ErrAbortPending, "begin.pending")
		a.returns(nil)
		a.wantAnswer(t, lanes.AbortObeyed, 2)
		mustBegin(t, s, id)

		// Between two deliveries a list answers at once.
		id, _ = reach(t, s, "running")
		a = startAbort(t, s, id)
		a.returns(nil)
		show(t, s, id, lanes.StatusAbsent)
		a.wantAnswer(t, lanes.AbortObeyed, 1)
	})
}

func TestSessionRule03AbortsEndByGraceFailureAndTimeout(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		id, _ := reach(t, s, "starting sent")
		time.Sleep(28*time.Second + time.Second/2)
		a := startAbort(t, s, id)
		a.returns(nil)
		time.Sleep(time.Second)
		a.wantAnswer(t, "", 2)
		a.returns(nil)
		time.Sleep(time.Second/2 - 1)
		a.wantAnswer(t, "", 2)
		time.Sleep(1)
		a.wantAnswer(t, lanes.AbortGraceOver, 2)

		// Of a run that was sent long ago, one delivery will do.
		id, _ = reach(t, s, "running")
		time.Sleep(time.Hour)
		a = startAbort(t, s, id)
		a.wantAnswer(t, "", 1)
		a.returns(nil)
		a.wantAnswer(t, lanes.AbortGraceOver, 1)

		id, _ = reach(t, s, "running")
		a = startAbort(t, s, id)
		a.returns(nil)
		time.Sleep(time.Second)
		a.returns(errors.New("no route to host"))
		a.wantAnswer(t, lanes.AbortFailed, 2)

		id, _ = reach(t, s, "running")
		a = startAbort(t, s, id)
		time.Sleep(15*time.Second - 1)
		a.wantAnswer(t, "", 1)
		time.Sleep(1)
		a.wantAnswer(t, lanes.AbortTimedOut, 1)
	})
}

// A delivery that heeds nothing holds up nobody but who made it.
func TestSessionRule03ADeafDeliveryLeavesAWayOut(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		id, _ := reach(t, s, "running")
		deaf, got := make(chan struct{}), make(chan lanes.Aborted)
		go func() {
			a, _ := s.AbortSession(bg, inDir(id), func(context.Context) error { <-deaf; return nil })
			got <- a
		}()
		synctest.Wait()
		time.Sleep(15*time.Second - 1)
		_, err := s.Begin(bg, inDir(id), "next", true)
		wantNo(t, s, id, err, lanes.ErrAbortPending, "begin.pending")
		time.Sleep(1)
		mustBegin(t, s, id)
		// Its late answer is to an older abort.
		close(deaf)
		if a := <-got; a.Answer != lanes.AbortTimedOut {
			t.Fatalf("%+v", a)
		}
		wantSession(t, s, id, lanes.SessionStarting)
	})
}

// What comes late to an older abort answers no newer one.
func TestSessionRule03LateAnswersClearNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		for _, late := range []error{nil, errors.New("no route to host")} {
			id, _ := reach(t, s, "running")
			deaf := make(chan error)
			first := make(chan lanes.Aborted)
			go func() {
				a, _ := s.AbortSession(bg, inDir(id), func(context.Context) error { return <-deaf })
				first <- a
			}()
			synctest.Wait()
			time.Sleep(15 * time.Second)
			mustSend(t, s, mustBegin(t, s, id))
			second := startAbort(t, s, id)
			deaf <- late
			if a := <-first; a.Answer != lanes.AbortTimedOut || a.Err != nil {
				t.Fatalf("%+v", a)
			}
			second.wantAnswer(t, "", 1)
			_, err := s.Begin(bg, inDir(id), "next", true)
			wantNo(t, s, id, err, lanes.ErrAbortPending, "begin.pending")
			second.returns(nil)
			show(t, s, id, lanes.StatusAbsent)
			second.wantAnswer(t, lanes.AbortObeyed, 1)
		}
	})
}

// An abort that was accepted is seen through, whatever becomes of its caller.
func TestSessionRule03AbortsAreSeenThrough(t *testing.T) {
	inBubble(t, func(t *testing.T, s *lanes.Sessions) {
		id, _ := reach(t, s, "running")
		ctx, cancel := context.WithCancel(context.WithValue(bg, ctxKey{}, "value"))
		got, err := s.AbortSession(ctx, inDir(id), func(call context.Context) error {
			cancel()
			if call.Err() != nil || call.Value(ctxKey{}) != "value" {
				t.Error("the delivery's context ended with its caller's, or has lost its values")
			}
			show(t, s, id, lanes.StatusAbsent) // of the first delivery no evidence, but of the second
			return nil
		})
		if err != nil || got.Answer != lanes.AbortObeyed || got.Deliveries != 2 {
			t.Fatalf("%+v, %v", got, err)
		}

		id, _ = reach(t, s, "running")
		func() {
			defer func() {
				if recover() != "boom" {
					t.Error("the panic was lost")
				}
			}()
			s.AbortSession(bg, inDir(id), func(context.Context) error { panic("boom") })
		}()
		mustBegin(t, s, id)

		id, _ = reach(t, s, "retrying")
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			s.AbortSession(bg, inDir(id), func(context.Context) error { runtime.Goexit(); return nil })
		}()
		<-gone
		mustBegin(t, s, id)
	})
}

type ctxKey struct{}
