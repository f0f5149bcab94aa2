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
