package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/episode"
	"github.com/gbt-policy/gbt/gates/rules"
	"github.com/gbt-policy/gbt/gates/wording"
	"github.com/gbt-policy/gbt/internal/decisions"
	"github.com/gbt-policy/gbt/internal/hosts"
	"github.com/gbt-policy/gbt/internal/rulebook"
)

// This file is about the end of an agent's turn (requirement V5): an end that lacks what the
// rules, the policy or the settings ask for is sent back, three times at most (requirement
// V6); then it is let go, and the log says that it was no honest end.

// maxBack is how often an end is sent back: as often as a session of the traverser refuses one.
const maxBack = 3

// ended is what a session keeps of its ends. It stays empty where nothing asks for anything.
type ended struct {
	Changes int            `json:",omitempty"` // calls that an end is held against, since one last stood
	Back    map[string]int `json:",omitempty"` // how often an end was sent back, by subagent; "" is the session's own
	Turn    string         `json:",omitempty"`
	Said    string         `json:",omitempty"` // what was last said, which some hosts send back as a message of the user's
	Broken  string         `json:",omitempty"` // the line that is no rule of which the user was told
}

// empty says whether there is nothing to keep.
func (e *ended) empty() bool {
	return e.Changes == 0 && len(e.Back) == 0 && e.Turn == "" && e.Said == "" && e.Broken == ""
}

// asksEnds says whether anything must hold at the end.
func (c *config) asksEnds(p *policy) bool {
	return c.host.AsksEnds() && (len(c.checks) > 0 || p.book != nil && p.book.AsksEnds() || len(p.checker.Conditions.Ends()) > 0)
}

// changed notes a call that an end is held against: one that may have changed something, or
// that conditions of the policy are about.
func (s *session) changed(c *config, p *policy, ctx *gates.Context) {
	if !c.asksEnds(p) {
		return
	}
	if _, watched := ctx.Watched(); watched || episode.Changes(ctx) {
		s.ends.Changes++
	}
}

// spoke begins anew when the user says something. It says whether they did: the text may be
// what the hook said itself.
func (s *session) spoke(text string) bool {
	if s.ends.Said != "" && strings.Contains(text, s.ends.Said) {
		return false
	}
	s.ends.Back, s.ends.Said = nil, ""
	return true
}

// ending reads an end and answers it.
func (c *config) ending(stdin io.Reader, stderr io.Writer, start time.Time) hosts.Output {
	data, err := io.ReadAll(io.LimitReader(stdin, hosts.MaxInput+1))
	if err != nil {
		return c.host.Trouble(err.Error())
	}
	return c.end(data, stderr, start)
}

// end answers when the agent ends its turn. Whatever goes wrong lets it go: an agent that
// can't end is worse than an end that nobody looked at.
func (c *config) end(data []byte, stderr io.Writer, start time.Time) hosts.Output {
	e, err := c.host.DecodeEnd(data)
	if err != nil {
		return c.host.Trouble(err.Error())
	}
	if e.Broken || c.host.Probed(&e.Input) {
		return c.host.LetGo("")
	}
	out, err := c.judgeEnd(e, stderr, start)
	if err != nil {
		return c.host.Trouble(err.Error())
	}
	return out
}

// judgeEnd holds an end against what must hold.
func (c *config) judgeEnd(e *hosts.End, stderr io.Writer, start time.Time) (hosts.Output, error) {
	p, err := c.load()
	if err != nil {
		return hosts.Output{}, err
	}
	s, err := c.openSession(&e.Input)
	if err != nil {
		return hosts.Output{}, err
	}
	defer func() { s.close() }()
	s.past.Observes = c.host.Reports && c.host.TellsSuccess()
	home, _ := os.UserHomeDir()
	roots := c.rootsOf(p, s, &e.Input, home)
	p.book = rulebook.Open(roots)
	broken := s.untold(p.book)
	if s.file == "" || !c.asksEnds(p) || s.ends.Changes == 0 {
		return c.letGoBroken(p, s, e, broken, stderr, start)
	}
	v := c.lacks(p, s, e)
	v.broken = broken
	if len(v.lacks) == 0 && len(c.checks) > 0 {
		changes := s.ends.Changes
		s.close() // other hooks of the session go on while the checks run
		v.run(c, roots)
		if s, err = c.openSession(&e.Input); err != nil {
			return hosts.Output{}, err
		}
		v.stale = s.ends.Changes != changes
	}
	return c.answerEnd(p, s, e, v, stderr, start)
}

// endVerdict is what an end was found to be.
type endVerdict struct {
	lacks   []lack
	unknown []string // facts that nobody can tell here
	ran     []ranCheck
	tail    string       // what the check that failed printed last
	stale   bool         // something changed while the checks ran
	broken  *rules.Fault // a line that is no rule and may have been one about the end
}

// lack is one thing that an end lacks.
type lack struct {
	code, missing, do string
	kept              string // what the log says of it
}

// lacks holds an end against the rules and the conditions of the policy.
func (c *config) lacks(p *policy, s *session, e *hosts.End) *endVerdict {
	v := &endVerdict{}
	st := gates.State{Facts: rulebook.Facts(e.State.Cwd)}
	s.past.Known(&st)
	for _, l := range p.book.Ends(s.factsAtEnd(st.Facts)) {
		if l.Unknown {
			v.unknown = append(v.unknown, strings.Join(l.Missing, " and "))
			continue
		}
		for i := range l.Missing {
			x := lack{"end/rule", l.Missing[i] + ", which the rule " + l.Rule + " asks for", l.Do[i], l.Missing[i]}
			if wording.Secret(x.kept) {
				x.kept = "what a rule asks for"
			}
			v.lacks = append(v.lacks, x)
		}
	}
	if !s.past.Observes {
		return v // nobody says what calls established
	}
	for _, x := range s.past.Owed(p.checker.Conditions) {
		v.lacks = append(v.lacks, lack{"end/condition", x.String() + ", as the policy asks for", "Do one of these: " + needs(x), x.String()})
	}
	return v
}

// factsAtEnd tells facts at an end. What the host never tells nobody knows; what only a call
// that still runs makes unsure does not hold yet.
func (s *session) factsAtEnd(known func(string) (string, bool)) func(string) (string, bool) {
	return func(name string) (string, bool) {
		if name != "tests" && !strings.HasPrefix(name, "ran ") {
			return known(name)
		}
		if !s.past.Observes {
			return "", false
		}
		if value, ok := known(name); ok {
			return value, true
		}
		return "no", true
	}
}

// needs are the actions that establish what a condition asks for.
func needs(x *gates.Condition) string {
	var out []string
	for i := range x.Needs {
		if n := &x.Needs[i]; n.Act != "" {
			out = append(out, call.Phrase(n.Act))
		}
	}
	return strings.Join(out, "; ")
}

// answerEnd sends the agent back, or lets it go.
func (c *config) answerEnd(p *policy, s *session, e *hosts.End, v *endVerdict, stderr io.Writer, start time.Time) (hosts.Output, error) {
	if e.Turn != "" && e.Turn != s.ends.Turn {
		s.ends.Turn, s.ends.Back = e.Turn, nil
	}
	back := max(s.ends.Back[e.Agent], e.Tries)
	if e.Again {
		back = max(back, 1) // another hook sent it back, or the count is lost
	}
	word := decisions.SentBack
	var out hosts.Output
	switch {
	case len(v.lacks) == 0:
		word, out = decisions.Ended, c.host.LetGo(v.note())
		s.told(v.broken)
		if s.ends.Back, s.ends.Said = nil, ""; !v.stale {
			s.ends.Changes = 0
		}
	case p.checker.Guardrail.Profile == gates.ProfileObserve: // which stops nothing
		word, out = decisions.Stall, c.host.LetGo("")
		s.ends.Changes = 0
	case back >= maxBack:
		word = decisions.Stall
		out = c.host.LetGo(fmt.Sprintf("the agent ended all the same, after %d times of being told. Missing: %s.", back, v.missing()) + v.noteBroken())
		s.told(v.broken)
		if e.Agent == "" {
			s.ends.Changes = 0 // the next turn is held against what it changes itself
		}
	default:
		if s.ends.Back == nil {
			s.ends.Back = map[string]int{}
		}
		s.ends.Back[e.Agent] = back + 1
		s.ends.Said = v.feedback(back + 1)
		text := s.ends.Said
		if v.tail != "" {
			text += "\nThe check's last words:\n" + v.tail
		}
		out = c.host.SendBack(text)
	}
	if err := s.save(); err != nil {
		return hosts.Output{}, err // else nobody would count how often
	}
	c.noteEnd(p, s, e, v, word, stderr, start)
	return out, nil
}

// missing are the first of the things that an end lacks.
func (v *endVerdict) missing() string {
	var out []string
	for _, l := range v.lacks[:min(len(v.lacks), maxShown)] {
		out = append(out, l.missing)
	}
	return strings.Join(out, "; ")
}

// maxShown bounds what is said at once.
const maxShown = 4

// endMark is how what an agent is told at an end begins.
const endMark = "this is no end yet"

// feedback tells the agent what is missing, the more exactly the fewer ends are left.
func (v *endVerdict) feedback(try int) string {
	var do []string
	for _, l := range v.lacks[:min(len(v.lacks), maxShown)] {
		do = append(do, l.do)
	}
	why := fmt.Sprintf("%s (told %d of %d times). Missing: %s.", endMark, try, maxBack, v.missing())
	switch try {
	case 1:
		return why + " " + strings.Join(do, ". ") + ". Then finish again."
	case maxBack:
		return why + " Do exactly this now, and nothing else: " + do[0] + ". If it can't be done, say so to the user in plain words, with what is missing and why: the next end is let go and noted as one without it."
	}
	return why + " Before anything else: " + strings.Join(do, ". ") + "."
}

// note tells the user of an end that stands although something could not be told.
func (v *endVerdict) note() string {
	if len(v.unknown) == 0 {
		return strings.TrimSpace(v.noteBroken())
	}
	return "nobody can tell here whether this holds: " + strings.Join(v.unknown, "; ") + ". A command that the hook runs itself can: gbt hook install --check." + v.noteBroken()
}

// noteEnd writes what became of an end into the log, and a receipt.
func (c *config) noteEnd(p *policy, s *session, e *hosts.End, v *endVerdict, word string, stderr io.Writer, start time.Time) {
	x := c.entry(s.name, &e.Input, start)
	x.Call, x.End, x.Policy, x.In = "", word, p.digest, s.root
	for _, l := range v.lacks {
		if !slices.Contains(x.Rules, l.code) {
			x.Rules = append(x.Rules, l.code)
		}
	}
	if v.broken != nil {
		x.Rules = append(x.Rules, "rule/broken")
	}
	x.Asked = v.told()
	x.Microsec = time.Since(start).Microseconds()
	err := c.logEnd(e, &x)
	if err != nil {
		fmt.Fprintf(stderr, "gbt: decision log: %v\n", err)
	}
	if err := c.receiptOfEnd(s, v, word); err != nil {
		fmt.Fprintf(stderr, "gbt: this end has no receipt: %v\n", err)
	}
}

// told is what the log says of an end: facts and exit codes, and nothing of the words of a
// check or of what it printed.
func (v *endVerdict) told() string {
	var out []string
	if n := len(v.lacks); n > 0 {
		kept := make([]string, 0, n)
		for _, l := range v.lacks[:min(n, maxShown)] {
			kept = append(kept, l.kept)
		}
		out = append(out, "Missing: "+strings.Join(kept, "; ")+".")
	}
	for i, r := range v.ran {
		if r.exit == 0 {
			out = append(out, fmt.Sprintf("Check %d passed.", i+1))
		}
	}
	if len(v.unknown) > 0 {
		out = append(out, "Nobody can tell: "+strings.Join(v.unknown, "; ")+".")
	}
	if v.broken != nil {
		out = append(out, fmt.Sprintf("Line %d of a file of rules cannot be read.", v.broken.Line))
	}
	if v.stale {
		out = append(out, "Something changed while the checks ran.")
	}
	return strings.Join(out, " ")
}
