package lanes

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/lane"
)

// ErrRecord is a record of a store that isn't one of this package, or not one
// of this version of it. If its table has no such state, errors.As finds the
// *fsm.UnknownError that says which table that is.
var ErrRecord = errors.New("lanes: the record can't be read")

// place is the lane of one project. It is the record that a store keeps, and,
// from the claim that made it, the token of that claim's lease: one object, so
// that a claim allocates once. It is an array for the sake of Lease.
type place [1]grant

type grant struct {
	// Set by the claim, under its lock, and only read once a lease is out.
	issuer  *Projects
	project string
	run     string
	fencing Fencing

	// In memory the lock of the record's shard guards these.
	machine lane.Machine
	number  uint64 // of the record's version
}

// as returns what a lease on lent, nil for the zero Lease, is in p's Step: the
// number it was claimed with, or, if it isn't issuer's or is another run's, one
// that nobody ever had. Whether it is the holder's is Step's to say; a lease of
// another project has another number.
func (p *place) as(lent *place, issuer *Projects) lane.Lease {
	if lent == nil {
		return 0
	}
	g, l := &p[0], &lent[0]
	if l.fencing.Number == 0 || l.issuer != issuer || l.run != g.run || l.fencing.Epoch != g.fencing.Epoch {
		return unissued
	}
	return lane.Lease(l.fencing.Number)
}

// view returns what can be seen of p.
func (p *place) view() View {
	g := &p[0]
	v := View{Project: g.project, Busy: g.machine.State.Occupied()}
	if v.Busy {
		v.Run, v.State = g.run, State(g.machine.State.String())
	}
	return v
}

func (p *place) blank() bool     { return p[0].machine.State == lane.Free }
func (p *place) stamp(v Version) { p[0].number = v.Number }
func (p *place) version() uint64 { return p[0].number }

// laneRecord is a place as a store keeps it. The holder isn't told: a lease has
// the number that the lane is held under. A number that the write of the record
// itself gave is left out.
type laneRecord struct {
	Format  int    `json:"format"`
	State   string `json:"state"`
	Run     string `json:"run"`
	Epoch   uint64 `json:"epoch,omitempty"`
	Fencing uint64 `json:"fencing,omitempty"`
	Claimed uint64 `json:"claimed,omitempty"`
	Stopped bool   `json:"stopped,omitempty"`
}

const laneFormat = 1

func (p *place) bytes() []byte {
	g := &p[0]
	r := laneRecord{Format: laneFormat, State: g.machine.State.String(), Run: g.run, Stopped: g.machine.Stopped}
	if n := uint64(g.machine.Fencing); n != unissued {
		r.Epoch, r.Fencing = g.fencing.Epoch, n
	}
	if n := uint64(g.machine.ClaimedFencing); n != unissued {
		r.Claimed = n
	}
	data, err := json.Marshal(r)
	if err != nil {
		panic(err) // it has nothing that JSON can't say
	}
	return data
}

func (p *place) start(project string) { p[0].project = project }

func (p *place) load(rec Record) error {
	p.start(rec.Key.Name)
	if len(rec.Data) == 0 {
		return nil
	}
	g := &p[0]
	var r laneRecord
	if err := json.Unmarshal(rec.Data, &r); err != nil {
		return fmt.Errorf("%w: lane %q: %w", ErrRecord, rec.Key.Name, err)
	}
	if r.Format != laneFormat {
		return fmt.Errorf("%w: lane %q: format %d; this is format %d", ErrRecord, rec.Key.Name, r.Format, laneFormat)
	}
	var state lane.State
	if err := state.UnmarshalText([]byte(r.State)); err != nil {
		return fmt.Errorf("%w: lane %q: %w", ErrRecord, rec.Key.Name, err)
	}
	if state == lane.Free {
		return fmt.Errorf("%w: lane %q: of a free lane nothing is kept", ErrRecord, rec.Key.Name)
	}
	if !validLabel(r.Run) {
		return fmt.Errorf("%w: lane %q: its run isn't a label: %.100q", ErrRecord, rec.Key.Name, r.Run)
	}
	if r.Fencing == unissued || r.Claimed == unissued {
		return fmt.Errorf("%w: lane %q: no store issues the number %d", ErrRecord, rec.Key.Name, uint64(unissued))
	}
	if r.Fencing == 0 {
		r.Epoch, r.Fencing = rec.Version.Epoch, rec.Version.Number
	}
	if r.Claimed == 0 {
		r.Claimed = rec.Version.Number
	}
	g.run = r.Run
	g.fencing = Fencing{r.Epoch, r.Fencing}
	g.number = rec.Version.Number
	g.machine = lane.Machine{
		State: state, Fencing: lane.Fence(r.Fencing), ClaimedFencing: lane.Fence(r.Claimed), Stopped: r.Stopped,
	}
	if state.Leased() {
		g.machine.Holder = fsm.Some(lane.Lease(r.Fencing))
	}
	return nil
}
