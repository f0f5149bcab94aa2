package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about the words of a question to the workspace's own remote, after secrets
// were read: a branch, a path or a search is sent there, and can be the secret. No secret is
// kept, so nothing can be compared with one. A word passes if it is known by other means:
// it is a number, a word of the interface, or the name of what was there before.

// saysNothing says whether all words of the runs that an effect belongs to are known.
func (c *Context) saysNothing(i int) bool {
	for k := range c.runs {
		if r := &c.runs[k]; slices.Contains(r.Effects, i) && !c.knownWords(r) {
			return false
		}
	}
	return true
}

// localOptions are options of gh whose value stays on this machine (gh help formatting).
// Sorted.
var localOptions = [...]string{"--format", "--jq", "--json", "--template", "-q", "-t"}

// knownWords says whether every word of a run behind its subcommand is known.
func (c *Context) knownWords(r *effect.Run) bool {
	words := r.Words[min(len(r.Words), max(1, len(strings.Fields(r.Tool)))):]
	local := false
	for _, w := range words {
		name, value, has := cutAt(w, "=")
		switch {
		case local:
			local = false
		case len(w) > 1 && w[0] == '-' && path.Base(r.Words[0]) == "gh" && searched(localOptions[:], name):
			local = !has
		case strings.HasPrefix(w, "--"):
			if !letters(name[2:]) || has && !c.knownWord(r, value) {
				return false
			}
		case len(w) > 1 && w[0] == '-':
			if !letters(w[1:]) && !number(w[1:]) || len(w) > maxLetters {
				return false
			}
		case !c.knownWord(r, w):
			return false
		}
	}
	return true
}

// maxLetters bounds letters of options that stand together: a longer word may be a value.
const maxLetters = 4

// letters says whether a word could be an option's name.
func letters(w string) bool {
	return strings.Trim(w, "abcdefghijklmnopqrstuvwxyz-ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && len(w) < 32
}

// maxDigits is what numbers of pull requests and of runs stay below.
const maxDigits = 12

func number(w string) bool {
	return w != "" && len(w) <= maxDigits && strings.Trim(w, "0123456789") == ""
}

// askedWords are words of the paths and queries by which git and the interfaces of its
// hosts are asked (gitrevisions(7); the GitHub REST API; gh's manual), and names that
// branches of projects have.
var askedWords = [...]string{
	"+", "@me", "HEAD", "actions", "all", "annotations", "artifacts", "asc", "author", "base", "branch", "branches", "check-runs", "check-suites", "checks", "closed", "comments", "commits",
	"compare", "completed", "contents", "contributors", "created", "dependencies", "desc", "description", "develop", "dist-tags", "engines", "failure", "files", "git", "heads", "head", "is",
	"issue", "issues", "jobs", "labels", "latest", "license", "logs", "main", "master", "merged", "milestones", "name", "open", "page", "peerDependencies", "per_page", "pr", "protection",
	"pull", "pulls", "queued", "ref", "reactions", "readme", "refs", "releases", "remotes", "repos", "requested_reviewers", "review", "reviews", "runs", "sort", "state", "status", "statuses", "success", "tags",
	"teams", "timeline", "topics", "tree", "trees", "trunk", "updated", "user", "version", "versions", "workflows", "{owner}", "{repo}",
}

// knownWord says whether a word names what was known before secrets were read.
func (c *Context) knownWord(r *effect.Run, w string) bool {
	if w == "" || mark.Has(w) {
		return w == ""
	}
	if c.knownName(r, w) || c.fromTask(w) {
		return true
	}
	rest := w
	for _, remote := range c.places.Remotes { // an address of the repository's own
		if at := effect.Remote(w); at == remote {
			return true
		}
		if _, repo, ok := cutAt(remote, "/"); ok && strings.Contains(strings.ToLower(rest), repo) {
			i := strings.Index(strings.ToLower(rest), repo)
			rest = rest[:i] + rest[i+len(repo):]
		}
	}
	for part := range strings.FieldsFuncSeq(rest, func(x rune) bool { return strings.ContainsRune(":?&=,#+ ", x) }) {
		if !c.knownPath(r, strings.FieldsFunc(part, func(x rune) bool { return x == '/' })) {
			return false
		}
	}
	return true
}

// knownPath says whether each part of a path is known, or the longest parts together are a
// branch or a file.
func (c *Context) knownPath(r *effect.Run, parts []string) bool {
	for i := 0; i < len(parts); i++ {
		end := len(parts)
		for end > i && !c.knownName(r, strings.Join(parts[i:end], "/")) {
			end--
		}
		if end == i {
			return false
		}
		i = end - 1
	}
	return true
}

// fromTask says whether people named a value.
func (c *Context) fromTask(w string) bool {
	if c.origins == nil {
		return false
	}
	origin, _, _ := c.origins.Find(w)
	return origin == call.OriginTask.String()
}

// knownName says whether a word is a number, one of the interface, a remote or branch of
// the repository, or a file of the workspace that was not made since.
func (c *Context) knownName(r *effect.Run, w string) bool {
	if number(w) || isAmong(askedWords[:], w) {
		return true
	}
	return c.isRef(r, w) || c.isFile(r, w)
}

// isRef says whether a word is a remote or a branch of the repository. Branches that the
// session may have made since it read secrets are known to nobody.
func (c *Context) isRef(r *effect.Run, w string) bool {
	if c.places.Repo == nil {
		return false
	}
	repo, known := c.places.Repo(c.dirOf(r))
	if !known {
		return false
	}
	if slices.ContainsFunc(repo.Remotes, func(n effect.NamedRemote) bool { return n.Name == w }) {
		return !c.namedSince("git remote")
	}
	return !c.namedSince("git ") && (w == repo.Branch || c.exists != nil && c.hasRef(r, w))
}

// namedSince says whether git was used for giving names since secrets were read. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) namedSince(by string) bool {
	return slices.ContainsFunc(c.Flow.Turned, func(s string) bool {
		t := turnOf(s)
		return t.kind == turnName && (strings.HasPrefix(t.what, by) || t.what == anyTurn)
	})
}

// hasRef looks for a branch or a tag of that name where git keeps them one by one.
func (c *Context) hasRef(r *effect.Run, w string) bool {
	if strings.Contains(w, "..") || strings.HasPrefix(w, "/") {
		return false
	}
	for dir := c.dirOf(r); ; dir = path.Dir(dir) {
		for _, under := range [...]string{"refs/heads/", "refs/tags/", "refs/remotes/", "refs/remotes/origin/", ""} {
			if file := path.Join(dir, ".git", under+w); (under != "" || strings.HasPrefix(w, "refs/")) && c.exists(file) {
				return true
			}
		}
		if dir == "/" || isAmong(c.Roots, dir) {
			return false
		}
	}
}

// isFile says whether a word is the path of a file that was there before.
func (c *Context) isFile(r *effect.Run, w string) bool {
	if c.exists == nil || strings.HasPrefix(w, "/") || strings.Contains(w, "..") {
		return false
	}
	file := path.Join(c.treeOf(r), w)
	since := slices.ContainsFunc(c.Flow.Derived, func(f string) bool { return mark.Under(file, f) || mark.Under(f, file) })
	return !since && exact(file) && c.exists(file)
}

// turnsOfName notes that a run gives names to branches, tags or remotes after secrets were
// read: such a name may hold one.
func (c *Context) turnsOfName(r *effect.Run) []turn {
	if !c.Flow.SensitiveRead && !slices.ContainsFunc(c.Effects, func(e Effect) bool { return e.Kind == effect.Read && e.Sensitive }) {
		return nil
	}
	sub, args := shell.GitSubcommand(r.Words)
	named := false
	switch sub {
	case "branch", "tag", "update-ref", "symbolic-ref", "worktree", "remote", "notes", "fast-import":
		named = !shell.ReadsOnly(sub, args)
	case "checkout", "switch":
		named = slices.ContainsFunc(args, func(a string) bool {
			return strings.HasPrefix(a, "-b") || strings.HasPrefix(a, "-B") || strings.HasPrefix(a, "-c") || strings.HasPrefix(a, "-C") || strings.HasPrefix(a, "--orphan") || strings.HasPrefix(a, "--create")
		})
	}
	if named {
		return []turn{{kind: turnName, what: "git " + sub}}
	}
	return nil
}
