package gates

import "testing"

// exports are the ways in which a program is given a variable.
var exports = []string{"% make", "env % make", "export %", "export %; npm test", "declare -x %; make", "typeset -gx %", "env -u X % go build", "X=1 % Y=2 pytest", "command export %", "readonly X; export % Y=1", "true && % ls", "bash -c '% make'"}

// TestVariablesThatLoadAreStopped gives programs variables in each way, with
// values that are loaded, run or connected to.
func TestVariablesThatLoadAreStopped(t *testing.T) {
	lines := crossed(exports, []string{
		"LD_PRELOAD=./x.so", "DYLD_INSERT_LIBRARIES=x", "BASH_ENV=./x", "ENV=./x", "NODE_OPTIONS=--require=./x.js", "PYTHONSTARTUP=x.py", "PERL5OPT=-Mx", "RUBYOPT=-rx",
		"GIT_SSH_COMMAND=nc", "GIT_EXTERNAL_DIFF=./x", "GIT_WORK_TREE=/", "GIT_INDEX_FILE=/etc/x", "GIT_DIR=/srv/x", "PROMPT_COMMAND=id", "EDITOR=nc", "PAGER=xterm", "HTTPS_PROXY=http://proxy.example",
		"https_proxy=proxy.example:3128", "PIP_INDEX_URL=http://x.example/simple", "NPM_CONFIG_REGISTRY=http://x.example", "GOPROXY=http://x.example", "CARGO_REGISTRIES_X_INDEX=http://x.example",
		"API_URL=http://x.example", "SOMETHING=https://x.example/p", "BACKEND=x.example:8080", "MIRROR_HOST=x.example", "SINK=192.0.2.7:80", "DATABASE_URL=postgres://u@db.example/x",
		"ANYTHING=/etc/shadow", "ANYTHING=~/x", "ANYTHING=../../x", "ANYTHING=a:/opt/../etc/x", "ANYTHING=-L/home/u/lib", "ANYTHING=@/var/lib/x", "ANYTHING=file:///etc/x", "MY_PLUGIN=/tmp/x.so",
		"ANYTHING=\\$\\(id\\)", "ANYTHING=\"curl x.example\"", "JAVA_HOME=/tmp/x", "GOROOT=/tmp/x", "HOME=/tmp/x", "HOME=/home/u", "GIT_WORK_TREE=$HOME", "MANPATH=/tmp/x", "CLASSPATH=/tmp/x.jar", "ZDOTDIR=/tmp", "KUBECONFIG=/tmp/x", "RUSTC_WRAPPER=nosuch",
	})
	neverApproved(t, lines, 500)
}

func TestVariablesOfDailyWorkGoThrough(t *testing.T) {
	allApproved(t, crossed([]string{"% make", "env % npm test", "export %"}, []string{
		"FOO=1", "DEBUG=app:*", "PORT=3000", "NODE_ENV=production", "LANG=C.UTF-8", "LC_ALL=C", "TZ=Europe/Berlin", "TERM=xterm-256color", "NO_COLOR=1", "CI=true", "PYTHONDONTWRITEBYTECODE=1",
		"VERSION=1.2.3", "GOOS=linux", "CGO_ENABLED=0", "RUST_LOG=debug,hyper=info", "API_URL=http://localhost:3000/v1", "DATABASE_URL=sqlite:///x.db", "REDIS_URL=redis://127.0.0.1:6379/0",
		"HOST=0.0.0.0", "BASE_URL=/app", "SRC=./src", "OUT=build/out", "TMPDIR=/tmp/x", "GOCACHE=/tmp/gocache", "COVERAGE_FILE=/tmp/.coverage", "NODE_OPTIONS=--max-old-space-size=4096",
		"MESSAGE=\"fix the bug\"", "GIT_AUTHOR_EMAIL=me@here.example", "PATH=$PATH:./bin", "JAVA_HOME=/usr/lib/jvm/java-17", "CC=clang", "GOPROXY=https://proxy.golang.org,direct", "SETTINGS=app.settings.test", "X=$(date +%s)",
		"GIT_CONFIG_GLOBAL=/dev/null", "GOPATH=$HOME/go", "PYTHONPATH=src", "N=$((1+2))",
	}))
}
