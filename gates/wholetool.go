package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about secrets that a search shows which goes through directories without a shell's
// words for it: a tool's, git's outside what it tracks, and the comparison of two directories.

// toolShows are the secrets of which a tool's search prints something: files that its pattern of
// names picks, whatever git ignores, and without one hidden files that git does not ignore
// (rg(1), AUTOMATIC FILTERING; tools of hosts look into hidden files).
func (c *Context) toolShows(left *int) []string {
	if c.Class.Family != call.FamilyFile || c.Class.Verb != effect.VerbSearch || !c.searchesContents() {
		return nil
	}
	dir, words := c.Cwd, []string{"rg", "-uu"}
	pattern := ""
	for i := range c.Args {
		switch a := &c.Args[i]; a.Path {
		case "path", "dir_path", "directory":
			dir = c.places.Resolve(c.Cwd, a.Value)
		case "pattern", "regex", "query":
			pattern = a.Value
		case "-i", "case_insensitive":
			words = append(words, "-i")
		}
	}
	search, ok := shell.SearchOf(append(words, "-e", pattern, "."))
	if !ok || pattern == "" {
		return nil
	}
	found := c.toolSearch()
	var out []string
	for _, s := range c.secretsBelow(dir, true, left) {
		text, known := c.text(s)
		picked := slices.ContainsFunc(found.files, func(p string) bool {
			fits, err := path.Match(p, path.Base(s))
			return fits || err != nil
		})
		if known && search.Shows(text) && (picked || len(found.files) == 0 && !c.ignored(dir, s)) {
			out = append(out, s)
		}
	}
	return out
}

// ignored says whether a file is left to itself by a list of what git ignores: one in its own
// directory or in one above it, up to the directory of a search and the workspace's roots.
func (c *Context) ignored(top, file string) bool {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		text, _ := c.text(path.Join(dir, ".gitignore"))
		found := false
		for line := range strings.Lines(text) {
			line, again := cutPrefix(strings.TrimSpace(line), "!") // what is not ignored after all
			line, below := cutSuffix(line, "/")                    // for directories
			line, here := cutPrefix(line, "/")
			line = trimPrefix(line, "**/")
			rel := trimPrefix(file, trimSuffix(dir, "/")+"/")
			for at := rel; line != "" && line[0] != '#' && at != "."; at = path.Dir(at) {
				whole, _ := path.Match(line, at)
				base, _ := path.Match(line, path.Base(at))
				if below && at == rel && !again || !whole && (!base || here || strings.Contains(line, "/")) {
					continue
				}
				if again {
					return false
				}
				found = true
			}
		}
		if found {
			return true
		}
		if dir == "/" || dir == "." || dir == top && isAmong(c.Roots, dir) || isAmong(c.names(dir), ".git/") {
			return false
		}
	}
}

// asGrep are the words of a search of git's as those of grep, else nothing (git-grep(1)). tracked
// says that it keeps to the files that git tracks.
func asGrep(words []string) (grep []string, tracked bool) {
	i := slices.Index(words, "grep")
	if i < 1 || path.Base(words[0]) != "git" {
		return nil, false
	}
	tracked = true
	grep = append([]string{"grep", "-r"}, slices.DeleteFunc(slices.Clone(words[i+1:]), func(w string) bool {
		other := w == "--no-index" || w == "--untracked" || w == "--no-exclude-standard"
		tracked = tracked && !other
		return other || w == "--"
	})...)
	return grep, tracked
}

// diffShows are the secrets of which a comparison of directories prints something: that one side
// alone has, where it is told to take the other for empty, and that both have (diff(1), -r and -N).
func (c *Context) diffShows(r *effect.Run, left *int) []string {
	var dirs []string
	deep, alone := false, false
	for _, w := range r.Words[1:] {
		letters := len(w) > 1 && w[0] == '-' && w[1] != '-'
		switch {
		case w == "--brief" || letters && strings.Contains(w, "q"):
			return nil
		case w == "--recursive" || letters && strings.Contains(w, "r") && !strings.Contains(w, "x"):
			deep = true
			alone = alone || strings.Contains(w, "N")
		case w == "--new-file" || letters && strings.Contains(w, "N"):
			alone = true
		case w != "" && w[0] != '-':
			dirs = append(dirs, c.places.Resolve(r.Cwd, w))
		}
	}
	if !deep || len(dirs) != 2 {
		return nil
	}
	var out []string
	for i, dir := range dirs {
		for _, s := range c.secretsBelow(dir, true, left) {
			mine, known := c.text(s)
			other, both := c.text(dirs[1-i] + trimPrefix(s, dir))
			if known && (alone || both) && mine != other {
				out = append(out, s)
			}
		}
	}
	return out
}
