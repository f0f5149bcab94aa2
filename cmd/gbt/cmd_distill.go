package main

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
)

func distillCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "distill",
		Usage:     "turn logs into one policy",
		ArgsUsage: "LOGS...",
		Description: "Reads agent logs (files, directories, globs, - for standard input; see gbt import --help for layouts),\n" +
			"cuts them into macros, merges the successful episodes into a tree and writes the policy.\n" +
			"The same logs and settings give the same bytes in any order and with any number of workers.\n" +
			"Without --key the policy is unsigned, and every command that reads it says so.\n" +
			"A record that cannot be read costs itself: it is reported, and the rest is distilled (exit status 0).\n" +
			"Without any successful episode, or if a file cannot be written, the exit status is 5. Ctrl-C ends with 2.\n" +
			"Both leave no output file.\n\n" +
			"Of every episode that the logs call unsafe the minimal window of calls that did it is found, by replaying the\n" +
			"log (or, with --env, --workspace or --mcp, by running its calls again), and gates are learned from the last call\n" +
			"of it. A replay that gives another result than the log is reported with its first step that differs, and\n" +
			"neither its unsafe nor its benign calls teach a gate anything. --monitors FILE, or monitors in the configuration, also judges the episodes that nobody judged,\n" +
			"and so does an environment given by --env, which runs them too.\n\n" +
			"Sessions that nobody judged are cut into the user's requests, and each is labelled by rules on facts, if the\n" +
			"configuration says outcomes: coding (the ready set for coding agents) or lists rules of its own; what rests on\n" +
			"them says so. A rule may name a command to run now: it runs only with --run-checks.\n\n" +
			"With --parent the policy succeeds an older one: it keeps all its gates, and the contexts on record with it\n" +
			"(OLD.contexts.parquet beside it), and says so in its sequence number and its parent's digest. If it let pass\n" +
			"anything that the older one stops, or is a setting of its guardrail or a tool schema looser or new, nothing is\n" +
			"written and the exit status is 3. Whoever means to loosen a setting starts a new line, without --parent, and\n" +
			"writes the gates to keep into its configuration (gates: in gbt.yaml); gbt diff shows what changes. A gate of a macro that the new\n" +
			"logs do not show is asked everywhere. What people decided about its proposals (OLD.decisions.jsonl) is obeyed\n" +
			"and goes beside the new policy. Proposals go beside it too: FILE.proposals.json, for gbt gates accept and reject.\n\n" +
			"No text of the logs stands in the policy: tasks are vectors, descriptions have the verb, the kind of thing and\n" +
			"plain words that 5 independent tasks share. --report lists what is sealed. --keep-text seals tasks, sentences of\n" +
			"agents and names of suites and directories too, and the policy says so (gbt verify, gbt show).\n\n" +
			"Examples:\n" +
			"   gbt distill logs/ -o policy.gbt\n" +
			"   gbt keygen -o team && gbt distill logs/ -o policy.gbt --key team.pem --report report.md\n" +
			"   gbt distill new-logs/ -o new.gbt --parent old.gbt --trust team.pub\n" +
			"   gbt distill logs/ -o policy.gbt --suite suite/ && gbt replay policy.gbt suite/\n" +
			"   gbt distill logs/ -o literal.gbt --profile reference\n" +
			"   echo 'outcomes: coding' > gbt.yaml && gbt distill ~/.claude/projects -o policy.gbt --config gbt.yaml",
		Flags: append(liveFlags(),
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write the policy to `FILE`", Required: true},
			&cli.StringFlag{Name: "config", Usage: "read settings from `FILE` (see gbt init)"},
			monitorsFlag(),
			runChecksFlag(),
			&cli.StringFlag{Name: "profile", Usage: "default or reference, over the configuration"},
			&cli.BoolFlag{Name: "keep-text", Usage: "seal texts of the logs too: tasks, sentences of agents, names of suites and directories"},
			&cli.StringFlag{Name: "parent", Usage: "succeed the policy in `FILE`: keep its gates and its contexts"},
			trustFlag("a parent"), needFlag(),
			decisionsFlag(),
			reviewerFlag(),
			&cli.StringFlag{Name: "key", Usage: "sign with the private key in `FILE` (see gbt keygen)"},
			jobsFlag(),
			&cli.StringFlag{Name: "report", Usage: "write a report for people to `FILE` (Markdown)"},
			&cli.StringFlag{Name: "suite", Usage: "add the policy's cases to the regression suite in `DIR` (see gbt replay)"},
			&cli.BoolFlag{Name: "json", Usage: "print the summary as one JSON object"},
			&cli.BoolFlag{Name: "timings", Usage: "say on standard error how long each stage took"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "no progress on standard error"},
		),
		Action: func(c *cli.Context) error { return runDistill(e, c) },
	}
}

func runDistill(e *env, c *cli.Context) error {
	if c.NArg() == 0 {
		return fail(exitUsage, "distill needs logs: gbt distill LOGS... -o policy.gbt")
	}
	out, report := c.String("output"), c.String("report")
	if out == "" {
		return fail(exitUsage, "-o is empty: gbt distill LOGS... -o policy.gbt")
	}
	ins := append(trusted(c), namedFile{"--key", c.String("key")}, namedFile{"--config", c.String("config")})
	for _, log := range c.Args().Slice() {
		ins = append(ins, namedFile{"a log", log})
	}
	// A parent may be replaced by its successor: it is read before.
	if err := apart([]namedFile{{"-o", out}, {"the contexts beside -o", contextsBeside(out)}, {"the proposals beside -o", proposalsBeside(out)}, {"--report", report}}, ins); err != nil {
		return err
	}
	outs := []output{{"-o", out, markPolicy}, {"the contexts beside -o", contextsBeside(out), markContexts}, {"the proposals beside -o", proposalsBeside(out), markProposals}, {"--report", report, markReport}}
	if err := spareLogs(c.Context, outs, c.Args().Slice()); err != nil {
		return err
	}
	if err := spareSuite(c.String("suite"), c.Args().Slice()); err != nil {
		return err
	}
	for _, name := range []string{out, report} {
		if err := writable(name); err != nil {
			return err
		}
	}
	cfg, err := readConfig(e, c)
	if err != nil {
		return err
	}
	if err := sealContent(&cfg.Content); err != nil {
		return err
	}
	var key ed25519.PrivateKey
	if name := c.String("key"); name != "" {
		if key, err = readPrivateKey(name); err != nil {
			return err
		}
	}
	parent, err := readParent(e, c)
	if err != nil {
		return err
	}
	defer distill.LimitMemory(jobs(c))() // until all is written
	res, err := distillLogs(e, c, cfg, parent)
	if err != nil {
		return err
	}
	data, err := artifacts.Encode(res.Policy)
	if err != nil {
		return fmt.Errorf("encode policy: %w", err)
	}
	if key != nil {
		if data, err = artifacts.Sign(data, key); err != nil {
			return fmt.Errorf("sign policy: %w", err)
		}
	}
	return finishDistill(e, c, res, data)
}

func distillLogs(e *env, c *cli.Context, cfg distill.Config, parent *distill.Parent) (*distill.Result, error) {
	bar := newProgress(e, c.Bool("quiet") || c.Bool("json"))
	defer bar.Done()
	in := logs.Open(c.Args().Slice(), logs.Options{Stdin: e.stdin, Workers: jobs(c)})
	stages := newTimings(bar)
	live, err := openEnv(c)
	if err != nil {
		return nil, err
	}
	if live != nil {
		defer live.Close()
	}
	proposer, err := newProposer(&cfg.Learning.Proposer, filepath.Dir(c.String("config")))
	if err != nil {
		return nil, err
	}
	decided, err := parentDecisions(c, c.String("parent"))
	if err != nil {
		return nil, err
	}
	sayUntrusted(e, c, c.String("parent"), decided)
	res, err := distill.Run(c.Context, in, distill.Options{Config: cfg, Rejected: decided.Rejected, Workers: jobs(c), Progress: stages, Parent: parent,
		Env: live, EnvJudges: c.String("env") != "", Cold: c.Bool("cold"), Loose: c.Bool("loose"), Proposer: proposer.model()})
	if err == nil {
		err = proposer.keep()
	}
	if c.Bool("timings") {
		stages.print(e.stderr)
	}
	if errors.Is(err, distill.ErrNoSuccess) {
		printProblems(e, res.Problems)
		return nil, fail(exitInput, "%s; %s", whyNothing(&res.Counts), hintNothing(&res.Counts))
	}
	if bad := (*distill.ErrReadmitted)(nil); errors.As(err, &bad) {
		return nil, fail(exitReadmitted, "%v; nothing was written", bad)
	}
	if bad := (*distill.ErrLooser)(nil); errors.As(err, &bad) {
		return nil, fail(exitReadmitted, "%v; nothing was written. Set them as the parent has them (gbt show), or start a new line without --parent if that is meant", bad)
	}
	if errors.Is(err, distill.ErrLastSequence) {
		return nil, fail(exitInput, "--parent: %v", err)
	}
	if err != nil && c.Context.Err() != nil {
		return nil, fail(exitUsage, "interrupted: nothing was written")
	}
	return res, unlessCoded(err)
}

// unlessCoded gives an error of the library the status of what could not be read
// or written: wrong usage was found before, so that it is the logs, the
// environment or the disk.
func unlessCoded(err error) error {
	if ee := (*exitError)(nil); err == nil || errors.As(err, &ee) {
		return err
	}
	return fail(exitInput, "%v; nothing was written", err)
}

// finishDistill writes both files or none, and prints the summary.
func finishDistill(e *env, c *cli.Context, res *distill.Result, data []byte) error {
	printProblems(e, res.Problems)
	printDivergences(e, &res.Windows)
	sum := newSummary(res, data)
	files, err := contextsFile(c.String("output"), res.Gates)
	if err != nil {
		return err
	}
	proposals, err := proposalsFile(c.String("output"), res.Policy, res.Gates, data)
	if err != nil {
		return err
	}
	if sum.Gates != nil {
		sum.Gates.proposals = len(proposals) > 0
	}
	files = append(append(files, proposals...), newFile{c.String("output"), data, 0o644})
	kept, err := keptDecisions(c, c.String("parent"))
	if err != nil {
		return err
	}
	files = append(files, kept...)
	if name := c.String("report"); name != "" {
		files = append(files, newFile{name, sum.markdown(), 0o644})
	}
	var corpus *contexts.Corpus
	if res.Gates != nil {
		corpus = res.Gates.Contexts
	}
	cases, err := suiteFiles(c.String("suite"), res.Policy, corpus)
	if err != nil {
		return err
	}
	if err := writeFiles(append(files, cases...)); err != nil {
		return err
	}
	if c.Bool("json") {
		return printJSON(e, sum)
	}
	_, err = e.stdout.Write(sum.text(c.String("output")))
	return stdoutError(err)
}

// readParent reads the policy that --parent names, with its contexts; nil if
// there is none.
func readParent(e *env, c *cli.Context) (*distill.Parent, error) {
	name := c.String("parent")
	if name == "" {
		if c.IsSet("trust") {
			return nil, fail(exitUsage, "--trust is the key of a parent: give --parent too, or sign with --key")
		}
		return nil, nil
	}
	p, info, err := openPolicy(e, name, trustOf(c))
	if err != nil {
		return nil, err
	}
	out := &distill.Parent{Policy: p, Digest: info.Digest}
	if len(p.Corpora) > 0 {
		if out.Contexts, err = pinnedContexts(p, name, ""); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// readConfigFile reads the file that --config names, or the defaults.
func readConfigFile(c *cli.Context) (distill.Config, error) {
	cfg := distill.DefaultConfig()
	name := c.String("config")
	if name == "" {
		return cfg, nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return cfg, fail(exitInput, "%v", err)
	}
	if cfg, err = distill.ReadConfig(data); err != nil {
		return cfg, fail(exitUsage, "%s: %v; gbt init writes a file with every key explained", name, err)
	}
	return cfg, nil
}

func monitorsFlag() cli.Flag {
	return &cli.StringFlag{Name: "monitors", Usage: "judge unjudged episodes by the rules in `FILE` (see gbt windows spec), over the configuration"}
}

// readMonitors reads the file of monitors that --monitors or the configuration
// names, which stands beside the configuration.
func readMonitors(e *env, c *cli.Context, cfg *distill.Config) error {
	name := c.String("monitors")
	if name == "" && cfg.Monitors != "" {
		if name = cfg.Monitors; !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(c.String("config")), name)
		}
	}
	if name == "" {
		return nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return fail(exitInput, "monitors: %v", err)
	}
	return specProblems(e, name, cfg.LoadMonitors(name, data))
}

func readConfig(e *env, c *cli.Context) (distill.Config, error) {
	sayConfig(e, c)
	cfg, err := readConfigFile(c)
	if err != nil {
		return cfg, err
	}
	if err := readMonitors(e, c, &cfg); err != nil {
		return cfg, err
	}
	if err := runChecks(e, c, &cfg); err != nil {
		return cfg, err
	}
	cfg.KeepText = cfg.KeepText || c.Bool("keep-text")
	if p := c.String("profile"); p != "" {
		cfg.Profile = p
		if _, err := distill.ReadConfig([]byte("profile: " + p)); err != nil {
			return cfg, fail(exitUsage, "--profile: %v", err)
		}
	}
	return cfg, nil
}
