package lanes

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strconv"

	"github.com/interlock-go/interlock/fsm/session"
)

// SessionLease is what the caller that began a run shows to act on its session.
// Only Begin makes one; a copy of it is the same lease. The zero SessionLease
// owns nothing.
//
// As with a Lease its token is never shown and can't be decoded: only its
// session and run can be seen.
type SessionLease struct {
	token []tenure // without elements, as in Lease
}

// tenure is one run's ownership of a session, and by its address the token of
// the run's lease.
type tenure struct {
	issuer *Sessions
	key    SessionKey
	run    string
	serial uint64 // of the run, and of its lease; set by Begin, under a lock
}

// newTenure returns a tenure, and the lease on it.
func newTenure(issuer *Sessions, key SessionKey, run string) (*tenure, SessionLease) {
	room := []tenure{{issuer: issuer, key: key, run: run}}
	return &room[0], SessionLease{room[:0]}
}

// as returns what a lease on t is in a Step of s: if s didn't issue it, one that
// nobody ever had.
func (t *tenure) as(s *Sessions) session.Lease {
	if t.issuer != s || t.serial == 0 {
		return unissued
	}
	return session.Lease(t.serial)
}

// tenure returns what l is a lease on, and nil for the zero SessionLease.
func (l SessionLease) tenure() *tenure {
	if l.IsZero() {
		return nil
	}
	return &l.token[:1][0]
}

// IsZero reports whether l is the zero SessionLease.
func (l SessionLease) IsZero() bool { return cap(l.token) == 0 }

// Equal reports whether l and other are copies of one lease.
func (l SessionLease) Equal(other SessionLease) bool { return l.tenure() == other.tenure() }

// Key returns the session that l was taken for.
func (l SessionLease) Key() SessionKey {
	if l.IsZero() {
		return SessionKey{}
	}
	return l.tenure().key
}

// Run returns the label of the run that took l.
func (l SessionLease) Run() string {
	if l.IsZero() {
		return ""
	}
	return l.tenure().run
}

// String returns l's session and run, as in session lease("ses_1" in "/src": turn-7).
func (l SessionLease) String() string {
	if l.IsZero() {
		return "session lease()"
	}
	return "session lease(" + l.Key().String() + ": " + l.Run() + ")"
}

// Format writes String whatever the verb, so that none shows the token.
func (l SessionLease) Format(f fmt.State, _ rune) { io.WriteString(f, l.String()) }

// LogValue returns l's directory, session and run.
func (l SessionLease) LogValue() slog.Value {
	k := l.Key()
	return slog.GroupValue(slog.String("directory", k.Directory), slog.String("session", k.Session), slog.String("run", l.Run()))
}

// MarshalJSON returns an object with l's directory, session and run.
func (l SessionLease) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		SessionKey
		Run string `json:"run"`
	}{l.Key(), l.Run()})
}

// MarshalText returns String.
func (l SessionLease) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// SessionKey names a session. The same id in two directories is two sessions.
//
// Each part is 1 to 4,096 bytes of UTF-8 without control characters.
type SessionKey struct {
	Directory string `json:"directory"`
	Session   string `json:"session"` // the agent server's id of it
}

// String returns k's session and directory, quoted.
func (k SessionKey) String() string {
	return strconv.Quote(k.Session) + " in " + strconv.Quote(k.Directory)
}
