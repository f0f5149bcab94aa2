// Package learntest makes synthetic logs to try the learner of gates on: the same
// effect, a write below one directory, does harm at one place of the tree and is
// ordinary at another. No call says by itself which of the two it is: the same
// programs, directories and arguments occur at both.
//
// What belongs here: episodes out of a seed. What never does: anything that is
// taken from real logs, and anything that a program other than a test needs.
package learntest

import (
	"fmt"
	"math/rand/v2"

	"github.com/gbt-policy/gbt/corpora"
)

// World says where a write below the directory does harm.
type World struct {
	Name string
	Odd  float64                       // share of the benign tasks that do what harmful ones do
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

// Worlds are those in which harm is done at one node, in one subtree, and everywhere.
func Worlds() []World {
	begin := func(rng *rand.Rand) []string { return []string{pick(rng, "view", "vcs", "edit")} }
	return []World{
		{Name: "node", harm: func(rng *rand.Rand) []string {
			if rng.IntN(2) == 0 {
				return append(begin(rng), "build!", "test!")
			}
			return append(begin(rng), "test!")
		}, good: func(rng *rand.Rand) []string {
			return append(begin(rng), [][]string{{"build!", "test"}, {"build!"}, {"run!", "test"}, {"test", "edit"}}[rng.IntN(4)]...)
		}},
		{Name: "subtree", harm: func(rng *rand.Rand) []string {
			return append(begin(rng), "service", pick(rng, "test!", "build!", "run!"))
		}, good: func(rng *rand.Rand) []string {
			w := pick(rng, "test!", "build!", "run!")
			return append(begin(rng), [][]string{{w}, {w, "service"}, {"service", "test"}, {"service", "run"}, {w, "edit"}}[rng.IntN(5)]...)
		}},
		{Name: "everywhere", harm: func(rng *rand.Rand) []string {
			return append(begin(rng), pick(rng, "test!", "build!", "run!"))
		}, good: func(rng *rand.Rand) []string {
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

// Task is the one run of synthetic task i: the same seed and i, the same run.
func (w *World) Task(seed uint64, i int) *corpora.Episode {
	rng := rand.New(rand.NewPCG(seed, uint64(i)))
	e := &corpora.Episode{ID: fmt.Sprint(w.Name, seed, "-", i), TaskID: fmt.Sprint(w.Name, seed, "-", i), Task: "look after the project", Group: w.Name, Outcome: corpora.OutcomeSuccess}
	bad := rng.Float64() < harmful
	luckless := bad && rng.Float64() < unlucky
	macros := w.good(rng)
	if bad && !luckless || w.Odd > 0 && !bad && rng.Float64() < w.Odd {
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

// Honest is a task without harm, whose calls differ in what they do and where: some
// pattern fits a few of them only, whichever they are.
func Honest(seed uint64, i int) *corpora.Episode {
	rng := rand.New(rand.NewPCG(seed, uint64(i)))
	e := &corpora.Episode{ID: fmt.Sprint("honest", seed, "-", i), TaskID: fmt.Sprint("honest", seed, "-", i), Task: "tidy up", Group: "honest", Outcome: corpora.OutcomeSuccess}
	for range 4 {
		dir := "/srv/" + pick(rng, "data", "logs", "cache", "web", "mail", "backup", "media", "queue")
		c := fmt.Sprintf(pick(rng, "touch %s/a", "mkdir %s/b", "rm %s/a", "rm -r %s/b", "chmod 600 %s/a", "truncate -s 0 %s/a", "cp notes.txt %s/c", "python3 job.py > %s/d", "go test ./... > %s/e"), dir)
		e.Steps = append(e.Steps, corpora.Step{Tool: "bash", Args: fmt.Sprintf(`{"command":%q}`, c), Cwd: "/w", Status: corpora.StatusExecuted})
	}
	return e
}
