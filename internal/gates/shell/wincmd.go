package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// cmd is part of Pwsh, which programs that embed the runtime do not link. It runs cmd /c from a POSIX shell of Windows: the words behind it are a line of cmd's. Git's shell writes /c as //c, for it
// takes what begins with one slash for a path (MSYS2's manual, Filesystem Paths): cmd may then read what comes in. False
// where nobody follows it.
func (Pwsh) cmd(m *machine, args []string, in data) bool {
	for len(args) > 0 && isAmong([]string{"//d", "//q", "//s"}, strings.ToLower(args[0])) {
		args = args[1:]
	}
	if !m.p.OnDrive() || len(args) < 2 || !strings.EqualFold(args[0], "//c") && (!in.tty || !strings.EqualFold(args[0], "/c")) {
		return false
	}
	cwd := m.cwd
	m.spawn(effect.OpRun, m.prog)
	line := strings.Join(args[1:], " ")
	w := winReader{text: line, sh: Cmd, odd: mark.Has(line) || len(line) > maxSource}
	for !w.odd && w.i < len(w.text) && m.step() {
		c := w.command()
		if !w.odd && (len(c.writes) > 0 || !m.batch(c.words)) && !m.besides(c.words) {
			m.winCommand(c, Cmd)
		}
	}
	if w.odd {
		m.opaque(effect.OpComputed, "a Windows command line: "+line)
	}
	m.cwd = cwd
	return true
}

// batch runs a batch file of the workspace, as a script of it: one that cmd finds by its path, or where it is. False for
// anything else.
func (m *machine) batch(words []string) bool {
	if len(words) > 1 && strings.EqualFold(words[0], "call") {
		words = words[1:]
	}
	if len(words) == 0 || strings.Trim(words[0], containerLetters+`\:`) != "" {
		return false
	}
	name := strings.ToLower(words[0]) // with a slash cmd takes what is before it for the program, and other signs part words
	full := m.p.Resolve(m.cwd, name)
	if z, _, _ := m.p.Where(full); z != effect.ZoneWorkspace || !BatchFile(name) {
		return false
	}
	_, wrote := m.written(full)
	if !strings.Contains(name, `\`) && !wrote && (m.p.There == nil || !m.p.There(full)) && !slices.ContainsFunc(m.p.Made, func(f effect.Made) bool { return f.Path == full }) {
		return false // it may be another one's, which lies on the search path
	}
	m.runFile(full, words, unknown, false)
	return true
}

// cmdBuiltins are commands that cmd has itself (cmd /?, help).
const cmdBuiltins = "cd chdir cls copy del dir echo erase md mkdir move rd rem ren rmdir type"

// besides asks about a program of which nobody knows that none of its name lies where cmd is, where it looks first.
func (m *machine) besides(words []string) bool {
	if len(words) == 0 || hasWord(cmdBuiltins, strings.ToLower(words[0])) || m.p.There != nil && !m.besideCmd(strings.ToLower(words[0])) {
		return false
	}
	m.escape("cmd " + words[0])
	return true
}

// BatchFile says whether a file is a script of cmd by its name, which Windows runs as one whatever shell starts it.
func BatchFile(file string) bool {
	return strings.HasSuffix(file, ".bat") || strings.HasSuffix(file, ".cmd")
}
