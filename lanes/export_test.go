package lanes

// Forge makes a lease as nobody outside this package can.
func Forge(issuer *Projects, project, run string, f Fencing) Lease {
	return (&place{{issuer: issuer, project: project, run: run, fencing: f}}).lease()
}

// Names counts the records that m has.
func (m *Memory) Names() (n int) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for _, t := range m.tables {
		n += len(t.names())
	}
	return n
}

// Shards counts the shards that hold any of m's lanes.
func (m *Memory) Shards() (n int) {
	t := m.table("lane", true)
	for i := range t.shards {
		s := &t.shards[i]
		s.mu.Lock()
		if len(s.entries) > 0 {
			n++
		}
		s.mu.Unlock()
	}
	return n
}

// ValidLabel is validLabel.
func ValidLabel(s string) bool { return validLabel(s) }

// ForgeSession makes a session's lease as nobody outside this package can.
func ForgeSession(issuer *Sessions, key SessionKey, run string, serial uint64) SessionLease {
	t, lease := newTenure(issuer, key, run)
	t.serial = serial
	return lease
}

// Kept counts what c keeps: sessions, tickets that live, tickets that are
// remembered, and sessions that rest.
func (c *Coordinator) Kept() (sessions, live, remembered, resting int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for l := range c.lines.all() {
		live += len(l.live)
		remembered += l.machine.Past.Len()
	}
	for r := c.rests.first; r != nil; r = r.after {
		resting++
	}
	return c.lines.count, live, remembered, resting
}

// InProcess makes s one of another process, which is named so.
func (s *Sessions) InProcess(name string) { s.process = name }

// Serial returns the number that l's run and lease have in a Step.
func (l SessionLease) Serial() uint64 {
	if l.IsZero() {
		return 0
	}
	return l.tenure().serial
}

// Number returns the number that p has in a Step.
func (p Poll) Number() uint64 { return uint64(p.flight.poll) }

// Seconds and Text are how a record has a time and a string.
type (
	Seconds = seconds
	Text    = text
)

// Taken is one step of a machine, as the recorder sees it.
type Taken = taken

// Record has f called with each step that m's parts take from now on, under
// their locks. M isn't in use yet.
func (m *Manager) Record(f func(Taken)) {
	m.projects.record, m.coordinator.record, m.sessions.record = f, f, f
}
