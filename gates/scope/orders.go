package scope

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/gates/orders"
)

// Orders are, for each of Things, what a user has to have ordered for it to be settled: any
// one of a list, which is empty where no order settles it.
func Orders(c *gates.Context, d *gates.Decision) [][]orders.Order {
	var out [][]orders.Order
	for i := range d.Reasons {
		r := &d.Reasons[i]
		var by []orders.Order
		if r.Rule == "egress/send" && r.Effect >= 0 && r.Effect < len(d.Effects) && c.Elsewhere == "" {
			by = ordered(c, r.Effect)
		}
		for range things(c, d, r) {
			out = append(out, by)
		}
	}
	return out
}

// ordered is what has to have been ordered for effect number i: that git pushes the branch
// which is checked out where pushes go that name nothing, and that gh opens a pull request or
// answers review comments in the repository that it takes by itself. What takes away what is
// there, and what goes to any other place, is nothing that an order means.
func ordered(c *gates.Context, i int) []orders.Order {
	e := &c.Effects[i]
	run, ok := doer(c, i)
	places := c.Places()
	if !ok || run == nil || places.Repo == nil || !e.Named || e.Loses || e.Op != effect.OpSend || run.Given || run.Contained || len(run.Unlisted) > 0 || !plain(run, e.Deed) {
		return nil
	}
	repo, known := places.Repo(run.Cwd)
	if !known {
		return nil
	}
	switch kind := kindOf(e); kind {
	case "":
	case orders.Reply:
		if at, ok := repo.BaseOf(); ok && at == e.Resource && (e.Deed != newComment || slices.ContainsFunc(run.Words, func(w string) bool { return strings.HasPrefix(w, "in_reply_to=") })) {
			return []orders.Order{{Kind: kind}}
		}
	case orders.Push:
		if at, ok := repo.At(repo.Sends, true); !ok || at != e.Resource || repo.Branch == "" || e.Ref != repo.Branch {
			return nil
		}
		return []orders.Order{{Kind: kind}, {Kind: kind, Branch: e.Ref}}
	default:
		if at, ok := repo.BaseOf(); ok && at == e.Resource {
			return []orders.Order{{Kind: kind}}
		}
	}
	return nil
}

// plainly are the options that an order means with its deed, by kind: those that say what is
// printed, how git remembers where the branch goes, and what the text is (git-push(1); gh pr
// create --help; gh pr comment --help; gh api --help). Sorted.
var plainly = map[string][]string{
	"push":       {"--dry-run", "--no-pager", "--no-progress", "--porcelain", "--progress", "--quiet", "--set-upstream", "--verbose", "-C", "-n", "-q", "-u", "-v"},
	"pr create":  {"--base", "--body", "--body-file", "--draft", "--fill", "--fill-first", "--fill-verbose", "--head", "--repo", "--title", "-B", "-F", "-H", "-R", "-b", "-d", "-f", "-t"},
	"pr comment": {"--body", "--body-file", "--repo", "-F", "-R", "-b"},
	"api":        {"--field", "--header", "--include", "--jq", "--method", "--raw-field", "--silent", "-F", "-H", "-X", "-f", "-i", "-q"},
}

// fields are those of a request that an order means (GitHub's REST interface, "Create a reply
// for a review comment", "Create a review comment for a pull request", "Create an issue
// comment", "Create a pull request"). Sorted.
var fields = []string{"base", "body", "draft", "head", "in_reply_to", "title"}

// plain says whether all options of a run are such.
func plain(r *effect.Run, deed string) bool {
	api := strings.HasPrefix(deed, "api ")
	if api {
		deed = "api"
	}
	for i, w := range r.Words[1:] {
		if len(w) > 1 && w[0] == '-' {
			if name, _, _ := strings.Cut(w, "="); !slices.Contains(plainly[deed], name) {
				return false
			}
		}
		if api && (w == "-f" || w == "-F" || w == "--field" || w == "--raw-field") {
			if i+2 >= len(r.Words) {
				return false
			}
			if name, value, _ := strings.Cut(r.Words[i+2], "="); !slices.Contains(fields, name) || strings.HasPrefix(value, "@") {
				return false
			}
		}
		if api && (strings.HasPrefix(w, "--field=") || strings.HasPrefix(w, "--raw-field=")) {
			return false // nobody writes it so
		}
	}
	return true
}

// Ordering are the kinds of orders that a call carries out, once each.
func Ordering(c *gates.Context) []orders.Kind {
	var out []orders.Kind
	for i := range c.Effects {
		if k := kindOf(&c.Effects[i]); k != "" && !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

// kindOf is the kind of order that an effect would carry out, wherever it goes.
func kindOf(e *effect.Effect) orders.Kind {
	switch {
	case e.Kind != effect.Network:
	case e.Program == "git" && e.Deed == "push":
		return orders.Push
	case e.Program != "gh":
	case e.Deed == "pr create" || e.Deed == "api POST pulls":
		return orders.PullRequest
	case e.Deed == "pr comment" || answers(e.Deed):
		return orders.Reply
	}
	return ""
}

// newComment is the deed of a comment on a line of a pull request, which is a reply if it
// says to what.
const newComment = "api POST pulls/*/comments"

// answers says whether a deed writes below a review's comment or beside it (GitHub's REST
// interface, "Pull request review comments" and "Issue comments"); numbers are stars there.
func answers(deed string) bool {
	switch deed {
	case newComment, "api POST pulls/*/comments/*/replies", "api POST pulls/comments/*/replies", "api POST issues/*/comments":
		return true
	}
	return false
}
