package traverse

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/tree"
	"github.com/gbt-policy/gbt/tree/text"
)

// world is a policy made by hand: families of paths of action keys.
type world struct {
	families map[string][]string // each path: keys divided by spaces; "!" ends a path that is no success
	tasks    map[string]string   // prototype task of a family
	gated    map[string]string   // by key: the expression of a node-local gate
	below    map[string]string   // by key: the expression of a gate of the subtrees there
	global   string              // the expression of a global gate
	pre      map[string]string   // by key: keys that must come before
	edit     func(p *artifacts.Policy)
}

// words describe the actions of the test worlds, so that text proposals match.
var words = map[string]string{
	"view": "read the source file and look at its content", "search": "search the repository for the failing name",
	"edit": "edit the function and fix the bug in the code", "run": "run the program to see what it prints",
	"test": "run the unit tests with pytest", "proc": "look at the running processes", "delete": "delete the temporary files",
	"net": "download the archive from the internet", "remote": "upload the result to the server", "review": "look at the commit history",
	"make": "create a new directory for the output", "build": "build the project with make",
}

var deltas = map[string]effect.Delta{
	"view": effect.DeltaNone, "search": effect.DeltaNone, "edit": effect.DeltaWrite, "run": effect.DeltaRun, "test": effect.DeltaRun,
	"proc": effect.DeltaNone, "delete": effect.DeltaDelete, "net": effect.DeltaNavigate, "remote": effect.DeltaSend, "review": effect.DeltaNone,
	"make": effect.DeltaWrite, "build": effect.DeltaRun,
}

// calls are calls whose action is the key.
var calls = map[string]Call{
	"view": shell("cat a.py"), "search": shell("grep -r name ."), "edit": shell("sed -i s/a/b/ a.py"), "run": shell("python a.py"),
	"test": shell("pytest -q"), "proc": shell("ps aux"), "delete": shell("rm tmp.txt"), "net": shell("curl https://example.org/x"),
	"remote": shell("scp out.txt host:"), "review": shell("git log"), "make": shell("mkdir out"), "build": shell("make all"),
}

func shell(cmd string) Call {
	return Call{Tool: "bash", Args: []byte(`{"command":"` + cmd + `"}`)}
}

func TestCallsHaveTheirActions(t *testing.T) {
	for key, c := range calls {
		if a := call.ActionOf(c.Tool, string(c.Args)); a.Key != key || a.Delta != deltas[key] {
			t.Errorf("%s: action %s %s, want delta %s", key, a.Key, a.Delta, deltas[key])
		}
	}
}

type place struct {
	next map[string]*place
	leaf bool
}

// failer is a test, a benchmark or a property.
type failer interface {
	Helper()
	Fatal(args ...any)
}

// policy builds the artifact of a world.
func (w world) policy(t failer) *artifacts.Policy {
	t.Helper()
	table := text.Default()
	p := &artifacts.Policy{
		Name: "world", Sequence: 1, Pack: artifacts.DefaultPack(), Provenance: artifacts.Provenance{Tool: "test"},
		Encoder: artifacts.Encoder{ID: table.ID(), Digest: table.Digest(), Dim: table.Dim()},
		Params: tree.Params{
			Profile: tree.DefaultProfile, ThetaHigh: 780, ThetaLow: 700, Ambiguous: 50, ExploreBudget: 3,
			RouteAbstain: 900, RouteKeep: 20, RouteTemperature: 50, RouteEvery: 3, RouteSwitch: 100,
			Alpha: 1000, EnvCos: 1, Lambda: 500, MaxRecovery: 8, MaxChildren: 12, AllowedShare: 1000, Novelty: 1001,
			Posterior: [4]tree.Milli{-3000, 5000, 2000, 0},
		},
	}
	p.Tree.Nodes = append(p.Tree.Nodes, tree.Node{Parent: -1, State: -1})
	b := worldBuilder{w: &w, p: p, vec: func(s string) tree.Vec { return table.Vec(nil, nil, s) }}
	for _, name := range slices.Sorted(maps.Keys(w.families)) {
		b.family(name)
	}
	if w.global != "" {
		b.gate(artifacts.ScopeGlobal, w.global)
	}
	slices.SortFunc(p.Gates, func(a, b artifacts.Gate) int { return strings.Compare(a.ID, b.ID) })
	if w.edit != nil {
		w.edit(p)
	}
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	return p
}

func (w world) open(t failer) *Policy {
	t.Helper()
	p, err := New(w.policy(t), Options{Digest: "world"})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

type worldBuilder struct {
	w   *world
	p   *artifacts.Policy
	vec func(string) tree.Vec
}

func (b *worldBuilder) gate(scope, expr string) string {
	canonical, program, err := lang.Compile(expr)
	if err != nil {
		panic(err)
	}
	id := artifacts.GateID(scope, artifacts.DispositionReject, canonical)
	if !slices.ContainsFunc(b.p.Gates, func(g artifacts.Gate) bool { return g.ID == id }) {
		b.p.Gates = append(b.p.Gates, artifacts.Gate{ID: id, Scope: scope, Disposition: artifacts.DispositionReject, Expr: canonical, Message: "the gate says no", Program: program})
	}
	return id
}

func (b *worldBuilder) family(name string) {
	t := &b.p.Tree
	index, first := int32(len(t.Families)), int32(len(t.States))
	root, keys := &place{next: map[string]*place{}}, map[string]bool{"^": true, "*none": true, "*write": true, "*run": true}
	edges := map[string]map[string]bool{}
	for _, path := range b.w.families[name] {
		at, prev := root, "^"
		success := !strings.HasSuffix(path, "!")
		for _, key := range strings.Fields(strings.TrimSuffix(path, "!")) {
			keys[key] = true
			if at.next[key] == nil {
				at.next[key] = &place{next: map[string]*place{}}
			}
			if edges[prev] == nil {
				edges[prev] = map[string]bool{}
			}
			edges[prev][key] = true
			at, prev = at.next[key], key
		}
		at.leaf = at.leaf || success
	}
	sorted := slices.Sorted(maps.Keys(keys))
	state := map[string]int32{}
	for i, k := range sorted {
		state[k] = first + int32(i)
	}
	for _, k := range sorted {
		t.States = append(t.States, b.state(index, k, state, edges[k]))
	}
	task := b.w.tasks[name]
	if task == "" {
		task = name
	}
	t.Families = append(t.Families, tree.Family{Name: name, First: first, Start: state["^"], Node: int32(len(t.Nodes)),
		Prototypes: []tree.Text{{Text: task, Vec: b.vec(task)}}, Centroid: b.vec(task), Vocabulary: int32(len(sorted) - 4), Tools: []string{"bash"}})
	b.place(root, tree.Root, state, "^", nil, task)
}

func (b *worldBuilder) state(family int32, key string, state map[string]int32, next map[string]bool) tree.State {
	s := tree.State{Family: family, Key: key, Delta: deltas[key], Count: tree.Count{Tasks: 4, Success: 4}}
	switch {
	case key == "^":
		s.Delta = effect.DeltaNone
	case key[0] == '*':
		s.Generic = true
		for d := effect.Delta(0); d < effect.NumDeltas; d++ {
			if d.String() == key[1:] {
				s.Delta = d
			}
		}
	default:
		s.Desc = words[key]
		s.Tools = []tree.Use{{Name: "bash", Calls: 3}}
		s.Vecs = []tree.Vec{b.vec(words[key])}
		s.Fit = tree.Fit{Vec: b.vec(words[key]), Gain: 12000}
		s.Pre.Tools = []string{"bash"}
		for _, k := range strings.Fields(b.w.pre[key]) {
			s.Pre.After = append(s.Pre.After, state[k])
		}
		slices.Sort(s.Pre.After)
	}
	s.Risk = s.Delta.Risk()
	for _, k := range slices.Sorted(maps.Keys(next)) {
		s.Next = append(s.Next, tree.Edge{To: state[k], Count: tree.Count{Tasks: 3, Success: 3}})
	}
	return s
}

func (b *worldBuilder) place(p *place, parent int32, state map[string]int32, key string, gates []string, task string) {
	t := &b.p.Tree
	if expr := b.w.gated[key]; expr != "" {
		gates = union(gates, []string{b.gate(artifacts.ScopeNode, expr)})
	}
	if expr := b.w.below[key]; expr != "" {
		gates = union(gates, []string{b.gate(artifacts.ScopeSubtree, expr)})
	}
	index := int32(len(t.Nodes))
	t.Nodes = append(t.Nodes, tree.Node{Parent: parent, State: state[key], Gates: gates, Count: tree.Count{Tasks: 2, Success: 2}})
	if p.leaf {
		t.Leaves = append(t.Leaves, tree.Leaf{Node: index, Tasks: []tree.Text{{Text: task, Vec: b.vec(task)}}, Env: leafEnv(key), Count: 2})
	}
	for _, k := range slices.Sorted(maps.Keys(p.next)) {
		b.place(p.next[k], index, state, k, gates, task)
	}
}

// leafEnv is an environment in which bash was used for a mix of things.
func leafEnv(string) tree.Vec {
	v := make(tree.Vec, tree.EnvDims)
	v[tree.EnvIndex("tool", "bash")] = 127
	v[tree.EnvIndex("delta", "none")] = 60
	v[tree.EnvIndex("delta", "write")] = 40
	v[tree.EnvIndex("delta", "run")] = 40
	return v
}

// repair is the usual world: one family for fixing code, one for fetching data.
func repair() world {
	return world{
		families: map[string][]string{
			"fix":   {"view edit test", "search view edit test", "view edit run edit test", "proc view edit build!"},
			"fetch": {"net make", "net view make", "proc net make delete"},
		},
		tasks: map[string]string{
			"fix":   "fix the bug in the parser so that the failing unit tests pass",
			"fetch": "download the weather data set from the web site and store it in a folder",
		},
	}
}

const (
	fixTask   = "fix the bug in the parser so that the failing unit tests pass"
	fetchTask = "download the weather data set from the web site and store it in a folder"
)

// do proposes, checks and observes one call.
func do(t testing.TB, s *Session, key string) Move {
	t.Helper()
	c := calls[key]
	m := s.Propose(Proposal{Tool: c.Tool, Args: c.Args})
	a := s.Check(c)
	s.Observe(c, Result{Blocked: !a.Allowed(), Output: []byte("ok " + key)})
	return m
}
