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
			return readRepository(own, common)
		}
		if dir == filepath.Dir(dir) {
			return effect.Repository{}, false
		}
	}
}

// readRepository reads what a repository's own settings and those of its user say
// (git-config(1), FILES): later ones count more.
func readRepository(own, common string) (effect.Repository, bool) {
	home, _ := os.UserHomeDir()
	xdg := firstOf(os.Getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config"))
	var c gitSettings
	for _, name := range [...]string{"/etc/gitconfig", filepath.Join(xdg, "git/config"), filepath.Join(home, ".gitconfig"), filepath.Join(common, "config"), filepath.Join(own, "config.worktree")} {
		c = append(c, readAll(name, home, 0)...)
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
	return c.repository(branch), true
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
	out := effect.Repository{Remotes: c.named(), Branch: branch}
	only := "origin" // git-push(1): the only one there is, else origin
	if len(out.Remotes) == 1 {
		only = out.Remotes[0].Name
	}
	out.Fetches = firstOf(c.get("branch", branch, "remote"), only)
	out.Sends = firstOf(c.get("branch", branch, "pushremote"), c.get("remote", "", "pushdefault"), c.get("branch", branch, "remote"), only)
	out.Pushes = c.pushes(branch, out.Sends)
	for _, r := range out.Remotes {
		if c.get("remote", r.Name, "gh-resolved") != "" {
			out.Base = r.Name
		}
	}
	return out
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
