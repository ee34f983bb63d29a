// Package overlay lays files over a tree for one build: go's -overlay. The tree
// stays as it is.
package overlay

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// Write writes files, by their paths below root, to dir, and returns the name of a
// file for go's -overlay. The files need not be below root yet.
func Write(dir, root string, files map[string]string) (string, error) {
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
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, data, 0o644)
}
