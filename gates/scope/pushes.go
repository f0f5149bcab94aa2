package scope

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// Forces says whether a call adds to git what its rules of what is ignored leave out, what is
// called as a secret is or may be called so, or takes away what is called so and that git had: what is
// pushed afterwards is more than people have in mind, whatever git tracks by then.
func Forces(c *gates.Context) bool {
	list := c.Runs()
	for i := range list {
		r := &list[i]
		adds, cwd := false, dirOf(c, r)
		switch r.Tool {
		case "git add", "git stage", "git update-index":
			adds = true
		case "git commit":
		case "git reset", "git update-ref":
			if takesOver(r) {
				return true
			}
			continue
		case "git mv", "git rm":
			if slices.ContainsFunc(append([]string{cwd}, c.Roots...), c.TracksSecret) {
				return true
			}
		default:
			continue
		}
		for _, w := range r.Words[1:] {
			switch {
			case adds && (strings.HasPrefix(w, "--fo") || w == "--add" || strings.HasPrefix(w, "-c") && r.Tool != "git update-index"):
				return true
			case adds && len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.Contains(w, "f"):
				return true
			case strings.ContainsAny(w, " \n"): // a message
			case names.Sensitive(path.Join(cwd, mark.Clean(w))) || names.SensitiveGlob(w) || names.SensitiveTail(w):
				return true
			}
		}
		if adds && addsSecret(c, r) {
			return true
		}
	}
	return false
}

// takesOver says whether a run of git makes the branch end at commits of another one while the index
// stays as it is, so that what they hold is not seen there (git-reset(1), --soft and --mixed;
// git-update-ref(1)).
func takesOver(r *effect.Run) bool {
	if r.Tool == "git update-ref" {
		return true
	}
	at := slices.Index(r.Words, "reset")
	for _, w := range r.Words[at+1:] {
		switch {
		case w == "--hard" || w == "--merge" || w == "--keep" || w == "--":
			return false
		case strings.HasPrefix(w, "-"), strings.Contains(w, "."), strings.HasSuffix(w, "/"), strings.HasPrefix(w, "origin/"):
		case strings.TrimRight(strings.TrimPrefix(strings.TrimPrefix(w, "HEAD"), "@"), "~^0123456789") == "" && (strings.HasPrefix(w, "H") || strings.HasPrefix(w, "@")):
		case strings.HasPrefix(w, "@{") || strings.HasPrefix(w, "HEAD@{") || w == "ORIG_HEAD":
		default:
			return true
		}
	}
	return false
}

// addsSecret says whether a run of git add may add a file with the name of a secret that lies below
// what it names.
func addsSecret(c *gates.Context, r *effect.Run) bool {
	places := c.Places()
	rules := !slices.ContainsFunc(c.Effects, func(e effect.Effect) bool { // changed by the same line
		base := path.Base(e.Resource)
		return (e.Kind == effect.Write || e.Kind == effect.Delete) && (base == ".gitignore" || base == "exclude")
	})
	dirs, all := append([]string{dirOf(c, r)}, c.Roots...), true
	var named []string
	for _, w := range r.Words[max(1, slices.Index(r.Words, r.Tool[len("git "):])+1):] {
		switch {
		case w == "-u" || w == "--update":
			return false
		case strings.HasPrefix(w, "-"):
		case strings.HasPrefix(w, ":") || mark.Has(w) || strings.ContainsAny(w, "*?["):
			all = false
			named = append(named, dirs...)
		default:
			all = false
			named = append(named, places.Resolve(dirOf(c, r), w))
		}
	}
	if all {
		named = dirs
	}
	slices.Sort(named)
	return slices.ContainsFunc(slices.Compact(named), func(dir string) bool { return c.LeavesSecret(dir, rules) })
}

// PushesTracked says whether a call pushes, and the repository tracks a file with the name of
// a secret. Where nobody looks (a log) there is none.
func PushesTracked(c *gates.Context) bool {
	if !pushesAny(c) {
		return false
	}
	dirs := slices.Clone(c.Roots)
	for _, r := range c.Runs() {
		if r.Tool == "git push" { // a work tree and a repository below have an index of their own
			dirs = append(dirs, dirOf(c, &r))
		}
	}
	slices.Sort(dirs)
	return slices.ContainsFunc(slices.Compact(dirs), c.TracksSecret)
}

func pushesAny(c *gates.Context) bool {
	return slices.ContainsFunc(c.Effects, func(e effect.Effect) bool { return e.Kind == effect.Network && e.Program == "git" && e.Deed == "push" })
}

// PushesSecrets says whether a call pushes, and its own line adds what may be a secret that
// nobody has in mind: what is ignored, or files beside one with such a name that neither git nor its rules know.
func PushesSecrets(c *gates.Context) bool {
	if !pushesAny(c) {
		return false
	}
	if Forces(c) {
		return true
	}
	adds := slices.ContainsFunc(c.Runs(), func(r effect.Run) bool { return r.Tool == "git add" || r.Tool == "git stage" })
	return adds && slices.ContainsFunc(c.Roots, func(dir string) bool { return c.LeavesSecret(dir, true) })
}
