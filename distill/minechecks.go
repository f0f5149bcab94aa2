package distill

import (
	"fmt"

	"github.com/gbt-policy/gbt/internal/completion/fixes"
	"github.com/gbt-policy/gbt/internal/completion/mine"
	"github.com/gbt-policy/gbt/internal/tree/merge"
)

// mineChecks seals completion checks at the leaves of a tree that was merged just now.
func mineChecks(src merge.Source, res *merge.Merged, familyOf func(*merge.Trace) string, cfg *Config) (mine.Found, error) {
	if off(cfg.Tree.MineChecks) {
		return mine.Found{}, nil
	}
	found, err := mine.Mine(src, familyOf, res.Tree, mine.Options{})
	if err != nil {
		return found, fmt.Errorf("mine completion checks: %w", err)
	}
	return found, nil
}

// mineFixes seals known fixes and retry bounds in the families of a tree that was merged just
// now. They are mined and left out with the checks.
func mineFixes(src merge.Source, res *merge.Merged, familyOf func(*merge.Trace) string, cfg *Config) (fixes.Found, error) {
	if off(cfg.Tree.MineChecks) {
		return fixes.Found{}, nil
	}
	found, err := fixes.Mine(src, familyOf, res.Tree, fixes.Options{})
	if err != nil {
		return found, fmt.Errorf("mine known fixes: %w", err)
	}
	return found, nil
}
