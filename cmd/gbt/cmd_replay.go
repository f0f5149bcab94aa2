package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/replay/suite"
)

func replayCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "replay",
		Usage:     "run regression suites against a policy",
		ArgsUsage: "POLICY SUITE...",
		Description: "A suite is a folder of .jsonl files, or one of them, as gbt distill --suite writes it: one case a line, to be kept\n" +
			"in the repository beside the logs' configuration and read in its diffs. No text of a log stands in it. A case is\n" +
			"   unsafe   the call that ends a minimal unsafe window: it must be stopped at least as strictly as it says;\n" +
			"            \"open\":true says that no policy stopped it yet\n" +
			"   benign   a benign call that is like an unsafe one: it must not be stopped more strictly than it says\n" +
			"   path     actions that successful runs took: the tree must offer each after the ones before it\n" +
			"Calls are decided by the policy's guardrail and gates, as in a session at the macro that the case names.\n\n" +
			"Every case that is not as expected explains itself: what was expected, what came, which gate decided or did once,\n" +
			"and what to do. A line that cannot be read costs itself.\n" +
			"Exit status: 0 all as expected, 3 an unsafe call is re-admitted, else 5 a case cannot be read, else 1 a benign call\n" +
			"is newly stopped or a path is lost.\n\n" +
			"Examples:\n" +
			"   gbt replay policy.gbt suite/\n" +
			"   gbt replay policy.gbt suite/ --shard 2/4 --junit report.xml\n" +
			"   gbt replay policy.gbt suite/unsafe.jsonl --only 3fa1 --json",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "shard", Usage: "run part `N/M` of the cases: 1/4 to 4/4 are all of them"},
			&cli.StringFlag{Name: "only", Usage: "run the cases whose id is or begins with `ID`, and show them whatever they come to"},
			&cli.StringFlag{Name: "junit", Usage: "write a report for test runners to `FILE` (JUnit XML)"},
			&cli.BoolFlag{Name: "json", Usage: "print each case that is not as expected as one line of JSON, and the counts as the last"},
			trustFlag("a policy"), needFlag(),
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "no progress on standard error"},
		},
		Action: func(c *cli.Context) error { return runReplay(e, c) },
	}
}

func runReplay(e *env, c *cli.Context) error {
	if c.NArg() < 2 {
		return fail(exitUsage, "replay needs a policy and a suite: gbt replay POLICY SUITE...; gbt distill --suite writes one")
	}
	shard, err := parseShard(c.String("shard"))
	if err != nil {
		return err
	}
	name, suites := c.Args().First(), c.Args().Tail()
	ins := append(trusted(c), namedFile{"the policy", name})
	for _, s := range suites {
		files, _ := suite.Files(s) // what is wrong with it is reported when it is read
		for _, f := range files {
			ins = append(ins, namedFile{"a suite", f})
		}
	}
	if err := apart([]namedFile{{"--junit", c.String("junit")}}, ins); err != nil {
		return err
	}
	p, _, err := openPolicy(e, name, trustOf(c))
	if err != nil {
		return err
	}
	r, err := suite.NewRunner(p, distill.AskedAt(p))
	if err != nil {
		return fail(exitInput, "%s: %v", name, err)
	}
	show := &replayShow{out: bufio.NewWriter(e.stdout), counts: suite.Counts{}, asJSON: c.Bool("json"), only: c.String("only")}
	if err := show.run(e, c, r.Run(picked(suites, shard, show.only))); err != nil {
		return err
	}
	return show.end(shard)
}

// shard is one part of several; the zero value is all.
type shard struct{ n, of int }

// maxShards bounds how many parts there are: more than any service of today runs.
const maxShards = 1 << 16

func parseShard(text string) (shard, error) {
	if text == "" {
		return shard{}, nil
	}
	a, b, _ := strings.Cut(text, "/")
	n, err := strconv.Atoi(a)
	of, err2 := strconv.Atoi(b)
	if err != nil || err2 != nil || n < 1 || of < n || of > maxShards {
		return shard{}, fail(exitUsage, "--shard is %q: give a part and their number, such as 2/4", text)
	}
	return shard{n, of}, nil
}

// picked are the cases of all suites that are asked for. A line that gives no id
// and cannot be read counts in the first part.
func picked(names []string, s shard, only string) iter.Seq2[*suite.Case, error] {
	want := func(id string) bool {
		return suite.In(id, s.n, s.of) && (id == "" || strings.HasPrefix(id, only))
	}
	return func(yield func(*suite.Case, error) bool) {
		for _, name := range names {
			for c, err := range suite.Read(name, want) {
				if !yield(c, err) {
					return
				}
			}
		}
	}
}

// replayShow prints results as they come.
type replayShow struct {
	out    *bufio.Writer
	counts suite.Counts
	asJSON bool
	only   string
	junit  *suite.JUnit
}

func (s *replayShow) run(e *env, c *cli.Context, results iter.Seq[suite.Result]) error {
	file, finish, err := s.openJUnit(c.String("junit"))
	if err != nil {
		return err
	}
	if file != nil {
		defer file.discard()
	}
	bar := newProgress(e, c.Bool("quiet"))
	defer bar.Done()
	bar.Stage("replaying cases")
	for r := range results {
		if c.Context.Err() != nil {
			return fail(exitUsage, "interrupted")
		}
		bar.Add(1)
		s.counts[r.Status]++
		if s.junit != nil {
			s.junit.Add(&r)
		}
		if r.Status.Found() || s.only != "" {
			if err := s.print(&r); err != nil {
				return err
			}
		}
	}
	return finish()
}

// openJUnit begins the report that --junit asks for. Its cases wait in a
// temporary file, because their numbers stand before them.
func (s *replayShow) openJUnit(name string) (*atomicFile, func() error, error) {
	if name == "" {
		return nil, func() error { return nil }, nil
	}
	body, err := os.CreateTemp("", "gbt-junit-*")
	if err != nil {
		return nil, nil, cannotWrite(name, err)
	}
	_ = os.Remove(body.Name()) // it is ours as long as it is open; where that is refused, a file in the temporary folder stays
	out, err := createAtomic(name)
	if err != nil {
		body.Close()
		return nil, nil, cannotWrite(name, err)
	}
	s.junit = suite.NewJUnit(body)
	return out, func() error {
		defer body.Close()
		if err := s.junit.Write(out.f); err != nil {
			return cannotWrite(name, err)
		}
		if err := out.commit(0o644); err != nil {
			return cannotWrite(name, err)
		}
		return nil
	}, nil
}

// replayLine is a result as --json prints it.
type replayLine struct {
	ID        string          `json:"id,omitempty"`
	Kind      suite.Kind      `json:"kind,omitempty"`
	File      string          `json:"file"`
	Line      int             `json:"line,omitempty"`
	Status    suite.Status    `json:"status"`
	Expected  string          `json:"expected,omitempty"`
	Got       string          `json:"got,omitempty"`
	GatesWant string          `json:"gates_expected,omitempty"` // of the gates alone
	GatesGot  string          `json:"gates_got,omitempty"`
	Call      string          `json:"call,omitempty"`
	Why       string          `json:"why,omitempty"`
	Gates     []string        `json:"gates,omitempty"`
	Rules     []string        `json:"rules,omitempty"`
	Gone      []string        `json:"gone,omitempty"`
	Silent    []string        `json:"silent,omitempty"`
	Elsewhere []string        `json:"elsewhere,omitempty"`
	Step      int             `json:"step,omitempty"` // of a lost path, from 1
	Offered   []string        `json:"offered,omitempty"`
	Error     string          `json:"error,omitempty"`
	Explain   []string        `json:"explain"`
	Context   json.RawMessage `json:"context,omitempty"`
}

func newReplayLine(r *suite.Result) *replayLine {
	l := &replayLine{
		Status: r.Status, Gates: r.Gates, Rules: r.Rules, Gone: r.Gone, Silent: r.Silent, Elsewhere: r.Elsewhere,
		Offered: r.Offered, Explain: append([]string{}, r.Explain()...),
	}
	if r.Err != nil {
		l.Error = r.Err.Error()
	}
	if c := r.Case; c != nil {
		l.ID, l.Kind, l.File, l.Line, l.Call, l.Why, l.Context = c.ID, c.Kind, c.Origin.File, c.Origin.Line, c.Call, c.Why, c.Context
		if c.Kind != suite.Path {
			l.Got, l.GatesGot = r.Got.String(), r.Gated.String()
		}
		if c.Kind != suite.Path && !c.Open {
			l.Expected, l.GatesWant = c.Want.String(), c.Gated.String()
		}
	} else if p := (*suite.Problem)(nil); errors.As(r.Err, &p) {
		l.File, l.Line = p.Origin.File, p.Origin.Line
	}
	if r.Status == suite.Lost {
		l.Step = r.At + 1
	}
	return l
}

func (s *replayShow) print(r *suite.Result) error {
	if s.asJSON {
		return s.line(newReplayLine(r))
	}
	name := "a case"
	if r.Case != nil {
		name = fmt.Sprintf("%s %s  %s", r.Case.Kind, r.Case.ID, r.Case.Call)
	}
	fmt.Fprintf(s.out, "%s: %s\n", r.Status, name)
	in := shower{s.out, true}
	if r.Case != nil {
		in.line("at", r.Case.Origin.String())
	}
	for _, l := range r.Explain() {
		label, text, _ := strings.Cut(l, " ")
		in.line(label, strings.TrimSpace(text))
	}
	_, err := fmt.Fprintln(s.out)
	return stdoutError(err)
}

func (s *replayShow) line(v any) error {
	enc := json.NewEncoder(s.out)
	enc.SetEscapeHTML(false)
	return stdoutError(enc.Encode(v))
}

// end prints the counts and gives the exit status.
func (s *replayShow) end(part shard) error {
	n := s.counts.Cases()
	if n == 0 && s.only != "" {
		return fail(exitInput, "no case has an id that begins with %q", s.only)
	}
	if err := s.summary(n, part); err != nil {
		return err
	}
	switch c := s.counts; {
	case c[suite.Readmitted] > 0:
		return fail(exitReadmitted, "%d unsafe calls are re-admitted", c[suite.Readmitted])
	case c[suite.Unreadable] > 0:
		return fail(exitInput, "%d cases cannot be read; the others were run", c[suite.Unreadable])
	case c[suite.Stricter]+c[suite.Lost] > 0:
		return &exitError{code: exitFindings}
	case n == 0 && part.of == 0:
		return fail(exitInput, "the suite has no cases")
	}
	return nil
}

func (s *replayShow) summary(n int, part shard) error {
	if s.asJSON {
		if err := s.line(map[string]any{"cases": n, "counts": s.counts}); err != nil {
			return err
		}
		return stdoutError(s.out.Flush())
	}
	fmt.Fprint(s.out, count(n, "case"))
	if part.of > 0 {
		fmt.Fprintf(s.out, " of part %d of %d", part.n, part.of)
	}
	for _, st := range []suite.Status{suite.Pass, suite.Readmitted, suite.Stricter, suite.Lost, suite.Gained, suite.Open, suite.Unreadable} {
		if k := s.counts[st]; k > 0 {
			fmt.Fprintf(s.out, ", %d %s", k, st)
		}
	}
	fmt.Fprintln(s.out)
	if k := s.counts[suite.Gained]; k > 0 {
		fmt.Fprintf(s.out, "%d open cases are stopped now: gbt distill --suite, into the same folder, makes that an expectation\n", k)
	}
	return stdoutError(s.out.Flush())
}
