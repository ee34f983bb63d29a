// Package file is the one writer of generated files: back ends return files,
// it writes them, or compares them with what is there.
package file

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// File is one output. Path is relative to the root, with forward slashes.
type File struct {
	Path string
	Data []byte
}

// Write writes the files below root, each by way of a temporary file beside
// it, so that a full disk or a crash leaves the old one whole. Files that are
// the same already are left alone. It returns the paths that it changed, those
// before an error included.
func Write(root string, files []File) (changed []string, err error) {
	for _, f := range files {
		path := filepath.Join(root, filepath.FromSlash(f.Path))
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, f.Data) {
			continue
		}
		if err := replace(path, f.Data); err != nil {
			return changed, fmt.Errorf("write %s: %w", f.Path, err)
		}
		changed = append(changed, f.Path)
	}
	return changed, nil
}

func replace(path string, data []byte) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(tmp.Name()))
		}
	}()
	_, werr := tmp.Write(data)
	if err := errors.Join(werr, tmp.Chmod(0o644), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// Stale is a file that isn't what the table says.
type Stale struct {
	Path string
	Line int // the first line that differs, from 1; 0: the file is missing
}

// String says what is wrong on one line.
func (s Stale) String() string {
	if s.Line == 0 {
		return s.Path + ": missing"
	}
	return fmt.Sprintf("%s:%d: differs from the table", s.Path, s.Line)
}

// Check compares the files with those below root and changes nothing.
func Check(root string, files []File) ([]Stale, error) {
	var stale []Stale
	for _, f := range files {
		old, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(f.Path)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			stale = append(stale, Stale{Path: f.Path})
		case err != nil:
			return stale, fmt.Errorf("read %s: %w", f.Path, err)
		case !bytes.Equal(old, f.Data):
			stale = append(stale, Stale{Path: f.Path, Line: differsAt(old, f.Data)})
		}
	}
	return stale, nil
}

func differsAt(a, b []byte) int {
	line := 1
	for i := 0; i < min(len(a), len(b)) && a[i] == b[i]; i++ {
		if a[i] == '\n' {
			line++
		}
	}
	return line
}
