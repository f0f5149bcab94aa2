package logs

import (
	"strings"

	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

// turn is one line of a session that forms a tree: what one side said, called
// or got back. Sessions of Claude Code and pi are read into turns first,
// because only the whole file tells which of them led to the end.
type turn struct {
	id, parent string
	group      string // the answer that this line is a block of
	user       string
	stopped    bool // the user stopped the run here
	words      string
	calls      []corpora.Step
	results    []turnResult
	line       int

	tokensIn, tokensOut int64
	model, cwd, branch  string
}

// turnResult is a tool's result on its way to its step.
type turnResult struct {
	id, tool, out, fault string
	blockedBy, cwd       string
	exit                 int
	hasExit              bool
	end                  int64
	deltas               []corpora.Delta
}

// talks says whether the turn carries the conversation on. A line that only
// brings a result hangs off the call it answers and starts no branch.
func (t *turn) talks() bool { return t.user != "" || t.words != "" || len(t.calls) > 0 }

// session is one conversation of a file.
type session struct {
	format, id, version, parent string
	agent, group                string
	tokensIn, tokensOut         int64 // of the whole session, if its turns do not say
	turns                       []turn
	head                        *corpora.Episode // what is known of the run already
	labels                      runLabels
}

// runLabels are what files beside a session say about it. They judge the path
// that it ended on, not the branches left behind.
type runLabels struct {
	taskID, group string
	outcome       corpora.Outcome
	safety        corpora.Safety
	verdicts      []corpora.Verdict
}

// set puts the labels that there are into an episode.
func (l *runLabels) set(ep *corpora.Episode) {
	if l.outcome != corpora.OutcomeUnknown {
		ep.Outcome = l.outcome
	}
	if l.safety != corpora.SafetyUnknown {
		ep.Safety, ep.Verdicts = l.safety, l.verdicts
	}
}

// emitSession hands out the path to the session's last turn as one episode,
// and every branch that was left behind as an episode of its own that holds
// only what it does not share, with the first as its parent.
func (rd *reader) emitSession(s *session) {
	if len(s.turns) == 0 {
		return
	}
	parents := parentTurns(s.turns)
	main := mainPath(s.turns, parents)
	rd.emitTurns(s, s.id, s.parent, "", func(i int) bool { return main[i] })
	s.tokensIn, s.tokensOut = 0, 0 // counted with the main path
	task := ""
	for i := range s.turns {
		if main[i] && s.turns[i].user != "" {
			task = s.turns[i].user
			break
		}
	}
	branch := branches(s.turns, parents, main)
	for _, root := range branch.roots {
		rd.emitTurns(s, s.id+"/"+s.turns[root].id, s.format+"/"+s.id, task, func(i int) bool { return branch.of[i] == root })
	}
}

// parentTurns resolves the parents to positions. A turn without a known parent
// follows the line before it: resumed and compacted sessions begin a new tree.
func parentTurns(turns []turn) []int {
	at := make(map[string]int, len(turns))
	out := make([]int, len(turns))
	for i := range turns {
		out[i] = i - 1
		if p, ok := at[turns[i].parent]; ok && turns[i].parent != "" {
			out[i] = p
		}
		if turns[i].id != "" {
			at[turns[i].id] = i
		}
	}
	return out
}

// mainPath marks the turns that lead to the last one that talks, all blocks of
// the answers among them, the results of their calls, and where the user stopped
// them.
func mainPath(turns []turn, parents []int) []bool {
	on := make([]bool, len(turns))
	last := len(turns) - 1
	for last > 0 && !turns[last].talks() {
		last--
	}
	groups := map[string]bool{}
	for i := last; i >= 0; i = parents[i] {
		on[i] = true
		if turns[i].group != "" {
			groups[turns[i].group] = true
		}
	}
	calls := map[string]bool{}
	for i := range turns {
		on[i] = on[i] || groups[turns[i].group]
		if on[i] {
			for _, c := range turns[i].calls {
				calls[c.CallID] = true
			}
		}
	}
	for i := range turns {
		for _, r := range turns[i].results {
			on[i] = on[i] || !turns[i].talks() && calls[r.id]
		}
		// Nothing hangs off the stop that ends a session.
		on[i] = on[i] || turns[i].stopped && parents[i] >= 0 && on[parents[i]]
	}
	return on
}

// branchSet is the turns off the main path, by the turn that left it.
type branchSet struct {
	roots []int
	of    []int // of[i] is the root of the branch that turn i is on, -1 if none
}

func branches(turns []turn, parents []int, main []bool) branchSet {
	b := branchSet{of: make([]int, len(turns))}
	talks := map[int]bool{}
	for i := range turns {
		b.of[i] = -1
		if main[i] {
			continue
		}
		b.of[i] = i
		if p := parents[i]; p >= 0 && b.of[p] >= 0 {
			b.of[i] = b.of[p]
		}
		if turns[i].talks() && !talks[b.of[i]] {
			talks[b.of[i]] = true
			b.roots = append(b.roots, b.of[i])
		}
	}
	return b
}

// emitTurns hands out the turns that keep as one episode.
func (rd *reader) emitTurns(s *session, id, parent, task string, keep func(i int) bool) {
	b := &rd.run
	began := false
	for i := range s.turns {
		if !keep(i) {
			continue
		}
		t := &s.turns[i]
		if !began {
			began = true
			b.begin(s.format, rd.partsOrigin(place{line: t.line}))
			if s.head != nil {
				b.ep = *s.head
			}
			b.ep.ID, b.ep.Version, b.ep.Agent, b.ep.Parent = s.format+"/"+id, s.version, s.agent, parent
			b.ep.TaskID = firstOfStrings(b.ep.TaskID, s.labels.taskID)
			b.ep.Group = firstOfStrings(b.ep.Group, s.labels.group, s.group)
			if id == s.id { // the main path
				s.labels.set(&b.ep)
			}
			b.ep.TokensIn, b.ep.TokensOut = s.tokensIn, s.tokensOut
			b.ep.Task = firstOfStrings(b.ep.Task, strings.TrimSpace(task))
		}
		b.turn(t)
	}
	if !began {
		return
	}
	if s.head != nil { // a run of many on one task: its content tells it apart
		b.ep.ID = ""
	}
	rd.done(s.format + "/" + id)
}

// turn adds one turn to the run.
func (b *runBuilder) turn(t *turn) {
	if t.model != "" {
		b.ep.Model = t.model
	}
	if t.cwd != "" {
		b.cwd = t.cwd
	}
	if t.branch != "" {
		b.branch = t.branch
	}
	if b.ep.Group == "" {
		b.ep.Group = b.cwd
	}
	for i := range t.results {
		b.turnResult(&t.results[i])
	}
	if t.stopped {
		b.stop()
	}
	b.user(t.user)
	b.say(t.words)
	b.ep.TokensIn += t.tokensIn
	b.ep.TokensOut += t.tokensOut
	if t.tokensIn+t.tokensOut > 0 {
		b.spentIn, b.spentOut = t.tokensIn, t.tokensOut
	}
	for _, c := range t.calls {
		c.TokensIn, c.TokensOut = b.spentIn, b.spentOut
		b.spentIn, b.spentOut = 0, 0
		c.Cwd, c.Branch = b.cwd, b.branch
		b.call(c)
	}
}

func (b *runBuilder) turnResult(r *turnResult) {
	s := b.result(r.id, r.tool, r.out, r.fault)
	if s == nil {
		return
	}
	if r.blockedBy != "" {
		s.Status, s.BlockedBy = corpora.StatusBlocked, r.blockedBy
	}
	s.ExitCode, s.HasExit, s.End, s.Deltas = r.exit, r.hasExit, r.end, r.deltas
	s.Cwd = firstOfStrings(r.cwd, s.Cwd)
}

// turnCalls is the calls among content parts.
func (rd *reader) turnCalls(content *fastjson.Value, line int, start int64) []corpora.Step {
	calls := rd.partCalls(content, nil, place{line: line, index: -1})
	for i := range calls {
		calls[i].Start = start
	}
	return calls
}
