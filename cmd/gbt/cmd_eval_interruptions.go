package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/hosts"
	"github.com/gbt-policy/gbt/internal/replay/interrupt"
)

func evalInterruptionsCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "interruptions",
		Usage:     "how often the guard would have asked people in their own sessions",
		ArgsUsage: "LOGS...",
		Description: "Decides on every call of recorded sessions as the hook does, with the session's memory, and counts the questions.\n" +
			"Each is answered as the log shows: no where the user declined the call, else yes. The workspace of a session is\n" +
			"the directory in which it began, or was taken up by people; links are not looked up, what calls create counts as\n" +
			"not there before unless its result says otherwise, and the files that git holds and those in conflict are those\n" +
			"that git names in the log. What lies in a directory for temporary files counts as the user's own, with no repository\n" +
			"in it unless git ran there before. A message that tells to push, to open a pull request, to answer review comments or to file an issue answers the question about that,\n" +
			"and one that names a file, a directory or an address the question whether that may be looked at.\n" +
			"The remote is the one that git names most often in the logs of sessions that began there,\n" +
			"or of a repository of the directory's name. A file in which the host says that it put a long result is the host's. 'Remembered' leaves out what an earlier yes of the same session for the\n" +
			"same effect (verb with destination or directory) would have settled.\n\n" +
			"Examples:\n" +
			"   gbt eval interruptions ~/.claude/projects\n" +
			"   gbt eval interruptions --policy policy.gbt sessions/ --json\n" +
			"   gbt eval interruptions --beside ~/.claude/projects\n" +
			"   gbt eval interruptions --questions q.jsonl ~/.claude/projects && shuf -n 20 q.jsonl | jq -r '.call, .question, \"\"'",
		Flags: append(append(checkerFlags(), besideFlags()...),
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
			&cli.StringFlag{Name: "questions", Usage: "write every question to `FILE`, one JSON object a line (- for standard output, in place of the counts)"},
			&cli.IntFlag{Name: "top", Usage: "name the `N` most frequent questions", Value: 10},
			jobsFlag(),
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "no progress on standard error"},
		),
		Action: func(c *cli.Context) error { return runEvalInterruptions(e, c) },
	}
}

// interruptionsReport is the JSON of gbt eval interruptions.
type interruptionsReport struct {
	Sessions   int            `json:"sessions"`
	Calls      int            `json:"calls"`
	Asked      int            `json:"asked"`
	Remembered int            `json:"asked_remembered"`
	Declined   int            `json:"asked_and_declined"`
	NoTotal    int            `json:"declined"`        // by the user, asked about here or not
	Told       int            `json:"told_by_message"` // not asked: the user's last message told to, or one named what is looked at
	Rejected   int            `json:"rejected"`
	Revised    int            `json:"revised"`
	PerSession float64        `json:"asked_per_session"`
	Kept       float64        `json:"asked_remembered_per_session"`
	Without    int            `json:"sessions_without"` // a question or a rejection
	OverFive   int            `json:"sessions_over_5"`  // questions
	ByRule     map[string]int `json:"by_rule"`
	ByScope    map[string]int `json:"by_scope"`
	Top        []scopeCount   `json:"most_frequent"`
	Problems   int            `json:"unreadable"`
	Beside     []besideRow    `json:"beside,omitempty"`

	overAfter int // sessions with more than five questions where yeses are remembered
}

// scopeCount is how often one thing was asked about.
type scopeCount struct {
	Scope    string `json:"scope"`
	Rule     string `json:"rule"`
	Asked    int    `json:"asked"`
	Sessions int    `json:"sessions"`
	Declined int    `json:"declined"`
	Example  string `json:"example"`
	Setting  string `json:"setting,omitempty"` // the command after which most of these are not asked about
	settings map[string]int
}

// overFive is from how many questions on a session counts as one that wears people out.
const overFive = 5

func runEvalInterruptions(e *env, c *cli.Context) error {
	if c.NArg() == 0 {
		return fail(exitUsage, "eval interruptions needs logs: gbt eval interruptions LOGS...")
	}
	j, err := newJudge(e, c)
	if err != nil {
		return err
	}
	book := rulesHere(j.roots)
	j.checker.Rules = book
	if c.String("questions") == "-" && c.Bool("json") {
		return fail(exitUsage, "--questions - and --json both write to standard output: give --questions a file")
	}
	list, err := newQuestionList(c.String("questions"))
	if err != nil {
		return err
	}
	bar := newProgress(e, c.Bool("quiet") || c.Bool("json"))
	defer bar.Done()
	open := func() *logs.Input { return logs.Open(c.Args().Slice(), logs.Options{Stdin: e.stdin, Workers: jobs(c)}) }
	known := new(interrupt.Known)
	if !slices.Contains(c.Args().Slice(), "-") { // what can be read twice
		known = knownTo(c.Context, open())
	}
	in := open()
	guard := &interrupt.Guard{Checker: j.checker, Roots: j.roots, Home: j.home, Kept: keptBy, Saved: savedBy, Known: known}
	r, problems := interruptions(c.Context, in, guard, c.Int("top"), list.add)
	if err := c.Context.Err(); err != nil {
		return cannotRead(c.Context, err)
	}
	bar.Done()
	printProblems(e, problems)
	if r.Sessions == 0 {
		return fail(exitInput, "no session with a call was read from these logs; gbt inspect says what they hold")
	}
	if err := list.write(e); err != nil || c.String("questions") == "-" {
		return err
	}
	if r.Beside = besides(c.Context, c, open(), guard, book.Files); r.Beside != nil {
		r.Beside = append(r.Beside, r.ownBeside())
	}
	if c.Bool("json") {
		return printJSON(e, r)
	}
	if err := printInterruptions(e, r); err != nil {
		return err
	}
	return printBeside(e, r.Beside)
}

// knownTo is what logs tell of the repositories that sessions began in.
func knownTo(ctx context.Context, in *logs.Input) *interrupt.Known {
	known := new(interrupt.Known)
	for e := range logs.Map(ctx, in, func(_ *logs.Unit, rec logs.Record) *corpora.Episode { return rec.Episode }) {
		if e != nil {
			known.Learn(e)
		}
	}
	return known
}

// keptBy is what the host of a log's layout keeps for its sessions: layouts of hosts have
// their names.
func keptBy(layout, dir string) []gates.Kept {
	if h, ok := hosts.Lookup(layout); ok {
		return h.Kept(dir)
	}
	return nil
}

// savedBy is the file in which the host of a log's layout says that it put a result.
func savedBy(layout, result string) string {
	if h, ok := hosts.Lookup(layout); ok && h.Saved != nil {
		return h.Saved(result)
	}
	return ""
}

// interruptions walks all sessions and gives each to tell, in the order of the logs. The order of files changes nothing: questions
// of one scope are told by the first session that asks it, in the order of names.
func interruptions(ctx context.Context, in *logs.Input, g *interrupt.Guard, top int, tell func(*corpora.Episode, *interrupt.Session)) (*interruptionsReport, []corpora.Problem) {
	type read struct {
		episode *corpora.Episode
		session *interrupt.Session
		no      int
		problem *corpora.Problem
	}
	r := &interruptionsReport{ByRule: map[string]int{}, ByScope: map[string]int{}, Top: []scopeCount{}}
	scopes := map[string]*scopeCount{}
	var problems []corpora.Problem
	for x := range logs.Map(ctx, in, func(_ *logs.Unit, rec logs.Record) read {
		if rec.Episode == nil {
			return read{problem: rec.Problem}
		}
		out := read{episode: rec.Episode, session: g.Walk(rec.Episode)}
		for i := range rec.Episode.Steps {
			if rec.Episode.Steps[i].Declined() {
				out.no++
			}
		}
		return out
	}) {
		if x.problem != nil {
			problems = append(problems, *x.problem)
		}
		if x.session != nil && x.session.Calls > 0 {
			r.NoTotal += x.no
			r.add(x.session, scopes)
			tell(x.episode, x.session)
		}
	}
	r.Problems = len(problems)
	r.PerSession, r.Kept = shareOf(r.Asked, r.Sessions), shareOf(r.Remembered, r.Sessions)
	r.rank(scopes, top)
	return r, problems
}

func (r *interruptionsReport) add(s *interrupt.Session, scopes map[string]*scopeCount) {
	asked, remembered := s.Asked()
	r.Sessions++
	r.Calls += s.Calls
	r.Asked += asked
	r.Remembered += remembered
	r.Told += s.Ordered
	r.Rejected += s.Rejected
	r.Revised += s.Revised
	if asked+s.Rejected == 0 {
		r.Without++
	}
	if asked > overFive {
		r.OverFive++
	}
	if remembered > overFive {
		r.overAfter++
	}
	here := map[string]bool{}
	for i := range s.Questions {
		q := &s.Questions[i]
		if q.Declined {
			r.Declined++
		}
		for _, rule := range q.Rules {
			r.ByRule[rule]++
		}
		for _, name := range q.Names() {
			r.ByScope[name]++
			x := scopes[name]
			if x == nil {
				x = &scopeCount{Scope: name, Rule: q.Rules[0], Example: q.What}
				scopes[name] = x
			}
			x.Asked++
			x.settle(q.Setting)
			if q.Declined {
				x.Declined++
			}
			if q.What < x.Example {
				x.Example = q.What
			}
			if !here[name] {
				here[name] = true
				x.Sessions++
			}
		}
	}
}

// settle counts the rules that would answer a question.
func (x *scopeCount) settle(setting []string) {
	if x.settings == nil {
		x.settings = map[string]int{}
	}
	var commands []string
	for _, rule := range setting {
		commands = append(commands, ruleCommandOf(rule))
	}
	if len(commands) > 0 {
		x.settings[strings.Join(commands, " && ")]++
	}
}

func (r *interruptionsReport) rank(scopes map[string]*scopeCount, top int) {
	all := slices.SortedFunc(maps.Values(scopes), func(a, b *scopeCount) int {
		if a.Asked != b.Asked {
			return b.Asked - a.Asked
		}
		return strings.Compare(a.Scope, b.Scope)
	})
	for _, x := range all[:min(len(all), max(top, 0))] {
		if best := mostFirst(x.settings); len(best) > 0 {
			x.Setting = best[0]
		}
		r.Top = append(r.Top, *x)
	}
}

func printInterruptions(e *env, r *interruptionsReport) error {
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "sessions\t%d with %d calls\n", r.Sessions, r.Calls)
	fmt.Fprintf(w, "asked\t%d, %.2f a session; %d, %.2f with remembered consent\n", r.Asked, r.PerSession, r.Remembered, r.Kept)
	fmt.Fprintf(w, "declined\t%d by their users, %d of them asked about here\n", r.NoTotal, r.Declined)
	fmt.Fprintf(w, "told\t%d not asked about: the user's message told to, or named what is looked at\n", r.Told)
	fmt.Fprintf(w, "rejected\t%d; sent back for another form %d\n", r.Rejected, r.Revised)
	fmt.Fprintf(w, "left alone\t%s (%.0f%%); over %d questions %d (%.0f%%)\n", count(r.Without, "session"), 100*shareOf(r.Without, r.Sessions), overFive, r.OverFive, 100*shareOf(r.OverFive, r.Sessions))
	for _, rule := range mostFirst(r.ByRule) {
		fmt.Fprintf(w, "by rule\t%d  %s\n", r.ByRule[rule], rule)
	}
	for _, x := range r.Top {
		fmt.Fprintf(w, "most asked\t%d in %s, %d declined: %s (%s)\n", x.Asked, count(x.Sessions, "session"), x.Declined, x.Scope, x.Example)
		if x.Setting != "" {
			fmt.Fprintf(w, "\tanswered by: %s\n", visible(x.Setting))
		}
	}
	return stdoutError(w.Flush())
}
