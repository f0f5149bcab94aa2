package names

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file says which files below a guarded directory nobody loads: documents in
// directories of documents, what explains a directory beside it, samples, and the
// worktrees of Claude Code, which are checkouts like any other. Hosts say in their
// manuals which directories they load documents from: Claude Code agents,
// agent-memory, commands, output-styles, plugins, rules, skills and workflows, Codex
// prompts, rules and skills, Cursor commands and rules, Gemini commands and extensions,
// opencode agent, command, mode, plugin, skill, theme and tool, Windsurf rules and
// workflows. None of these is listed here, and what is not listed stays guarded.

// documentDirs are directories that people keep documents in, next to those that their
// host loads. Sorted; common knowledge without a source.
const documentDirs = "adr archive decisions design designs doc docs documentation logs notes plan planning plans reports research reviews specs summaries tasks tickets todos"

// documentEnds are endings of what is read by people alone. Sorted.
const documentEnds = "adoc csv gif jpeg jpg log markdown md org pdf png rst svg tsv txt"

// explained are documents that explain a directory to people. Sorted.
var explained = [...]string{"changelog", "changes", "contributing", "copying", "license", "licence", "notice", "readme", "todo"}

// sampleEnds are endings that keep a file from being found under the name it would have.
var sampleEnds = [...]string{".backup", ".bak", ".disabled", ".example", ".old", ".orig", ".sample", ".template"}

// setAside begin the name of a file among settings that is another one's with a word before it: agents and
// editors look for settings under their names alone (their references of them), and settingsNames are some of these.
const (
	setAside      = " backup draft example old sample test "
	settingsNames = " config.json config.toml hooks.json mcp.json settings.json settings.local.json "
)

// isSetAside says whether a name is one of settings with such a word before it. Not inlined, for the size of programs.
//
//go:noinline
func isSetAside(base string) bool {
	word, rest, ok := strings.Cut(base, "-")
	return ok && strings.Contains(setAside, " "+word+" ") && strings.Contains(settingsNames, " "+rest+" ")
}

// loading are parts of names of directories that some host loads documents or code from.
var loading = [...]string{
	"agent", "chatmode", "command", "context", "extension", "instruction", "memor", "mode", "persona", "plugin", "polic", "prompt", "rule", "skill", "steering", "style", "theme", "tool", "workflow",
}

// unloaded says whether a folded path below a guarded directory is one that nobody
// loads. Only directories of tools have such.
func unloaded(dir, below string) bool {
	if below == "" || mark.Has(below) || strings.IndexByte(below, '~') >= 0 || dir == ".git" || dir == ".ssh" {
		return false
	}
	elems := strings.Split(below, "/")
	if dir == ".claude" && elems[0] == "worktrees" && len(elems) > 2 {
		return !Guarded(strings.Join(elems[2:], "/"))
	}
	for i, e := range elems {
		elems[i] = element(e)
		if elems[i] != e || i < len(elems)-1 && slices.ContainsFunc(loading[:], func(l string) bool { return strings.Contains(e, l) }) {
			return false
		}
	}
	base := elems[len(elems)-1]
	if slices.ContainsFunc(sampleEnds[:], func(end string) bool { return len(base) > len(end) && strings.HasSuffix(base, end) }) {
		return true
	}
	if len(elems) == 1 && isSetAside(base) {
		return true
	}
	stem, end, dotted := strings.Cut(base, ".")
	if !dotted || !mark.Among(documentEnds, end) {
		return len(elems) == 1 && !dotted && mark.Among(documentDirs, base) // the directory itself
	}
	return slices.Contains(explained[:], stem) || len(elems) > 1 && mark.Among(documentDirs, elems[0])
}
