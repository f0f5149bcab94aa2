package shell

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"
)

// This file reads what the project's own tasks tell a program of its dependencies: scripts of
// package.json and composer.json, recipes of a makefile and tasks of pyproject.toml, as they
// were before the session. To tell it the same is to run such a task, which passes; files of
// the workspace and numbers may be others, and so may what says the same in every program.

// scriptsTell says whether a task of the project tells a program what these arguments do.
func (m *machine) scriptsTell(name string, args []string) bool {
	if m.p.SettledText == nil || outward(name) || isAmong(services, name) || searchNames(publishers, name) || m.aimsElsewhere(args) || slices.ContainsFunc(args, saysElsewhere) {
		return false
	}
	for _, task := range m.projectTasks() {
		words := taskWords(task.line)
		if len(words) > 0 && words[0] == name && !outward(task.name) && !releases(task.name) && m.sameWork(words[1:], args) {
			return true
		}
	}
	return false
}

// saysElsewhere says whether a word can't be judged, or aims a run at what is in use or at
// somewhere else by what it says.
func saysElsewhere(a string) bool {
	return a == "" || outward(a) || releases(a) || strings.Contains(a, "://") || ContainsAny(strings.FieldsFunc(camelSplit(strings.TrimLeft(a, "-")), wordEnds), elsewhereWords...)
}

// sameWork says whether arguments do what those of a task do: the same words, where files of
// the workspace and numbers stand for such, and options that say the same in every program.
func (m *machine) sameWork(task, args []string) bool {
	verb := func(words []string) string {
		if len(words) > 0 && words[0] != "" && words[0][0] != '-' && !m.plainFile(words[0]) {
			return words[0]
		}
		return ""
	}
	if verb(task) != verb(args) {
		return false
	}
	for _, t := range task { // one that is left out may be what keeps it from doing more
		if t[0] == '-' && !isAmong(args, t) && !slices.ContainsFunc(args, func(a string) bool { return m.valueAlike([]string{t}, a) }) {
			return false
		}
	}
	for i := 0; i < len(args); i++ {
		a := args[i]
		at := slices.Index(task, a)
		switch {
		case at >= 0 && a[0] == '-':
			if at+1 < len(task) && i+1 < len(args) && task[at+1][0] != '-' && m.alike(task[at+1], args[i+1]) {
				i++
			}
		case a[0] == '-':
			if m.valueAlike(task, a) {
				continue
			}
			takes, ok := m.plainOption(a, args[i+1:])
			if !ok {
				return false
			}
			i += takes
		case i == 0 && at == 0 || m.plainFile(a):
		default:
			return false
		}
	}
	return true
}

// valueAlike says whether an option with its value attached is one of a task's with a value
// like that.
func (m *machine) valueAlike(task []string, word string) bool {
	name, value, ok := cutAt(word, "=")
	return ok && slices.ContainsFunc(task, func(t string) bool {
		other, old, has := cutAt(t, "=")
		return has && other == name && m.alike(old, value)
	})
}

// alike says whether a word may stand for another: the same, both numbers, or both files of
// the workspace.
func (m *machine) alike(a, b string) bool {
	number := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	return a == b || number(a) && number(b) || m.plainFile(a) && m.plainFile(b) && path.Ext(a) == path.Ext(b)
}

// taskLine is one command line of a task of the project.
type taskLine struct{ name, line string }

// projectTasks are the command lines of the project's tasks, in a fixed order.
func (m *machine) projectTasks() []taskLine {
	var out []taskLine
	for _, file := range [...]string{"package.json", "composer.json"} {
		if full, ok := m.above(file); ok {
			out = append(out, manifestTasks(m.p.SettledText(full))...)
		}
	}
	for _, file := range [...]string{"GNUmakefile", "makefile", "Makefile"} {
		if full, ok := m.above(file); ok {
			out = append(out, recipes(m.p.SettledText(full))...)
			break
		}
	}
	if full, ok := m.above("pyproject.toml"); ok {
		out = append(out, tomlTasks(m.p.SettledText(full))...)
	}
	return out
}

// manifestTasks are the scripts of a manifest of npm's or Composer's (npm's package.json(5),
// scripts; Composer's manual, scripts).
func manifestTasks(text string) (out []taskLine) {
	var manifest struct {
		Scripts map[string]json.RawMessage `json:"scripts"`
	}
	if json.Unmarshal([]byte(text), &manifest) != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(manifest.Scripts)) {
		var line string
		var lines []string
		if json.Unmarshal(manifest.Scripts[name], &line) == nil {
			lines = []string{line}
		} else if json.Unmarshal(manifest.Scripts[name], &lines) != nil {
			continue
		}
		for _, l := range lines {
			out = append(out, commandsOf(name, l)...)
		}
	}
	return out
}

// recipes are the lines of a makefile's recipes, by their first target (GNU make's manual,
// "Rule Syntax").
func recipes(text string) (out []taskLine) {
	target := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if rest, ok := cutPrefix(line, "\t"); ok {
			if target != "" {
				out = append(out, commandsOf(target, strings.TrimLeft(rest, "@-+ "))...)
			}
			continue
		}
		if name, _, ok := cutAt(line, ":"); ok && plainTask(name) {
			target = name
		} else if line != "" && line[0] != '#' {
			target = ""
		}
	}
	return out
}

// tomlTasks are the tasks of pyproject.toml that are one text each: those of the tables whose
// last word is scripts or tasks (the manuals of pdm, hatch, poethepoet and taskipy).
func tomlTasks(text string) (out []taskLine) {
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			table := strings.Trim(line, "[] ")
			inside = strings.HasPrefix(table, "tool.") && table != "tool.poetry.scripts" && (strings.HasSuffix(table, ".scripts") || strings.HasSuffix(table, ".tasks"))
			continue
		}
		name, value, ok := cutAt(line, "=")
		value = strings.TrimSpace(value)
		if inside && ok && len(value) > 1 && (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0] {
			out = append(out, commandsOf(strings.Trim(strings.TrimSpace(name), `"'`), value[1:len(value)-1])...)
		}
	}
	return out
}

// commandsOf are the commands of a task's line.
func commandsOf(name, line string) (out []taskLine) {
	for _, part := range strings.FieldsFunc(strings.ReplaceAll(line, "&&", ";"), func(c rune) bool { return c == ';' }) {
		out = append(out, taskLine{name, part})
	}
	return out
}

// taskWords are the words of a command that a shell takes as they are, without a runner of the
// project's environment before them; none where one may be something else.
func taskWords(line string) []string {
	if strings.ContainsAny(line, "\"'$`\\<>|&(){}*?[]~#!") {
		return nil
	}
	words := strings.Fields(line)
	for _, runner := range [...]string{"bundle exec", "npx", "pdm run", "pnpm exec", "poetry run", "uv run", "yarn exec"} {
		if r := strings.Fields(runner); len(words) > len(r) && slices.Equal(words[:len(r)], r) {
			return words[len(r):]
		}
	}
	return words
}
