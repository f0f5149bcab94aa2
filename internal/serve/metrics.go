package serve

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/gbt-policy/gbt/internal/protocol"
	"github.com/gbt-policy/gbt/traverse"
)

// metrics are what /metrics shows. Labels have few values: none comes from a
// request.
type metrics struct {
	handler          http.Handler
	requests         *prometheus.CounterVec
	seconds          *prometheus.HistogramVec
	decisions, moves *prometheus.CounterVec
	outcomes         *prometheus.CounterVec
	started, expired prometheus.Counter
}

// buckets of the duration of requests: a decision takes tens of microseconds,
// a turn that is waited for up to Options.Wait.
var buckets = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

func newMetrics(s *Server) *metrics {
	count := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	m := &metrics{
		requests:  count("gbt_requests_total", "Requests answered, by operation (none for what comes to none) and by code of the error.", "operation", "error"),
		seconds:   prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "gbt_request_seconds", Help: "Time to answer, without reading the request.", Buckets: buckets}, []string{"operation"}),
		decisions: count("gbt_decisions_total", "Decisions on calls.", "disposition"),
		moves:     count("gbt_moves_total", "Answers to proposals.", "verdict"),
		outcomes:  count("gbt_outcomes_total", "Answers to claims to be done.", "outcome"),
		started:   prometheus.NewCounter(prometheus.CounterOpts{Name: "gbt_sessions_started_total", Help: "Sessions started."}),
		expired:   prometheus.NewCounter(prometheus.CounterOpts{Name: "gbt_sessions_expired_total", Help: "Sessions lost for idling or to make room."}),
	}
	live := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "gbt_sessions", Help: "Sessions in memory."}, func() float64 { return float64(s.service.Live()) })
	about := prometheus.NewGauge(prometheus.GaugeOpts{Name: "gbt_policy_info", Help: "The policy that decides.", ConstLabels: prometheus.Labels{"digest": s.policy.Digest(), "name": s.policy.Artifact().Name}})
	about.Set(1)
	reg := prometheus.NewRegistry()
	reg.MustRegister(m.requests, m.seconds, m.decisions, m.moves, m.outcomes, m.started, m.expired, live, about,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.handler = promhttp.HandlerFor(reg, promhttp.HandlerOpts{})
	return m
}

func (m *metrics) answered(op string, f *protocol.Fault, took time.Duration) {
	code := ""
	if f != nil {
		code = f.Code
	}
	m.requests.WithLabelValues(op, code).Inc()
	m.seconds.WithLabelValues(op).Observe(took.Seconds())
}

func (m *metrics) finish(out *traverse.Outcome) {
	switch {
	case out.Done():
		m.outcomes.WithLabelValues("done").Inc()
	case out.Again:
		m.outcomes.WithLabelValues("again").Inc()
	default:
		m.outcomes.WithLabelValues("stall").Inc()
	}
}
