package main

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/gates/approval"
	"github.com/gbt-policy/gbt/internal/gates/card"
	"github.com/gbt-policy/gbt/internal/gates/learn"
	"github.com/gbt-policy/gbt/segment"
	"github.com/gbt-policy/gbt/tree"
)

func gatesShowCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "print a card for each gate: what it stops, what it costs, where it came from",
		ArgsUsage: "POLICY|gbt.yaml [ID]",
		Description: "A card has what a person decides by: in a sentence which calls the gate stops, three calls that it stopped,\n" +
			"the honest calls that it would stop or those nearest to it, its rates on tasks left out, where it is asked and\n" +
			"where it came from. The calls stand in the file of contexts beside the policy, without their values. ID is the\n" +
			"beginning of a gate's id; gbt gates list has the expressions.\n\n" +
			"--on LOGS tries the gates on logs of your own: how many calls of how many sessions each would have stopped, and\n" +
			"the first of these calls as they were made, without secrets.\n\n" +
			"Examples:\n" +
			"   gbt gates show policy.gbt\n" +
			"   gbt gates show policy.gbt --proposals\n" +
			"   gbt gates show policy.gbt 3bc90c37 --markdown\n" +
			"   gbt gates show policy.gbt --on ~/.claude/projects",
		Flags: append(cardFlags(),
			&cli.BoolFlag{Name: "proposals", Usage: "the gates that are proposed and not enforced, in their place (see gbt gates accept)"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object a gate"},
			&cli.BoolFlag{Name: "markdown", Usage: "print Markdown, for a report or a pull request"},
			&cli.StringFlag{Name: "contexts", Usage: "read the recorded contexts from `FILE` (default: beside the policy)"},
			trustFlag("a policy"), needFlag(),
		),
		Action: func(c *cli.Context) error { return runGatesShow(e, c) },
	}
}

// cardFlags are those of every command that prints cards.
func cardFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "on", Usage: "say what each gate would have stopped in the logs in `FILE` or directory, and show some of these calls (may be given again)"},
		jobsFlag(),
	}
}

// tryOn says what the gates would have done on the logs that --on names; nil if it
// names none.
func (s *gateSet) tryOn(e *env, c *cli.Context, list []card.Gate) ([]*card.Cost, error) {
	names := c.StringSlice("on")
	if len(names) == 0 || len(list) == 0 {
		return nil, nil
	}
	k, err := s.checkerOf()
	if err != nil {
		return nil, err
	}
	t := card.Trial{Logs: strings.Join(names, ", "), Checker: k, Gates: list}
	if s.policy != nil {
		t.At = distill.AskedAt(s.policy)
		if s.policy.Params.Profile == tree.ReferenceProfile {
			t.Profile = segment.Reference
		}
	}
	costs, problems, err := t.Run(c.Context, logs.Open(names, logs.Options{Stdin: e.stdin, Workers: jobs(c)}))
	printProblems(e, problems)
	if err == nil && costs[0].Sessions == 0 {
		err = fail(exitInput, "%s: no session to try gates on; gbt inspect says what is there", t.Logs)
	}
	return costs, err
}

func runGatesShow(e *env, c *cli.Context) error {
	if c.NArg() < 1 || c.NArg() > 2 {
		return fail(exitUsage, "gates show takes a file and perhaps the id of a gate: gbt gates show POLICY [ID]")
	}
	if c.Bool("json") && c.Bool("markdown") {
		return fail(exitUsage, "--json and --markdown are two forms of the same: choose one")
	}
	s, err := readGates(c.Args().First(), trustOf(c))
	if err != nil {
		return err
	}
	return printCards(e, c, s, c.Args().Get(1))
}

// printCards prints the cards of the gates whose ids begin with id.
func printCards(e *env, c *cli.Context, s *gateSet, id string) error {
	name := c.Args().First()
	list, err := s.described(name, c)
	if err != nil {
		return err
	}
	all := len(list)
	list = slices.DeleteFunc(list, func(g card.Gate) bool { return !strings.HasPrefix(g.ID, id) })
	if len(list) == 0 && id != "" {
		return fail(exitUsage, "%s has no gate whose id begins with %q; gbt gates list prints them", name, id)
	}
	record, err := s.record(name, c.String("contexts"))
	if err != nil {
		return err
	}
	cards, err := s.cards(e, c, list, record)
	if err != nil {
		return err
	}
	for i, one := range cards {
		if i > 0 && !c.Bool("json") {
			fmt.Fprintln(e.stdout)
		}
		if err := printCard(e, c, one); err != nil {
			return err
		}
	}
	if c.Bool("proposals") && all == 0 {
		fmt.Fprintf(e.stderr, "gbt: nothing is proposed beside %s\n", name)
	} else if !c.Bool("proposals") {
		sayNoGates(e, name, all)
	}
	return nil
}

// cards makes the cards of gates; record may be nil.
func (s *gateSet) cards(e *env, c *cli.Context, list []card.Gate, record *card.Record) ([]*card.Card, error) {
	costs, err := s.tryOn(e, c, list)
	if err != nil {
		return nil, err
	}
	out := make([]*card.Card, len(list))
	for i := range list {
		if out[i], err = card.Build(&list[i], record); err != nil {
			return nil, fail(exitInput, "gate %.12s: %v", list[i].ID, err)
		}
		if costs != nil {
			out[i].On = costs[i]
		}
	}
	return out, nil
}

// pageCards are the cards of a page, by id.
func pageCards(e *env, c *cli.Context, name string) (map[string]template.HTML, error) {
	s, err := readGates(name, trustOf(c))
	if err != nil {
		return nil, err
	}
	return s.htmlCards(e, c, name)
}

func (s *gateSet) htmlCards(e *env, c *cli.Context, name string) (map[string]template.HTML, error) {
	list, err := s.described(name, c)
	if err != nil {
		return nil, err
	}
	var record *card.Record
	if c.Bool("calls") {
		if record, err = s.record(name, ""); err != nil {
			return nil, err
		}
	}
	cards, err := s.cards(e, c, list, record)
	if err != nil {
		return nil, err
	}
	out := map[string]template.HTML{}
	for _, one := range cards {
		if out[one.ID], err = one.HTML(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// described are the gates to make cards of, with what the policy and the decisions
// beside it say of each; or the proposals.
func (s *gateSet) described(name string, c *cli.Context) ([]card.Gate, error) {
	if c.Bool("proposals") {
		return s.proposed(name)
	}
	log := &approval.Log{}
	if s.policy != nil {
		var err error
		if log, err = readDecisions(decisionsBeside(name), false, trustOf(c)); err != nil {
			return nil, err
		}
	}
	var out []card.Gate
	for i := range s.gates {
		g := card.Gate{Gate: s.gates[i], Nodes: s.nodes[s.gates[i].ID], Below: s.begins[s.gates[i].ID]}
		if d := log.Of(g.ID); d != nil {
			g.Decided = decidedLine(d)
		}
		out = append(out, g)
	}
	return out, nil
}

func decidedLine(d *approval.Decision) string {
	out := map[string]string{approval.Accept: "accepted", approval.Edit: "edited"}[d.Action] + " by " + d.KeyID()[:12] + ": " + d.Reason
	if d.Shown != "" {
		out += " (" + d.Shown + ")"
	}
	return out
}

// proposed are the proposals beside a policy.
func (s *gateSet) proposed(name string) ([]card.Gate, error) {
	if s.policy == nil {
		return nil, fail(exitUsage, "%s is no policy: proposals stand beside one", name)
	}
	book, err := readProposals(name, s.digest)
	if err != nil {
		return nil, err
	}
	var out []card.Gate
	for i := range book.Proposals {
		p := &book.Proposals[i]
		g, err := p.Gate()
		if err != nil {
			return nil, fail(exitInput, "%s: %v", proposalsBeside(name), err)
		}
		out = append(out, card.Gate{Gate: g, Below: p.Macros, Proposal: true, Why: p.Why, Harm: learn.Share{N: p.HarmStopped, Of: p.Harm}})
	}
	return out, nil
}

func printCard(e *env, c *cli.Context, one *card.Card) error {
	switch {
	case c.Bool("json"):
		return printLine(e, one)
	case c.Bool("markdown"):
		_, err := e.stdout.Write(one.Markdown())
		return stdoutError(err)
	}
	_, err := e.stdout.Write(one.Text())
	return stdoutError(err)
}

// record reads the recorded contexts; nil if the policy pins none, or their file
// is not there and nobody asked for it.
func (s *gateSet) record(name, file string) (*card.Record, error) {
	if s.policy == nil || len(s.policy.Corpora) == 0 {
		return nil, nil
	}
	if file == "" && !hasContexts(name) {
		return nil, nil
	}
	corpus, err := pinnedContexts(s.policy, name, file)
	if err != nil {
		return nil, err
	}
	return &card.Record{Corpus: corpus, At: distill.AskedAt(s.policy)}, nil
}
