package rulebook

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// gitTime is how long git may take to say whether the tree is clean; then nobody knows.
const gitTime = 2 * time.Second

// Facts tells the facts of a working directory that rules ask for. Each is looked up
// when it is asked for; git runs for "tree" alone.
func Facts(dir string) func(name string) (value string, known bool) {
	return func(name string) (string, bool) {
		if !filepath.IsAbs(dir) {
			return "", false
		}
		switch name {
		case "branch":
			return branch(dir)
		case "remote":
			return git(dir, "remote", "get-url", "--push", "origin")
		case "tree":
			out, ok := git(dir, "status", "--porcelain", "--untracked-files=normal")
			if !ok {
				return "", false
			}
			if out == "" {
				return "clean", true
			}
			return "dirty", true
		}
		return "", false
	}
}

// branch is the branch that is checked out (gitrepository-layout(5)).
func branch(dir string) (string, bool) {
	for ; ; dir = filepath.Dir(dir) {
		own := filepath.Join(dir, ".git")
		if data, err := os.ReadFile(own); err == nil { // of a worktree
			if at, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir: "); ok {
				if own = at; !filepath.IsAbs(at) {
					own = filepath.Join(dir, at)
				}
			}
		}
		head, err := os.ReadFile(filepath.Join(own, "HEAD"))
		if err == nil {
			return strings.CutPrefix(strings.TrimSpace(string(head)), "ref: refs/heads/")
		}
		if dir == filepath.Dir(dir) {
			return "", false
		}
	}
}

// git asks git, which runs nothing that the repository's settings name.
func git(dir string, args ...string) (string, bool) {
	ctx, stop := context.WithTimeout(context.Background(), gitTime)
	defer stop()
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-C", dir}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0")
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err == nil
}
