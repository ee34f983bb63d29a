package tla

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// ErrConfig is a [Config] that can't be run. Test with errors.Is.
var ErrConfig = errors.New("tla: bad config")

// Config says what to check, and how. Dir or Files, and Module, are required.
type Config struct {
	// Dir is a folder whose .tla and .cfg files the run sees. They are copied:
	// nothing is ever written there.
	Dir string
	// Files are further modules and cfgs by file name, such as "M.tla"; they
	// hide those in Dir.
	Files map[string][]byte

	// Module is the root module's name, without ".tla".
	Module string
	// Cfg is the cfg's file name; default Module + ".cfg".
	Cfg string

	// Workers is TLC's number of threads; default 1. With one, two runs of
	// the same model give the same counterexample, dump and printed lines;
	// with more, what the model prints comes in any order and a
	// counterexample need not be a shortest one. More than one are refused
	// where the cfg has a PROPERTY.
	Workers int
	// HeapMB is the JVM's largest heap in megabytes; default 1024.
	HeapMB int
	// Short tunes the JVM for models of a few thousand states, by its first
	// compiler alone: a tenth of a second less to start, a third slower later.
	Short bool
	// Timeout stops the run, with the verdict [TimedOut]; default none.
	Timeout time.Duration

	// NoDeadlock has TLC accept states without successors, whatever the cfg's
	// CHECK_DEADLOCK says.
	NoDeadlock bool
	// Coverage counts how often each action fired; about a third slower.
	Coverage bool
	// Dump has the state graph returned. It is held in memory whole: use it
	// up to some 100,000 states.
	Dump bool

	// Temporal are those of the cfg's PROPERTIES that are temporal, if the
	// caller knows; default all of them. The pinned TLC doesn't say which
	// one was violated: if there is just one here, it was that.
	Temporal []string

	// Print is called with each line that the model prints (PrintT), without
	// its end, from the goroutine of Run and in order. The line is valid only
	// during the call. A model may print millions. When TLC finds a
	// violation it takes the steps of the trace again, so their lines come
	// twice.
	Print func(line []byte)
	// Log receives TLC's whole output as it comes, printed lines included.
	Log io.Writer

	// Jar is the path of a jar to use in place of the pinned one; default
	// the environment's INTERLOCK_TLC_JAR, or else the pinned one.
	Jar string
	// JVMFlags are further flags of java, after our own.
	JVMFlags []string
}

func (c Config) cfgName() string {
	if c.Cfg != "" {
		return c.Cfg
	}
	return c.Module + ".cfg"
}

func (c Config) check() error {
	switch {
	case c.Dir == "" && len(c.Files) == 0:
		return fmt.Errorf("%w: neither Dir nor Files", ErrConfig)
	case !isName(c.Module):
		return fmt.Errorf("%w: %q is no module's name", ErrConfig, c.Module)
	case c.Workers < 0 || c.HeapMB < 0 || c.Timeout < 0:
		return fmt.Errorf("%w: negative Workers, HeapMB or Timeout", ErrConfig)
	}
	if err := checkFileName(c.cfgName()); err != nil {
		return err
	}
	for name := range c.Files {
		if err := checkFileName(name); err != nil {
			return err
		}
	}
	return nil
}

func checkFileName(name string) error {
	if name == "" || name != filepath.Base(name) || !filepath.IsLocal(name) || strings.HasPrefix(name, "-") {
		return fmt.Errorf("%w: %q is no plain file name", ErrConfig, name)
	}
	return nil
}

// folder is a run's own: modules, TLC's working files, and the JVM's temporary
// ones. TLC unpacks its standard modules into the latter, and runs that share
// it break each other.
type folder struct{ root string }

func (f folder) spec() string { return filepath.Join(f.root, "spec") }
func (f folder) meta() string { return filepath.Join(f.root, "meta") }
func (f folder) temp() string { return filepath.Join(f.root, "temp") }
func (f folder) dump() string { return filepath.Join(f.root, "dump.dot") }

// prepare makes the folder and puts the modules there. The caller removes it.
func (c Config) prepare() (folder, error) {
	root, err := os.MkdirTemp("", "interlock-tlc-")
	if err != nil {
		return folder{}, err
	}
	f := folder{root}
	if err := c.fill(f); err != nil {
		os.RemoveAll(root)
		return folder{}, err
	}
	return f, nil
}

func (c Config) fill(f folder) error {
	for _, dir := range []string{f.spec(), f.meta(), f.temp()} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
	}
	if c.Dir != "" {
		if err := copyModels(f.spec(), c.Dir); err != nil {
			return fmt.Errorf("tla: copying the models: %w", err)
		}
	}
	for name, text := range c.Files {
		if err := os.WriteFile(filepath.Join(f.spec(), name), text, 0o644); err != nil {
			return err
		}
	}
	if _, err := os.Stat(filepath.Join(f.spec(), c.Module+".tla")); err != nil {
		return fmt.Errorf("%w: there is no %s.tla", ErrConfig, c.Module)
	}
	if c.Workers > 1 {
		return c.alone(f)
	}
	return nil
}

// alone refuses several workers where a cfg has anything under PROPERTY: this
// TLC then misses violations of liveness in some runs (tlaplus issue 971).
func (c Config) alone(f folder) error {
	cfg, err := os.ReadFile(filepath.Join(f.spec(), c.cfgName()))
	if err != nil {
		return nil // TLC says that it isn't there
	}
	if names := cfgProperties(cfg); len(names) > 0 {
		return fmt.Errorf("%w: %d workers, and %s under PROPERTY: liveness takes one", ErrConfig, c.Workers, names[0])
	}
	return nil
}

func copyModels(to, from string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		ext := filepath.Ext(e.Name())
		if e.IsDir() || ext != ".tla" && ext != ".cfg" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(from, e.Name()))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, e.Name()), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// args are java's arguments.
func (c Config) args(t Tools, f folder) []string {
	heap := c.HeapMB
	if heap == 0 {
		heap = 1024
	}
	workers := max(c.Workers, 1)
	args := []string{
		"-Xmx" + strconv.Itoa(heap) + "m", "-Xshare:auto",
		// TLC's numbers and texts are read back.
		"-Duser.language=en", "-Duser.country=US", "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8",
		"-Djava.io.tmpdir=" + f.temp(),
	}
	// TLC recommends the parallel collector; with one worker the serial one
	// takes a quarter less time.
	if workers == 1 {
		args = append(args, "-XX:+UseSerialGC")
	} else {
		args = append(args, "-XX:+UseParallelGC")
	}
	if c.Short {
		args = append(args, "-XX:TieredStopAtLevel=1")
	}
	args = append(args, c.JVMFlags...)
	// A fixed -fp makes fingerprints, and with them dumps and traces, the
	// same in each run. No checkpoints: a run is never resumed. This version
	// writes no trace-exploration spec unless asked to.
	args = append(args, "-cp", t.Jar.Path, mainClass, "-tool", "-fp", "0", "-checkpoint", "0",
		"-metadir", f.meta(), "-workers", strconv.Itoa(workers), "-config", c.cfgName())
	if c.NoDeadlock {
		args = append(args, "-deadlock")
	}
	if c.Coverage {
		args = append(args, "-coverage", "1")
	}
	if c.Dump {
		args = append(args, "-dump", "dot,actionlabels", f.dump())
	}
	return append(args, c.Module+".tla")
}
