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
