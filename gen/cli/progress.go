package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/interlock-go/interlock/fsm/explore"
	"github.com/interlock-go/interlock/gen/tlaplus"
	"github.com/interlock-go/interlock/gen/verify"
	"github.com/interlock-go/interlock/spec"
)

// progress tells on a terminal's line how far long work has come, and takes the
// line away when the work is done. Elsewhere it says nothing.
type progress struct {
	out  io.Writer // nil: says nothing
	what string
	mu   sync.Mutex
	done string // how far it is, in words
	line bool   // something stands on the line
	stop chan struct{}
	end  sync.WaitGroup
}

// patience is how long work goes on before anything is said of it, and then the
// time between two lines.
const patience = time.Second

// begin tells of work until finish is called.
func begin(cmd *cobra.Command, what string) *progress {
	p := &progress{what: what}
	if terminal(cmd.ErrOrStderr()) {
		p.out = cmd.ErrOrStderr()
		p.run(time.NewTicker(patience))
	}
	return p
}

// terminal reports whether w is one that takes lines back.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func (p *progress) run(tick *time.Ticker) {
	p.stop = make(chan struct{})
	start := time.Now()
	p.end.Go(func() {
		defer tick.Stop()
		for {
			select {
			case now := <-tick.C:
				p.show(now.Sub(start))
			case <-p.stop:
				return
			}
		}
	})
}

func (p *progress) show(elapsed time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := fmt.Sprintf("%s: %.0f s", p.what, elapsed.Seconds())
	if p.done != "" {
		text += ", " + p.done
	}
	fmt.Fprintf(p.out, "\r%s\x1b[K", text)
	p.line = true
}

// say takes in how far the work is, in words.
func (p *progress) say(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = text
}

// explored takes in how far a search is.
func (p *progress) explored(at explore.Progress) {
	if p.out == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = fmt.Sprintf("%s states, %s of them to go, %s edges", thousands(at.States), thousands(at.States-at.Expanded), thousands(at.Edges))
}

// finish takes the line away.
func (p *progress) finish() {
	if p.out == nil {
		return
	}
	close(p.stop)
	p.end.Wait()
	if p.line {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}

// exploring returns verify.Explore, with progress told.
func exploring(cmd *cobra.Command) func(context.Context, *spec.Table, *spec.Model, []*spec.Property) (*verify.Search, error) {
	return func(ctx context.Context, t *spec.Table, m *spec.Model, props []*spec.Property) (*verify.Search, error) {
		p := begin(cmd, "exploring "+m.Name+" of "+t.Name)
		defer p.finish()
		return verify.Explore(ctx, t, m, props, verify.Progress(p.explored))
	}
}

// oneUps returns verify.OneUps, with progress told.
func oneUps(cmd *cobra.Command) func(context.Context, *spec.Table, []*verify.Search) ([]*verify.OneUp, error) {
	return func(ctx context.Context, t *spec.Table, searches []*verify.Search) ([]*verify.OneUp, error) {
		p := begin(cmd, "exploring "+t.Name+" one size up")
		defer p.finish()
		return verify.OneUps(ctx, t, searches)
	}
}

// proved is verify.Prove, with progress told.
func proved(cmd *cobra.Command, t *spec.Table, runs []tlaplus.Run) []*verify.Proof {
	p := begin(cmd, fmt.Sprintf("%d runs of TLC on %s", len(runs), t.Name))
	defer p.finish()
	return verify.Prove(cmd.Context(), runs, nil)
}
