package process

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/replay"
)

const (
	version = 1
	maxLine = 64 << 20
)

type request struct {
	ID      int             `json:"id"`
	Op      string          `json:"op"`
	Version int             `json:"version,omitempty"`
	Config  json.RawMessage `json:"config,omitempty"`
	Episode *episode        `json:"episode,omitempty"`
	Call    *callLine       `json:"call,omitempty"`
	Mark    string          `json:"mark,omitempty"`
}

type episode struct {
	ID     string `json:"id"`
	TaskID string `json:"task_id,omitempty"`
	Group  string `json:"group,omitempty"`
	Task   string `json:"task,omitempty"`
	Format string `json:"format,omitempty"`
	Model  string `json:"model,omitempty"`
	// Results are what the calls that ran returned in the log, in order, for an
	// environment that wants them.
	Results []string `json:"results,omitempty"`
}

type callLine struct {
	Index int             `json:"index"`
	Tool  string          `json:"tool"`
	Args  json.RawMessage `json:"args"`
	Cwd   string          `json:"cwd,omitempty"`
}

type answer struct {
	ID       int         `json:"id"`
	OK       bool        `json:"ok"`
	Error    *Refusal    `json:"error"`
	Version  int         `json:"version"`
	Name     string      `json:"name"`
	Places   *places     `json:"places"`
	Result   *resultLine `json:"result"`
	Mark     string      `json:"mark"`
	Outcome  string      `json:"outcome"`
	Wants    []string    `json:"wants"`
	Verdicts verdictsOr  `json:"verdicts"`
}

// Refusal is an environment's answer that it cannot do what it was asked.
type Refusal struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (r *Refusal) Error() string { return r.Message + " (" + r.Code + ")" }

// CodeUnknownOp is the code of a request that the environment does not know.
const CodeUnknownOp = "unknown-op"

func unknownOp(err error) bool {
	var r *Refusal
	return errors.As(err, &r) && r.Code == CodeUnknownOp
}

// Is says that a refused task is one of another environment.
func (r *Refusal) Is(target error) bool {
	return target == replay.ErrUnknownTask && r.Code == "unknown-task"
}

// wantResults is the word with which an environment asks for what the log's calls
// returned.
const wantResults = "results"

type places struct {
	Roots []string `json:"roots"`
	Cwd   string   `json:"cwd"`
	Home  string   `json:"home"`
	UID   *int     `json:"uid"`
	GID   *int     `json:"gid"`
}

func (p *places) state() gates.State {
	st := gates.State{UID: -1, GID: -1}
	if p == nil {
		return st
	}
	st.Roots, st.Cwd, st.Home = p.Roots, p.Cwd, p.Home
	if p.UID != nil {
		st.UID = *p.UID
	}
	if p.GID != nil {
		st.GID = *p.GID
	}
	return st
}

type verdictLine struct {
	Rule   string `json:"rule"`
	Detail string `json:"detail"`
}

// verdictsOr is a list of verdicts, or in the answer to hello a word.
type verdictsOr struct {
	word string
	list []verdictLine
}

func (v *verdictsOr) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &v.word)
	}
	return json.Unmarshal(data, &v.list)
}

type resultLine struct {
	Text     *string       `json:"text"`
	Error    string        `json:"error"`
	ExitCode *int          `json:"exit_code"`
	Cwd      string        `json:"cwd"`
	Deltas   []delta       `json:"deltas"`
	Verdicts []verdictLine `json:"verdicts"`
}

type delta struct {
	Kind     string `json:"kind"`
	Resource string `json:"resource"`
	Size     int    `json:"size"`
}

// deltaNames are the wire names of the kinds of change, in their order.
func deltaNames() []string {
	return []string{"", "file-create", "file-modify", "file-delete", "spawn", "test", "interpreter", "navigate", "submit", "record", "send"}
}

func (r *resultLine) decode() (replay.Result, error) {
	if r == nil || r.Text == nil {
		return replay.Result{}, errors.New("the answer to execute has no result with a text")
	}
	out := replay.Result{Text: *r.Text, Error: r.Error, Cwd: r.Cwd}
	if r.ExitCode != nil {
		out.ExitCode, out.HasExit = *r.ExitCode, true
	}
	for _, d := range r.Deltas {
		kind := slices.Index(deltaNames(), d.Kind)
		if kind <= 0 {
			return replay.Result{}, fmt.Errorf("%q is no kind of change", d.Kind)
		}
		out.Deltas = append(out.Deltas, corpora.Delta{Kind: corpora.DeltaKind(kind), Resource: d.Resource, Size: d.Size, Observed: true})
	}
	var err error
	out.Verdicts, err = verdicts(r.Verdicts)
	return out, err
}

func verdicts(list []verdictLine) ([]replay.Verdict, error) {
	var out []replay.Verdict
	for _, v := range list {
		if v.Rule == "" {
			return nil, errors.New("a verdict has no rule")
		}
		out = append(out, replay.Verdict{Rule: v.Rule, Detail: v.Detail, Source: replay.SourceChecker})
	}
	return out, nil
}

func decodeOutcome(word string) (corpora.Outcome, error) {
	switch word {
	case "success":
		return corpora.OutcomeSuccess, nil
	case "failure":
		return corpora.OutcomeFailure, nil
	case "unknown", "":
		return corpora.OutcomeUnknown, nil
	}
	return corpora.OutcomeUnknown, fmt.Errorf("%q is no outcome", word)
}

// parseAnswer reads one line. It refuses what is not the answer to this request.
func parseAnswer(line []byte, id int) (*answer, error) {
	var a answer
	if err := json.Unmarshal(line, &a); err != nil {
		return nil, fmt.Errorf("an answer is not JSON as agreed: %w", err)
	}
	if a.ID != id {
		return nil, fmt.Errorf("the answer has id %d, the request %d", a.ID, id)
	}
	if !a.OK && (a.Error == nil || a.Error.Code == "") {
		return nil, errors.New("an answer says neither ok nor an error with a code")
	}
	return &a, nil
}
