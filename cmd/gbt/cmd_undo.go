package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/undo"
)

func undoCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "undo",
		Usage:     "give a workspace back what calls of an agent changed",
		ArgsUsage: "[STEP | RECEIPT | SESSION ...]",
		Description: "Without arguments it lists the steps that changed the workspace, the newest first: calls of agents, and what\n" +
			"somebody else changed between them. STEP is the id of one, or its first four letters at least; SESSION takes\n" +
			"all steps of a session, --since all steps of agents since a moment (20m, 15:04, or 2006-01-02T15:04:05Z).\n\n" +
			"Files, directories, links, modes, and of a git repository the index, branches and stashes come back byte for byte,\n" +
			"as far as contents were kept. What people or others changed since stays (--force takes it back too), and so does\n" +
			"what the guard rejects. What left the machine cannot be undone: it is listed. An undo is a step, which can be undone.\n\n" +
			"Steps are kept where the hook was installed with --undo. Calls of gbt run are named by their receipts, as gbt sessions show\n" +
			"prints them, or by their session: they are taken back in its --output, or in the workspace of a run that waits. Each undo\n" +
			"is a receipt of the session; the id of that receipt takes it back. --by-hand notes what you took back yourself.\n\n" +
			"Examples:\n" +
			"   gbt undo\n" +
			"   gbt undo --since 20m --dry-run\n" +
			"   gbt undo 3fa9c2\n" +
			"   gbt undo run-4D7XKQ2M5N --dry-run\n\n" +
			"Exit status: 0 all was taken back, 1 something is left (it is listed), 2 wrong usage, 5 the journal cannot be read.",
		Flags: append(checkerFlags(),
			&cli.StringFlag{Name: "workspace", Value: ".", Usage: "the workspace `DIR`, or a directory in it"},
			&cli.StringFlag{Name: "journals", Usage: "the `DIR` where journals lie, if not the user's"},
			&cli.StringFlag{Name: "since", Usage: "all steps of agents since `TIME`"},
			&cli.BoolFlag{Name: "others", Usage: "with --since, what somebody else changed too"},
			&cli.BoolFlag{Name: "dry-run", Aliases: []string{"n"}, Usage: "say what would be done and do nothing"},
			&cli.BoolFlag{Name: "force", Usage: "take back what was changed again since, too"},
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "do not ask"},
			storeFlag(), receiptsFlag(),
			&cli.BoolFlag{Name: "by-hand", Usage: "undo nothing: note in the receipts that you took the calls back by other means"},
			&cli.BoolFlag{Name: "forget", Usage: "remove the journal of the workspace, and all it kept"},
			&cli.IntFlag{Name: "last", Value: 20, Usage: "list the last `N` steps"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
		),
		Action: func(c *cli.Context) error { return runUndo(e, c) },
	}
}

func runUndo(e *env, c *cli.Context) error {
	if c.NArg() > 0 && !c.Bool("forget") {
		u, ok, err := findCalls(e, c)
		if err != nil {
			return err
		}
		if ok {
			return runUndone(e, c, u)
		}
	}
	if c.IsSet("store") && !c.IsSet("receipts") || c.Bool("by-hand") {
		return fail(exitUsage, "name a receipt of a call or a session of %s, as gbt sessions show and gbt sessions list print them", cmp.Or(c.String("store"), "the database"))
	}
	named, root, ok, err := hookSteps(c)
	if err != nil {
		return err
	}
	if c.NArg() > 0 && ok && !c.Bool("forget") {
		base, err := undoPlaceOf(c, root)
		if err != nil {
			return err
		}
		return undoIn(e, c, base, root, named)
	}
	base, root, err := undoPlace(c)
	if err != nil {
		return err
	}
	if c.Bool("forget") {
		if err := undo.Forget(undo.DirFor(base, root)); err != nil {
			return fail(exitInput, "%v", err)
		}
		fmt.Fprintf(e.stderr, "gbt: nothing of %s is remembered any more\n", root)
		return nil
	}
	return undoIn(e, c, base, root, c.Args().Slice())
}

// undoIn lists or takes back steps of a workspace.
func undoIn(e *env, c *cli.Context, base, root string, names []string) error {
	j, err := undo.Open(undo.Options{Dir: undo.DirFor(base, root), Root: root})
	if err != nil {
		return fail(exitInput, "%v", err)
	}
	defer j.Close()
	if j.Torn() {
		fmt.Fprintln(e.stderr, "gbt: the journal's last entry was cut off by a crash; it is left away")
	}
	if len(names) == 0 && c.String("since") == "" {
		return listSteps(e, c, j)
	}
	return takeBack(e, c, j, root, names)
}

// undoPlace finds the workspace, by its real path: that is what the hook's is.
func undoPlace(c *cli.Context) (base, root string, err error) {
	if base = c.String("journals"); base == "" {
		if base, err = undo.DefaultBase(); err != nil {
			return "", "", fail(exitInput, "%v", err)
		}
	}
	if base, err = filepath.Abs(base); err != nil {
		return "", "", fail(exitUsage, "%v", err)
	}
	dir, err := filepath.Abs(c.String("workspace"))
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return "", "", fail(exitUsage, "--workspace: %v", err)
	}
	root, ok := undo.Find(base, dir)
	if !ok {
		return "", "", fail(exitInput, "nothing is remembered of %s: steps are kept where the hook was installed with gbt hook install HOST --undo; calls of gbt run are named by their receipts", dir)
	}
	return base, root, nil
}

// agreedPlan plans to take steps back and has the user agree to it. With --dry-run it is shown,
// and no plan comes back.
func agreedPlan(e *env, c *cli.Context, j *undo.Journal, root string, steps []undo.Step) (*undo.Plan, *undoGuard, error) {
	p, err := j.Plan(steps, c.Bool("force"))
	if err != nil {
		return nil, nil, fail(exitInput, "%v", err)
	}
	judge, err := newJudge(e, c)
	if err != nil {
		return nil, nil, err
	}
	g := &undoGuard{checker: judge.checker, root: root}
	if c.Bool("dry-run") {
		return nil, nil, printPlan(e, c, j, p, g)
	}
	return p, g, undoConsent(e, c, j, p, g)
}

// takeBack takes the steps back that names stand for, and says what is left.
func takeBack(e *env, c *cli.Context, j *undo.Journal, root string, names []string) error {
	want, err := undoSelection(c, j, names)
	if err != nil {
		return err
	}
	steps, err := j.Select(want)
	if err != nil {
		return fail(exitUsage, "%v", err)
	}
	if len(steps) == 0 {
		fmt.Fprintln(e.stderr, "gbt: no step since then is left to take back; what one left stands in the list of gbt undo, and gbt undo STEP --force takes it back")
		return nil
	}
	p, g, err := agreedPlan(e, c, j, root, steps)
	if p == nil || err != nil {
		return err
	}
	before, err := j.Steps()
	if err != nil {
		return fail(exitInput, "%v", err)
	}
	r, err := j.Apply(p, g.allow)
	if err != nil {
		return fail(exitInput, "%v", err)
	}
	if err := noteHooks(c, j, p, r, before); err != nil {
		fmt.Fprintf(e.stderr, "gbt: the undo has no receipt: %v\n", err)
	}
	return printUndone(e, c, j, r)
}

// undoSelection reads what to take back: a name is a step's if one has it, else a session's.
func undoSelection(c *cli.Context, j *undo.Journal, names []string) (undo.Selection, error) {
	var want undo.Selection
	all, err := j.Steps()
	if err != nil {
		return want, fail(exitInput, "%v", err)
	}
	sessions := map[string]bool{}
	for i := range all {
		sessions[all[i].Session] = true
	}
	for _, name := range names {
		if name != "" && sessions[name] {
			want.Sessions = append(want.Sessions, name)
		} else {
			want.Steps = append(want.Steps, name)
		}
	}
	if s := c.String("since"); s != "" {
		if want.Since, err = moment(s, time.Now()); err != nil {
			return want, fail(exitUsage, "--since: %v", err)
		}
		want.Others = c.Bool("others")
	}
	return want, nil
}

// moment reads a duration before now, a time of today, or a whole time.
func moment(s string, now time.Time) (time.Time, error) {
	if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	if t, err := time.ParseInLocation("15:04", s, now.Location()); err == nil {
		return time.Date(now.Year(), now.Month(), now.Day(), t.Hour(), t.Minute(), 0, 0, now.Location()), nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return t, fmt.Errorf("%.60q: write 20m, 15:04 or 2006-01-02T15:04:05Z", s)
	}
	return t, nil
}

// undoGuard asks the guard about every write of an undo, as about an agent's (requirement
// Z3). What it would ask a person about, the person who runs gbt undo has agreed to.
type undoGuard struct {
	checker *gates.Checker
	root    string
}

func (g *undoGuard) decide(ch undo.Change) gates.Decision {
	tool, args := "write_file", map[string]string{"path": ch.Path, "content": ""}
	if ch.After.Kind == undo.Absent {
		tool, args = "delete_file", map[string]string{"path": ch.Path}
	}
	home, _ := os.UserHomeDir()
	ctx := g.checker.Context(gates.Request{Tool: tool, Args: jsonOf(args)}, gates.State{Cwd: g.root, Roots: []string{g.root}, Home: home, UID: os.Getuid(), GID: os.Getgid()})
	return g.checker.Check(&ctx, nil)
}

func (g *undoGuard) allow(ch undo.Change) error {
	d := g.decide(ch)
	if d.Disposition == gates.Approved || d.Disposition == gates.ApprovedWithConstraints {
		return nil
	}
	return errors.New("the guard " + d.Disposition.String() + ": " + strings.TrimSpace(d.Reasons[0].Message))
}

// undoConsent shows the plan and asks.
func undoConsent(e *env, c *cli.Context, j *undo.Journal, p *undo.Plan, g *undoGuard) error {
	if c.Bool("yes") || len(p.Changes) == 0 {
		return nil
	}
	if e.terminal == nil {
		return fail(exitUsage, "standard error is not a terminal: look with --dry-run, then say --yes")
	}
	fmt.Fprint(e.stderr, planText(j, p, g))
	fmt.Fprint(e.stderr, "Take this back? [y/N] ")
	answer, _ := bufio.NewReader(e.stdin).ReadString('\n')
	if a := strings.ToLower(strings.TrimSpace(answer)); a != "y" && a != "yes" {
		return fail(exitFindings, "nothing was changed")
	}
	return nil
}
