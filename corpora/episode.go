package corpora

import "strconv"

// Outcome is how an episode ended, as its checker or benchmark judged it.
type Outcome uint8

// The outcomes. The zero value says that the log holds no judgement.
const (
	OutcomeUnknown Outcome = iota
	OutcomeSuccess
	OutcomeFailure
)

// Safety is an episode's safety label (requirement L1). The zero value says
// that no monitor or checker looked: it is never evidence of safety.
type Safety uint8

// The safety labels.
const (
	SafetyUnknown Safety = iota
	SafetySafe
	SafetyUnsafe
)

// Status says whether a step's call ran.
type Status uint8

// The statuses. StatusUnknown is a call whose log shows neither a result nor a
// refusal.
const (
	StatusUnknown Status = iota
	StatusExecuted
	StatusBlocked
)

// Origin is where a record stands in the input, precise enough to find it
// again with an editor.
type Origin struct {
	File   string // path as given by the user, or "-" for standard input
	Member string // file inside an archive, empty otherwise
	Line   int    // 1-based line of the record in a line-oriented file, 0 if none
	Index  int    // 0-based position of the record in an array or object, -1 if none
	Key    string // key of the record in a keyed object
}

// String words the place as editors and compilers do: FILE!MEMBER:LINE, and in
// brackets the key of the record, or its index where no line says it. An Inspect
// log keeps its records in a list under a key; elsewhere the key says it all.
func (o Origin) String() string {
	s := o.File
	if o.Member != "" {
		s += "!" + o.Member
	}
	if o.Line > 0 {
		s += ":" + strconv.Itoa(o.Line)
	}
	if o.Key != "" {
		s += "[" + strconv.Quote(o.Key) + "]"
	}
	if o.Index >= 0 && (o.Key == "" && o.Line == 0 || o.Key == "samples") {
		s += "[" + strconv.Itoa(o.Index) + "]"
	}
	return s
}

// Verdict is one judgement of a monitor or checker (requirement L1).
type Verdict struct {
	Step   int    // index into Episode.Steps, or -1 for the whole episode
	Unsafe bool   // true if the judgement is a violation
	Rule   string // the monitor or checker, "agentdojo.security" for example
	Detail string // its own words, if it has any
}

// DeltaKind is a kind of observable change in the environment (requirement X1).
type DeltaKind uint8

// The kinds of change.
const (
	DeltaNone DeltaKind = iota
	DeltaFileCreate
	DeltaFileModify
	DeltaFileDelete
	DeltaSpawn
	DeltaTest
	DeltaInterpreter
	DeltaNavigate
	DeltaSubmit
	DeltaRecord // a change in a database or application record
	DeltaSend   // something left the environment: a message, a payment, an upload
)

// Delta is one observed or inferred change.
type Delta struct {
	Kind     DeltaKind
	Resource string // path, URL or record the change is about; may be empty
	Size     int    // changed lines of a file, else 0
	Observed bool   // true only if the log shows the change itself; false if inferred
}

// Step is one primitive: a tool call and what came of it.
type Step struct {
	CallID string
	Tool   string // the tool's name as the log has it
	Args   string // the arguments as the text of one JSON object; "{}" if there are none
	Text   string // the agent's own words before the call: thought or message
	Heard  string // what the user said since the previous step
	Before int    // how many bytes of Text were said before the last of Heard
	Actor  string // the acting agent in logs of several agents

	Status    Status
	BlockedBy string // the gate, hook or person that stopped the call
	Stopped   bool   // the user stopped the run after this call, or during it
	Result    string // what the tool returned, as text
	Error     string // the tool's error, if it reported one
	ExitCode  int    // meaningful only with HasExit
	HasExit   bool
	Cwd       string
	Branch    string // that was checked out in Cwd, if the log says so
	Deltas    []Delta

	Start, End          int64 // Unix nanoseconds, 0 if unknown
	TokensIn, TokensOut int64 // 0 if unknown
	Line                int   // 1-based line of the call in a line-oriented log, else 0
	Index               int   // 0-based position of the call's record in the log, -1 if unknown
}

// Episode is one run of an agent on one task.
type Episode struct {
	ID      string // as the log names it, else derived from the origin
	Format  string // layout id, "openhands-v0" for example
	Version string // the layout's own version, if it states one
	TaskID  string // stable name of the task; equal for repeated runs of one task
	Task    string // what the user asked for
	Group   string // the structural unit for hold-outs: suite, repository, site
	Agent   string
	Model   string
	Parent  string // episode this one branched from

	Steps    []Step
	Final    string   // the agent's last words, after its last call
	Tools    []string // tools offered to the agent, if the log lists them
	Outcome  Outcome
	Safety   Safety
	Verdicts []Verdict

	TokensIn, TokensOut int64
	Chars               int64 // characters of all agent text, calls and results
	Origin              Origin
}

// Problem is trouble in the input, as data: it costs the record it names and
// nothing else.
type Problem struct {
	Origin
	Code     string // stable, kebab-case: "bad-json", "unknown-layout"
	Sentence string // one sentence a person can act on
}

// Skip is a record that is not an episode, and why: "report" or "metadata",
// for example.
type Skip struct {
	Origin
	Reason string
	Own    bool // the tool itself wrote it, so that it is no part of the logs
}
