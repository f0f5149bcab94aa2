package main

import (
	"encoding/json"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/segment"
)

// The JSON form of an episode, with names for the closed sets. It has the
// names of the Parquet columns (internal/corpora/parquet/SCHEMA.md).
type jsonEpisode struct {
	ID        string        `json:"id"`
	Format    string        `json:"format"`
	Version   string        `json:"version,omitempty"`
	TaskID    string        `json:"task_id,omitempty"`
	Task      string        `json:"task,omitempty"`
	Group     string        `json:"group,omitempty"`
	Agent     string        `json:"agent,omitempty"`
	Model     string        `json:"model,omitempty"`
	Parent    string        `json:"parent,omitempty"`
	Outcome   string        `json:"outcome"`
	Safety    string        `json:"safety"`
	Verdicts  []jsonVerdict `json:"verdicts,omitempty"`
	Tools     []string      `json:"tools,omitempty"`
	Steps     []jsonStep    `json:"steps"`
	Final     string        `json:"final,omitempty"`
	TokensIn  int64         `json:"tokens_in,omitempty"`
	TokensOut int64         `json:"tokens_out,omitempty"`
	Chars     int64         `json:"chars"`
	Origin    jsonOrigin    `json:"origin"`
}

type jsonOrigin struct {
	File   string `json:"file"`
	Member string `json:"member,omitempty"`
	Line   int    `json:"line,omitempty"`
	Index  int    `json:"index"`
	Key    string `json:"key,omitempty"`
}

type jsonVerdict struct {
	Step   int    `json:"step"`
	Unsafe bool   `json:"unsafe"`
	Rule   string `json:"rule"`
	Detail string `json:"detail,omitempty"`
}

type jsonStep struct {
	CallID    string          `json:"call_id,omitempty"`
	Tool      string          `json:"tool"`
	Args      json.RawMessage `json:"args"`
	Text      string          `json:"text,omitempty"`
	Heard     string          `json:"heard,omitempty"`
	Actor     string          `json:"actor,omitempty"`
	Status    string          `json:"status"`
	BlockedBy string          `json:"blocked_by,omitempty"`
	Stopped   bool            `json:"stopped,omitempty"` // the user stopped the run here
	Result    string          `json:"result,omitempty"`
	Error     string          `json:"error,omitempty"`
	ExitCode  *int            `json:"exit_code,omitempty"`
	Cwd       string          `json:"cwd,omitempty"`
	Deltas    []jsonDelta     `json:"deltas,omitempty"`
	Change    string          `json:"change,omitempty"` // what it comes down to
	Basis     string          `json:"basis,omitempty"`  // of change: observed or nominal
	Start     int64           `json:"start,omitempty"`
	End       int64           `json:"end,omitempty"`
	TokensIn  int64           `json:"tokens_in,omitempty"`
	TokensOut int64           `json:"tokens_out,omitempty"`
	Line      int             `json:"line,omitempty"`
	Index     int             `json:"index"`
}

type jsonDelta struct {
	Kind     string `json:"kind"`
	Resource string `json:"resource,omitempty"`
	Size     int    `json:"size,omitempty"`
	Observed bool   `json:"observed"`
}

var (
	outcomeKeys = []string{"unknown", "success", "failure"}
	safetyKeys  = []string{"unknown", "safe", "unsafe"}
	statusKeys  = []string{"unknown", "executed", "blocked"}
	deltaKeys   = []string{
		"none", "file_create", "file_modify", "file_delete", "spawn", "test", "interpreter", "navigate", "submit", "record", "send",
	}
)

func enumName[N ~uint8](names []string, n N) string {
	if int(n) < len(names) {
		return names[n]
	}
	return names[0]
}

func episodeJSON(ep *corpora.Episode) jsonEpisode {
	out := jsonEpisode{
		ID: ep.ID, Format: ep.Format, Version: ep.Version, TaskID: ep.TaskID, Task: ep.Task, Group: ep.Group,
		Agent: ep.Agent, Model: ep.Model, Parent: ep.Parent, Outcome: enumName(outcomeKeys, ep.Outcome),
		Safety: enumName(safetyKeys, ep.Safety), Tools: ep.Tools, Steps: []jsonStep{}, Final: ep.Final,
		TokensIn: ep.TokensIn, TokensOut: ep.TokensOut, Chars: ep.Chars, Origin: jsonOrigin(ep.Origin),
	}
	for _, v := range ep.Verdicts {
		out.Verdicts = append(out.Verdicts, jsonVerdict(v))
	}
	for i := range ep.Steps {
		out.Steps = append(out.Steps, stepJSON(&ep.Steps[i]))
	}
	return out
}

func stepJSON(s *corpora.Step) jsonStep {
	out := jsonStep{
		CallID: s.CallID, Tool: s.Tool, Args: json.RawMessage(s.Args), Text: s.Text, Heard: s.Heard, Actor: s.Actor,
		Status: enumName(statusKeys, s.Status), BlockedBy: s.BlockedBy, Stopped: s.Stopped, Result: s.Result, Error: s.Error, Cwd: s.Cwd,
		Start: s.Start, End: s.End, TokensIn: s.TokensIn, TokensOut: s.TokensOut, Line: s.Line, Index: s.Index,
	}
	if !json.Valid(out.Args) {
		out.Args = json.RawMessage("{}")
	}
	if s.HasExit {
		out.ExitCode = &s.ExitCode
	}
	c := segment.ChangeOf(s)
	if c.Basis != segment.BasisNone {
		out.Change, out.Basis = c.Coarse.String(), c.Basis.String()
	}
	for _, d := range c.Deltas {
		out.Deltas = append(out.Deltas, jsonDelta{enumName(deltaKeys, d.Kind), d.Resource, d.Size, d.Observed})
	}
	return out
}
