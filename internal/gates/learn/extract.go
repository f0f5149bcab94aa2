package learn

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/episode"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/internal/redact"
	"github.com/gbt-policy/gbt/segment"
)

// Standing is what an episode is evidence of.
type Standing uint8

// The standings. An episode that nobody judged is evidence of nothing
// (decision 6).
const (
	StandingNone Standing = iota
	StandingBenign
	StandingUnsafe
)

// StandingOf says what an episode is evidence of: of harm if a monitor or
// checker found a violation, of benign calls if one found none or its outcome
// was checked and good (003 §B.5: successful or non-violating runs). A run that
// was attacked, withstood and failed all the same is neither: nobody knows what
// its calls were for.
func StandingOf(e *corpora.Episode) Standing {
	switch {
	case e.Safety == corpora.SafetyUnsafe:
		return StandingUnsafe
	case e.Outcome == corpora.OutcomeSuccess:
		return StandingBenign
	case e.Safety == corpora.SafetySafe && e.Outcome != corpora.OutcomeFailure:
		return StandingBenign
	}
	return StandingNone
}

// Sample is one high-risk call of a case.
type Sample struct {
	Context gates.Context // redacted
	ID      string        // contexts.ID of its canonical form
	Macro   string        // key of its macro
	Above   []string      // keys of the macros before it and of its own, each once, in order
	Step    int
	From    int // first step of its macro: the window
	// Declined says that the user was asked about it and said no.
	Declined bool
}

// Case is an episode as evidence.
type Case struct {
	Episode  string // digest, hex
	Task     string // digest of the task, hex
	Group    string
	Format   string
	Standing Standing
	Attacked bool   // an attack was made on it, whether or not it came through
	Rule     string // of the verdict
	Detail   string
	Calls    int // executed, of any risk
	Samples  []Sample
	Marks    []Mark // samples that a verdict points to, ascending
	// Whole says that the log calls the episode unsafe without saying which call.
	Whole bool
}

// Extract makes the case of an episode, whose macros are those of path. digest
// names the episode; k builds the contexts as the policy's own checks will. found are the violations that a
// replay of the episode showed; with one that is sure, the episode is unsafe
// whatever its log says of the end (requirement L1).
func Extract(e *corpora.Episode, path *segment.Path, digest, task string, k *gates.Checker, found ...Violation) *Case {
	c := &Case{Episode: digest, Task: task, Group: e.Group, Format: e.Format, Standing: StandingOf(e)}
	if c.Group == "" {
		c.Group = e.Format
	}
	for i := range e.Steps {
		c.Calls += count(e.Steps[i].Status != corpora.StatusBlocked)
	}
	steps := c.violations(e, found)
	above := aboveOf(path)
	want := map[int]bool{}
	for _, v := range found {
		want[v.Step] = true
	}
	list := calls(e, path, k, false)
	for i := range list {
		list[i].high = list[i].high || want[list[i].step]
	}
	walk(e, list, func(i int, ctx *gates.Context, m segment.Macro) {
		s := Sample{Context: redact.Context(ctx), Macro: m.Key, Above: above(i), Step: i, From: m.From}
		s.ID = contexts.ID(s.Context.AppendCanonical(nil))
		if v, ok := steps[i]; ok {
			if v.From < 0 {
				v.From = m.From
			}
			c.Marks = append(c.Marks, Mark{v, len(c.Samples)})
		}
		c.Samples = append(c.Samples, s)
	})
	c.Samples = slices.Clone(c.Samples) // cases are kept: without the room that append leaves
	return c
}

// aboveOf says which macros were entered at a step of a path, its own included.
func aboveOf(path *segment.Path) func(step int) []string {
	var order []string
	entered := make([]int, len(path.Of))
	for i, at := range path.Of {
		if at >= 0 && !slices.Contains(order, path.Macros[at].Key) {
			order = append(order, path.Macros[at].Key)
		}
		entered[i] = len(order)
	}
	return func(step int) []string { return slices.Clip(order[:entered[step]]) }
}

// attempt is a call of an episode and what stood around it.
type attempt struct {
	step  int
	ctx   gates.Context // without origins
	macro segment.Macro
	high  bool
	ran   bool // or the user declined it
}

// walk builds the context of every high-risk call of a list, as a host would have
// seen it. Where values came from decides neither what a call does nor what
// follows from it, and finding it costs more than all the rest: it is done only
// for these calls, and what comes after the last of them is not looked at.
func walk(e *corpora.Episode, list []attempt, each func(i int, ctx *gates.Context, m segment.Macro)) {
	for len(list) > 0 && !list[len(list)-1].high {
		list = list[:len(list)-1]
	}
	if len(list) == 0 {
		return
	}
	var m episode.Memory
	m.Hear(e.Task)
	heard := 0
	for n := range list {
		c := &list[n]
		for ; heard <= c.step; heard++ {
			m.Hear(e.Steps[heard].Heard)
		}
		s := &e.Steps[c.step]
		if c.high {
			c.ctx.Trace(m.Sources())
			each(c.step, &c.ctx, c.macro)
		}
		if !c.ran {
			continue
		}
		m.Returned(c.ctx.ToolName(), []byte(s.Args), s.Result, s.Error)
	}
}

// calls lists the executed calls of an episode, with those that the user declined
// if they are wanted.
func calls(e *corpora.Episode, path *segment.Path, k *gates.Checker, declined bool) []attempt {
	state := gates.State{UID: -1, GID: -1}
	last := -1
	var past episode.Memory
	var out []attempt
	for i := range e.Steps {
		s := &e.Steps[i]
		if s.Cwd != "" {
			state.Cwd = s.Cwd
			if len(state.Roots) == 0 {
				state.Roots = []string{s.Cwd}
			}
		}
		ran := s.Status != corpora.StatusBlocked
		if !ran && !(declined && s.Declined()) {
			continue
		}
		m := segment.Macro{From: i}
		if at := path.Of[i]; at >= 0 {
			m = path.Macros[at]
			if at != last {
				past.NextMacro()
			}
			last = at
		}
		past.Before(&state)
		state.Sources = nil // walk asks where the values of the calls that matter come from
		ctx := k.Context(gates.Request{Tool: s.Tool, Args: []byte(s.Args)}, state)
		out = append(out, attempt{step: i, ctx: ctx, macro: m, high: ctx.High(), ran: ran})
		if ran {
			past.Ran(&ctx, int64(i))
		}
	}
	return out
}

// Row is the corpus row of a benign sample.
func (c *Case) Row(s *Sample) contexts.Row {
	return contexts.NewRow(contexts.Benign, &s.Context, s.Macro, contexts.Evidence{
		Episode: c.Episode, Task: c.Task, Group: c.Group, From: s.From, To: s.Step, Rule: "outcome", Detail: c.Detail,
	})
}

// TaskDigest names a task by its id, else by its text.
func TaskDigest(e *corpora.Episode) string {
	s := "id\x00" + e.TaskID
	if e.TaskID == "" {
		s = "text\x00" + e.Task
	}
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}
