package scope

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/keeps"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// This file names starts of another coding agent. What it may do, its settings and its options
// decide, and both are known to nobody here; so a yes covers other words of the prompt and other
// forms of the answer, where all options are among those that let it do no more, and every other
// start only in the very same words.

// startsAgent names the start of a coding agent. What it is given to read has to stand in the line:
// a text from elsewhere is one with the whole line.
func startsAgent(c *gates.Context, by *effect.Run) []string {
	if !spelledOut(c) {
		return line(c)
	}
	in := ""
	if by.Cwd != c.Cwd {
		in = " in " + by.Cwd
	}
	tools, ok := answersOnce(by.Words)
	if !ok && loadsFiles(by.Words[1:]) {
		return nil // what stands in them, other words do not say
	}
	if !ok {
		return added(exactly(by.Words), in)
	}
	all := Starts + by.Words[0] + in + " for one answer to any prompt that the line spells out, by its own settings"
	if !tools {
		return []string{all + ", without its built-in tools", all}
	}
	return []string{all}
}

// loadsFiles says whether words may name a file or a directory that an agent takes settings from, or be settings
// themselves: what these name may change while the words stay.
func loadsFiles(words []string) bool {
	line := strings.Join(words, " ")
	return slices.ContainsFunc(loading[:], func(part string) bool { return strings.Contains(line, part) })
}

// loading are endings of such files and beginnings of options with a file, a directory or a text of settings,
// servers, plugins or agents (the agents' manuals).
var loading = [...]string{".json", ".toml", "--add-dir", "--agents", "--cd", "--config", "--extension", "--include", "--mcp", "--plugin", "--settings", "-file", "{"}

// added is a list with a text behind each of its own.
func added(list []string, s string) []string {
	for i := range list {
		list[i] += s
	}
	return list
}

// spelledOut says whether the line holds all that its agents are told: its other programs print
// words that stand there, pass on what they are given, or start the agent.
func spelledOut(c *gates.Context) bool {
	if strings.ContainsAny(c.Command, "$`<") || slices.ContainsFunc(c.Effects, func(e effect.Effect) bool { return e.Kind == effect.Read || e.Kind == effect.List }) {
		return false
	}
	started := 0 // one that is given the answer of another is told what nobody has read
	list := c.Runs()
	for i := range list {
		words, ok := list[i].Words, true
		switch path.Base(words[0]) {
		case "cd", "true":
		case "echo", "printf":
			ok = prints(words)
		case "head", "tail", "wc", "cat":
			ok = !slices.ContainsFunc(words[1:], func(w string) bool { return strings.Trim(w, "-cln0123456789") != "" })
		default:
			if ok = slices.Contains(handsOnce[:], words[0]); names.Agent(words[0]) {
				started++
				ok = started == 1
			}
		}
		if !ok {
			return false
		}
	}
	return true
}

// Starts begins the names of starts of agents by their own settings.
const Starts = "start "

// SteersAgents says whether a call may change the settings that an agent goes by: then what was
// agreed to for starts of one was agreed to for another one.
func SteersAgents(c *gates.Context) bool {
	return slices.ContainsFunc(c.Effects, func(e effect.Effect) bool {
		return (e.Kind == effect.Write || e.Kind == effect.Delete) && (e.Protected || e.Zone == effect.ZoneUnknown || strings.HasSuffix(e.Resource, "/unpacked"))
	}) || slices.ContainsFunc(c.Runs(), func(r effect.Run) bool {
		if names.Agent(r.Words[0]) {
			_, once := answersOnce(r.Words)
			return !once && len(r.Words) > 1 && r.Words[1] != "exec" && r.Words[1] != "run" && !strings.HasPrefix(r.Words[1], "-") && !strings.Contains(r.Words[1], " ") // its own settings, as mcp add
		}
		switch path.Base(r.Words[0]) {
		case "git":
			return !keeps.Git(strings.TrimPrefix(r.Tool, "git "), keeps.GitTree)
		case "gh", "glab":
			return slices.Contains(r.Words, "checkout") || slices.Contains(r.Words, "co")
		}
		return false
	})
}

// prints says whether echo or printf prints a prompt: words that stand in the line.
func prints(words []string) bool {
	rest := words[1:]
	if len(rest) > 0 && (words[0] == "echo" && rest[0] == "-n" || words[0] == "printf" && slices.Contains([]string{"%s", `%s\n`}, rest[0])) {
		rest = rest[1:]
	}
	return len(rest) > 0 && prompt(strings.Join(rest, " "))
}

// prompt says whether a text is a sentence to an agent, and neither a command of its own nor one
// that names a file to be read (the agents' manuals: /command, !command, #note, @file).
func prompt(s string) bool {
	first := strings.ToLower(s[:min(1, len(s))])
	return first != "" && strings.Contains("abcdefghijklmnopqrstuvwxyz0123456789", first) && strings.Contains(s, " ") && !strings.ContainsAny(s, "@\\")
}

// answersOnce says whether an agent is started to print one answer, with no option but those by
// which it may do no more than without, and whether it has its built-in tools (the manuals of
// Claude Code, Codex, Gemini CLI and opencode).
func answersOnce(words []string) (tools, ok bool) {
	rest := words[1:]
	below := len(rest) > 0 && (rest[0] == "exec" || rest[0] == "run")
	if below {
		rest = rest[1:]
	}
	once, prompts := below, 0
	tools = true
	for len(rest) > 0 {
		name, value, given := strings.Cut(rest[0], "=")
		rest = rest[1:]
		switch {
		case !strings.HasPrefix(name, "-"):
			if given {
				name += "=" + value
			}
			if prompts++; prompts > 1 || !prompt(name) {
				return false, false
			}
			continue
		case given:
		case slices.Contains(printing[:], name) && !below:
			once = true
			continue
		case slices.Contains(harmless[:], name):
			continue
		case len(rest) == 0:
			return false, false
		default:
			value, rest = rest[0], rest[1:]
		}
		if !bounded(name, value) {
			return false, false
		}
		tools = tools && name != "--tools"
	}
	return tools, once
}

// printing has an agent print one answer and end; harmless are options about what is printed and
// what is kept of it.
var (
	printing = [...]string{"-p", "--print", "--prompt"}
	harmless = [...]string{"--verbose", "--json", "--include-partial-messages", "--no-session-persistence"}
)

// bounded says whether an option with a value lets an agent do no more than without it.
func bounded(name, value string) bool {
	switch name {
	case "--output-format":
		return value == "text" || value == "json" || value == "stream-json"
	case "--model", "-m":
		return value != "" && strings.Trim(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_") == "" && value[0] != '-'
	case "--max-turns", "--max-budget-usd":
		return value != "" && strings.Trim(value, "0123456789.") == ""
	case "--tools":
		return value == ""
	case "--permission-mode":
		return value == "plan"
	case "--sandbox":
		return value == "read-only"
	}
	return false
}
