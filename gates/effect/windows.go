package effect

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file reads paths as Windows does (Microsoft, "Naming Files, Paths, and
// Namespaces"). Their canonical form is /c:/dir/name in lower case, without
// streams and without dots and spaces at the end of a name, so that whatever
// opens the same file is the same path.

// OnDrive says whether calls run in a directory of Windows.
func (p *Places) OnDrive() bool { return onDrive(p.Cwd) }

// onDrive says whether a canonical path begins with a drive.
func onDrive(path string) bool {
	return len(path) >= 3 && path[0] == '/' && path[2] == ':' && letter(path[1]) && (len(path) == 3 || path[3] == '/')
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// fromWindows returns the canonical form of a path that is one of Windows by itself
// or, below a directory on a drive, by where it stands. ok is false for all
// others.
func (p *Places) fromWindows(cwd, path string) (canonical string, ok bool) {
	path, named := p.windowsFolder(path)
	on := onDrive(cwd)
	slashed := strings.ReplaceAll(path, `\`, "/")
	switch {
	case named && strings.HasPrefix(path, "/"):
	case strings.HasPrefix(path, `\\`) || on && strings.HasPrefix(slashed, "//"):
		return p.namespace(slashed[2:]), true
	case len(path) > 2 && letter(path[0]) && path[1] == ':' && slashed[2] == '/':
		slashed = "/" + slashed
	case len(path) > 1 && letter(path[0]) && path[1] == ':' && (on || cwd == UnknownRoot):
		return string(rune(mark.Unknown)) + slashed[2:], true // below the directory that the drive is at
	case onDrive(path):
	case !on:
		return "", false
	case strings.HasPrefix(path, "/") && len(path) > 2 && letter(path[1]) && path[2] == '/': // of Git's shell
		slashed = "/" + path[1:2] + ":" + path[2:]
	case strings.HasPrefix(path, "/"):
		return "", false
	case strings.HasPrefix(path, `\`):
		slashed = cwd[:3] + slashed
	case path != "" && path[0] <= mark.Inside:
		return path, true
	default:
		slashed = cwd + "/" + slashed
	}
	return canonicalDrive(mark.Clean(slashed), on), true
}

// canonicalDrive returns a clean path on a drive in its one spelling.
func canonicalDrive(path string, on bool) string {
	elems := strings.Split(strings.ToLower(path), "/")
	for i := 2; i < len(elems); i++ {
		e := elems[i]
		if j := strings.IndexByte(e, ':'); j > 0 {
			e = e[:j]
		}
		if short := strings.TrimRight(e, ". "); short != "" && e != ".." {
			e = short
		}
		elems[i] = e
	}
	if dev, ok := device(elems[len(elems)-1]); ok && on {
		return dev
	}
	return mark.Clean(strings.Join(elems, "/")) // again, for a stream of .. is left as ..
}

// device returns where the name of a device leads, which is one in every directory
// and with any extension.
func device(name string) (string, bool) {
	name, _, _ = strings.Cut(name, ".")
	switch name = strings.TrimRight(name, " "); {
	case name == "nul":
		return "/dev/null", true
	case name == "con" || name == "conin$" || name == "conout$":
		return "/dev/tty", true
	case name == "aux" || name == "prn", len(name) == 4 && (strings.HasPrefix(name, "com") || strings.HasPrefix(name, "lpt")) && name[3] >= '0' && name[3] <= '9':
		return "/dev/" + name, true
	}
	return "", false
}

// namespace reads what follows two backslashes: a device, a long path, or a share
// of another machine.
func (p *Places) namespace(rest string) string {
	for _, prefix := range [...]string{"?/unc/", "./unc/"} {
		if len(rest) > len(prefix) && strings.EqualFold(rest[:len(prefix)], prefix) {
			return inNamespace("/{share}", rest[len(prefix):])
		}
	}
	if long, ok := strings.CutPrefix(rest, "?/"); ok {
		rest = "./" + long
	}
	if dev, ok := strings.CutPrefix(rest, "./"); ok {
		if len(dev) > 2 && letter(dev[0]) && dev[1] == ':' && dev[2] == '/' {
			return canonicalDrive(mark.Clean("/"+dev), true)
		}
		return inNamespace("/dev", dev)
	}
	return inNamespace("/{share}", rest)
}

// inNamespace returns a path below the root of a namespace, which no dot-dot leaves.
func inNamespace(root, rest string) string {
	return strings.TrimSuffix(root+mark.Clean("/"+strings.ToLower(rest)), "/")
}

// windowsFolder replaces a leading variable that names a directory, as cmd and
// PowerShell write them (about_Environment_Variables). Any other one is not known.
func (p *Places) windowsFolder(path string) (string, bool) {
	name, rest, ok := "", "", false
	switch {
	case strings.HasPrefix(path, "%"):
		name, rest, ok = strings.Cut(path[1:], "%")
	case len(path) > 5 && strings.EqualFold(path[:5], "$env:"):
		end := strings.IndexAny(path, `\/`)
		if end < 0 {
			end = len(path)
		}
		name, rest, ok = path[5:end], path[end:], true
	case len(path) > 6 && strings.EqualFold(path[:6], "${env:"):
		name, rest, ok = strings.Cut(path[6:], "}")
	case strings.HasPrefix(path, `~\`):
		name, rest, ok = "userprofile", path[1:], true
	}
	if !ok || name == "" || strings.ContainsAny(name, "/\\ ") {
		return path, false
	}
	rest = strings.ReplaceAll(rest, `\`, "/")
	switch strings.ToLower(name) {
	case "userprofile", "home", "homepath":
		return p.Home + rest, true
	case "appdata":
		return p.Home + "/appdata/roaming" + rest, true
	case "localappdata":
		return p.Home + "/appdata/local" + rest, true
	case "temp", "tmp":
		return p.Home + "/appdata/local/temp" + rest, true
	case "windir", "systemroot":
		return "/c:/windows" + rest, true
	case "systemdrive", "homedrive":
		return "/c:" + rest, true
	}
	return string(rune(mark.Unknown)) + rest, true
}

// driveZone is the zone of a path on a drive.
func (p *Places) driveZone(path string) Zone {
	if mark.Under(path, p.Home+"/appdata/local/temp") {
		return ZoneTemp
	}
	if mark.Under(path, p.Home) {
		return ZoneHome
	}
	top, _, _ := strings.Cut(strings.TrimPrefix(path[3:], "/"), "/")
	switch top {
	case "users", "documents and settings":
		return ZoneHome
	case "program files", "program files (x86)":
		return ZonePublic
	case "windows", "programdata", "system volume information", "boot", "recovery", "efi":
		return ZoneSystem
	}
	return ZoneOutside
}

// either judges a path with a backslash in it where nobody knows whether the
// backslash parts names: where that matters, the place is an unknown one.
func (p *Places) either(asName, asPath string) string {
	z, s, g := p.Where(asName)
	if z2, s2, g2 := p.Where(asPath); z2 == z && s2 == s && g2 == g {
		return asName
	}
	return string(rune(mark.Unknown)) + asPath
}

// Shared says whether a path of another machine stands in a word or a line: two slashes or
// backslashes with a name, a slash and more behind them, where a word or a value begins. To look at one
// is to tell that machine who one is.
func Shared(text string) bool {
	for i := 0; i+3 < len(text); i++ {
		c := text[i]
		if c != '/' && c != '\\' || i > 0 && strings.IndexByte(" \t\n\"'=,(;|&<>@`", text[i-1]) < 0 {
			continue
		}
		if d := text[i+1]; d != '/' && d != '\\' {
			continue
		}
		end := i + 2
		for end < len(text) && (letter(text[end]) || text[end] >= '0' && text[end] <= '9' || strings.IndexByte(".-_?$%{}@:", text[end]) >= 0) {
			end++
		}
		if end > i+2 && end+1 < len(text) && (text[end] == '/' || text[end] == '\\') && text[end+1] != '\\' {
			return true
		}
	}
	return false
}
