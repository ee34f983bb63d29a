// Package lanesotel measures the coordinators of package lanes with
// OpenTelemetry.
//
//	metrics, err := lanesotel.New(otel.GetMeterProvider())
//	...
//	m, err := lanes.Open(lanes.Config{Refused: metrics.Refused})
//	...
//	metrics.Watch(ctx, m.Coordinator())
//
// It has these instruments:
//
//	lanes.ticket.wait      histogram, s: from queued to admitted, or cancelled; owner.kind, end
//	lanes.ticket.hold      histogram, s: from admitted to completed, failed or cancelled; owner.kind, end
//	lanes.tickets.waiting  up-down counter: tickets in line
//	lanes.tickets.running  up-down counter: tickets that have their session's place
//	lanes.refusals         counter: of all parts of the managers that tell Refused; code
//	lanes.events.dropped   counter: events that came too fast to be measured
//	lanes.overtakes        counter: tickets passed by a later one; 0
//
// An owner.kind is one that package lanes has a constant for, or "other", and so
// is a code. No attribute is a session, an execution or an owner's id: the number
// of series doesn't grow with use.
package lanesotel

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/interlock-go/interlock/lanes"
	"github.com/interlock-go/interlock/lanes/lanesmeter"
)

// Metrics are the instruments. They may watch several coordinators, and add them
// up.
type Metrics struct {
	wait, hold       metric.Float64Histogram
	waiting, running metric.Int64UpDownCounter
	refusals         metric.Int64Counter
	dropped          metric.Int64Counter
	overtakes        metric.Int64Counter
}

// buckets are from a millisecond to an hour and a half: a turn of an agent may
// take long.
var buckets = []float64{.001, .005, .025, .1, .5, 1, 5, 15, 60, 300, 900, 1800, 5400}

// New makes the instruments of p.
func New(p metric.MeterProvider) (*Metrics, error) {
	if p == nil {
		return nil, errors.New("lanesotel: the meter provider is nil")
	}
	meter := p.Meter("github.com/interlock-go/interlock/lanes")
	var failed []error
	histogram := func(name, help string) metric.Float64Histogram {
		h, err := meter.Float64Histogram(name, metric.WithUnit("s"), metric.WithDescription(help), metric.WithExplicitBucketBoundaries(buckets...))
		failed = append(failed, err)
		return h
	}
	depth := func(name, help string) metric.Int64UpDownCounter {
		c, err := meter.Int64UpDownCounter(name, metric.WithUnit("{ticket}"), metric.WithDescription(help))
		failed = append(failed, err)
		return c
	}
	counter := func(name, unit, help string) metric.Int64Counter {
		c, err := meter.Int64Counter(name, metric.WithUnit(unit), metric.WithDescription(help))
		failed = append(failed, err)
		return c
	}
	m := &Metrics{
		wait:      histogram("lanes.ticket.wait", "How long tickets were queued until they were admitted or cancelled."),
		hold:      histogram("lanes.ticket.hold", "How long tickets had their session's place."),
		waiting:   depth("lanes.tickets.waiting", "Tickets in line."),
		running:   depth("lanes.tickets.running", "Tickets that have their session's place."),
		refusals:  counter("lanes.refusals", "{refusal}", "Calls that were refused."),
		dropped:   counter("lanes.events.dropped", "{event}", "Events that came too fast to be measured."),
		overtakes: counter("lanes.overtakes", "{ticket}", "Tickets passed by a later one of their session."),
	}
	if err := errors.Join(failed...); err != nil {
		return nil, fmt.Errorf("lanesotel: %w", err)
	}
	return m, nil
}

// Watch measures what happens to c's tickets from now on, until ctx ends, the
// subscription that it returns is closed, or the manager is.
func (m *Metrics) Watch(ctx context.Context, c *lanes.Coordinator) (*lanes.Subscription, error) {
	r := recorder{m, context.WithoutCancel(ctx)}
	s, err := lanesmeter.Watch(ctx, c, r)
	if err != nil {
		return nil, err
	}
	r.Depth(0, 0) // so that 0 is told, and not nothing
	r.Overtaken(0)
	r.Dropped(0)
	return s, nil
}

// Refused counts r. It is for the Config of a manager, which tells it of the
// refusals of all its parts, each with the context of its call.
func (m *Metrics) Refused(ctx context.Context, r *lanes.Refusal) {
	if code, found := lanesmeter.CodeOf(r); found {
		m.refusals.Add(ctx, 1, metric.WithAttributes(attribute.String("code", code)))
	}
}

type recorder struct {
	*Metrics
	ctx context.Context // of Watch, for what an SDK looks up in one
}

func attributes(kind, end string) metric.MeasurementOption {
	return metric.WithAttributes(attribute.String("owner.kind", kind), attribute.String("end", end))
}

func (r recorder) Waited(kind string, end lanesmeter.Wait, d time.Duration) {
	r.wait.Record(r.ctx, d.Seconds(), attributes(kind, string(end)))
}

func (r recorder) Held(kind string, end lanes.TicketState, d time.Duration) {
	r.hold.Record(r.ctx, d.Seconds(), attributes(kind, string(end)))
}

func (r recorder) Depth(waiting, running int) {
	r.waiting.Add(r.ctx, int64(waiting))
	r.running.Add(r.ctx, int64(running))
}

func (r recorder) Overtaken(tickets int) { r.overtakes.Add(r.ctx, int64(tickets)) }
func (r recorder) Dropped(events uint64) { r.dropped.Add(r.ctx, int64(events)) }
