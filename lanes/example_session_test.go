package lanes_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/interlock-go/interlock/lanes"
)

// A run of a session, from a begin that has to be confirmed to its end.
func ExampleSessions() {
	ctx := context.Background()
	m, err := lanes.Open(lanes.Config{})
	if err != nil {
		log.Fatal(err)
	}
	sessions, key := m.Sessions(), lanes.SessionKey{Directory: "/src/web", Session: "ses_1"}

	_, err = sessions.Begin(ctx, key, "turn-1", false)
	if errors.Is(err, lanes.ErrConfirmRequired) {
		fmt.Println("may something run there?")
	}
	lease, err := sessions.Begin(ctx, key, "turn-1", true) // a person said: continue here
	if err != nil {
		log.Fatal(err)
	}
	if note, err := sessions.Sent(ctx, lease); err != nil || note != "" {
		log.Fatal(err) // nothing is sent
	}
	// ... the prompt is sent here. Later, what does the server say?

	for _, list := range []map[string]lanes.Status{
		{},                          // it isn't at work yet
		{"ses_1": lanes.StatusBusy}, // it is
		{},                          // it has ended
	} {
		poll, err := sessions.StartPoll(ctx, "/src/web")
		if err != nil {
			log.Fatal(err)
		}
		seen, err := poll.Observe(ctx, list)
		if err != nil {
			log.Fatal(err)
		}
		for _, s := range seen.Sessions {
			fmt.Printf("%s -> %s %q\n", s.Status, s.State, s.Note)
		}
	}

	// Output:
	// may something run there?
	// absent -> starting "ABSENCE_IS_NO_EVIDENCE"
	// busy -> running ""
	// absent -> completed ""
}

// A stop button knows no lease. The run's lease ends before the server is told.
func ExampleSessions_AbortSession() {
	ctx := context.Background()
	m, err := lanes.Open(lanes.Config{})
	if err != nil {
		log.Fatal(err)
	}
	sessions, key := m.Sessions(), lanes.SessionKey{Directory: "/src/web", Session: "ses_1"}
	lease, err := sessions.Begin(ctx, key, "turn-1", true)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := sessions.Sent(ctx, lease); err != nil {
		log.Fatal(err)
	}

	done, err := sessions.AbortSession(ctx, key, func(ctx context.Context) error {
		_, err := sessions.Begin(ctx, key, "turn-2", true)
		fmt.Println("meanwhile:", err)
		return errors.New("the server is down")
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(done.Answer, done.Err)

	// Output:
	// meanwhile: lanes: begin refused: ABORT_PENDING: an abort is still on its way, and may hit what runs next
	// failed the server is down
}
