package lanes_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/session"
	"github.com/interlock-go/interlock/lanes"
)

func directory(name string) lanes.Key { return lanes.Key{Machine: "session", Name: name} }

// What is in a store is read by later versions: it changes on purpose only.
func TestSessionRecordsAreStable(t *testing.T) {
	memory := lanes.NewMemory(epoch)
	now := epoch
	s := openSessions(t, lanes.Config{Store: bySwap{memory}, Clock: manual{&now}})
	s.InProcess("one")
	wants := func(want string) {
		t.Helper()
		r, err := memory.Load(bg, directory(dir))
		if err != nil {
			t.Fatal(err)
		}
		got := string(r.Data)
		for _, k := range []string{`"flying":[`, `"waiter":`} { // numbers of this process
			if before, after, found := strings.Cut(got, k); found {
				got = before + k + "N" + strings.TrimLeft(after, "0123456789")
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	lease := mustBegin(t, s, "a")
	wants(`{"format":1,"process":"one","now":1700000000,"sessions":{"a":{"state":"starting","run":0,"label":"turn","since":1700000000,"due":1700000030}}}`)
	now = now.Add(time.Second / 2)
	mustSend(t, s, lease)
	wants(`{"format":1,"process":"one","epoch":1700000000,"now":1700000000.5,"sessions":{"a":{"state":"starting","run":1,"label":"turn","sent":0,"since":1700000000,"due":1700000030.5,"grace":1700000030.5}}}`)
	p := startPoll(t, s)
	wants(`{"format":1,"process":"one","epoch":1700000000,"now":1700000000.5,"flying":[N],"sessions":{"a":{"state":"starting","run":1,"label":"turn","sent":2,"since":1700000000,"due":1700000030.5,"grace":1700000030.5}}}`)
	observe(t, p, list{"a": lanes.StatusBusy, "b": lanes.StatusRetry}, "a")
	wants(`{"format":1,"process":"one","epoch":1700000000,"now":1700000000.5,"settled":0,"shown":{"a":"busy","b":"retry"},"shown_at":1700000000.5,` +
		`"sessions":{"a":{"state":"running","run":1,"label":"turn","sent":2,"since":1700000000.5,"grace":1700000030.5}}}`)
	_, err := s.Abort(bg, lease, func(context.Context) error {
		wants(`{"format":1,"process":"one","epoch":1700000000,"now":1700000000.5,"settled":4,"shown":{"a":"busy","b":"retry"},"shown_at":1700000000.5,` +
			`"sessions":{"a":{"state":"completed","run":1,"label":"turn","ended":"stopped","late":3,"since":1700000000.5,"due":1700000600.5,"grace":1700000030.5,` +
			`"abort":0,"delivery":{"waiter":N,"timeout":1700000015.5,"grace":1700000030.5,"calling":true}}}}`)
		return errors.New("no route")
	})
	if err != nil {
		t.Fatal(err)
	}
	wants(`{"format":1,"process":"one","epoch":1700000000,"now":1700000000.5,"settled":4,"shown":{"a":"busy","b":"retry"},"shown_at":1700000000.5,` +
		`"sessions":{"a":{"state":"completed","run":1,"label":"turn","ended":"stopped","late":3,"since":1700000000.5,"due":1700000600.5,"grace":1700000030.5}}}`)
}

// A record that can't be read is an error of its own: never an unknown session,
// and never overwritten. Case 22: a state that the table doesn't have any more is
// told with the table.
func TestSessionCase22UnreadableRecords(t *testing.T) {
	onStores(t, func(t *testing.T, hide func(lanes.Store) lanes.Store) {
		memory := lanes.NewMemory(epoch)
		s := openSessions(t, lanes.Config{Store: hide(memory)})
		for i, data := range []string{
			"x", "null", "{}", "[]", `{"format":2}`, `{"format":1,"now":"x"}`, `{"format":1,"settled":-1}`, `{"format":1,"settled":18446744073709551615}`,
			`{"format":1,"now":1e9}`, `{"format":1,"now":0.0000000001}`, `{"format":1,"sessions":[]}`, `{"format":1,"sessions":{"a\n":{"state":"unknown"}}}`,
			`{"format":1,"sessions":{"a":{}}}`, `{"format":1,"sessions":{"a":{"state":"paused"}}}`, `{"format":1,"sessions":{"a":{"state":"starting"}}}`,
			`{"format":1,"sessions":{"a":{"state":"starting","run":1}}}`, `{"format":1,"sessions":{"a":{"state":"starting","run":1,"label":"a b"}}}`,
			`{"format":1,"sessions":{"a":{"state":"unknown","run":1,"label":"a"}}}`, `{"format":1,"sessions":{"a":{"state":"completed","run":1,"label":"a"}}}`,
			`{"format":1,"sessions":{"a":{"state":"running","run":1,"label":"a"}}}`, `{"format":1,"sessions":{"a":{"state":"completed","sent":3,"run":1,"label":"a","ended":"ended"}}}`,
			`{"format":1,"sessions":{"a":{"state":"completed","run":1,"label":"a","ended":"ended","abort":3}}}`,
			`{"format":1,"sessions":{"a":{"state":"completed","run":1,"label":"a","ended":"ended","late":9}}}`,
		} {
			if i == 12 { // a session that is nothing is none, and the table's first state
				continue
			}
			k := lanes.SessionKey{Directory: fmt.Sprint("d", i), Session: "a"}
			if _, err := memory.Swap(bg, lanes.Write{Key: directory(k.Directory), Data: []byte(data)}); err != nil {
				t.Fatal(err)
			}
			for what, call := range map[string]func() error{
				"begin":  func() error { _, err := s.Begin(bg, k, "run", true); return err },
				"delete": func() error { return s.Delete(bg, k) },
				"view":   func() error { _, err := s.View(bg, k); return err },
				"poll":   func() error { _, err := s.StartPoll(bg, k.Directory); return err },
			} {
				err := call()
				if no := (*lanes.Refusal)(nil); !errors.Is(err, lanes.ErrRecord) || errors.As(err, &no) {
					t.Errorf("%s of %s: %v", what, data, err)
				}
				var unknown *fsm.UnknownError
				if strings.Contains(data, "paused") && (!errors.As(err, &unknown) || unknown.Name != "paused" || unknown.Machine != "session" || unknown.Table == "") {
					t.Errorf("%s of %s: %v", what, data, err)
				}
			}
			if r, err := memory.Load(bg, directory(k.Directory)); err != nil || string(r.Data) != data {
				t.Errorf("%s became %s, %v", data, r.Data, err)
			}
		}
	})
}

// Case 48: a call that the store fails has done nothing, and works when it is
// made again. Of one whose result nobody knows the record says what became.
func TestSessionCase48AnUnreliableStore(t *testing.T) {
	const id = "a"
	failed, unsure, went := 0, 0, 0
	for seed := range uint64(60) {
		synctest.Test(t, func(t *testing.T) {
			store := newUnreliable(seed)
			s := openSessions(t, lanes.Config{Store: store, Sessions: refBounds})
			peer := openSessions(t, lanes.Config{Store: bySwap{store.Store}, Sessions: refBounds}) // of the same process, and it sees all well
			ref := &refDirectory{sessions: map[string]refSession{}}
			var lease lanes.SessionLease
			in, n := session.Lease(stranger), session.Run(0)
			version := func() lanes.Version {
				r, err := store.Store.Load(bg, directory(dir))
				if err != nil {
					t.Fatal(err)
				}
				return r.Version
			}
			do := func(what string, e session.Event, call func() error) bool {
				t.Helper()
				ref.pass(time.Now())
				after := ref.clone()
				row := after.send(id, e, time.Now())
				old := version()
				err := call()
				no := (*lanes.Refusal)(nil)
				got := sessionView(t, peer, id).State
				switch was, is := ref.view(dir, id).State, after.view(dir, id).State; {
				case errors.As(err, &no):
					if no.Row != row.Info().Name {
						t.Fatalf("seed %d: %s: %v; want %s", seed, what, err, row.Info().Name)
					}
				case errors.Is(err, lanes.ErrStoreUncertain):
					unsure++
					if got != was && got != is {
						t.Fatalf("seed %d: %s is uncertain, from %s to %s, and it is %s", seed, what, was, is, got)
					}
					if version() != old {
						ref = after
					}
					return false
				case err != nil:
					failed++
					if !errors.Is(err, errDown) || got != was {
						t.Fatalf("seed %d: %s: %v, and it is %s; was %s", seed, what, err, got, was)
					}
					return false
				default:
					went++
					if row.Info().Kind == fsm.Refuse || got != is {
						t.Fatalf("seed %d: %s: it is %s; want %s by %s", seed, what, got, is, row.Info().Name)
					}
					ref = after
				}
				return err == nil
			}
			for i := range 60 {
				switch store.draw() % 5 {
				case 0, 1:
					n++
					var got lanes.SessionLease
					if do("begin", session.Begin{Run: n, Lease: session.Lease(n), Confirmed: true}, func() (err error) { got, err = s.Begin(bg, inDir(id), "turn", true); return err }) {
						lease, in = got, session.Lease(n)
					}
				case 2:
					if !lease.IsZero() {
						do("sent", session.Sent{Lease: in, Asked: 1}, func() error { _, err := s.Sent(bg, lease); return err })
					}
				case 3:
					if !lease.IsZero() {
						do("promptFailed", session.PromptFailed{Lease: in}, func() error { _, err := s.PromptFailed(bg, lease); return err })
					}
				case 4:
					do("delete", session.Delete{}, func() error { return s.Delete(bg, inDir(id)) })
				}
				time.Sleep(time.Duration(i) * time.Second / 4)
			}
			store.soothe(true)
		})
	}
	if failed < 100 || unsure < 100 || went < 300 {
		t.Errorf("%d calls failed, of %d nobody knows, %d went well: that shows little", failed, unsure, went)
	}
}

// An abort whose answer the store may or may not have written still returns.
func TestSessionCase47AnAbortReturns(t *testing.T) {
	for _, written := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			store := &failing{Store: lanes.NewMemory(epoch), written: written}
			s := openSessions(t, lanes.Config{Store: store})
			id, _ := reach(t, s, "running")
			a := startAbort(t, s, id)
			a.returns(nil)
			lost := fmt.Errorf("the line went dead: %w", lanes.ErrStoreUncertain)
			store.err.Store(&lost)
			p := func() lanes.Poll { store.err.Store(nil); defer store.err.Store(&lost); return startPoll(t, s) }()
			if _, err := p.Observe(bg, list{}); !errors.Is(err, lanes.ErrStoreUncertain) {
				t.Fatal(err)
			}
			store.err.Store(nil)
			if !written {
				observe(t, p, list{}, id)
				a.wantAnswer(t, lanes.AbortObeyed, 1)
				return
			}
			time.Sleep(15 * time.Second)
			a.wantAnswer(t, lanes.AbortTimedOut, 1)
			mustBegin(t, s, id)
		})
	}
}

// Each list that was asked for and lost is let go of, though the store fails just
// then: the next step of the directory does it.
func TestSessionPollsLeaveNothingInAStore(t *testing.T) {
	memory := lanes.NewMemory(epoch)
	store := &failing{Store: memory}
	now := epoch
	s := openSessions(t, lanes.Config{Store: store, Clock: manual{&now}})
	startPoll(t, s)
	lost := fmt.Errorf("no answer: %w", lanes.ErrStoreUncertain)
	store.err.Store(&lost)
	if _, err := s.StartPoll(bg, dir); !errors.Is(err, lanes.ErrStoreUncertain) {
		t.Fatal(err)
	}
	for range 3 {
		collectGarbage()
		time.Sleep(10 * time.Millisecond)
	}
	store.err.Store(nil)
	for range 1000 {
		if memory.Names() == 0 {
			return
		}
		collectGarbage()
		sessionView(t, s, "a")
		time.Sleep(time.Millisecond)
	}
	r, err := memory.Load(bg, directory(dir))
	t.Fatalf("%s, %v", r.Data, err)
}

// A record of another process reads as unknown, and so does one that this process
// wrote in another epoch of the store: the next step takes its place.
func TestSessionRule10ARestartIsUnknown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := lanes.NewMemory(epoch)
		before, after := openSessions(t, lanes.Config{Store: bySwap{memory}}), openSessions(t, lanes.Config{Store: bySwap{memory}})
		before.InProcess("before")
		lease := mustBegin(t, before, "a")
		mustSend(t, before, lease)
		wantSession(t, after, "a", lanes.SessionUnknown)
		if r, err := memory.Load(bg, directory(dir)); err != nil || !strings.Contains(string(r.Data), "before") {
			t.Fatalf("a view changed the record: %s, %v", r.Data, err)
		}
		_, err := after.Sent(bg, lease)
		wantNo(t, after, "a", err, lanes.ErrLeaseNotCurrent, "sent.stale")
		_, err = after.Begin(bg, inDir("a"), "turn", false)
		wantNo(t, after, "a", err, lanes.ErrConfirmRequired, "begin.blind")
		mustBegin(t, after, "a")
		_, err = before.Sent(bg, lease)
		wantNo(t, before, "a", err, lanes.ErrLeaseNotCurrent, "sent.stale")
		wantSession(t, before, "a", lanes.SessionUnknown)
	})
}
