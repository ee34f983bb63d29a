package lanes

import (
	"cmp"
	"context"
	"errors"
	"iter"
)

// Store keeps records, one a key, and changes one only for who names the
// version that it has. NewMemory returns one; others can be written, and
// lanestest.TestStore says whether they will do.
//
// Any number of goroutines call it, within a List of their own too, and what is
// done to one key waits for another key no longer than a write takes.
//
// Every method looks at its context first: one that has ended is answered with
// its error, and nothing is done. One that ends while a write is under way may
// be answered so only if the write was not done, and never will be; otherwise
// the error wraps ErrStoreUncertain.
type Store interface {
	// Load returns the record under key: no data and the zero Version if there
	// is none. It sees every write that was answered before it began, and
	// leaves nothing behind. The data is the caller's to keep and change.
	Load(ctx context.Context, key Key) (Record, error)

	// Swap does w, in one step, if the record under w.Key has version w.Old,
	// and returns the version of the write. Otherwise nothing is changed, and
	// the error wraps ErrConflict. It is answered once the write will outlast
	// whatever the store outlasts.
	//
	// If nobody can tell whether the write was done, or will be, the error
	// wraps ErrStoreUncertain; every other error means that it never will be.
	Swap(ctx context.Context, w Write) (Version, error)

	// List yields the records of one machine in the order of their names, byte
	// by byte. Each is as it was at some moment of the listing, and one that
	// was there all the time is not left out. After an error it ends.
	List(ctx context.Context, machine string) iter.Seq2[Record, error]
}

// ErrConflict is how a Store answers a write whose key has another version than
// the one named.
var ErrConflict = errors.New("lanes: the record has another version")

// Key says where a record is.
type Key struct {
	Machine string // the table's name, such as lane
	Name    string // the instance's: any string, not only a label
}

// Record is what a store has under a key.
type Record struct {
	Key     Key
	Data    []byte // not empty; to the store it means nothing
	Version Version
}

// Write is a change of one record.
type Write struct {
	Key  Key
	Old  Version // the version to be replaced; zero if there must be no record
	Data []byte  // the new record; empty to remove it
}

// Version names one write of a store, for good: writes that begin later, of
// whatever key, have higher ones, also after a record was removed. That makes
// the version of the write that granted a lease its fencing token.
type Version struct {
	Epoch  uint64 // goes up when the store can't know that its numbers go on where they were
	Number uint64 // from 1; zero with a zero Epoch is no record
}

// Compare returns a negative number if v is older than w, 0 if they are the
// same and a positive one if v is newer.
func (v Version) Compare(w Version) int {
	return cmp.Or(cmp.Compare(v.Epoch, w.Epoch), cmp.Compare(v.Number, w.Number))
}
