package gates

import (
	"encoding/json"
	"testing"
)

// TestWindowsPlaces: a workspace on a drive is itself under each spelling of it, whoever writes
// the path, and what lies elsewhere is elsewhere.
func TestWindowsPlaces(t *testing.T) {
	const shop = `C:\Users\me\source\shop`
	inside := map[string][]string{ // by the tool and its argument
		"Read file_path": {
			`C:\Users\me\source\shop\a.py`, `c:\Users\me\source\shop\a.py`, `c:\users\ME\source\shop\src\a.py`, `C:/Users/me/source/shop/a.py`, `/c/Users/me/source/shop/a.py`, `/c:/Users/me/source/shop/a.py`, `src\a.py`,
			`src/a.py`, `..\other\a.py`, `C:\Users\me\AppData\Local\Temp\x.txt`, `c:/users/me/appdata/local/temp/x.txt`, `%TEMP%\x.txt`,
		},
		"Edit file_path": {
			`C:\Users\me\source\shop\a.py`, `c:\users\me\source\shop\src\a.py`, `C:/Users/me/source/shop/a.py`, `/c/Users/me/source/shop/a.py`, `/c:/Users/me/source/shop/a.py`, `src\a.py`, `C:\Users\me\AppData\Local\Temp\x.txt`,
			`C:\Users\me\source\shop\src\..\a.py`,
		},
		"Grep path": {`C:\Users\me\source\shop`, `c:/Users/me/source/shop/src`, `src`},
		"Bash command": {
			`cat C:/Users/me/source/shop/a.py`, `cat "C:\Users\me\source\shop\a.py"`, `cat /c/Users/me/source/shop/a.py`, `echo x > c:/users/me/source/shop/b.txt`, `echo x > /c/Users/me/source/shop/b.txt`,
			`cd /c/Users/me/source/shop && npm test`, `cd "C:\Users\me\source\shop" && npm test`, `cat /c/Users/me/AppData/Local/Temp/x.txt`, `cat "$TEMP/x.txt"`, `rm -rf C:/Users/me/source/shop/node_modules`, `grep -rn x /c/Users/me/source/shop/src`,
		},
		"PowerShell command": {`Get-Content C:\Users\me\source\shop\a.py`, `Get-ChildItem $env:TEMP`, `Set-Content c:\users\me\source\shop\b.txt hello`},
	}
	outside := map[string][]string{
		"Read file_path": {`C:\Users\me\notes.txt`, `c:\users\me\.ssh\id_rsa`, `D:\data\x.csv`, `/d/data/x.csv`, `C:\Users\other\source\shop\a.py`, `\\server\share\x`, `\\?\C:\Users\me\notes.txt`, `C:\Users\me\source\shop\..\..\notes.txt`, `%USERPROFILE%\notes.txt`},
		"Edit file_path": {`C:\Users\me\source\other\a.py`, `..\other\a.py`, `C:\Users\me\source\shop-2\a.py`, `D:\Users\me\source\shop\a.py`, `/d/Users/me/source/shop/a.py`, `C:\Windows\System32\drivers\etc\hosts`, `C:\Users\me\source\shop\..\a.py`, `C:a.py`, `\a.py`},
		"Grep path":      {`C:\Users\me\Documents`, `D:\`, `..\..`},
		"Bash command": {
			`cat ~/notes.txt`, `cat $HOME/notes.txt`, `cat D:/x.txt`, `cat /d/x.txt`, `echo x > /c/Users/me/b.txt`, `cd /c/Users/me && cat notes.txt`, `cp a.py D:/x.py`, `grep -rn x /c/Users/me/Documents`, `rm -rf /c/Users/me/source/other`,
			`echo x > "$APPDATA/x.txt"`, `cat /mnt/c/Users/me/notes.txt`,
		},
		"PowerShell command": {`Get-Content $env:USERPROFILE\notes.txt`, `Remove-Item -Recurse C:\Users\me\source\other`, `Set-Content D:\x hello`},
	}
	for _, cwd := range []string{shop, `c:\users\me\source\shop`, `c:/Users/me/source/shop`, `/c:/Users/me/source/shop`} {
		state := State{Cwd: cwd, Roots: []string{cwd}, Home: `C:\Users\me`}
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
