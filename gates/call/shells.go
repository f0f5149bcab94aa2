package call

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// shellsOf says which shells may read a tool's command line: the one that its name
// says, else those of the host, by where it works. A line passes only if it does
// in all of them.
func shellsOf(tool string, p *effect.Places) (unix bool, windows []shell.WindowsShell) {
	name := strings.ToLower(tool)
	switch {
	case strings.Contains(name, "powershell") || strings.Contains(name, "pwsh"):
		return false, []shell.WindowsShell{shell.PowerShell}
	case !p.OnDrive() || strings.Contains(name, "bash") || strings.Contains(name, "zsh"):
		return true, nil
	case name == "cmd" || name == "cmd.exe":
		return false, []shell.WindowsShell{shell.Cmd}
	}
	return true, []shell.WindowsShell{shell.PowerShell, shell.Cmd}
}

// readings adds what a line does in each shell that may read it.
func (b *builder) readings(line string, places *effect.Places) {
	unix, windows := shellsOf(b.call.Tool, places)
	if unix && places.OnDrive() && effect.Shared(line) {
		b.add(effect.Effect{Kind: effect.Spawn, Op: effect.OpEscape, Resource: "a path on another machine, which is told who one is"})
	}
	if len(windows) > 0 && places.PowerShell != nil {
		places.PowerShell.Read(b, line, places)
		return
	}
	if unix {
		does := b.c.line.Resolve(places)
		b.runs(does.Runs, len(b.c.Effects))
		b.does(&does)
	}
	for _, sh := range windows {
		b.c.Effects = append(b.c.Effects, shell.AnalyzeWindows(line, sh, places)...)
	}
}
