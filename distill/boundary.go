package distill

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/tree"
	"github.com/gbt-policy/gbt/tree/text"
)

// ForeignLogs are logs of tasks that a policy should not claim to know.
type ForeignLogs struct {
	Name  string
	Input *logs.Input
}

// BoundaryRow is what policies make of one set of tasks that they were not
// distilled from. Shares are 0 to 1, of tasks, one run of each. Those ending in
// Offered are with the tools declared that the log names or else the run used.
type BoundaryRow struct {
	Name  string `json:"name"`
	Tasks int    `json:"tasks"` // each is asked about once in a fold that leaves it out

	Start        float64 `json:"abstained"` // before the first call, by the task's text
	StartOffered float64 `json:"abstained_offered"`
	Steps        float64 `json:"abstained_after_steps"` // after the first macros too
	StepsOffered float64 `json:"abstained_after_steps_offered"`
	// Not covered: abstained from, or a step that the policy does not offer; among
	// the first macros, and of the whole run.
	Early      float64 `json:"uncovered_early"`
	End        float64 `json:"uncovered"`
	EndOffered float64 `json:"uncovered_offered"`
}

// BoundaryEvaluation is the claim boundary on tasks left out, and on foreign ones.
type BoundaryEvaluation struct {
	Policies int           `json:"policies"` // distilled, one for each fold
	Lost     float64       `json:"lost"`     // share of known tasks it may cost, by the settings
	Known    BoundaryRow   `json:"known"`    // tasks left out
	Groups   []BoundaryRow `json:"groups"`   // tasks of a suite, repository or site left out as a whole
	Foreign  []BoundaryRow `json:"foreign"`
	Counts   Counts        `json:"read"`
	Problems []corpora.Problem
}

// EvaluateBoundary distils a policy without each fifth of the tasks and asks it
// about those, about foreign ones, and about texts that are no tasks; then without
// each whole group, as far as there are several.
func EvaluateBoundary(ctx context.Context, in *logs.Input, foreign []ForeignLogs, cfg *Config, workers int) (*BoundaryEvaluation, error) {
	all, counts, problems, err := ReadLeftOut(ctx, in, cfg, true)
	if err != nil {
		return nil, err
	}
	lost, _, err := cfg.abstain()
	if err != nil {
		return nil, err
	}
	ev := &BoundaryEvaluation{Counts: counts, Problems: problems, Lost: lost.Float()}
	enc := NewEncoder(text.Default())
	sets := []taskSet{nonsense("empty", empties()), nonsense("random letters", randomLetters()), nonsense("random words", randomWords(text.Default()))}
	unjudged := *cfg // how a foreign run ended does not matter
	unjudged.Labels.UnlabelledIsSuccess = true
	for _, f := range foreign {
		others, _, _, err := ReadLeftOut(ctx, f.Input, &unjudged, true)
		if err != nil {
			return nil, err
		}
		sets = append(sets, taskSet{f.Name, oneOfEach(others, false)})
	}
	rows, known := make([]boundarySums, len(sets)), boundarySums{}
	for fold, err := range CrossValidate(ctx, all, cfg, workers) {
		if err != nil {
			return nil, err
		}
		ev.Policies++
		v := tree.NewView(&fold.Policy.Tree)
		for _, t := range oneOfEach(fold.LeftOut, true) {
			known.add(v, fold.Policy, enc, t)
		}
		for i, s := range sets {
			for _, t := range s.traces {
				rows[i].add(v, fold.Policy, enc, t)
			}
		}
	}
	ev.Known = known.row("tasks left out", known.n)
	for i, s := range sets {
		ev.Foreign = append(ev.Foreign, rows[i].row(s.name, len(s.traces)))
	}
	ev.Groups, err = leaveOutGroups(ctx, all, cfg, enc, workers)
	return ev, err
}

// leaveOutGroups distils without each group in turn, the largest first if there
// are many.
func leaveOutGroups(ctx context.Context, all []LeftOut, cfg *Config, enc *Encoder, workers int) ([]BoundaryRow, error) {
	size := map[string]int{}
	for _, h := range all {
		size[h.Trace.Group]++
	}
	var names []string
	for name := range size {
		names = append(names, name)
	}
	slices.Sort(names)
	slices.SortStableFunc(names, func(a, b string) int { return size[b] - size[a] })
	if len(names) < 2 {
		return nil, nil
	}
	names = names[:min(len(names), maxGroups)]
	fold := make([]int, len(all))
	for i, h := range all {
		if fold[i] = slices.Index(names, h.Trace.Group); fold[i] < 0 {
			fold[i] = len(names)
		}
	}
	var out []BoundaryRow
	for f, err := range crossValidate(ctx, all, fold, len(names), cfg, workers) {
		if err != nil {
			return nil, err
		}
		v, sums := tree.NewView(&f.Policy.Tree), boundarySums{}
		if !slices.ContainsFunc(f.LeftOut, func(h LeftOut) bool { return h.Success }) {
			continue
		}
		for _, t := range oneOfEach(f.LeftOut, true) {
			sums.add(v, f.Policy, enc, t)
		}
		out = append(out, sums.row("without "+f.LeftOut[0].Trace.Group, sums.n))
	}
	return out, nil
}

// maxGroups bounds the groups that are left out in turn: each costs a distillation.
const maxGroups = 12

// taskSet is tasks that a policy should not know, a run of each.
type taskSet struct {
	name   string
	traces []*merge.Trace
}

// oneOfEach is one run of each task text, the one of the least digest.
func oneOfEach(all []LeftOut, success bool) []*merge.Trace {
	best := map[string]*merge.Trace{}
	for _, h := range all {
		if success && !h.Success {
			continue
		}
		if old := best[h.Trace.Task]; old == nil || bytes.Compare(h.Trace.Digest[:], old.Digest[:]) < 0 {
			best[h.Trace.Task] = h.Trace
		}
	}
	var out []*merge.Trace
	for _, t := range best {
		out = append(out, t)
	}
	slices.SortFunc(out, func(a, b *merge.Trace) int { return strings.Compare(a.Task, b.Task) })
	return out
}

// boundarySums counts tasks as the fields of BoundaryRow do.
type boundarySums struct{ n, start, startOffered, steps, stepsOffered, early, end, endOffered int }

func (s *boundarySums) add(v *tree.View, p *artifacts.Policy, enc *Encoder, t *merge.Trace) {
	plain, declared := *t, *t
	plain.Offered, declared.Offered = nil, t.Declared()
	a := merge.Cover(v, &p.Params, enc, &plain)
	s.n++
	if len(t.Macros) == 0 { // a text without a run declares no tools and has no steps
		for _, n := range []*int{&s.start, &s.startOffered, &s.steps, &s.stepsOffered, &s.early, &s.end, &s.endOffered} {
			tally(n, a.Abstain != "")
		}
		return
	}
	tally(&s.start, atStart(&a))
	tally(&s.steps, !a.Routed)
	tally(&s.early, !a.Routed || a.Early < min(tree.FirstSteps, a.Steps))
	tally(&s.end, !a.Full())
	b := merge.Cover(v, &p.Params, enc, &declared)
	tally(&s.startOffered, atStart(&b))
	tally(&s.stepsOffered, !b.Routed)
	tally(&s.endOffered, !b.Full())
}

// atStart reports that the router abstained before the first call.
func atStart(c *merge.Coverage) bool {
	return c.Late || !c.Routed && c.Abstain != tree.AbstainSteps
}

func (s *boundarySums) row(name string, tasks int) BoundaryRow {
	return BoundaryRow{
		Name: name, Tasks: tasks,
		Start: share(s.start, s.n), StartOffered: share(s.startOffered, s.n),
		Steps: share(s.steps, s.n), StepsOffered: share(s.stepsOffered, s.n),
		Early: share(s.early, s.n), End: share(s.end, s.n), EndOffered: share(s.endOffered, s.n),
	}
}

func nonsense(name string, texts []string) taskSet {
	out := taskSet{name: name}
	for _, t := range texts {
		out.traces = append(out.traces, &merge.Trace{Task: t, Success: true})
	}
	return out
}

func empties() []string { return []string{"", " ", "\n\n\t", "...", "?!", "- - -"} }

// randomTexts is the number of texts of each kind, of 2 to 12 words.
const randomTexts = 200

func randomLetters() []string {
	return randomTextsOf(func(r *rand.Rand) string {
		word := make([]byte, 2+r.IntN(7))
		for i := range word {
			word[i] = byte('a' + r.IntN(26))
		}
		return string(word)
	})
}

// randomWords draws from the whole words of the embedder's vocabulary.
func randomWords(t *text.Table) []string {
	var words []string
	for id := range uint16(1<<16 - 1) {
		w := t.Token(id)
		if len(w) > 2 && strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") == "" {
			words = append(words, w)
		}
	}
	return randomTextsOf(func(r *rand.Rand) string { return words[r.IntN(len(words))] })
}

func randomTextsOf(word func(*rand.Rand) string) []string {
	r := rand.New(rand.NewPCG(1, 2)) // the same texts in every run
	out := make([]string, randomTexts)
	for i := range out {
		words := make([]string, 2+r.IntN(11))
		for j := range words {
			words[j] = word(r)
		}
		out[i] = strings.Join(words, " ")
	}
	return out
}
