package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/decisions"
	"github.com/gbt-policy/gbt/internal/hosts"
)

// rootsOf returns the workspace roots: those of the command line, else those of
// the policy, else the host's project directory, else the directory in which
// the session's first call was made. What nobody named on purpose and is as
// wide as a whole system is no workspace; then nothing lies inside one.
func (c *config) rootsOf(p *policy, s *session, in *hosts.Input, home string) []string {
	if len(c.roots) > 0 {
		return withReal(c.roots)
	}
	if len(p.roots) > 0 {
		return withReal(p.roots)
	}
	for _, list := range [][]string{{c.projectDir()}, in.State.Roots, {s.root}, {in.State.Cwd}} {
		var roots []string
		for _, r := range list {
			if r = cleanRoot(r); narrow(r, home) {
				roots = append(roots, r)
			}
		}
		if len(roots) > 0 {
			return withReal(roots)
		}
	}
	return []string{effect.UnknownRoot}
}

// projectDir is the project directory that a host tells its hooks in the
// environment: the working directory may have moved away from it.
func (c *config) projectDir() string {
	if c.host.ProjectEnv == "" {
		return ""
	}
	return os.Getenv(c.host.ProjectEnv)
}

// systemDirs are directories that belong to the system (Filesystem Hierarchy
// Standard 3.0, and their places on macOS), never to one project.
var systemDirs = [...]string{
	"/Applications", "/Library", "/System", "/Users", "/Volumes", "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib64", "/media", "/mnt",
	"/opt", "/private", "/private/etc", "/private/tmp", "/private/var", "/proc", "/run", "/sbin", "/srv", "/sys", "/tmp", "/usr", "/usr/local", "/var",
}

// narrow says whether a directory may be taken for a workspace unasked.
func narrow(dir, home string) bool {
	return (filepath.IsAbs(dir) || startsWithDrive(dir)) && !slices.Contains(systemDirs[:], dir) && !effect.TooWide(dir, home)
}

// cleanRoot is a directory as the system writes it. Hosts on Windows name one by the path of its
// address as well (/c:/dev/shop; seen in transcripts).
func cleanRoot(dir string) string {
	if rest := strings.TrimPrefix(dir, "/"); startsWithDrive(rest) {
		dir = rest
	}
	return filepath.Clean(dir)
}

// startsWithDrive says whether a path begins with the root of one of Windows' drives, wherever
// it is read.
func startsWithDrive(dir string) bool {
	return len(dir) > 2 && dir[1] == ':' && (dir[2] == '/' || dir[2] == '\\') && (dir[0]|0x20) >= 'a' && (dir[0]|0x20) <= 'z'
}

// withReal adds the physical form of each root that is reached through a
// symbolic link: hosts and shells report either.
func withReal(roots []string) []string {
	out := slices.Clone(roots)
	for _, r := range roots {
		if real, err := filepath.EvalSymlinks(r); err == nil && !slices.Contains(out, real) {
			out = append(out, real)
		}
	}
	return out
}

// ownFiles are the files that make this hook what it is, beside the hosts'
// settings, which package effect knows. Whoever may change them may switch it
// off.
func (c *config) ownFiles() []string {
	var out []string
	names := append([]string{c.policy}, c.trust.Files(c.policy)...)
	if c.log != logAuto && c.log != logOff {
		names = append(names, c.log)
	}
	if dir, err := decisions.DefaultDir(); err == nil {
		names = append(names, dir)
	}
	if exe, err := os.Executable(); err == nil {
		names = append(names, exe)
	}
	if dir, err := c.undoBase(); err == nil {
		names = append(names, dir)
	}
	if log, err := c.receiptLog(); err == nil && log != nil {
		names = append(names, log.Files()...)
	}
	if dir, err := c.stateDir(); err == nil {
		names = append(names, dir)
	}
	if dir, err := c.queueDir(); err == nil {
		names = append(names, string(dir))
	}
	for _, n := range names {
		if n == "" {
			continue
		}
		if abs, err := absolute(n); err == nil {
			out = append(out, abs)
		}
	}
	return append(out, c.protect...)
}
