package scope

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// Computed says whether a part of some word is known only at run time.
func Computed(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return strings.IndexByte(w, mark.Unknown) >= 0 || strings.IndexByte(w, mark.Caller) >= 0
	})
}

// overriding are parts of the names of long options that override a refusal, take
// something away, widen what is named to everything, or name another place than the
// program's own to fetch from or send to.
var overriding = [...]string{"admin", "all", "delete", "force", "hard", "mirror", "no-verify", "overwrite", "prune", "purge", "remove", "yes", "skip-permissions", "unsafe", "insecure", "dangerously", "yolo", "full-auto", "allow-all", "auto-approve", "no-confirm",
	"registry", "registry-url", "index-url", "default-index", "index", "find-links", "proxy", "source", "server", "endpoint", "repository-url", "userconfig", "globalconfig"}

// overridingLetters are the letters that those options have in most programs; beside them
// the method of a request that deletes (RFC 9110, section 9.3.5) is such a word.
var overridingLetters = map[string]bool{"-f": true, "-d": true, "-D": true, "-y": true}

// unasked are values of options by which agents do without their user's consent (the
// manuals of Claude Code, Codex and Gemini CLI).
var unasked = [...]string{"bypassPermissions", "danger-full-access", "never", "yolo"}

// Overrides says whether a run holds a word that overrides a refusal, takes something
// away from others or widens what is named to everything: what a yes to a plain run of
// the same program never covers. Letters are read as the most used programs have them;
// one too many costs a question.
func Overrides(r *effect.Run) bool {
	for _, w := range r.Words[1:] {
		switch {
		case strings.HasPrefix(w, "--"):
			name, _, _ := strings.Cut(w[2:], "=")
			if OverridingOption(name) {
				return true
			}
		case overridingLetters[w] && !shell.Valued(r.Tool, w[1:]), w == "DELETE", slices.Contains(unasked[:], w):
			return true
		}
	}
	return pushes(r) && slices.ContainsFunc(r.Words[1:], func(w string) bool { return takesAway(w) || tellsServer(w) })
}

// tellsServer says whether a word of git push tells the server more than what it is sent, or which
// program takes it there (git-push(1), --push-option and --receive-pack): a server merges by such
// words.
func tellsServer(w string) bool {
	if strings.HasPrefix(w, "--") {
		name, _, _ := strings.Cut(w[2:], "=")
		return strings.HasPrefix(name, "pus") || strings.HasPrefix(name, "rec") && !strings.HasPrefix(name, "recurse") || strings.HasPrefix(name, "exe")
	}
	return strings.HasPrefix(w, "-") && strings.Contains(w, "o")
}

// overridesBeyond is Overrides but for words that add nothing to what a scope of the effect
// names. rm's -f and -d leave out a prompt that nobody sees, and a file that is not there
// (rm(1)): what is deleted stands in the name. gh's --repo says where it goes (its manual):
// so does the name, where the effect goes there.
func overridesBeyond(r *effect.Run, e *effect.Effect) bool {
	words := r.Words
	switch path.Base(words[0]) {
	case "rm":
		if e.Kind == effect.Delete {
			words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "-f" || w == "-d" || w == "--force" })
		}
	case "npx":
		if len(words) > 2 && (words[1] == "-y" || words[1] == "--yes") { // leaves out a prompt about the package that the name says
			words = slices.Delete(slices.Clone(words), 1, 2)
		}
	case "gh":
		goesTo := func(repo string) bool {
			return strings.Contains(repo, "/") && strings.HasSuffix("/"+e.Resource, "/"+repo)
		}
		if i := slices.Index(words, "--repo"); i > 0 && i+1 < len(words) && goesTo(words[i+1]) {
			words = slices.Delete(slices.Clone(words), i, i+2)
		}
		words = slices.DeleteFunc(slices.Clone(words), func(w string) bool {
			to, ok := strings.CutPrefix(w, "--repo=")
			return ok && goesTo(to)
		})
	}
	if e.Updates() { // all is what the name says
		words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "--all" })
	}
	plain := *r
	plain.Words = words
	return Overrides(&plain)
}

// OverridingOption says whether a long option's name says that it overrides.
func OverridingOption(name string) bool {
	return slices.ContainsFunc(overriding[:], func(o string) bool {
		return name == o || strings.HasPrefix(name, o+"-") || strings.HasSuffix(name, "-"+o) || len(name) > 2 && strings.HasPrefix(o, name)
	})
}

func pushes(r *effect.Run) bool { return slices.Contains(r.Words, "push") }

// takesAway says whether a word of a push replaces or deletes what others have
// (git-push(1), the refspec and the letters that may stand in a cluster).
func takesAway(w string) bool {
	switch {
	case len(w) < 2:
		return false
	case w[0] == '+' || w[0] == ':':
		return true
	}
	return w[0] == '-' && w[1] != '-' && strings.ContainsAny(w, "fd")
}

// Quote writes words so that a shell reads them back.
func Quote(words []string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		if w != "" && strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+=,") == "" {
			b.WriteString(w)
			continue
		}
		b.WriteString("'" + strings.ReplaceAll(w, "'", `'\''`) + "'")
	}
	return b.String()
}
