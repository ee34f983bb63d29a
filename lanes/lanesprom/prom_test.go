package lanesprom_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/interlock-go/interlock/lanes"
	"github.com/interlock-go/interlock/lanes/lanesprom"
)

func open(t *testing.T) (*lanes.Manager, *lanesprom.Metrics, *prometheus.Registry) {
	t.Helper()
	metrics := lanesprom.New()
	m, err := lanes.Open(lanes.Config{Refused: metrics.Refused})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(metrics)
	if _, err := metrics.Watch(context.Background(), m.Coordinator()); err != nil {
		t.Fatal(err)
	}
	return m, metrics, registry
}

func submit(t *testing.T, c *lanes.Coordinator, session, kind string) lanes.Ticket {
	t.Helper()
	ticket, err := c.Submit(context.Background(), lanes.Request{Session: session, Owner: lanes.Owner{Kind: kind, ID: session}})
	if err != nil {
		t.Fatal(err)
	}
	return ticket
}

// want fails unless what is scraped has these lines.
func want(t *testing.T, r *prometheus.Registry, lines string, names ...string) {
	t.Helper()
	synctest.Wait()
	if err := testutil.GatherAndCompare(r, strings.NewReader(lines), names...); err != nil {
		t.Error(err)
	}
}

func TestMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, metrics, registry := open(t)
		ctx, c := context.Background(), m.Coordinator()
		counts := `# HELP lanes_events_dropped_total Events that came too fast to be measured.
# TYPE lanes_events_dropped_total counter
lanes_events_dropped_total 0
# HELP lanes_overtakes_total Tickets passed by a later one of their session.
# TYPE lanes_overtakes_total counter
lanes_overtakes_total 0
# HELP lanes_tickets_running Tickets that have their session's place.
# TYPE lanes_tickets_running gauge
lanes_tickets_running %d
# HELP lanes_tickets_waiting Tickets in line.
# TYPE lanes_tickets_waiting gauge
lanes_tickets_waiting %d
`
		want(t, registry, fmt.Sprintf(counts, 0, 0)) // and nothing else

		first := submit(t, c, "s", lanes.OwnerAgent)
		second := submit(t, c, "s", lanes.OwnerAgent)
		names := []string{"lanes_events_dropped_total", "lanes_overtakes_total", "lanes_tickets_running", "lanes_tickets_waiting"}
		want(t, registry, fmt.Sprintf(counts, 1, 1), names...)
		time.Sleep(2 * time.Second)
		c.Complete(ctx, first)
		time.Sleep(10 * time.Second)
		c.Fail(ctx, second, errors.New("no"))
		want(t, registry, fmt.Sprintf(counts, 0, 0), names...)

		for _, h := range []struct {
			name, end string
			count     uint64
			sum       float64
		}{
			{"wait", "admitted", 2, 2}, {"hold", "completed", 1, 2}, {"hold", "failed", 1, 10},
		} {
			if count, sum := histogram(t, registry, "lanes_ticket_"+h.name+"_seconds", h.end); count != h.count || sum != h.sum {
				t.Errorf("%s %s: %d of %v s; want %d of %v s", h.name, h.end, count, sum, h.count, h.sum)
			}
		}

		for range 2 {
			m.Projects().Claim(ctx, "p", "r")
		}
		metrics.Refused(ctx, &lanes.Refusal{Code: "made up"})
		want(t, registry, `# HELP lanes_refusals_total Calls that were refused.
# TYPE lanes_refusals_total counter
lanes_refusals_total{code="PROJECT_BUSY"} 1
lanes_refusals_total{code="other"} 1
`, "lanes_refusals_total")
	})
}

// histogram returns the count and the sum of the one whose end is so.
func histogram(t *testing.T, r *prometheus.Registry, name, end string) (count uint64, sum float64) {
	t.Helper()
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			for _, l := range m.GetLabel() {
				if f.GetName() == name && l.GetName() == "end" && l.GetValue() == end {
					return m.GetHistogram().GetSampleCount(), m.GetHistogram().GetSampleSum()
				}
			}
		}
	}
	return 0, 0
}

// However many sessions, owners and kinds there are, the series are as many.
func TestSeriesDontGrow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, _, registry := open(t)
		use := func(from, to int) int {
			for i := from; i < to; i++ {
				m.Coordinator().Complete(context.Background(), submit(t, m.Coordinator(), fmt.Sprint("s", i), fmt.Sprint("kind ", i)))
			}
			synctest.Wait()
			n, err := testutil.GatherAndCount(registry)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		if few, many := use(0, 1), use(1, 500); few != many {
			t.Errorf("%d series of 1 ticket, %d of 500", few, many)
		}
	})
}

func TestLint(t *testing.T) {
	metrics := lanesprom.New()
	metrics.Refused(context.Background(), &lanes.Refusal{Code: lanes.ErrQueueFull})
	problems, err := testutil.CollectAndLint(metrics)
	if err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
}
