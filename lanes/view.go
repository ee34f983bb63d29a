package lanes

import "cmp"

// Outcome is how a run ended, as its owner says.
type Outcome string

// The outcomes. Each is allowed whether or not a stop was requested, since a
// stop may race with a success.
const (
	OutcomeSucceeded   Outcome = "succeeded"
	OutcomeFailed      Outcome = "failed"
	OutcomeCancelled   Outcome = "cancelled"
	OutcomeNeedsReview Outcome = "needs_review" // nobody knows whether the outside effect happened
)

// State is where an occupied lane is.
type State string

// The states of an occupied lane.
const (
	StateRunning       State = "running"
	StateStopRequested State = "stop_requested" // still occupied; nobody has confirmed an end
)

// View is what can be seen of a lane. It is a copy, and never holds a token.
//
// In JSON it has project and busy, and run and state when busy.
type View struct {
	Project string `json:"project"`
	Busy    bool   `json:"busy"`
	Run     string `json:"run,omitempty"`   // the occupant's label; empty if free
	State   State  `json:"state,omitempty"` // empty if free
}

// Receipt is what a release leaves its caller. Project lanes in memory keep no
// record of it.
type Receipt struct {
	Project          string  `json:"project"`
	Run              string  `json:"run"`
	Outcome          Outcome `json:"outcome"`
	StopRequested    bool    `json:"stop_requested"`     // a stop had been requested before the release
	WorkExecutedHere bool    `json:"work_executed_here"` // always false: a lane runs no work, and certifies none
}

// Fencing is a fencing token: a lease claimed later has a higher one, whatever
// its project. Hand it to the system that the run writes to, and let that
// system refuse a lower one than it has seen. See
// https://martin.kleppmann.com/2016/02/08/how-to-do-distributed-locking.html.
//
// It is no secret, and doesn't act on a lane.
type Fencing struct {
	Epoch  uint64 `json:"epoch"`  // of the store; in memory the Unix second at which it was made
	Number uint64 `json:"number"` // within the epoch, from 1
}

// Compare returns a negative number if f is older than g, 0 if they are the
// same and a positive one if f is newer.
func (f Fencing) Compare(g Fencing) int {
	return cmp.Or(cmp.Compare(f.Epoch, g.Epoch), cmp.Compare(f.Number, g.Number))
}
