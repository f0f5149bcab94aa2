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
	for _, list := range [][]string{strings.Fields(envLoads), strings.Fields(envCommands)} {
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

// TestOptionLines: variables that hold a line of options pass by what each word is.
func TestOptionLines(t *testing.T) {
	for name, values := range map[string][]string{
		"CARGO_TARGET_DIR": {"/tmp/target", "target2", "/tmp/cargo-x", "build/target"},
		"GOFLAGS":          {"-mod=vendor", "-count=1 -race", "-buildvcs=false", "--tags=a,b -run=Test(A|B)"},
		"GREP_OPTIONS":     {"--color=auto", "-in"},
		"JAVA_OPTS":        {"-Xmx2g -Xms512m -ea", "-XX:+UseG1GC -XX:MaxMetaspaceSize=512m -XX:TieredStopAtLevel=1 -XX:MaxRAMPercentage=75.0 -XX:ActiveProcessorCount=2 -XX:ParallelGCThreads=2", "-Dfile.encoding=UTF-8 -Duser.timezone=Europe/Rome", "--add-opens=java.base/java.lang=ALL-UNNAMED"},
		"LESS":             {"-FRX", "FRX", "-R -S"},
		"MAKEFLAGS":        {"-j8", "-j 8", "-k -s", "--no-print-directory -w", "s", "--jobs=4"},
		"PYTHONWARNINGS":   {"ignore", "error::DeprecationWarning", "ignore:the old one:UserWarning,default"},
		"UNZIP":            {"-qq"},
		"_JAVA_OPTIONS":    {"-Xmx1g"},
	} {
		for _, v := range values {
			if got := summary(name + "='" + v + "' make"); asks(got) {
				t.Errorf("%s=%s: %q", name, v, got)
			}
		}
	}
	for name, values := range map[string][]string{
		"CARGO_ENCODED_RUSTFLAGS":       {"-Clinker=./x", "-C\x1flink-arg=-fplugin=x"},
		"CARGO_TARGET_DIR":              {"/etc/target", "src", "..", "~/target"},
		"CARGO_TARGET_X86_LINUX_RUNNER": {"sh"},
		"GOFLAGS":                       {"-toolexec=x", "-modfile=x", "-overlay=x", "-exec=x", "-mod=mod", "-ldflags=-extld=x", "-o=x", "-C=x", "-pkgdir=x", "x", "-gccgoflags=-B.", "-coverprofile=x"},
		"GREP_OPTIONS":                  {"-f x", "--file=x", "-rd"},
		"JAVA_OPTS":                     {"-javaagent:x", "-agentpath:x", "-XX:OnError=x", "-XX:Flags=x", "-XX:Flags=5", "-XX:VMOptionsFile=5", "-XX:SharedArchiveFile=5", "-XX:VMOptionsFile=x", "@x", "-cp x", "-Djava.library.path=x", "-Xbootclasspath/a:x", "-Dmaven.ext.class.path=x", "-Xrunx", "-XX:HeapDumpPath=x", "--module-path=x", "--patch-module=a=x", "-jar x", "-Dorg.gradle.java.home=x"},
		"LESS":                          {"-ox", "-kx", "+!id", "-P!", "-tx", "--use-color"},
		"MAKEFLAGS":                     {"--eval=x", "-fx", "-f x", "-I x", "-C x", "SHELL=x", "--include-dir=x", "--makefile=x", "CC=x", "-W x", "-o x", "-E x", "-"},
		"PYTHONWARNINGS":                {"ignore::a.b", "x", "error:a:b.c.D"},
		"UNZIP":                         {"-o", "-d x"},
		"npm_config_node_options":       {"--require=./x", "-r ./x", "--env-file=x"},
	} {
		for _, v := range values {
			if got := summary(name + "='" + v + "' make"); !asks(got) {
				t.Errorf("%s=%s passes: %q", name, v, got)
			}
		}
	}
}
