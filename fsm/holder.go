package fsm

import (
	"context"
	"sync"
)

// Decided is what a generated Decision has.
type Decided interface {
	Info() Info
	Source() Source
}

// Holder keeps one generated machine for any number of goroutines: each event
// is decided under a lock, and each caller gets its own event's decision. It is
// for a machine that lives in memory; package lanes has records in a store.
//
// M, E, D and F are the generated Machine, Event, Decision and Effect:
//
//	type Door = fsm.Holder[door.Machine, door.Event, door.Decision, door.Effect]
type Holder[M, E any, D Decided, F any] struct {
	lock    chan struct{} // holds one token, while nobody has the machine
	machine M
	step    func(m *M, e E, buf []F) (D, []F)
	valid   func(m *M) error // nil: anything is

	audits  sync.Mutex // guards what follows; taken after lock, never before it
	audit   func(Audit[M, E, D, F])
	waiting []Audit[M, E, D, F]
	telling bool // some call is giving out what waits
}

// Audit is a step as a hook is told of it, refusals and the like included. From
// and To are copies.
type Audit[M, E, D, F any] struct {
	From     M
	Event    E
	Decision D
	Effects  []F
	To       M // the same as From unless Decision is a move
}

// NewHolder returns a Holder that begins with a copy of m. All types follow from
// the generated Step:
//
//	fsm.NewHolder(door.Machine{}, (*door.Machine).Step)
func NewHolder[M, E any, D Decided, F any](m M, step func(m *M, e E, buf []F) (D, []F)) *Holder[M, E, D, F] {
	h := &Holder[M, E, D, F]{lock: make(chan struct{}, 1), machine: clone(&m), step: step}
	h.lock <- struct{}{}
	return h
}

// clone returns a copy of m that shares nothing with it: by its method Clone,
// which is generated where a machine holds maps or lists.
func clone[M any](m *M) M {
	if c, ok := any(m).(interface{ Clone() M }); ok {
		return c.Clone()
	}
	return *m
}

// OnStep has f called for each step from then on, one at a time and in the order
// of the steps. It replaces an earlier f; nil is none.
//
// f runs outside the lock, so it may call the Holder, even Step: that step is
// taken at once, and f is told of it when it has returned. Where callers meet,
// f may run on the goroutine of another one, a little after its Step returned.
func (h *Holder[M, E, D, F]) OnStep(f func(Audit[M, E, D, F])) {
	h.audits.Lock()
	defer h.audits.Unlock()
	h.audit = f
}

// Step gives e to the machine and returns what decided it and what the caller is
// to do, in order. A refusal is no error: d.Info has its code. The error is the
// cause for which ctx ended before the machine's turn came; then nothing
// happened.
func (h *Holder[M, E, D, F]) Step(ctx context.Context, e E) (d D, effects []F, err error) {
	if err := h.acquire(ctx); err != nil {
		return d, nil, err
	}
	d, effects = h.stepLocked(e)
	h.tell()
	return d, effects, nil
}

// acquire takes the lock, unless ctx has ended.
func (h *Holder[M, E, D, F]) acquire(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	select {
	case <-h.lock:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (h *Holder[M, E, D, F]) release() { h.lock <- struct{}{} }

// stepLocked steps and gives the lock back, whatever Step does.
func (h *Holder[M, E, D, F]) stepLocked(e E) (D, []F) {
	defer h.release()
	h.audits.Lock()
	audited := h.audit != nil
	h.audits.Unlock()
	if !audited {
		return h.step(&h.machine, e, nil)
	}
	from := clone(&h.machine)
	d, effects := h.step(&h.machine, e, nil)
	// Under the lock, or two steps could change places here.
	h.audits.Lock()
	defer h.audits.Unlock()
	h.waiting = append(h.waiting, Audit[M, E, D, F]{from, e, d, append([]F(nil), effects...), clone(&h.machine)})
	return d, effects
}

// tell gives out what waits, unless some call is at it: then that one does.
func (h *Holder[M, E, D, F]) tell() {
	h.audits.Lock()
	defer h.audits.Unlock()
	if h.telling {
		return
	}
	h.telling = true
	defer func() { h.telling = false }() // also where a hook panics: the next call goes on
	for len(h.waiting) > 0 {
		next, f := h.waiting[0], h.audit
		h.waiting = h.waiting[1:]
		if f != nil {
			h.outside(func() { f(next) })
		}
	}
	h.waiting = nil
}

// outside calls f without the mutex of the audits.
func (h *Holder[M, E, D, F]) outside(f func()) {
	h.audits.Unlock()
	defer h.audits.Lock()
	f()
}

// Can returns what would decide e now, and changes nothing. It is the decision
// of Step on a copy, so the two always agree.
func (h *Holder[M, E, D, F]) Can(e E) D {
	m := h.Machine()
	d, _ := h.step(&m, e, nil)
	return d
}

// Machine returns a copy of the machine as it is now.
func (h *Holder[M, E, D, F]) Machine() M {
	<-h.lock
	defer h.release()
	return clone(&h.machine)
}
