package file

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"
	"time"
)

// Write writes the files below root. All are written under temporary names
// beside their own first, and only then given these: a full disk leaves the old
// ones, and after a crash each is the old or the new one, whole. Files that are
// the same already are left alone. It returns the paths that it changed, those
// before an error included.
func Write(root string, files []File) (changed []string, err error) {
	var staged []stage
	defer func() {
		for _, s := range staged {
			err = errors.Join(err, os.Remove(s.tmp))
		}
	}()
	for _, f := range files {
		name := filepath.Join(root, filepath.FromSlash(f.Path))
		if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, f.Data) {
			continue
		}
		tmp, err := put(name, f.Data)
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", f.Path, plain(err))
		}
		staged = append(staged, stage{f.Path, name, tmp})
	}
	for len(staged) > 0 {
		s := staged[0]
		if err := os.Rename(s.tmp, s.name); err != nil {
			return changed, fmt.Errorf("write %s: %w", s.path, plain(err))
		}
		staged = staged[1:]
		changed = append(changed, s.path)
	}
	sweep(root, files)
	return changed, nil
}

// stage is a file that is written, and hasn't its name yet.
type stage struct{ path, name, tmp string }

// put writes data beside the file of that name, and returns where.
func put(name string, data []byte) (tmp string, err error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return "", syscall.EISDIR
	}
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, "."+filepath.Base(name)+".*")
	if err != nil {
		return "", err
	}
	_, werr := f.Write(data)
	if err := errors.Join(werr, f.Chmod(0o644), f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}

// plain is what a file system says without the names of temporary files.
func plain(err error) error {
	var of *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &link):
		return link.Err
	case errors.As(err, &of) && temporary.MatchString(filepath.Base(of.Path)):
		return of.Err
	}
	return err
}

// temporary is what put calls its files.
var temporary = regexp.MustCompile(`^\.(.+)\.\d+$`)

// abandoned is how old a temporary file is that nobody will rename any more.
const abandoned = time.Minute

// sweep removes what a process that was killed has left beside the files. That
// it can't is no fault of what was asked for.
func sweep(root string, files []File) {
	ours := map[string][]string{}
	var dirs []string
	for _, f := range files {
		dir, base := path.Split(f.Path)
		if ours[dir] == nil {
			dirs = append(dirs, dir)
		}
		ours[dir] = append(ours[dir], base)
	}
	for _, dir := range dirs {
		entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(dir)))
		if err != nil {
			continue
		}
		for _, e := range entries {
			m := temporary.FindStringSubmatch(e.Name())
			if m == nil || !e.Type().IsRegular() || !slices.Contains(ours[dir], m[1]) {
				continue
			}
			if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > abandoned {
				_ = os.Remove(filepath.Join(root, filepath.FromSlash(dir), e.Name()))
			}
		}
	}
}
