package traverse

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/tree"
)

// wireVersion is the version of a stored session. Numbers are never reused.
const wireVersion = 1

// ErrSession is wrapped by the errors of Resume: the bytes are no session that
// this version reads.
var ErrSession = errors.New("not a session")

// ref names a state: by its index under the same policy, by family and key
// under another one.
type ref struct {
	State  int32  `json:"state"`
	Family string `json:"family,omitempty"`
	Key    string `json:"key,omitempty"`
}

type wireWalk struct {
	Family int32            `json:"family"`
	Name   string           `json:"name,omitempty"`
	Node   int32            `json:"node"`
	Spine  []ref            `json:"spine,omitempty"`
	Nodes  []int32          `json:"nodes,omitempty"`
	Open   []tree.Candidate `json:"open,omitempty"`
	Gates  []string         `json:"gates,omitempty"`
	Held   []string         `json:"held,omitempty"`
}

type wireMacro struct {
	Open     bool   `json:"open,omitempty"`
	Verdict  uint8  `json:"verdict,omitempty"`
	State    ref    `json:"state"`
	Node     int32  `json:"node"`
	Key      string `json:"key,omitempty"`
	Checked  int    `json:"checked,omitempty"`
	Calls    int    `json:"calls,omitempty"`
	Changed  bool   `json:"changed,omitempty"`
	Realised bool   `json:"realised,omitempty"`
	Proposed bool   `json:"proposed,omitempty"`
	Told     bool   `json:"told,omitempty"`
}

type wireRecovery struct {
	Why      string  `json:"why,omitempty"`
	Nodes    []int32 `json:"nodes,omitempty"`
	At       int     `json:"at,omitempty"`
	Tries    int     `json:"tries,omitempty"`
	Realised bool    `json:"realised,omitempty"`
}

// wire is a stored session. Fields stand in this order, lists in theirs: the
// same session gives the same bytes.
type wire struct {
	Version   int                  `json:"version"`
	Policy    string               `json:"policy"`
	Task      Task                 `json:"task"`
	Env       Env                  `json:"env"`
	Routed    bool                 `json:"routed"`
	Steer     wireWalk             `json:"steer"`
	Guard     wireWalk             `json:"guard"`
	Steps     int64                `json:"steps"`
	Used      Usage                `json:"used"`
	Score     int64                `json:"score"`
	Scored    bool                 `json:"scored"`
	Plateau   int64                `json:"plateau"`
	Begun     bool                 `json:"begun,omitempty"` // as tries
	Gained    bool                 `json:"gained,omitempty"`
	Stopped   string               `json:"stopped"`
	Lost      string               `json:"lost"`
	LostAt    int64                `json:"lost_at"`
	Macro     wireMacro            `json:"macro"`
	Visits    []ref                `json:"visits"`
	Footprint [tree.EnvDims]uint32 `json:"footprint"`
	Explored  int32                `json:"explored"`
	Left      []int32              `json:"left"`
	Done      []ref                `json:"done,omitempty"` // as tries
	Moved     int64                `json:"moved,omitempty"`
	Gone      []int32              `json:"gone,omitempty"`
	Recovery  wireRecovery         `json:"recovery"`
	Idle      int                  `json:"idle"`
	Reads     []ref                `json:"reads"`
	Proposals []string             `json:"proposals"`
	Window    []string             `json:"window"`
	Index     []byte               `json:"index"`
	History   []gates.Record       `json:"history"`
	Flow      gates.Flow           `json:"flow"`
	Approved  []string             `json:"approved"`
	Asked     []asked              `json:"asked"`
	Tokens    int64                `json:"tokens"`
	Tries     []tries              `json:"tries,omitempty"` // left out where empty: sessions stored before there were retries stay readable
	Checks    []checkState         `json:"checks"`
	Changed   int64                `json:"changed"`
	Refused   int                  `json:"refused"`
	Memory    memory               `json:"memory"`
	Stats     Stats                `json:"stats"`
}

// MarshalBinary encodes the session as JSON. Equal sessions give equal bytes.
func (s *Session) MarshalBinary() ([]byte, error) {
	index, err := s.index.MarshalBinary()
	if err != nil {
		return nil, fmt.Errorf("session: %w", err)
	}
	m, r, st := &s.macro, &s.recovery, &s.stall
	w := wire{
		Version: wireVersion, Policy: s.p.digest, Task: s.task, Env: s.env, Routed: s.routed, Steer: s.wireWalk(&s.steer),
		Guard: s.wireWalk(&s.guard), Steps: s.steps, Used: s.used, Score: s.score, Scored: s.scored, Plateau: s.plateau, Begun: s.begun, Gained: s.gained,
		Stopped: s.stopped, Lost: s.lost, LostAt: s.lostAt,
		Macro:  wireMacro{m.open, uint8(m.verdict), s.ref(m.state), m.node, m.key, m.checked, m.calls, m.changed, m.realised, m.proposed, m.told},
		Visits: s.refs(s.visits), Footprint: s.footprint, Explored: s.explored, Left: s.left, Done: s.refs(s.done), Moved: s.moved, Gone: s.gone,
		Recovery: wireRecovery{r.why, r.nodes, r.at, r.tries, r.realised}, Idle: st.idle, Reads: s.refs(st.reads),
		Proposals: st.proposals, Window: st.window, Index: index, History: s.history, Flow: s.flow, Approved: s.approved,
		Asked: s.asked, Tokens: s.tokens, Tries: s.tries, Checks: s.checks, Changed: s.changed, Refused: s.refused, Memory: s.memory, Stats: s.stats,
	}
	return json.Marshal(&w)
}

func (s *Session) ref(state int32) ref {
	if state < 0 {
		return ref{State: -1}
	}
	x := &s.p.view.States[state]
	return ref{State: state, Family: s.p.view.Families[x.Family].Name, Key: x.Key}
}

func (s *Session) refs(states []int32) []ref {
	var out []ref
	for _, x := range states {
		out = append(out, s.ref(x))
	}
	return out
}

func (s *Session) wireWalk(w *walk) wireWalk {
	out := wireWalk{Family: w.pos.Family, Node: w.pos.Node, Spine: s.refs(w.pos.Spine), Nodes: w.nodes, Open: w.pos.Open, Gates: w.gates, Held: w.held}
	if w.pos.Family >= 0 {
		out.Name = s.p.view.Families[w.pos.Family].Name
	}
	return out
}

// Resume decodes a session that MarshalBinary encoded. Under the same policy it
// goes on as if nothing had happened. Under another one it obeys that policy
// from now on: its place is found again by the keys of the macros realised, and
// it is no longer covered.
func (p *Policy) Resume(data []byte) (*Session, error) {
	var w wire
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&w); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSession, err)
	}
	if w.Version != wireVersion {
		return nil, fmt.Errorf("%w: version %d, this program reads %d", ErrSession, w.Version, wireVersion)
	}
	s, err := p.session(&w)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSession, err)
	}
	if w.Policy != p.digest {
		s.transfer(&w)
		return s, nil
	}
	if err := s.place(&w); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSession, err)
	}
	if again, err := s.MarshalBinary(); err != nil || !bytes.Equal(again, data) {
		return nil, fmt.Errorf("%w: it does not encode back to the same bytes", ErrSession)
	}
	return s, nil
}

// session takes over what no policy is needed for.
func (p *Policy) session(w *wire) (*Session, error) {
	m := &w.Macro
	s := &Session{
		p: p, task: w.Task, env: w.Env, vec: p.enc.Embed(w.Task.Text), shown: clip(w.Task.Text, taskTokens), uncovered: audit(&w.Task), routed: w.Routed, steps: w.Steps, used: w.Used,
		score: w.Score, scored: w.Scored, plateau: w.Plateau, begun: w.Begun, gained: w.Gained, stopped: w.Stopped, lost: w.Lost, lostAt: w.LostAt,
		macro:     macro{m.Open, Verdict(m.Verdict), -1, -1, m.Key, m.Checked, m.Calls, m.Changed, m.Realised, m.Proposed, m.Told},
		footprint: w.Footprint, explored: w.Explored, history: w.History, flow: w.Flow, approved: w.Approved, asked: w.Asked,
		tokens: w.Tokens, tries: w.Tries, moved: w.Moved, checks: w.Checks, changed: w.Changed, refused: w.Refused, memory: w.Memory, stats: w.Stats,
	}
	s.stall.idle, s.stall.proposals, s.stall.window = w.Idle, w.Proposals, w.Window
	if w.Steps < 0 || w.Used.Seconds < 0 || w.Used.Tokens < 0 || m.Verdict > uint8(Advance) || len(w.History) > historyKept {
		return nil, errors.New("a counter is out of range")
	}
	return s, s.index.UnmarshalBinary(w.Index)
}

// place takes over the places in the tree, under the same policy.
func (s *Session) place(w *wire) error {
	v := s.p.view
	bad := false
	state := func(r ref) int32 {
		bad = bad || r.State < -1 || int(r.State) >= len(v.States)
		return r.State
	}
	nodes := func(list []int32) []int32 {
		for _, n := range list {
			bad = bad || n < -1 || int(n) >= len(v.Nodes)
		}
		return list
	}
	walkOf := func(x *wireWalk) walk {
		out := walk{pos: tree.Pos{Family: x.Family, Node: x.Node, Open: x.Open}, nodes: nodes(x.Nodes), gates: x.Gates, held: x.Held}
		nodes([]int32{x.Node})
		bad = bad || x.Family < -1 || int(x.Family) >= len(v.Families) || len(x.Nodes) != len(x.Spine) || (x.Family >= 0) != (len(x.Spine) > 0)
		for _, r := range x.Spine {
			out.pos.Spine = append(out.pos.Spine, state(r))
			bad = bad || r.State < 0 || !bad && v.States[r.State].Family != x.Family
		}
		for _, c := range x.Open {
			bad = bad || c.Family < 0 || int(c.Family) >= len(v.Families)
		}
		return out
	}
	s.steer, s.guard = walkOf(&w.Steer), walkOf(&w.Guard)
	for _, r := range w.Visits {
		s.visits = append(s.visits, state(r))
		bad = bad || r.State < 0
	}
	for _, r := range w.Reads {
		s.stall.reads = append(s.stall.reads, state(r))
	}
	for _, r := range w.Done {
		s.done = append(s.done, state(r))
		bad = bad || r.State < 0
	}
	for _, f := range slices.Concat(w.Left, w.Gone) {
		bad = bad || f < 0 || int(f) >= len(v.Families)
	}
	s.gone = w.Gone
	s.left, s.macro.state, s.macro.node = w.Left, state(w.Macro.State), w.Macro.Node
	nodes([]int32{w.Macro.Node})
	r := &w.Recovery
	s.recovery = recovery{r.Why, nodes(r.Nodes), r.At, r.Tries, r.Realised}
	for _, n := range r.Nodes {
		bad = bad || n <= tree.Root
	}
	bad = bad || r.At < -1 || r.At > len(r.Nodes)
	if bad {
		return errors.New("a place is not in the tree")
	}
	return nil
}

// transfer finds the places again under another policy, and drops what is not
// in it any more. Gates that were in force stay in force where they still are.
func (s *Session) transfer(w *wire) {
	s.lose("policy-changed")
	s.macro.state, s.macro.node = -1, -1
	s.macro.realised = true // whatever was selected is over
	s.macro.proposed = false
	s.steer, s.guard = s.replay(&w.Steer), s.replay(&w.Guard)
	r := s.p.view.Route(s.vec, s.env.Tools, s.params())
	if s.steer.lost() { // the family is gone: route anew
		s.routed = r.OK()
		s.steer.start(s.p, &r)
	}
	if s.guard.lost() {
		held := s.guard.held
		s.guard.start(s.p, &r)
		s.guard.held, s.guard.gates = held, union(s.guard.gates, held)
	}
	s.visits, s.done = s.found(w.Visits), s.found(w.Done)
}

// found are the states of a stored list that the policy still has.
func (s *Session) found(list []ref) (out []int32) {
	for _, r := range list {
		if f, ok := s.p.family(r.Family); ok {
			if x, ok := s.p.view.FindState(f, r.Key); ok {
				out = append(out, x)
			}
		}
	}
	return out
}

// replay walks a stored spine by its keys.
func (s *Session) replay(x *wireWalk) walk {
	out := walk{pos: tree.Pos{Family: -1, Node: -1}, gates: x.Gates, held: x.Gates}
	f, ok := s.p.family(x.Name)
	if !ok {
		return out
	}
	out.startAt(s.p, f)
	for _, r := range x.Spine[min(1, len(x.Spine)):] {
		state, ok := s.p.view.FindState(f, r.Key)
		if !ok {
			continue
		}
		c := tree.Child{State: state, Node: -1}
		if i := slices.IndexFunc(out.offers(s.p), func(c tree.Child) bool { return c.State == state }); i >= 0 {
			c = out.children[i]
		}
		out.take(s.p, step{offered, c})
	}
	return out
}

func (p *Policy) family(name string) (int32, bool) {
	i := slices.IndexFunc(p.view.Families, func(f tree.Family) bool { return f.Name == name && name != "" })
	return int32(i), i >= 0
}
