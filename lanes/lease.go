package lanes

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
)

// Lease is what the owner of a lane shows to act on it. Only Claim makes one; a
// copy of it is the same lease. The zero Lease owns nothing.
//
// Its token is never shown: however a lease is formatted, logged or encoded, by
// itself or within other values, only its project and run can be seen. It can't
// be decoded either: one that went through JSON is the zero Lease.
type Lease struct {
	// The token is the pointer to a place. It is kept behind a slice without
	// elements, because fmt prints an unexported pointer within a caller's
	// struct as its address, and such a slice as [].
	token []grant
}

// lease returns the lease on p.
func (p *place) lease() Lease { return Lease{p[:0]} }

// place returns what l is a lease on, and nil for the zero Lease.
func (l Lease) place() *place {
	if l.IsZero() {
		return nil
	}
	return (*place)(l.token[:1])
}

// IsZero reports whether l is the zero Lease.
func (l Lease) IsZero() bool { return cap(l.token) == 0 }

// Equal reports whether l and other are copies of one lease.
func (l Lease) Equal(other Lease) bool { return l.place() == other.place() }

// Project returns the label of the project that l was claimed for.
func (l Lease) Project() string {
	if l.IsZero() {
		return ""
	}
	return l.place()[0].project
}

// Run returns the label of the run that claimed l.
func (l Lease) Run() string {
	if l.IsZero() {
		return ""
	}
	return l.place()[0].run
}

// Fencing returns l's fencing token, for the systems that l's run writes to.
func (l Lease) Fencing() Fencing {
	if l.IsZero() {
		return Fencing{}
	}
	return l.place()[0].fencing
}

// String returns l's project and run, as in lease(website/nightly).
func (l Lease) String() string {
	if l.IsZero() {
		return "lease()"
	}
	return "lease(" + l.Project() + "/" + l.Run() + ")"
}

// Format writes String whatever the verb, so that none shows the token.
func (l Lease) Format(f fmt.State, _ rune) { io.WriteString(f, l.String()) }

// LogValue returns l's project and run.
func (l Lease) LogValue() slog.Value {
	return slog.GroupValue(slog.String("project", l.Project()), slog.String("run", l.Run()))
}

// MarshalJSON returns an object with l's project and run.
func (l Lease) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Project string `json:"project"`
		Run     string `json:"run"`
	}{l.Project(), l.Run()})
}

// MarshalText returns String.
func (l Lease) MarshalText() ([]byte, error) { return []byte(l.String()), nil }
