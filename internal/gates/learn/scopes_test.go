package learn

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
)

// Synthetic logs in which the same effect, a write below one directory, does harm
// at one place of the tree and is ordinary at another. No call says by itself
// which of the two it is: the same programs, directories and arguments occur at
// both.

// world says where a write below the directory does harm.
type world struct {
	name string
	harm func(rng *rand.Rand) []string // macros of a harmful task, the last one writes
	good func(rng *rand.Rand) []string // of an ordinary one; "!" behind a macro that writes
}

// commands are the ways to do a macro's work. Test and build share their programs.
var commands = map[string][]string{
	"view": {"cat notes.txt", "head -n 3 notes.txt"}, "edit": {"sed -i s/a/b/ notes.txt"}, "vcs": {"git pull", "git checkout v1"},
	"service": {"systemctl restart api", "docker compose up -d"},
	"test":    {"go test ./...", "cargo test", "npm test"}, "build": {"go build ./...", "cargo build", "npm run build"},
	"run": {"python3 job.py", "node job.js"},
}

func pick(rng *rand.Rand, list ...string) string { return list[rng.IntN(len(list))] }

func worlds() []world {
	begin := func(rng *rand.Rand) []string { return []string{pick(rng, "view", "vcs", "edit")} }
	return []world{
		{"node", func(rng *rand.Rand) []string {
			if rng.IntN(2) == 0 {
				return append(begin(rng), "build!", "test!")
			}
			return append(begin(rng), "test!")
		}, func(rng *rand.Rand) []string {
			return append(begin(rng), [][]string{{"build!", "test"}, {"build!"}, {"run!", "test"}, {"test", "edit"}}[rng.IntN(4)]...)
		}},
		{"subtree", func(rng *rand.Rand) []string {
			return append(begin(rng), "service", pick(rng, "test!", "build!", "run!"))
		}, func(rng *rand.Rand) []string {
			w := pick(rng, "test!", "build!", "run!")
			return append(begin(rng), [][]string{{w}, {w, "service"}, {"service", "test"}, {"service", "run"}, {w, "edit"}}[rng.IntN(5)]...)
		}},
		{"everywhere", func(rng *rand.Rand) []string {
			return append(begin(rng), pick(rng, "test!", "build!", "run!"))
		}, func(rng *rand.Rand) []string {
			return append(begin(rng), pick(rng, "test", "build", "run"), pick(rng, "service", "edit"))
		}},
	}
}

// The shares of harmful tasks, and of those among them whose harm has nothing to
// do with the place: nothing that generalises can be learned from these.
const (
	harmful  = 0.3
	unlucky  = 0.1
	dataTree = "/srv/data"
)

// task is one run of one synthetic task.
func (w *world) task(seed uint64, i int) *corpora.Episode {
	rng := rand.New(rand.NewPCG(seed, uint64(i)))
	e := &corpora.Episode{ID: fmt.Sprint(w.name, seed, "-", i), TaskID: fmt.Sprint(w.name, seed, "-", i), Task: "look after the project", Group: w.name, Outcome: corpora.OutcomeSuccess}
	bad := rng.Float64() < harmful
	luckless := bad && rng.Float64() < unlucky
	macros := w.good(rng)
	if bad && !luckless {
		macros = w.harm(rng)
	}
	for k, m := range macros {
		name, writes := m, false
		if name[len(name)-1] == '!' {
			name, writes = name[:len(name)-1], true
		}
		c := pick(rng, commands[name]...)
		if writes {
			c += fmt.Sprintf(" > %s/out%d-%d", dataTree, i, k)
		}
		e.Steps = append(e.Steps, corpora.Step{Tool: "bash", Args: fmt.Sprintf(`{"command":%q}`, c), Cwd: "/w", Status: corpora.StatusExecuted})
	}
	if bad {
		at := len(macros) - 1
		if luckless {
			at = rng.IntN(len(macros))
		}
		e.Safety, e.Outcome = corpora.SafetyUnsafe, corpora.OutcomeFailure
		e.Verdicts = []corpora.Verdict{{Step: at, Unsafe: true, Rule: "monitor"}}
	}
	return e
}

func (w *world) cases(seed uint64, n int) []*Case {
	var out []*Case
	for i := range n {
		out = append(out, extract(w.task(seed, i)))
	}
	return out
}

// figures are what gates do to tasks they were not learned from.
type figures struct{ harm, stopped, good, touched, gates, rejects int }

func (f *figures) add(o figures) {
	f.harm, f.stopped, f.good, f.touched = f.harm+o.harm, f.stopped+o.stopped, f.good+o.good, f.touched+o.touched
	f.gates, f.rejects = f.gates+o.gates, f.rejects+o.rejects
}

// tried applies gates as a policy does: local ones from their macros on.
func tried(t *testing.T, r *Learned, cases []*Case) figures {
	t.Helper()
	var list []gates.Gate
	at := map[string][]string{}
	out := figures{gates: len(r.Gates)}
	for i := range r.Gates {
		g := &r.Gates[i]
		list = append(list, gates.Gate{ID: g.ID, Scope: g.Scope, Disposition: g.Disposition, Expr: g.Expr, Program: g.Program})
		for _, m := range g.Macros {
			at[m] = union(at[m], []string{g.ID})
		}
		if g.Disposition == Reject {
			out.rejects++
		}
	}
	lib, err := gates.NewLibrary(list)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		stopped, hit := false, false
		for i := range c.Samples {
			s := &c.Samples[i]
			var node []string
			for _, m := range s.Above {
				node = union(node, at[m])
			}
			if len(lib.Eval(&s.Context, append([]string{}, node...), nil)) > 0 { // not nil: the place is known
				stopped = true
				hit = hit || slices.ContainsFunc(c.Marks, func(m Mark) bool { return m.Sample == i })
			}
		}
		switch {
		case c.Standing != StandingUnsafe:
			out.good++
			out.touched += oneIf(stopped)
		default:
			out.harm++
			out.stopped += oneIf(hit)
		}
	}
	return out
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// scopeRows are the ways to learn that are compared.
var scopeRows = []struct {
	name   string
	scopes []string
}{{"node", []string{ScopeNode}}, {"subtree", []string{ScopeSubtree}}, {"global", []string{ScopeGlobal}}, {"smallest", nil}}

var scopeSizes = []int{5, 10, 20, 50, 100, 200, 400}

// TestScopes learns each scope alone, and the smallest that covers its windows, on
// growing numbers of tasks, and judges them on tasks that nothing was learned
// from. With -v it prints the table.
func TestScopes(t *testing.T) {
	const seeds, judged = 3, 300
	most := scopeSizes[len(scopeSizes)-1]
	for _, w := range worlds() {
		test := w.cases(1000, judged)
		got := map[string][]figures{}
		for seed := range uint64(seeds) {
			train := w.cases(seed, most)
			for _, row := range scopeRows {
				if got[row.name] == nil {
					got[row.name] = make([]figures, len(scopeSizes))
				}
				for k, n := range scopeSizes {
					ps, _ := Blame(train[:n])
					r := Learn(FromCases(train[:n], ps), Options{Scopes: row.scopes})
					got[row.name][k].add(tried(t, r, test))
					if n == most && seed == 0 {
						for i := range r.Gates {
							g := &r.Gates[i]
							t.Logf("%s, %s, %d tasks: %s %v %s %s; %d of %d, bound %.3f", w.name, row.name, n, g.Scope, g.Macros, g.Disposition, g.Expr, g.Rejected, g.Benign, g.Bound)
						}
					}
				}
			}
		}
		for _, row := range scopeRows {
			line := fmt.Sprintf("harm at %-10s  %-8s", w.name, row.name)
			for k, n := range scopeSizes {
				f := got[row.name][k]
				line += fmt.Sprintf("  %d: %3.0f/%.1f", n, 100*float64(f.stopped)/float64(f.harm), 100*float64(f.touched)/float64(f.good))
			}
			t.Log(line)
		}
	}
}
