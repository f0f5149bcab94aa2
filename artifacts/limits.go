package artifacts

// The limits of FORMAT.md, section "Limits". Every one is checked before memory
// is taken, on encoding as on decoding, so that what was written can be read.
// They are chosen two orders of magnitude above what distillation of the
// project's corpora needs. A test compares them with the table in FORMAT.md.
// Exported are those that whoever makes a policy has to keep to.
const (
	MaxFile        = 1 << 28 // bytes of a file, signature included
	MaxName        = 1 << 10 // bytes of a name, tool or identifier
	MaxText        = 1 << 14 // bytes of a description, task text, state key or message
	maxDim         = 1 << 12 // dimensions of a vector
	maxConditions  = 256     // conditions of a guardrail
	maxNeeds       = 8       // needs of one
	maxTools       = 1 << 12 // tools of a state, family or precondition
	maxPrototypes  = 1 << 10 // prototypes of a family
	maxClusters    = 1 << 17
	MaxGates       = 1 << 16
	maxNodeGates   = 1 << 10 // gates of one node, inherited ones included
	maxGateRefs    = 1 << 22 // gates of all nodes that add gates of their own, together
	maxExpr        = 1 << 16 // bytes of a gate's expression
	maxProgram     = 1 << 20 // bytes of a gate's program
	MaxRules       = 1 << 12 // entries of a list of the guardrail's settings
	MaxSchemas     = 1 << 12
	maxSchema      = 1 << 20 // bytes of a tool schema
	maxLayouts     = 1 << 8
	maxCorpora     = 1 << 8
	maxMetrics     = 1 << 10
	MaxTaskDigests = 1 << 20
	maxCount       = 1<<53 - 1 // largest number, so that JSON can carry it
)

// taskDigestSize is the length of a task digest: SHA-256 cut to 128 bits, ample
// against accidents and small enough to keep one for every task.
const taskDigestSize = 16
