// Package pinned has programs of other ecosystems for tests and commands: what
// npm and pip install from files that pin it, in a folder of the user's cache
// for each content of these files. Nothing is installed in the tree.
package pinned

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Node returns a folder with copies of the named files of dir and what npm
// installs beside them: .npmrc, package.json and package-lock.json are among
// them. It needs node and npm, and the registry the first time.
func Node(dir string, names ...string) (string, error) {
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			return "", err
		}
	}
	return installed("npm", dir, names, func(tmp string) error {
		return command(tmp, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	})
}

// Python returns the interpreter of an environment with what dir's
// requirements.txt names, checked by its hashes. It needs python3 with venv and
// pip, and the registry the first time.
func Python(dir string) (interpreter string, err error) {
	if _, err := exec.LookPath("python3"); err != nil {
		return "", err
	}
	// The environment stays usable at its final place: it is asked for by the
	// interpreter's path alone, and that finds its packages from where it is.
	env, err := installed("pip", dir, []string{"requirements.txt"}, func(tmp string) error {
		if err := command(tmp, "python3", "-m", "venv", "env"); err != nil {
			return err
		}
		return command(tmp, filepath.Join("env", "bin", "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
			"--require-hashes", "--no-deps", "--only-binary", ":all:", "-r", "requirements.txt")
	})
	if err != nil {
		return "", err
	}
	return filepath.Join(env, "env", "bin", "python"), nil
}

func command(dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, args[0], err, out)
	}
	return nil
}

// installed returns the cache's folder for the named files of dir as they are.
// If it isn't there, install fills a copy, which then takes its place: nobody
// sees a half of it.
func installed(kind, dir string, names []string, install func(tmp string) error) (string, error) {
	hash, files := sha256.New(), map[string][]byte{}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return "", err
		}
		files[name] = data
		fmt.Fprintf(hash, "%s %d\n%s", name, len(data), data)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	cache = filepath.Join(cache, "interlock")
	done := filepath.Join(cache, fmt.Sprintf("%s-%.6x", kind, hash.Sum(nil)))
	if _, err := os.Stat(done); err == nil {
		return done, nil
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(cache, kind+".")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(tmp, name), files[name], 0o644); err != nil {
			return "", err
		}
	}
	if err := install(tmp); err != nil {
		return "", err
	}
	// Another may have been first.
	if err := os.Rename(tmp, done); err != nil {
		if _, serr := os.Stat(done); serr != nil {
			return "", errors.Join(err, serr)
		}
	}
	return done, nil
}
