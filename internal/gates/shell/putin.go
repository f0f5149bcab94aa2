package shell

import (
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
// Command Language, 2.2 and 2.3), and quotedNames those that mean nothing to it between double
// quotes (2.2.3; 2.6 for what stays special there); ö stands for all that are not ASCII.
const (
	plainNames  = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+@=,:%"
	quotedNames = plainNames + "~#ö"
)

// putIn is the command with a variable where a name found in the workspace stands in the code
// of a shell. ok is false where the name may be more than a name there.
func (m *machine) putIn(cmd []string, repl, item string) (line []string, ok bool) {
	if _, listed := listedNames(item); m.p.NamesBelow == nil || len(cmd) < 3 || !shellArg(cmd) || cmd[1] != "-c" || !listed || repl == "" {
		return nil, false
	}
	code := cmd[2]
	characters := nameCharacters(code, repl)
	if strings.Contains(code, itemName) || characters == "" || !m.plainListed(characters) {
		return nil, false
	}
	line = slices.Clone(cmd)
	for i := range line {
		line[i] = strings.ReplaceAll(line[i], repl, item)
	}
	line[2] = strings.ReplaceAll(code, repl, "${"+itemName+"}")
	return line, true
}

// nameCharacters are the characters of names that mean nothing where a word of code is replaced by them:
// more where it stands between double quotes each time. There are none where it stands between
// single ones, or may: then it is text that something else may read.
func nameCharacters(code, word string) string {
	other := strings.ContainsAny(code, "`#") || strings.Contains(code, "$(") || strings.Contains(code, "${") || strings.Contains(code, "$'")
	if strings.Contains(code, "<<") || other && strings.Contains(code, "'") || strings.ContainsAny(word, "`'\"\\$#") {
		return "" // other rules of quoting
	}
	characters, quote := quotedNames, byte(0)
	for i := 0; i < len(code); i++ {
		c := code[i]
		if at := strings.HasPrefix(code[i:], word); at && quote == '\'' {
			return ""
		} else if at && (quote == 0 || other) {
			characters = plainNames
		}
		switch {
		case c == '\\' && quote != '\'':
			if i++; strings.HasPrefix(code[i:], word) {
				return ""
			}
		case quote == c:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		}
	}
	return characters
}

// plainListed says whether all names that the line may have listed consist of some characters:
// below the directories that it lists, else below the working directory, and those that it made.
func (m *machine) plainListed(characters string) bool {
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
		if !effect.PlainName(baseName(m.files[i].path), characters) {
			return false
		}
	}
	return !slices.ContainsFunc(dirs, func(dir string) bool { return !m.p.NamesBelow(dir, characters) })
}
