// Package manifest pins what is found out about tables: a file with a section a
// table, which is compared byte by byte. A size that shrank, a row that stopped
// deciding or a failure by another property is a line that changed.
package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"golang.org/x/tools/txtar"

	"github.com/interlock-go/interlock/gen/file"
)

// heading is the text above the sections.
const heading = "What interlock verify found, table by table. Written by interlock verify --manifest FILE --update.\n\n"

// Manifest is such a file, a txtar archive.
type Manifest struct {
	path    string
	archive *txtar.Archive
	asked   []string // the sections that were compared
}

// Read reads the manifest at path. If there is none yet, it is empty.
func Read(path string) (*Manifest, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &Manifest{path: path, archive: new(txtar.Archive)}, nil
	}
	if err != nil {
		return nil, err
	}
	m := &Manifest{path: path, archive: txtar.Parse(data)}
	if len(data) > 0 && len(m.archive.Files) == 0 {
		return nil, fmt.Errorf("%s is no manifest: it has no line -- TABLE --", path)
	}
	for i, f := range m.archive.Files {
		if m.at(f.Name) != i {
			return nil, fmt.Errorf("%s pins %s twice", path, f.Name)
		}
	}
	return m, nil
}

// name returns how the manifest calls a table: its path from the manifest's
// folder.
func (m *Manifest) name(table string) (string, error) {
	dir, err := filepath.Abs(filepath.Dir(m.path))
	if err != nil {
		return "", err
	}
	abs, err := filepath.Abs(table)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(dir, abs)
	return filepath.ToSlash(rel), err
}

// Compare returns how text differs from what is pinned for a table: lines with
// - and + before them, or nothing.
func (m *Manifest) Compare(table string, text []byte) (string, error) {
	name, err := m.name(table)
	if err != nil {
		return "", err
	}
	i := m.at(name)
	if i < 0 {
		return fmt.Sprintf("nothing is pinned for %s", name), nil
	}
	m.asked = append(m.asked, name)
	if bytes.Equal(m.archive.Files[i].Data, text) {
		return "", nil
	}
	d := diff.Diff("pinned", m.archive.Files[i].Data, "found", text)
	if _, rest, ok := strings.Cut(string(d), "\n"); ok { // without the line that repeats the names
		return rest, nil
	}
	return string(d), nil
}

func (m *Manifest) at(name string) int {
	return slices.IndexFunc(m.archive.Files, func(f txtar.File) bool { return f.Name == name })
}

// Set pins text for a table.
func (m *Manifest) Set(table string, text []byte) error {
	name, err := m.name(table)
	if err != nil {
		return err
	}
	f := txtar.File{Name: name, Data: text}
	if i := m.at(name); i >= 0 {
		m.archive.Files[i] = f
		return nil
	}
	m.archive.Files = append(m.archive.Files, f)
	return nil
}

// Gone returns the tables that are pinned and are no files any more.
func (m *Manifest) Gone() []string {
	var out []string
	for _, f := range m.archive.Files {
		_, err := os.Stat(filepath.Join(filepath.Dir(m.path), filepath.FromSlash(f.Name)))
		if errors.Is(err, fs.ErrNotExist) {
			out = append(out, f.Name)
		}
	}
	return out
}

// Unasked returns the tables that are pinned, are there, and weren't compared.
func (m *Manifest) Unasked() []string {
	gone := m.Gone()
	var out []string
	for _, f := range m.archive.Files {
		if !slices.Contains(m.asked, f.Name) && !slices.Contains(gone, f.Name) {
			out = append(out, f.Name)
		}
	}
	return out
}

// Write writes the manifest in the order of the tables' names, without those
// that are gone. A write that fails leaves the file as it was.
func (m *Manifest) Write() error {
	gone := m.Gone()
	m.archive.Files = slices.DeleteFunc(m.archive.Files, func(f txtar.File) bool { return slices.Contains(gone, f.Name) })
	slices.SortFunc(m.archive.Files, func(a, b txtar.File) int { return strings.Compare(a.Name, b.Name) })
	m.archive.Comment = []byte(heading)
	_, err := file.Write(filepath.Dir(m.path), []file.File{{Path: filepath.Base(m.path), Data: txtar.Format(m.archive)}})
	return err
}
