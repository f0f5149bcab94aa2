package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/artifacts/export"
	"github.com/gbt-policy/gbt/internal/artifacts/review"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/segment"
	"github.com/gbt-policy/gbt/tree"
)

// policyFormats and runFormats are what --to names: of the policy alone, and of
// runs that --logs names.
var (
	policyFormats = map[string]func(*review.Document, uint32) ([]byte, error){
		"dot":     func(d *review.Document, least uint32) ([]byte, error) { return export.DOT(d, least), nil },
		"mermaid": func(d *review.Document, least uint32) ([]byte, error) { return export.Mermaid(d, least), nil },
		"btcpp":   func(d *review.Document, _ uint32) ([]byte, error) { return export.BTCPP(d), nil },
		"cel":     func(d *review.Document, _ uint32) ([]byte, error) { return export.CEL(d), nil },
		"json":    func(d *review.Document, _ uint32) ([]byte, error) { return export.JSON(d) },
		"schema":  func(*review.Document, uint32) ([]byte, error) { return export.Schema() },
	}
	runFormats = map[string]func([]export.Run) ([]byte, error){
		"xes":  func(runs []export.Run) ([]byte, error) { return export.XES(runs), nil },
		"ocel": export.OCEL,
	}
)

func exportCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "export",
		Usage:     "write a policy, or runs as it cuts them, for other programs",
		ArgsUsage: "POLICY",
		Description: "--to names the format:\n\n" +
			"   dot      the tree for Graphviz\n" +
			"   mermaid  the tree as a flowchart for Markdown; renderers take at most 500 edges: see --family and --least\n" +
			"   btcpp    behavior trees for BehaviorTree.CPP 4 and Groot2; whoever runs them provides Step and Gate,\n" +
			"            and asks global gates at every step\n" +
			"   cel      the gates' expressions, with their messages as comments; a call passes where they are true\n" +
			"   json     everything, statistics included\n" +
			"   schema   the JSON Schema of that\n" +
			"   xes      the runs in --logs as an event log of IEEE 1849\n" +
			"   ocel     the same as an object-centric event log, OCEL 2.0 in JSON\n\n" +
			"Events have the macro, the tool and the time of each call, not its arguments and not its result. Where a log has\n" +
			"no times, they are a second apart from 1970 on.\n\n" +
			"Examples:\n" +
			"   gbt export policy.gbt --to dot | dot -Tsvg -o policy.svg\n" +
			"   gbt export policy.gbt --to mermaid --family support --least 5\n" +
			"   gbt export policy.gbt --to xes --logs runs/ -o runs.xes",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "to", Usage: "write `FORMAT`: " + strings.Join(exportFormats(), ", ")},
			&cli.StringFlag{Name: "o", Usage: "write to `FILE` (default: standard output)"},
			&cli.StringFlag{Name: "family", Usage: "this `FAMILY` alone"},
			&cli.UintFlag{Name: "least", Usage: "dot and mermaid: leave out steps that fewer than `N` runs took"},
			&cli.StringSliceFlag{Name: "logs", Usage: "xes and ocel: the runs in `FILE` or directory (may be given again)"},
			jobsFlag(),
			trustFlag("a policy"), needFlag(),
		},
		Action: func(c *cli.Context) error { return runExport(e, c) },
	}
}

func exportFormats() []string {
	return append(slices.Sorted(maps.Keys(policyFormats)), slices.Sorted(maps.Keys(runFormats))...)
}

func runExport(e *env, c *cli.Context) error {
	if c.NArg() != 1 {
		return fail(exitUsage, "export takes one policy: gbt export POLICY --to dot")
	}
	to, name, file := c.String("to"), c.Args().First(), c.String("o")
	if !slices.Contains(exportFormats(), to) {
		return fail(exitUsage, "--to is %q; formats are %s", to, strings.Join(exportFormats(), ", "))
	}
	if _, ofRuns := runFormats[to]; ofRuns != c.IsSet("logs") {
		return fail(exitUsage, "--logs is for xes and ocel, and they need it: gbt export POLICY --to xes --logs runs/")
	}
	if err := apart([]namedFile{{"-o", file}}, []namedFile{{"the policy", name}}); err != nil {
		return err
	}
	p, info, err := readPolicy(name, trustOf(c))
	if err != nil {
		return err
	}
	var data []byte
	if write := policyFormats[to]; write != nil {
		doc, err := review.New(p, info, review.Options{Family: c.String("family"), Stats: true})
		if err != nil {
			return fail(exitUsage, "%v; without --family all are shown", err)
		}
		data, err = write(doc, uint32(c.Uint("least")))
		if err != nil {
			return err
		}
	} else {
		runs, err := exportRuns(e, c, p.Params.Profile)
		if err != nil {
			return err
		}
		if data, err = runFormats[to](runs); err != nil {
			return err
		}
	}
	if file == "" || file == "-" {
		_, err := e.stdout.Write(data)
		return stdoutError(err)
	}
	return writeFile(file, data, 0o644)
}

// exportRuns reads the runs that --logs names, in the order of the logs.
func exportRuns(e *env, c *cli.Context, profile string) ([]export.Run, error) {
	cut := segment.Default
	if profile == tree.ReferenceProfile {
		cut = segment.Reference
	}
	out := []export.Run{}
	problems := newImportSummary()
	for rec := range logs.Open(c.StringSlice("logs"), logs.Options{Stdin: e.stdin, Workers: jobs(c)}).Records(c.Context) {
		if rec.Problem != nil {
			problems.problem(rec.Problem)
		}
		if rec.Episode != nil {
			out = append(out, exportRun(rec.Episode, cut))
		}
	}
	if err := c.Context.Err(); err != nil {
		return nil, cannotRead(c.Context, err)
	}
	problems.printProblems(e.stderr)
	if len(out) == 0 {
		return nil, fail(exitInput, "%s: no runs; gbt inspect says what is there", strings.Join(c.StringSlice("logs"), ", "))
	}
	return out, nil
}

// outcomeNames are how outcomes are called in event logs.
var outcomeNames = map[corpora.Outcome]string{corpora.OutcomeUnknown: "unknown", corpora.OutcomeSuccess: "success", corpora.OutcomeFailure: "failure"}

func exportRun(ep *corpora.Episode, cut segment.Profile) export.Run {
	path := segment.Segment(ep, cut)
	r := export.Run{ID: ep.ID, Task: ep.TaskID, Outcome: outcomeNames[ep.Outcome]}
	for i := range ep.Steps {
		s := &ep.Steps[i]
		v := export.Event{Macro: s.Tool, Tool: s.Tool, At: s.Start}
		if m := path.Of[i]; m >= 0 {
			v.Macro = path.Macros[m].Key
		}
		r.Events = append(r.Events, v)
	}
	return r
}
