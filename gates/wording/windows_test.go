package wording

import (
	"strconv"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/internal/gates/powershell"
)

// TestWindowsPaths: a path on a drive is shown as Windows writes it.
func TestWindowsPaths(t *testing.T) {
	state := gates.State{Cwd: `C:\Users\me\shop`, Roots: []string{`C:\Users\me\shop`}, Home: `C:\Users\me`}
	for file, want := range map[string]string{
		`D:\data\x.csv`:            `Reads D:\data\x.csv, outside`,
		`d:/data/x y.csv`:          `Reads “D:\data\x y.csv”, outside`,
		`/d/x`:                     `Reads D:\x, outside`,
		`\\server\share\x`:         `Reads \\server\share\x, outside`,
		`C:\Users\me\notes.txt`:    `Reads ~/notes.txt, outside`,
		`C:\Users\other\notes.txt`: `Reads C:\users\other\notes.txt`,
	} {
		c := gates.NewContext(gates.Request{Tool: "Read", Args: []byte(`{"file_path": ` + strconv.Quote(file) + `}`)}, state)
		d := new(gates.Guardrail).Decide(&c)
		if got := Of(&c, &d).Person; !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}

// TestCmdlets: a cmdlet that no table has is told as one, a read of the registry as that.
func TestCmdlets(t *testing.T) {
	for line, want := range map[string]string{
		`Get-Frob -Name x`:                     "Runs get-frob, a cmdlet that gbt does not know",
		`Remove-Frob x`:                        "remove-frob x, a cmdlet that gbt does not know",
		`frob-x y`:                             "Runs frob-x y, a program that gbt does not know",
		`Get-ItemProperty HKCU:\Environment`:   `Reads what stands in the registry at HKCU:\Environment; that may be passwords or keys`,
		`Get-ItemProperty "HKCU:\a b" -Name x`: `Reads what stands in the registry at HKCU:\a b;`,
	} {
		state := gates.State{Cwd: `C:\w\repo`, Roots: []string{`C:\w\repo`}, Home: `C:\Users\me`, PowerShell: call.NewPowerShell(powershell.Reader{})}
		c := gates.NewContext(gates.Request{Tool: "PowerShell", Args: []byte(`{"command": ` + strconv.Quote(line) + `}`)}, state)
		d := new(gates.Guardrail).Decide(&c)
		if got := Of(&c, &d).Person; !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}
