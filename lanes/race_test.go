//go:build race

package lanes_test

// raced says that the race detector watches, which makes all of this several
// times slower.
const raced = true
