// Package mutant changes source on purpose, to see which tests notice. The tree
// stays as it is: package overlay puts the changed files in for one build.
package mutant

import (
	"fmt"
	"strings"
)

// Replace puts new in old's place, of which text must have exactly one. Anything
// else is an error: a mutant that doesn't apply is none.
func Replace(text, old, new string) (string, error) {
	if n := strings.Count(text, old); n != 1 || old == new {
		return "", fmt.Errorf("mutant: there are %d places like\n%s", n, old)
	}
	return strings.Replace(text, old, new, 1), nil
}
