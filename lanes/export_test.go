package lanes

// Forge makes a lease as nobody outside this package can.
func Forge(issuer *Registry, project, run string, f Fencing) Lease {
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

// ValidLabel is validLabel.
func ValidLabel(s string) bool { return validLabel(s) }
