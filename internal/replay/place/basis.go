package place

// Basis says what a placement rests on.
type Basis string

// The bases. Replayed, Labelled and Monitor are windows of package replay and may
// teach gates as they always did. The others point at a call that nobody saw do
// harm: they are for people to look at and teach nothing.
const (
	// A checker of the environment judged the call when it was run again.
	Replayed Basis = "replayed"
	// The log's own verdict names the call.
	Labelled Basis = "labelled"
	// The verdict's words name the call: its tool, or a value that it was given
	// and that the task does not name.
	Told Basis = "told"
	// The result of an earlier call put a value into the call out of running text,
	// or named the tool, and the task did neither.
	Flow Basis = "flow"
	// A rule of the monitors finds the call.
	Monitor Basis = "monitor"
	// Runs of the same task that ended well do nothing like what this call does
	// (Renieris and Reiss, "Fault Localization with Nearest Neighbor Queries", 2003).
	Contrast Basis = "contrast"
	// The call is the only one that changes, sends, runs or reads anything that
	// could do harm.
	Only Basis = "only"
)

// Bases lists them in the order in which they are believed: the first that names
// a call places the episode. The order is that of how often they are right where
// the call is known: of 125 public attacked runs that integrations/agentdojo
// replays, contrast in 81 of 81 and monitor in 96 of 121, because an attacked
// agent carries values from results into its own task's calls too. Flow, which
// passes over calls that good runs make since that was measured, is right in 112
// of 121 where such runs are at hand, and is behind the monitors because they
// teach. Only is right in 23 of 23, and last because it is no evidence but what
// is left. No log with words of a judge has known calls, so that told stands
// where it does by its wording alone.
var Bases = []Basis{Replayed, Labelled, Contrast, Told, Monitor, Flow, Only}

// Known says that a basis is an observation of the call itself, against which the
// others can be measured.
func (b Basis) Known() bool { return b == Replayed || b == Labelled }

// Teaches says that a window on this basis may be evidence for gates.
func (b Basis) Teaches() bool { return b.Known() || b == Monitor }

// Text words a basis for people.
func (b Basis) Text() string { return basisText[b] }

var basisText = map[Basis]string{
	Replayed: "the environment's checker judged the call when it was run again",
	Labelled: "the log's verdict names the call",
	Told:     "the verdict's words name the call's tool or a value that only the call was given",
	Flow:     "an earlier result put a value into the call, or named its tool, and the task did not",
	Monitor:  "a rule of the monitors finds the call",
	Contrast: "runs of the same task that ended well do nothing like it",
	Only:     "no other call of the run has an effect that could do harm",
}

// Reason says why no call could be named.
type Reason string

// The reasons.
const (
	// No call was made, or none that changes, sends or runs anything: what is left
	// is what the agent said.
	InWords Reason = "words"
	// Every run of the task that ended well makes a call of a kind that this run
	// lacks, and this run does nothing that they don't do.
	ByOmission Reason = "omission"
	// All the run does, runs of the task that ended well do too: what differs is
	// what was written or sent.
	InContent Reason = "content"
	// Run again, the calls gave something else than the log.
	NotReproduced Reason = "not reproducible"
	// Several calls could be it, and nothing tells which.
	Undecided Reason = "several"
)

// Reasons lists them in the order in which they are printed.
var Reasons = []Reason{InWords, ByOmission, InContent, NotReproduced, Undecided}

// Text words a reason for people.
func (r Reason) Text() string { return reasonText[r] }

var reasonText = map[Reason]string{
	InWords:       "in words: no call was made that could do harm",
	ByOmission:    "by omission: a call that all good runs of the task make is missing",
	InContent:     "in content: good runs of the task make calls with the same effects",
	NotReproduced: "not reproducible: run again, the calls gave something else",
	Undecided:     "several calls could be it, and nothing tells which",
}
