package main

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// maxConfig bounds what is read of a repository's configuration, in bytes: real ones
// have some hundreds.
const maxConfig = 256 << 10

// remotesOf returns the repositories that the configuration of the workspaces' own
// repositories names (git-config(1), remote.NAME.url). What can't be read names none.
func remotesOf(roots []string) []string {
	var out []string
	for _, root := range roots {
		f, err := os.Open(filepath.Join(commonDir(filepath.Join(root, ".git")), "config"))
		if err != nil {
			continue
		}
		out = append(out, remotesIn(io.LimitReader(f, maxConfig))...)
		f.Close()
	}
	return out
}

// commonDir follows the file that a worktree has in place of a directory to the
// repository's own (gitrepository-layout(5), gitdir and commondir).
func commonDir(git string) string {
	dir := gitDir(git)
	if common, err := os.ReadFile(filepath.Join(dir, "commondir")); err == nil {
		c := strings.TrimSpace(string(common))
		if !filepath.IsAbs(c) {
			c = filepath.Join(dir, c)
		}
		return c
	}
	return dir
}

// remotesIn reads the addresses of the sections of remotes.
func remotesIn(config io.Reader) []string {
	var out []string
	remote := false
	for lines := bufio.NewScanner(config); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			remote = strings.HasPrefix(strings.ToLower(line), "[remote ")
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !remote || !ok || !strings.EqualFold(strings.TrimSpace(key), "url") {
			continue
		}
		if r := effect.Remote(strings.Trim(strings.TrimSpace(value), `"`)); r != "" {
			out = append(out, r)
		}
	}
	return out
}
