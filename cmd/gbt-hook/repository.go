package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// gitVariables are variables of the environment by which git and gh find another
// repository or other settings than those of the directory they run in (git(1),
// Environment Variables; gh help environment).
var gitVariables = [...]string{
	"GH_HOST", "GH_REPO", "GIT_COMMON_DIR", "GIT_CONFIG", "GIT_CONFIG_COUNT", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_SYSTEM", "GIT_DIR", "GIT_NAMESPACE", "GIT_WORK_TREE",
}

// repositoryOf reads the repository that git finds from a directory: nothing where there
// is none, or where the environment or a file that is included may say otherwise.
func repositoryOf(dir string) (effect.Repository, bool) {
	for _, name := range gitVariables {
		if os.Getenv(name) != "" {
			return effect.Repository{}, false
		}
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return effect.Repository{}, false
	}
	for ; ; dir = filepath.Dir(dir) {
		if own, common := gitDirs(filepath.Join(dir, ".git")); common != "" {
			return readRepository(dir, own, common)
		}
		if dir == filepath.Dir(dir) {
			return effect.Repository{}, false
		}
	}
}

// readRepository reads what a repository's own settings and those of its user say
// (git-config(1), FILES): later ones count more.
func readRepository(top, own, common string) (effect.Repository, bool) {
	home, _ := os.UserHomeDir()
	xdg := firstOf(os.Getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config"))
	var c gitSettings
	for _, name := range [...]string{"/etc/gitconfig", filepath.Join(xdg, "git/config"), filepath.Join(home, ".gitconfig"), filepath.Join(common, "config"), filepath.Join(own, "config.worktree")} {
		if info, err := os.Stat(name); err == nil && info.Size() > maxConfig {
			return effect.Repository{}, false // what is not read may say anything
		}
		c = append(c, readAll(name, home, 0)...)
	}
	if tree := c.get("core", "", "worktree"); tree != "" && !sameDir(from(own, tree), top) {
		return effect.Repository{}, false
	}
	for _, s := range c {
		if s.unsure && slices.Contains(placing[:], s.section) {
			return effect.Repository{}, false
		}
	}
	head, err := os.ReadFile(filepath.Join(own, "HEAD"))
	if err != nil {
		return effect.Repository{}, false
	}
	branch, _ := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: refs/heads/")
	if !strings.HasPrefix(string(head), "ref: ") {
		branch = ""
	}
	out := c.repository(branch)
	out.Top = top
	for i := range out.Remotes { // git goes to the top of the work tree first
		r := &out.Remotes[i]
		r.Fetch, r.Push = below(top, r.Fetch), below(top, r.Push)
	}
	c.sent(&out, common)
	return out, true
}

// below is the path of a repository that is named by one from a directory.
func below(dir, at string) string {
	if strings.HasPrefix(at, "./") || strings.HasPrefix(at, "../") {
		return filepath.Join(dir, at)
	}
	return at
}

// sameDir says whether two paths lead to one directory.
func sameDir(a, b string) bool {
	x, errA := filepath.EvalSymlinks(a)
	y, errB := filepath.EvalSymlinks(b)
	return errA == nil && errB == nil && x == y
}

// tracking is the setting by which git keeps all branches of a remote at hand (git-clone(1)).
const tracking = "+refs/heads/*:refs/remotes/"

// sent looks at what was fetched of the remote that pushes go to.
func (c gitSettings) sent(r *effect.Repository, common string) {
	if c.get("remote", r.Sends, "fetch") != tracking+r.Sends+"/*" || strings.Contains(r.Sends, "..") {
		return
	}
	dir := "refs/remotes/" + r.Sends + "/"
	if head, whole := readSome(filepath.Join(common, dir+"HEAD"), maxConfig); whole {
		r.Default, _ = strings.CutPrefix(strings.TrimSpace(head), "ref: "+dir)
		if r.Default == strings.TrimSpace(head) {
			r.Default = ""
		}
	}
	packed, whole := readSome(filepath.Join(common, "packed-refs"), maxPacked)
	r.Unsent = whole && r.Branch != "" && !exists(filepath.Join(common, dir+r.Branch)) && !strings.Contains(packed, " "+dir+r.Branch+"\n")
}

// placing are the sections of settings that have a part in where git connects to.
var placing = [...]string{"branch", "push", "remote", "url"}

// maxIncludes is how deep git includes files (git-config(1), Includes).
const maxIncludes = 10

// readAll reads a file of settings with those that it includes. What is included under a
// condition is unsure: nobody here works the condition out.
func readAll(name, home string, depth int) gitSettings {
	var out gitSettings
	for _, s := range readGit(name) {
		out = append(out, s)
		if s.key != "path" || s.section != "include" && s.section != "includeif" || depth == maxIncludes {
			continue
		}
		path := s.value
		if rest, ok := strings.CutPrefix(path, "~/"); ok {
			path = filepath.Join(home, rest)
		}
		for _, in := range readAll(from(filepath.Dir(name), path), home, depth+1) {
			in.unsure = in.unsure || s.section == "includeif"
			out = append(out, in)
		}
	}
	return out
}

// repository is what settings say of where a branch goes.
func (c gitSettings) repository(branch string) effect.Repository {
	out := effect.Repository{Remotes: c.namedRemotes(), Branch: branch}
	only := "origin" // git-push(1): the only one there is, else origin
	if len(out.Remotes) == 1 {
		only = out.Remotes[0].Name
	}
	out.Fetches = firstOf(c.get("branch", branch, "remote"), only)
	out.Sends = firstOf(c.get("branch", branch, "pushremote"), c.get("remote", "", "pushdefault"), c.get("branch", branch, "remote"), only)
	out.Pushes = c.pushes(branch, out.Sends)
	for _, r := range out.Remotes {
		switch at := c.get("remote", r.Name, "gh-resolved"); at {
		case "":
		case "base":
			out.Base = r.Name
		default:
			out.Base = at // another repository by its name: no remote has that
		}
		out.Maps = out.Maps || c.get("remote", r.Name, "push") != "" || c.get("remote", r.Name, "mirror") != ""
	}
	switch c.get("push", "", "default") {
	case "upstream", "tracking":
		out.Maps = true
	}
	out.Widens = c.widens()
	if out.Widens {
		out.Pushes = "*"
	}
	return out
}

// widens says whether a push sends tags or other repositories along, or words that tell the server
// more (git-config(1), push and submodule.recurse).
func (c gitSettings) widens() bool {
	for i := range c {
		s := &c[i]
		switch off := s.value == "" || s.value == "false" || s.value == "no" || s.value == "0" || s.value == "off"; {
		case s.section == "submodule" && s.key == "recurse" && !off:
			return true
		case s.section != "push":
		case s.key == "followtags" && !off, s.key == "pushoption" && s.value != "", s.key == "recursesubmodules" && !off && s.value != "check":
			return true
		}
	}
	return false
}

// pushes is the branch that a push without words changes (git-config(1), push.default),
// or a star where it may be another one, or several.
func (c gitSettings) pushes(branch, remote string) string {
	if branch == "" || c.get("remote", remote, "push") != "" || c.get("remote", remote, "mirror") != "" {
		return "*"
	}
	switch c.get("push", "", "default") {
	case "", "simple", "current":
		return branch
	case "upstream", "tracking":
		return firstOf(strings.TrimPrefix(c.get("branch", branch, "merge"), "refs/heads/"), "*")
	}
	return "*"
}
