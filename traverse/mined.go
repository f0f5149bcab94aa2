package traverse

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/internal/traverse/proof"
	"github.com/gbt-policy/gbt/tree"
)

// Completion checks that the policy has mined from logs (H1): where a task names no check
// that could fail, a run that stands where successful runs ended must pass what those
// showed there. Commands and files are looked at by the host and reported like any
// other check; of calls the session itself has seen which ran and what they returned.

// Mined is a completion check of the policy, with the task's values in it.
type Mined struct {
	ID string `json:"id"`
	// Says is the check in words, for people and for the executor.
	Says string `json:"says"`
	// Check is what the host executes; nil of a check that calls answer, and of one that
	// can't be executed.
	Check *Check `json:"check,omitempty"`
	// Why says why it can't be executed: "unbound" where the task names no value for it.
	Why string `json:"why,omitempty"`
	// Refuted says that the logs show it to fail.
	Refuted bool `json:"refuted"`

	calls bool // calls answer it
}

// minedPrefix begins the id of a mined check. A task's own check of that name goes first.
const minedPrefix = "mined-"

// MinedID is the id of a check of a family of the policy, by their indices.
func MinedID(family, i int) string {
	return minedPrefix + strconv.Itoa(family) + "-" + strconv.Itoa(i)
}

func minedID(family, i int32) string { return MinedID(int(family), int(i)) }

// proofRef names a check of a family.
type proofRef struct{ family, at int32 }

// proofsByTool are the checks that calls answer, by the tool that they ask for.
func proofsByTool(t *tree.Tree) map[string][]proofRef {
	out := map[string][]proofRef{}
	for f := range t.Families {
		for i := range t.Families[f].Proofs {
			if p := &t.Families[f].Proofs[i]; p.Kind == tree.ProofCall {
				out[p.Subject] = append(out[p.Subject], proofRef{int32(f), int32(i)})
			}
		}
	}
	return out
}

// named are the values of the task. They are worked out when a check asks for them.
func (s *Session) named() *proof.Names {
	if s.names == nil {
		s.names = proof.Of(s.task.Text)
	}
	return s.names
}

// Mined are the completion checks that the policy has for the place where the run stands:
// none where the task names checks of its own, where the run ends nowhere yet, and
// where the policy does not claim the task.
func (s *Session) Mined() []Mined {
	if s.falsifiable() || !s.routed || s.trial() || !s.atLeaf() {
		return nil
	}
	list, _ := s.p.view.Proofs(&s.guard.pos)
	return s.mined(s.guard.pos.Family, list)
}

// MinedAhead are the checks which the host executes at some end of the families that the
// run may be in: what to try before anything is done (Untouched).
func (s *Session) MinedAhead() []Mined {
	if s.falsifiable() || s.guard.pos.Family < 0 && len(s.guard.pos.Open) == 0 {
		return nil
	}
	families := []int32{s.guard.pos.Family}
	if s.guard.pos.Family < 0 {
		families = nil
		for _, c := range s.guard.pos.Open {
			families = append(families, c.Family)
		}
	}
	var out []Mined
	for _, f := range families {
		var all []int32
		for i := range s.p.view.Families[f].Proofs {
			all = append(all, int32(i))
		}
		out = append(out, slices.DeleteFunc(s.mined(f, all), func(m Mined) bool { return m.Check == nil })...)
	}
	return out
}

func (s *Session) mined(family int32, list []int32) []Mined {
	var out []Mined
	for _, i := range list {
		p := &s.p.view.Families[family].Proofs[i]
		if s.named().Void(p) {
			continue
		}
		m := Mined{ID: minedID(family, i), Refuted: p.Refuted(), calls: p.Kind == tree.ProofCall}
		m.Says = says(p, s.named())
		switch {
		case !s.named().Binds(p):
			m.Why = "unbound"
		case p.Kind == tree.ProofCommand:
			line, _ := s.named().BindCommand(p.Subject)
			m.Check = &Check{ID: m.ID, Text: line}
		case p.Kind == tree.ProofFile:
			path, _ := s.named().Bind(p.Subject)
			m.Check = &Check{ID: m.ID, File: &FileCheck{Path: path}}
		case s.unseen && !s.answered(m.ID):
			m.Why = "policy-changed"
		}
		out = append(out, m)
	}
	return out
}

// says words a check, with the task's values where it has some.
func says(p *tree.Proof, n *proof.Names) string {
	subject, _ := n.Bind(p.Subject)
	switch {
	case p.Kind == tree.ProofCommand:
		return "`" + subject + "` ends with status 0"
	case p.Kind == tree.ProofFile:
		return subject + " is there"
	case p.Subject == proof.Any && p.Place == "":
		return "the last call did not fail"
	case p.Place == "":
		return "a call of " + p.Subject + " did not fail"
	case p.Value == "":
		return "the last call" + ofTool(p.Subject) + " did not fail and returned something"
	case strings.HasPrefix(p.Value, "{every "):
		return "every " + strings.Trim(p.Value[len("{every "):], "}") + " that the task names stands in the " + p.Place + " of calls" + ofTool(p.Subject) + " that did not fail"
	case p.Value == proof.Task:
		return "a call of " + p.Subject + " did not fail and has a value of the task in " + p.Place
	}
	value, _ := n.Bind(p.Value)
	return "a call of " + p.Subject + " did not fail and has " + strconv.Quote(value) + " in " + p.Place
}

func ofTool(name string) string {
	if name == proof.Any {
		return ""
	}
	return " of " + name
}

// minedAt is what is known of a mined check; nil for nothing.
func (s *Session) minedAt(id string) *checkState {
	if i := slices.IndexFunc(s.proofs, func(c checkState) bool { return c.ID == id }); i >= 0 {
		return &s.proofs[i]
	}
	return nil
}

// answered reports whether calls have shown what a check asks for.
func (s *Session) answered(id string) bool {
	c := s.minedAt(id)
	return c != nil && c.Executed
}

// note returns the place for what becomes known of a mined check; nil for an id that the
// policy has no such check under.
func (s *Session) note(id string) *checkState {
	if c := s.minedAt(id); c != nil {
		return c
	}
	rest, ok := strings.CutPrefix(id, minedPrefix)
	f, i, both := strings.Cut(rest, "-")
	family, err := strconv.Atoi(f)
	n, err2 := strconv.Atoi(i)
	if !ok || !both || err != nil || err2 != nil || family < 0 || family >= len(s.p.view.Families) ||
		n < 0 || n >= len(s.p.view.Families[family].Proofs) || id != minedID(int32(family), int32(n)) {
		return nil
	}
	s.proofs = append(s.proofs, checkState{ID: id})
	sort.Slice(s.proofs, func(i, j int) bool { return s.proofs[i].ID < s.proofs[j].ID }) // of a few, with less code than by type
	return s.minedAt(id)
}

// hosted is note for a check that the host executes: what calls answer, no report does.
func (s *Session) hosted(id string) *checkState {
	for _, list := range s.p.proofs {
		for _, r := range list {
			if minedID(r.family, r.at) == id {
				return nil
			}
		}
	}
	return s.note(id)
}

// reportMined is Report for a check of the policy.
func (s *Session) reportMined(id string, passed bool, e *Evidence) bool {
	c := s.hosted(id)
	if c == nil {
		return false
	}
	c.Executed, c.Passed, c.At, c.Why = true, passed && (&Check{}).agrees(e), s.changed, ""
	if c.Evidence = e.kept(); !c.Passed {
		s.checkFell(s.checkOf(id), c.Evidence)
	}
	return true
}

// checkOf is what the host executes of a check of the policy at the place where the run stands;
// nil for nothing.
func (s *Session) checkOf(id string) *Check {
	for _, m := range s.Mined() {
		if m.ID == id {
			return m.Check
		}
	}
	return nil
}

// triedMined is Untouched for a check of the policy. One that passes before anything is
// done must still pass at the end, and makes no run DONE.
func (s *Session) triedMined(id string, passed bool, e *Evidence) bool {
	c := s.hosted(id)
	if c == nil {
		return false
	}
	c.Tried, c.Vacuous, c.Before = true, passed && (&Check{}).agrees(e), e.kept()
	return true
}

// Cannot notes that the host can't execute a mined check, and why: the guard does not let
// its command pass, or the run changed what judges it. Such a run is ENDED at best.
func (s *Session) Cannot(id, why string) (ok bool) {
	c := s.hosted(id)
	if c == nil || s.checkAt(id) >= 0 {
		return false
	}
	*c = checkState{ID: id, Tried: c.Tried, Vacuous: c.Vacuous, Before: c.Before, Why: clip(why, maxHead)}
	return true
}

// timeless is the time of what calls showed once and for all.
const timeless = -1

// fresh reports whether nothing changed since a mined check was looked at that could make
// it another.
func (s *Session) fresh(c *checkState) bool { return c.At == timeless || c.At == s.changed }

// showed looks whether a call that ran is what mined checks ask for.
func (s *Session) showed(c *Call, r *Result, act call.Action) {
	refs := slices.Concat(s.p.proofs[c.Tool], s.p.proofs[proof.Any])
	if len(refs) == 0 || s.falsifiable() {
		return
	}
	words := proof.Words(act.Key)
	ran := proof.Call{Tool: c.Tool, Args: c.Args, Output: r.Output, Failed: proof.Failed(r.Error, r.Output), Reads: act.ReadOnly()}
	for _, ref := range refs {
		id := minedID(ref.family, ref.at)
		st := proof.State{}
		if x := s.minedAt(id); x != nil {
			st = proof.State{Shown: x.Passed, Seen: x.Seen}
		}
		p := &s.p.view.Families[ref.family].Proofs[ref.at]
		if !s.named().Track(p, &ran, words, &st) {
			continue
		}
		sum := sha256.Sum256(r.Output)
		x := s.note(id)
		x.Executed, x.Passed, x.At, x.Seen = true, st.Shown, timeless, st.Seen
		if proof.Fresh(p, &ran) {
			x.At = s.changed
		}
		x.Evidence = &Evidence{Digest: hex.EncodeToString(sum[:])}
	}
}

// Permits decides on a call as Check does and remembers nothing of it: for commands that
// judge the run. Only a call that needs no consent is permitted.
func (s *Session) Permits(c Call) bool {
	was := s.env
	defer func() { s.env = was }()
	if c.Env != nil {
		s.env = *c.Env
	}
	a := s.judged(s.read(&c))
	return a.Allowed()
}

// minedFindings are the findings of the policy's checks. Those that nobody executed do
// not stall the run; they leave it ENDED.
func (s *Session) minedFindings() []Finding {
	var out []Finding
	for _, m := range s.Mined() {
		f := Finding{ID: m.ID, Says: m.Says, open: true}
		c := s.minedAt(m.ID)
		switch {
		case m.Why != "":
			f.Reason = "check-" + m.Why + ":" + m.ID
		case m.calls && c == nil:
			f.Executed, f.open, f.Reason = true, false, "check-failed:"+m.ID
		case c == nil || !c.Executed && c.Why == "":
			f.Reason = "check-not-executed:" + m.ID
		case c.Why != "":
			f.Reason = "check-not-executed:" + m.ID + ":" + c.Why
		case !s.fresh(c):
			f.Reason = "check-stale:" + m.ID
		default:
			f.Executed, f.Passed, f.open, f.Evidence = true, c.Passed, false, c.Evidence
			if !c.Passed {
				f.Reason = "check-failed:" + m.ID
			}
		}
		out = append(out, f)
	}
	return out
}

// minedWhy is the reason of a check's finding.
func (s *Session) minedWhy(m *Mined) string {
	for _, f := range s.minedFindings() {
		if f.ID == m.ID {
			return f.Reason
		}
	}
	return "check-not-executed:" + m.ID
}

// undecided says why a check that passed makes no run DONE: nothing shows that it can fail, or
// not that those who pass it succeeded.
func undecided(m *Mined, c *checkState) string {
	if m.Refuted && m.calls || m.Refuted && !c.Tried {
		return "check-not-decisive:" + m.ID
	}
	return "check-cannot-fail:" + m.ID
}

// unproven says why the policy's checks make no run DONE that the task names no check for:
// one was not executed after the last change, or did not pass, or none was shown to
// tell. Empty where they do. What calls show tells where the checks of this end told
// successes from other runs in the logs; what the host executes tells where it failed before
// anything was done, and in the logs too.
func (s *Session) unproven() (why string, proved bool) {
	shown := false
	list, decides := s.p.view.Proofs(&s.guard.pos)
	mined := s.Mined()
	decides = decides && len(mined) == len(list)
	for _, m := range mined {
		c := s.minedAt(m.ID)
		if m.Why != "" || c == nil || !c.Executed || !c.Passed || !s.fresh(c) {
			return s.minedWhy(&m), false
		}
		shown = shown || m.Refuted && (m.calls && decides || !m.calls && c.Tried && !c.Vacuous)
		why = undecided(&m, c)
	}
	if shown {
		return "", true
	}
	return why, false
}
