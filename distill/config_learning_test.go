package distill

import (
	"strings"
	"testing"
)

func TestProposerConfig(t *testing.T) {
	const head = "learning:\n  proposer:\n    kind: openai\n"
	for _, tt := range []struct{ name, yaml, want string }{
		{"off by default", "", ""},
		{"a server", head + "    model: m\n    url: http://localhost:8000/v1\n", ""},
		{"unknown kind", "learning:\n  proposer:\n    kind: oracle\n", `line 3: learning.proposer.kind: "oracle" is no proposer`},
		{"no model", head, "learning.proposer.model: name the model"},
		{"a model's name of a page", head + "    model: " + strings.Repeat("m", 300) + "\n", "line 4: learning.proposer.model: name"},
		{"no address", head + "    model: m\n    url: h.example\n", `line 5: learning.proposer.url: "h.example"`},
		{"no time", head + "    model: m\n    timeout: 0\n", "line 5: learning.proposer.timeout: 0 is not"},
		{"no questions", head + "    model: m\n    questions: 0\n", "line 5: learning.proposer.questions: 0 is not"},
		{"a misspelt key", "learning:\n  proposer:\n    modle: m\n", "modle"},
	} {
		c, err := ReadConfig([]byte(tt.yaml))
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
		if tt.yaml == "" && c.Learning.Proposer.Kind != ProposerNone {
			t.Errorf("%s: %q", tt.name, c.Learning.Proposer.Kind)
		}
	}
	a, b := DefaultConfig(), DefaultConfig()
	a.Learning.Proposer.Cassette = "here.json"
	da, _ := a.digest()
	if db, _ := b.digest(); da != db {
		t.Error("where answers are kept decides a policy")
	}
	b.Learning.Proposer.Model = "other"
	if db, _ := b.digest(); da == db {
		t.Error("the model does not decide a policy")
	}
}
