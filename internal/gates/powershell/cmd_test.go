package powershell_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/internal/gates/powershell"
)

// TestCmdFromGitsShell: lines of cmd's ask in a POSIX shell of Windows; a batch file of the workspace runs there as a
// script of it does, and one that the session wrote is read as cmd reads it.
func TestCmdFromGitsShell(t *testing.T) {
	decide := func(cwd, line, bat string) gates.Decision {
		s := gates.State{Cwd: cwd, Roots: []string{cwd}, Home: `C:\Users\me`, Exists: func(file string) bool { return file == "/c:/w/repo/build.bat" || file == "/c:/w/repo/git.bat" }, PowerShell: call.NewPowerShell(powershell.Reader{})}
		if bat != "" {
			args, _ := json.Marshal(map[string]string{"file_path": cwd + "/build.bat", "content": strings.ReplaceAll(bat, "\n", "\r\n")})
			c := gates.NewContext(gates.Request{Tool: "Write", Args: args}, s)
			s.Flow = c.After()
		}
		args, _ := json.Marshal(map[string]string{"command": line})
		c := gates.NewContext(gates.Request{Tool: "Bash", Args: args}, s)
		return (&gates.Guardrail{}).Decide(&c)
	}
	for _, line := range []string{"./build.bat", "./gradlew.bat test"} {
		if d := decide(`C:\w\repo`, line, ""); d.Disposition != gates.Approved {
			t.Errorf("asks: %s: %+v", line, d.Reasons)
		}
	}
	for _, line := range []string{
		`cmd //c "rd /s /q build;C:\Users\me\docs"`, `cmd //c "copy src\a.py;.git\hooks\pre-commit"`, `cmd //c "del build/s"`, `cmd //c build.bat '"&rd /s /q C:\Users\me&"'`, `cmd //c "echo del x > x.bat"`, `cmd //c "copy e.txt x.bat & .\x.bat"`,
		`cmd //c "sl build & rd /s /q src"`, "winpty cmd //c build.bat", `cmd //c "rmdir /s /q build"`,
		"cmd //c other.bat", "cmd //c evil", "cmd //c scripts/build.bat", `cmd //c 'x;y\build.bat'`, `cmd //c 'x=1\build.bat'`, `cmd //c '..\build.bat'`, `cmd //c 'C:\other\build.bat'`, `cmd //c '\\server\share\x.bat'`, `cmd //c "$X"`, "cmd //c $X", "cmd //k build.bat", "cmd",
		`cmd //c "build.bat & del C:\Users\me\x"`, "cmd //c build.bat '&' del C:/Users/me/x", `cmd //c "build.bat > C:\Users\me\.bashrc"`, `cmd //c "del /s /q C:\Users\me\x"`, `cmd //c "type C:\Users\me\.ssh\id_rsa"`, "cmd //c powershell -enc AAAA", `cmd //c "%COMSPEC% /c x"`,
		`cmd //c "for /f %i in (x) do %i"`, `cmd //c "set PATH=x&& build.bat"`, "cmd //c git push", "cmd //c npm publish", "echo 'del x' | cmd", "echo 'del x' | cmd /c build.bat", `cmd //c "start build.bat"`, "cmd //c build.bat > ~/x", `cmd //c "^d^e^l x"`, "cmd //c git status", "cmd //c git.exe status",
		"echo x > build.bat; cmd //c build.bat", "echo x > build.bat; ./build.bat", "printf '# & del /s C:/Users/me/x' > a.cmd; ./a.cmd",
	} {
		if d := decide(`C:\w\repo`, line, ""); d.Disposition == gates.Approved {
			t.Errorf("passes: %s: %+v", line, d.Effects)
		}
	}
	for _, bat := range []string{"# & del /s /q C:\\Users\\me\\x\n", "echo '\ndel /s /q C:\\Users\\me\\x\necho '\n", "echo '\npowershell -c iex x\necho '\n", ": & evil\n", "echo %PATH%\n"} { // no more than text to sh
		for _, line := range []string{"./build.bat", "cmd //c build.bat", `cmd //c '.\build.bat'`, "cp build.bat b.cmd; ./b.cmd"} {
			if d := decide(`C:\w\repo`, line, bat); d.Disposition == gates.Approved {
				t.Errorf("passes: %q by %s", bat, line)
			}
		}
	}
	if d := decide(`C:\w\repo`, "./build.bat", "echo hello\ndir src\n"); d.Disposition != gates.Approved {
		t.Errorf("%+v", d.Reasons)
	}
	if d := decide("/w/p", "cmd //c build.bat", ""); d.Disposition == gates.Approved {
		t.Errorf("%+v", d.Effects)
	}
}
