package gates

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file brings the files of other tools that keep commands under names into the form of
// a makefile, and finds the sections of a project's settings that a tool reads.

// justRules is a justfile with its recipes indented as in a makefile (just's manual, the
// grammar).
func justRules(text string) string {
	var b strings.Builder
	text = justValues(text)
	for line := range strings.Lines(text) {
		if t := strings.TrimLeft(line, " \t"); t != line && strings.TrimSpace(t) != "" {
			line = "\t" + t
		} else if name, _, ok := cutAt(line, " "); ok && !strings.Contains(line, ":=") && !strings.Contains(name, ":") {
			if i := lastByte(line, ':'); i >= 0 {
				line = name + line[i:] // without its parameters
			}
		}
		b.WriteString(line)
	}
	return b.String()
}

// What a justfile puts into its recipes, and the names that it gives to texts (just's manual, the
// grammar: expressions).
var (
	justPut  = regexp.MustCompile(`\{\{\s*([^{}]*?)\s*\}\}`)
	justText = regexp.MustCompile(`(?m)^(?:export[ \t]+)?([A-Za-z_][\w-]*)[ \t]*:=[ \t]*(.*?)[ \t]*(?:#.*)?$`)
	justOnly = regexp.MustCompile(`^(?:'[^'\\]*'|"[^"\\]*")$`)
	justName = regexp.MustCompile(`^[A-Za-z_][\w-]*$`)
)

// justValues is a justfile with the texts put in that its names stand for. A parameter is a variable
// that nobody knows; what is computed may be anything.
func justValues(text string) string {
	values := map[string]string{}
	for _, m := range justText.FindAllStringSubmatch(text, -1) {
		if values[m[1]] = unevaluated; justOnly.MatchString(m[2]) {
			values[m[1]] = m[2][1 : len(m[2])-1]
		}
	}
	return justPut.ReplaceAllStringFunc(text, func(put string) string {
		name := justPut.FindStringSubmatch(put)[1]
		value, ok := values[name]
		switch {
		case ok:
			return value
		case justName.MatchString(name):
			return "${" + strings.ReplaceAll(name, "-", "_") + "}"
		}
		return unevaluated
	})
}

// taskRules are the tasks of a Taskfile as rules: their names stand two spaces deep below
// tasks, the first of them is default (taskfile.dev, schema).
func taskRules(text string) string {
	_, tasks, ok := cutAt("\n"+text, "\ntasks:")
	if !ok {
		return ""
	}
	var b strings.Builder
	var needs, lines []string
	name := ""
	flush := func() {
		if name != "" {
			b.WriteString(name + ": " + strings.Join(needs, " ") + "\n")
			for _, l := range lines {
				b.WriteString("\t" + l + "\n")
			}
		}
		needs, lines = nil, nil
	}
	for line := range strings.Lines(tasks) {
		body := strings.TrimSpace(line)
		depth := len(line) - len(strings.TrimLeft(line, " \t"))
		switch {
		case body == "" || body[0] == '#':
		case depth == 0:
			flush()
			return b.String()
		case depth == 2 && strings.Contains(body, ":"):
			flush()
			var value string
			name, value, _ = cutAt(body, ":")
			name = unquoted(name)
			if value = unquoted(strings.TrimSpace(value)); value != "" {
				lines = []string{value}
			}
		default:
			item := strings.TrimSpace(trimPrefix(body, "-"))
			key, value, keyed := cutAt(item, ": ")
			switch {
			case keyed && key == "task":
				needs = append(needs, unquoted(strings.TrimSpace(value)))
			case keyed && key == "deps":
				needs = append(needs, strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune("[], ", r) })...)
			case keyed && (key == "cmd" || key == "sh" || key == "cmds"):
				lines = append(lines, strings.Trim(value, "[] "))
			case !strings.HasSuffix(item, ":"):
				lines = append(lines, unquoted(item))
			}
		}
	}
	flush()
	return b.String()
}

// sharedSettings are files in which many tools keep a section of their own.
var sharedSettings = [...]string{"pyproject.toml", "setup.cfg", "tox.ini", "tox.toml", "package.json"}

// sectionsOf judges and follows what a program reads of settings that it shares with others:
// the sections with its name; tox reads all of its file.
func (f *follower) sectionsOf(program string, r *effect.Run) {
	for _, base := range sharedSettings {
		file := path.Join(r.Cwd, base)
		text, ok := f.text(file)
		if !ok || program == "tox" && base == "tox.ini" || f.seen[program+" in "+file] || isAmong(f.known, file) {
			continue
		}
		f.seen[program+" in "+file] = true
		own := sections(text, program)
		switch base {
		case "tox.toml":
			if own = ""; program == "tox" {
				own = text
			}
		case "package.json":
			if own = settingsIn(text, program); own == "" {
				continue // its scripts are followed elsewhere
			}
		}
		if f.wrote(file) && !f.c.staysInside(file, own) {
			f.hit = file
			return
		}
		if base != "package.json" { // runners load more of that
			f.judged[file], f.seen[file] = true, true
		}
		if (f.bad[file] || base == "package.json" && f.c.wrote(file)) && slices.ContainsFunc(atMost(append(recipes(values(own)), commandsIn(file, own)...)), func(line string) bool { return f.c.taskAsks(line, r.Cwd) }) {
			f.hit = file
			return
		}
		if f.harms && f.graveAny(file, append(recipes(values(own)), commandsIn(file, own)...), r.Cwd) {
			return
		}
		f.words(own, file)
	}
}

// settingsIn is what a manifest of npm holds for a program under its name (the manuals of lint-staged,
// wireit and nodemon).
func settingsIn(text, program string) string {
	var m map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &m) != nil || program == "scripts" {
		return ""
	}
	return string(m[program]) + string(m[program+"Config"])
}

// sections are those of settings whose header names a program, or what installs a project.
func sections(text, program string) string {
	var b strings.Builder
	on := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "[") {
			on = strings.Contains(line, program) || program == "tox" && strings.HasPrefix(line, "[testenv") || strings.Contains(line, "build-system") && (program == "pip" || program == "build" || program == "uv" || program == "poetry")
		}
		if on {
			b.WriteString(line)
		}
	}
	return b.String()
}
