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
