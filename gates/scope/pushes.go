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

// Forces says whether a call adds to git what its rules of what is ignored leave out, or
// what is called as a secret is: what is pushed afterwards is more than people have in mind.
func Forces(c *gates.Context) bool {
	list := c.Runs()
	for i := range list {
		r := &list[i]
		words := r.Words
		switch r.Tool {
		case "git add", "git stage", "git update-index":
		default:
			continue
		}
		for _, w := range words[1:] {
			switch {
			case strings.HasPrefix(w, "--fo") || w == "--add" || strings.HasPrefix(w, "-c") && r.Tool != "git update-index":
				return true
			case len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.Contains(w, "f"):
				return true
			case names.Sensitive(path.Join(r.Cwd, mark.Clean(w))) || names.SensitiveGlob(w) || names.SensitiveTail(w):
				return true
			}
		}
	}
	return false
}

// PushesTracked says whether a call pushes, and the repository tracks a file with the name of
// a secret. Where nobody looks (a log) there is none.
func PushesTracked(c *gates.Context) bool {
	return pushesAny(c) && slices.ContainsFunc(c.Roots, c.TracksSecret)
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
	return adds && slices.ContainsFunc(c.Roots, c.LeavesSecret)
}
