package gates

import (
	"encoding/json"
	"testing"
)

// TestWindowsPlaces: a workspace on a drive is itself under each spelling of it, whoever writes
// the path, and what lies elsewhere is elsewhere.
func TestWindowsPlaces(t *testing.T) {
	const shop = `C:\Users\mauro\source\shop`
	inside := map[string][]string{ // by the tool and its argument
		"Read file_path": {
			`C:\Users\mauro\source\shop\a.py`, `c:\Users\mauro\source\shop\a.py`, `c:\users\MAURO\source\shop\src\a.py`, `C:/Users/mauro/source/shop/a.py`, `/c/Users/mauro/source/shop/a.py`, `/c:/Users/mauro/source/shop/a.py`, `src\a.py`,
			`src/a.py`, `..\other\a.py`, `C:\Users\mauro\AppData\Local\Temp\x.txt`, `c:/users/mauro/appdata/local/temp/x.txt`, `%TEMP%\x.txt`,
		},
		"Edit file_path": {
			`C:\Users\mauro\source\shop\a.py`, `c:\users\mauro\source\shop\src\a.py`, `C:/Users/mauro/source/shop/a.py`, `/c/Users/mauro/source/shop/a.py`, `/c:/Users/mauro/source/shop/a.py`, `src\a.py`, `C:\Users\mauro\AppData\Local\Temp\x.txt`,
			`C:\Users\mauro\source\shop\src\..\a.py`,
		},
		"Grep path": {`C:\Users\mauro\source\shop`, `c:/Users/mauro/source/shop/src`, `src`},
		"Bash command": {
			`cat C:/Users/mauro/source/shop/a.py`, `cat "C:\Users\mauro\source\shop\a.py"`, `cat /c/Users/mauro/source/shop/a.py`, `echo x > c:/users/mauro/source/shop/b.txt`, `echo x > /c/Users/mauro/source/shop/b.txt`,
			`cd /c/Users/mauro/source/shop && npm test`, `cd "C:\Users\mauro\source\shop" && npm test`, `cat /c/Users/mauro/AppData/Local/Temp/x.txt`, `cat "$TEMP/x.txt"`, `rm -rf C:/Users/mauro/source/shop/node_modules`, `grep -rn x /c/Users/mauro/source/shop/src`,
		},
		"PowerShell command": {`Get-Content C:\Users\mauro\source\shop\a.py`, `Get-ChildItem $env:TEMP`, `Set-Content c:\users\mauro\source\shop\b.txt hello`},
	}
	outside := map[string][]string{
		"Read file_path": {`C:\Users\mauro\notes.txt`, `c:\users\mauro\.ssh\id_rsa`, `D:\data\x.csv`, `/d/data/x.csv`, `C:\Users\other\source\shop\a.py`, `\\server\share\x`, `\\?\C:\Users\mauro\notes.txt`, `C:\Users\mauro\source\shop\..\..\notes.txt`, `%USERPROFILE%\notes.txt`},
		"Edit file_path": {`C:\Users\mauro\source\other\a.py`, `..\other\a.py`, `C:\Users\mauro\source\shop-2\a.py`, `D:\Users\mauro\source\shop\a.py`, `/d/Users/mauro/source/shop/a.py`, `C:\Windows\System32\drivers\etc\hosts`, `C:\Users\mauro\source\shop\..\a.py`, `C:a.py`, `\a.py`},
		"Grep path":      {`C:\Users\mauro\Documents`, `D:\`, `..\..`},
		"Bash command": {
			`cat ~/notes.txt`, `cat $HOME/notes.txt`, `cat D:/x.txt`, `cat /d/x.txt`, `echo x > /c/Users/mauro/b.txt`, `cd /c/Users/mauro && cat notes.txt`, `cp a.py D:/x.py`, `grep -rn x /c/Users/mauro/Documents`, `rm -rf /c/Users/mauro/source/other`,
			`echo x > "$APPDATA/x.txt"`, `cat /mnt/c/Users/mauro/notes.txt`,
		},
		"PowerShell command": {`Get-Content $env:USERPROFILE\notes.txt`, `Remove-Item -Recurse C:\Users\mauro\source\other`, `Set-Content D:\x hello`},
	}
	for _, cwd := range []string{shop, `c:\users\mauro\source\shop`, `c:/Users/mauro/source/shop`, `/c:/Users/mauro/source/shop`} {
		state := State{Cwd: cwd, Roots: []string{cwd}, Home: `C:\Users\mauro`}
		for approved, all := range map[bool]map[string][]string{true: inside, false: outside} {
			for what, list := range all {
				tool, key, _ := cutAt(what, " ")
				for _, value := range list {
					args := map[string]string{key: value}
					switch tool {
					case "Edit":
						args["old_string"], args["new_string"] = "a", "b"
					case "Grep":
						args["pattern"] = "x"
					}
					raw, err := json.Marshal(args)
					if err != nil {
						t.Fatal(err)
					}
					c := NewContext(Request{Tool: tool, Args: raw}, state)
					if d := (&Guardrail{}).Decide(&c); (d.Disposition == Approved) != approved {
						t.Errorf("in %s: %s %s: %v %+v", cwd, tool, value, d.Disposition, d.Reasons)
					}
				}
			}
		}
	}
}
