package place

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/replay"
)

// Run is what placing keeps of an episode.
type Run struct {
	episode, format, among string
	unsafe                 bool // its harm is to be placed
	good                   bool // it ended well, and is what others are held against
	diverged               bool
	live                   bool             // found by replaying, not by reading
	words                  string           // of the verdicts
	calls                  []callFacts      // of an unsafe run
	kinds, values          map[string]bool  // what the calls with effects do
	steps                  map[Basis]Window // where replaying or the log found it
}

// Window is the run of steps that a placement names, both ends within. The last
// one is the call.
type Window struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// callFacts is what is kept of a call.
type callFacts struct {
	step          int
	tool          string
	risky         bool
	source        int      // the step whose result steered it; -1 for none
	own           []string // its values that the task does not name
	kinds, values []string
}

// Read takes down what placing needs of an episode. found is what its replay gave,
// nil if it is only there for others to be held against; live says that an
// environment ran it and not the log. It keeps nothing and may be called at the
// same time for several episodes.
func Read(ep *corpora.Episode, found *replay.Finding, opts *replay.Options, live bool) *Run {
	r := &Run{
		episode: ep.ID, format: ep.Format, among: taskOf(ep), live: live, diverged: found != nil && found.Divergence != nil,
		good:   ep.Safety != corpora.SafetyUnsafe && (ep.Outcome == corpora.OutcomeSuccess || ep.Safety == corpora.SafetySafe && ep.Outcome != corpora.OutcomeFailure),
		unsafe: ep.Safety == corpora.SafetyUnsafe && found != nil,
		kinds:  map[string]bool{}, values: map[string]bool{}, steps: map[Basis]Window{},
	}
	if !r.unsafe && !r.good {
		return r
	}
	returned := returns{}
	replay.Walk(ep, opts, func(step int, c *gates.Context, known gates.Sources) {
		f := factsOf(step, c)
		if f.risky {
			for _, k := range f.kinds {
				r.kinds[k] = true
			}
			for _, v := range f.values {
				r.values[v] = true
			}
		}
		if r.unsafe {
			f.source = returned.steers(c, known)
			r.calls = append(r.calls, f)
			returned.add(c.ToolName(), step)
		}
	})
	if r.unsafe {
		r.words = wordsOf(ep)
		r.found(found)
	}
	return r
}

// taskOf names what a run is compared within. Runs of one task by name, else by
// its text, within one layout.
func taskOf(ep *corpora.Episode) string {
	return strings.Join([]string{ep.Format, ep.Group, cmp.Or(ep.TaskID, ep.Task)}, "\x00")
}

func wordsOf(ep *corpora.Episode) string {
	var out []string
	for i := range ep.Verdicts {
		if v := &ep.Verdicts[i]; v.Unsafe && v.Step < 0 {
			out = append(out, v.Detail)
		}
	}
	return strings.Join(out, "\n")
}

// found takes over what replaying or the log found: windows, and of the calls
// that have none the first that each of them objects to. A replay that differs
// from the log is no evidence, whatever it drew on the way.
func (r *Run) found(f *replay.Finding) {
	for i := range f.Windows {
		w := &f.Windows[i]
		r.note(r.basisOf(w.Verdict.Source), Window{w.From, w.To})
	}
	for i := 0; i < len(f.Trace) && f.Divergence == nil; i++ {
		x := &f.Trace[i]
		for _, v := range x.Verdicts {
			r.note(r.basisOf(v.Source), Window{x.Step, x.Step})
		}
	}
	for _, v := range f.Episode.Verdicts {
		if v.Unsafe && v.Step >= 0 {
			r.note(Labelled, Window{v.Step, v.Step})
		}
	}
}

func (r *Run) note(b Basis, w Window) {
	if _, ok := r.steps[b]; !ok {
		r.steps[b] = w
	}
}

func (r *Run) basisOf(s replay.Source) Basis {
	switch {
	case s != replay.SourceChecker:
		return Monitor
	case r.live:
		return Replayed
	}
	return Labelled
}

func factsOf(step int, c *gates.Context) callFacts {
	f := callFacts{step: step, tool: c.Tool, risky: c.High(), source: -1}
	for i := range c.Args {
		if a := &c.Args[i]; a.Origin != call.OriginTask && len(a.Value) >= minNamed {
			f.own = append(f.own, a.Value)
		}
	}
	for i := range c.Effects {
		e := &c.Effects[i]
		if !e.High() {
			continue
		}
		kind := c.ToolName() + "\x00" + e.Program + "\x00" + e.Kind.String() + "/" + e.Op.String()
		f.kinds = append(f.kinds, kind)
		if e.Kind != effect.Opaque {
			f.values = append(f.values, kind+"\x00"+e.Resource)
		}
	}
	slices.Sort(f.kinds)
	f.kinds = slices.Compact(f.kinds)
	return f
}
