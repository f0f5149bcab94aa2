package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/artifacts/review"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/evolve/retrieve"
)

// policyThings are the parts of a policy that are looked for, under the names that
// gbt show gives them.
func policyThings(p *artifacts.Policy, info *artifacts.Info, file string, kinds []string) ([]searchable, error) {
	doc, err := review.New(p, info, review.Options{})
	if err != nil {
		return nil, err
	}
	var out []searchable
	if slices.Contains(kinds, "node") {
		for i := range doc.Families {
			out = append(out, nodeThings(&doc.Families[i])...)
		}
	}
	if slices.Contains(kinds, "gate") {
		for i := range doc.Gates {
			out = append(out, gateThing(&doc.Gates[i]))
		}
	}
	if slices.Contains(kinds, "window") && len(p.Corpora) > 0 && hasContexts(file) {
		corpus, err := pinnedContexts(p, file, "")
		if err != nil {
			return nil, err
		}
		for _, r := range corpus.Rows(contexts.Unsafe) {
			out = append(out, windowThing(r))
		}
	}
	return out, nil
}

// nodeThings are the nodes of a family, those of one state together: they have the
// same words.
func nodeThings(f *review.Family) []searchable {
	nodes := map[string][]string{}
	for i := range f.Nodes {
		n := &f.Nodes[i]
		nodes[n.State.ID] = append(nodes[n.State.ID], n.ID)
	}
	var out []searchable
	for i := range f.States {
		s := &f.States[i]
		if len(nodes[s.ID]) == 0 {
			continue // a way that recovery alone takes has no node
		}
		out = append(out, searchable{
			Kind: "node", ID: nodes[s.ID][0], State: s.ID, Nodes: nodes[s.ID],
			Title: strings.TrimSuffix(f.Name+": "+s.Key+": "+s.Desc, ": "),
			doc: retrieve.Document{
				Text:  s.Desc + "\n" + s.Delta,
				Names: slices.Concat([]string{f.Name, s.Key}, s.Tools),
			},
		})
	}
	return out
}

func gateThing(g *review.Gate) searchable {
	return searchable{
		Kind: "gate", ID: g.ID, Title: g.Disposition + ", " + g.Scope + ": " + cmp.Or(g.Message, g.Expr),
		doc: retrieve.Document{Text: g.Message, Names: []string{g.Scope, g.Disposition, g.Expr}},
	}
}

// windowThing is an unsafe context: what the file beside the policy has of it, whose
// values are redacted.
func windowThing(r *contexts.Row) searchable {
	rules := []string{}
	for _, ev := range r.Evidence {
		rules = append(rules, ev.Rule)
	}
	slices.Sort(rules)
	rules = slices.Compact(rules)
	return searchable{
		Kind: "window", ID: r.ID, Title: r.Tool + ": " + strings.Join(rules, ", ") + ", " + count(r.Total, "time"),
		doc: retrieve.Document{
			Text:  strings.ToValidUTF8(string(r.Context), " "),
			Names: slices.Concat([]string{r.Tool, r.Family, r.Resource, r.Macro}, rules),
		},
	}
}

// episodeText bounds the words of one episode that are searched.
const episodeText = 16 << 10

// episodeThings are the episodes of the logs that --logs names.
func episodeThings(e *env, c *cli.Context) ([]searchable, error) {
	roots := c.StringSlice("logs")
	if len(roots) == 0 {
		return nil, nil
	}
	var out []searchable
	problems := newImportSummary()
	for rec := range logs.Open(roots, logs.Options{Stdin: e.stdin, Workers: jobs(c)}).Records(c.Context) {
		if rec.Problem != nil {
			problems.problem(rec.Problem)
		}
		if rec.Episode != nil {
			out = append(out, episodeThing(rec.Episode))
		}
	}
	if err := c.Context.Err(); err != nil {
		return nil, cannotRead(c.Context, err)
	}
	problems.printProblems(e.stderr)
	if len(out) == 0 {
		return nil, fail(exitInput, "found no episode in these logs; gbt import --check says what each file holds")
	}
	return out, nil
}

func episodeThing(ep *corpora.Episode) searchable {
	var b strings.Builder
	b.WriteString(ep.Task + "\n" + ep.Final + "\n")
	names := []string{ep.TaskID, ep.Group, ep.Agent}
	for i := range ep.Steps {
		s := &ep.Steps[i]
		names = append(names, s.Tool)
		if b.Len() < episodeText {
			b.WriteString(s.Heard + "\n" + s.Text + "\n" + s.Args + "\n")
		}
	}
	text := b.String()
	text = strings.ToValidUTF8(text[:min(len(text), episodeText)], "")
	slices.Sort(names)
	return searchable{
		Kind: "episode", ID: ep.ID, Title: cmp.Or(ep.Task, ep.TaskID),
		doc: retrieve.Document{Text: text, Names: slices.Compact(names)},
	}
}
