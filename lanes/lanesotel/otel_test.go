package lanesotel_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/interlock-go/interlock/lanes"
	"github.com/interlock-go/interlock/lanes/lanesotel"
)

func open(t *testing.T) (*lanes.Manager, *lanesotel.Metrics, *metric.ManualReader) {
	t.Helper()
	reader := metric.NewManualReader()
	metrics, err := lanesotel.New(metric.NewMeterProvider(metric.WithReader(reader)))
	if err != nil {
		t.Fatal(err)
	}
	m, err := lanes.Open(lanes.Config{Refused: metrics.Refused})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	if _, err := metrics.Watch(context.Background(), m.Coordinator()); err != nil {
		t.Fatal(err)
	}
	return m, metrics, reader
}

func submit(t *testing.T, c *lanes.Coordinator, session, kind string) lanes.Ticket {
	t.Helper()
	ticket, err := c.Submit(context.Background(), lanes.Request{Session: session, Owner: lanes.Owner{Kind: kind, ID: session}})
	if err != nil {
		t.Fatal(err)
	}
	return ticket
}

// read returns what reader has, a line each.
func read(t *testing.T, reader *metric.ManualReader) (lines []string) {
	t.Helper()
	synctest.Wait()
	var all metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &all); err != nil {
		t.Fatal(err)
	}
	of := func(name string, set attribute.Set, value ...any) {
		lines = append(lines, strings.TrimSpace(name+" "+set.Encoded(attribute.DefaultEncoder()))+": "+fmt.Sprint(value...))
	}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			switch data := m.Data.(type) {
			case metricdata.Sum[int64]:
				for _, p := range data.DataPoints {
					of(m.Name, p.Attributes, p.Value)
				}
			case metricdata.Histogram[float64]:
				for _, p := range data.DataPoints {
					of(m.Name, p.Attributes, p.Count, " of ", p.Sum, m.Unit)
				}
			default:
				t.Errorf("%s is a %T", m.Name, data)
			}
		}
	}
	slices.Sort(lines)
	return lines
}

func want(t *testing.T, reader *metric.ManualReader, lines ...string) {
	t.Helper()
	if got := read(t, reader); !slices.Equal(got, lines) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(lines, "\n"))
	}
}

func TestMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, metrics, reader := open(t)
		ctx, c := context.Background(), m.Coordinator()
		want(t, reader, "lanes.events.dropped: 0", "lanes.overtakes: 0", "lanes.tickets.running: 0", "lanes.tickets.waiting: 0")

		first := submit(t, c, "s", lanes.OwnerAgent)
		second := submit(t, c, "s", "made up")
		time.Sleep(2 * time.Second)
		want(t, reader, "lanes.events.dropped: 0", "lanes.overtakes: 0", "lanes.ticket.wait end=admitted,owner.kind=agent: 1 of 0s",
			"lanes.tickets.running: 1", "lanes.tickets.waiting: 1")

		c.Complete(ctx, first)
		time.Sleep(10 * time.Second)
		c.Fail(ctx, second, errors.New("no"))
		for range 3 {
			m.Projects().Claim(ctx, "p", "r")
		}
		metrics.Refused(ctx, &lanes.Refusal{Code: "made up"})
		want(t, reader, "lanes.events.dropped: 0", "lanes.overtakes: 0", "lanes.refusals code=PROJECT_BUSY: 2", "lanes.refusals code=other: 1",
			"lanes.ticket.hold end=completed,owner.kind=agent: 1 of 2s", "lanes.ticket.hold end=failed,owner.kind=other: 1 of 10s",
			"lanes.ticket.wait end=admitted,owner.kind=agent: 1 of 0s", "lanes.ticket.wait end=admitted,owner.kind=other: 1 of 2s",
			"lanes.tickets.running: 0", "lanes.tickets.waiting: 0")
	})
}

// However many sessions, owners and kinds there are, the series are as many.
func TestSeriesDontGrow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, _, reader := open(t)
		use := func(from, to int) int {
			for i := from; i < to; i++ {
				m.Coordinator().Complete(context.Background(), submit(t, m.Coordinator(), fmt.Sprint("s", i), fmt.Sprint("kind ", i)))
			}
			return len(read(t, reader))
		}
		if few, many := use(0, 1), use(1, 500); few != many {
			t.Errorf("%d series of 1 ticket, %d of 500", few, many)
		}
	})
}

func TestNewWithoutProvider(t *testing.T) {
	if _, err := lanesotel.New(nil); err == nil {
		t.Error("no error")
	}
}
