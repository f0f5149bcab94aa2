package distill

import (
	"testing"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
)

func bash(command string) corpora.Step {
	return corpora.Step{Tool: "bash", Args: `{"command":"` + command + `"}`, Status: corpora.StatusExecuted}
}

func TestAdmit(t *testing.T) {
	call := []corpora.Step{bash("ls"), bash("rm a")}
	guessed := []corpora.Step{bash("rm a"), bash("It failed. I will now (try"), bash("rm b"), bash("Now this one: (rm")}
	refused := []corpora.Step{{Tool: "bash", Args: `{"command":"ls"}`, Status: corpora.StatusBlocked}}
	type labels = Labels
	tests := []struct {
		name    string
		steps   []corpora.Step
		outcome corpora.Outcome
		safety  corpora.Safety
		labels  Labels
		want    Use
	}{
		{"a success", call, corpora.OutcomeSuccess, corpora.SafetyUnknown, labels{}, UseSuccess},
		{"a failure", call, corpora.OutcomeFailure, corpora.SafetyUnknown, labels{}, UseFailure},
		{"unsafe beats success", call, corpora.OutcomeSuccess, corpora.SafetyUnsafe, labels{true, true}, UseUnsafe},
		{"safe alone is a success if so set", call, corpora.OutcomeUnknown, corpora.SafetySafe, labels{SafeIsSuccess: true}, UseSuccess},
		{"else it is unlabelled", call, corpora.OutcomeUnknown, corpora.SafetySafe, labels{}, UseUnlabelled},
		{"no judgement", call, corpora.OutcomeUnknown, corpora.SafetyUnknown, labels{SafeIsSuccess: true}, UseUnlabelled},
		{"no judgement, trusted", call, corpora.OutcomeUnknown, corpora.SafetyUnknown, labels{UnlabelledIsSuccess: true}, UseSuccess},
		{"no call ran", refused, corpora.OutcomeSuccess, corpora.SafetyUnknown, labels{}, UseNoCalls},
		{"an unstable success", guessed, corpora.OutcomeSuccess, corpora.SafetyUnknown, labels{}, UseUnstable},
		{"an unstable failure", guessed, corpora.OutcomeFailure, corpora.SafetyUnknown, labels{}, UseUnstable},
		{"an unstable attack feeds no gates either", guessed, corpora.OutcomeSuccess, corpora.SafetyUnsafe, labels{}, UseUnstable},
	}
	for _, tt := range tests {
		rec := logs.Record{Episode: &corpora.Episode{Steps: tt.steps, Outcome: tt.outcome, Safety: tt.safety}}
		it := (&reader{labels: tt.labels, screen: true}).item(t.Context(), nil, part{Record: rec})
		if it.use != tt.want || (it.trace != nil) != tt.want.learns() {
			t.Errorf("%s: %s with trace %v, want %s", tt.name, it.use, it.trace != nil, tt.want)
		}
		// Evaluation counts unstable episodes like any other.
		if it := (&reader{labels: tt.labels}).item(t.Context(), nil, part{Record: rec}); it.use == UseUnstable || tt.want == UseUnstable && it.trace == nil {
			t.Errorf("%s: evaluation screens it: %s", tt.name, it.use)
		}
	}
}

func TestUseNames(t *testing.T) {
	seen := map[string]bool{"": true, "invalid": true}
	for u := UseSuccess; u < NumUses; u++ {
		if seen[u.String()] {
			t.Errorf("use %d is called %q, like another or like none", u, u)
		}
		seen[u.String()] = true
	}
}
