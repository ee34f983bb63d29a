package lanes_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/interlock-go/interlock/lanes"
)

// nightly is a run that owns a project, and works in turns with an agent server.
type nightly struct {
	manager *lanes.Manager
	prompt  func(ctx context.Context, session, text string) error      // the agent server's call
	list    func(ctx context.Context) (map[string]lanes.Status, error) // its list of those that aren't idle
	confirm func(ctx context.Context, why string) (yes bool)           // asks a person
}

// work owns the project while its turns run, and frees it whatever happens.
func (n *nightly) work(ctx context.Context, project, run string, texts []string) (r lanes.Receipt, err error) {
	lease, err := n.manager.Projects().Claim(ctx, project, run)
	if err != nil {
		return lanes.Receipt{}, err // errors.Is(err, lanes.ErrProjectBusy): the refusal says who has it
	}
	outcome := lanes.OutcomeNeedsReview // of a panic, nobody knows
	defer func() {
		var failed error
		r, failed = n.manager.Projects().Release(context.WithoutCancel(ctx), lease, outcome)
		err = errors.Join(err, failed)
	}()
	outcome = lanes.OutcomeSucceeded
	for _, text := range texts {
		err := n.manager.Coordinator().Run(ctx, lanes.Request{
			Session: "chat-7",
			Owner:   lanes.Owner{Kind: lanes.OwnerAgent, ID: run},
		}, func(ctx context.Context, t lanes.Ticket) error {
			return n.turn(ctx, fmt.Sprintf("%s.%d", run, t.Serial()), text)
		})
		if err != nil {
			outcome = lanes.OutcomeFailed
			return lanes.Receipt{}, err
		}
	}
	return lanes.Receipt{}, nil
}

// turn prompts the agent server's session, and returns once a list has shown
// that the run has ended.
func (n *nightly) turn(ctx context.Context, run, text string) error {
	sessions, key := n.manager.Sessions(), lanes.SessionKey{Directory: "/src/web", Session: "ses_1"}
	view, err := sessions.View(ctx, key)
	if err != nil {
		return err
	}
	lease, err := sessions.Begin(ctx, key, run, n.confirm(ctx, view.Why))
	if err != nil {
		return err
	}
	note, err := sessions.Sent(ctx, lease)
	if err == nil && note != "" {
		return fmt.Errorf("nothing is sent again: %s", note)
	}
	if err == nil {
		err = n.prompt(ctx, key.Session, text)
	}
	if err != nil {
		sessions.PromptFailed(context.WithoutCancel(ctx), lease)
		return err
	}
	// A program that heeds interrupts polls on a goroutine of its own, and calls
	// Abort here once ctx ends.
	for ; ; time.Sleep(time.Millisecond) {
		poll, err := sessions.StartPoll(ctx, key.Directory)
		if err != nil {
			return err
		}
		if list, err := n.list(ctx); err == nil { // of a list that failed nothing is told
			if _, err := poll.Observe(ctx, list); err != nil {
				return err
			}
		}
		if view, err = sessions.View(ctx, key); err != nil {
			return err
		}
		if !view.Abortable {
			fmt.Println(run, view.State, view.Ended)
			return nil
		}
	}
}

// All three parts in one program: a run owns its project, its turns queue for a
// chat, and each is the only one that prompts the agent server's session.
func Example_allParts() {
	m, err := lanes.Open(lanes.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	left := 0 // lists until the agent has answered
	n := &nightly{
		manager: m,
		prompt:  func(context.Context, string, string) error { left = 2; return nil },
		list: func(context.Context) (map[string]lanes.Status, error) {
			if left--; left < 0 {
				return nil, nil
			}
			return map[string]lanes.Status{"ses_1": lanes.StatusBusy}, nil
		},
		confirm: func(context.Context, string) bool { return true },
	}
	receipt, err := n.work(context.Background(), "website", "nightly", []string{"update the links", "check them"})
	fmt.Println(receipt.Project, receipt.Run, receipt.Outcome, err)

	// Output:
	// nightly.1 completed ended
	// nightly.2 completed ended
	// website nightly succeeded <nil>
}
