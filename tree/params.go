package tree

// The profiles. The reference profile is the literal scheme of 003; decision 8
// of REQUIREMENTS.md says how the default one differs.
const (
	DefaultProfile   = "default"
	ReferenceProfile = "reference"
)

// Params are the settings a policy was distilled with and is traversed by. They
// are sealed in the artifact; zero values are never used as defaults, so a
// missing setting is an error and not a permission.
type Params struct {
	Profile string // "default" or "reference"

	// Traversal (003 §F.1, table 13): in the reference profile cosines, in the
	// default profile calibrated posteriors.
	ThetaHigh     Milli // advance at or above
	ThetaLow      Milli // fragile advance at or above, safe exploration below
	Ambiguous     Milli // a margin below is reported as ambiguous
	ExploreBudget int32 // macro steps of safe exploration per episode

	// Routing (003 §D.2-D.3). From RouteAbstain on a task is routed at once. Below
	// it the reference profile abstains; the default profile keeps the families
	// above RouteKeep open and lets the first macro decide between them.
	RouteAbstain     Milli
	RouteKeep        Milli
	RouteTemperature Milli
	RouteEvery       int32
	RouteSwitch      Milli

	// The claim boundary: quantiles of what training tasks left out in turn score.
	// A task below is abstained from. 0 for none, as in the reference profile.
	RouteNear    Milli // cosine to the nearest exemplar, where the host does not say what it offers
	RouteOffered Milli // where it does: that and the overlap of tools, in one family, at most 2
	RouteWords   Milli // share of the task's words that the embedder knows
	// Lower quantiles of the same scores: a task between the two is claimed if both
	// its first macros are those of one family. 0 claims none of them.
	RouteLate        Milli
	RouteLateOffered Milli

	// Selection score (003 §F.3) and recovery (003 §G).
	Alpha       Milli
	Beta        Milli
	EnvCos      Milli
	Lambda      Milli
	MaxRecovery int32

	// AllowedShare bounds the children offered at a node to this share of the family's
	// vocabulary. Beyond it only those seen at the state itself stay that are not rare.
	AllowedShare Milli
	MaxChildren  int32 // and to this many
	Novelty      Milli // from this estimate of unseen successors on, common states are offered too

	// Posterior turns a match into the probability that it is right: a logistic
	// function with a bias, the best child's probability, its margin and its
	// similarity, fitted on held-out folds of the training logs. Unused in the
	// reference profile.
	Posterior [4]Milli
}
