package main

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/corpora/logs"
	"github.com/gbt-policy/gbt/distill"
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
			"Examples:\n" +
			"   gbt distill logs/ -o policy.gbt\n" +
			"   gbt keygen -o team && gbt distill logs/ -o policy.gbt --key team.pem --report report.md\n" +
			"   gbt distill logs/ -o literal.gbt --profile reference",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write the policy to `FILE`", Required: true},
			&cli.StringFlag{Name: "config", Usage: "read settings from `FILE` (see gbt init)"},
			&cli.StringFlag{Name: "profile", Usage: "default or reference, over the configuration"},
			&cli.StringFlag{Name: "key", Usage: "sign with the private key in `FILE` (see gbt keygen)"},
			&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Usage: "run on `N` workers (default: all processors)"},
			&cli.StringFlag{Name: "report", Usage: "write a report for people to `FILE` (Markdown)"},
			&cli.BoolFlag{Name: "json", Usage: "print the summary as one JSON object"},
			&cli.BoolFlag{Name: "timings", Usage: "say on standard error how long each stage took"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "no progress on standard error"},
		},
		Action: func(c *cli.Context) error { return runDistill(e, c) },
	}
}

func runDistill(e *env, c *cli.Context) error {
	if c.NArg() == 0 {
		return fail(exitUsage, "distill needs logs: gbt distill LOGS... -o policy.gbt")
	}
	out, report := c.String("output"), c.String("report")
	if filepath.Clean(out) == filepath.Clean(report) {
		return fail(exitUsage, "-o and --report name the same file")
	}
	for _, name := range []string{out, report} {
		if err := writable(name); err != nil {
			return err
		}
	}
	cfg, err := readConfig(c)
	if err != nil {
		return err
	}
	var key ed25519.PrivateKey
	if name := c.String("key"); name != "" {
		if key, err = readPrivateKey(name); err != nil {
			return err
		}
	}
	res, err := distillLogs(e, c, cfg)
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

func distillLogs(e *env, c *cli.Context, cfg distill.Config) (*distill.Result, error) {
	bar := newProgress(e, c.Bool("quiet") || c.Bool("json"))
	defer bar.Done()
	in := logs.Open(c.Args().Slice(), logs.Options{Stdin: e.stdin, Workers: jobs(c)})
	stages := newTimings(bar)
	res, err := distill.Run(c.Context, in, distill.Options{Config: cfg, Workers: jobs(c), Progress: stages})
	if c.Bool("timings") {
		stages.print(e.stderr)
	}
	if errors.Is(err, distill.ErrNoSuccess) {
		printProblems(e, res.Problems)
		return nil, fail(exitInput, "%s; %s", whyNothing(&res.Counts), hintNothing(&res.Counts))
	}
	if err != nil && c.Context.Err() != nil {
		return nil, fail(exitUsage, "interrupted: nothing was written")
	}
	return res, err
}

// finishDistill writes both files or none, and prints the summary.
func finishDistill(e *env, c *cli.Context, res *distill.Result, data []byte) error {
	printProblems(e, res.Problems)
	sum := newSummary(res, data)
	files, err := contextsFile(c.String("output"), res.Gates)
	if err != nil {
		return err
	}
	files = append(files, newFile{c.String("output"), data, 0o644})
	if name := c.String("report"); name != "" {
		files = append(files, newFile{name, sum.markdown(), 0o644})
	}
	if err := writeFiles(files); err != nil {
		return err
	}
	if c.Bool("json") {
		return printJSON(e, sum)
	}
	_, err = e.stdout.Write(sum.text(c.String("output")))
	return stdoutError(err)
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

func readConfig(c *cli.Context) (distill.Config, error) {
	cfg, err := readConfigFile(c)
	if err != nil {
		return cfg, err
	}
	if p := c.String("profile"); p != "" {
		cfg.Profile = p
		if _, err := distill.ReadConfig([]byte("profile: " + p)); err != nil {
			return cfg, fail(exitUsage, "--profile: %v", err)
		}
	}
	return cfg, nil
}
