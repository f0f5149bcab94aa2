package mine

import (
	"slices"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/traverse/proof"
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/tree"
)

// What the log of a run says of a check, for measuring.

// Logged says what came of a command or a file in an episode after its last change. known is
// false where the log does not say.
func Logged(s *merge.Shown, p *tree.Proof) (passed, known bool) {
	key := keyOf(p)
	if s == nil {
		return false, false
	}
	passed = slices.Contains(s.Passed, key)
	return passed, passed || slices.Contains(s.Failed, key)
}

// Tests says how the tests, builds and linters ended that a run executed after its last
// change: passed if all did. ran is false where there were none.
func Tests(s *merge.Shown) (passed, ran bool) {
	if s == nil {
		return false, false
	}
	command := func(key string) bool { return key[0] == '0'+byte(tree.ProofCommand) }
	failed := slices.ContainsFunc(s.Failed, command)
	return !failed, failed || slices.ContainsFunc(s.Passed, command)
}

// LastCall says whether the last call of a run did not fail. ran is false where there was
// none.
func LastCall(e *corpora.Episode) (passed, ran bool) {
	for i := len(e.Steps) - 1; i >= 0; i-- {
		if s := &e.Steps[i]; s.Status != corpora.StatusBlocked {
			return !proof.Failed(s.Error, []byte(s.Result)) && (!s.HasExit || s.ExitCode == 0), true
		}
	}
	return false, false
}

// Showed says what an episode showed of a check at its end, as mining counts it: a call that
// it did not show fails, and of a command or a file that it did not look at nothing is
// known. early says that the check failed at first.
func Showed(s *merge.Shown, p *tree.Proof) (passed, known, early bool) {
	if s == nil {
		return false, false, false
	}
	key := keyOf(p)
	passed = slices.Contains(s.Passed, key)
	return passed, passed || !asked(key) || slices.Contains(s.Failed, key), slices.Contains(s.Early, key)
}
