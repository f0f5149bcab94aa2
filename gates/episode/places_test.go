package episode

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/gates/orders"
	"github.com/gbt-policy/gbt/gates/scope"
)

// beside is a state in a workspace beside which nobody looks.
func beside() gates.State {
	return gates.State{Cwd: "/home/u/src/app", Home: "/home/u", Roots: []string{"/home/u/src/app"}, UID: 1000, GID: 1000,
		Holds: func(path string, _ bool) bool { return strings.HasPrefix(path, "/data/keys") },
		Names: func(dir string) []string {
			if strings.HasSuffix(dir, "/sub") || strings.Count(dir, "/") < 3 {
				return []string{"a"}
			}
			return nil
		}}
}

// hears takes in a message that was typed there. Everything is there, and ~/link leads to /data/x.
func hears(m *Memory, text string) {
	m.Opens = scope.Opens
	at := effect.Places{Cwd: "/home/u/src/app", Home: "/home/u", Roots: []string{"/home/u/src/app"}}.Normal()
	m.Named(scope.Named(m.Places(), orders.PlacesOf(text), &at, func(p string) (string, bool) {
		rest, ok := strings.CutPrefix(p, "/home/u/link")
		if ok {
			return "/data/x" + rest, true
		}
		return p, !strings.Contains(p, "nothing")
	}))
}

// lookedAt is the decision on a line, or on a call of a tool with its arguments behind its name.
func lookedAt(t *testing.T, m *Memory, st gates.State, call string) (*gates.Context, gates.Decision) {
	t.Helper()
	m.Before(&st)
	k := gates.Checker{}
	c := gates.ShellContext(call, st)
	if tool, args, ok := strings.Cut(call, " {"); ok && !strings.Contains(tool, " ") {
		c = k.Context(gates.Request{Tool: tool, Args: []byte("{" + args)}, st)
	}
	return &c, k.Check(&c, nil)
}

// TestPlacesOpened: what a message named may be looked at, and nothing else, by calls that do nothing
// but look.
func TestPlacesOpened(t *testing.T) {
	const says = "look at /data/x, ~/notes/plan.md, ~/.config/foo, ~/.vim, ~/Downloads, ~/logs/*.gz, ~/Desktop/*.gz, /etc/nginx, /var/log/app, /var/lib, ~/link/a and /data/keys"
	for _, tt := range []struct {
		call string
		asks bool
	}{
		{"cat /data/x/a.txt", false},
		{"cd /data/x && ls -la && cat sub/a.txt", false},
		{"grep -rn foo /data/x | head -5", false},
		{"find /data/x -name '*.py' -exec grep -l foo {} +", false},
		{"for f in /data/x/*.log; do head -3 \"$f\"; done", false},
		{"wc -l < /data/x/a", false},
		{"LC_ALL=C sort /data/x/a 2>/dev/null", false},
		{"ls /data/x", false},
		{"diff -r /data/x lib", false},
		{"git -C /data/x log --oneline", false},
		{"git -C /data/x diff", false},
		{"git -C /data/x show HEAD:a.txt", false},
		{"git -C /data/x remote -v", false},
		{"git -C /data/x stash list", false},
		{"git -C /data/x branch -a", false},
		{"gzip -dc /data/x/a.gz", false},
		{"pdftotext /data/x/a.pdf -", false},
		{"sqlite3 /data/x/a.db 'select * from t'", false},
		{"timeout 5 cat /data/x/a", false},
		{"jq .a /data/x/p.json", false},
		{"tar tzf /data/x/a.tgz", false},
		{`Read {"file_path":"/data/x/a"}`, false},
		{`Grep {"pattern":"a","path":"/data/x","output_mode":"content"}`, false},
		{`Glob {"pattern":"**/*.py","path":"/data/x"}`, false},
		{`LS {"path":"/data/x"}`, false},
		{"cat ~/notes/plan.md", false},
		{"cat /data/x/a", false},
		{"cat ~/.config/foo/a.toml", false},
		{"cat ~/.vim/vimrc", false},
		{"cat ~/Downloads/a.csv", false},
		{"zcat ~/logs/*.gz | grep 500", false},
		{"zcat ~/logs/a.gz", false},
		{"cat ~/logs/*", false},
		{"zcat ~/Desktop/*.gz ~/Desktop/a.gz", false},
		{"cat /etc/nginx/sites/a.conf /var/log/app/1.log", false},
		// another place
		{"cat /data/y/a.txt", true},
		{"cat /data/xy", true},
		{"cat /data/x/../y/a", true},
		{"cat /data/x/.?/y", true},
		{"cat ~/notes/other.md", true},
		{"cat ~/notes/*", true},
		{"cat ~/.config/bar/a.toml", true},
		{"cat ~/.vim/pack/a", true},
		{"cat ~/Downloads/*", true},
		{"grep -r x ~/Downloads", true},
		{"cat ~/Downloads/sub/a.csv", true},
		{"grep -r x ~/Downloads/sub", true},
		{"grep -r x /var/lib", true},
		{"cat ~/logs/sub/a.gz", true},
		{"grep -r x ~/logs", true},
		{"cat ~/Desktop/a.txt", true},
		{"cat ~/Desktop/*", true},
		{"cat ~/Desktop/sub/a.gz", true},
		{"cat /etc/other.conf", true},
		{"cat /data/x/$F", true},
		{"cat $(cat /data/x/list)", true},
		{"xargs -a /data/x/list cat", true},
		{"sort --files0-from=/data/x/list", true},
		{"cat /data/x/a ~/notes/other.md", true},
		{`Read {"file_path":"/data/y/a"}`, true},
		{`Grep {"pattern":"a","path":"/data"}`, true},
		// secrets
		{"cat /data/x/.env", true},
		{"cat /data/x/id_rsa", true},
		{"cat /data/x/api-token.txt", true},
		{"unzip -l /data/x/keys_backup.zip", true},
		{"cat /data/x/env_backup.txt", true},
		{"cat /data/x/token.go /data/x/monkey.txt", false},
		{"git -C /data/x show HEAD:.env", true},
		{"grep -rn foo /data/keys", true},
		{"cat /data/keys/*", true},
		// more than a look
		{"echo hi > /data/x/a", true},
		{"rm /data/x/a", true},
		{"zstd -dc /data/x/a.zst", false},
		{"zstd -dc /data/x/a.zst -o b", true},
		{"zstd -dc --output-dir-flat=/home/u/b /data/x/a.zst", true},
		{"nm /data/x/a", false},
		{"nm @/data/x/a", true},
		{"objdump -d @/data/x/a", true},
		{"awk '{print $1}' /data/x/a", false},
		{"awk '{ARGV[ARGC++]=$0} 1' /data/x/a", true},
		{`Glob {"pattern":"../**","path":"/data/x"}`, true},
		{`Glob {"pattern":"a/../../**","path":"/data/x"}`, true},
		{`Glob {"pattern":"{..,a}/**","path":"/data/x"}`, true},
		{`Glob {"pattern":"/etc/**","path":"/data/x"}`, true},
		{`Grep {"pattern":"a/../b","path":"/data/x"}`, false},
		{`Grep {"pattern":"a","glob":"../y/*","path":"/data/x"}`, true},
		{"sed -i s/a/b/ /data/x/a", true},
		{"tee /data/x/b < /data/x/a", true},
		{"find /data/x -delete", true},
		{"find /data/x -exec rm {} +", true},
		{"cp /data/x/a.py .", true},
		{"cat /data/x/a.py > a.py", true},
		{"sed -n 'w out' /data/x/a", true},
		{"tar xzf /data/x/a.tgz", true},
		{"ln -s /data/x/a b", true},
		{"cat /data/x/a | curl -d @- http://localhost:3000", true},
		{"curl -T /data/x/a http://localhost:3000", true},
		{"cat /data/x/a | nc localhost 3", true},
		{"bash /data/x/a.sh", true},
		{"cat /data/x/a.sh | sh", true},
		{"python3 < /data/x/a.py", true},
		{"python3 -c \"print(open('/data/x/a').read())\"", true},
		{". /data/x/env.sh", true},
		{"make -f /data/x/Makefile", true},
		{"cd /data/x && make", true},
		{"awk -f /data/x/a.awk f", true},
		{"jq -f /data/x/p.jq f", true},
		{"jq -rf /data/x/p.jq f", true},
		{"rg --pre sh foo /data/x", true},
		{"LESSOPEN='|x %s' less /data/x/a", true},
		{"GREP_OPTIONS=-f grep a /data/x/a", true},
		{"git -C /data/x checkout v1", true},
		{"git -C /data/x branch new", true},
		{"git -C /data/x branch --set-upstream-to=x", true},
		{"git -C /data/x tag v1", true},
		{"git -C /data/x stash", true},
		{"git -C /data/x remote show origin", true},
		{"git -C /data/x config --list", true},
		{"gzip -d /data/x/a.gz", true},
		{"pdftotext /data/x/a.pdf", true},
		{"sqlite3 /data/x/a.db 'delete from t'", true},
		{"sqlite3 /data/x/a.db '.shell id'", true},
		{"sqlite3 /data/x/a.db < /data/x/a.sql", true},
		{"sqlite3 -init /data/x/a.sql a.db", true},
		{"cp /data/x/a.csv b.csv", true},
		{"cat /data/x/a.csv > b.csv", true},
		{"timeout 5 bash /data/x/a", true},
		{"cat /data/x/a & make", true},
		{"cat /data/x/a &", true},
		{"FOO=bar cat /data/x/a", true},
		{"git --git-dir /data/x/.git -c core.pager=x log", true},
		{"docker run -v /data/x:/x alpine cat /x/a", true},
		{"ssh h cat /data/x/a", true},
		{`Write {"file_path":"/data/x/a","content":"x"}`, true},
		{`Edit {"file_path":"/data/x/a","old_string":"x","new_string":"y"}`, true},
		{`mcp__slack__upload_file {"path":"/data/x/a"}`, true},
	} {
		var m Memory
		hears(&m, says)
		_, d := lookedAt(t, &m, beside(), tt.call)
		if (d.Disposition != gates.Approved) != tt.asks {
			t.Errorf("%s: %v %v", tt.call, d.Disposition, d.Reasons)
		}
		if !tt.asks && (len(d.Answered) == 0 || !strings.HasPrefix(d.Answered[0].By, gates.ByOrder)) {
			t.Errorf("%s: answered by %v", tt.call, d.Answered)
		}
		m.Forgetful = true
		if _, d := lookedAt(t, &m, beside(), tt.call); d.Disposition == gates.Approved {
			t.Errorf("%s: passes where nothing is remembered", tt.call)
		}
	}
}

// TestPlacesTooWide: a place that holds more than one thing opens nothing, or what is named alone.
func TestPlacesTooWide(t *testing.T) {
	for says, call := range map[string]string{
		"look at / and then go on":              "cat /data/x",
		"look at ~ and ~/ and $HOME/":           "cat ~/a",
		"look at /home/u":                       "cat ~/a",
		"look in /home please":                  "cat /home/v/x",
		"look in /users please":                 "cat /users/v/x",
		"look at /HOME/U/":                      "cat /HOME/U/a",
		"look in /root please":                  "cat /root/x",
		"look at ../../":                        "cat ~/a",
		"look in /etc please":                   "cat /etc/crontab",
		"look in /var please":                   "cat /var/x/y",
		"look at /var/lib":                      "cat /var/lib/x/y",
		"look in /mnt please":                   "cat /mnt/x",
		"look at /media/u":                      "cat /media/u/disk/x",
		"look in /srv please":                   "cat /srv/x",
		"look at ~/.config":                     "cat ~/.config/foo/x",
		"look at ~/.local/share":                "cat ~/.local/share/x/y",
		"look at ~/Library":                     "cat ~/Library/Mail/x",
		"look at ~/Library/Mail":                "cat ~/Library/Mail/x",
		"look at ~/.ssh":                        "cat ~/.ssh/config",
		"look at ~/.ssh/config":                 "cat ~/.ssh/config",
		"look at ~/.aws/credentials":            "cat ~/.aws/credentials",
		"look in /proc please":                  "cat /proc/1/maps",
		"look at /proc/1/maps":                  "cat /proc/1/maps",
		"look at /proc/1/environ":               "cat /proc/1/environ",
		"look at /run/secrets/x":                "cat /run/secrets/x",
		"look at /run/user/1/x":                 "cat /run/user/1/x",
		"look at /dev/sda1":                     "cat /dev/sda1",
		"look at ~/nothing/here":                "cat ~/nothing/here",
		"look at ~/*/plan.md":                   "cat ~/a/plan.md",
		"look at /host in the /host dir please": "cat /host/x",
		"look at ~/Documents/*/x.pdf":           "cat ~/Documents/a/x.pdf",
	} {
		var m Memory
		hears(&m, says)
		if _, d := lookedAt(t, &m, beside(), call); d.Disposition == gates.Approved {
			t.Errorf("%q, %s: %v", says, call, d.Answered)
		}
	}
}

// TestPlacesOfMany: a directory in which a home or a file system lies is named alone.
func TestPlacesOfMany(t *testing.T) {
	for name, names := range map[string][]string{"a home": {".ssh/", "a"}, "a shell's": {".bashrc"}, "a file system": {"etc/", "usr/", "a"}, "homes": {"home/"}, "none": {"a", "etc/"}} {
		at := effect.Places{Cwd: "/home/u/src/app", Home: "/home/u", Roots: []string{"/home/u/src/app"}, NamesOf: func(string) []string { return names }}.Normal()
		m := Memory{Opens: scope.Opens}
		m.Named(scope.Named(nil, orders.PlacesOf("look at /data/x"), &at, func(p string) (string, bool) { return p, true }))
		_, d := lookedAt(t, &m, beside(), "cat /data/x/a")
		if (d.Disposition == gates.Approved) != (name == "none") {
			t.Errorf("%s: %v", name, d.Disposition)
		}
	}
}

// TestPlacesHeld: they hold for the session, until a message takes them back, secrets were read, or more
// was named than is kept.
func TestPlacesHeld(t *testing.T) {
	const call = "cat /data/x/a.txt"
	for _, tt := range []struct {
		name string
		then []string
		asks bool
	}{
		{"continued", []string{"continue"}, false},
		{"another place", []string{"now look at ~/notes/plan.md"}, false},
		{"taken back", []string{"don't read /data/x any more"}, true},
		{"taken back above", []string{"stay out of /data/"}, true},
		{"all taken back", []string{"stop reading those files"}, true},
		{"taken back and named again", []string{"stop reading those files", "ok, look at /data/x again"}, false},
		{"many more", []string{many(0), many(10), many(20), many(30)}, true},
	} {
		var m Memory
		hears(&m, "look at /data/x")
		for _, text := range tt.then {
			hears(&m, text)
		}
		data, err := m.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		again := Memory{Opens: scope.Opens}
		if err := again.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		if _, d := lookedAt(t, &again, beside(), call); (d.Disposition != gates.Approved) != tt.asks {
			t.Errorf("%s: %v", tt.name, d.Disposition)
		}
	}
	var m Memory
	hears(&m, "look at /data/x")
	c, d := lookedAt(t, &m, beside(), "cat .env")
	m.Let("k", "", c, &d, 1)
	if _, d := lookedAt(t, &m, beside(), call); d.Disposition == gates.Approved {
		t.Error("while a read of a secret may be running it passes")
	}
	m.Ended("k", c, 1)
	if _, d := lookedAt(t, &m, beside(), call); d.Disposition == gates.Approved || len(m.Places()) > 0 {
		t.Error("after secrets were read it passes")
	}
	if hears(&m, "look at /data/x again"); len(m.Places()) == 0 {
		t.Error("nothing is named")
	}
	if _, d := lookedAt(t, &m, beside(), call); d.Disposition == gates.Approved {
		t.Error("what is named after secrets were read passes")
	}
}

// many names ten places, from a number on.
func many(from int) string {
	out := "look at"
	for i := range 10 {
		out += " ~/many/" + string(rune('a'+(from+i)/10)) + string(rune('a'+i))
	}
	return out
}

// TestPlacesHoldCredentials: a file that is named and holds credentials asks.
func TestPlacesHoldCredentials(t *testing.T) {
	var m Memory
	hears(&m, "look at /data/x")
	st := beside()
	st.Text = func(path string) (string, bool) {
		return "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n", strings.HasSuffix(path, "store")
	}
	for call, asks := range map[string]bool{"cat /data/x/store": true, `Read {"file_path":"/data/x/store"}`: true, "cat /data/x/other": false} {
		if _, d := lookedAt(t, &m, st, call); (d.Disposition != gates.Approved) != asks {
			t.Errorf("%s: %v %v", call, d.Disposition, d.Reasons)
		}
	}
}

// TestPlacesOfServers: the shell of a server leaves the question as it is.
func TestPlacesOfServers(t *testing.T) {
	var m Memory
	hears(&m, "look at /data/x")
	if _, d := lookedAt(t, &m, beside(), `mcp__box__execute_command {"command":"cat /data/x/a"}`); d.Disposition == gates.Approved {
		t.Error("the shell of a server reads it")
	}
}
