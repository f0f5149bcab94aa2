package effect

import (
	"strings"
	"testing"
)

func onWindows() Places {
	return Places{Cwd: `C:\w\Repo\sub`, Home: `C:\Users\Me`, Roots: []string{`c:/W/repo`}}.Normal()
}

func TestWindowsPaths(t *testing.T) {
	tests := []struct {
		in, want string
		zone     Zone
	}{
		{`x.go`, "/c:/w/repo/sub/x.go", ZoneWorkspace},
		{`src\X.go`, "/c:/w/repo/sub/src/x.go", ZoneWorkspace},
		{`..\..\..\x`, "/c:/x", ZoneOutside},
		{`C:\w\repo\x`, "/c:/w/repo/x", ZoneWorkspace},
		{`c:/W/REPO/x. `, "/c:/w/repo/x", ZoneWorkspace},
		{`C:\w\repo\x.txt:evil:$DATA`, "/c:/w/repo/x.txt", ZoneWorkspace},
		{`\w\repo\x`, "/c:/w/repo/x", ZoneWorkspace},
		{`/c/w/repo/x`, "/c:/w/repo/x", ZoneWorkspace},
		{`file:///C:/w/repo/x`, "/c:/w/repo/x", ZoneWorkspace},
		{`\\?\C:\w\repo\x`, "/c:/w/repo/x", ZoneWorkspace},
		{`C:\Windows\System32\drivers\etc\hosts`, "/c:/windows/system32/drivers/etc/hosts", ZoneSystem},
		{`%SystemRoot%\x`, "/c:/windows/x", ZoneSystem},
		{`C:\Program Files\Git\bin\git.exe`, "/c:/program files/git/bin/git.exe", ZonePublic},
		{`%USERPROFILE%\x`, "/c:/users/me/x", ZoneHome},
		{`$env:USERPROFILE\x`, "/c:/users/me/x", ZoneHome},
		{`${env:AppData}\x`, "/c:/users/me/appdata/roaming/x", ZoneHome},
		{`~\x`, "/c:/users/me/x", ZoneHome},
		{`%TEMP%\x`, "/c:/users/me/appdata/local/temp/x", ZoneTemp},
		{`%FOO%\x`, "\x00/x", ZoneUnknown},
		{`C:x`, "\x00x", ZoneUnknown},
		{`D:\x`, "/d:/x", ZoneOutside},
		{`\\server\share\x`, "/{share}/server/share/x", ZoneOutside},
		{`\\?\UNC\server\share\x`, "/{share}/server/share/x", ZoneOutside},
		{`//server/share/x`, "/{share}/server/share/x", ZoneOutside},
		{`\\.\PhysicalDrive0`, "/dev/physicaldrive0", ZoneDevice},
		{`\\.\pipe\docker_engine`, "/dev/pipe/docker_engine", ZoneDevice},
		{`NUL`, "/dev/null", ZoneStream},
		{`sub\nul.txt`, "/dev/null", ZoneStream},
		{`COM1`, "/dev/com1", ZoneDevice},
	}
	p := onWindows()
	for _, tt := range tests {
		got := p.Resolve(p.Cwd, tt.in)
		if got != tt.want {
			t.Errorf("Resolve(%q) = %q, want %q", tt.in, got, tt.want)
		}
		if again := p.Resolve(p.Cwd, got); again != got {
			t.Errorf("Resolve is not idempotent on %q: %q", got, again)
		}
		if z, _, _ := p.Where(got); z != tt.zone {
			t.Errorf("%q lies in %v, want %v", tt.in, z, tt.zone)
		}
	}
}

// TestWindowsPathsElsewhere: what a path of Windows names is not taken for a file
// of the workspace where the host is no Windows, or is not known.
func TestWindowsPathsElsewhere(t *testing.T) {
	for _, p := range []Places{{Cwd: "/w/repo", Home: "/home/me"}, {}} {
		p = p.Normal()
		for _, in := range []string{`C:\Windows\x`, `c:/x`, `\\server\share\x`, `\\.\PhysicalDrive0`, `..\..\x`, `~\.ssh\id_rsa`, `a\..\..\..\x`, `%USERPROFILE%\x`, `$env:APPDATA\x`, `\Windows\x`, `.git\hooks\x`, `x\.env`} {
			z, sensitive, guarded := p.Where(p.Resolve(p.Cwd, in))
			if z == ZoneWorkspace && !sensitive && !guarded {
				t.Errorf("%q is an ordinary file of the workspace at %q", in, p.Cwd)
			}
		}
		for _, in := range []string{`src\x.go`, `a\b`, `ab:1`, `$x`, `100%`} {
			if z, _, guarded := p.Where(p.Resolve(p.Cwd, in)); z != ZoneWorkspace || guarded {
				t.Errorf("%q lies in %v at %q", in, z, p.Cwd)
			}
		}
	}
}

func TestWideDirectoriesOfWindows(t *testing.T) {
	for _, dir := range []string{`C:\`, `D:/`, `C:\Users`, `C:\Users\Me`, `c:/users/other`, `\\?\C:\`} {
		p := Places{Cwd: dir, Roots: []string{dir}, Home: `C:\Users\Me`}.Normal()
		if z, _, _ := p.Where(p.Resolve(p.Cwd, "x")); z == ZoneWorkspace {
			t.Errorf("%s is a workspace", dir)
		}
	}
	if !TooWide(`C:\Users\Me`, `C:\Users\Me`) || !TooWide(`C:\`, "") || TooWide(`C:\w\repo`, `C:\Users\Me`) {
		t.Error("TooWide does not know directories of Windows")
	}
	p := onWindows()
	if again := p.Normal(); strings.Join(again.Roots, " ") != strings.Join(p.Roots, " ") || again.Cwd != p.Cwd || again.Home != p.Home {
		t.Errorf("Normal is not idempotent: %+v, %+v", p, again)
	}
}
