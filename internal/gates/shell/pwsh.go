package shell

import (
	"path"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// pwshOptions are those of PowerShell's program (about_Pwsh, about_PowerShell_exe), with a
// plus before those that have a value. Any other one is not followed: one that runs code written
// otherwise, or settings from a file.
const pwshOptions = " noprofile nop noninteractive noni nologo nol sta mta noexit noe +executionpolicy +ex +ep +outputformat +o +of +inputformat +if +windowstyle +w "

// Pwsh runs PowerShell's program by what a reader says of its lines. It stands apart so that
// programs which embed the runtime do not link it.
type Pwsh struct {
	effect.PowerShellReader
}

// Run runs the program in a machine; false where nobody follows it.
func (p Pwsh) Run(at any, args []string) bool {
	m := at.(*machine)
	in := m.in
	_, ok := p.run(m, args, in)
	return ok
}

// run runs a line or a script of PowerShell. ok is false where nobody follows it.
func (p Pwsh) run(m *machine, args []string, in data) (out data, ok bool) {
	for i := 0; i < len(args); i++ {
		a := strings.ToLower(trimPrefix(args[i], "-"))
		slash := strings.HasPrefix(args[i], "/") && m.p.OnDrive()
		if slash {
			a = a[1:]
		}
		switch {
		case mark.Has(args[i]) || args[i] == "":
			return unknown, false
		case args[i][0] != '-' && !slash:
			if m.prog == "pwsh" {
				return p.file(m, args[i], args[i+1:])
			}
			return p.line(m, args[i:], in)
		case a == "c" || len(a) > 1 && strings.HasPrefix("command", a):
			return p.line(m, args[i+1:], in)
		case (a == "f" || len(a) > 1 && strings.HasPrefix("file", a)) && i+1 < len(args):
			return p.file(m, args[i+1], args[i+2:])
		case len(args) == 1 && (a == "version" || a == "v" || a == "help" || a == "h" || a == "?" || a == "-version"):
			m.spawn(effect.OpRun, m.prog)
			return unknown, true
		case strings.Contains(pwshOptions, " "+a+" "):
		case strings.Contains(pwshOptions, " +"+a+" "):
			i++
		default:
			return unknown, false
		}
	}
	return unknown, false
}

// line runs words that PowerShell puts together to a line.
func (p Pwsh) line(m *machine, words []string, in data) (data, bool) {
	text := strings.Join(words, " ")
	if mark.Has(text) || text == "" || text == "-" || !in.tty && strings.Contains(strings.ToLower(text), "$input") {
		return unknown, false
	}
	posix, _, ok := p.Translate(text, m.p.OnDrive())
	if !ok {
		return unknown, false
	}
	m.spawn(effect.OpRun, m.prog)
	p.translated(m, posix)
	return unknown, true
}

// file runs a script: its text is read as the line that it is, and judged beside the start
// of the file.
func (p Pwsh) file(m *machine, word string, args []string) (data, bool) {
	full := m.p.Resolve(m.cwd, word)
	text, ok := "", false
	if f, wrote := m.written(full); wrote {
		text, ok = f.text, f.known
	} else if m.p.TextOf != nil {
		text, ok = m.p.TextOf(full)
	}
	if !ok || len(args) > 0 || mark.Has(full) || !strings.EqualFold(path.Ext(full), ".ps1") {
		return unknown, false
	}
	posix, _, ok := p.Translate(trimPrefix(text, "\ufeff"), m.p.OnDrive())
	if !ok {
		return unknown, false
	}
	z, _, _ := m.p.Where(full)
	m.ranDocument(full, "sh")
	m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: z, Resource: show(full)})
	p.translated(m, posix)
	return unknown, true
}

// translated runs what a line of PowerShell does, in a process of its own.
func (p Pwsh) translated(m *machine, posix string) {
	args, has, lost, k := m.args, m.hasArgs, m.lost, m.save()
	m.args, m.hasArgs, m.lost = nil, true, false
	m.sourceOut(posix, data{tty: true}, true)
	m.restore(k)
	m.args, m.hasArgs, m.lost = args, has, lost
}
