package traverse

import (
	"slices"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/episode"
	"github.com/gbt-policy/gbt/internal/traverse/proof"
	"github.com/gbt-policy/gbt/tree"
)

// Session is one run of one task under a policy: everything the traverser
// remembers, as one value. It belongs to one goroutine at a time.
type Session struct {
	p    *Policy
	task Task
	env  Env
	vec  tree.Vec // direction of the task's text

	shown     string   // the task's text as the executor sees it
	uncovered []string // what of the task no completion check covers

	routed    bool
	abstained string     // why the policy does not claim the task; empty if it does
	late      bool       // its first macros may still claim it
	first     tree.First // macros that the run began with
	steer     walk       // where proposals are matched
	guard     walk       // where calls are checked: executed calls alone move it

	steps   int64 // macro steps
	used    Usage
	score   int64
	scored  bool  // a score was told
	plateau int64 // steps since the score or the environment got better
	begun   bool  // a step is under way
	gained  bool  // a call of it changed something
	stopped string
	lost    string // why covered = 0, but for what loss adds
	lostAt  int64

	macro     macro
	visits    []int32 // states of the macros realised, in order, of all families
	footprint [tree.EnvDims]uint32
	explored  int32
	left      []int32 // families that a re-root left
	done      []int32 // states of the macros that executed calls led to, the newest
	moved     int64   // how many there were
	gone      []int32 // families that the guarding walk left
	recovery  recovery
	stall     stallState

	past     episode.Memory
	readings []reading // of the calls checked last
	tries    []tries   // calls stopped in the macro under way, by kind
	checks   []checkState
	proofs   []checkState // what is known of the policy's checks, by id
	falls    []fall       // actions that failed and have not ended well since, the oldest first
	names    *proof.Names // values of the task; nil before they are asked for
	unseen   bool         // calls ran under another policy, whose results nobody kept
	changed  int64        // changes there may have been so far; a check is stale if it ran before the last
	refused  int          // Finish calls refused so far

	notes notes
	stats Stats
	step  Step // the trace of the answer under work
}

// macro is the macro under way.
type macro struct {
	open     bool // a proposal selected it, or a call began it
	verdict  Verdict
	state    int32 // the state selected, -1 for none
	node     int32
	key      string // the action its last call belongs to
	checked  int    // calls checked since it began
	calls    int    // calls executed, without those that belong to no macro
	changed  bool
	realised bool // a call had the selected action
	proposed bool
	told     bool // since the last proposal, whatever its answer was
}

// Stats count what happened in a session.
type Stats struct {
	Advance    int64 `json:"advance"`
	Fragile    int64 `json:"fragile"`
	Explore    int64 `json:"explore"`
	Recover    int64 `json:"recover"` // macros of recovery paths given out
	Ambiguous  int64 `json:"ambiguous"`
	Stalls     int64 `json:"stalls"`
	Recoveries int64 `json:"recoveries"` // paths found
	Reroots    int64 `json:"reroots"`
	Followed   int64 `json:"followed"`   // selected macros that the executor realised
	Deviated   int64 `json:"deviated"`   // selected macros that it did not
	Calls      int64 `json:"calls"`      // executed
	Blocked    int64 `json:"blocked"`    // checks that did not let a call pass, or in a shadow session would not
	Unapproved int64 `json:"unapproved"` // calls that ran without an approval
}

// Start routes a task, or abstains, and returns its session.
func (p *Policy) Start(task Task, env Env) *Session {
	s := &Session{p: p, task: task, env: env, vec: p.enc.Embed(tree.TaskWords(task.Text)), shown: clip(task.Text, taskTokens)}
	s.macro.state, s.macro.node = -1, -1
	s.past.Observes = true
	s.past.Hear(task.Text)
	for _, c := range task.Checks {
		s.checks = append(s.checks, checkState{ID: c.ID})
	}
	r := s.route()
	s.claim(&r)
	s.guard.start(p, &r)
	if !s.routed {
		s.lose("not-routed")
	}
	s.uncovered = s.audited()
	s.uncover()
	return s
}

// lose notes the first reason for which the episode is not covered (S1).
func (s *Session) lose(why string) {
	if s.lost == "" {
		s.lost, s.lostAt = why, s.steps
	}
}

// Status says where a session stands.
type Status struct {
	Family string   `json:"family"` // empty while several are open or none is
	Open   []string `json:"open,omitempty"`
	Routed bool     `json:"routed"`
	// Abstained says why the policy does not claim the task: empty, words, far or
	// first-steps.
	Abstained string `json:"abstained,omitempty"`
	Covered   bool   `json:"covered"` // covered = 1 so far (requirement S1)
	Lost      string `json:"lost,omitempty"`
	LostAt    int64  `json:"lost_at,omitempty"` // step at which coverage was lost
	Steps     int64  `json:"steps"`
	Used      Usage  `json:"used"`
	Stopped   string `json:"stopped,omitempty"` // why the run is over
	// Uncovered is what of the task no completion check covers. A task that names
	// checks is stopped by it before any action (H3).
	Uncovered []string `json:"uncovered,omitempty"`
	Spine     []string `json:"spine"`           // keys of the macros realised
	Gates     []string `json:"gates,omitempty"` // node-local gates in force
	AtLeaf    bool     `json:"at_leaf"`         // successful runs ended here
	// Mined are the policy's completion checks: before the first call those to try on what
	// is untouched, later those of the place where the run stands.
	Mined []Mined `json:"mined,omitempty"`
	Arm   string  `json:"arm,omitempty"` // what of the policy is left out; empty for nothing
	Stats Stats   `json:"stats"`
}

// Status returns where the session stands.
func (s *Session) Status() Status {
	st := Status{
		Routed: s.routed, Abstained: s.abstained, Steps: s.steps, Used: s.used, Stopped: s.stopped, Uncovered: slices.Clone(s.uncovered),
		Gates: slices.Clone(s.guard.gates), AtLeaf: s.atLeaf(), Stats: s.stats, Spine: []string{},
	}
	if s.p.arm != Full {
		st.Arm = s.p.arm.String()
	}
	if st.Mined = s.Mined(); s.stats.Calls == 0 {
		st.Mined = s.MinedAhead()
	}
	st.Lost, st.LostAt = s.loss()
	st.Covered = st.Lost == ""
	v := s.p.view
	if f := s.steer.pos.Family; f >= 0 {
		st.Family = v.Families[f].Name
	}
	for _, c := range s.steer.pos.Open {
		st.Open = append(st.Open, v.Families[c.Family].Name)
	}
	for _, x := range s.visits {
		st.Spine = append(st.Spine, v.States[x].Key)
	}
	return st
}

// Task returns the session's task.
func (s *Session) Task() Task { return s.task }

func (s *Session) params() *tree.Params { return &s.p.art.Params }

func (s *Session) literal() bool { return s.params().Profile == tree.ReferenceProfile }

// spend keeps the largest usage told.
func (s *Session) spend(u Usage) {
	s.used.Seconds = max(s.used.Seconds, u.Seconds)
	s.used.Tokens = max(s.used.Tokens, u.Tokens)
}

// counts reports whether an action belongs to a macro: thinking and changing
// directory do not (as in package segment).
func counts(a call.Action) bool { return a.Key != "think" && a.Key != "cd" }
