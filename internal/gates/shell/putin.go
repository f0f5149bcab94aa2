package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about names of files that become part of a command line: xargs -I{} sh -c
// 'head "{}"'. A name may hold anything, so that the line may say anything. Where the host sees
// that no name holds what a shell reads, the line is judged with a variable in place of it.

// itemName is the variable that stands for the name. The line can't mean one of its own by it.
const itemName = "GBT_FOUND_NAME"

// plainNames are characters that mean nothing to a shell within a word (POSIX.1-2017, Shell
// Command Language, 2.2 and 2.3).
const plainNames = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+@=,:%"

// putIn is the command with a variable where a name found in the workspace stands in the code
// of a shell. ok is false where the name may be more than a name there.
func (m *machine) putIn(cmd []string, repl, item string) (line []string, ok bool) {
	if _, listed := listedNames(item); m.p.NamesBelow == nil || len(cmd) < 3 || !shellArg(cmd) || cmd[1] != "-c" || !listed || repl == "" {
		return nil, false
	}
	code := cmd[2]
	if strings.Contains(code, itemName) || strings.Contains(code, "<<") || quotedSingly(code, repl) || !m.plainListed() {
		return nil, false
	}
	line = slices.Clone(cmd)
	line[2] = strings.ReplaceAll(code, repl, "${"+itemName+"}")
	for i := range line {
		if i != 2 {
			line[i] = strings.ReplaceAll(line[i], repl, item)
		}
	}
	return line, true
}

// quotedSingly says whether a word stands between single quotes of code, or may: then it is
// text that something else may read.
func quotedSingly(code, word string) bool {
	inside := false
	for i := 0; i < len(code); i++ {
		switch {
		case code[i] == '\\':
			return true
		case code[i] == '\'':
			inside = !inside
		case inside && strings.HasPrefix(code[i:], word):
			return true
		}
	}
	return false
}

// plainListed says whether all names that the line may have listed are plain: below the
// directories that it lists, else below the working directory, and those that it made.
func (m *machine) plainListed() bool {
	var dirs []string
	for i := range m.effects {
		if e := &m.effects[i]; e.Kind == effect.List && !mark.Has(e.Resource) {
			dirs = append(dirs, e.Resource)
		}
	}
	if len(dirs) == 0 {
		dirs = append(dirs, m.cwd)
	}
	for i := range m.files {
		if name := path.Base(m.files[i].path); name[0] == '-' || strings.Trim(name, plainNames) != "" {
			return false
		}
	}
	return !slices.ContainsFunc(dirs, func(dir string) bool { return !m.p.NamesBelow(dir, plainNames) })
}
