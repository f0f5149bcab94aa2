package decisions

import "time"

// Entry is one line of the log: a decision, or what became of one.
type Entry struct {
	Time    time.Time `json:"time"`
	Host    string    `json:"host"`              // the coding agent, or "mcp", "serve", "run"
	Session string    `json:"session,omitempty"` // a digest
	Agent   string    `json:"agent,omitempty"`   // a digest: a subagent of the session
	Call    string    `json:"call,omitempty"`    // a digest, by which an answer finds its question
	Answer  string    `json:"answer,omitempty"`  // set where the line is an answer: AnswerYes, AnswerNo or AnswerRest

	End string `json:"end,omitempty"` // set where the line is the end of an agent's turn: SentBack, Ended or Stall

	In       string   `json:"in,omitempty"` // the workspace
	Tool     string   `json:"tool,omitempty"`
	ID       string   `json:"decision_id,omitempty"`
	Verdict  string   `json:"disposition,omitempty"`
	Rules    []string `json:"rules,omitempty"`
	Gates    []string `json:"gates,omitempty"`
	Policy   string   `json:"policy,omitempty"`
	Asked    string   `json:"asked,omitempty"` // what a person reads of it (gates/wording)
	Scope    []string `json:"scope,omitempty"` // what an answer could be remembered for
	Allow    []string `json:"allow,omitempty"` // the user's rules that would have answered it
	Blocked  bool     `json:"blocked,omitempty"`
	Microsec int64    `json:"us,omitempty"`
}

// The answers. After AnswerRest the questions of that session and agent that had no word
// were declined: the person said something else.
const (
	AnswerYes  = "yes"
	AnswerNo   = "no"
	AnswerRest = "rest"
)

// What became of the end of an agent's turn that something was asked of. DONE is none of
// them: that is said of runs whose checks were shown to fail first.
const (
	SentBack = "sent_back" // it lacked something, and the agent was told
	Ended    = "ENDED"     // it lacked nothing that could be told
	Stall    = "STALL"     // it lacked something, and was let go
)

// Asks says whether the entry is a question: what a person had to agree to.
func (e *Entry) Asks() bool { return e.Verdict == VerdictAsks }

// VerdictAsks is the disposition of a question (gates.ApprovedWithConstraints).
const VerdictAsks = "approved_with_constraints"
