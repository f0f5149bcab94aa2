package learn

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/segment"
)

// The scopes and dispositions of a gate, as the artifact has them.
const (
	ScopeGlobal  = "global"
	ScopeNode    = "node"
	ScopeSubtree = "subtree"
	Reject       = "rejected"
	AskFirst     = "approved_with_constraints"
	maxProposals = 64
)

// Options are the limits of acceptance. Zero values mean the defaults.
type Options struct {
	EpsGlobal float64 // most of the benign corpus a global gate may reject; 0.01 (requirement G6)
	EpsNode   float64 // the same at a node; 0.02
	// Ask is the most of the calls of benign runs that all gates together may ask
	// about, on tasks left out; 0.02.
	Ask float64
	// Library names the gates of the library that are on, whatever the examples
	// show. Nil: each is on where they show harm that it stops; empty: none is.
	Library []string
	// Proposals of others, judged like the learner's own.
	Extra []Proposal
	// More is asked for proposals where the learner's own gates leave positives
	// open, and judged the same way: a model, for example. Nil for nobody.
	More func(open []Example, ex *Examples) []Proposal
	// Rejected says of a scope and a canonical expression that a person does not want
	// such a gate: it is dropped. Nil for none.
	Rejected func(scope, expr string) bool
	// Scopes are those that patterns are searched in; nil for all. To compare them.
	Scopes []string
	// Texts compiles gates; nil for one of its own. Learning over parts of the same
	// examples is quicker with one for all.
	Texts *lang.Texts
}

func (o Options) takes(scope string) bool {
	return o.Scopes == nil || slices.Contains(o.Scopes, scope)
}

func (o Options) eps(scope string) float64 {
	if scope == ScopeGlobal {
		return cmp.Or(o.EpsGlobal, 0.01)
	}
	return cmp.Or(o.EpsNode, 0.02)
}

func (o Options) ask() float64 { return cmp.Or(o.Ask, 0.02) }

// named says whether a gate of the library is on whatever the examples show.
func (o Options) named(label string) bool {
	name, _, _ := strings.Cut(label, "@")
	return label != "" && slices.Contains(o.Library, name)
}

// Proposal is a gate that somebody suggests.
type Proposal struct {
	Scope   string
	Macro   string // of a gate of a node or a subtree: the key of the macro it is asked from
	Expr    string
	Message string
	Library string   // label of the library's gate that it is, with exemptions; empty for a learned one
	Exempt  int      // learned exemptions inside it
	By      string   // who proposes: "library", "flow", "pattern", "node", "declined", or a model's name
	Bits    int      // description length
	Tried   int      // patterns that were compared to find this one; 0 for a gate of a fixed form
	Must    []string // ids of the positives that it was proposed for: it must stop each (requirement G4); nil for no such claim
	how     string   // what it is found again by, of a gate that is learned in one way; see again
	fixed   bool     // made by others: learning without a task does not change it
}

// Share is a number out of a number.
type Share struct{ N, Of int }

// Gate is a proposal that has been judged.
type Gate struct {
	Proposal
	ID          string // as artifacts names it; empty if it does not compile
	Disposition string // empty: a proposal for review only
	Program     []byte
	Why         string // why not more, in a sentence; empty for a gate that rejects

	// Macros are where a local gate is asked, and below, sorted: at its own macro, and
	// one of a node at those of the windows of what it stops (requirement W2).
	Macros []string

	Unsafe   int      // recorded unsafe contexts it stops
	Stops    []string // their ids, sorted
	Benign   int      // benign contexts of the same tool families it was tried on; of a local gate, tasks
	Rejected int      // of them
	Bound    float64  // exact upper bound, at 95%, of the share of benign tasks that it touches, each left out in turn
	Runs     int      // calls of benign episodes behind those contexts
	Touched  int      // of them
	Tasks    int      // tasks behind the positives it stops
	good     int      // benign tasks of which it stops a call
	chance   float64  // probability of that by chance
	// The benign tasks past the homes of a local gate, and those it touches.
	past, hit map[string]bool
	families  map[call.Family]bool

	Left    Left // on tasks left out in turn
	touched set  // benign examples that it stops there

	Names []string // what it names out of the logs, sorted
}

// Learned is what learning came to.
type Learned struct {
	Gates     []Gate // accepted ones, sorted by id
	Review    []Gate // proposals that are not enforced
	Uncovered []Example
	Local     int // unsafe contexts that node gates alone stop
}

// Learn proposes gates over the examples and judges them.
func Learn(ex *Examples, opt Options) *Learned {
	l := newLearner(ex, opt)
	l.flows()
	l.patterns()
	l.others(opt.Extra)
	if open := l.open(); opt.More != nil && len(open) > 0 {
		l.others(opt.More(open, ex))
	}
	l.declined()
	for i := range ex.Unsafe {
		switch id := ex.Unsafe[i].ID; {
		case l.stopped[id] > 0:
		case l.local[id]:
			l.res.Local++
		default:
			l.res.Uncovered = append(l.res.Uncovered, ex.Unsafe[i])
		}
	}
	slices.SortFunc(l.res.Gates, func(a, b Gate) int { return cmp.Compare(a.ID, b.ID) })
	l.res.Gates = joined(l.res.Gates)
	l.res.Review = distinct(l.res.Review)
	return l.res
}

func (l *learner) others(list []Proposal) {
	for _, p := range list {
		p.fixed = true
		l.judge(p)
	}
}

func (l *learner) flows() {
	for _, p := range slices.Concat(l.flowProposals(), l.written()) {
		l.judge(p)
	}
}

// distinct drops proposals that say what one before them says at the same place.
func distinct(list []Gate) []Gate {
	type saying struct{ scope, macro, expr string }
	seen := map[saying]bool{}
	return slices.DeleteFunc(list, func(g Gate) bool {
		s := saying{g.Scope, g.Macro, g.Expr}
		twice := seen[s]
		seen[s] = true
		return twice
	})
}

// open are the positives that no gate stops.
func (l *learner) open() []Example {
	var out []Example
	for i := range l.ex.Unsafe {
		if e := &l.ex.Unsafe[i]; l.isOpen(e) {
			out = append(out, *e)
		}
	}
	return out
}

// missed counts the positives that a gate was proposed for and lets pass.
func (g *Gate) missed() int {
	n := 0
	for _, id := range g.Must {
		if !slices.Contains(g.Stops, id) {
			n++
		}
	}
	return n
}

type learner struct {
	ex    *Examples
	all   *Examples // the same, or those that these are a part of: what is shared, is shared by all
	names names     // that a gate may have
	opt   Options
	res   *Learned
	// How strictly the accepted global gates stop a positive, by id: 1 asked, 2
	// rejected.
	stopped map[string]int
	local   map[string]bool // stopped by a node gate
	asked   set             // benign examples that accepted gates ask about, on tasks left out
	onlyAsk bool            // the positives are no harm: what users declined

	folds map[string]int            // tasks into parts
	parts []part                    // what learning comes to without each; nil until somebody asks
	made  map[string]*gates.Library // what a part's learner proposed, by Proposal.again
}

func newLearner(ex *Examples, opt Options) *learner {
	if opt.Texts == nil {
		opt.Texts = new(lang.Texts)
	}
	return &learner{ex: ex, all: ex, names: namesOf(ex), folds: foldsOf(ex), opt: opt, res: &Learned{}, stopped: map[string]int{}, local: map[string]bool{}}
}

// judge accepts a gate (requirements G4, G6), or keeps it for review.
func (l *learner) judge(p Proposal) {
	g := Gate{Proposal: p}
	canonical, program, err := l.opt.Texts.Compile(p.Expr)
	if err != nil {
		g.Why = "does not compile: " + err.Error()
		l.res.Review = append(l.res.Review, g)
		return
	}
	if c, err := l.strange(canonical); err != nil || c != "" {
		g.Why = fmt.Sprintf("names what fewer than %d tasks share: such text is not sealed", segment.MinShared)
		l.res.Review = append(l.res.Review, g)
		return
	}
	g.Expr, g.Program, g.Names = canonical, program, l.namesIn(canonical)
	lib, err := gates.NewLibrary([]gates.Gate{{ID: "x", Scope: ScopeGlobal, Disposition: Reject, Expr: canonical, Program: program}})
	if err != nil {
		g.Why = "does not load: " + err.Error()
		l.res.Review = append(l.res.Review, g)
		return
	}
	again := p.again(canonical)
	if l.made != nil {
		l.made[again] = lib
	}
	if l.opt.Rejected != nil && l.opt.Rejected(g.Scope, g.Expr) {
		return
	}
	l.measure(&g, lib)
	l.decide(&g, again, lib)
	if g.Disposition != "" {
		l.narrowed(&g, again, lib)
	}
	if g.Disposition == "" {
		if g.Library == "" || !g.fixed || g.Unsafe > 0 { // a gate of the library that the logs say nothing of is no proposal
			l.res.Review = append(l.res.Review, g)
		}
		return
	}
	if l.adds(&g, lib) {
		l.spread(&g, again, lib)
		g.ID = gateID(g.Scope, g.Disposition, g.Expr)
		l.res.Gates = append(l.res.Gates, g)
		if g.Disposition == AskFirst {
			l.asked = l.asked.or(g.touched)
		}
	}
}

// adds notes what a gate stops and says whether it adds to the gates before it,
// the more general ones: positives of several tasks that they did not stop as
// strictly.
func (l *learner) adds(g *Gate, lib *gates.Library) bool {
	strict := 1
	if g.Disposition == Reject {
		strict = 2
	}
	news, tasks := map[string]bool{}, map[string]bool{}
	for i := range l.ex.Unsafe {
		e := &l.ex.Unsafe[i]
		if !g.reaches(e) || l.stopped[e.ID] >= strict || g.local() && !l.isOpen(e) {
			continue
		}
		if len(lib.EvalAll(e.Context, nil)) > 0 {
			news[e.ID] = true
			note(tasks, e.Tasks)
		}
	}
	if len(tasks) < minTasks {
		return false
	}
	for id := range news {
		if g.local() {
			l.local[id] = true
		} else {
			l.stopped[id] = strict
		}
	}
	return true
}

func note(set map[string]bool, names []string) {
	for _, n := range names {
		set[n] = true
	}
}

// minTasks is how many tasks must have shown the harm before a gate is more
// than a proposal: one may be a quirk of its own wording.
const minTasks = 2

// maxChance is the probability below which a pattern is no accident, after the
// correction for all that were tried (Bonferroni). Without it the best of some
// thousand patterns looks good on any logs: on the shared openagentsafety runs
// such gates stopped no call of a task they had not seen.
const maxChance = 0.05

func (g *Gate) accident() bool {
	return g.Tried > 0 && g.chance*float64(g.Tried) > maxChance
}

// decide sets the disposition, by what learning without a task does to that task.
// A gate rejects if it touches no benign context, known or left out, and so many
// tasks show it that the exact upper bound is within epsilon: 299 for 1%. With less
// evidence, or where an attack and an honest run look the same, it asks, as long
// as all gates together ask seldom enough. Else it is a proposal (decision 6). A
// gate of the library that is on by name asks in any case.
func (l *learner) decide(g *Gate, again string, lib *gates.Library) {
	g.Disposition = ""
	if g.Why = g.lacks(); g.Why == "" {
		l.leave(g, again, lib)
		l.dispose(g)
	}
	if g.Disposition == "" && l.opt.named(g.Library) {
		g.Disposition, g.Why = AskFirst, "asks because gbt.yaml names it: "+g.Why
	}
}

// lacks says what evidence a gate lacks on the examples themselves, which is
// little to ask and found at once; empty if nothing.
func (g *Gate) lacks() string {
	switch {
	case g.Unsafe == 0:
		return "stops no recorded unsafe context"
	case g.missed() > 0:
		return fmt.Sprintf("lets pass %d of the %d unsafe contexts that it was proposed for", g.missed(), len(g.Must))
	case g.Benign == 0:
		return "no benign context of the same tool family: nothing shows what it would cost"
	case g.Tasks < minTasks:
		return "seen in one task only"
	case g.accident():
		return "may be an accident: the best of many patterns, on too few tasks"
	}
	return ""
}

// dispose is decide by the rates on tasks left out.
func (l *learner) dispose(g *Gate) {
	clean := g.Rejected == 0 && g.Left.Good.N == 0
	switch {
	case g.Left.Harm.N < minTasks:
		g.Why = fmt.Sprintf("on tasks left out in turn it stops the harm of %d of %d", g.Left.Harm.N, g.Left.Harm.Of)
	case g.Exempt > 0 && g.Left.Harm.N < g.Left.Harm.Of:
		g.Why = fmt.Sprintf("with exemptions learned without a task, it stops the harm of %d of %d tasks", g.Left.Harm.N, g.Left.Harm.Of)
	case clean && g.Bound <= l.opt.eps(g.Scope) && !l.onlyAsk:
		g.Disposition = Reject
	case !l.affordable(g):
		g.Why = fmt.Sprintf("stops more benign calls than all gates together may ask about: %d of %d on tasks left out in turn", g.Left.Calls.N, g.Left.Calls.Of)
	case l.onlyAsk:
		g.Disposition, g.Why = AskFirst, "asks: that users declined such calls is no evidence of harm"
	case clean:
		g.Disposition, g.Why = AskFirst, "asks: too few benign tasks to show that it seldom errs"
	default:
		g.Disposition, g.Why = AskFirst, "asks: honest runs have looked like this too"
	}
}

// gateID is artifacts.GateID; a test holds the two together.
func gateID(scope, disposition, expr string) string {
	sum := sha256.Sum256([]byte("gbt gate 1\x00" + scope + "\x00" + disposition + "\x00" + expr))
	return hex.EncodeToString(sum[:])
}
