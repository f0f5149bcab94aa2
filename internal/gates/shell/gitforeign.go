package shell

import (
	"regexp"
	"strings"
)

// This file reads the configuration of a repository that is not the workspace's, or that
// came with an archive: git starts what it names, whatever subcommand runs.

var (
	gitHeader = regexp.MustCompile(`^\[([A-Za-z0-9.-]+)(?:[ \t]+"([^"\\\]]*)")?\]$`)
	gitKey    = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]*$`)
	hgHeader  = regexp.MustCompile(`^\[(paths|ui)\]$`)
	hgEntry   = regexp.MustCompile(`^([A-Za-z0-9_.-]+)[ \t]*=[ \t]*(\S.*)$`)
)

// GitConfigStarts is the first setting in a repository's configuration that is not known to
// start nothing and to lead nowhere, or the first line that cannot be read; empty where there
// is none. Known are what git itself writes when it makes, clones and fetches (git-clone(1),
// git-config(1), git-lfs-install(1)), and settings that only say how something looks. It
// reads one form of each line: what git would read in another way is not known.
func GitConfigStarts(text string) string {
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasSuffix(line, `\`) {
			return "a line that goes on"
		}
		if line = strings.Trim(line, " \t"); line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		if line[0] == '[' {
			m := gitHeader.FindStringSubmatch(line)
			if m == nil {
				return line
			}
			if section = strings.ToLower(m[1]); m[2] != "" {
				section += "." + m[2]
			}
			continue
		}
		key, value, _ := cutAt(line, "=")
		if key = strings.Trim(key, " \t"); section == "" || !gitKey.MatchString(key) {
			return line
		}
		if key = section + "." + strings.ToLower(key); !gitStartsNothing(key, strings.Trim(value, " \t")) {
			return key
		}
	}
	return ""
}

// lfsFilters are the filters that git lfs install writes.
var lfsFilters = map[string]string{"filter.lfs.clean": "git-lfs clean -- %f", "filter.lfs.smudge": "git-lfs smudge -- %f", "filter.lfs.process": "git-lfs filter-process", "filter.lfs.required": "true"}

func gitStartsNothing(key, value string) bool {
	if tameSetting(key, value) {
		return true
	}
	first, last := key[:firstByte(key, '.')], key[lastByte(key, '.')+1:]
	switch key {
	case "core.repositoryformatversion", "core.logallrefupdates", "extensions.objectformat", "extensions.partialclone", "extensions.refstorage", "lfs.repositoryformatversion", "submodule.active":
		return true
	}
	switch first {
	case "remote":
		switch last {
		case "url", "pushurl":
			return !strings.Contains(value, "::") && !strings.HasPrefix(strings.Trim(value, `"`), "-")
		case "fetch", "tagopt", "prune", "promisor", "partialclonefilter", "gh-resolved", "mirror":
			return true
		}
		return false
	case "submodule":
		return last == "active" || last == "branch" || last == "url" && !strings.Contains(value, "::") && !strings.HasPrefix(strings.Trim(value, `"`), "-")
	case "filter":
		return lfsFilters[key] == value && value != ""
	case "lfs":
		return last == "access" || last == "locksverify"
	}
	return new(machine).gitKeySafe(key)
}

// HgConfigStarts is GitConfigStarts for a repository of Mercurial (hgrc(5)), which knows
// where it was cloned from and who its user is.
func HgConfigStarts(text string) string {
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		if m := hgHeader.FindStringSubmatch(line); m != nil {
			section = m[1]
			continue
		}
		m := hgEntry.FindStringSubmatch(line)
		if m == nil || section == "" || section == "ui" && m[1] != "username" || strings.Contains(m[2], "::") || strings.HasPrefix(m[2], "-") {
			return line
		}
	}
	return ""
}

// idleHooks are hooks that no subcommand of git runs which only reads (githooks(5)).
const idleHooks = " applypatch-msg commit-msg post-applypatch post-checkout post-commit post-merge post-receive post-rewrite post-update pre-applypatch pre-auto-gc pre-commit pre-merge-commit pre-push pre-rebase pre-receive prepare-commit-msg push-to-checkout sendemail-validate update "

// GitHookStarts is the first of the names in a repository's directory of hooks that a run of
// a subcommand may start; empty for none.
func GitHookStarts(names []string, sub string, args []string) string {
	reads := ReadsOnly(sub, args)
	for _, n := range names {
		if !strings.HasSuffix(n, ".sample") && !(reads && strings.Contains(idleHooks, " "+n+" ")) {
			return n
		}
	}
	return ""
}
