package scope

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/names"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about changes of files that something loads unasked: settings and scripts of
// coding agents, of CI and of editors in the workspace. A yes to one of them is for what was
// put in and for what it replaced, never for the file: whoever may write there freely may
// have anything run. Words that were agreed to are no measure either. They say something
// else in another place, and what is taken away is not among them.

// Exactly stands in a name between a file that is changed and a digest of what it held
// before and holds after.
const Exactly = " in exactly this way "

// Holding stands in a name between a script and a digest of what it holds, of a shell's script of
// its code: what it says is none of what it does.
const Holding = " executable holding "

// Plainly ends the name of a script whose changes a yes is for while all that it does passes anyway.
const Plainly = " as long as nothing that it does is asked about"

// Saying stands in a name between a script that is changed and a digest of its code: a yes to a
// change is also for later ones of comments and of words that it prints.
const Saying = " in what it says, with the code "

// changes names a change of a guarded file by a tool that puts text into it, and that a
// script is made executable with the text that was agreed to.
func changes(c *gates.Context, e *gates.Effect, by *effect.Run) [][]string {
	if e.Zone != effect.ZoneWorkspace || !e.Protected || e.Glob || unplaced(e) || c.IsOwn(e) || reserved(e.Resource) {
		return nil
	}
	if by != nil {
		return madeExecutable(c, e, by)
	}
	if list, ok := c.Edits(e.Resource); ok && len(list) == 1 {
		if name := exchanged(e.Resource, &list[0]); name != "" {
			now, ok := c.OwnNamed(list[0].Text)
			if now != "" { // who agreed to one script agreed to none that takes its place
				name += " with the scripts that it names as they are now, " + sum(now)
			}
			if !ok {
				return nil
			}
			return [][]string{{name}}
		}
	}
	before, after, known := c.Around(e.Resource)
	if !known || guardLines(before) != guardLines(after) {
		return nil
	}
	if shell.ScriptLanguage(e.Resource, after) == "" {
		now, ok := c.OwnNamed(after)
		if !ok {
			return nil
		}
		return [][]string{{"change " + e.Resource + Exactly + sum(before, after+now)}}
	}
	if runsPlainly(c, e.Resource, after) && !decides(before) {
		return [][]string{{"change " + e.Resource + Plainly, "change " + e.Resource + Exactly + sum(before, after)}}
	}
	now, said := code(e.Resource, after)
	out := [][]string{{"make " + e.Resource + Holding + sum(now)}}
	if was, _ := code(e.Resource, before); was != now || !said {
		out = append(out, []string{"change " + e.Resource + Exactly + sum(before, after)})
	}
	if said {
		out = append(out, []string{"change " + e.Resource + Saying + sum(now)})
	}
	return out
}

// runsPlainly says whether a script only does what would pass each time, and gives no answer by which an
// agent goes on or stops.
func runsPlainly(c *gates.Context, file, text string) bool {
	return !decides(text) && !startedByAgents(c, file) && c.RunsPlainly(file, text)
}

// agentSettings are files of an agent's settings that may name what it runs by itself (the agents'
// manuals of hooks).
var agentSettings = [...]string{"settings.json", "settings.local.json", "hooks.json", "hooks/hooks.json", "config.toml", "config.json", "mcp.json"}

// startedByAgents says whether a script may be one that agents, or others, start by themselves, and by
// whose end they go on or not: it lies beside no agent's settings, those name it, or nobody can tell.
func startedByAgents(c *gates.Context, file string) bool {
	elems := strings.Split(file, "/")
	at := slices.IndexFunc(elems, func(e string) bool { return slices.Contains(names.AgentSettings[:], e) })
	if at < 0 || slices.Contains(elems, "hooks") {
		return true
	}
	for _, dir := range [...]string{strings.Join(elems[:at+1], "/"), c.Home + "/" + elems[at]} {
		for _, name := range agentSettings {
			if text, known := c.Holds(dir + "/" + name); !known || strings.Contains(text, path.Base(file)) || namesAll(text, path.Base(path.Dir(file))) {
				return true
			}
		}
	}
	return false
}

// namesAll says whether a text may name all files of a directory: where it names that, no plain name
// stands behind it.
func namesAll(text, dir string) bool {
	parts := strings.Split(text, dir)
	return slices.ContainsFunc(parts[1:], func(after string) bool {
		return len(after) < 2 || after[0] != '/' || strings.Trim(after[1:2], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != ""
	})
}

// decides says whether a script may be one that lets an agent's calls pass or not: one change of it
// is none of another (the agents' manuals of hooks: how a script ends, or the JSON that it prints).
func decides(text string) bool {
	text = strings.ToLower(strings.ReplaceAll(text, "exit 0", ""))
	return slices.ContainsFunc([]string{"exit", "return", "decision", "permission", "continue", "block", "deny", "{", "\\"}, func(s string) bool { return strings.Contains(text, s) })
}

// code is what a script does, without what it says; said is false where these are not told apart.
func code(file, text string) (code string, said bool) {
	if lang := shell.ScriptLanguage(file, text); lang == "sh" || lang == "bash" {
		if code, ok := shell.Code(text); ok {
			return code, true
		}
	}
	return text, false
}

// reserved says whether a path lies in a directory that git, ssh or the guard keeps.
func reserved(p string) bool {
	return slices.ContainsFunc(strings.Split(p, "/"), func(elem string) bool {
		elem = strings.ToLower(elem)
		return elem == ".git" || elem == ".ssh" || mentionsGuard(elem)
	})
}

// mentionsGuard says whether a text may be about the guard: nothing that is, is remembered.
func mentionsGuard(s string) bool { return strings.Contains(strings.ToLower(s), "gbt") }

// guardLines are the lines of a text that may be about the guard.
func guardLines(s string) string {
	if !mentionsGuard(s) {
		return ""
	}
	var out []string
	for line := range strings.SplitSeq(s, "\n") {
		if mentionsGuard(line) {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// sum is a digest of texts.
func sum(texts ...string) string {
	h := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(h[:16])
}

// executable are modes of chmod(1) by which a file can be run and nobody else can write it.
var executable = [...]string{"+x", "u+x", "a+x", "ug+x", "755", "0755", "700", "0700"}

// madeExecutable names that a script is made executable as it is.
func madeExecutable(c *gates.Context, e *gates.Effect, by *effect.Run) [][]string {
	w := by.Words
	if e.Op != effect.OpChmod || by.Given || len(w) != 3 || w[0] != "chmod" || !slices.Contains(executable[:], w[1]) || len(c.Written()) > 0 {
		return nil
	}
	text, known := c.Holds(e.Resource)
	if !known || shell.ScriptLanguage(e.Resource, text) == "" {
		return nil
	}
	now, _ := code(e.Resource, text)
	made := []string{"make " + e.Resource + Holding + sum(now)}
	if runsPlainly(c, e.Resource, text) {
		made = append(made, "change "+e.Resource+Plainly)
	}
	return [][]string{made}
}

// maxExchanged bounds the two commands of an exchange, which a person has to read.
const maxExchanged = 300

// exchanged names an edit of JSON settings that has a hook run another program with the
// arguments that it ran before. The last word may be another one in another hook (the event
// that it is for) if both commands have it, behind the same two words, which are no options: it
// is an argument of the same kind on both sides. All else is as it was agreed to.
func exchanged(file string, w *effect.Written) string {
	if path.Ext(file) != ".json" || mentionsGuard(w.Old) || mentionsGuard(w.Text) {
		return ""
	}
	from, to := hookCommand(w.Old, w.Text)
	was, is := plainCommand(from), plainCommand(to)
	n := 0 // words that both end with
	for n < len(was) && n < len(is) && was[len(was)-1-n] == is[len(is)-1-n] {
		n++
	}
	if n < 3 || n == len(was) || n == len(is) || len(from)+len(to) > maxExchanged || !event(is[len(is)-1]) || is[len(is)-2][0] == '-' || is[len(is)-3][0] == '-' {
		return ""
	}
	cut := func(words []string) string { return strings.Join(words[:len(words)-1], " ") }
	return "let hooks in " + file + " run `" + cut(is) + " ...` for `" + cut(was) + " ...`"
}

// event says whether a word looks like the name of an event, as hooks are told it.
func event(w string) bool {
	return w != "" && strings.Trim(w, "abcdefghijklmnopqrstuvwxyz-") == "" && w[0] != '-'
}

// hookCommand is the one line by which two texts of the same lines differ, where it is the
// command of a hook: `"command": "..."` beside `"type": "command"`.
func hookCommand(was, is string) (from, to string) {
	a, b := strings.Split(was, "\n"), strings.Split(is, "\n")
	if len(a) != len(b) {
		return "", ""
	}
	at := -1
	for i := range a {
		if a[i] != b[i] {
			if at >= 0 {
				return "", ""
			}
			at = i
		}
	}
	if at < 0 || !typed(a, at-1) && !typed(a, at+1) {
		return "", ""
	}
	from, tail := commandLine(a[at])
	to, same := commandLine(b[at])
	if tail != same {
		return "", ""
	}
	return from, to
}

// typed says whether a line of settings says that its object is a hook that runs a command.
func typed(lines []string, i int) bool {
	return i >= 0 && i < len(lines) && strings.TrimSuffix(strings.TrimSpace(lines[i]), ",") == `"type": "command"`
}

// commandLine is the value of a line `"command": "..."`, and what stands around it.
func commandLine(line string) (value, around string) {
	trimmed := strings.TrimSpace(line)
	rest, ok := strings.CutPrefix(trimmed, `"command": `)
	if !ok {
		return "", ""
	}
	rest, comma := strings.CutSuffix(rest, ",")
	if json.Unmarshal([]byte(rest), &value) != nil {
		return "", ""
	}
	if around = line[:strings.Index(line, trimmed)]; comma {
		around += ","
	}
	return value, around
}

// plainCommand are the words of a command without quotes, operators or substitutions, but for
// variables in capitals: nil for any other.
func plainCommand(s string) []string {
	bare := variable.ReplaceAllString(s, "")
	if s == "" || strings.Trim(bare, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+=, ") != "" {
		return nil
	}
	return strings.Fields(s)
}

// variable is one that a host sets for its hooks, as a shell expands it.
var variable = regexp.MustCompile(`\$\{[A-Z][A-Z_]*\}|\$[A-Z][A-Z_]*`)
