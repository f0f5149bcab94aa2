package review

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/artifacts/review/seeded"
)

// base is the policy that the seeded changes start from.
func base(t testing.TB) *artifacts.Policy {
	t.Helper()
	p, _ := vector(t, "good-sample")
	seeded.Base(p)
	return p
}

// TestSeeded: what weakens is found by exactly its rule, what does not has no
// finding, and the first screen says so.
func TestSeeded(t *testing.T) {
	old := base(t)
	oldInfo := reopen(t, old)
	for _, tt := range seeded.All() {
		t.Run(tt.Name, func(t *testing.T) {
			p := base(t)
			p.Sequence, p.Parent = old.Sequence+1, oldInfo.Digest
			tt.Edit(p)
			c := Compare(old, p, oldInfo, reopen(t, p))
			var got []string
			for _, f := range c.Weakens {
				// Macros of the reference profile have names of their own, so the nodes are others.
				if tt.Rule != "gate/words" || f.Rule != "gate/node" {
					got = append(got, f.Rule)
				}
			}
			got = slices.Compact(got)
			if tt.Rule == "" && len(got) > 0 || tt.Rule != "" && !slices.Equal(got, []string{tt.Rule}) {
				t.Errorf("found %q, want %q", got, tt.Rule)
			}
			screen := strings.Join(c.Summary(), "\n")
			if strings.Contains(screen, "WEAKER") != (tt.Rule != "") || !strings.Contains(screen, tt.Rule) {
				t.Errorf("the first screen does not say so:\n%s", screen)
			}
			checkScreen(t, c)
		})
	}
}

// TestEveryFieldAttacked: every field of the format has a change that attacks it, or a
// word on why there is none, and both name fields that exist. There are ten of each
// kind at least.
func TestEveryFieldAttacked(t *testing.T) {
	attacked, kinds := map[string]bool{}, map[bool]int{}
	for _, c := range seeded.All() {
		kinds[c.Weakens()]++
		for _, f := range c.Fields {
			attacked[f] = true
		}
		if c.Weakens() && ruleRank(c.Rule) < 0 {
			t.Errorf("%s: no rule %q", c.Name, c.Rule)
		}
	}
	if kinds[true] < 10 || kinds[false] < 10 {
		t.Errorf("%d changes weaken, %d are harmless", kinds[true], kinds[false])
	}
	idle := seeded.Idle()
	for _, r := range artifacts.Fields() {
		name := r.Section + "." + r.Name
		if why := idle[name]; attacked[name] == (why != "") {
			t.Errorf("%s: attacked is %v, and idle because %q", name, attacked[name], why)
		}
		delete(attacked, name)
		delete(idle, name)
	}
	if len(attacked)+len(idle) > 0 {
		t.Errorf("no fields of the format: %v %v", attacked, idle)
	}
}

// checkScreen holds the first screen to its size.
func checkScreen(t *testing.T, c *Changes) {
	t.Helper()
	lines := c.Summary()
	if len(lines) > 24 {
		t.Errorf("%d lines", len(lines))
	}
	for _, line := range lines {
		if utf8.RuneCountInString(line) > 100 {
			t.Errorf("%d columns: %s", utf8.RuneCountInString(line), line)
		}
	}
}

// TestAllSeededAtOnce: one policy with every change that weakens still has a
// first screen, with the worst first.
func TestAllSeededAtOnce(t *testing.T) {
	old := base(t)
	p := base(t)
	for _, tt := range seeded.All() {
		if strings.HasPrefix(tt.Rule, "guardrail/") || strings.HasPrefix(tt.Rule, "claim/") || strings.HasPrefix(tt.Rule, "evidence/") || tt.Name == "a gate removed" {
			tt.Edit(p)
		}
	}
	c := Compare(old, p, reopen(t, old), reopen(t, p))
	checkScreen(t, c)
	if len(c.Weakens) < leastFindings+3 || c.Weakens[0].Rule != "gate/removed" || !strings.Contains(strings.Join(c.Summary(), "\n"), "more, below") {
		t.Errorf("%s", c.Text())
	}
}

// TestSigners: the signature's key is compared, also of the same policy.
func TestSigners(t *testing.T) {
	p := base(t)
	info := reopen(t, p)
	signed, other := *info, *info
	signed.KeyIDs, other.KeyIDs = []string{strings.Repeat("a", 64)}, []string{strings.Repeat("b", 64)}
	for _, tt := range []struct {
		name     string
		old, new *artifacts.Info
		rule     string
	}{
		{"unsigned before and after", info, info, ""}, {"signed now", info, &signed, ""}, {"the same key", &signed, &signed, ""},
		{"another key", &signed, &other, "lineage/key"}, {"no signature", &signed, info, "lineage/signature"},
	} {
		c := Compare(p, p, tt.old, tt.new)
		if tt.rule == "" && len(c.Weakens) > 0 || tt.rule != "" && (len(c.Weakens) != 1 || c.Weakens[0].Rule != tt.rule) {
			t.Errorf("%s: %v", tt.name, c.Weakens)
		}
	}
}

// TestRules: every rule has a place of its own and words for a reviewer, and the
// ones that fall to fields exist.
func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules() {
		if seen[r.ID] || r.Short == "" || r.Help == "" || r.Level != LevelError && r.Level != LevelWarning {
			t.Errorf("%+v", r)
		}
		seen[r.ID] = true
	}
	for _, r := range artifacts.Fields() {
		if !seen[ruleOf(&r)] {
			t.Errorf("%s.%s has no rule", r.Section, r.Name)
		}
	}
}
