package traverse

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/gbt-policy/gbt/tree"
)

// wireVersion is the version of a stored session. Numbers are never reused.
const wireVersion = 2 // 1 kept the memory in six fields, and had no errors in it

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
	Abstained string               `json:"abstained,omitempty"` // as tries
	Late      bool                 `json:"late,omitempty"`
	First     tree.First           `json:"first,omitzero"`
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
	Past      []byte               `json:"past"`
	Tries     []tries              `json:"tries,omitempty"` // left out where empty: sessions stored before there were retries stay readable
	Checks    []checkState         `json:"checks"`
	Proofs    []checkState         `json:"proofs,omitempty"` // as tries
	Falls     []fall               `json:"falls,omitempty"`  // as tries
	Unseen    bool                 `json:"unseen,omitempty"`
	Changed   int64                `json:"changed"`
	Refused   int                  `json:"refused"`
	Notes     notes                `json:"notes"`
	Stats     Stats                `json:"stats"`
}

// MarshalBinary encodes the session as JSON. Equal sessions give equal bytes. A
// task or an environment that is no Unicode text, which Resume could not give back,
// is an error.
func (s *Session) MarshalBinary() ([]byte, error) {
	if !s.unicode() {
		return nil, errors.New("session: its task or environment holds bytes that are not UTF-8, which cannot be stored")
	}
	past, err := s.past.MarshalBinary()
	if err != nil {
		return nil, fmt.Errorf("session: %w", err)
	}
	m, r, st := &s.macro, &s.recovery, &s.stall
	w := wire{
		Version: wireVersion, Policy: s.p.digest, Task: s.task, Env: s.env, Routed: s.routed, Abstained: s.abstained, Late: s.late, First: s.first, Steer: s.wireWalk(&s.steer),
		Guard: s.wireWalk(&s.guard), Steps: s.steps, Used: s.used, Score: s.score, Scored: s.scored, Plateau: s.plateau, Begun: s.begun, Gained: s.gained,
		Stopped: s.stopped, Lost: s.lost, LostAt: s.lostAt,
		Macro:  wireMacro{m.open, uint8(m.verdict), s.ref(m.state), m.node, m.key, m.checked, m.calls, m.changed, m.realised, m.proposed, m.told},
		Visits: s.refs(s.visits), Footprint: s.footprint, Explored: s.explored, Left: s.left, Done: s.refs(s.done), Moved: s.moved, Gone: s.gone,
		Recovery: wireRecovery{r.why, r.nodes, r.at, r.tries, r.realised}, Idle: st.idle, Reads: s.refs(st.reads),
		Proposals: st.proposals, Window: st.window, Past: past,
		Tries: s.tries, Checks: s.checks, Proofs: s.proofs, Falls: s.falls, Unseen: s.unseen, Changed: s.changed, Refused: s.refused, Notes: s.notes, Stats: s.stats,
	}
	return json.Marshal(&w)
}

// unicode says whether all that the host named is UTF-8.
func (s *Session) unicode() bool {
	t, e := &s.task, &s.env
	texts := slices.Concat([]string{t.ID, t.Text, e.Cwd, e.Home}, e.Roots, e.Tools)
	for _, c := range t.Checks {
		texts = append(texts, c.ID, c.Text, c.Reads)
		if f := c.File; f != nil {
			texts = append(texts, f.Path, f.SHA256, f.Contains, f.Lacks)
		}
		if v := c.Value; v != nil {
			texts = append(texts, v.Env, v.JSON, v.At, v.Equals)
		}
	}
	for _, r := range t.Constraints {
		texts = append(texts, r.Does, r.Path, r.Most, r.Text, r.By)
	}
	for _, l := range e.Links {
		texts = append(texts, l.From, l.To)
	}
	return !slices.ContainsFunc(texts, func(x string) bool { return !utf8.ValidString(x) })
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
