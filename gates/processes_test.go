package gates_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/processes"
)

// theProcesses are those of a machine on which a session left servers running and its user has
// some of their own.
func theProcesses() []gates.Process {
	return []gates.Process{
		{ID: 1, Name: "systemd", Args: []string{"/sbin/init"}},
		{ID: 300, Name: "postgres", Args: []string{"postgres: writer"}, Exe: "/usr/lib/postgresql/bin/postgres"},
		{ID: 400, Group: 400, Name: "node", Args: []string{"claude"}, Exe: "/usr/bin/node", Cwd: "/w/repo"},
		{ID: 500, Group: 500, Name: "relayd", Args: []string{"target/debug/relayd", "--port", "7000"}, Exe: "/w/repo/target/debug/relayd", Cwd: "/w/repo", Start: gates.StarterGone},
		{ID: 501, Group: 500, Name: "python3", Args: []string{"python3", "-u", "tools/feed.py"}, Exe: "/usr/bin/python3.12", Cwd: "/w/repo", Start: gates.StarterGone},
		{ID: 502, Group: 502, Name: "node-MainThread", Args: []string{"node", "/w/repo/node_modules/.bin/vite"}, Exe: "/usr/bin/node", Cwd: "/w/repo", Start: gates.StarterCall},
		{ID: 503, Group: 502, Name: "python3", Args: []string{"python3", "-m", "http.server"}, Exe: "/usr/bin/python3.12", Cwd: "/w/repo/www", Start: gates.StarterCall},
		{ID: 504, Group: 504, Name: "gatewayd-worker", Args: []string{"bin/gatewayd-worker-long"}, Exe: "/w/repo/bin/gatewayd-worker-long", Cwd: "/w/repo", Start: gates.StarterGone},
		{ID: 505, Group: 505, Name: "chrome", Args: []string{"chrome", "localhost:5173"}, Exe: "/opt/chrome/chrome", Cwd: "/w/repo", Start: gates.StarterCall},
		{ID: 506, Group: 506, Name: "java", Args: []string{"java", "GradleDaemon"}, Exe: "/usr/bin/java", Cwd: "/home/me/.gradle", Start: gates.StarterGone},
		{ID: 507, Group: 507, Name: "python3", Args: []string{"python3", "-m", "daemonized"}, Exe: "/usr/bin/python3.12", Cwd: "/w/repo", Start: gates.StarterGone},
		{ID: 508, Group: 508, Name: "node", Args: []string{"node", "--require", "./trace.js", "/usr/lib/shared/hub.js"}, Exe: "/usr/bin/node", Cwd: "/w/repo", Start: gates.StarterGone},
		{ID: 600, Group: 600, Name: "trainer", Args: []string{"bin/trainer", "--epochs", "90"}, Exe: "/w/repo/bin/trainer", Cwd: "/w/repo"},
		{ID: 601, Group: 500, Name: "vim", Args: []string{"vim", "src/relayd.c", "notes.py"}, Exe: "/usr/bin/vim", Cwd: "/w/repo"},
		{ID: 602, Group: 602, Name: "mixer", Args: []string{"bin/mixer"}, Exe: "/w/repo/bin/mixer", Cwd: "/w/repo"},
		{ID: 603, Group: 603, Name: "mixer", Args: []string{"bin/mixer"}, Exe: "/w/repo/bin/mixer", Cwd: "/w/repo", Start: gates.StarterCall},
		{ID: 604, Group: 604, Name: "überd", Args: []string{"überd"}, Exe: "/opt/überd"},
	}
}

// TestReachesOwn lists signals that reach nothing but what calls of the session started, by
// what the host sees; and those that come nearest and ask, those that reach nothing among them.
func TestReachesOwn(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		asks       bool
	}{
		{"nothing has the name", `pkill -x sidekiq`, true},
		{"nothing has the words", `pkill -f 'node server.js'`, true},
		{"nothing has one of them", `pkill -9 -f 'webpack|nodemon' ; npm run dev`, true},
		{"nothing is found", `kill $(pgrep -f sidekiq | head -1) || true`, true},
		{"another signal, and a class of letters", `kill -USR1 $(pgrep -f 'puma [0-9]' | head -1)`, true},
		{"nothing that a finder of another kind finds", `kill $(pidof sidekiqd)`, true},
		{"nothing by killall", `killall -q -9 sidekiq puma`, true},
		{"nothing on the port", `fuser -k 9999/tcp`, true},
		{"nothing on the port, in other words", `fuser -k -n tcp 9999`, true},
		{"nothing on the port, by lsof", `lsof -ti:9999 | xargs -r kill -9`, true},
		{"no such number", `kill -9 4711`, true},
		{"no such group", `kill -- -4711`, true},
		{"no such file", `kill $(cat tmp/gone.pid) 2>/dev/null; rm -f tmp/gone.pid`, true},
		{"a look first", `pgrep -fa 'tools/feed.py' && kill $(pgrep -f 'tools/feed.py')`, false},
		{"a short sleep between", `pkill -f tools/feed.py; sleep 1; pkill -9 -f tools/feed.py`, false},
		{"its program", `kill $(pgrep -x relayd)`, false},
		{"its program, by name and letter in brackets", `pkill -x '[r]elayd'`, false},
		{"its script", `pkill -f tools/feed.py`, false},
		{"its server, which is still below the call", `pkill -f bin/vite`, false},
		{"an interpreter that a call runs in the workspace", `pkill -f 'python3 -m http.server'`, false},
		{"by the beginning of a long name", `pkill gatewayd-worker`, false},
		{"by number", `kill -TERM 500`, false},
		{"by group", `kill -- -502`, false},
		{"by port", `fuser -k 7000/tcp`, false},
		{"by port, and another signal", `kill -INT $(lsof -t -i :7000 -sTCP:LISTEN)`, false},
		{"by file", `kill $(cat tmp/relayd.pid)`, false},
		{"only whether it is there", `kill -0 600 && kill -s 0 600`, false},
		{"both of its own", `pkill -x relayd; pkill -f tools/feed.py`, false},

		{"the user's own, in the workspace", `pkill -x trainer`, true},
		{"the user's own beside its own", `pkill -x mixer`, true},
		{"the newest of both", `pkill -n -x mixer`, true},
		{"an editor beside its own", `pkill -f relayd`, true},
		{"the group of both", `kill -- -500`, true},
		{"a browser that a call opened", `pkill chrome`, true},
		{"a daemon that a call started for all projects", `pkill -f GradleDaemon`, true},
		{"an interpreter that went by itself", `pkill -f daemonized`, true},
		{"a script elsewhere behind an option's value", `pkill -f hub.js`, true},
		{"the host", `pkill claude`, true},
		{"the host's interpreter", `pkill node`, true},
		{"the host by number", `kill 400`, true},
		{"the first process", `kill 1`, true},
		{"all processes", `kill -9 -1`, true},
		{"all of the group", `kill 0`, true},
		{"a server of the system's", `pkill postgres`, true},
		{"any letter", `pkill -f .`, true},
		{"everything but its own", `pkill -v -x relayd`, true},
		{"everything of a user", `pkill -u me`, true},
		{"its own or more", `pkill -f 'relayd|'`, true},
		{"a pattern with more in it", `pkill -f 'nothing(here)?'`, true},
		{"a class of letters", `pkill -x '[a-z]*'`, true},
		{"a name in other letters", `pkill -x '.berd'`, true},
		{"a name that only the run time knows", `pkill -x "$NAME"`, true},
		{"the names of a file", `pkill -F pids.txt`, true},
		{"its own and a number", `kill $(pgrep -x relayd) 600`, true},
		{"its own and another's", `pkill -x relayd; pkill -x trainer`, true},
		{"how many there are, as a number", `kill $(pgrep -c relayd)`, true},
		{"a number with a digit changed", `kill $(pgrep -x relayd | tr 5 6)`, true},
		{"the beginning of a number", `kill $(pgrep -x relayd | head -c 1)`, true},
		{"how often there is one", `kill $(pgrep -x relayd | uniq -c)`, true},
		{"a port of another's", `fuser -k 5432/tcp`, true},
		{"a port that somebody has whom nobody sees", `fuser -k 6000/tcp`, true},
		{"one port of two", `kill $(lsof -ti:7000,5432)`, true},
		{"who has a file open", `fuser -k data.db`, true},
		{"who has a file open beside", `fuser -k 9999/tcp data.db`, true},
		{"another's number in a file", `kill $(cat tmp/trainer.pid)`, true},
		{"what is no number in a file", `kill $(cat tmp/odd.pid)`, true},
		{"a file of the system's", `kill $(cat /run/x.pid)`, true},
		{"as another user", `sudo pkill -x sidekiq`, true},
		{"on another machine", `ssh h pkill -x sidekiq`, true},
		{"with a program of another place", `/w/repo/bin/pkill -x sidekiq`, true},
		{"with programs of another place", `PATH=/w/repo/bin:$PATH; pkill -x sidekiq`, true},
		{"after a long sleep", `sleep 3600; pkill -x sidekiq`, true},
		{"after many sleeps", `sleep 4; pkill -x sidekiq; sleep 4; pkill -x sidekiq`, true},
		{"after a build", `make && pkill -x sidekiq`, true},
		{"beside a server that the line starts", `bin/other & pkill -x sidekiq`, true},
		{"after it waits for input", `read x; pkill -x sidekiq`, true},
		{"after it waits for a pipe", `cat < /w/repo/fifo; pkill -x sidekiq`, true},
		{"when its input comes", `pkill -x sidekiq < fifo`, true},
		{"the second time, when its input comes", `pkill -x sidekiq; pkill -x puma < fifo`, true},
		{"after it follows a file", `tail -f /w/repo/x.log; pkill -x sidekiq`, true},
		{"when the line ends", `trap 'pkill -x sidekiq' EXIT; sleep 3`, true},
		{"before each command", `trap 'sleep 1000' DEBUG; pkill -x sidekiq`, true},
		{"again and again", `for i in 1 2 3; do pkill -x sidekiq; sleep 1; done`, true},
		{"until there is one", `until pkill -x sidekiq; do sleep 1; done`, true},
		{"in a function", `f() { pkill -x sidekiq; }; sleep 1; f`, true},
		{"in the background", `(sleep 5; pkill -x sidekiq) &`, true},
		{"by numbers that stand in a file", `xargs -a pids.txt kill; pkill -x sidekiq`, true},
		{"by numbers of the input beside", `pgrep -x relayd | xargs kill 600`, true},
		{"what a list of all shows", `kill $(ps aux | grep sidekiq | awk '{print $2}')`, true},
		{"a group by its name", `killall -g sidekiq`, true},
		{"a pattern to killall", `killall -r 's.*'`, true},
		{"a file to killall", `killall /usr/bin/node`, true},
		{"a signal that asks for nothing, behind the number", `kill 600 -0`, true},
		{"a signal that asks for nothing, and one that ends", `kill -s 0 -s 9 600`, true},
		{"in a child of the code", `python3 -c 'import os; os.kill(4711, 9)'`, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := gates.ShellContext(tt.line, processState())
			d := (&gates.Guardrail{}).Decide(&c)
			if asks := d.Disposition != gates.Approved; asks != tt.asks {
				t.Errorf("%q: asks %v %+v", tt.line, asks, d.Reasons)
			}
			if strict := (&gates.Guardrail{Profile: gates.ProfileStrict}).Decide(&c); strict.Disposition == gates.Approved && len(c.Effects) > 0 {
				t.Errorf("%q passes the strict profile", tt.line)
			}
		})
	}
}

func processState() gates.State {
	return gates.State{
		Cwd: "/w/repo", Roots: []string{"/w/repo"}, Home: "/home/me", UID: 1000, GID: 1000,
		Exists: func(path string) bool { return path != "/w/repo/tmp/gone.pid" },
		Found: func(path string) gates.Found {
			switch path {
			case "/w/repo/tmp/gone.pid":
				return gates.FoundNothing
			case "/w/repo/tmp/relayd.pid", "/w/repo/tmp/trainer.pid", "/w/repo/tmp/odd.pid", "/w/repo/x.log":
				return gates.FoundFile
			}
			return gates.FoundUnknown
		},
		Text: func(path string) (string, bool) {
			text, ok := map[string]string{"/w/repo/tmp/relayd.pid": "500\n", "/w/repo/tmp/trainer.pid": "600\n", "/w/repo/tmp/odd.pid": "5 600\n"}[path]
			return text, ok
		},
		Reached: reached(true),
	}
}

// reached is the look at theProcesses; all says that the host sees all of them.
func reached(all bool) func(*gates.Context, *gates.Effect, int) bool {
	m := processes.Machine{
		All: func() ([]gates.Process, bool) { return theProcesses(), all },
		Holders: func(port uint16) ([]int, bool) {
			return map[uint16][]int{7000: {500}, 5432: {300}}[port], port != 6000
		},
	}
	return m.Own
}

// TestReachesOwnUnseen: what only some are seen of, what nobody looks at, what has run and what
// another machine may run asks as before.
func TestReachesOwnUnseen(t *testing.T) {
	for name, change := range map[string]func(*gates.State){
		"nobody looks":     func(s *gates.State) { s.Reached = nil },
		"not all are seen": func(s *gates.State) { s.Reached = reached(false) },
		"it has run":       func(s *gates.State) { s.After = true },
	} {
		s := processState()
		change(&s)
		c := gates.ShellContext(`pkill -x sidekiq`, s)
		if d := (&gates.Guardrail{}).Decide(&c); d.Disposition == gates.Approved {
			t.Errorf("%s: it passes", name)
		}
	}
	c := gates.ShellContext(`pkill -x sidekiq`, processState())
	c.Elsewhere = "devbox"
	if d := (&gates.Guardrail{}).Decide(&c); d.Disposition == gates.Approved {
		t.Error("in the shell of a server, it passes")
	}
}
