package distill

import "github.com/gbt-policy/gbt/corpora"

// Use is what distillation does with an episode.
type Use uint8

// The uses. Each but the first two is a reason why an episode is left out.
const (
	UseSuccess    Use = iota // merged into the tree
	UseFailure               // counted along the tree (decision 10)
	UseUnsafe                // unsafe: a source of gates, never of behaviour
	UseUnlabelled            // nobody judged how it ended
	UseNoCalls               // no executed call to learn from
	UseDuplicate             // the same run was read before
	UseUnplaced              // no family of the configuration matches
	UseUnstable              // its macros hang on how its calls are written (requirement X4)
	NumUses
)

// String words a use for reports and JSON.
func (u Use) String() string {
	names := [NumUses]string{"success", "failure", "unsafe", "unlabelled", "no-calls", "duplicate", "no-family", "unstable"}
	if u < NumUses {
		return names[u]
	}
	return "invalid"
}

// learns reports whether distillation looks at the macros of such episodes.
func (u Use) learns() bool { return u == UseSuccess || u == UseFailure || u == UseUnsafe }

// admit decides what an episode is used for by its labels (requirement L1);
// what may be used must also be stable (requirement X4), which needs its macros
// and is asked in reader.item, as are the user's monitors. An episode
// that was graded safe, in a log whose format has no outcome at all, counts as
// a success where the settings say so: nobody found fault with it, and such
// logs hold no better example. An unsafe one never does, whatever its outcome.
func admit(e *corpora.Episode, l Labels) Use {
	switch {
	case e.Safety == corpora.SafetyUnsafe:
		return UseUnsafe
	case !anyCall(e):
		return UseNoCalls
	case e.Outcome == corpora.OutcomeSuccess:
		return UseSuccess
	case e.Outcome == corpora.OutcomeFailure:
		return UseFailure
	case e.Safety == corpora.SafetySafe && l.SafeIsSuccess:
		return UseSuccess
	case l.UnlabelledIsSuccess && e.Safety == corpora.SafetyUnknown:
		return UseSuccess
	}
	return UseUnlabelled
}

func anyCall(e *corpora.Episode) bool {
	for i := range e.Steps {
		if e.Steps[i].Status != corpora.StatusBlocked {
			return true
		}
	}
	return false
}
