package artifacts

// The limits of FORMAT.md, section "Limits". Every one is checked before memory
// is taken, on encoding as on decoding, so that what was written can be read.
// They are chosen two orders of magnitude above what distillation of the
// project's corpora needs. A test compares them with the table in FORMAT.md.
const (
	MaxFile        = 1 << 28 // bytes of a file, signature included
	MaxName        = 1 << 10 // bytes of a name, tag, tool or identifier
	MaxText        = 1 << 14 // bytes of a description, task text, state key or message
	MaxDim         = 1 << 12 // dimensions of a vector
	MaxCont        = 1 << 8  // components of a continuous signature
	MaxTags        = 1 << 8  // tags of a state
	MaxTools       = 1 << 12 // tools of a state, family or precondition
	MaxPrototypes  = 1 << 10 // prototypes of a family
	MaxEpisodes    = 1 << 20 // episodes that spans point to
	MaxEpisodeID   = 32      // bytes of an episode digest
	MaxClusters    = 1 << 17
	MaxGates       = 1 << 16
	MaxNodeGates   = 1 << 10 // gates of one node, inherited ones included
	MaxGateRefs    = 1 << 22 // gates of all nodes that add gates of their own, together
	MaxExpr        = 1 << 16 // bytes of a gate's expression
	MaxProgram     = 1 << 20 // bytes of a gate's program
	MaxRules       = 1 << 12 // entries of a list of the guardrail's settings
	MaxSchemas     = 1 << 12
	MaxSchema      = 1 << 20 // bytes of a tool schema
	MaxLayouts     = 1 << 8
	MaxCorpora     = 1 << 8
	MaxMetrics     = 1 << 10
	MaxTaskDigests = 1 << 20
	MaxCount       = 1<<53 - 1 // largest number, so that JSON can carry it
)

// taskDigestSize is the length of a task digest: SHA-256 cut to 128 bits, ample
// against accidents and small enough to keep one for every task.
const taskDigestSize = 16
