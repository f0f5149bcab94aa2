package replay

import (
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/traverse"
)

// ResultOf is what a session is told of a recorded step: an exit status that is not
// zero is an error, for logs often hold no other sign of it.
func ResultOf(s *corpora.Step) traverse.Result {
	r := traverse.Result{Blocked: s.Status == corpora.StatusBlocked, Output: []byte(s.Result), Error: s.Error}
	if r.Error == "" && s.HasExit && s.ExitCode != 0 {
		r.Error = "exit status"
	}
	return r
}
