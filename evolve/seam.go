package evolve

import (
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/tree"
)

// Run is one new episode on its way down the sealed tree. It is not changed once
// it was made, and may be shared between goroutines.
type Run struct {
	Trace   *merge.Trace
	Vec     tree.Vec // direction of the task's words
	Success bool

	Family  int32         // where it stands, -1 if nowhere
	Claimed bool          // the policy claims the task (requirement R1)
	Covered bool          // claimed, and every macro offered where it was taken (requirement S1)
	Steps   []merge.Taken // one for each macro, equal neighbours once
}

// Key is the action of one of the run's steps.
func (r *Run) Key(step int) string { return r.Trace.Macros[r.Steps[step].Macro].Key }

// Path is a way that ended in success: a leaf of the sealed tree, or a new run.
type Path struct {
	Family int32
	Keys   []string   // actions of its macros, equal neighbours once
	Tasks  []tree.Vec // directions of tasks that ended so
	Count  uint32     // runs that ended so
	Leaf   int32      // index of the leaf, -1 for a new run
	Run    *Run       // nil for a leaf
}

// Fault is the step at which a failed run went wrong (requirement S2): v* is the
// place before it.
type Fault struct {
	Step  int        // index in Run.Steps: the first where another successor could have averted the failure
	Score tree.Milli // how much speaks for this step, to compare within one run
	Why   string     // one sentence for a reader; no text of a log
}

// Localiser finds v* of a failed run. like are successes like it, the best first;
// they may be of other families. It answers the same for the same arguments, opens
// nothing and is safe for concurrent use. false means that no step can be blamed.
type Localiser interface {
	Localise(t *tree.View, failed *Run, like []Path) (Fault, bool)
}

// Retriever finds successes whose task and macros are like a run's (requirement
// S3), the best first, at most limit. A success of the same task by another run is
// as good as any. The same safety as Localiser.
type Retriever interface {
	Retrieve(run *Run, limit int) []Path
}

// Indexer makes a Retriever over paths. It may take time and memory in their
// number; t is the sealed tree, whose states have the descriptions and tools.
type Indexer func(t *tree.View, paths []Path) (Retriever, error)
