package scope

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/gates/orders"
	"github.com/gbt-policy/gbt/internal/gates/class"
)

// This file is about orders to put one issue into a tracker: by a tool of a server that makes one
// and nothing else, or by gh in the clone's own repository.

// issueVerbs and issueNouns are the words of the names of tools that make an issue (the tool lists of
// the servers of Linear, Atlassian, GitHub, GitLab, Sentry and Azure DevOps).
var (
	issueVerbs = [...]string{"add", "create", "file", "new", "open"}
	issueNouns = [...]string{"issue", "ticket", "story", "bug"}
)

// makesIssue says whether an effect is that a tool makes a new issue. The tool's name has a verb and
// a noun for it, and beside them names of trackers alone.
func makesIssue(c *gates.Context, e *effect.Effect) bool {
	if c.Command != "" || e.Kind != effect.Write || e.Op != effect.OpCreate || e.Zone != effect.ZoneRecord || c.Tool == "" {
		return false
	}
	verb, noun := false, false
	for _, w := range call.Words(c.Tool) {
		switch {
		case slices.Contains(issueVerbs[:], w) && !verb:
			verb = true
		case slices.Contains(issueNouns[:], w) && !noun:
			noun = true
		case slices.Contains(orders.Trackers(), w):
		default:
			return false
		}
	}
	return verb && noun
}

// orderedIssue is what has to have been ordered for a tool to make an issue: one in the tracker that
// the tool or its server is called by. Where the call names a repository, it is the one that
// the message was typed in; what goes along is no credential.
func orderedIssue(c *gates.Context, from *From) []orders.Order {
	var owner, repo string
	for i := range c.Args {
		a := &c.Args[i]
		if class.Sent(a.Value)&class.Credentials != 0 {
			return nil
		}
		switch a.Path {
		case "owner":
			owner = a.Value
		case "repo", "repository", "project_id", "projectId":
			repo = a.Value
		}
	}
	if owner != "" {
		repo = owner + "/" + repo
	}
	if strings.Contains(repo, "/") && !strings.HasSuffix(strings.ToLower(from.Base), "/"+strings.ToLower(repo)) {
		return nil
	}
	return issueOrders(c.Tool)
}

// issueOrders are the orders that mean an issue in a tracker of some name.
func issueOrders(name string) []orders.Order {
	out := []orders.Order{{Kind: orders.Issue}}
	for _, t := range orders.Trackers() {
		if strings.Contains(strings.ToLower(name), t) {
			out = append(out, orders.Order{Kind: orders.Issue, In: t})
		}
	}
	return out
}
