package distill

import (
	"reflect"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
)

func TestGuardrailSettings(t *testing.T) {
	c, err := ReadConfig([]byte(`
guardrail:
  profile: strict
  strict: true
  roots: [/w, /a, /w]
  protected: ["*.lock", config/prod]
  sensitive: [~/keys]
  egress:
    - {domain: PyPI.org, schemes: [HTTPS], ports: [8443, 443]}
    - {domain: "*.bücher.example", send: true}
    - {domain: 10.0.0.1}
  spawn: {allow: [mytool], deny: [ssh, scp]}
`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Guardrail.Sealed()
	if err != nil {
		t.Fatal(err)
	}
	want := artifacts.Guardrail{Strict: true, Roots: []string{"/a", "/w"}, Rules: gates.Guardrail{
		Profile: gates.ProfileStrict, Protected: []string{"*.lock", "config/prod"}, Sensitive: []string{"~/keys"},
		Egress: []gates.Egress{
			{Domain: "10.0.0.1"},
			{Domain: "pypi.org", Schemes: []string{"https"}, Ports: []uint16{443, 8443}},
			{Domain: "xn--bcher-kva.example", Send: true},
		},
		Spawn: []string{"mytool"}, DenySpawn: []string{"scp", "ssh"},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("\n%+v\n%+v", got, want)
	}
}

func TestDefaultFileHasTheDefaultGuardrail(t *testing.T) {
	c, err := ReadConfig(DefaultYAML)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := c.Guardrail.Sealed(); err != nil || !reflect.DeepEqual(got, artifacts.Guardrail{}) {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestGuardrailFaults: a mistake is reported with its line, its key and what to
// write instead.
func TestGuardrailFaults(t *testing.T) {
	tests := []struct{ name, yaml, want string }{
		{"profile", "name: x\nguardrail:\n  profile: lax\n", `line 3: guardrail.profile: "lax" is no profile: give workspace`},
		{"unknown key", "guardrail:\n  strickt: true\n", "line 2: no key \"strickt\""},
		{"relative root", "guardrail:\n  roots:\n    - /w\n    - src\n", `line 4: guardrail.roots[1]: "src" is no absolute path`},
		{"pattern", "guardrail:\n  protected: [\"a/[\"]\n", `line 2: guardrail.protected[0]: "a/[" is no pattern`},
		{"climbing pattern", "guardrail:\n  sensitive: [\"../x\"]\n", `guardrail.sensitive[0]`},
		{"program with a path", "guardrail:\n  spawn:\n    deny: [/bin/x]\n", `line 3: guardrail.spawn.deny[0]: "/bin/x" is no program`},
		{"domain with a scheme", "guardrail:\n  egress:\n  - domain: https://x.org\n", `line 3: guardrail.egress[0].domain: "https://x.org" is no domain`},
		{"no domain", "guardrail:\n  egress:\n  - ports: [1]\n", `line 3: guardrail.egress[0].domain`},
		{"scheme", "guardrail:\n  egress:\n  - domain: x.org\n    schemes: [\"https://\"]\n", `line 4: guardrail.egress[0].schemes[0]`},
		{"port", "guardrail:\n  egress:\n  - domain: x.org\n    ports: [443, 70000]\n", `line 4: guardrail.egress[0].ports[1]: 70000 is no port`},
		{"port by name", "guardrail:\n  egress:\n  - domain: x.org\n    ports: [https]\n", "line 4: ports: text does not belong here"},
		{"domain twice", "guardrail:\n  egress:\n  - domain: x.org\n  - domain: X.org\n", "domain x.org has two rules"},
	}
	for _, tt := range tests {
		_, err := ReadConfig([]byte(tt.yaml))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}
