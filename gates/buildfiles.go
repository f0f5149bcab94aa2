package gates

import (
	"path"
	"strings"
)

// This file reads the commands out of files that steer builds, tests and tasks.

// commandsIn are the command lines that the tools of a build file run.
func commandsIn(file, text string) []string {
	base := strings.ToLower(path.Base(file))
	switch {
	case base == "dockerfile" || base == "containerfile" || strings.HasPrefix(base, "dockerfile.") || strings.HasSuffix(base, ".dockerfile"):
		return imageCommands(text)
	case base == "pom.xml" || base == "build.xml":
		return xmlCommands(text)
	case strings.HasSuffix(base, "proj") || strings.HasSuffix(base, ".targets") || strings.HasSuffix(base, ".props"):
		return msbuildCommands(text)
	case base == "config.toml" && strings.ToLower(path.Base(path.Dir(file))) == ".cargo", base == "config" && strings.ToLower(path.Base(path.Dir(file))) == ".cargo":
		return cargoPrograms(text)
	}
	switch path.Ext(base) {
	case ".exs":
		out := literals(text)
		for _, l := range literals(text) { // a task of Mix that runs a command
			out = append(out, trimPrefix(l, "cmd "))
		}
		return append(out, recipes(values(text))...)
	case ".cmake", ".txt":
		return cmakeCommands(text)
	case ".gradle", ".groovy", ".kts", ".bzl", ".bazel", ".ninja", ".json", ".toml", ".cfg", ".ini":
		return append(literals(text), recipes(values(text))...)
	case ".yml", ".yaml":
		return append(literals(text), yamlCommands(text)...)
	}
	switch base {
	case "makefile", "gnumakefile", "justfile", ".justfile", "build", "workspace", "procfile", "meson.build", "vagrantfile":
		return append(literals(text), append(recipes(text), computedByMake(text)...)...)
	}
	if path.Ext(base) == ".mk" {
		return append(recipes(text), computedByMake(text)...)
	}
	return nil
}

// computedByMake are the command lines that make runs while it reads: $(shell ...)
// and what stands behind !=.
func computedByMake(text string) []string {
	var out []string
	for rest := text; ; {
		_, after, ok := cutAt(rest, "(shell ")
		if !ok {
			break
		}
		depth, end := 1, 0
		for end = 0; end < len(after) && depth > 0; end++ {
			switch after[end] {
			case '(':
				depth++
			case ')':
				depth--
			}
		}
		out = append(out, trimSuffix(after[:end], ")"))
		rest = after
	}
	for l := range strings.Lines(text) {
		if _, command, ok := cutAt(l, "!="); ok {
			out = append(out, strings.TrimSpace(command))
		}
	}
	return out
}

// cmakeCommands are the commands behind COMMAND and the code of file(REMOVE) in
// CMake's language, and the files that it removes.
func cmakeCommands(text string) []string {
	var out []string
	for _, key := range [...]string{"COMMAND ", "REMOVE_RECURSE ", "REMOVE "} {
		for rest := text; ; {
			i := strings.Index(rest, key)
			if i < 0 {
				break
			}
			rest = rest[i+len(key):]
			words := cmakeWords(rest[:min(len(rest), nearStarter)])
			if key != "COMMAND " {
				words = append([]string{"rm", "-rf"}, words...)
			}
			out = append(out, strings.ReplaceAll(strings.ReplaceAll(strings.Join(words, " "), "$ENV{HOME}", "~"), "$ENV{USERPROFILE}", "~"))
		}
	}
	return out
}

// cmakeWords are the arguments up to the next keyword or the end of the command.
func cmakeWords(text string) []string {
	text, _, _ = cutAt(text, ")")
	var out []string
	for _, w := range strings.Fields(text) {
		if len(w) > 3 && strings.ToUpper(w) == w && strings.Trim(w, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" {
			break
		}
		out = append(out, strings.Trim(w, `"`))
	}
	return out
}

// xmlCommands are the commands of Maven's exec plugin and Ant's exec task: the
// program and its arguments in the order in which they stand.
func xmlCommands(text string) []string {
	var out []string
	for _, start := range [...]string{"<executable>", `executable="`} {
		for rest := text; ; {
			_, after, ok := cutAt(rest, start)
			if !ok {
				break
			}
			program := after[:max(0, strings.IndexAny(after, `<"`))]
			near, _, _ := cutAt(trimPrefix(after[strings.IndexAny(after+"<", `<"`):], "</executable>"), "</exec")
			words := []string{program}
			for _, mark := range [...]string{"<argument>", `<arg value="`, `<arg line="`, "<commandlineArgs>"} {
				for part := near; ; {
					_, arg, ok := cutAt(part, mark)
					if !ok {
						break
					}
					words = append(words, quotedWord(arg[:max(0, strings.IndexAny(arg, `<"`))], mark))
					part = arg
				}
			}
			out, rest = append(out, strings.ReplaceAll(strings.Join(words, " "), "${user.home}", "~")), after
		}
	}
	for _, w := range attributes(text, `<delete dir="`) {
		out = append(out, "rm -rf "+strings.ReplaceAll(w, "${user.home}", "~"))
	}
	return out
}

// quotedWord keeps an argument one word, unless its element holds several.
func quotedWord(w, mark string) string {
	if strings.ContainsAny(w, " ;&|") && !strings.Contains(mark, "ine") {
		return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return w
}

func attributes(text, start string) []string {
	var out []string
	for rest := text; ; {
		_, after, ok := cutAt(rest, start)
		if !ok {
			return out
		}
		value, _, _ := cutAt(after, `"`)
		out, rest = append(out, value), after
	}
}

// yamlCommands are the values of lines of YAML, behind a dash or a key.
func yamlCommands(text string) []string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		l = strings.TrimLeft(l, " \t-")
		if key, value, ok := cutAt(l, ": "); ok && !strings.ContainsAny(key, " \t\"'") {
			l = strings.TrimLeft(value, " -|>") + "\n"
		}
		b.WriteString(unquoted(strings.TrimSpace(l)) + "\n")
	}
	return recipes(b.String())
}

// imageCommands are the commands of a Dockerfile that reach beyond the image while it
// is built: those that send. What they delete or change is the image's.
func imageCommands(text string) []string {
	var out []string
	text = strings.ReplaceAll(text, "\\\n", " ")
	for l := range strings.Lines(text) {
		word, command, _ := cutAt(strings.TrimSpace(l), " ")
		if strings.EqualFold(word, "RUN") && (strings.Contains(command, "curl") || strings.Contains(command, "wget") || strings.Contains(command, "nc ") || strings.Contains(command, "/dev/tcp/")) {
			out = append(out, strings.FieldsFunc(command, func(r rune) bool { return r == '&' || r == ';' })...)
		}
	}
	return out
}

// cargoPrograms are the programs that Cargo runs in place of its own.
func cargoPrograms(text string) []string {
	var out []string
	for l := range strings.Lines(text) {
		key, value, ok := cutAt(l, "=")
		switch strings.TrimSpace(key) {
		case "rustc", "rustc-wrapper", "rustc-workspace-wrapper", "rustdoc", "linker", "runner", "credential-provider":
			if ok {
				words := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune("[]\"',\n", r) })
				out = append(append(out, strings.Join(words, " ")), words...) // a word may be a line for a shell
			}
		}
	}
	return out
}

// unquoted is a value without the quotes that stand around all of it.
func unquoted(v string) string {
	if n := len(v); n > 1 && (v[0] == '"' || v[0] == '\'') && v[n-1] == v[0] && strings.Count(v, v[:1]) == 2 {
		return v[1 : n-1]
	}
	return v
}

// msbuildCommands are the commands of MSBuild's Exec task and of the events before and
// after a build, with properties as a shell writes variables.
func msbuildCommands(text string) []string {
	out := append(attributes(text, `Command="`), elements(text, "PreBuildEvent", "PostBuildEvent", "PreLinkEvent", "Command")...)
	for _, d := range attributes(text, `Directories="`) { // the RemoveDir task
		out = append(out, "rm -rf "+d)
	}
	for i, c := range out {
		out[i] = properties.Replace(c)
	}
	return out
}

var properties = strings.NewReplacer("$(", "${", ")", "}", "&quot;", `"`, "&apos;", "'", "&lt;", "<", "&gt;", ">", "&amp;", "&")

// elements are the lines that elements of these names hold.
func elements(text string, names ...string) []string {
	var out []string
	for _, name := range names {
		for rest := text; ; {
			_, after, ok := cutAt(rest, "<"+name+">")
			if !ok {
				break
			}
			inner, _, _ := cutAt(after, "</")
			out, rest = append(out, strings.Split(strings.TrimSpace(inner), "\n")...), after
		}
	}
	return out
}
