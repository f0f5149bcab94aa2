package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/internal/evolve/retrieve"
)

// searchKinds are what can be looked for, in the order of the help.
var searchKinds = []string{"node", "gate", "window", "episode"}

func searchCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "search",
		Usage:     "find nodes, gates and windows of a policy, and episodes, by words",
		ArgsUsage: "POLICY WORDS...",
		Description: "Ranks what has the words, in descriptions, tools, actions, expressions and messages, also by their stems and as\n" +
			"parts of names. Nodes of one state are one result. Windows are the unsafe contexts of the file beside the policy,\n" +
			"whose values are redacted; episodes are those of --logs. The ids are those of gbt show, of gbt windows show\n" +
			"--json (context_ids) and of gbt inspect.\n\n" +
			"Examples:\n" +
			"   gbt search policy.gbt send email\n" +
			"   gbt search policy.gbt --kind gate --kind window secrets --json\n" +
			"   gbt search policy.gbt --logs logs/ --kind episode refund",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "kind", Usage: "only `KIND`s: " + strings.Join(searchKinds, ", ") + " (may be given again)"},
			&cli.StringSliceFlag{Name: "logs", Usage: "search the episodes of `LOGS` too (may be given again)"},
			&cli.IntFlag{Name: "n", Usage: "at most `N` results", Value: 10},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
			trustFlag("a policy"), needFlag(),
			jobsFlag(),
		},
		Action: func(c *cli.Context) error { return runSearch(e, c) },
	}
}

// searchReport is the JSON of gbt search.
type searchReport struct {
	Policy  string       `json:"policy"`
	Words   string       `json:"words"`
	Of      int          `json:"of"` // things that were searched
	Results []searchable `json:"results"`
}

// searchable is one thing to find, as it is shown.
type searchable struct {
	Kind  string   `json:"kind"`
	ID    string   `json:"id"`
	Title string   `json:"title"`
	State string   `json:"state,omitempty"`
	Nodes []string `json:"nodes,omitempty"` // of the state, the first of them is the id

	doc retrieve.Document
}

func runSearch(e *env, c *cli.Context) error {
	words := strings.Join(c.Args().Tail(), " ")
	kinds := c.StringSlice("kind")
	if len(kinds) == 0 {
		kinds = searchKinds
	}
	for _, k := range kinds {
		if !slices.Contains(searchKinds, k) {
			return fail(exitUsage, "--kind is %q: give %s", k, strings.Join(searchKinds, ", "))
		}
	}
	switch {
	case strings.TrimSpace(words) == "":
		return fail(exitUsage, "search needs a policy and words: gbt search POLICY WORDS...")
	case c.Int("n") < 1:
		return fail(exitUsage, "-n is %d: give at least 1", c.Int("n"))
	case c.IsSet("kind") && slices.Contains(kinds, "episode") && len(c.StringSlice("logs")) == 0:
		return fail(exitUsage, "--kind episode needs --logs: a policy holds no episodes")
	}
	p, info, err := openPolicy(e, c.Args().First(), trustOf(c))
	if err != nil {
		return err
	}
	things, err := policyThings(p, info, c.Args().First(), kinds)
	if err != nil {
		return err
	}
	if slices.Contains(kinds, "episode") {
		episodes, err := episodeThings(e, c)
		if err != nil {
			return err
		}
		things = append(things, episodes...)
	}
	found, err := search(things, words, c.Int("n"))
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return printJSON(e, searchReport{Policy: info.Digest, Words: words, Of: len(things), Results: found})
	}
	return printFound(e, found, len(things))
}

// search ranks things by words; the ids of documents are made here, as they have to
// differ among kinds.
func search(things []searchable, words string, n int) ([]searchable, error) {
	docs, seen := make([]retrieve.Document, 0, len(things)), map[string]int{}
	for i := range things {
		d := things[i].doc
		d.ID = things[i].Kind + "/" + things[i].ID
		if seen[d.ID]++; seen[d.ID] > 1 { // logs may name two episodes alike
			d.ID += fmt.Sprintf("/%d", seen[d.ID])
		}
		docs = append(docs, d)
	}
	x, err := retrieve.New(docs)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	hits, err := x.Near(retrieve.Query{Text: words, Names: strings.Fields(words)}, n)
	if err != nil {
		return nil, err
	}
	out := []searchable{}
	for _, h := range hits {
		out = append(out, things[h.Doc])
	}
	return out, nil
}

func printFound(e *env, found []searchable, of int) error {
	if len(found) == 0 {
		fmt.Fprintf(e.stderr, "gbt: nothing has these words (%d things searched); gbt show prints all of them\n", of)
		return nil
	}
	for _, r := range found {
		more := ""
		if len(r.Nodes) > 1 {
			more = fmt.Sprintf(" (and %s of state %s)", count(len(r.Nodes)-1, "more node"), r.State)
		}
		if _, err := fmt.Fprintf(e.stdout, "%-7s %s  %s%s\n", r.Kind, r.ID, excerpt(r.Title, 120, false), more); err != nil {
			return stdoutError(err)
		}
	}
	return nil
}

// exists reports whether a file is there.
func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
