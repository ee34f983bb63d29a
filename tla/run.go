package tla

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Run checks a model with TLC and waits for it. What TLC finds, errors in the
// model and [TimedOut] included, is the Result's verdict. An error means that
// there is no result: [ErrConfig], those of [Available], the context's, or
// the system's. The JVM is killed with its process group when ctx ends, and
// nothing is left on disk. Since it has a group of its own, an interrupt from
// the terminal doesn't reach it: a command has its signals cancel ctx.
func Run(ctx context.Context, c Config) (*Result, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	tools, err := locate(ctx, c.Jar)
	if err != nil {
		return nil, err
	}
	f, err := c.prepare()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(f.root)

	start := time.Now()
	res, err := c.run(ctx, tools, f)
	if err != nil {
		return nil, err
	}
	res.Elapsed = time.Since(start)
	c.nameTemporal(res, f)
	if c.Dump {
		if err := readDump(res, f.dump()); err != nil {
			return nil, err
		}
	}
	return res, nil
}

// errTimeout tells our own deadline from the caller's.
var errTimeout = errors.New("timeout")

func (c Config) run(ctx context.Context, t Tools, f folder) (*Result, error) {
	limited := ctx
	if c.Timeout > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeoutCause(ctx, c.Timeout, errTimeout)
		defer cancel()
	}
	cmd := exec.CommandContext(limited, t.Java, c.args(t, f)...)
	cmd.Dir = f.spec()
	killGroup(cmd)
	stderr := &tail{max: 16 << 10}
	cmd.Stderr = stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("tla: starting java: %w", err)
	}
	lr := newLogReader(c.Print)
	var log io.Reader = stdout
	if c.Log != nil {
		log = io.TeeReader(stdout, c.Log)
	}
	readErr := lr.split.split(log)
	if readErr != nil && limited.Err() == nil {
		// Nobody reads on, so the JVM would wait for ever.
		_ = cmd.Cancel()
	}
	waitErr := cmd.Wait()
	switch {
	case waitErr == nil && readErr == nil:
		// Done, perhaps just before the context was.
	case ctx.Err() != nil:
		return nil, fmt.Errorf("tla: running TLC: %w", context.Cause(ctx))
	case context.Cause(limited) == errTimeout:
		res := lr.finish(-1, "")
		res.Verdict = Verdict{Kind: TimedOut, Message: "stopped after " + c.Timeout.String()}
		return res, nil
	case readErr != nil:
		return nil, fmt.Errorf("tla: reading TLC's log: %w", readErr)
	}
	var exit *exec.ExitError
	if waitErr != nil && !errors.As(waitErr, &exit) {
		return nil, fmt.Errorf("tla: running TLC: %w", waitErr)
	}
	// Paths of the run's folder mean nothing to a reader.
	said := strings.ReplaceAll(stderr.String(), f.spec()+string(filepath.Separator), "")
	return lr.finish(cmd.ProcessState.ExitCode(), said), nil
}

// nameTemporal says which temporal property was violated, if only one can be.
func (c Config) nameTemporal(res *Result, f folder) {
	v := &res.Verdict
	if v.Kind != TemporalProperty || v.Name != "" {
		return
	}
	names := c.Temporal
	if names == nil {
		cfg, err := os.ReadFile(filepath.Join(f.spec(), c.cfgName()))
		if err != nil {
			return
		}
		names = cfgProperties(cfg)
	}
	if len(names) == 1 {
		v.Name = names[0]
	}
}

// readDump leaves Graph nil where TLC stopped before it wrote one.
func readDump(res *Result, path string) error {
	file, err := os.Open(path)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		return err
	}
	defer file.Close()
	graph, err := ReadDot(file)
	if err != nil && res.Verdict.Kind != OK {
		// A graph that TLC left half-written.
		res.Warnings = append(res.Warnings, err.Error())
		return nil
	}
	res.Graph = graph
	return err
}

// Outcome is what [Run] returned.
type Outcome struct {
	Result *Result
	Err    error
}

// RunAll runs the configs, up to parallel of them at a time (at least one),
// and returns their outcomes in the configs' order. Runs share nothing but
// the machine: mind that each may take HeapMB of memory. The callbacks of
// different configs are called concurrently.
func RunAll(ctx context.Context, parallel int, configs []Config) []Outcome {
	outcomes := make([]Outcome, len(configs))
	slots := make(chan struct{}, max(parallel, 1))
	var wg sync.WaitGroup
	for i, c := range configs {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			if err := ctx.Err(); err != nil {
				outcomes[i].Err = context.Cause(ctx)
				return
			}
			outcomes[i].Result, outcomes[i].Err = Run(ctx, c)
		})
	}
	wg.Wait()
	return outcomes
}

// tail is a writer that keeps the last max bytes.
type tail struct {
	max int
	buf bytes.Buffer
}

func (t *tail) Write(p []byte) (int, error) {
	t.buf.Write(p)
	if extra := t.buf.Len() - t.max; extra > 0 {
		t.buf.Next(extra)
	}
	return len(p), nil
}

func (t *tail) String() string { return t.buf.String() }
