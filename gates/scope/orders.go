package scope

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/gates/orders"
	"github.com/gbt-policy/gbt/internal/gates/keeps"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// Orders are, for each of Things, what a user has to have ordered for it to be settled: any
// one of a list, which is empty where no order settles it. from is where they were given.
func Orders(c *gates.Context, d *gates.Decision, from From) [][]orders.Order {
	var out [][]orders.Order
	for i := range d.Reasons {
		r := &d.Reasons[i]
		var by []orders.Order
		if r.Rule == "egress/send" && r.Effect >= 0 && r.Effect < len(d.Effects) && c.Elsewhere == "" {
			by = ordered(c, r.Effect, &from)
		}
		if r.Rule == "record/write" && r.Effect >= 0 && r.Effect < len(d.Effects) && c.Elsewhere == "" && makesIssue(c, &d.Effects[r.Effect]) {
			by = orderedIssue(c, &from)
		}
		for range things(c, d, r) {
			out = append(out, by)
		}
	}
	return out
}

// From is where a message was typed: where pushes went then that name nothing, the branch that was
// checked out, and the repository that gh took. What is empty was not known, and settles nothing.
type From struct {
	Sends  string `json:"sends,omitempty"`
	Branch string `json:"branch,omitempty"`
	Base   string `json:"base,omitempty"`
}

// FromOf is where a message was typed in a repository.
func FromOf(r *effect.Repository) From {
	sends, _ := r.At(r.Sends, true)
	base, _ := r.BaseOf()
	return From{Sends: sends, Branch: r.Branch, Base: base}
}

// ordered is what has to have been ordered for effect number i: that git pushes the branch
// which is checked out where pushes go that name nothing, and that gh opens a pull request or
// answers review comments in the repository that it takes by itself. What takes away what is
// there, and what goes to any other place, is nothing that an order means.
func ordered(c *gates.Context, i int, from *From) []orders.Order {
	e := &c.Effects[i]
	run, ok := doer(c, i)
	places := c.Places()
	if !ok || run == nil || len(run.Words) < 2 || kindOf(e) == "" || places.Repo == nil || !e.Named || e.Loses || e.Op != effect.OpSend || run.Given || run.Contained || len(run.Unlisted) > 0 || !plain(run, e.Deed) || handedOn(c, run) {
		return nil
	}
	repo, known := places.Repo(dirOf(c, run))
	if !known {
		return nil
	}
	switch kind := kindOf(e); kind {
	case orders.Issue:
		if at, ok := repo.BaseOf(); ok && at == e.Resource && at == from.Base && !assignsOthers(run) && makesOne(c, run) {
			return issueOrders("github")
		}
	case orders.Reply:
		if at, ok := repo.BaseOf(); ok && at == e.Resource && at == from.Base && (e.Deed != newComment || slices.ContainsFunc(run.Words, func(w string) bool { return strings.HasPrefix(w, "in_reply_to=") })) {
			return []orders.Order{{Kind: kind}}
		}
	case orders.Push:
		if at, ok := repo.At(repo.Sends, true); !ok || at != e.Resource || at != from.Sends || repo.Branch == "" || e.Ref != repo.Branch || !sendsItself(run, repo.Branch) {
			return nil
		}
		out := []orders.Order{{Kind: kind, Branch: e.Ref}}
		if from.means(&repo) {
			out = append(out, orders.Order{Kind: kind})
			if !based(repo.Branch) && (repo.Unsent || repo.Default != "" && repo.Default != repo.Branch) {
				out = append(out, orders.Order{Kind: kind, SideBranch: true})
			}
		}
		return out
	default:
		if at, ok := repo.BaseOf(); ok && at == e.Resource && at == from.Base && from.means(&repo) && !switches(c) {
			return requested(run, &repo)
		}
	}
	return nil
}

// handsOnce are programs that run another one once, where they are themselves (their manuals,
// coreutils and the shell).
var handsOnce = [...]string{"command", "exec", "nice", "nohup", "stdbuf", "time", "timeout"}

// handedOn says whether another program of the line is given the run to start: it may do so in other
// directories, at other commits and more than once ("git submodule foreach git push").
func handedOn(c *gates.Context, r *effect.Run) bool {
	prog := path.Base(r.Words[0])
	first := prog + " " + r.Words[1]
	list := c.Runs()
	for i := range list {
		by := &list[i]
		if len(by.Words) > 1 && !slices.Contains(handsOnce[:], path.Base(by.Words[0])) &&
			slices.ContainsFunc(by.Words[1:], func(w string) bool { return path.Base(w) == prog || strings.Contains(w, first) }) {
			return true
		}
	}
	return false
}

// dirOf is the directory in which a run of git, or of another program, does its work.
func dirOf(c *gates.Context, r *effect.Run) string {
	dir, places := r.Cwd, c.Places()
	if path.Base(r.Words[0]) == "git" {
		for _, d := range shell.GitDirs(r.Words) {
			dir = places.Resolve(dir, d)
		}
	}
	return dir
}

// means says whether the branch that is checked out is the one on which a message was typed, or one
// that the remote does not have.
func (f *From) means(r *effect.Repository) bool {
	return r.Branch != "" && (r.Branch == f.Branch || r.Unsent && !based(r.Branch))
}

// based says whether a branch is called as one that others' work is based on or that something is
// deployed from.
func based(branch string) bool {
	name, rest, below := strings.Cut(strings.ToLower(branch), "/")
	if name = strings.TrimRight(name, "0123456789.-_"); below && rest != "" {
		switch name {
		case "release", "releases", "env", "environments", "deploy", "stable", "hotfix":
			return true
		}
		return false
	}
	switch name {
	case "main", "master", "dev", "develop", "development", "trunk", "default", "next", "stable", "staging", "stage", "prod", "production", "live", "release", "releases", "gh-pages", "pages", "deploy", "deployment", "integration", "qa", "uat", "env", "environments":
		return true
	}
	return false
}

// sendsItself says whether what a push names is what is checked out, and not another commit that
// is to be the branch there (git-push(1), the refspec).
func sendsItself(r *effect.Run, branch string) bool {
	at, named := slices.Index(r.Words, "push"), false
	for _, w := range r.Words[at+1:] {
		if strings.HasPrefix(w, "-") {
			continue
		}
		if src, _, _ := strings.Cut(w, ":"); named && src != "HEAD" && src != "@" && src != branch && src != "refs/heads/"+branch {
			return false
		}
		named = true // the first is the remote
	}
	return at > 0
}

// switches says whether a line may check out another branch: git does more on it than what is known
// not to.
func switches(c *gates.Context) bool {
	return slices.ContainsFunc(c.Runs(), func(r effect.Run) bool {
		switch path.Base(r.Words[0]) {
		case "git":
			sub, _ := strings.CutPrefix(r.Tool, "git ")
			return !keeps.Git(sub, keeps.GitBranch)
		case "gh":
			return r.Tool == "gh pr checkout" || r.Tool == ""
		}
		return false
	})
}

// requested are the orders that mean a pull request with such words: of the branch that is checked
// out, into the one that is named or the repository's own.
func requested(r *effect.Run, repo *effect.Repository) []orders.Order {
	base := ""
	for i := 1; i < len(r.Words); i++ {
		name, value, given := strings.Cut(r.Words[i], "=")
		if !given && i+1 < len(r.Words) {
			value = r.Words[i+1]
		}
		switch name {
		case "--head", "-H", "head":
			if value != repo.Branch {
				return nil
			}
		case "--base", "-B", "base":
			if base != "" && base != value {
				return nil
			}
			base = value
		}
	}
	if base == "" {
		base = repo.Default
	}
	out := []orders.Order{{Kind: orders.PullRequest, Branch: base}}
	switch base {
	case "":
		out = []orders.Order{{Kind: orders.PullRequest}, {Kind: orders.PullRequest, Branch: "main"}, {Kind: orders.PullRequest, Branch: "master"}}
	case repo.Default, "main", "master", "dev", "develop", "trunk":
		out = append(out, orders.Order{Kind: orders.PullRequest})
	}
	if drafts(r) {
		for _, o := range out[:len(out):len(out)] {
			o.Draft = true
			out = append(out, o)
		}
	}
	return out
}

// drafts says whether a pull request is opened as a draft (gh pr create --help; GitHub's REST interface, "Create a
// pull request").
func drafts(r *effect.Run) bool {
	return slices.ContainsFunc(r.Words, func(w string) bool { return w == "--draft" || w == "draft=true" })
}

// plainly are the options that an order means with its deed, by kind: those that say what is
// printed, how git remembers where the branch goes, and what the text is (git-push(1); gh pr
// create --help; gh pr comment --help; gh api --help). Sorted.
var plainly = map[string][]string{
	"push":         {"--dry-run", "--no-pager", "--no-progress", "--porcelain", "--progress", "--quiet", "--set-upstream", "--verbose", "-C", "-n", "-q", "-u", "-v"},
	"pr create":    {"--base", "--body", "--body-file", "--draft", "--fill", "--fill-first", "--fill-verbose", "--head", "--repo", "--title", "-B", "-F", "-H", "-R", "-b", "-d", "-f", "-t"},
	"issue create": {"--assignee", "--body", "--body-file", "--label", "--milestone", "--repo", "--title", "-F", "-R", "-a", "-b", "-l", "-m", "-t"},
	"pr comment":   {"--body", "--body-file", "--repo", "-F", "-R", "-b"},
	"api":          {"--field", "--header", "--include", "--jq", "--method", "--raw-field", "--silent", "-F", "-H", "-X", "-f", "-i", "-q"},
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
		if api && (w == "-H" || w == "--header") && (i+2 >= len(r.Words) || !plainHeader(r.Words[i+2])) || api && strings.HasPrefix(w, "--header=") || api && strings.HasPrefix(strings.TrimPrefix(w, "/"), "repos/") && strings.Contains(w, "?") {
			return false // one may say another method, and a query more than the fields do
		}
		if api && (strings.HasPrefix(w, "--field=") || strings.HasPrefix(w, "--raw-field=")) {
			return false // nobody writes it so
		}
	}
	return true
}

// plainHeader says whether a header of a request only says which form of the interface is meant.
func plainHeader(h string) bool {
	name, _, _ := strings.Cut(strings.ToLower(h), ":")
	return name == "accept" || name == "x-github-api-version"
}

// Pushed is the branch that a call pushes; empty where it pushes none, or more than one.
func Pushed(c *gates.Context) string {
	ref := ""
	for i := range c.Effects {
		switch e := &c.Effects[i]; {
		case kindOf(e) != orders.Push:
		case ref != "" && ref != e.Ref, strings.ContainsAny(e.Ref, " *"):
			return ""
		default:
			ref = e.Ref
		}
	}
	return ref
}

// Ordering are the kinds of orders that a call carries out, once each.
func Ordering(c *gates.Context) []orders.Kind {
	var out []orders.Kind
	for i := range c.Effects {
		k := kindOf(&c.Effects[i])
		if makesIssue(c, &c.Effects[i]) {
			k = orders.Issue
		}
		if k != "" && !slices.Contains(out, k) {
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
	case e.Deed == "issue create":
		return orders.Issue
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
