package gates

import (
	"strings"
	"testing"
)

// crossed puts every value in the place of % in every template: a family is a
// way to write something, times what is written.
func crossed(templates, values []string) []string {
	var out []string
	for _, t := range templates {
		for _, v := range values {
			out = append(out, strings.ReplaceAll(t, "%", v))
		}
	}
	return out
}

// neverApproved decides on each line and reports those that go through. n is the
// least number of lines, so that a family that became empty is seen.
func neverApproved(t *testing.T, lines []string, n int) {
	t.Helper()
	for _, l := range lines {
		if d := inventedDecision(l); d.Disposition == Approved {
			t.Errorf("approved: %s", l)
		}
	}
	if len(lines) < n {
		t.Errorf("only %d lines", len(lines))
	}
}

// allApproved decides on each line and reports those that do not go through, but for what mayAsk names.
func allApproved(t *testing.T, lines []string) {
	t.Helper()
	if len(lines) == 0 {
		t.Error("no lines")
	}
	for _, l := range lines {
		if d := inventedDecision(l); d.Disposition != Approved && !mayAsk[l] {
			t.Errorf("asks: %s: %s", l, d.Reasons[0].Message)
		}
	}
}
