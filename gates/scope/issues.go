package scope

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/gates/orders"
	"github.com/gbt-policy/gbt/internal/gates/class"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about orders to put one issue into a tracker: by a tool of a server that makes one
// and nothing else, or by gh in the clone's own repository.

// issueVerbs and issueNouns are the words of the names of tools that make an issue (the tool lists of
// the servers of Linear, Atlassian, GitHub, GitLab, Sentry and Azure DevOps).
var (
	issueVerbs = [...]string{"add", "create", "file", "new", "open"}
	issueNouns = [...]string{"issue", "ticket", "story", "bug"}
)

// issueParts are the names of what a new issue says of itself and of the part of the tracker that it
// is in (the same lists). Sorted.
var issueParts = [...]string{
	"body", "cloudId", "content", "description", "dueDate", "due_date", "estimate", "issueType", "issueTypeName", "issue_type", "issuetype", "labelIds", "labels",
	"milestone", "name", "priority", "project", "projectKey", "project_key", "severity", "state", "stateId", "status", "summary", "team", "teamId", "team_id", "title", "type",
}

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
		name := strings.TrimPrefix(a.Path, "fields.")
		first, rest, _ := strings.Cut(name, ".")
		switch {
		case a.Path == "owner":
			owner = a.Value
		case a.Path == "repo" || a.Path == "repository":
			repo = a.Value
		case first == "assignee" || first == "assignees":
			if !slices.Contains([]string{"me", "@me", "[]", "null"}, a.Value) {
				return nil // an agent may start to work at it
			}
		case first == "project_id" || first == "projectId":
			if strings.ContainsAny(a.Value, "/%") || strings.Contains(strings.ToLower(c.Tool), "git") {
				return nil
			}
		case !slices.Contains(issueParts[:], first), rest != "" && (first == "team" || first == "project") && rest != "key" && rest != "id":
			return nil
		}
	}
	if owner != "" {
		repo = owner + "/" + repo
	}
	if repo != "" && !strings.HasSuffix(strings.ToLower(from.Base), "/"+strings.ToLower(repo)) {
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

// makesOne says whether a run is the only one of its kind in a line, and is started once.
func makesOne(c *gates.Context, run *effect.Run) bool {
	n := 0
	for _, r := range c.Runs() {
		if len(r.Words) > 2 && path.Base(r.Words[0]) == "gh" && slices.Contains(r.Words, "issue") {
			n++
		}
	}
	return n == 1 && !run.Background && !shell.Parse(c.Command).Loops()
}

// assignsOthers says whether a run of gh gives an issue to somebody else than who makes it.
func assignsOthers(run *effect.Run) bool {
	for i, w := range run.Words {
		name, value, joined := strings.Cut(w, "=")
		if name != "-a" && name != "--assignee" {
			continue
		}
		if !joined && i+1 < len(run.Words) {
			value = run.Words[i+1]
		}
		if value != "@me" {
			return true
		}
	}
	return false
}
