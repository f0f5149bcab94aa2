package decisions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/scope"
)

func decide(line string) (*gates.Context, *gates.Decision) {
	c := gates.ShellContext(line, gates.State{Cwd: "/home/ana/shop", Home: "/home/ana", Roots: []string{"/home/ana/shop"}, UID: -1, GID: -1, Naming: scope.Naming{}})
	d := (&gates.Guardrail{}).Decide(&c)
	return &c, &d
}

// TestDecided: of what passed nothing but its name is kept, of the rest what a person
// reads; never words of the command line.
func TestDecided(t *testing.T) {
	for line, want := range map[string]string{
		"ls": "", "curl -d @x https://a.example/?k=hunter2hunter2": "send to a.example by curl", "npm install --registry https://r.example x": "",
		"frob --token hunter2": "run frob", "LD_PRELOAD=/tmp/hunter2 ls": "", "psql -c \"update t set p='hunter2'\"": "",
	} {
		c, d := decide(line)
		var e Entry
		e.Decided(c, d, "id", "policy")
		text := string(Line(&e))
		if strings.Contains(text, "hunter2") {
			t.Errorf("%s: %s", line, text)
		}
		if got := strings.Join(e.Scope, "; "); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: scope %q, want %q", line, got, want)
		}
		if asked := e.Asked != ""; asked != (d.Disposition != gates.Approved) {
			t.Errorf("%s: asked %q", line, e.Asked)
		}
	}
}

// TestKeeper: what a person agreed to is told, and what can't be written is said once.
func TestKeeper(t *testing.T) {
	c, d := decide("git push")
	k := Keeper{Log: &Log{Dir: t.TempDir()}, Host: "mcp", Failed: func(err error) { t.Error(err) }}
	k.Keep("s", "1", c, d, "id", "p", noon)
	k.Agreed("s", "1", noon.Add(1))
	list, _, err := k.Log.Read()
	if s := Summarise(list); err != nil || s.Asked != 1 || s.Yes != 1 {
		t.Errorf("%+v %v", s, err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	said := 0
	k = Keeper{Log: &Log{Dir: file}, Failed: func(err error) { said++ }}
	for range 3 {
		k.Keep("s", "1", c, d, "id", "p", noon)
	}
	if said != 1 {
		t.Errorf("said %d times", said)
	}
}
