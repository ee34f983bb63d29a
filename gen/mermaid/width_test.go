package mermaid

import (
	"strings"
	"testing"
)

// diagram builds a picture from lines such as "a -> b: x; y".
func diagram(lines ...string) *StateDiagram {
	d := &StateDiagram{}
	state := func(name string) int {
		for i, s := range d.States {
			if s.Name == name {
				return i
			}
		}
		d.States = append(d.States, State{Name: name, Initial: len(d.States) == 0})
		return len(d.States) - 1
	}
	for _, l := range lines {
		ends, labels, _ := strings.Cut(l, ": ")
		from, to, _ := strings.Cut(ends, " -> ")
		f, t := state(from), state(to)
		for label := range strings.SplitSeq(labels, "; ") {
			d.Connect(f, t, label)
		}
	}
	return d
}

// The real widths were measured in Chromium with Mermaid 11.17.
func TestWidthIsNearTheRealOne(t *testing.T) {
	for _, c := range []struct {
		name string
		d    *StateDiagram
		real int
	}{
		{"lane", diagram("free -> running: claim", "running -> stop_requested: requestStop", "running -> free: release", "stop_requested -> free: release",
			"running -> orphaned: orphan", "stop_requested -> orphaned: orphan", "orphaned -> running: adopt", "orphaned -> stop_requested: adopt"), 741},
		{"tickets", diagram("new -> queued: submit", "queued -> running: admit", "running -> orphaned: crash", "orphaned -> running: adopt", "running -> completed: end",
			"running -> failed: end", "running -> cancelled: end; force end", "orphaned -> cancelled: force end", "queued -> cancelled: cancel; leave; close; clean up; crash"), 961},
		{"queue", diagram("absent -> open: submit", "open -> closed: close", "open -> absent: clean up, idle", "closed -> absent: clean up, idle",
			"open -> leaving: clean up, busy", "closed -> leaving: clean up, busy", "leaving -> absent: end of the last"), 856},
		{"session", diagram("unknown -> starting: begin, confirmed", "starting -> unknown: prompt failed; grace expired", "starting -> running: busy, once sent",
			"starting -> retrying: retry, once sent", "running -> retrying: retry", "retrying -> running: busy", "running -> completed: absent; abort",
			"retrying -> completed: absent; abort", "starting -> completed: abort", "completed -> starting: begin, confirmed", "completed -> unknown: TTL expired"), 1190},
	} {
		if got := c.d.Width(); got < c.real*9/10 || got > c.real*11/10 {
			t.Errorf("%s: estimated %d px, measured %d", c.name, got, c.real)
		}
	}
}
