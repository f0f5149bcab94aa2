package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// cmd is part of Pwsh, which programs that embed the runtime do not link. It runs a batch file of the workspace by cmd /c from
// a POSIX shell of Windows, with plain words. Git's shell writes /c as //c, for it takes what begins with one slash for a path
// (MSYS2's manual, Filesystem Paths): cmd may then read what comes in. False for any other line: cmd parts words where Git's
// shell does not, and takes other quotation marks.
func (Pwsh) cmd(m *machine, args []string, in data) bool {
	for len(args) > 0 && isAmong([]string{"//d", "//q", "//s"}, strings.ToLower(args[0])) {
		args = args[1:]
	}
	if !m.p.OnDrive() || len(args) < 2 || !strings.EqualFold(args[0], "//c") && (!in.tty || !strings.EqualFold(args[0], "/c")) {
		return false
	}
	words := strings.Fields(strings.Join(args[1:], " "))
	if slices.ContainsFunc(words, func(w string) bool { return mark.Has(w) || strings.Trim(w, containerLetters+`\`) != "" }) {
		return false
	}
	cwd := m.cwd
	defer func() { m.cwd = cwd }()
	if !m.batch(words) {
		return false
	}
	m.spawn(effect.OpRun, m.prog)
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

// BatchFile says whether a file is a script of cmd by its name, which Windows runs as one whatever shell starts it.
func BatchFile(file string) bool {
	return strings.HasSuffix(file, ".bat") || strings.HasSuffix(file, ".cmd")
}
