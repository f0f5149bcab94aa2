package gates_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestHeldSecrets: who is shown a file that holds credentials has read a secret, whatever its
// name, unless git or the session has it.
func TestHeldSecrets(t *testing.T) {
	disk := map[string]string{
		"/w/keystore.properties":   "storePassword=Xk29dkQpl28dk\nkeyAlias=a\n",
		"/w/config/db.local.yml":   "db:\n  password: hunter2hunter2\n",
		"/w/docker-compose.yml":    "environment:\n  POSTGRES_PASSWORD: Xk29dkQpl28dk\n",
		"/w/own.yml":               "password: Xk29dkQpl28dk\n",
		"/w/server.log":            "user 7 changed the password\n",
		"/srv/keystore.properties": "storePassword=Xk29dkQpl28dk\n",
	}
	state := gates.State{
		Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u",
		Text:    func(p string) (string, bool) { s, ok := disk[p]; return s, ok },
		Tracked: func(p string) bool { return p == "/w/docker-compose.yml" },
	}
	state.Flow.Made = []gates.Made{{Path: "/w/own.yml", Text: disk["/w/own.yml"], Known: true}}
	for line, reads := range map[string]bool{
		"cat keystore.properties":                       true,
		"sed -n 1,20p config/db.local.yml":              true,
		"grep -n Alias keystore.properties":             true,
		"cat server.log keystore.properties | head":     true,
		"timeout 5 cat keystore.properties":             true,
		"for f in keystore.properties; do cat $f; done": true,
		"cat docker-compose.yml":                        false, // git holds it
		"cat own.yml":                                   false, // the session wrote it
		"cat server.log":                                false,
		"ls -l keystore.properties":                     false,
		"wc -l keystore.properties":                     false,
	} {
		c := gates.ShellContext(line, state)
		if got := c.After().SensitiveRead; got != reads {
			t.Errorf("%s: reads a secret: %v", line, got)
		}
	}
	read := gates.Request{Tool: "Read", Args: []byte(`{"file_path":"/w/keystore.properties"}`)}
	var k gates.Checker
	if c := k.Context(read, state); !c.After().SensitiveRead {
		t.Error("a tool's read of keystore.properties reads no secret")
	}
	state.Tracked = nil // nobody looks
	if c := k.Context(read, state); c.After().SensitiveRead {
		t.Error("what nobody looks at is a secret")
	}
}

// TestOwnWords: a file that is called as a secret is none where the session wrote all of it and
// knew no secret then.
func TestOwnWords(t *testing.T) {
	disk := map[string]string{"/w/.envrc": "use flake\n", "/w/.env": "TOKEN=Xk29dkQpl28dkXk29dkQpl28dk\n", "/w/.env.test": "PORT=3000\n", "/w/.env.local": "PORT=3000\nMORE=1\n"}
	state := gates.State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u", Text: func(p string) (string, bool) { s, ok := disk[p]; return s, ok }}
	for _, f := range []string{"/w/.envrc", "/w/.env", "/w/.env.local"} {
		state.Flow.Made = append(state.Flow.Made, gates.Made{Path: f, Text: disk[f], Known: true})
	}
	state.Flow.Made[2].Text = "PORT=3000\n" // somebody added to it
	after := state
	after.Flow.SensitiveRead = true
	linked := state
	linked.Links = []gates.Link{{From: "/w/.envrc", To: "/home/u/.netrc"}}
	var g gates.Guardrail
	for _, row := range []struct {
		line  string
		state gates.State
		want  bool
	}{
		{"cat .envrc", state, true},
		{"git add .envrc && git commit -qm x", state, true},
		{"cat .env", state, false}, // it holds credentials
		{"cat .env.local", state, false},
		{"cat .env.test", state, false}, // the session did not write it
		{"cat .envrc", after, false},
		{"cat .env*", state, false},
		{"cp ~/.netrc .envrc; cat .envrc", state, false},
		{"cat ~/.netrc >> .envrc && cat .envrc", state, false},
		{"cat .envrc", linked, false},
		{"git -C sub add .envrc", state, false},
		{"GIT_WORK_TREE=sub git add .envrc", state, false},
		{"cd sub && git add .envrc", state, false},
		{"git --work-tree=sub add .envrc", state, false},
		{"git add :/.envrc", state, false},
		{"export GIT_WORK_TREE=sub; git add .envrc", state, false},
		{"export GIT_DIR=/w/sub/.git GIT_WORK_TREE=/w/sub\ngit add .envrc", state, false},
	} {
		c := gates.ShellContext(row.line, row.state)
		if d := g.Decide(&c); (d.Disposition == gates.Approved) != row.want {
			t.Errorf("%s: %v %v", row.line, d.Disposition, d.Reasons)
		}
	}
	push := gates.ShellContext("git add .envrc && git commit -qm x && git push", state)
	if d := g.Decide(&push); d.Disposition == gates.Rejected || d.Disposition == gates.Approved {
		t.Errorf("the push is %v", d.Disposition)
	}
	push = gates.ShellContext("git add .env && git commit -qm x && git push", state)
	if d := g.Decide(&push); d.Disposition != gates.Rejected {
		t.Errorf("the push of credentials is %v", d.Disposition)
	}
	for line, want := range map[string]gates.Disposition{
		"printf 'stat\r\n' > /dev/ttyACM0": gates.ApprovedWithConstraints, "cat fw.hex > /dev/ttyUSB0": gates.ApprovedWithConstraints, "echo x > /dev/cu.usbmodem1": gates.ApprovedWithConstraints,
		"dd if=a.img of=/dev/sda": gates.Rejected, "echo x > /dev/mem": gates.Rejected, "cat a > /dev/ttyS*": gates.Rejected, "echo x > /dev/serial/../sda": gates.Rejected,
	} {
		c := gates.ShellContext(line, state)
		if d := g.Decide(&c); d.Disposition != want {
			t.Errorf("%s: %v %v", line, d.Disposition, d.Reasons)
		}
	}
}
