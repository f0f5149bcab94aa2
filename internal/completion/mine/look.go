package mine

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unique"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/internal/traverse/proof"
	"github.com/gbt-policy/gbt/internal/tree/merge"
	"github.com/gbt-policy/gbt/segment"
	"github.com/gbt-policy/gbt/tree"
)

// The most that is kept of one episode, and of one value.
const (
	maxShown = 96
	maxValue = 48
	maxLine  = 300
)

// Look says what an episode showed at its end. coded says that its layout marks calls
// which failed, so that a command without a mark ended with status 0.
func Look(e *corpora.Episode, coded bool) *merge.Shown {
	l := &looker{names: proof.Of(e.Task), coded: coded, runs: map[string]*ran{}, made: map[string]bool{}, calls: map[string]int{}, reads: map[string]bool{}, states: map[string]*proof.State{}}
	for i := range e.Steps {
		if s := &e.Steps[i]; s.Status != corpora.StatusBlocked {
			l.step(i, s)
		}
	}
	return l.shown()
}

type looker struct {
	names   *proof.Names
	coded   bool
	now     int                     // the step under way, and one more
	changed int                     // the last step that changed something, and one more
	runs    map[string]*ran         // by check
	made    map[string]bool         // files by path: there, or deleted again
	calls   map[string]int          // checks of calls that were shown, by the step that did
	reads   map[string]bool         // tools whose last call changed nothing
	states  map[string]*proof.State // of checks that several calls answer
}

// ran is what came of a command.
type ran struct {
	at     int
	passed bool
	early  bool // it failed at first
}

func (l *looker) step(i int, s *corpora.Step) {
	ch := segment.ChangeOf(s)
	l.now = i + 1
	for _, d := range ch.Deltas {
		switch d.Kind {
		case corpora.DeltaFileCreate:
			l.made[d.Resource] = true
		case corpora.DeltaFileDelete:
			delete(l.made, d.Resource)
		}
		if d.Kind != corpora.DeltaNone && d.Kind != corpora.DeltaSpawn && d.Kind != corpora.DeltaTest && d.Kind != corpora.DeltaInterpreter && d.Kind != corpora.DeltaNavigate {
			l.changed = i + 1
		}
	}
	if line, ok := call.CommandOf(s.Tool, []byte(s.Args)); ok {
		l.command(i, s, line)
	}
	f := call.Classify(s.Tool).Family
	l.call(s, f == call.FamilyShell || f == call.FamilyCode)
}

func (l *looker) command(i int, s *corpora.Step, line string) {
	line, ok := judging(line)
	if !ok || !s.HasExit && !l.coded {
		return
	}
	passed := s.HasExit && s.ExitCode == 0 || !s.HasExit && s.Error == ""
	key := keyOf(&tree.Proof{Kind: tree.ProofCommand, Subject: l.names.Lift(line)})
	r := l.runs[key]
	if r == nil {
		r = &ran{early: !passed}
		l.runs[key] = r
	}
	r.at, r.passed = i+1, passed
}

func (l *looker) call(s *corpora.Step, shell bool) {
	c := proof.Call{Tool: s.Tool, Args: []byte(s.Args), Output: []byte(s.Result), Failed: proof.Failed(s.Error, []byte(s.Result)) || s.HasExit && s.ExitCode != 0}
	if s.Tool == "" || len(s.Tool) > maxValue {
		return
	}
	act := call.ActionOf(s.Tool, s.Args)
	words := proof.Words(act.Key)
	if !words {
		l.track(proof.Any, &c)
	}
	if c.Failed || words || shell {
		return
	}
	l.track(s.Tool, &c)
	changes := !act.ReadOnly() // a call that only reads shows nothing by having run
	l.read(s.Tool, changes)
	if changes {
		l.show(&tree.Proof{Kind: tree.ProofCall, Subject: s.Tool})
	}
	fields := c.Fields()
	for _, at := range slices.Sorted(maps.Keys(fields)) {
		if len(at) > 2*maxValue {
			continue
		}
		if (changes || strings.HasPrefix(at, proof.Result)) && slices.ContainsFunc(fields[at], l.names.Named) {
			l.show(&tree.Proof{Kind: tree.ProofCall, Subject: s.Tool, Place: at, Value: proof.Task})
		}
		for _, v := range fields[at][:min(len(fields[at]), 4)] {
			if strings.HasPrefix(at, proof.Result) && literal(v) && !l.names.Named(v) {
				l.show(&tree.Proof{Kind: tree.ProofCall, Subject: s.Tool, Place: at, Value: strings.ReplaceAll(v, "{", "{{")})
			}
		}
	}
}

// every is how many of the kinds are looked at: all for all calls, none for one tool, of which
// a log that lacks it would not say whether the task has such values.
func (l *looker) every(subject string) int {
	if subject == proof.Any {
		return len(proof.EveryKinds)
	}
	return 0
}

// track looks at the checks that calls answer together: the last one counts, or each may
// use some of the task's values.
func (l *looker) track(subject string, c *proof.Call) {
	list := []tree.Proof{{Place: "result"}}
	if subject == proof.Any {
		list = append(list, tree.Proof{})
	}
	for _, kind := range proof.EveryKinds[:l.every(subject)] {
		list = append(list, tree.Proof{Place: "args", Value: proof.EveryOf(kind)}, tree.Proof{Place: "result", Value: proof.EveryOf(kind)})
	}
	for i := range list {
		p := &list[i]
		p.Kind, p.Subject = tree.ProofCall, subject
		if !l.names.Binds(p) {
			continue
		}
		key := keyOf(p)
		if l.states[key] == nil {
			l.states[key] = &proof.State{}
		}
		l.names.Track(p, c, false, l.states[key])
	}
}

// literal says whether a value may be one of a few: a word, and no number.
func literal(v string) bool {
	return v != "" && len(v) <= maxValue && !strings.ContainsAny(v, "0123456789\n")
}

func (l *looker) show(p *tree.Proof) {
	l.calls[keyOf(p)] = l.now
}

// read begins what a call of a tool shows. What a call read before holds no longer: the last
// one answers.
func (l *looker) read(tool string, changes bool) {
	for key := range l.calls {
		if p := proofOf(key); !changes && p.Subject == tool && strings.HasPrefix(p.Place, proof.Result) {
			delete(l.calls, key)
		}
	}
	l.reads[tool] = !changes
}

// stale says whether something changed after a call showed what it had read.
func (l *looker) stale(key string, at int) bool {
	p := proofOf(key)
	return at <= l.changed && l.reads[p.Subject] && strings.HasPrefix(p.Place, proof.Result)
}

func (l *looker) shown() *merge.Shown {
	var out merge.Shown
	for key, r := range l.runs {
		switch {
		case r.at <= l.changed: // what it said is stale
		case r.passed:
			out.Passed = append(out.Passed, key)
			if r.early {
				out.Early = append(out.Early, key)
			}
		default:
			out.Failed = append(out.Failed, key)
		}
	}
	for key, st := range l.states {
		if st.Shown {
			out.Passed = append(out.Passed, key)
		} else {
			out.Failed = append(out.Failed, key)
		}
	}
	for path := range l.made {
		if path != "" && len(path) <= maxLine {
			out.Passed = append(out.Passed, keyOf(&tree.Proof{Kind: tree.ProofFile, Subject: l.names.Lift(path)}))
		}
	}
	for key, at := range l.calls {
		if !l.stale(key, at) {
			out.Passed = append(out.Passed, key)
		}
	}
	slices.Sort(out.Passed)
	out.Passed = out.Passed[:min(len(out.Passed), maxShown)]
	slices.Sort(out.Failed)
	slices.Sort(out.Early)
	return &out
}

// keyOf writes a check as one text. Equal texts are one in memory: they come again in
// every episode.
func keyOf(p *tree.Proof) string {
	return unique.Make(strings.Join([]string{string('0' + rune(p.Kind)), p.Subject, p.Place, p.Value}, "\x1f")).Value()
}

func proofOf(key string) tree.Proof {
	parts := strings.SplitN(key, "\x1f", 4)
	return tree.Proof{Kind: tree.ProofKind(parts[0][0] - '0'), Subject: parts[1], Place: parts[2], Value: parts[3]}
}

// argsOf are the arguments of a shell tool for a command line.
func argsOf(line string) string {
	b, _ := json.Marshal(map[string]string{"command": line}) // a map of texts is always JSON
	return string(b)
}
