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

// TestDumpsThatAFilterLetsThrough: a filter leaves what is no secret only where it is all that the dump
// goes into, with options that are known to show nothing else.
func TestDumpsThatAFilterLetsThrough(t *testing.T) {
	const asks, passes = true, false
	for command, want := range map[string]bool{
		// The lines around, all of it as one line, all but what matches.
		"env | grep -9 PATH": asks, "env | grep -n3 PATH": asks, "env | grep -1i PATH": asks, "env | grep -C 2 PATH": asks, "env -0 | grep -a PATH": asks,
		"env --null | grep -a PATH": asks, "printenv -0 | grep -a PATH": asks, "env | xargs | grep PATH": asks, "env | xargs -n1 | grep PATH": asks,
		"env | tr '\\n' ' ' | grep PATH": asks, "env | grep -z PATH": asks, "env | grep --null-data PATH": asks, "env | rg -U PATH": asks, "env | rg -r x PATH": asks,
		"env -v | grep PATH": asks,
		// Something else shows it.
		"env >&2 | grep PATH": asks, "env 1>&2 | grep PATH": asks, "{ env; } >&2 | grep PATH": asks, "(env) >&2 | grep PATH": asks, "exec >&2; env | grep PATH": asks,
		"exec 3>&2; env >&3 | grep PATH": asks, "f() { env; }; f >&2 | grep PATH": asks, "f() { env; } >&2; f | grep PATH": asks, "sh -c 'env >&2' | grep PATH": asks,
		"sh -c 'exec >&2; env' | grep PATH": asks, "sh -c env >&2 | grep PATH": asks, "env | (cat; grep PATH)": asks, "env | { grep PATH & cat; }": asks,
		"env | sh -c 'cat; grep PATH'": asks, "f() { cat; grep PATH; }; env | f": asks, "grep() { cat; }; env | grep PATH": asks, "env | while read l; do grep PATH; done": asks,
		"env | eval 'cat; grep PATH'": asks, "env | grep PATH > >(cat) 2> >(cat)": asks, `env | grep "PATH$(cat >&2)"`: asks, "env | A=$(cat >&2) grep PATH": asks,
		"env | ./grep PATH": asks, "env | tee /dev/stderr | grep PATH": asks, "strace -s 999 env | grep PATH": asks, "ltrace env | grep PATH": asks,
		// What is left is not what the filter was thought to leave.
		"env | cut -f1": asks, "env | cut -d: -f1": asks, "env | cut -f1 -d= -z": asks, "env | cut -d= -f1 --complement": asks, "env | cut -d= -f1 -f2": asks,
		"env | wc --files0-from=-": asks, `env | grep -P '\x53ECRET'`: asks, `env | grep -P '\SSS'`: asks, "env | grep $'PATH\\n'": asks, "env | grep ABC.DEF": asks,
		"env | grep POSTGRES": asks, "env | grep REDIS": asks, "env | grep -i mongo": asks, "env | grep \"$X\"": asks,
		// What else shows it.
		"declare -g": asks, "declare -xr": asks, "declare +x": asks, "export -pn": asks, "npm run env": asks, "yarn env": asks, "bun run env": asks, "strace -v true": passes, "strace -e verbose=all true": asks,
		// And what people write.
		"env | grep PATH": passes, "env | grep -in path": passes, "env | grep -m 5 PATH": passes, "env | grep ^NODE": passes, "env | grep -i proxy": passes, "env | grep -E 'NODE_|PATH='": passes,
		"env 2>/dev/null | grep PATH": passes, "env | grep PATH 2>/dev/null": passes, "env | grep PATH | head -3": passes, "env | cut -d= -f1 | sort": passes, "env | cut -f1 -d=": passes,
		"printenv | grep -c NODE": passes, "export -p | grep PATH": passes, "bash -c 'set' | grep PATH": passes, "{ env; } | grep PATH": passes, "env | wc -l": passes, "env | LC_ALL=C grep PATH": passes,
		"timeout 5 env | grep PATH": passes, "poetry run env | grep DJANGO": passes, "env -u X | rg -i path": passes, "env | command grep PATH": passes, "env | \\grep PATH": passes,
		"declare -a": passes, "declare -f": passes, "strace -e trace=openat ls": passes, "npm run test": passes,
	} {
		p := effect.Places{Cwd: "/w"}.Normal()
		got := false
		for _, e := range Analyze(command, &p) {
			got = got || e.Op == effect.OpEnv && e.Sensitive
		}
		if got != want {
			t.Errorf("%s: sensitive %v", command, got)
		}
	}
}

// TestContainersThatAFilterLetsThrough: the same holds for what an engine or a cluster tells of what runs.
func TestContainersThatAFilterLetsThrough(t *testing.T) {
	for command, want := range map[string]bool{
		"docker inspect x | grep -9 IPAddress": true, "docker inspect x | cut -d= -f1": true, "docker inspect x | (cat; grep IPAddress)": true, "docker inspect x >&2 | grep IPAddress": true,
		"docker inspect x | wc --files0-from=-": true, "docker inspect x | grep POSTGRES": true, "terraform output -json | wc --files0-from=-": true, "docker inspect x | jq '.[0].State' >&2": false,
		"docker inspect x | grep IPAddress": false, "docker inspect x | jq '.[0].State'": false, "docker inspect x | wc -l": false, "terraform output -json | wc -l": false, "helm get manifest x | grep kind": false,
	} {
		p := effect.Places{Cwd: "/w"}.Normal()
		got := false
		for _, e := range Analyze(command, &p) {
			got = got || e.Kind == effect.Read && e.Sensitive
		}
		if got != want {
			t.Errorf("%s: sensitive %v", command, got)
		}
	}
}
