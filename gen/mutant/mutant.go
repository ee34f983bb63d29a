// Package mutant changes source on purpose, to see which tests notice. The tree
// stays as it is: the changed files lie beside it, and an overlay puts them in
// for one build.
package mutant

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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

// Overlay writes files, by their paths below root, to dir, and returns the name
// of a file for go's -overlay. The files need not be below root yet.
func Overlay(dir, root string, files map[string]string) (string, error) {
	replace := map[string]string{}
	for name, text := range files {
		tmp := filepath.Join(dir, strings.ReplaceAll(filepath.ToSlash(name), "/", "_"))
		if err := os.WriteFile(tmp, []byte(text), 0o644); err != nil {
			return "", err
		}
		replace[filepath.Join(root, filepath.FromSlash(name))] = tmp
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, data, 0o644)
}
