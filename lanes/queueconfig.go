package lanes

import (
	"fmt"
	"time"

	"github.com/interlock-go/interlock/fsm/queue"
)

// QueueConfig is the part of a Config for the coordinator of sessions.
type QueueConfig struct {
	// Cap is how many tickets of a session may wait, the running one not
	// counted: 1 to 1,000,000, 0 for 64.
	Cap int

	// Remember is how many ended tickets a session remembers, whose execution
	// ids stay taken: up to 1,000,000,000, 0 for all, RememberNone for none. The
	// one that ended first is forgotten first. Each that is remembered takes some
	// 250 bytes, until its session is forgotten.
	Remember int

	// MaxSessions is how many sessions there may be at once; 0 for any number.
	MaxSessions int

	// ForgetIdle is how long a session may be idle, open or closed, before it
	// is cleaned up by itself, with the reason "idle"; 0 for ever. It is due
	// whether or not anybody looks.
	ForgetIdle time.Duration

	// Replay is how many of the last events are kept for who subscribes later;
	// 0 for none. A queue's picture is in one of them each step, which makes it
	// as large as the queue.
	Replay int
}

// RememberNone is the QueueConfig.Remember with which the execution id of a
// ticket is free again once it has ended.
const RememberNone = -1

const (
	defaultCap  = 64
	maxCap      = 1_000_000
	maxRemember = 1_000_000_000
)

// params returns what the table is told of q, or refuses it.
func (q QueueConfig) params() (queue.Params, error) {
	p := queue.Params{Cap: q.Cap, Keep: q.Remember}
	switch {
	case q.Cap < 0 || q.Cap > maxCap:
		return p, invalid("open", "Queue.Cap", fmt.Sprintf("%d isn't from 1 to %d", q.Cap, maxCap))
	case q.Remember < RememberNone || q.Remember > maxRemember:
		return p, invalid("open", "Queue.Remember", fmt.Sprintf("%d isn't from 1 to %d, or RememberNone", q.Remember, maxRemember))
	case q.MaxSessions < 0:
		return p, invalid("open", "Queue.MaxSessions", "it is negative")
	case q.ForgetIdle < 0:
		return p, invalid("open", "Queue.ForgetIdle", "it is negative")
	case q.Replay < 0:
		return p, invalid("open", "Queue.Replay", "it is negative")
	}
	if p.Cap == 0 {
		p.Cap = defaultCap
	}
	switch p.Keep {
	case 0:
		p.Keep = maxRemember
	case RememberNone:
		p.Keep = 0
	}
	return p, nil
}
