package replay

import (
	"context"
	"errors"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
)

// Env is an environment in which calls run. It belongs to one caller at a time.
// An error means that the environment itself failed; a tool that failed is a
// Result.
type Env interface {
	// Reset brings the environment into the state before the episode's first call.
	// An error that is ErrUnknownTask says that it never ran such an episode.
	Reset(ctx context.Context, ep *corpora.Episode) error
	// Execute runs one call and reports what it returned, changed and violated.
	Execute(ctx context.Context, call Call) (Result, error)
	// Checkpoint keeps the present state; Restore returns to it, any number of
	// times. Marks are valid until the next Reset.
	Checkpoint(ctx context.Context) (Mark, error)
	Restore(ctx context.Context, m Mark) error
	Close() error
}

// ErrUnknownTask is the error of a Reset to an episode of another environment.
var ErrUnknownTask = errors.New("the environment does not know the episode's task")

// Judge is an Env whose checkers can be asked about the present state.
type Judge interface {
	Env
	// ByState says that violations are known from Judge alone: Execute reports
	// none.
	ByState() bool
	// Judge judges the present state as if the run ended here.
	Judge(ctx context.Context) (Judgement, error)
}

// Judgement is what checkers say about a state.
type Judgement struct {
	Outcome  corpora.Outcome
	Verdicts []Verdict
}

// Observer is an Env that knows where calls run: it takes the place of what the
// log and the monitors' file say. It is asked before every call.
type Observer interface {
	State() gates.State
}

// Hinter is an Env that knows what tools say about their own risk.
type Hinter interface {
	Hints(tool string) gates.Hints
}

// Mark names a kept state.
type Mark string

// Call is one call to execute.
type Call struct {
	Index int    // its place in the episode
	Tool  string // as the log has it
	Args  string // one JSON object
	Cwd   string // where the log ran it, empty if unknown
}

// Result is what came of a call.
type Result struct {
	Text     string
	Own      bool // Text is the environment's wording, not the tool's: it is not compared
	Error    string
	ExitCode int // meaningful only with HasExit
	HasExit  bool
	Cwd      string // afterwards, empty if unknown
	Deltas   []corpora.Delta
	Verdicts []Verdict // the violations that this call drew, none that held before it
}

// Verdict is one violation.
type Verdict struct {
	Rule    string `json:"rule"`
	Message string `json:"message,omitempty"` // what the rule says about itself
	Detail  string `json:"detail,omitempty"`  // what drew it
	Arg     string `json:"arg,omitempty"`     // path of the argument that drew it
	Source  Source `json:"source"`
}

// Source says who drew a verdict.
type Source string

// The sources.
const (
	SourceChecker Source = "checker" // the environment, or the log's own judgement of the call
	SourceMonitor Source = "monitor" // the monitors' file
)
