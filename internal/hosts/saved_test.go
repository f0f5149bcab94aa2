package hosts

import "testing"

func TestClaudeSaved(t *testing.T) {
	for result, want := range map[string]string{
		"<persisted-output>\nOutput too large (41.9KB). Full output saved to: /home/u/.claude/projects/p/tool-results/a.txt\n\nPreview": "/home/u/.claude/projects/p/tool-results/a.txt",
		"x\n<persisted-output>\nOutput too large (41.9KB). Full output saved to: /home/u/a.txt\n":                                       "",
		"Output too large (41.9KB). Full output saved to: /home/u/a.txt\n":                                                              "",
		"<persisted-output>\nFull output saved to: a.txt\n":                                                                             "",
		"": "",
	} {
		if got := claudeCode.Saved(result); got != want {
			t.Errorf("%q: %q, want %q", result, got, want)
		}
	}
}
