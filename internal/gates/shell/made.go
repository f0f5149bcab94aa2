package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file follows what earlier calls of the session wrote. Somebody may have
// changed it since, so it is no known text, and no decision on the line rests on
// it: it only says what files hold that the line makes of it.

// made is what a text would be if the files of earlier calls are as they were left.
type made struct {
	text  string
	known bool
}

// best is what is known of a text, or what it would be. Not inlined, for the size of programs.
//
//go:noinline
func (d data) best() made {
	if d.known() {
		return made{d.text, true}
	}
	return d.made
}

// joined is what two texts in a row would be.
func joined(a, b data) made {
	x, y := a.best(), b.best()
	if !x.known || !y.known || len(x.text)+len(y.text) > maxText {
		return made{}
	}
	return made{x.text + y.text, true}
}

// earlier is a text of which only what earlier calls wrote to a file is known.
func (m *machine) earlier(word string) data {
	full := m.p.Resolve(m.cwd, word)
	if _, ok := m.written(full); ok {
		return unknown
	}
	return m.left(full)
}

// left is what earlier calls left in a file. Not inlined, for the size of programs.
//
//go:noinline
func (m *machine) left(full string) data {
	for i := len(m.p.Made) - 1; i >= 0; i-- {
		if f := &m.p.Made[i]; f.Path == full {
			return data{text: unknown.text, made: made{f.Text, f.Known}}
		}
	}
	return unknown
}

// beforeAppend is what a file held before the redirection that appends to it, which
// has noted the file already.
func (m *machine) beforeAppend(word string) data {
	full, noted := m.p.Resolve(m.cwd, word), false
	for i := len(m.files) - 1; i >= 0; i-- {
		switch f := &m.files[i]; {
		case f.path != full:
		case !noted:
			noted = true
		case f.known:
			return data{text: f.text}
		default:
			return data{text: unknown.text, made: f.made}
		}
	}
	return m.left(full)
}

// runsProgram records that a file of the workspace is the program that is run.
func (m *machine) runsProgram(word string) {
	full := m.p.Resolve(m.cwd, word)
	if z, _, _ := m.p.Where(full); z == effect.ZoneWorkspace {
		m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: z, Resource: show(full)})
	}
}

// otherName judges a script that an earlier call wrote under a name of another
// language, or of none: then nobody has read it as what it is run as. What it sets
// ends with it.
func (m *machine) otherName(full, lang string) {
	text := m.left(full).made
	if !text.known || isAmong(m.judged, lang+" "+full) || !m.enter() {
		return
	}
	m.judged = append(m.judged, lang+" "+full)
	if as := languageByName(full); runnable(lang) && family(as) != family(strings.TrimRight(lang, versionRunes)) {
		k := m.save()
		m.code(strings.TrimRight(lang, versionRunes), text.text, unknown, false)
		m.restore(k)
	}
	m.depth--
}

// versionRunes end an interpreter's name: python3.12, node-22.
const versionRunes = "0123456789.-"

// runnable says whether what an interpreter runs can be judged by its text.
func runnable(lang string) bool {
	lang = strings.TrimRight(lang, versionRunes)
	return dialectOf(lang) != nil || family(lang) == "sh"
}

// family is a language, the same for all shells. Not inlined, for the size of programs.
//
//go:noinline
func family(lang string) string {
	switch lang {
	case "ash", "bash", "dash", "ksh", "source", "zsh":
		return "sh"
	}
	return lang
}

// madeProgram judges a file that is run by itself and names no interpreter: a shell
// takes it (execve(2), "ENOEXEC" in execlp(3)).
func (m *machine) madeProgram(full string) {
	if text := m.left(full).made; text.known && shebang(text.text) == "" {
		m.otherName(full, "sh")
	}
}

// madeSettings judges the variables that a file sets that is sourced: where its name
// is of no shell's code, nobody has read it as that.
func (m *machine) madeSettings(full string) {
	text := m.left(full).made
	if !text.known || family(languageByName(full)) == "sh" {
		return
	}
	for line := range strings.Lines(text.text) {
		name, value, ok := cutAt(trimPrefix(strings.TrimSpace(line), "export "), "=")
		if ok && name != "" && nameLen(name) == len(name) {
			m.environment(name, strings.Trim(value, `"'`))
		}
	}
}

// madeLoaded records that a program loads a file that an earlier call wrote: one that
// a variable or an option names.
func (m *machine) madeLoaded(word string) {
	if word == "" || mark.Has(word) {
		return
	}
	full := m.p.Resolve(m.cwd, word)
	for i := range m.p.Made {
		if m.p.Made[i].Path == full {
			m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: effect.ZoneWorkspace, Resource: show(full)})
			return
		}
	}
}

// madeOption judges a word in which a pattern stands for names of files: an earlier
// call may have made one that begins with a dash, and the program takes it for an
// option.
func (m *machine) madeOption(argv []string) {
	if len(m.p.Made) == 0 {
		return
	}
	for i, a := range argv {
		if a == "--" {
			return
		}
		if i == 0 || a == "" || a[0] > mark.Class || a[0] < mark.Star {
			continue
		}
		for j := range m.p.Made {
			full := m.p.Made[j].Path
			at := lastSlash(full)
			if full[at+1:] != "" && full[at+1] == '-' && mark.Match(m.p.Resolve(m.cwd, a), full) {
				m.escape(m.prog + " " + full[at+1:])
				return
			}
		}
	}
}

// filtered is what a filter makes of its input or of its files, in out what it
// makes as far as that is known. A filter that takes no files has none as operands.
func (m *machine) filtered(name string, args, files []string, in, out data) data {
	if out.known() || out.made.known {
		return out
	}
	text := m.operandText(files, in).best()
	if !text.known {
		return out
	}
	if got, ok := computed(name, withoutWords(args, files), text.text); ok && len(got) <= maxText {
		out.made = made{got, true}
	}
	return out
}

// computed is fold, and what else is simple enough.
func computed(name string, args []string, text string) (string, bool) {
	plain := len(args) == 0
	switch name {
	case "cat", "tee", "sponge":
		return text, plain || name == "tee"
	case "head", "tail":
		return cutLines(name, args, text)
	case "tac":
		lines := strings.SplitAfter(text, "\n")
		slices.Reverse(lines)
		return strings.Join(lines, ""), plain
	case "sort":
		lines := strings.SplitAfter(text, "\n")
		slices.Sort(lines)
		return strings.Join(lines, ""), plain
	case "dos2unix":
		return strings.ReplaceAll(text, "\r", ""), plain
	}
	got, ok := fold(name, args, data{text: text})
	return got.text, ok && got.known()
}

// operandText is what a filter reads: its files one after the other, or its input.
func (m *machine) operandText(files []string, in data) data {
	if len(files) == 0 {
		return in
	}
	all := data{}
	for _, f := range files {
		d := in
		if f != "-" {
			d = m.contents(f)
		}
		if !d.best().known {
			return unknown
		}
		all = concat(all, d)
	}
	return all
}

// withoutWords are arguments without the words among them.
func withoutWords(args, words []string) []string {
	var out []string
	for _, a := range args {
		if len(words) > 0 && a == words[0] {
			words = words[1:]
			continue
		}
		out = append(out, a)
	}
	return out
}

// cutLines computes head and tail (head(1), tail(1)) with a number of lines.
func cutLines(name string, args []string, text string) (string, bool) {
	count := 10
	if a := strings.TrimLeft(trimPrefix(strings.Join(args, ""), "--lines="), "-n"); a != "" {
		n, err := strconv.Atoi(a)
		if err != nil || n < 0 {
			return "", false
		}
		count = n
	}
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	count = min(count, len(lines))
	if name == "head" {
		return strings.Join(lines[:count], ""), true
	}
	return strings.Join(lines[len(lines)-count:], ""), true
}

// madeArguments are arguments with @FILE replaced by the words of a file that an earlier
// call wrote, as compilers, linkers and builders take them (gcc(1), "@file"; the manuals
// of javac and MSBuild).
func (r *toolRun) madeArguments(args []string) []string {
	if r.t.act != doesBuild || len(r.m.p.Made) == 0 {
		return args
	}
	var out []string
	for i, a := range args {
		words, ok := r.m.madeWords(a)
		switch {
		case ok && out == nil:
			out = append(append(out, args[:i]...), words...)
		case ok:
			out = append(out, words...)
		case out != nil:
			out = append(out, a)
		}
	}
	if out == nil {
		return args
	}
	return out
}

// madeWords are the words of the file that @FILE names.
func (m *machine) madeWords(arg string) ([]string, bool) {
	if len(arg) < 2 || arg[0] != '@' || mark.Has(arg) {
		return nil, false
	}
	text := m.left(m.p.Resolve(m.cwd, arg[1:])).made
	if !text.known {
		return nil, false
	}
	words, ok := splitQuoted(text.text)
	if !ok {
		m.opaque(effect.OpUnparsed, "arguments from "+arg[1:])
	}
	return words, ok
}
