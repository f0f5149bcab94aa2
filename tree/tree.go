package tree

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/tree/text"
)

// Milli is a fixed-point number in thousandths. Settings and statistics that
// decide anything are Milli and not floats, so that an artifact reads and
// decides the same on every processor.
type Milli int32

// Float returns m as a float64.
func (m Milli) Float() float64 { return float64(m) / 1000 }

// Delta is the coarse change that a macro makes to its environment (003 §C.1).
type Delta = effect.Delta

// Root is the index of the root node. It belongs to no family.
const Root = 0

// Tree is one policy's behaviour. See the package comment for its parts.
type Tree struct {
	Families []Family // sorted by Name
	States   []State  // sorted by family, then key
	Nodes    []Node   // parents before children; Nodes[0] is the root
	Leaves   []Leaf   // sorted by Node
	Clusters []Cluster
}

// Family is a kind of task: the first layer of the tree (requirement R1).
type Family struct {
	Name       string
	Prototypes []Text   // 2 to 8 tasks that stand for the family; 1 if it has only one; texts only where they are kept
	Centroid   Vec      // mean of all its training tasks
	Fit        Fit      // how a task's words tell it from the other families
	Tools      []string // tools seen in the family, sorted
	First      int32    // index of the first of its states, which are one run
	Start      int32    // index of its start state, which has no macro of its own
	Node       int32    // index of its node, a child of the root
	Vocabulary int32    // number of its states without start and generic ones
	Common     []int32  // its states by number of tasks, most common first, at most MaxCommon
	Exemplars  []Vec    // tasks that draw the boundary of what it knows, at most MaxExemplars
	Proofs     []Proof  // completion checks mined from its runs, which leaves name; at most MaxProofs
	Fixes      []Fix    // known fixes of failures, by action, class and what they do; at most MaxFixes
	Retries    []Retry  // how often actions may fail in a row, by action; at most MaxRetries
}

// Text is a text with its embedding.
type Text struct {
	Text string
	Vec  Vec
}

// Fit scores how well a text fits a class, against the other classes it was
// fitted with: linear in the text's vector, in log odds in thousandths. The zero
// Fit scores every text 0.
type Fit = text.Direction

// Count is evidence: in how many tasks something was seen, and how the
// episodes that did it ended (requirement S5, decision 10).
type Count struct {
	Tasks   uint32
	Success uint32
	Failure uint32
}

// State is a macro class of a family (requirements T2, T3).
type State struct {
	Family   int32
	Key      string // sigma_disc as canonical text; unique within the family in the default profile
	Desc     string // what the macro does, for matching and for the executor
	Risk     uint8  // 0..effect.MaxRisk; Delta.Risk gives the levels
	Delta    Delta
	Generic  bool   // stands for any macro with its Delta: a last, fragile resort
	Tools    []Use  // concrete tools seen in it, most used first
	Vecs     []Vec  // directions of its descriptions; similarity is to the closest
	Fit      Fit    // how words tell it from the family's other states
	Next     []Edge // successors seen on successful paths, sorted by To
	Pre      Pre
	Count    Count
	Observed bool // the logs show its Delta; else only its action says so (requirement X1)
}

// splitMark stands in the key of a state that is split off another one with
// the same action, before the action it comes after: "edit|test" is an edit after
// a test (requirement T8). No action's name has it.
const splitMark = '|'

// SplitKey is the key of the state of an action after another one.
func SplitKey(action, after string) string { return action + string(splitMark) + after }

// Action is the action of a state's macros: its key, less what tells it from
// other states of the same action. A macro's key compares with this.
func (s *State) Action() string {
	if i := strings.IndexByte(s.Key, splitMark); i >= 0 {
		return s.Key[:i]
	}
	return s.Key
}

// Use is a tool with the number of calls seen.
type Use struct {
	Name  string
	Calls uint32
}

// Edge is a step to a successor state with its evidence.
type Edge struct {
	To    int32 // index of a State of the same family
	Count Count
}

// Node is a place on successful paths.
type Node struct {
	Parent int32    // index of a node before this one; -1 for the root
	State  int32    // index of its State; -1 for the root
	Gates  []string // ids of its node-local gates, sorted (requirement T7)
	Count  Count
}

// Pre is the precondition of a state and so of its nodes: a conservative filter
// over the environment that never overrides a gate (requirement K3). The empty
// Pre always holds.
type Pre struct {
	After []int32  // states that came before it in every success, sorted; only where recovery is filtered
	Tools []string // one of these tools must be offered, sorted; empty for any
}

// Leaf marks a node at which episodes ended in success.
type Leaf struct {
	Node  int32
	Tasks []Text // tasks that ended here, at most MaxLeafTasks; texts only where they are kept
	Env   Vec    // environment signature at success (003 §G.1); nil lets every environment pass
	Count uint32 // episodes that ended here

	Proofs  []int32 // completion checks of a run that ends here: indices into its family's, increasing, at most MaxLeafProofs
	Decides bool    // in the logs they tell the runs that succeeded from the others
}

// EnvDims is the length of an environment signature: a count sketch of tools
// offered, kinds of change made and kinds of resource touched (003 §G.1).
const EnvDims = 32

// Cluster holds success statistics of macros that look alike across the tree:
// resource family, risk level and signature bucket (requirement S5).
type Cluster struct {
	Key   string
	Count Count
}
