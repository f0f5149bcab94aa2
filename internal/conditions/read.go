package conditions

import (
	"slices"
	"unicode/utf8"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/episode"
)

// Run is an episode as conditions see it.
type Run struct {
	Task    uint64 // equal for repeated runs of one task
	Group   string // what its tools have in common with: the layout and suite
	Success bool
	Steps   []Step
}

// Step is one call that ran.
type Step struct {
	Act     string
	Changes bool // it is no plain read
	Fact    *episode.Fact
	Bound   []gates.Bound
	Said    []string // values that the user's words named by then, sorted
}

// NewRun reads an episode.
func NewRun(e *corpora.Episode, task uint64, success bool, k *gates.Checker) Run {
	return Run{Task: task, Group: e.Format + "/" + e.Group, Success: success, Steps: Read(e, k)}
}

// Size is about how many bytes a run takes.
func (r *Run) Size() int {
	n := 64
	for i := range r.Steps {
		s := &r.Steps[i]
		n += 160 + len(s.Act)
		for _, b := range s.Bound {
			n += 32 + len(b.Name) + len(b.Value)
		}
		if s.Fact != nil {
			n += 96 + len(s.Fact.Bound) + len(s.Fact.Shown)
		}
	}
	return n
}

// maxName is the longest name of an action or argument that a policy holds.
const maxName = 200

// maxSteps bounds the steps of a run that are looked at: the first of them.
const maxSteps = 400

// Read makes steps of the calls of an episode that ran. Fact is nil for one that the log
// does not show to have ended well.
func Read(e *corpora.Episode, k *gates.Checker) []Step {
	state := gates.State{UID: -1, GID: -1}
	var past episode.Memory
	past.Hear(e.Task)
	var out []Step
	for i := range e.Steps[:min(len(e.Steps), maxSteps)] {
		s := &e.Steps[i]
		past.Hear(s.Heard)
		if s.Cwd != "" {
			state.Cwd = s.Cwd
			if len(state.Roots) == 0 {
				state.Roots = []string{s.Cwd}
			}
		}
		if s.Status == corpora.StatusBlocked {
			continue
		}
		req := gates.Request{Tool: s.Tool, Args: []byte(s.Args)}
		call := k.Read(req, &state)
		act := call.Action()
		if act.Key == "" || len(act.Key) > maxName || !utf8.ValidString(act.Key) || act.Key == "think" || act.Key == "cd" {
			continue
		}
		ctx := gates.ContextOf(call, state)
		step := Step{Act: act.Key, Changes: !act.ReadOnly(), Bound: ctx.Bound()}
		step.Bound = slices.DeleteFunc(step.Bound, func(b gates.Bound) bool { return len(b.Name) > maxName || !utf8.ValidString(b.Name) })
		for _, b := range step.Bound {
			if origin, _, _ := past.Sources().Find(b.Value); origin == "task" {
				step.Said = append(step.Said, b.Value)
			}
		}
		slices.Sort(step.Said)
		if s.Status == corpora.StatusExecuted && s.Error == "" && (!s.HasExit || s.ExitCode == 0) {
			f := episode.NewFact(act.Key, step.Bound, s.Result)
			step.Fact = &f
		}
		out = append(out, step)
	}
	return out
}

// holds says whether a need is met of a value by one of the steps, or by what the user said.
func holds(n *gates.Need, value string, said []string, before []Step) bool {
	if n.How == gates.HowSaid {
		_, ok := slices.BinarySearch(said, value)
		return ok
	}
	return slices.ContainsFunc(before, func(s Step) bool { return s.Fact != nil && s.Fact.Holds(n, value) })
}

// values are those of an argument of a step; one that is empty for the call as such.
func (s *Step) values(arg string) []string {
	if arg == "" {
		return []string{""}
	}
	var out []string
	for _, b := range s.Bound {
		if b.Name == arg {
			out = append(out, b.Value)
		}
	}
	return out
}

// missing are the values of a call for which no need of a condition is met.
func missing(c *gates.Condition, s *Step, before []Step) (out []string) {
	for _, v := range s.values(c.Arg) {
		if !slices.ContainsFunc(c.Needs, func(n gates.Need) bool { return holds(&n, v, s.Said, before) }) {
			out = append(out, v)
		}
	}
	return out
}
