package interrupt

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/gates/episode"
	"github.com/gbt-policy/gbt/gates/orders"
	"github.com/gbt-policy/gbt/gates/rules"
	"github.com/gbt-policy/gbt/gates/scope"
	"github.com/gbt-policy/gbt/gates/wording"
	"github.com/gbt-policy/gbt/internal/gates/powershell"
	"github.com/gbt-policy/gbt/internal/gates/source"
)

// Guard is what decides, and where calls run for which the log does not say it.
type Guard struct {
	Checker *gates.Checker
	Roots   []string // empty: the first working directory of a session
	Home    string   // empty: taken from the first working directory
	// Kept says what the host of a log of some layout keeps for a session that began in
	// dir; nil: nobody knows.
	Kept func(layout, dir string) []gates.Kept
	// Saved is the file in which the host of a log of some layout says that it put a result
	// too long to show, empty for none; nil: nobody knows. Such a file is the host's own, wherever
	// the log says that it lies: paths in logs are often made unreadable.
	Saved func(layout, result string) string
	// Known is what other sessions of the logs tell of the same repositories; may be nil.
	Known *Known
	// Each is told every decision, before the call runs; may be nil.
	Each func(s *corpora.Step, c *gates.Context, d *gates.Decision)
	// Limit bounds what is remembered of results, in bytes, as the hook does.
	Limit int
}

// Question is a call about which the user would have been asked.
type Question struct {
	Step       int
	Tool       string
	Args       string // the call's arguments, one JSON object
	Dir        string // the directory in which it would have run; may be empty
	What       string // what is asked, in one sentence
	Texts      wording.Texts
	Rules      []string    // codes of what asks, each once, the first one first; ids of gates
	Scope      scope.Scope // what a yes to it is remembered for; empty: for nothing
	Setting    []string    // rules that would answer it (package rules); empty: none can
	Declined   bool        // the user said no
	Remembered bool        // an earlier answer for the same scope settles it
}

// Session is what the guard does to one session.
type Session struct {
	Calls     int
	Questions []Question
	Ordered   int // calls that were not asked about because a message of the user's told to make them, or named what they look at
	Rejected  int // calls that are stopped with no way to consent
	Revised   int // calls that are sent back for another form
}

// Asked counts the questions; remembered leaves out those that an earlier answer settles.
func (s *Session) Asked() (all, remembered int) {
	for i := range s.Questions {
		if !s.Questions[i].Remembered {
			remembered++
		}
	}
	return len(s.Questions), remembered
}

// Walk judges every call of a session before it ran.
func (g *Guard) Walk(e *corpora.Episode) *Session {
	w := walk{Guard: g, past: episode.Memory{Limit: g.Limit, Observes: true, Opens: scope.Opens}, out: &Session{Calls: len(e.Steps)}}
	w.place(e)
	w.past.Hear(e.Task)
	w.branch = firstBranch(e)
	w.spoken(e.Task)
	for i := range e.Steps {
		w.step(i, &e.Steps[i])
	}
	return w.out
}

// firstBranch is the branch that a session began on.
func firstBranch(e *corpora.Episode) string {
	for i := range e.Steps {
		if b := e.Steps[i].Branch; b != "" {
			return b
		}
	}
	return ""
}

// spoken takes in what the user said, where the session is by then.
func (w *walk) spoken(text string) {
	repo, _ := w.repository(w.at.Cwd)
	w.past.Told(orders.Of(text), scope.FromOf(&repo))
	at := effect.Places{Cwd: w.at.Cwd, Home: w.at.Home, Roots: w.at.Roots, Kept: w.at.Kept}.Normal()
	w.past.Named(scope.Named(w.past.Places(), orders.PlacesOf(text), &at, func(path string) (string, bool) { return path, true }))
}

// walk is one session while it is walked.
type walk struct {
	*Guard
	at      gates.State
	past    episode.Memory
	told    *told
	results []gates.Kept // where the host put results too long to show
	layout  string
	branch  string // that is checked out at the next call
	there   bool   // the host said that the call replaced a file that was there
	went    bool   // the call before may have changed the directory
	out     *Session
}

// replacedTold is how hosts say that a tool wrote over a file (the tools' results in
// sessions of Claude Code and Gemini).
var replacedTold = [...]string{"has been updated", "Successfully overwrote"}

// goes takes the session to the directory of its next call. One outside the workspace to
// which no call went is where people took the session up again: hosts tell their hooks the
// project of each start, so that is the workspace from there on.
func (w *walk) goes(dir string) {
	if dir == "" || dir == w.at.Cwd {
		return
	}
	w.at.Cwd = dir
	inside := slices.ContainsFunc(w.at.Roots, func(r string) bool { return within(dir, r) })
	if inside || w.went || len(w.Roots) > 0 {
		return
	}
	w.at.Roots = []string{dir}
	w.keeps(dir)
}

// place says where the session runs: its workspace is where it began.
func (w *walk) place(e *corpora.Episode) {
	w.at = gates.State{
		Naming: scope.Naming{}, Forges: gates.Forges, PowerShell: call.NewPowerShell(powershell.Reader{}), Inline: gates.InlineReader(),
		SaysOnly: gates.SaysOnly, Compiled: source.Reader{}, Roots: w.Roots, Home: w.Home, UID: -1, GID: -1, FollowPython: gates.FollowPython,
		StartFiles: gates.StartFiles(), PlainAsRun: gates.PlainAsRecorded,
		Exists: func(file string) bool { return w.there || w.told != nil && w.told.exists(file) },
	}
	w.at.Cwd = firstDir(e)
	if len(w.at.Roots) == 0 && w.at.Cwd != "" {
		w.at.Roots = []string{w.at.Cwd}
	}
	if w.at.Home == "" {
		w.at.Home = homeOf(w.at.Cwd)
	}
	w.at.Remotes, w.at.Repo = w.Known.of(e), w.repository
	if len(w.at.Roots) > 0 {
		w.told = toldBy(e, w.at.Roots[0])
		w.at.Found, w.at.Stamp = w.told.found, func(string) string { return "as the session left it" }
		w.at.Ref, w.at.ThrowAway = w.told.ref, gates.ThrowAway
	}
	w.layout = e.Format
	if len(w.at.Roots) > 0 {
		w.keeps(w.at.Roots[0])
	}
}

// keeps says what is kept to be read for a session in a workspace: by its host, and in the
// main work tree of a linked one.
func (w *walk) keeps(dir string) {
	w.at.Kept = nil
	if w.Kept != nil {
		w.at.Kept = w.Kept(w.layout, dir)
	}
	if main := mainTree(dir); main != dir {
		w.at.Kept = append(w.at.Kept, gates.Kept{Dir: main})
	}
	w.at.Kept = append(w.at.Kept, w.results...)
}

// homeOf is the home directory above a directory, by where systems put them
// (Filesystem Hierarchy Standard 3.0, section 3.8 and 3.14; /Users on macOS; Users on a drive of Windows, as it
// is spelled there, in Git's shell and below WSL's mounts).
func homeOf(dir string) string {
	slashed := strings.ReplaceAll(dir, `\`, "/")
	at := onDrive.FindString(slashed)
	for _, above := range [...]string{"/home/", "/Users/"} {
		if at == "" && strings.HasPrefix(dir, above) {
			at = above
		}
	}
	if at != "" {
		user, _, _ := strings.Cut(slashed[len(at):], "/")
		return dir[:len(at)+len(user)]
	}
	if dir == "/root" || strings.HasPrefix(dir, "/root/") {
		return "/root"
	}
	return ""
}

// onDrive is what stands before a user's name on a drive of Windows, in any letters.
var onDrive = regexp.MustCompile(`^(?i:[a-z]:|/[a-z]:|/[a-z]|/mnt/[a-z])/(?i:users)/`)

func (w *walk) step(i int, s *corpora.Step) {
	w.past.Hear(s.Heard)
	w.goes(s.Cwd)
	w.branch = s.Branch
	if s.Heard != "" {
		w.spoken(s.Heard)
	}
	w.went = strings.Contains(s.Args, "cd ") || strings.Contains(s.Args, "pushd ")
	w.there = slices.ContainsFunc(replacedTold[:], func(t string) bool { return strings.Contains(s.Result, t) })
	state := w.at
	w.past.Before(&state)
	if w.told != nil {
		state.Flow.Own = append(slices.Clip(state.Flow.Own), w.told.own()...)
	}
	c := w.Checker.Context(gates.Request{Tool: s.Tool, Args: []byte(s.Args)}, state)
	d := w.Checker.Check(&c, nil)
	if w.Each != nil {
		w.Each(s, &c, &d)
	}
	switch d.Disposition {
	case gates.ApprovedWithConstraints:
		w.ask(i, s, &c, &d)
	case gates.Approved:
		w.answered(i, s, &c, &d)
	case gates.RevisionRequired:
		w.out.Revised++
	case gates.Rejected:
		w.out.Rejected++
	}
	key := strconv.Itoa(i)
	w.past.Let(key, "", &c, &d, int64(i))
	if s.Status == corpora.StatusBlocked {
		w.past.Report(key, true)
		return
	}
	if s.Error != "" && editsOnly(&c) {
		w.past.Failed(key)
		w.past.Returned(c.ToolName(), []byte(s.Args), s.Result, s.Error)
		return
	}
	w.past.At(key, &state)
	c = w.Checker.Context(gates.Request{Tool: s.Tool, Args: []byte(s.Args)}, state)
	w.past.Ended(key, &c, int64(i))
	if s.Status == corpora.StatusExecuted && s.Error == "" {
		w.past.Succeeded(&c)
		w.past.Establish(&c, s.Result)
		w.past.Recorded(&c, s.Result)
	}
	if w.told != nil {
		w.told.step(s, &c)
	}
	w.past.Returned(c.ToolName(), []byte(s.Args), s.Result, s.Error)
	w.saved(s.Result)
}

// editsOnly says whether all that a call does is to write files, by a tool that does so
// whole or not at all: one that takes no command.
func editsOnly(c *gates.Context) bool {
	return c.Command == "" && len(c.Effects) > 0 && !slices.ContainsFunc(c.Effects, func(e gates.Effect) bool {
		return e.Kind != effect.Write && e.Kind != effect.Read
	})
}

// saved notes the file in which the host put a result too long to show.
func (w *walk) saved(result string) {
	if w.Saved == nil {
		return
	}
	if file := w.Saved(w.layout, result); file != "" {
		w.results = append(w.results, gates.Kept{Dir: file})
		w.at.Kept = append(slices.Clip(w.at.Kept), gates.Kept{Dir: file})
	}
}

func (w *walk) ask(i int, s *corpora.Step, c *gates.Context, d *gates.Decision) {
	q := Question{Step: i, Tool: c.ToolName(), Args: s.Args, Dir: w.at.Cwd, What: d.Reasons[0].Message, Texts: wording.Of(c, d), Rules: rulesOf(d), Declined: s.Declined()}
	if all := scope.Of(c, d); len(all) > 0 {
		q.Scope = all[0]
	}
	q.Setting = rules.Propose(c, d)
	w.out.Questions = append(w.out.Questions, q)
}

// answered notes a call that would have been asked about, but for what the user agreed to
// before in the session.
func (w *walk) answered(i int, s *corpora.Step, c *gates.Context, d *gates.Decision) {
	asked := *d
	asked.Reasons = nil
	for _, a := range d.Answered {
		if strings.HasPrefix(a.By, gates.ByOrder) {
			w.out.Ordered++
			return
		}
		if strings.HasPrefix(a.By, gates.ByConsent) {
			asked.Reasons = append(asked.Reasons, a.Reason)
		}
	}
	if len(asked.Reasons) == 0 {
		return
	}
	asked.Disposition = gates.ApprovedWithConstraints
	w.ask(i, s, c, &asked)
	w.out.Questions[len(w.out.Questions)-1].Remembered = true
}

// rulesOf is what asks, each once.
func rulesOf(d *gates.Decision) []string {
	var out []string
	seen := map[string]bool{}
	add := func(s string) {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	for i := range d.Reasons {
		add(d.Reasons[i].Rule)
	}
	for _, id := range d.Gates {
		add("gate/" + id)
	}
	return out
}

// Names are what a question is counted under: its scopes, or its rules where its
// answer is not remembered.
func (q *Question) Names() []string {
	if len(q.Scope) > 0 {
		return q.Scope
	}
	return []string{"each time: " + strings.Join(q.Rules, ", ")}
}
