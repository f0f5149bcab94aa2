package merge

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/segment"
	"github.com/gbt-policy/gbt/tree"
)

// Folds is the number of folds by task that evidence is kept apart in, so that
// every figure of a distillation can be cross-validated (protocol B of 003
// §I.3) without reading the logs again.
const Folds = 5

// maxWords bounds the bytes kept of one text. A proposal is a sentence or a
// paragraph; what follows is plans and quoted results.
const maxWords = 1500

// Trace is what distillation keeps of an episode: its macros and its words.
// The calls' arguments and results stay behind in the logs.
type Trace struct {
	Digest  [16]byte // of everything that distillation reads of the episode
	Task    string
	TaskKey uint64 // hash of the task's identity; equal for repeated runs
	TextKey uint64 // hash of the task's text, 0 if there is none
	FoldKey uint64 // decides the fold: the task's key, until Merge knows what else shares it
	Group   string
	Format  string
	Success bool
	Offered []string // tools the host offered, if the log says
	Macros  []Macro
	Shown   *Shown // what it showed at its end; nil of an episode that says nothing of that
	Falls   []Fall // calls of it that failed, in order
}

// Fall is a call that failed, and what came of trying it again, in the form of package
// internal/completion/fixes. This package hands it on and does not read it.
type Fall struct {
	Action string   // of the call
	Class  string   // how it failed
	Row    int32    // how often the action had failed in a row by then
	Again  bool     // the same check was tried again
	Passed bool     // and did not fail then
	With   []string // actions that ended well between: its own where it was only tried in another form
}

// Shown is what an episode showed at its end, as completion checks in the form of package
// internal/completion/mine. This package hands it on and does not read it.
type Shown struct {
	Passed []string // in order
	Failed []string // executed after the last change, and failed
	Early  []string // of Passed, those that failed at first
}

// Macro is one macro of a trace.
type Macro struct {
	Key       string
	Delta     effect.Delta                  // what it changed
	Does      effect.Delta                  // what its actions do: all that a proposal can be matched by
	Seen      bool                          // the log shows Delta, and not only the action
	Sensitive bool                          // one of its calls read what holds secrets
	Words     string                        // the agent's own words before its first call; may be empty
	More      []string                      // its words before later calls of the same macro
	Tools     []string                      // the tool of each call
	From      int32                         // its first step in the episode
	Cont      [len(segment.ContNames)]int32 // only in the reference profile
}

// Fold is the trace's fold.
func (t *Trace) Fold() int { return int(t.FoldKey % Folds) }

// Key is a short form of the digest, for sets.
func (t *Trace) Key() uint64 { return binary.BigEndian.Uint64(t.Digest[:]) }

// NewTrace segments an episode and keeps what distillation needs of it. Of
// episodes that are no success it keeps no words: failures are counted, not
// imitated. The reference profile matches by words what it counts.
func NewTrace(e *corpora.Episode, p segment.Profile, success bool) *Trace {
	path := segment.Segment(e, p)
	return TraceOf(e, &path, p, success)
}

// TraceOf is NewTrace for an episode that Segment has cut under p already.
func TraceOf(e *corpora.Episode, path *segment.Path, p segment.Profile, success bool) *Trace {
	t := &Trace{
		Task:    tree.TaskWords(e.Task),
		TaskKey: TaskKey(e),
		TextKey: textKey(e),
		FoldKey: TaskKey(e),
		Group:   e.Group,
		Format:  e.Format,
		Success: success,
		Offered: e.Tools,
	}
	t.Macros = make([]Macro, 0, len(path.Macros)) // kept by thousands: no room to grow
	for i := range path.Macros {
		t.Macros = append(t.Macros, newMacro(e, path, i, p, success || p == segment.Reference))
	}
	t.Digest = t.digest(e)
	return t
}

func newMacro(e *corpora.Episode, path *segment.Path, i int, p segment.Profile, success bool) Macro {
	m := path.Macros[i]
	out := Macro{Key: m.Key, Delta: m.Delta, Does: m.Does, Seen: m.Basis == segment.BasisObserved, Sensitive: m.Sensitive, From: int32(m.From)}
	for j := m.From; j < m.To; j++ {
		s := &e.Steps[j]
		if path.Of[j] != i {
			continue
		}
		if !success {
			out.Tools = append(out.Tools, s.Tool)
			continue
		}
		if words := strings.TrimSpace(s.Text); words != "" && j == m.From {
			out.Words = clip(words)
		} else if words != "" {
			out.More = append(out.More, clip(words))
		}
		out.Tools = append(out.Tools, s.Tool)
	}
	// What the agent thought in steps of their own comes before the next call.
	if success && out.Words == "" && m.From > 0 && path.Of[m.From-1] == -1 {
		out.Words = clip(strings.TrimSpace(e.Steps[m.From-1].Text))
	}
	if p == segment.Reference {
		out.Cont = segment.Cont(e, path, i)
	}
	return out
}

// clip cuts a text to maxWords bytes at a rune's start and makes it valid.
func clip(s string) string {
	if len(s) > maxWords {
		s = s[:maxWords]
	}
	return strings.ToValidUTF8(s, "")
}

// TaskKey identifies an episode's task across repeated runs: by the layout's
// own task id, else by the task's text.
func TaskKey(e *corpora.Episode) uint64 {
	if e.TaskID != "" {
		return hash64("id", e.TaskID)
	}
	return hash64("text", strings.Join(strings.Fields(strings.ToLower(e.Task)), " "))
}

func textKey(e *corpora.Episode) uint64 {
	if e.Task == "" {
		return 0
	}
	return hash64("words", e.Task)
}

func hash64(parts ...string) uint64 {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return binary.BigEndian.Uint64(h.Sum(nil))
}

// digest identifies the episode by content, so that the same run read from two
// files counts once and order never matters.
func (t *Trace) digest(e *corpora.Episode) [16]byte {
	h := sha256.New()
	for _, s := range []string{e.Format, e.ID, e.TaskID, e.Task, e.Model} {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	for i := range e.Steps {
		s := &e.Steps[i]
		for _, f := range []string{s.Tool, s.Args, s.Text} {
			h.Write([]byte(f))
			h.Write([]byte{0})
		}
	}
	for i := range t.Macros { // what results showed
		h.Write([]byte{byte(t.Macros[i].Delta), bit(t.Macros[i].Seen), bit(t.Macros[i].Sensitive)})
	}
	h.Write([]byte{byte(e.Outcome), byte(e.Safety)})
	return [16]byte(h.Sum(nil))
}

func bit(yes bool) byte {
	if yes {
		return 1
	}
	return 0
}
