package shell

import (
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
)

// TestEnvironmentDumps: a dump of the environment is a sensitive read, unless
// the very next filter leaves only names or variables that hold no secret.
func TestEnvironmentDumps(t *testing.T) {
	for _, tt := range []struct {
		command string
		want    bool
	}{
		{"env", true}, {"printenv", true}, {"set", true}, {"export -p", true}, {"declare -x", true}, {"env | sort", true}, {"env | grep -i token", true},
		{"env | grep ''", true}, {"env | grep .", true}, {"env | grep -v PATH", true}, {"env | grep AWS", true}, {"env | grep 'PATH|'", true},
		{"env | grep -E 'PATH|KEY'", true}, {"env; env | grep PATH", true}, {"env | tee x | grep PATH", true}, {"ps e", true}, {"ps auxe", true},
		{"jq -n env", true}, {"jq -n '$ENV.GH_TOKEN'", true}, {`awk 'BEGIN{for(k in ENVIRON) print ENVIRON[k]}'`, true}, {`python3 -c 'import os; print(os.environ)'`, true},
		{`python3 -c 'from os import environ as e'`, true}, {`perl -e 'print $ENV{GH_TOKEN}'`, true}, {"php -i", true},
		{"env | grep PATH", false}, {"env | grep -i node_env", false}, {"env | cut -d= -f1", false}, {"env | wc -l", false}, {"env A=1 ls", false}, {"env --help", false},
		{"printenv HOME", false}, {"set -e", false}, {"export A=1", false}, {"declare -x A", false}, {"ps aux", false}, {"ps -ef", false}, {"ps -o etime", false},
		{"jq '.env' x", false}, {"jq -n '$ENV.HOME'", false}, {`jq '{env: 1}' x`, false}, {`awk 'BEGIN{print ENVIRON["HOME"]}'`, false},
		{`python3 -c 'import os; print(os.environ.get("HOME"), "CI" in os.environ)'`, false}, {`perl -e 'print $ENV{HOME}'`, false},
	} {
		p := effect.Places{Cwd: "/w"}.Normal()
		got := false
		for _, e := range Analyze(tt.command, &p) {
			got = got || e.Op == effect.OpEnv && e.Sensitive
		}
		if got != tt.want {
			t.Errorf("%s: sensitive %v", tt.command, got)
		}
	}
}
