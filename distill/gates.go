package distill

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/internal/gates/learn"
	"github.com/gbt-policy/gbt/internal/gates/learn/model"
	"github.com/gbt-policy/gbt/segment"
	"github.com/gbt-policy/gbt/tree"
)

// Bounds of what is recorded: benign contexts of one stratum. What has the least
// hash stays, so that neither order nor workers matter.
const (
	maxStratum   = 200
	maxLibrary   = 256 // unsafe contexts that no gate stops, named in a result
	unsafeCorpus = "unsafe"
	benignCorpus = "benign"
)

// Gates is what distillation learned about calls.
type Gates struct {
	Contexts  *contexts.Corpus
	Accepted  []learn.Gate
	Review    []learn.Gate   // proposals that are not enforced
	Unsafe    int            // unsafe episodes
	Unplaced  int            // of them, those whose verdict no call could be blamed for
	Positives map[string]int // calls that verdicts are about, by what says so
	Recorded  int            // unsafe contexts on record
	Benign    int            // benign contexts on record
	Uncovered int            // unsafe contexts that no gate stops
	Declined  int            // contexts that users declined
	Model     *model.Report  // what came of asking a model; nil if none was asked
	// Local are the recorded unsafe contexts that only node gates stop: enforced
	// at their nodes, and everywhere with strict (decision 1).
	Local int
}

// newCase makes the evidence of an episode that was admitted. Calls that break
// the user's own rules in an episode which the log calls safe are evidence of
// nothing; neither is an episode whose replay diverged: what the log says it did
// is not what its calls do, and whoever would have judged it could not.
func newCase(e *corpora.Episode, it *item, k *gates.Checker) *learn.Case {
	again, t := it.again, it.trace
	if again == nil {
		again = &replayed{}
	}
	if again.diverged() {
		return nil
	}
	if e == nil || t == nil || learn.StandingOf(e) == learn.StandingNone && !again.judged {
		return nil
	}
	c := learn.Extract(e, it.path, hex.EncodeToString(t.Digest[:]), learn.TaskDigest(e), k, again.found...)
	if c.Standing == learn.StandingBenign {
		c.Samples = slices.DeleteFunc(c.Samples, func(s learn.Sample) bool { return again.against[s.Step] })
	}
	return c
}

// attempts are the calls of an episode that ran or that the user declined; nil of
// one in which the user declined none, unless all are wanted.
func attempts(e *corpora.Episode, p segment.Profile, k *gates.Checker, all bool) *learn.Case {
	if e == nil || !all && !slices.ContainsFunc(e.Steps, func(s corpora.Step) bool { return s.Declined() }) {
		return nil
	}
	sum := sha256.Sum256([]byte(e.Format + "\x00" + e.ID + "\x00" + e.Task))
	return learn.Attempts(e, hex.EncodeToString(sum[:]), learn.TaskDigest(e), p, k)
}

// refused is what of them the user declined, as evidence for questions; nil for
// nothing.
func refused(e *corpora.Episode, p segment.Profile, k *gates.Checker) *learn.Case {
	c := attempts(e, p, k, false)
	if c == nil {
		return nil
	}
	c.Samples = slices.Clip(slices.DeleteFunc(c.Samples, func(s learn.Sample) bool { return !s.Declined }))
	if len(c.Samples) == 0 {
		return nil // of low risk
	}
	return c
}

// learnGates turns the evidence into gates; nil if none are to be learned and
// there is no older policy.
func (r *run) learnGates(ctx context.Context) *Gates {
	if r.cfg.Learning.Off {
		if old := r.parentContexts(); old != nil {
			return &Gates{Contexts: old}
		}
		return nil
	}
	opt := r.cfg.learnOptions()
	opt.Rejected = r.opt.Rejected
	var report *model.Report
	if p := r.opt.Proposer; p != nil {
		opt.More = func(open []learn.Example, ex *learn.Examples) (out []learn.Proposal) {
			r.progress.Stage("asking a model for gates")
			out, report = p.Propose(ctx, open, ex)
			return out
		}
	}
	out := learnOnto(r.parentContexts(), r.evidence.all(), r.refused.all(), opt)
	out.Model = report
	return out
}

// LearnGates makes gates, and the corpora behind them, of cases. declined are those
// with calls that users declined.
func LearnGates(cases, declined []*learn.Case, opt learn.Options) *Gates {
	return learnOnto(nil, cases, declined, opt)
}

// learnOnto makes gates of cases alone, and adds their contexts to a corpus,
// which keeps all it has. Gates are not learned from the old rows again: those
// that came of them are kept anyway, and rows no longer say which arguments were
// to blame.
func learnOnto(old *contexts.Corpus, cases, declined []*learn.Case, opt learn.Options) *Gates {
	positives, unplaced := learn.Blame(cases)
	ex := learn.FromCases(cases, positives)
	corpus := recorded(cases, positives, ex)
	ex.Keep(func(id string) bool { return corpus.Has(contexts.Benign, id) })
	ex.AddDeclined(declined)
	res := learn.Learn(ex, opt)
	out := &Gates{
		Contexts: old.Grow(corpus, maxStratum), Accepted: res.Gates, Review: res.Review, Unplaced: unplaced, Uncovered: len(res.Uncovered),
		Recorded: corpus.Len(contexts.Unsafe), Benign: corpus.Len(contexts.Benign), Local: res.Local,
		Positives: map[string]int{}, Declined: len(ex.Declined),
	}
	for _, c := range cases {
		tally(&out.Unsafe, c.Standing == learn.StandingUnsafe)
	}
	for i := range positives {
		out.Positives[positives[i].Basis]++
	}
	return out
}

// recorded makes the corpora: every context that a verdict is about, and a
// balanced choice of the benign ones.
func recorded(cases []*learn.Case, positives []learn.Positive, ex *learn.Examples) *contexts.Corpus {
	all := &contexts.Corpus{}
	for i := range positives {
		all.Add(cases[positives[i].Case].UnsafeRow(&positives[i]))
	}
	benign := map[string]bool{}
	for i := range ex.Benign {
		benign[ex.Benign[i].ID] = true
	}
	for _, c := range cases {
		for i := range c.Samples {
			if s := &c.Samples[i]; c.Standing == learn.StandingBenign && benign[s.ID] {
				all.Add(c.Row(s))
			}
		}
	}
	return all.Sample(maxStratum)
}

// homeless takes the local gates back whose macros have no node in the tree: no
// session would ever be asked to obey them.
func (g *Gates) homeless(t *tree.Tree) {
	known := map[string]bool{}
	for i := range t.Nodes {
		if s := t.Nodes[i].State; s >= 0 {
			known[t.States[s].Action()] = true
		}
	}
	g.Accepted = slices.DeleteFunc(g.Accepted, func(a learn.Gate) bool {
		lost := a.Scope != learn.ScopeGlobal && !slices.ContainsFunc(a.Macros, func(m string) bool { return known[m] })
		if lost {
			a.ID, a.Disposition, a.Why = "", "", "the tree has no node for its macro: no success went there, or too few tasks"
			g.Review = append(g.Review, a)
			g.Local, g.Uncovered = max(0, g.Local-a.Unsafe), g.Uncovered+a.Unsafe
		}
		return lost
	})
}

// seal puts the gates and the roots of the corpora into a policy. Local gates go
// to every node of their macro and to all below it, which inherit (decision 9).
func (g *Gates) seal(p *artifacts.Policy) {
	g.homeless(&p.Tree)
	local := map[string][]string{}
	p.Gates = slices.DeleteFunc(p.Gates, g.exempts)
	for i := range g.Accepted {
		a := &g.Accepted[i]
		unsafe := a.Unsafe
		if a.By == learn.ByDeclined {
			unsafe = 0 // what users declined is no harm, and not in the corpus
		}
		p.Gates = append(p.Gates, artifacts.Gate{
			ID: a.ID, Scope: a.Scope, Disposition: a.Disposition, Expr: a.Expr, Message: a.Message, Program: a.Program,
			Evidence: artifacts.Evidence{Unsafe: uint32(unsafe), Benign: uint32(a.Left.Good.Of), Rejected: uint32(a.Left.Good.N)},
		})
		for _, m := range a.Macros {
			local[m] = append(local[m], a.ID)
		}
	}
	orderGates(p)
	attach(p, local)
	for _, c := range []struct {
		name  string
		label contexts.Label
	}{{benignCorpus, contexts.Benign}, {unsafeCorpus, contexts.Unsafe}} {
		leaves := g.Contexts.Leaves(c.label)
		p.Corpora = append(p.Corpora, artifacts.CorpusRoot{Name: c.name, Rows: uint64(len(leaves)), Root: artifacts.MerkleRoot(leaves)})
	}
}

// exempts says whether a gate of the library, on by name, is there with exemptions
// too: beside the plain one these would be without effect.
func (g *Gates) exempts(plain artifacts.Gate) bool {
	label := LibraryOf(&plain)
	return label != "" && slices.ContainsFunc(g.Accepted, func(a learn.Gate) bool { return a.Library == label && a.Exempt > 0 })
}

// attach gives every node the gates of its macro and of its parent.
func attach(p *artifacts.Policy, local map[string][]string) {
	if len(local) == 0 {
		return
	}
	for i := range p.Tree.Nodes {
		n := &p.Tree.Nodes[i]
		ids := map[string]bool{}
		for _, id := range n.Gates {
			ids[id] = true
		}
		if n.State >= 0 {
			for _, id := range local[p.Tree.States[n.State].Action()] {
				ids[id] = true
			}
		}
		if n.Parent >= 0 {
			for _, id := range p.Tree.Nodes[n.Parent].Gates {
				ids[id] = true
			}
		}
		if len(ids) > 0 {
			n.Gates = slices.Sorted(maps.Keys(ids))
		}
	}
}

// CheckCorpora says whether a corpus is the one that a policy pins.
func CheckCorpora(p *artifacts.Policy, c *contexts.Corpus) bool {
	for _, root := range p.Corpora {
		label := contexts.Unsafe
		if root.Name == benignCorpus {
			label = contexts.Benign
		}
		if leaves := c.Leaves(label); uint64(len(leaves)) != root.Rows || artifacts.MerkleRoot(leaves) != root.Root {
			return false
		}
	}
	return len(p.Corpora) > 0
}
