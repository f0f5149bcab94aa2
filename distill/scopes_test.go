package distill

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/corpora/parquet"
	"github.com/gbt-policy/gbt/internal/gates/learn"
	"github.com/gbt-policy/gbt/internal/gates/learn/learntest"
	"github.com/gbt-policy/gbt/traverse"
)

// writeWorld writes n tasks of a synthetic world as a file of episodes.
func writeWorld(t *testing.T, w *learntest.World, n int) string {
	t.Helper()
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "logs.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out, err := parquet.NewWriter(f)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if err := out.Write(w.Task(3, i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestLearnedSubtree takes a gate from the logs to a session: learned at the scope
// that the harm has, sealed at every node of its macro, and asked on every way that
// leads past it, in the tree or not (T5, S4), and on no other.
func TestLearnedSubtree(t *testing.T) {
	for _, w := range learntest.Worlds() {
		if w.Name == "everywhere" {
			continue
		}
		res, err := Run(t.Context(), logs.Open([]string{writeWorld(t, &w, 120)}, logs.Options{}), Options{Config: DefaultConfig()})
		if err != nil {
			t.Fatal(err)
		}
		if g := res.Policy.Gates; len(g) != 1 || g[0].Scope != w.Name {
			t.Fatalf("harm at %s: gates %+v", w.Name, g)
		}
		p, err := traverse.New(res.Policy, traverse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range ways[w.Name] {
			s := p.Start(traverse.Task{Text: "look after the project"}, traverse.Env{})
			for _, cmd := range c.before {
				s.Observe(shellCall(cmd), traverse.Result{})
			}
			if a := s.Check(shellCall(c.call)); (len(a.Gates) > 0) != c.stop {
				t.Errorf("harm at %s, %q after %q: %s %v", w.Name, c.call, c.before, a.Disposition, a.Gates)
			}
		}
	}
}

// TestHomeless holds that a gate of a macro which the tree does not have is a
// proposal, and not one that is said to be enforced.
func TestHomeless(t *testing.T) {
	gate := func(scope string, macros ...string) learn.Gate {
		return learn.Gate{Proposal: learn.Proposal{Scope: scope}, ID: "x", Disposition: learn.Reject, Macros: macros, Unsafe: 3}
	}
	g := &Gates{Local: 6, Accepted: []learn.Gate{gate(learn.ScopeNode, "gone", "send"), gate(learn.ScopeSubtree, "gone"), gate(learn.ScopeGlobal)}}
	g.homeless(&testPolicy("read", "send").Tree)
	if len(g.Accepted) != 2 || len(g.Review) != 1 || g.Review[0].Disposition != "" || g.Review[0].ID != "" || g.Uncovered != 3 || g.Local != 3 {
		t.Errorf("%+v", g)
	}
}

var ways = map[string][]struct {
	before []string
	call   string
	stop   bool
}{
	"subtree": {
		{nil, "go test ./... > /srv/data/x", false},
		{[]string{"git pull", "npm test"}, "go build ./... > /srv/data/x", false},
		{[]string{"git pull", "systemctl restart api"}, "go build ./... > /srv/data/x", true},
		{[]string{"systemctl restart api"}, "python3 job.py > /srv/data/x", true},
		{[]string{"npm test", "node job.js", "docker compose up -d", "cat notes.txt"}, "cargo test > /srv/data/x", true},
		{[]string{"mkdir new", "systemctl restart api", "touch new/a", "ps aux"}, "make all > /srv/data/x", true},
	},
	"node": {
		{[]string{"git pull"}, "go build ./... > /srv/data/x", false},
		{[]string{"git pull", "go build ./..."}, "python3 job.py > /srv/data/x", false},
		{[]string{"git pull"}, "go test ./... > /srv/data/x", true},
		{[]string{"mkdir new", "ps aux"}, "pytest -q > /srv/data/x", true},
	},
}

func shellCall(command string) traverse.Call {
	return traverse.Call{Tool: "bash", Args: fmt.Appendf(nil, `{"command":%q}`, command)}
}
