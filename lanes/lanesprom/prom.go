// Package lanesprom measures the coordinators of package lanes for Prometheus.
//
//	metrics := lanesprom.New()
//	prometheus.MustRegister(metrics)
//	m, err := lanes.Open(lanes.Config{Refused: metrics.Refused})
//	...
//	metrics.Watch(ctx, m.Coordinator())
//
// It has these:
//
//	lanes_ticket_wait_seconds{owner_kind,end}  histogram: from queued to admitted, or cancelled
//	lanes_ticket_hold_seconds{owner_kind,end}  histogram: from admitted to completed, failed or cancelled
//	lanes_tickets_waiting                      gauge: tickets in line
//	lanes_tickets_running                      gauge: tickets that have their session's place
//	lanes_refusals_total{code}                 counter: of all parts of the managers that tell Refused
//	lanes_events_dropped_total                 counter: events that came too fast to be measured
//	lanes_overtakes_total                      counter: tickets passed by a later one; 0
//
// An owner_kind is one that package lanes has a constant for, or "other", and so
// is a code. No label is a session, an execution or an owner's id: the number of
// series doesn't grow with use.
package lanesprom

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/interlock-go/interlock/lanes"
	"github.com/interlock-go/interlock/lanes/lanesmeter"
)

// Metrics is a collector. It may watch several coordinators, and adds them up.
type Metrics struct {
	wait, hold       *prometheus.HistogramVec
	waiting, running prometheus.Gauge
	refusals         *prometheus.CounterVec
	dropped          prometheus.Counter
	overtakes        prometheus.Counter
}

// buckets are from a millisecond to an hour and a half: a turn of an agent may
// take long.
var buckets = []float64{.001, .005, .025, .1, .5, 1, 5, 15, 60, 300, 900, 1800, 5400}

// New returns metrics that are all 0.
func New() *Metrics {
	histogram := func(name, help string) *prometheus.HistogramVec {
		o := prometheus.HistogramOpts{Name: "lanes_ticket_" + name + "_seconds", Help: help, Buckets: buckets}
		return prometheus.NewHistogramVec(o, []string{"owner_kind", "end"})
	}
	gauge := func(name, help string) prometheus.Gauge {
		return prometheus.NewGauge(prometheus.GaugeOpts{Name: "lanes_tickets_" + name, Help: help})
	}
	counter := func(name, help string) prometheus.CounterOpts {
		return prometheus.CounterOpts{Name: "lanes_" + name + "_total", Help: help}
	}
	return &Metrics{
		wait:      histogram("wait", "How long tickets were queued until they were admitted or cancelled."),
		hold:      histogram("hold", "How long tickets had their session's place."),
		waiting:   gauge("waiting", "Tickets in line."),
		running:   gauge("running", "Tickets that have their session's place."),
		refusals:  prometheus.NewCounterVec(counter("refusals", "Calls that were refused."), []string{"code"}),
		dropped:   prometheus.NewCounter(counter("events_dropped", "Events that came too fast to be measured.")),
		overtakes: prometheus.NewCounter(counter("overtakes", "Tickets passed by a later one of their session.")),
	}
}

// Watch measures what happens to c's tickets from now on, until ctx ends, the
// subscription that it returns is closed, or the manager is.
func (m *Metrics) Watch(ctx context.Context, c *lanes.Coordinator) (*lanes.Subscription, error) {
	return lanesmeter.Watch(ctx, c, recorder{m})
}

// Refused counts r. It is for the Config of a manager, which tells it of the
// refusals of all its parts.
func (m *Metrics) Refused(_ context.Context, r *lanes.Refusal) {
	if code, found := lanesmeter.CodeOf(r); found {
		m.refusals.WithLabelValues(code).Inc()
	}
}

// Describe sends the descriptions of the metrics.
func (m *Metrics) Describe(to chan<- *prometheus.Desc) {
	for _, c := range m.all() {
		c.Describe(to)
	}
}

// Collect sends the metrics.
func (m *Metrics) Collect(to chan<- prometheus.Metric) {
	for _, c := range m.all() {
		c.Collect(to)
	}
}

func (m *Metrics) all() []prometheus.Collector {
	return []prometheus.Collector{m.wait, m.hold, m.waiting, m.running, m.refusals, m.dropped, m.overtakes}
}

type recorder struct{ *Metrics }

func (r recorder) Waited(kind string, end lanesmeter.Wait, d time.Duration) {
	r.wait.WithLabelValues(kind, string(end)).Observe(d.Seconds())
}

func (r recorder) Held(kind string, end lanes.TicketState, d time.Duration) {
	r.hold.WithLabelValues(kind, string(end)).Observe(d.Seconds())
}

func (r recorder) Depth(waiting, running int) {
	r.waiting.Add(float64(waiting))
	r.running.Add(float64(running))
}

func (r recorder) Overtaken(tickets int) { r.overtakes.Add(float64(tickets)) }
func (r recorder) Dropped(events uint64) { r.dropped.Add(float64(events)) }
