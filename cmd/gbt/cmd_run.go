package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/regions"
	"github.com/gbt-policy/gbt/internal/replay/workspace"
	"github.com/gbt-policy/gbt/internal/runner"
	"github.com/gbt-policy/gbt/traverse"
)

func runCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:  "run",
		Usage: "carry out a task with a model, under a policy, in a sandbox",
		Description: "The model is any OpenAI-compatible endpoint. It sees the traverser's brief of the next macro and not the transcript; its\n" +
			"shell and file calls run in a sandbox (bubblewrap) on a copy of --dir, each one checked before. What would need\n" +
			"somebody's consent does not run. --output keeps the copy. The log is one chat record, which gbt import reads.\n\n" +
			"A model that calls no tools by itself, as small ones don't, is led: it chooses among the steps that the policy has and\n" +
			"fills in one call for each, its answers held to that form by response_format, tool_choice or a grammar, whichever the\n" +
			"endpoint has. --calls constrained does so from the start, --calls required asks for a tool call in every answer.\n\n" +
			"The last line on standard output is DONE, ENDED or STALL with the reason; the exit status is 0, 6 or 1. DONE means that\n" +
			"every --check exited with 0 after the last change, was seen to fail before anything was done, and that no test or\n" +
			"setting that judges the run was changed (--lock, --unlock). Lines between gbt:lock and gbt:end in a file, and those of\n" +
			"--lock FILE#10-20, no call may change (docs/narrowing.md). Without a --check the policy's own checks are asked for, which\n" +
			"it mined from logs (gbt show): DONE (mined) where all pass and that tells something. Any other run that ended where\n" +
			"successful runs end is ENDED.\n\n" +
			"--plan follows a plan file instead of the policy's tree: states with checks, one at a time, for a task that the policy\n" +
			"does not know (docs/completion.md). Every check must be executable and fail before anything is done. --git keeps the\n" +
			"history in a repository, one commit for each change with the workspace as it was; given again, it goes on from there.\n\n" +
			"Examples:\n" +
			"   gbt run --task 'make the tests pass' --policy policy.gbt --model http://127.0.0.1:8080/v1 --dir . --check 'go test ./...' --log run.jsonl --output fixed\n" +
			"   gbt run --plan plan.yaml --policy policy.gbt --model http://127.0.0.1:8080/v1 --dir . --git history",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "task", Usage: "what to do, in `WORDS`"},
			&cli.StringFlag{Name: "dir", Usage: "work on a copy of `DIR` (default: an empty workspace)"},
			&cli.StringFlag{Name: "store", Usage: "keep the run, to be resumed, in the database `NAME`: sqlite:FILE, bbolt:FILE, *.sqlite or *.db; none for nowhere (default: sessions.db in gbt's state directory)"},
		}, runFlags()...),
		Action: func(c *cli.Context) error { return runRun(e, c) },
	}
}

// runFlags are those that a run may be resumed with too.
func runFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "policy", Usage: "follow the policy in `FILE`"},
		trustFlag("a policy"), needFlag(), minSequenceFlag(), seenFlag(),
		&cli.StringFlag{Name: "model", Usage: "the endpoint's `URL`, as http://host:port/v1"},
		&cli.StringFlag{Name: "model-name", Value: "default", Usage: "`NAME` of the model, for endpoints that have several"},
		&cli.StringFlag{Name: "key-env", Value: "OPENAI_API_KEY", Usage: "`NAME` of the variable with the endpoint's key, if it is set"},
		&cli.StringFlag{Name: "output", Usage: "copy what the workspace holds at the end to `DIR`, which must not exist"},
		&cli.StringSliceFlag{Name: "check", Usage: "a completion check: `COMMAND` must exit with 0 (may be given again)"},
		&cli.BoolFlag{Name: "propose-rules", Usage: "let the model say which rules the sentences of the task are that were not understood (gbt audit task); they only tighten"},
		&cli.StringFlag{Name: "plan", Usage: "follow the plan in `FILE`; --task stands in it, or is given beside it"},
		&cli.StringFlag{Name: "git", Usage: "commit the plan's state and the workspace to the repository `DIR` after every change, and go on from there"},
		&cli.StringSliceFlag{Name: "holds", Usage: "a check that passes before and must pass at the end: `COMMAND` (may be given again)"},
		&cli.StringSliceFlag{Name: "lock", Usage: "no run is DONE that changed `PATH` (a file, a folder or an ending as *.sql; may be given again); FILE#10-20: no call may change these lines"},
		&cli.StringSliceFlag{Name: "unlock", Usage: "the task may change `PATH` though it judges the run (may be given again)"},
		&cli.StringFlag{Name: "imports", Usage: "cells of code (python -c, node -e, ...) may bring in the modules of `LIST` alone, as numpy,os.path,node:fs, or none; beside the policy's own list, what both have"},
		&cli.StringFlag{Name: "arm", Value: "full", Usage: "what of the policy the run obeys, for measurements in the sandbox, `ARM`: full, gating-only, recovery-only or raw"},
		&cli.Int64Flag{Name: "max-steps", Usage: "stop after `N` macro steps (default: 50)"},
		&cli.DurationFlag{Name: "max-time", Usage: "stop after `DURATION` (default: 30m)"},
		&cli.DurationFlag{Name: "timeout", Value: 2 * time.Minute, Usage: "of one request to the model"},
		&cli.IntFlag{Name: "max-tokens", Usage: "most tokens of one answer (default: 512)"},
		&cli.StringFlag{Name: "calls", Value: "auto", Usage: "how the model comes to call tools, `HOW`: auto, required (asked for in every answer) or constrained"},
		&cli.StringFlag{Name: "log", Usage: "write the run to `FILE`"},
	}
}

func runRun(e *env, c *cli.Context) error {
	if err := runUsage(c); err != nil {
		return err
	}
	policy, err := runPolicy(e, c)
	if err != nil {
		return err
	}
	k, err := beginKept(e, c, policy)
	if err != nil {
		return err
	}
	return carryOut(e, c, policy, k)
}

// runRoots are the roots of a run: the policy's, else the directory that it works in.
func runRoots(c *cli.Context, roots []string) []string {
	if dir, err := filepath.Abs(c.String("dir")); err == nil && c.String("dir") != "" && len(roots) == 0 {
		return []string{dir}
	}
	return roots
}

// runPolicy opens the policy of --policy.
func runPolicy(e *env, c *cli.Context) (*traverse.Policy, error) {
	p, info, err := openDoor(e, c.String("policy"), trustOf(c))
	if err != nil {
		return nil, err
	}
	arm, err := traverse.ParseArm(c.String("arm"))
	if err != nil {
		return nil, fail(exitUsage, "--arm: %v", err)
	}
	list, err := importsOf(c)
	if err != nil {
		return nil, err
	}
	policy, err := traverse.New(narrowed(p, list), traverse.Options{Digest: info.Digest, Arm: arm, Rules: rulesHere(runRoots(c, p.Guardrail.Roots))})
	if err != nil {
		return nil, fail(exitInput, "%s: %v", c.String("policy"), err)
	}
	return policy, nil
}

// carryOut runs the loop in its sandbox, and goes on with a run that was kept.
func carryOut(e *env, c *cli.Context, policy *traverse.Policy, k *keptRun) (err error) {
	defer func() { err = errors.Join(err, k.close()) }()
	opts := runOptions(e, c, policy)
	k.into(&opts, c.String("output"))
	var history *planHistory
	dir := k.from(c.String("dir"))
	if opts.Plan, err = planOf(e, c, &opts.Task); err != nil {
		return err
	}
	if opts.Plan != nil && c.String("git") != "" {
		h := &planHistory{e: e, dir: c.String("git"), plan: c.String("plan")}
		if opts.From, err = h.open(); err != nil {
			return err
		}
		if opts.From != nil {
			dir = h.workspace()
		}
		opts.Keep = h.keep
		history = h
	}
	if err := tellConstraints(e, c, &opts.Task, opts.From != nil || len(opts.Said) > 0); err != nil {
		return err
	}
	w, err := workspace.New(c.Context, workspace.Options{Kept: k.workspace(), Snapshot: func(*corpora.Episode) (string, error) { return dir, nil }})
	if err != nil {
		return fail(exitInput, "%v", err)
	}
	defer w.Close()
	opts.Env = w
	if history != nil {
		history.ws = w
	}
	out, err := runner.Run(c.Context, opts)
	if err != nil {
		return fail(exitInput, "%v", err)
	}
	waits := k.waits(e)
	if name := c.String("output"); name != "" && !waits {
		if err := keepOutput(e, name, w.Dir()); err != nil {
			fmt.Fprintf(e.stderr, "gbt: --output: there is no %s; what could be copied is in %s.partial\n", name, name)
			runVerdict(e, &out) // the exit status says what could not be written
			return cannotWrite(name, err)
		}
	}
	return runVerdict(e, &out)
}

// keepOutput copies what the workspace holds: folders, files and links. Pipes and
// sockets are left out, with a word for each.
func keepOutput(e *env, name, from string) error {
	part := name + ".partial" // left by a process that was killed here, if it is there
	if err := os.RemoveAll(part); err != nil {
		return err
	}
	if err := copyOutput(e, part, from); err != nil {
		return err
	}
	if err := sameModes(part, from); err != nil {
		return err
	}
	return os.Rename(part, name)
}

// sameModes gives what was copied the modes that it had: os.CopyFS keeps of them only
// whether a file may be run.
func sameModes(to, from string) error {
	const bits = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky
	var dirs []func() error // last, because one may be closed to writing
	err := filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == from || !d.IsDir() && !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		chmod := func() error { return os.Chmod(filepath.Join(to, rel), info.Mode()&bits) }
		if d.IsDir() {
			dirs = append(dirs, chmod)
			return nil
		}
		return chmod()
	})
	for _, chmod := range slices.Backward(dirs) {
		err = errors.Join(err, chmod())
	}
	return err
}

func copyOutput(e *env, name, from string) error {
	return os.CopyFS(name, plainFiles{os.DirFS(from), func(left string) {
		fmt.Fprintf(e.stderr, "gbt: --output: %s is no file, folder or link and is left out\n", left)
	}})
}

// plainFiles is a tree without what os.CopyFS cannot copy.
type plainFiles struct {
	fs.FS
	left func(name string)
}

func (f plainFiles) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(f.FS, name)
	return slices.DeleteFunc(list, func(d fs.DirEntry) bool {
		plain := d.Type()&fs.ModeType&^(fs.ModeDir|fs.ModeSymlink) == 0
		if !plain {
			f.left(path.Join(name, d.Name()))
		}
		return !plain
	}), err
}

func (f plainFiles) ReadLink(name string) (string, error)   { return fs.ReadLink(f.FS, name) }
func (f plainFiles) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(f.FS, name) }

// parseCalls reads the value of --calls.
func parseCalls(s string) (runner.Calls, bool) {
	switch s {
	case "auto":
		return runner.CallsAuto, true
	case "required":
		return runner.CallsRequired, true
	case "constrained":
		return runner.CallsConstrained, true
	}
	return runner.CallsAuto, false
}

func runUsage(c *cli.Context) error {
	for _, flag := range []string{"task", "policy", "model"} {
		if c.String(flag) == "" && (flag != "task" || c.String("plan") == "") {
			return fail(exitUsage, "run needs --%s: gbt run --task '...' --policy policy.gbt --model http://host:port/v1", flag)
		}
	}
	if c.NArg() > 0 {
		return fail(exitUsage, "run takes no arguments: give the task with --task")
	}
	if dir := c.String("dir"); dir != "" {
		if st, err := os.Stat(dir); err != nil || !st.IsDir() {
			return fail(exitUsage, "--dir %s is no directory", dir)
		}
	}
	return runFlagsUsage(c)
}

// runFlagsUsage checks the options that a run is begun and resumed with.
func runFlagsUsage(c *cli.Context) error {
	if u, err := url.Parse(c.String("model")); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fail(exitUsage, "--model %s is no http or https address", c.String("model"))
	}
	_, known := parseCalls(c.String("calls"))
	if _, err := importsOf(c); err != nil {
		return err
	}
	for _, entry := range c.StringSlice("lock") {
		if _, _, err := regions.ParseSpan(entry); err != nil {
			return fail(exitUsage, "--lock %v", err)
		}
	}
	switch {
	case !known:
		return fail(exitUsage, "--calls is %q: give auto, required or constrained", c.String("calls"))
	case c.String("plan") == "" && c.String("git") != "":
		return fail(exitUsage, "--git keeps the history of a plan: give --plan too")
	case c.String("plan") != "" && (c.IsSet("check") || c.IsSet("holds")):
		return fail(exitUsage, "--plan has the checks: write --check and --holds into it")
	case c.IsSet("max-steps") && c.Int64("max-steps") < 1:
		return fail(exitUsage, "--max-steps must be at least 1")
	case c.IsSet("max-time") && c.Duration("max-time") < time.Second:
		return fail(exitUsage, "--max-time must be at least a second")
	case c.Duration("timeout") <= 0:
		return fail(exitUsage, "--timeout must be longer than nothing")
	}
	if name := c.String("output"); name != "" {
		if _, err := os.Lstat(name); err == nil {
			return fail(exitUsage, "--output %s is there already", name)
		}
		if err := writable(filepath.Clean(name)); err != nil {
			return err
		}
	}
	return writable(c.String("log"))
}

func runOptions(e *env, c *cli.Context, policy *traverse.Policy) runner.Options {
	calls, _ := parseCalls(c.String("calls"))
	opts := runner.Options{
		Policy: policy,
		Task:   traverse.Task{ID: "run-" + rand.Text(), Text: c.String("task"), Limits: traverse.Limits{Steps: c.Int64("max-steps"), WallSeconds: int64(c.Duration("max-time") / time.Second)}},
		Model: &runner.Model{
			URL: c.String("model"), Name: c.String("model-name"), Key: os.Getenv(c.String("key-env")), Timeout: c.Duration("timeout"), Tokens: c.Int("max-tokens"), Calls: calls,
		},
	}
	for i, k := range c.StringSlice("check") {
		opts.Task.Checks = append(opts.Task.Checks, traverse.Check{ID: "check-" + strconv.Itoa(i+1), Text: k})
	}
	for i, k := range c.StringSlice("holds") {
		opts.Task.Checks = append(opts.Task.Checks, traverse.Check{ID: "holds-" + strconv.Itoa(i+1), Text: k, Holds: true})
	}
	opts.Lock, opts.Unlock = c.StringSlice("lock"), c.StringSlice("unlock")
	if name := c.String("log"); name != "" {
		opts.Save = func(record []byte) error { return writeFile(name, record, 0o600) }
	}
	if e.terminal != nil {
		opts.Show = func(line string) { fmt.Fprintf(e.stderr, "gbt: %s\n", line) }
	}
	return opts
}

// runVerdict prints how a run ended.
func runVerdict(e *env, out *runner.Outcome) error {
	st := &out.Status
	fmt.Fprintf(e.stdout, "steps %d, calls %d, stopped calls %d, tokens %d, covered %v\n", st.Steps, st.Stats.Calls, st.Stats.Blocked, st.Used.Tokens, out.Status.Covered)
	if out.Err != nil && !errors.Is(out.Err, context.Canceled) {
		fmt.Fprintf(e.stderr, "gbt: %v\n", out.Err)
	}
	for i := range out.Findings {
		printFinding(e, &out.Findings[i])
	}
	if end := out.End(); end != traverse.Stalled {
		text := fmt.Sprintf("%s (%s)", end, out.Basis)
		if out.Reason != "" {
			text += ": " + out.Reason
		}
		_, err := fmt.Fprintln(e.stdout, text)
		if err != nil || out.Done() {
			return stdoutError(err)
		}
		return &exitError{code: exitEnded}
	}
	why := out.Reason
	if len(st.Uncovered) > 0 && why == st.Stopped {
		why += ": no check that would fail without it covers " + strings.Join(st.Uncovered, ", ")
	}
	if _, err := fmt.Fprintf(e.stdout, "STALL: %s\n", why); err != nil {
		return stdoutError(err)
	}
	return &exitError{code: exitFindings}
}

// printFinding tells the literal result of a completion check.
func printFinding(e *env, f *traverse.Finding) {
	if f.Evidence == nil {
		return
	}
	said := "failed"
	if f.Passed {
		said = "passed"
	}
	line := "check " + f.ID + ": " + said
	if x := f.Evidence.Exit; x != nil {
		line += ", status " + strconv.Itoa(*x)
	}
	if f.Evidence.Digest != "" {
		line += ", output sha256 " + f.Evidence.Digest[:min(len(f.Evidence.Digest), 12)]
	}
	if f.Says != "" {
		line += ": " + f.Says
	}
	fmt.Fprintln(e.stdout, line)
}
