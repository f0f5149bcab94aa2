package shell

import (
	"strings"
	"testing"
)

// waysToSet are the ways in which a line sets a variable of the shell's or gives one
// to a program: NAME is the variable, VALUE the value.
var waysToSet = []string{
	"NAME=VALUE make", "env NAME=VALUE make", "env -i A=1 NAME=VALUE make", "export NAME=VALUE; make", "export NAME; NAME=VALUE; make", "NAME=VALUE; export NAME; make",
	"declare -x NAME=VALUE; make", "typeset -gx NAME=VALUE; make", "command export NAME=VALUE", "f() { local -x NAME=VALUE; make; }; f", "set -a; NAME=VALUE; make", "set -o allexport; NAME=VALUE; make",
	"export NAME; read NAME <<< VALUE; make", "export NAME; printf -v NAME %s VALUE; make", "export NAME; for NAME in VALUE; do make; done", "export NAME; : ${NAME:=VALUE}; make",
	"set -x NAME VALUE; make", "set -gx NAME VALUE; make", "set --export NAME VALUE; make", "bash -c 'NAME=VALUE make'", "sudo NAME=VALUE make", "eval 'export NAME=VALUE'", "X=VALUE; NAME=$X make", "env -S 'NAME=VALUE make'",
}

func inEachWay(name, value string) (lines []string) {
	for _, way := range waysToSet {
		lines = append(lines, strings.NewReplacer("NAME", name, "VALUE", value).Replace(way))
	}
	return lines
}

// TestLoadersAreAsked sets each variable that is known to load or run something to a
// place that anybody may write to, in each way.
func TestLoadersAreAsked(t *testing.T) {
	n := 0
	for _, list := range [][]string{envLoads[:], envCommands[:]} {
		for _, name := range list {
			if strings.Contains(name, "%") || len(name) == 3 && strings.HasPrefix(name, "PS") {
				continue // no name for an assignment, and prompts, in which a path is text
			}
			for _, line := range inEachWay(name, "/tmp/x") {
				if n++; strings.Contains(line, "{SHELL:=") {
					continue // it has a value already
				}
				if got := summary(line); !asks(got) {
					t.Errorf("%s: %q", line, got)
				}
			}
		}
	}
	if n < 4000 {
		t.Errorf("only %d lines", n)
	}
}

// TestValuesDecide gives programs variables that no list has.
func TestValuesDecide(t *testing.T) {
	for _, tt := range []struct {
		name, value string
		want        bool
	}{
		{"QUUX", "1", false}, {"QUUX", "true", false}, {"QUUX", "word", false}, {"QUUX", "1.2.3", false}, {"QUUX", "-1", false}, {"QUUX", "a,b", false}, {"QUUX", "a.b.c", false},
		{"QUUX_DIR", "./x", false}, {"QUUX_FILE", "a/b", false}, {"QUUX", "conf/a.yaml", false}, {"QUUX", "a/b/", false}, {"QUUX_MODE", "install", false}, {"QUUX_NAME", "org/app", false},
		{"QUUX_ENV", "test", false}, {"QUUX_PREFIX", "word", false}, {"SKIP_HOOKS", "1", false}, {"PREFIX", "out", false},
		{"QUUX", "./x", true}, {"QUUX", "a/b", true}, {"QUUX_PREFIX", "./x", true}, {"QUUX", "nc", true}, {"QUUX", "rm", true}, {"QUUX", "python3.11", true}, {"QUUX", "curl", true}, {"QUUX", "bash", true},
		{"QUUX", "-x", true}, {"QUUX", "--eval=x", true}, {"QUUX_OPTS", "-Dx", true}, {"QUUX_BINARY", "word", true}, {"QUUX_RUN_BINARY", "x", true}, {"QUUX_EDITOR", "x", true}, {"QUUX_PLUGINS", "a,b", true},
		{"QUUX_CMD", "x", true}, {"QUUX_PRELOAD", "x.so", true}, {"QUUX", "/etc/x", true}, {"QUUX_HOME", "/tmp/x", true},
		{"PATH", ".", true}, {"PATH", ".:$PATH", true}, {"PATH", "$PATH:.", true}, {"PATH", ":$PATH", true}, {"PATH", "$PATH:", true}, {"PATH", "./x:$PATH", true}, {"PATH", "/tmp:$PATH", true},
		{"PATH", "./node_modules/.bin:$PATH", false}, {"PATH", "$PATH:./bin", false}, {"PATH", "$HOME/.local/bin:$PATH", false}, {"PATH", "/usr/bin:/bin", false},
		{"GOTOOLCHAIN", "local", false}, {"GOTOOLCHAIN", "go1.22.1", false}, {"GOTOOLCHAIN", "path", true}, {"GOTOOLCHAIN", "go1.22+path", true}, {"UV_PYTHON", "3.12", false}, {"UV_PYTHON", "x", true},
		{"NODE_TLS_REJECT_UNAUTHORIZED", "0", true}, {"NODE_TLS_REJECT_UNAUTHORIZED", "1", false}, {"GIT_SSL_NO_VERIFY", "1", true}, {"GOSUMDB", "off", true}, {"CYPRESS_INSTALL_BINARY", "0", false},
		{"PYTHONUSERBASE", "x", true}, {"PKG_CONFIG_PATH", "x/pkgconfig", false}, {"CFLAGS", "-O2", false}, {"CFLAGS", "-fplugin=x", true}, {"ELIXIR_ERL_OPTIONS", "x", true},
	} {
		for _, way := range []string{"NAME='VALUE' make", "export NAME='VALUE'; make", "env NAME='VALUE' make"} {
			if strings.Contains(tt.value, "$") {
				way = strings.ReplaceAll(way, "'", `"`)
			}
			line := strings.NewReplacer("NAME", tt.name, "VALUE", tt.value).Replace(way)
			if got := summary(line); asks(got) != tt.want {
				t.Errorf("%s: %q", line, got)
			}
		}
	}
}
