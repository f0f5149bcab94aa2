package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/episode"
	"github.com/gbt-policy/gbt/internal/gates/lang"
)

func gatesTestCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "test",
		Usage:     "hold gates to the dispositions expected of them",
		ArgsUsage: "POLICY|gbt.yaml",
		Description: "Each line of the file is a case: a call as gbt check reads it, a bare command, or a recorded context, and what\n" +
			"the gates must say of it: approved if none stops it, else the strictest disposition of those that do.\n\n" +
			"   {\"tool\":\"Bash\",\"args\":{\"command\":\"curl https://a.example\"},\"cwd\":\"/work\",\"expect\":\"rejected\"}\n" +
			"   {\"command\":\"git status\",\"expect\":\"approved\"}\n" +
			"   {\"context\":{...},\"node\":[\"GATE ID\"],\"expect\":\"approved_with_constraints\"}\n\n" +
			"Node gates count in the cases that name them, or in all with --strict. With --guardrail the global guardrail\n" +
			"decides with the gates. Every gate is evaluated by cel-go too; the two must agree on every case.\n" +
			"A difference exits with 1.\n\n" +
			"Example:\n" +
			"   gbt gates test gbt.yaml --contexts cases.jsonl",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "contexts", Usage: "read cases from `FILE`, one JSON object a line", Required: true},
			&cli.BoolFlag{Name: "guardrail", Usage: "expect what guardrail and gates decide together"},
			&cli.BoolFlag{Name: "strict", Usage: "ask the gates of every node in every case"},
			trustFlag("a policy"), needFlag(),
		},
		Action: func(c *cli.Context) error { return runGatesTest(e, c) },
	}
}

// gateCase is one line of a file of cases.
type gateCase struct {
	Expect  string          `json:"expect"`
	Node    []string        `json:"node"`
	Context json.RawMessage `json:"context"`
	Command *string         `json:"command"`
	Tool    *string         `json:"tool"`
}

// parseCase reads a case and builds its context.
func parseCase(line inputLine, tested bool, k *gates.Checker) (*gateCase, *gates.Context, error) {
	var gc gateCase
	if line.long {
		return nil, nil, fmt.Errorf("longer than %d bytes", maxLine)
	}
	if err := json.Unmarshal(line.text, &gc); err != nil {
		return nil, nil, whyNoObject(err)
	}
	if tested && !isDisposition(gc.Expect) {
		return nil, nil, fmt.Errorf("expect is %q: give approved, approved_with_constraints, revision_required or rejected", gc.Expect)
	}
	if len(gc.Context) > 0 {
		var compact bytes.Buffer
		if err := json.Compact(&compact, gc.Context); err != nil {
			return nil, nil, err
		}
		ctx, err := gates.ParseContext(compact.Bytes())
		return &gc, &ctx, err
	}
	in, err := parseCall(line, gc.Tool == nil && gc.Command != nil)
	if err != nil {
		return nil, nil, err
	}
	roots := in.Roots
	if len(roots) == 0 && in.Cwd != "" {
		roots = []string{in.Cwd}
	}
	state := gates.State{Cwd: in.Cwd, Home: in.Home, Roots: roots, UID: -1, GID: -1}
	var past episode.Memory
	past.Hear(in.Task)
	past.Returned("", nil, in.Untrusted...)
	past.Before(&state)
	if in.Shell {
		ctx := gates.ShellContext(in.Command, state)
		return &gc, &ctx, nil
	}
	ctx := k.Context(gates.Request{Tool: in.Tool, Args: in.Args, Hints: in.Hints}, state)
	return &gc, &ctx, nil
}

func isDisposition(name string) bool {
	for d := gates.Rejected; d <= gates.Approved; d++ {
		if d.String() == name {
			return true
		}
	}
	return false
}

// gateTest is one run of gates test.
type gateTest struct {
	e       *env
	set     *gateSet
	checker *gates.Checker
	judges  []*lang.Judge
	full    bool // guardrail and gates together
	strict  bool
	cases   int
	bad     int // differences
}

// readChecker reads the gates a command names, and the checker that they make.
func readChecker(c *cli.Context) (*gateSet, *gates.Checker, error) {
	set, err := readGates(c.Args().First(), trustOf(c))
	if err != nil {
		return nil, nil, err
	}
	k, err := set.checkerOf()
	if err != nil {
		return nil, nil, fail(exitInput, "%s: %w", c.Args().First(), err)
	}
	return set, k, nil
}

func runGatesTest(e *env, c *cli.Context) error {
	if c.NArg() != 1 {
		return fail(exitUsage, "gates test takes one file: gbt gates test POLICY --contexts cases.jsonl")
	}
	set, k, err := readChecker(c)
	if err != nil {
		return err
	}
	t := &gateTest{e: e, set: set, checker: k, full: c.Bool("guardrail"), strict: c.Bool("strict") || k.Strict}
	for i := range set.gates {
		j, err := lang.NewJudge(set.gates[i].Expr)
		if err != nil {
			return fail(exitInput, "%s: %v", c.Args().First(), err)
		}
		t.judges = append(t.judges, j)
	}
	f, err := os.Open(c.String("contexts"))
	if err != nil {
		return fail(exitInput, "%v", err)
	}
	defer f.Close()
	if err := t.lines(c.String("contexts"), bufio.NewReader(f)); err != nil {
		return err
	}
	if t.cases == 0 {
		return fail(exitInput, "%s holds no case: nothing was tested", c.String("contexts"))
	}
	fmt.Fprintf(e.stdout, "%s, %s, %s\n", count(t.cases, "case"), count(len(set.gates), "gate"), count(t.bad, "difference"))
	if t.bad > 0 {
		return &exitError{code: exitFindings} // the lines say which
	}
	return nil
}

func (t *gateTest) lines(name string, in *bufio.Reader) error {
	for n := 1; ; n++ {
		line, err := readLine(in)
		if err != nil && err != io.EOF {
			return fail(exitInput, "%s: %v", name, err)
		}
		if len(bytes.TrimSpace(line.text)) > 0 || line.long {
			gc, ctx, bad := parseCase(line, true, t.checker)
			if bad != nil {
				return fail(exitInput, "%s:%d: %v", name, n, bad)
			}
			t.cases++
			for _, d := range t.differences(gc, ctx) {
				t.bad++
				fmt.Fprintf(t.e.stdout, "%s:%d: %v\n", name, n, d)
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

// differences returns what is not as expected: the decision, or the opinion of
// the judge on a gate.
func (t *gateTest) differences(gc *gateCase, ctx *gates.Context) []error {
	var out []error
	node, err := t.named(gc.Node)
	if err != nil {
		return []error{err}
	}
	got, stopping := t.decide(node, ctx)
	if got.String() != gc.Expect {
		out = append(out, fmt.Errorf("%s, expected %s%s", got, gc.Expect, stopping))
	}
	stops := t.set.library.EvalAll(ctx, nil)
	in := lang.NewInput(ctx)
	for i, j := range t.judges {
		passes, err := j.Passes(in)
		if mine := !slices.Contains(stops, i); err != nil || passes != mine {
			out = append(out, errors.Join(err, fmt.Errorf("gate %.12s lets the case pass: %v, cel-go says %v", t.set.gates[i].ID, mine, passes)))
		}
	}
	return out
}

// named returns the gates that a case names by their ids or the beginnings that
// gates list prints, sorted. A name of no gate is an error: the case would hold
// for nothing.
func (t *gateTest) named(node []string) ([]string, error) {
	var out []string
	for _, name := range node {
		i := slices.IndexFunc(t.set.gates, func(g artifacts.Gate) bool { return len(name) >= shownID && strings.HasPrefix(g.ID, name) })
		if i < 0 {
			return nil, fmt.Errorf("no gate %q; gbt gates list prints their names", name)
		}
		out = append(out, t.set.gates[i].ID)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// shownID is how much of a gate's id is printed.
const shownID = 12

// decide returns what the gates say of a case, and which of them stop it.
func (t *gateTest) decide(node []string, ctx *gates.Context) (gates.Disposition, string) {
	if t.full {
		k := *t.checker
		k.Strict = t.strict
		d := k.Check(ctx, node)
		why := ""
		for _, r := range d.Reasons {
			why += "; " + r.Rule
		}
		return d.Disposition, why
	}
	stopped := t.set.library.Eval(ctx, node, nil)
	if t.strict {
		stopped = t.set.library.EvalAll(ctx, nil)
	}
	d, why := gates.Approved, ""
	for _, i := range stopped {
		id, disp, _ := t.set.library.Verdict(i)
		d = min(d, disp)
		why += fmt.Sprintf("; gate %.12s stops it", id)
	}
	return d, why
}
