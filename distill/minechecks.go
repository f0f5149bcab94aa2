package distill

import (
	"fmt"

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
