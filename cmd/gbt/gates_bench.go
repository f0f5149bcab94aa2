package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/lang"
)

func gatesBenchCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "bench",
		Usage:     "measure what gates cost for each call",
		ArgsUsage: "POLICY|gbt.yaml",
		Description: "Evaluates the gates on contexts and prints the median and the 99th percentile of one evaluation, in\n" +
			"microseconds, for each number of gates. Where a number is above what the file has, generated gates over paths,\n" +
			"domains and patterns that no call has fill it up. Contexts come from --contexts, in the form of gbt gates test\n" +
			"with expect left out or not, or are those of a dozen ordinary commands.\n\n" +
			"Example:\n" +
			"   gbt gates bench policy.gbt --n 10,100,1000",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "contexts", Usage: "read calls or contexts from `FILE`, one JSON object a line"},
			&cli.StringFlag{Name: "n", Value: "10,100,1000", Usage: "numbers of gates `N,...`"},
			&cli.IntFlag{Name: "rounds", Value: 2000, Usage: "evaluations of each context"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object a line"},
			trustFlag("a policy"), needFlag(),
		},
		Action: func(c *cli.Context) error { return runGatesBench(e, c) },
	}
}

// benchCommands are ordinary commands, for a measurement without contexts.
var benchCommands = [...]string{
	"git status", "ls -la src", "cat README.md | head -40", "go test ./... 2>&1 | tail -20", "python -m pytest -x tests",
	"grep -rn 'func main' --include=*.go .", "sed -i 's/a/b/' config.yaml", "mkdir -p build && cd build && cmake ..",
	"curl -s https://api.example.com/v1/items", "rm -rf node_modules", "find . -name '*.pyc' -delete", "docker ps",
}

// benchRow is one line of the result.
type benchRow struct {
	Gates    int     `json:"gates"`
	Contexts int     `json:"contexts"`
	P50      float64 `json:"p50_us"`
	P99      float64 `json:"p99_us"`
	Stopped  int     `json:"stopped"` // contexts that a gate stops
}

func runGatesBench(e *env, c *cli.Context) error {
	if c.NArg() != 1 || c.Int("rounds") < 1 {
		return fail(exitUsage, "gates bench takes one file and a positive --rounds: gbt gates bench POLICY")
	}
	set, k, err := readChecker(c)
	if err != nil {
		return err
	}
	contexts, err := benchContexts(c.String("contexts"), k)
	if err != nil {
		return err
	}
	for _, field := range strings.Split(c.String("n"), ",") {
		n, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil || n < 1 || n > artifacts.MaxGates {
			return fail(exitUsage, "--n: %q is no number of gates", field)
		}
		lib, err := filled(set, n)
		if err != nil {
			return err
		}
		row := measure(lib, contexts, c.Int("rounds"))
		if c.Bool("json") {
			err = printLine(e, row)
		} else {
			_, err = fmt.Fprintf(e.stdout, "%5d gates  %d contexts  p50 %.2f us  p99 %.2f us  %d stopped\n", row.Gates, row.Contexts, row.P50, row.P99, row.Stopped)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func benchContexts(name string, k *gates.Checker) ([]gates.Context, error) {
	var out []gates.Context
	if name == "" {
		for _, cmd := range benchCommands {
			out = append(out, gates.ShellContext(cmd, gates.State{Cwd: "/work", Roots: []string{"/work"}}))
		}
		return out, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fail(exitInput, "%v", err)
	}
	defer f.Close()
	in := bufio.NewReader(f)
	for n := 1; ; n++ {
		line, err := readLine(in)
		if err != nil && err != io.EOF {
			return nil, fail(exitInput, "%s: %v", name, err)
		}
		if len(bytes.TrimSpace(line.text)) > 0 || line.long {
			_, ctx, bad := parseCase(line, false, k)
			if bad != nil {
				return nil, fail(exitInput, "%s:%d: %v", name, n, bad)
			}
			out = append(out, *ctx)
		}
		if err == io.EOF {
			break
		}
	}
	if len(out) == 0 {
		return nil, fail(exitInput, "%s holds no context", name)
	}
	return out, nil
}

// filled returns a library of n gates: the first of the set, then generated
// ones.
func filled(set *gateSet, n int) (*gates.Library, error) {
	p := artifacts.Policy{Gates: slices.Clone(set.gates[:min(n, len(set.gates))])}
	for i := len(p.Gates); i < n; i++ {
		expr := [...]string{
			`ctx.effects.all(e, e.type != "delete" || !e.resource.under("/srv/bench/%d"))`,
			`ctx.effects.all(e, e.type != "network" || !e.domain.domainUnder("host%d.example.net"))`,
			`!ctx.effects.exists(e, e.argv.matches("(?i)\\bbench-%d\\b.*--force"))`,
			`!ctx.args.exists(a, a.role == "recipient" && a.value == "box%d@example.net")`,
		}[i%4]
		canonical, prog, err := lang.Compile(fmt.Sprintf(expr, i))
		if err != nil {
			return nil, err
		}
		p.Gates = append(p.Gates, artifacts.Gate{ID: canonical, Scope: artifacts.ScopeGlobal, Disposition: artifacts.DispositionReject, Expr: canonical, Program: prog})
	}
	return p.Library()
}

// measure evaluates every context rounds times. The contexts are taken in turn,
// so that none is measured with its data at hand.
func measure(lib *gates.Library, contexts []gates.Context, rounds int) benchRow {
	row := benchRow{Gates: lib.Len(), Contexts: len(contexts)}
	took := make([]time.Duration, 0, rounds*len(contexts))
	dst := make([]int, 0, lib.Len())
	for i := range contexts {
		if len(lib.EvalAll(&contexts[i], dst)) > 0 {
			row.Stopped++
		}
	}
	for range rounds {
		for i := range contexts {
			start := time.Now()
			dst = lib.EvalAll(&contexts[i], dst[:0])
			took = append(took, time.Since(start))
		}
	}
	slices.Sort(took)
	micro := func(share int) float64 { return float64(took[len(took)*share/100].Nanoseconds()) / 1000 }
	row.P50, row.P99 = micro(50), micro(99)
	return row
}
