package fsm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// ErrSnapshot is a snapshot that a machine can't be restored from.
var ErrSnapshot = errors.New("the snapshot isn't one of this machine")

// snapshot is a machine as it is kept: control states and values of
// enumerations by their names.
type snapshot struct {
	Machine string          `json:"machine"`
	Table   string          `json:"table"`
	State   json.RawMessage `json:"state"`
}

// Snapshot returns the machine as JSON, its Params included, with the name and
// hash of its table.
func (h *Holder[M, E, D, F]) Snapshot() ([]byte, error) {
	m := h.Machine()
	state, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	var d D
	from := d.Source()
	return json.Marshal(snapshot{from.Machine, from.Table, state})
}

// Restore puts a machine that Snapshot returned in the place of the one that is
// held. It takes the snapshot of an older table if everything in it is still
// declared, and nothing new is missing.
//
// A state or value that isn't declared any more is an *UnknownError; another
// machine's snapshot, a variable that is missing or unknown, and what the
// Holder's Validate rejects, are an ErrSnapshot. After an error the machine is
// as it was.
func (h *Holder[M, E, D, F]) Restore(data []byte) error {
	var d D
	from := d.Source()
	var s snapshot
	if err := strict(data, &s); err != nil {
		return fmt.Errorf("%w: %w", ErrSnapshot, err)
	}
	if s.Machine != from.Machine {
		return fmt.Errorf("%w: it is of machine %s, not %s", ErrSnapshot, s.Machine, from.Machine)
	}
	of := ""
	if s.Table != from.Table {
		of = ", taken under table " + s.Table
	}
	var m M
	if err := strict(s.State, &m); err != nil {
		var unknown *UnknownError
		if errors.As(err, &unknown) {
			return fmt.Errorf("restore%s: %w", of, unknown)
		}
		return fmt.Errorf("%w%s: %w", ErrSnapshot, of, err)
	}
	// What is missing would be zero in silence, so the way back must give the
	// same again.
	again, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("%w%s: %w", ErrSnapshot, of, err)
	}
	if same, err := equalJSON(s.State, again); err != nil || !same {
		return fmt.Errorf("%w%s: it reads %s; of this machine it would be %s", ErrSnapshot, of, s.State, again)
	}
	if h.valid != nil {
		if err := h.valid(&m); err != nil {
			return fmt.Errorf("%w%s: %w", ErrSnapshot, of, err)
		}
	}
	<-h.lock
	defer h.release()
	h.machine = m
	return nil
}

// Validate has valid asked of each machine that Restore is to take; it returns
// h. The predicates of a generated Machine, such as its invariants, are meant
// for it. It is called before h is used by several goroutines.
func (h *Holder[M, E, D, F]) Validate(valid func(m *M) error) *Holder[M, E, D, F] {
	h.valid = valid
	return h
}

// strict decodes one JSON value without unknown fields.
func strict(data []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return err
	}
	if dec.More() {
		return errors.New("there is more behind it")
	}
	return nil
}

// equalJSON reports whether two JSON values are the same but for the order of
// keys and white space.
func equalJSON(a, b []byte) (bool, error) {
	var x, y any
	if err := errors.Join(json.Unmarshal(a, &x), json.Unmarshal(b, &y)); err != nil {
		return false, err
	}
	return reflect.DeepEqual(x, y), nil
}
