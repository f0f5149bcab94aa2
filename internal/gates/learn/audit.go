package learn

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/internal/gates/lang"
)

// Side is a policy as an audit sees it.
type Side struct {
	Gates []gates.Gate
	// At holds the ids of the node gates that every node of a macro asks, by the
	// macro's key, each list sorted.
	At map[string][]string
}

// AuditOptions say how much an audit does beyond the recorded contexts.
type AuditOptions struct {
	Mutations int    // distinct contexts made from the recorded ones by typed mutation
	Seed      uint64 // of them
	Workers   int    // 1 if not positive

	// Ended is asked before every recorded context and every few made ones: its error
	// ends the audit. Nil for never.
	Ended func() error

	// Whole judges a recorded context by all that the two policies have, the
	// guardrail included, at its macro; nil to look at gates alone. What a policy
	// stops in this way must stay stopped too.
	Whole func(c *gates.Context, macro string) (before, after gates.Decision)
}

// Readmitted is a context that the old policy stops and the new one does not,
// or not as strictly.
type Readmitted struct {
	ID      string // of a recorded context; empty for a mutated one
	Context []byte
	Level   string // one of levels, "at macro" with its key, or LevelWhole
	Old     gates.Disposition
	New     gates.Disposition
	Gate    string // id of the old gate, the first that stops it, or the rule of its guardrail
}

// Audit is the outcome of requirement G5: Readmitted of Recorded.
type Audit struct {
	Real       int // recorded contexts that the old policy stops
	Mutated    int // mutated ones that it stops, each another one, and none of them recorded
	Asked      int // mutated ones that were asked for
	Tried      int // bases drawn for them, each mutated until it is stopped
	Readmitted int
	Examples   []Readmitted // the first few
	Gates      int          // of the old policy
	Proved     int          // of them, those that a new gate provably subsumes, for all contexts
	Unproved   []string     // ids of the others
	// Unshown are those of Unproved that stop no recorded context: neither a proof
	// nor the record says that what they stop is still stopped.
	Unshown []string
}

// Recorded is the number of contexts that must stay stopped.
func (a *Audit) Recorded() int { return a.Real + a.Mutated }

const maxExamples = 10

// RunAudit checks that nothing the old policy stops is admitted by the new one,
// on the recorded contexts and on mutations of them. A call is judged by the
// global gates, by these and those of subtrees, as where nobody knows its place,
// by these and those of its macro, and by the whole library (the set of 003 §B.3);
// none may get looser (decision 1), nor may what a gate stops at any macro that
// asks it: a record names its macro and not what came before. The same
// arguments give the same audit with any number of workers.
func RunAudit(old, new Side, rows []*contexts.Row, opt AuditOptions) (*Audit, error) {
	j, err := newJudge(old, new)
	if err != nil {
		return nil, err
	}
	out := &Audit{Gates: len(old.Gates), Asked: opt.Mutations}
	prove(out, old, new)
	m := newMutator(old, new)
	seen, shown := map[uint64]struct{}{}, map[string]bool{}
	for _, r := range rows {
		if err := opt.ended(); err != nil {
			return nil, err
		}
		c, err := gates.ParseContext(r.Context)
		if err != nil {
			return nil, fmt.Errorf("recorded context %.12s: %w", r.ID, err)
		}
		m.learn(&c)
		seen[digestOf(r.Context)] = struct{}{}
		stopped, bad := j.judge(&c, r.Macro)
		if stopped {
			j.old.note(shown, &c)
			m.bases = append(m.bases, base{c, r.Macro})
		}
		if opt.Whole != nil && bad == nil {
			var too bool
			too, bad = withGuardrail(&c, r.Macro, opt.Whole)
			stopped = stopped || too
		}
		out.count(&out.Real, stopped, bad, r.ID)
	}
	out.Unshown = slices.DeleteFunc(slices.Clone(out.Unproved), func(id string) bool { return shown[id] })
	m.finish()
	if opt.Mutations > 0 && len(m.bases) > 0 {
		if err := mutate(out, j, m, seen, opt); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (o *AuditOptions) ended() error {
	if o.Ended == nil {
		return nil
	}
	return o.Ended()
}

// withGuardrail compares what the policies do to a call altogether.
func withGuardrail(c *gates.Context, macro string, whole func(*gates.Context, string) (before, after gates.Decision)) (stopped bool, bad *Readmitted) {
	before, after := whole(c, macro)
	if before.Disposition == gates.Approved {
		return false, nil
	}
	if after.Disposition > before.Disposition {
		bad = &Readmitted{Context: c.AppendCanonical(nil), Level: LevelWhole, Old: before.Disposition, New: after.Disposition}
		if len(before.Reasons) > 0 {
			bad.Gate = before.Reasons[0].Rule
		}
	}
	return true, bad
}

func (a *Audit) count(n *int, stopped bool, bad *Readmitted, id string) {
	if !stopped {
		return
	}
	*n++
	if bad == nil {
		return
	}
	a.Readmitted++
	if len(a.Examples) < maxExamples {
		bad.ID = id
		a.Examples = append(a.Examples, *bad)
	}
}

// chunk is how many mutations share a source of chance, and batch how many
// chunks are made before the next ones are: results depend on neither, nor on
// the number of workers.
const (
	chunk = 4096
	batch = 32
)

// maxTurns bounds the mutations that are made for each that is asked for: where
// the gates stop few contexts only, there may be no more.
const maxTurns = 8

// mutant is a mutated context that the old policy stops.
type mutant struct {
	digest uint64
	bad    *Readmitted
}

// digestOf tells contexts apart by eight bytes, so that a million of them have
// room: two of a million differing ones collide with a chance of 1 in 37 million,
// and would be counted once.
func digestOf(canonical []byte) uint64 {
	sum := sha256.Sum256(canonical)
	return binary.BigEndian.Uint64(sum[:])
}

// mutate audits distinct mutations, chunk by chunk on all workers, and takes
// them in the order of the chunks.
func mutate(out *Audit, j *judge, m *mutator, seen map[uint64]struct{}, opt AuditOptions) error {
	most := maxTurns * ((opt.Mutations + chunk - 1) / chunk)
	for first := 0; first < most && out.Mutated < opt.Mutations; first += batch {
		n := min(batch, most-first, (opt.Mutations-out.Mutated)/chunk+1)
		parts := chunks(j, m, first, n, opt)
		if err := opt.ended(); err != nil {
			return err // some of them were not made
		}
		for _, part := range parts {
			out.Tried += chunk
			for i := range part {
				x := &part[i]
				if _, twice := seen[x.digest]; twice || out.Mutated == opt.Mutations {
					continue
				}
				seen[x.digest] = struct{}{}
				out.count(&out.Mutated, true, x.bad, "")
			}
		}
		first += n - batch
	}
	return nil
}

// chunks makes n chunks of mutations, from the first on.
func chunks(j *judge, m *mutator, first, n int, opt AuditOptions) [][]mutant {
	parts := make([][]mutant, n)
	next := make(chan int)
	var wg sync.WaitGroup
	for range max(1, opt.Workers) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var buf []byte
			for i := range next {
				if opt.ended() != nil {
					continue
				}
				rng := rand.New(rand.NewPCG(opt.Seed, uint64(first+i)))
				parts[i] = make([]mutant, 0, chunk)
				for range chunk {
					if c, bad := one(j, m, rng); c != nil {
						buf = c.AppendCanonical(buf[:0])
						parts[i] = append(parts[i], mutant{digestOf(buf), bad})
					}
				}
			}
		}()
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
	return parts
}

// maxTries bounds the mutations of one base until one is stopped by the old
// policy: only those count.
const maxTries = 16

func one(j *judge, m *mutator, rng *rand.Rand) (*gates.Context, *Readmitted) {
	b := &m.bases[rng.IntN(len(m.bases))]
	for range maxTries {
		c := m.mutate(&b.ctx, rng)
		if stopped, bad := j.judge(&c, b.macro); stopped {
			return &c, bad
		}
	}
	return nil, nil
}

// judge compares two policies on one context.
type judge struct {
	old, new loaded
}

type loaded struct {
	lib   *gates.Library
	at    map[string][]string
	homes map[string][]string // the macros that ask a node gate, by its id, sorted
}

func load(s Side) (loaded, error) {
	lib, err := gates.NewLibrary(s.Gates)
	out := loaded{lib: lib, at: s.At, homes: map[string][]string{}}
	for _, macro := range slices.Sorted(maps.Keys(s.At)) {
		for _, id := range s.At[macro] {
			out.homes[id] = append(out.homes[id], macro)
		}
	}
	return out, err
}

// asked are the gates of a macro. A place that is known is no nil list.
func (l *loaded) asked(macro string) []string {
	if ids := l.at[macro]; ids != nil {
		return ids
	}
	return []string{}
}

func newJudge(old, new Side) (*judge, error) {
	a, err := load(old)
	if err != nil {
		return nil, fmt.Errorf("old gates: %w", err)
	}
	b, err := load(new)
	if err != nil {
		return nil, fmt.Errorf("new gates: %w", err)
	}
	return &judge{a, b}, nil
}

// LevelWhole is the level of what AuditOptions.Whole says.
const LevelWhole = "with its guardrail"

// note adds the gates that stop a context, those of every node included.
func (l *loaded) note(ids map[string]bool, c *gates.Context) {
	for _, g := range l.lib.EvalAll(c, nil) {
		id, _, _ := l.lib.Verdict(g)
		ids[id] = true
	}
}

// levels are the ways to judge a call.
var levels = [...]string{"everywhere", "where nobody knows its place", "at its macro", "library-wide"}

// verdicts are the dispositions of the levels, and the first gate that stops the
// call.
func (l *loaded) verdicts(c *gates.Context, macro string) (d [len(levels)]gates.Disposition, first string) {
	var buf [len(levels)][16]int
	stops := [...][]int{l.lib.Eval(c, []string{}, buf[0][:0]), l.lib.Eval(c, nil, buf[1][:0]), l.lib.Eval(c, l.asked(macro), buf[2][:0]), l.lib.EvalAll(c, buf[3][:0])}
	for i := range d {
		d[i] = gates.Approved
		for _, g := range stops[i] {
			id, disp, _ := l.lib.Verdict(g)
			d[i] = min(d[i], disp)
			if first == "" {
				first = id
			}
		}
	}
	return d, first
}

func (j *judge) judge(c *gates.Context, macro string) (stopped bool, bad *Readmitted) {
	before, gate := j.old.verdicts(c, macro)
	if gate == "" {
		return false, nil
	}
	after, _ := j.new.verdicts(c, macro)
	for i := range levels {
		if after[i] > before[i] {
			return true, &Readmitted{Context: c.AppendCanonical(nil), Level: levels[i], Old: before[i], New: after[i], Gate: gate}
		}
	}
	return true, j.elsewhere(c)
}

// elsewhere compares the policies at the macros that ask the old node gates which
// stop a context.
func (j *judge) elsewhere(c *gates.Context) *Readmitted {
	if len(j.old.homes) == 0 {
		return nil
	}
	var buf [16]int
	for _, g := range j.old.lib.EvalAll(c, buf[:0]) {
		id, disp, _ := j.old.lib.Verdict(g)
		for _, macro := range j.old.homes[id] {
			after := gates.Approved
			for _, n := range j.new.lib.Eval(c, j.new.asked(macro), nil) {
				_, d, _ := j.new.lib.Verdict(n)
				after = min(after, d)
			}
			if after > disp {
				return &Readmitted{Context: c.AppendCanonical(nil), Level: "at macro " + macro, Old: disp, New: after, Gate: id}
			}
		}
	}
	return nil
}

// prove looks for a new gate that subsumes each old one: it stops all that the
// old one stops, is as strict, and is asked wherever that is.
func prove(out *Audit, old, new Side) {
	for i := range old.Gates {
		o := &old.Gates[i]
		if slices.ContainsFunc(new.Gates, func(n gates.Gate) bool { return subsumes(old, new, &n, o) }) {
			out.Proved++
		} else {
			out.Unproved = append(out.Unproved, o.ID)
		}
	}
}

func subsumes(old, new Side, n, o *gates.Gate) bool {
	return strictness(n) <= strictness(o) && asked(old, new, n, o) && (n.Expr == o.Expr || lang.Subsumes(n.Expr, o.Expr))
}

func strictness(g *gates.Gate) gates.Disposition {
	for d := gates.Rejected; d < gates.Approved; d++ {
		if d.String() == g.Disposition {
			return d
		}
	}
	return gates.Rejected
}

// asked says whether n is asked wherever o was.
func asked(old, new Side, n, o *gates.Gate) bool {
	if n.Scope == ScopeGlobal {
		return true
	}
	if o.Scope == ScopeGlobal || o.Scope == ScopeSubtree && n.Scope == ScopeNode {
		return false
	}
	for macro, ids := range old.At {
		if slices.Contains(ids, o.ID) && !slices.Contains(new.At[macro], n.ID) {
			return false
		}
	}
	return true
}
