package distill

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gbt-policy/gbt/internal/replay/monitor"
)

// OutcomesConfig is the key outcomes of gbt.yaml: rules that say how the requests
// of a session ended which nobody judged (internal/replay/monitor/OUTCOMES.md).
// The zero value has none: episodes stay whole and unjudged.
type OutcomesConfig struct {
	rules  *monitor.Outcomes
	said   string          // digest of what the rules say
	passed map[string]bool // rules whose check was run, and whether it passed
}

// UnmarshalYAML reads the name of a ready set, or a list of rules.
func (o *OutcomesConfig) UnmarshalYAML(n *yaml.Node) error {
	rules, problems := monitor.ParseOutcomes("", n)
	if len(problems) > 0 {
		var list []error
		for _, p := range problems {
			list = append(list, fmt.Errorf("line %d: outcomes: %s", p.Line, p.Sentence))
		}
		return errors.Join(list...)
	}
	*o = OutcomesConfig{rules: rules}
	if rules == nil {
		return nil
	}
	data, err := yaml.Marshal(n)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(append(data, strings.Join(rules.Rules(), "\n")+string(monitor.CodingYAML)...))
	o.said = hex.EncodeToString(sum[:])
	return nil
}

// IsZero says whether there are no rules.
func (o OutcomesConfig) IsZero() bool { return o.rules == nil }

// MarshalYAML writes what decides labels, for the digest of the settings: what
// the rules say, and what came of their checks.
func (o OutcomesConfig) MarshalYAML() (any, error) {
	said := []string{o.said}
	for _, rule := range slices.Sorted(maps.Keys(o.passed)) {
		said = append(said, fmt.Sprintf("%s=%t", rule, o.passed[rule]))
	}
	return said, nil
}

// Checks lists the commands that rules ask about, for Checked.
func (o *OutcomesConfig) Checks() []monitor.Check {
	if o.rules == nil {
		return nil
	}
	return o.rules.Checks()
}

// Checked tells the rules what came of their checks: whether each command ended
// well. Rules whose check has no result never apply.
func (o *OutcomesConfig) Checked(passed map[string]bool) {
	o.rules, o.passed = o.rules.Checked(passed), passed
}
