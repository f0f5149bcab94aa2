package gates

import (
	"strings"
	"testing"
)

// TestStopsOwn lists what a session may stop because it started it, and what comes nearest
// to that and asks. A line that begins with "bg: " is run in the background by the host.
func TestStopsOwn(t *testing.T) {
	serve := `PORT=3456 node server.js > /tmp/server.log 2>&1 &`
	for _, tt := range []struct {
		name  string
		lines []string // the last one is judged
		asks  bool
	}{
		{"by the words that it was started with", []string{serve, `pkill -f "node server.js"`}, false},
		{"by a part of them", []string{serve, `pkill -9 -f server.js`}, false},
		{"found by pgrep", []string{serve, `kill -9 $(pgrep -f server.js)`}, false},
		{"found in what ps shows", []string{serve, `kill $(ps aux | grep "[s]erver.js" | awk '{print $2}')`}, false},
		{"found in what ps shows, in a pipe", []string{serve, `ps aux | grep server.js | grep -v grep | awk '{print $2}' | xargs kill -9`}, false},
		{"started by the host", []string{`bg: uvicorn app.main:app --port 8000`, `pkill -f uvicorn || true`}, false},
		{"the port that it was told", []string{`bg: uvicorn app.main:app --port 8000`, `kill $(lsof -ti:8000)`}, false},
		{"a port that it was asked at", []string{`bg: npm run dev`, `curl -s localhost:3000`, `lsof -ti:3000 | xargs kill -9 2>/dev/null`}, false},
		{"a variable between", []string{`bg: npm run dev`, `curl -s localhost:3000`, `PID=$(lsof -ti tcp:3000); [ -n "$PID" ] && kill $PID`}, false},
		{"by fuser", []string{`bg: npm run dev -- --port 6006`, `fuser -k 6006/tcp`}, false},
		{"what a task is known to start", []string{`bg: npm run dev`, `pkill -f "next dev"`}, false},
		{"in one line", []string{`node server.js & sleep 1; curl -s localhost:3000; pkill -f "node server.js"`}, false},
		{"a file with its number", []string{`bg: bin/rails server -p 3001`, `kill -9 $(cat tmp/pids/server.pid)`}, false},

		{"by the module that it was started with", []string{`uv run uvicorn ingest.app:app --port 8009 &`, `kill $(pgrep -f 'uvicorn ingest.app')`}, false},
		{"the port that a variable told", []string{`PORT=4000 node app.js > /tmp/a.log 2>&1 &`, `kill -9 $(lsof -ti:4000)`}, false},
		{"the ports of the words and of a variable", []string{`PORT=4000 node --inspect=9230 app.js &`, `kill -9 $(lsof -ti:4000,9230)`}, false},
		{"the port of an address", []string{`ASPNETCORE_URLS="https://localhost:5056;http://localhost:5055/" dotnet run &`, `kill $(lsof -ti tcp:5055)`}, false},
		{"the port that a variable told in this line", []string{`PORT=4000 node app.js & sleep 1; fuser -k 4000/tcp`}, false},
		{"a server that went by itself", []string{`bin/rails s -p 3001 -d && curl -s localhost:3001; kill $(cat tmp/pids/server.pid)`}, false},
		{"one that went before", []string{`bundle exec rails server --daemon --pid tmp/x.pid`, `kill $(cat tmp/x.pid)`}, false},

		{"the port that a variable told what serves nothing", []string{`PORT=4000 true &`, `kill $(lsof -ti:4000)`}, true},
		{"one that it told what waits", []string{`PORT=4000 sleep 9 &`, `fuser -k 4000/tcp`}, true},
		{"a port among the words of what prints", []string{`echo --port 4000 &`, `kill $(lsof -ti:4000)`}, true},
		{"words of what prints", []string{`echo firefox &`, `pkill -f firefox`}, true},
		{"words of what ended at once", []string{`true "node server.js" &`, `pkill -f "node server.js"`}, true},
		{"a part of a module", []string{`uv run uvicorn ingest.app:app --port 8009 &`, `kill $(pgrep -f 'uvicorn ingest')`}, true},
		{"the beginning of other modules", []string{`gunicorn a:b &`, `pkill -f 'gunicorn a'`}, true},
		{"its file, and a name", []string{serve, `pkill -F /tmp/server.pid; pkill -f puma`}, true},
		{"its name, and another", []string{serve, `pkill -f "node server.js"; pkill -f chrome`}, true},
		{"datagrams of its port", []string{`PORT=4000 node app.js &`, `kill $(lsof -t -i UDP:4000)`}, true},
		{"who talks to another host", []string{`PORT=4000 node app.js &`, `kill $(lsof -ti @db.internal:4000)`}, true},
		{"a module alone", []string{`uv run uvicorn app:app --port 8009 &`, `kill $(pgrep -f app)`}, true},
		{"two ports, one of them another's", []string{`PORT=4000 node app.js &`, `kill -9 $(lsof -ti:4000,5432)`}, true},
		{"the port that a variable told another", []string{`DB_PORT=4000 node app.js &`, `kill $(lsof -ti:4000)`}, true},
		{"the port that a variable told what ended", []string{serve, `PORT=4000 node app.js`, `kill $(lsof -ti:4000)`}, true},
		{"the port that a variable told, on which one served before", []string{`PORT=5432 node app.js &`, `kill $(lsof -ti:5432)`}, true},
		{"in this line", []string{`PORT=5432 node app.js & sleep 1; fuser -k 5432/tcp`}, true},
		{"a port that only the run time knows", []string{`PORT=$X node app.js &`, `kill $(lsof -ti:4000)`}, true},
		{"the port of an address of another", []string{`DATABASE_URL=http://localhost:4000 node app.js &`, `kill $(lsof -ti:4000)`}, true},
		{"a port of a container's", []string{`PORT=4000 docker run -d img &`, `kill $(lsof -ti:4000)`}, true},
		{"a server that stays", []string{`bin/rails s -p 3001; kill $(cat tmp/pids/server.pid)`}, true},
		{"one whose file was there", []string{`bin/rails s -d --pid=tmp/there.pid; kill $(cat tmp/there.pid)`}, true},
		{"the file of another", []string{`bin/rails s -d --pid=tmp/x.pid; kill $(cat tmp/pids/server.pid)`}, true},
		{"the file of one that was to come", []string{`kill $(cat tmp/pids/server.pid); bin/rails s -d`}, true},
		{"the port that a variable is to tell", []string{`fuser -k 4000/tcp; PORT=4000 node app.js &`}, true},

		{"a file with its number, told to pkill", []string{serve, `pkill -F /tmp/server.pid`}, false},
		{"a file with its number that the shell wrote", []string{`node server.js > /tmp/s.log 2>&1 & echo $! > /tmp/s.pid`, `kill $(cat /tmp/s.pid)`}, false},
		{"what the project's script starts", []string{`npm start > /tmp/s.log 2>&1 &`, `pkill -f "node dist/main.js"`}, false},
		{"what another script of the project's starts", []string{`npm run api &`, `pkill -f src/api.py`}, false},
		{"its session of tmux", []string{`tmux new-session -d -s dev 'npm run dev'`, `tmux kill-session -t dev`}, false},

		{"a file with a number that the session wrote", []string{serve, `echo 4711 > /tmp/s.pid`, `kill $(cat /tmp/s.pid)`}, true},
		{"a file with a number that the line wrote", []string{serve, `echo 4711 > /tmp/s.pid; kill $(cat /tmp/s.pid)`}, true},
		{"a file with a number that the session wrote, told to pkill", []string{serve, `echo 4711 > /tmp/s.pid`, `pkill -F /tmp/s.pid`}, true},
		{"a file elsewhere, told to pkill", []string{serve, `pkill -F /run/nginx.pid`}, true},
		{"a file, and whose processes", []string{serve, `pkill -u ana -F /tmp/server.pid`}, true},
		{"what a script starts that did not run", []string{`npm start &`, `pkill -f src/api.py`}, true},
		{"an interpreter of the project's script", []string{`npm start &`, `pkill -f node`}, true},
		{"another session of tmux", []string{`tmux new-session -d -s dev 'npm run dev'`, `tmux kill-session -t main`}, true},
		{"all sessions of tmux but that", []string{`tmux new-session -d -s dev 'npm run dev'`, `tmux kill-session -a -t dev`}, true},
		{"a session of tmux that may have been there", []string{`tmux new-session -A -d -s dev`, `tmux kill-session -t dev`}, true},
		{"all of tmux", []string{`tmux new-session -d -s dev 'npm run dev'`, `tmux kill-server`}, true},
		{"nothing was started", []string{`pkill -f "node server.js"`}, true},
		{"it ran and ended", []string{`node server.js`, `pkill -f "node server.js"`}, true},
		{"a port, and nothing was started", []string{`curl -s localhost:3000`, `kill $(lsof -ti:3000)`}, true},
		{"asked at before anything was started", []string{`curl -s localhost:5432`, serve, `kill $(lsof -ti:5432)`}, true},
		{"another port", []string{serve, `curl -s localhost:3456`, `kill $(lsof -ti:5432)`}, true},
		{"every node", []string{serve, `pkill -f node`}, true},
		{"every node, by killall", []string{serve, `killall node`}, true},
		{"a part of a word", []string{serve, `pkill -f serve`}, true},
		{"a pattern", []string{serve, `pkill -f "server.*"`}, true},
		{"an option", []string{`bg: uvicorn app.main:app --reload --port 8000`, `pkill -f reload`}, true},
		{"every browser", []string{`chromium --headless about:blank &`, `pkill chromium`}, true},
		{"every task", []string{`bg: npm run dev`, `pkill -f "npm run"`}, true},
		{"that task", []string{`bg: npm run dev`, `pkill -f "npm run dev"`}, false},
		{"that module", []string{`bg: uvicorn app.main:app --port 8000`, `pkill -f app.main:app`}, false},
		{"a letter", []string{serve, `pkill -f e`}, true},
		{"another program", []string{serve, `pkill -f postgres`}, true},
		{"another server", []string{serve, `pkill -f "next dev"`}, true},
		{"everything but that", []string{serve, `pkill -v -f server.js`}, true},
		{"of another user", []string{serve, `pkill -u ana -f server.js`}, true},
		{"of everybody, as another user", []string{serve, `sudo pkill -f server.js`}, true},
		{"a number", []string{serve, `kill -9 4711`}, true},
		{"every process", []string{serve, `kill -9 -1`}, true},
		{"what a file says", []string{serve, `kill $(cat numbers.txt)`}, true},
		{"a file elsewhere", []string{serve, `kill $(cat /run/postgresql/main.pid)`}, true},
		{"all that ps shows", []string{serve, `ps aux | awk '{print $2}' | xargs kill`}, true},
		{"all but that", []string{serve, `ps aux | grep -v server.js | awk '{print $2}' | xargs kill`}, true},
		{"another column", []string{serve, `ps aux | grep server.js | awk '{print $3}' | xargs kill`}, true},
		{"two ports", []string{`bg: npm run dev -- --port 6006`, `kill $(lsof -ti:6006 -ti:5432)`}, true},
		{"who reads a file", []string{`bg: npm run dev -- --port 6006`, `kill $(lsof -t /var/lib/x)`}, true},
		{"on another machine", []string{`ssh h node server.js &`, `pkill -f server.js`}, true},
		{"in a container", []string{`docker run -d img node server.js &`, `pkill -f server.js`}, true},
		{"in a container of Docker's own image", []string{`docker run --rm node:20 node server.js &`, `pkill -f server.js`}, true},
		{"in a container that is there", []string{`docker exec web node server.js &`, `pkill -f server.js`}, true},
		{"only said", []string{`echo "node server.js"`, `pkill -f "node server.js"`}, true},
		{"only put into a function", []string{`f() { node server.js & }`, `pkill -f "node server.js"`}, true},
		{"numbers that are deleted", []string{`bg: npm run dev -- --port 6006`, `rm -rf /proc/$(lsof -ti:6006)`}, true},
		{"numbers that are run", []string{`bg: npm run dev -- --port 6006`, `lsof -ti:6006 | sh`}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := State{Cwd: "/w/repo", Roots: []string{"/w/repo"}, Home: "/home/me", UID: 1000, GID: 1000}
			manifest := `{"scripts": {"start": "npm run build && node dist/main.js", "api": "uv run python src/api.py"}}`
			s.Exists = func(path string) bool {
				return path == "/w/repo" || path == "/w/repo/package.json" || path == "/tmp" || path == "/w/repo/tmp/there.pid"
			}
			s.Free = func(port uint16) bool { return port != 5432 }
			s.Text = func(path string) (string, bool) { return manifest, path == "/w/repo/package.json" }
			var d Decision
			for _, line := range tt.lines {
				line, background := strings.CutPrefix(line, "bg: ")
				c := ShellContext(line, s)
				if background {
					c.Args = append(c.Args, Arg{Path: "run_in_background", Value: "true"})
				}
				d = (&Guardrail{}).Decide(&c)
				s.Flow = c.After()
			}
			if asks := d.Disposition != Approved; asks != tt.asks {
				t.Errorf("%q: asks %v %+v", tt.lines, asks, d.Reasons)
			}
		})
	}
}

// TestBegunHidesSecrets: what is kept of a command that runs on holds no value that an
// option calls a secret, no text in quotes and nothing of the variables before it.
func TestBegunHidesSecrets(t *testing.T) {
	c := ShellContext(`TOKEN=t1 node server.js --api-key k1 --port 3000 --password=p1 --title 'a b' ghp_0123456789abcdefghijklmnopqrstuvwxyzAB &`, State{Cwd: "/w/repo", Roots: []string{"/w/repo"}, Home: "/home/me"})
	if own := strings.Join(c.After().Own, "\n"); own != "runs:node server.js --port 3000 --title" {
		t.Errorf("%q", own)
	}
}

// TestStopsJobs: the number of what a call started in the background, which it wrote to a file, stands
// for that as long as nobody writes to the file.
func TestStopsJobs(t *testing.T) {
	const begin = "python3 -m http.server 8765 --bind 127.0.0.1 >/tmp/hs.log 2>&1 & echo $! > /tmp/hs.pid; sleep 1"
	for _, tt := range []struct {
		name  string
		lines []string
		asks  bool
	}{
		{"by kill", []string{begin, `kill "$(cat /tmp/hs.pid)"; rm -f /tmp/hs.pid /tmp/hs.log`}, false},
		{"by a signal", []string{begin, `kill -9 $(cat /tmp/hs.pid) 2>/dev/null || true`}, false},
		{"by pkill", []string{begin, `pkill -F /tmp/hs.pid`}, false},
		{"in the workspace", []string{"./serve.sh & echo $! > tmp/x.pid", "kill $(cat tmp/x.pid)"}, false},
		{"a call later", []string{begin, "curl -s localhost:8765", "kill $(cat /tmp/hs.pid)"}, false},

		{"one that nobody wrote", []string{"kill $(cat /tmp/hs.pid)"}, true},
		{"another file", []string{begin, "kill $(cat /tmp/other.pid)"}, true},
		{"one that was there, by a function that nobody calls", []string{"f() { node s.js & echo $! > /tmp/old.pid; }", "kill $(cat /tmp/old.pid)"}, true},
		{"a number that the session spells", []string{begin, "echo 4711 > /tmp/hs.pid", "kill $(cat /tmp/hs.pid)"}, true},
		{"one that it finds", []string{begin, "pgrep -f postgres > /tmp/hs.pid", "kill $(cat /tmp/hs.pid)"}, true},
		{"written over by the same line", []string{begin, "cp /run/x.pid /tmp/hs.pid; kill $(cat /tmp/hs.pid)"}, true},
		{"written over by what nobody follows", []string{begin, "touched", "kill $(cat /tmp/hs.pid)"}, true},
		{"added to", []string{begin, "pgrep postgres >> /tmp/hs.pid", "kill $(cat /tmp/hs.pid)"}, true},
		{"with another", []string{begin, "kill $(cat /tmp/hs.pid) 4711"}, true},
		{"with all of a kind", []string{begin, "kill $(cat /tmp/hs.pid); pkill postgres"}, true},
		{"its group of all", []string{begin, "kill -- -1"}, true},
		{"with privileges", []string{begin, "sudo kill $(cat /tmp/hs.pid)"}, true},
		{"of the shell that runs all", []string{"sleep 9 & echo $$ > /tmp/hs.pid", "kill $(cat /tmp/hs.pid)"}, true},
		{"of its parent", []string{"sleep 9 & echo $PPID > /tmp/hs.pid", "kill $(cat /tmp/hs.pid)"}, true},
	} {
		s, written := relaxedPlaces(), "1"
		s.Exists = func(p string) bool { return strings.HasSuffix(p, "old.pid") }
		s.Stamp = func(string) string { return written }
		var d Decision
		for _, line := range tt.lines {
			if line == "touched" {
				written = "2"
				continue
			}
			c := ShellContext(line, s)
			d = (&Guardrail{}).Decide(&c)
			flow := c.After()
			s.Flow, s.After = flow, true
			c = ShellContext(line, s)
			s.Flow, s.After = c.After(), false
		}
		if asks := d.Disposition != Approved; asks != tt.asks {
			t.Errorf("%s: %q: asks %v, want %v %+v %q", tt.name, tt.lines, asks, tt.asks, d.Reasons, s.Flow.Own)
		}
	}
}
