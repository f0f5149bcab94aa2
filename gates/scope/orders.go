package scope

import (
	"regexp"
	"slices"

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
	if !ok || run == nil || places.Repo == nil || !e.Named || e.Loses || e.Op != effect.OpSend || run.Given || run.Contained || len(run.Unlisted) > 0 {
		return nil
	}
	repo, known := places.Repo(run.Cwd)
	if !known {
		return nil
	}
	switch kind := kindOf(e); kind {
	case "":
	case orders.Push:
		if at, ok := repo.At(repo.Sends, true); !ok || at != e.Resource || repo.Branch == "" || e.Ref != repo.Branch || slices.ContainsFunc(run.Words, unusual) {
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

// unusual says whether a word of a push is an option that people do not mean by the word:
// all but those that say what is printed, that the branch is followed from now on, or that
// nothing is pushed (git-push(1)).
func unusual(w string) bool {
	if w == "" || w[0] != '-' {
		return false
	}
	switch w {
	case "-u", "--set-upstream", "-v", "--verbose", "-q", "--quiet", "--progress", "--no-progress", "--porcelain", "-n", "--dry-run", "-C", "--no-pager":
		return false
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
	case e.Deed == "pr comment" || answers.MatchString(e.Deed):
		return orders.Reply
	}
	return ""
}

// answers are the deeds that write below a review's comment or beside it (GitHub's REST
// interface, "Pull request review comments" and "Issue comments"); numbers are stars there.
var answers = regexp.MustCompile(`^api POST (?:pulls/\*/comments(?:/\*/replies)?|pulls/comments/\*/replies|issues/\*/comments)$`)
