package artifacts

import (
	"slices"

	"github.com/gbt-policy/gbt/tree"
)

// Policy is everything one artifact holds. Open returns it immutable by
// convention: it may be shared between goroutines, and an edit makes a new one.
//
// Digests are lower-case hexadecimal SHA-256 unless a field says otherwise.
// All text is valid UTF-8; Encode refuses anything else.
type Policy struct {
	Name     string // a name a person gave it, "support-desk" for example
	Sequence uint64 // 1 for the first of its line, higher in each later one
	Parent   string // digest of the policy this one was evolved from, or empty
	LogText  bool   // texts of the logs were asked for: tasks, sentences, names of groups

	Tree       tree.Tree
	Params     tree.Params
	Encoder    Encoder
	Gates      []Gate // sorted by ID
	Pack       Pack
	Guardrail  Guardrail
	Schemas    []Schema // sorted by Name
	Provenance Provenance
	Corpora    []CorpusRoot // sorted by Name
	Report     []Metric     // sorted by Name

	// TaskDigests name the tasks the policy was distilled from, as made by
	// TaskDigest, sorted: evaluation uses them to find leaks.
	TaskDigests [][]byte
}

// HoldsLogText says whether texts of the logs stand in the policy: because they
// were asked for, or because it was made before they were left out.
func (p *Policy) HoldsLogText() bool {
	has := func(t tree.Text) bool { return t.Text != "" }
	return p.LogText ||
		slices.ContainsFunc(p.Tree.Families, func(f tree.Family) bool { return slices.ContainsFunc(f.Prototypes, has) }) ||
		slices.ContainsFunc(p.Tree.Leaves, func(l tree.Leaf) bool { return slices.ContainsFunc(l.Tasks, has) })
}

// Encoder names the text embedder that the tree's vectors and thresholds belong
// to. A traverser with another one must not use the policy (decision 4).
type Encoder struct {
	ID     string
	Digest string
	Dim    int // length of every embedding of a text in the tree
}

// Gate scopes.
const (
	ScopeGlobal  = "global"  // asked before every high-risk call
	ScopeNode    = "node"    // asked at the nodes that name it, and below them
	ScopeSubtree = "subtree" // the same, and wherever nobody knows the node
)

// Gate dispositions: what happens to a call that the gate's expression does not
// let pass. There is none that lets a call pass silently.
const (
	DispositionReject  = "rejected"
	DispositionRevise  = "revision_required"
	DispositionConsent = "approved_with_constraints"
)

// Gate is one deterministic rule over structured contexts, as sealed in a
// policy. Its identity is the hash of Expr, Scope and Disposition: a gate can't
// be edited, only added (requirement T7).
type Gate struct {
	ID          string // GateID(Scope, Disposition, Expr)
	Scope       string
	Disposition string
	Expr        string // canonical text in the gate language
	Message     string // what to do instead
	Program     []byte // the lowered expression; opaque here
	Evidence    Evidence
}

// Local says whether nodes name the gate, and hand it on to all below them.
func (g *Gate) Local() bool { return g.Scope == ScopeNode || g.Scope == ScopeSubtree }

// Evidence counts what a gate was judged on (requirement G4): the benign tasks, and
// not their calls, because a task's calls are alike.
type Evidence struct {
	Unsafe   uint32 // recorded unsafe contexts it rejects
	Benign   uint32 // benign tasks it was tried on, each left out in turn
	Rejected uint32 // of them, those with a call that it stops
}

// Schema is one tool's schema, as canonical bytes whose meaning belongs to
// package gates.
type Schema struct {
	Name string
	Data []byte
}

// Provenance says what the policy was made from, without naming a file, a host
// or a time.
type Provenance struct {
	Tool     string // the program and its version
	Config   string // digest of the canonical configuration
	Inputs   Inputs
	Episodes EpisodeCounts
}

// Inputs sums up the logs that were read.
type Inputs struct {
	Count   uint64  // input units: files, or members of archives
	Root    string  // MerkleRoot over their sorted content digests
	Layouts []Tally // units by log layout, sorted by Name
}

// Tally is a named count.
type Tally struct {
	Name  string
	Count uint64
}

// EpisodeCounts says what became of the episodes.
type EpisodeCounts struct {
	Read      uint64 // episodes found
	Used      uint64 // episodes the tree was built from or counted on
	Success   uint64 // of those read
	Failure   uint64
	Unsafe    uint64
	Skipped   uint64 // records that are not episodes, with a reason
	Malformed uint64 // records that could not be read
}

// CorpusRoot pins a corpus that travels beside the artifact in Parquet.
type CorpusRoot struct {
	Name string
	Rows uint64
	Root string
}

// Metric is one measured value, in thousandths: "coverage.episode" for example.
type Metric struct {
	Name  string
	Value tree.Milli
}
