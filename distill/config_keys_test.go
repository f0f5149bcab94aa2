package distill

import "testing"

func TestWrongKeysAreSaidPlainly(t *testing.T) {
	for _, tt := range []struct{ yaml, want string }{
		{"guardrial:\n  profile: strict\n", `line 1: no key "guardrial"; the nearest one is guardrail`},
		{"guardrail:\n  profil: strict\n", `line 2: no key "profil"; the nearest one is profile`},
		{"content:\n  modle: x\n", `line 2: no key "modle"; the nearest one is model`},
		{"guardrail:\n  profile: [1]\n", `line 2: profile: a list does not belong here; give text`},
		{"tools: 3\n", `line 1: tools: a number does not belong here; give a list`},
		{"guardrail:\n  roots: {a: b}\nguardrial: 1\n", `line 2: roots: a set of keys does not belong here; give a list; line 3: no key "guardrial"; the nearest one is guardrail`},
	} {
		if _, err := ReadConfig([]byte(tt.yaml)); err == nil || err.Error() != tt.want {
			t.Errorf("%q:\n got %v\nwant %s", tt.yaml, err, tt.want)
		}
	}
}
