package distill

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/segment"
	"github.com/gbt-policy/gbt/tree"
)

// RequestCounts says what the rules for outcomes made of sessions that nobody
// judged. They are no checker: whatever rests on them says so.
type RequestCounts struct {
	Sessions int            `json:"sessions"`
	Requests int            `json:"requests"`
	All      LabelCounts    `json:"all"`
	Changed  LabelCounts    `json:"with_changes"` // of them, those that changed files
	Rules    map[string]int `json:"rules"`        // labelled success or failure, by rule
	Declined map[string]int `json:"declined"`     // calls that the user declined, by action: what to ask about, never what to reject
}

// LabelCounts counts requests by their label.
type LabelCounts struct {
	Success    int `json:"success"`
	Failure    int `json:"failure"`
	Unlabelled int `json:"unlabelled"`
}

// Total is the number of requests.
func (c *LabelCounts) Total() int { return c.Success + c.Failure + c.Unlabelled }

func (c *LabelCounts) add(o corpora.Outcome) {
	tally(&c.Success, o == corpora.OutcomeSuccess)
	tally(&c.Failure, o == corpora.OutcomeFailure)
	tally(&c.Unlabelled, o == corpora.OutcomeUnknown)
}

// labelled is what the rules say of a request.
type labelled struct {
	request bool   // and no whole episode
	first   bool   // of its session
	changed bool   // it changed files
	rule    string // that labelled it success or failure

	declined []string // actions of the calls that the user declined
}

// declined lists the actions of the calls that the user declined. They did not
// run, so they are no evidence of harm and teach no gate to reject.
func declined(e *corpora.Episode) []string {
	var out []string
	for i := range e.Steps {
		if s := &e.Steps[i]; s.Declined() {
			out = append(out, call.ActionOf(s.Tool, s.Args).Key)
		}
	}
	return out
}

// part is what an item is made of: a record, or one request of a session.
type part struct {
	logs.Record
	labelled
}

// parts cuts a session that nobody judged into its labelled requests, if there are
// rules for that. All else stays whole: a judgement is of the whole episode.
func (r *reader) parts(rec logs.Record) []part {
	e := rec.Episode
	if r.outcomes == nil || e == nil || e.Outcome != corpora.OutcomeUnknown || e.Safety != corpora.SafetyUnknown || len(e.Steps) == 0 {
		return []part{{Record: rec}}
	}
	list := r.outcomes.Label(e, r.checker, r.coded[e.Format])
	out := make([]part, len(list))
	for i := range list {
		out[i] = part{logs.Record{Episode: &list[i].Episode}, labelled{request: true, first: i == 0, changed: list[i].Changed, declined: declined(&list[i].Episode)}}
		if list[i].Outcome != corpora.OutcomeUnknown {
			out[i].rule = list[i].Label.Rule
		}
	}
	return out
}

// trace is the part's trace. What is said again and again ("go on", "yes") is no
// sign that two sessions are about one task: of a session only the first request
// can tell by its text.
func (p *part) trace(path *segment.Path, profile segment.Profile, success bool) *merge.Trace {
	t := merge.TraceOf(p.Episode, path, profile, success)
	if p.later() {
		t.TextKey = 0
	}
	return t
}

func (p *part) later() bool { return p.request && !p.first }

// taskDigests names the part's task for the leak check: by its id and by its text,
// because the same task may come from two layouts.
func (p *part) taskDigests() [][]byte {
	var out [][]byte
	if p.Episode.TaskID != "" {
		out = append(out, artifacts.TaskDigest("id:"+p.Episode.TaskID))
	}
	if p.Episode.Task != "" && !p.later() {
		out = append(out, artifacts.TaskDigest("text:"+p.Episode.Task))
	}
	return out
}

// eachPart is logs.Map over parts.
func eachPart[T any](ctx context.Context, in *logs.Input, r *reader, one func(*logs.Unit, part) T) iter.Seq[T] {
	all := logs.Map(ctx, in, func(u *logs.Unit, rec logs.Record) []T {
		parts := r.parts(rec)
		out := make([]T, len(parts))
		for i := range parts {
			out[i] = one(u, parts[i])
		}
		return out
	})
	return func(yield func(T) bool) {
		for list := range all {
			for _, t := range list {
				if !yield(t) {
					return
				}
			}
		}
	}
}

// codedLayouts are the layouts that mark calls which failed.
func codedLayouts() map[string]bool {
	out := map[string]bool{}
	for _, l := range logs.Layouts() {
		out[l.Name] = l.Fields&logs.HasError != 0
	}
	return out
}

// addRequest counts a part that is a request.
func (c *Counts) addRequest(it *item) {
	if !it.request {
		return
	}
	if c.Requests == nil {
		c.Requests = &RequestCounts{Rules: map[string]int{}, Declined: map[string]int{}}
	}
	n := c.Requests
	n.Requests++
	tally(&n.Sessions, it.first)
	n.All.add(it.outcome)
	if it.changed {
		n.Changed.add(it.outcome)
	}
	if it.rule != "" {
		n.Rules[it.rule]++
	}
	for _, action := range it.declined {
		n.Declined[action]++
	}
}

// labelMetrics are the shares of the episodes learned from that rules labelled,
// by rule, to be sealed beside the figures that rest on them.
func labelMetrics(by map[string]int, uses map[string]int) []artifacts.Metric {
	var out []artifacts.Metric
	used := uses[UseSuccess.String()] + uses[UseFailure.String()]
	for rule, n := range by {
		out = append(out, artifacts.Metric{Name: "label.rule " + rule, Value: tree.Milli(share(n, used)*1000 + 0.5)})
	}
	slices.SortFunc(out, func(a, b artifacts.Metric) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// basisOf words what a label rests on.
func basisOf(rule string) string {
	if rule == "" {
		return ""
	}
	return "rule " + rule
}
