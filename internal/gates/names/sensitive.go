package names

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// Sensitive says whether a path holds secrets or private records: keys and
// credentials of the tools that keep them in files, password databases, shell
// and database histories, browsers' stores and the memory and environment of
// processes; names.go lists them. Names count in any case, as file systems that
// fold it find them.
func Sensitive(path string) bool {
	if asWritten(path) {
		return true
	}
	folded := Fold(path)
	return folded != path && asWritten(folded)
}

func asWritten(path string) bool {
	base := path[strings.LastIndexByte(path, '/')+1:]
	if base == "" {
		return false
	}
	return sensitiveBase(base) || sensitiveDir(path) || processMemory(path) || secretFolder(path, base)
}

// secretFolder says whether a file of values lies in a directory that says that it
// holds secrets. Code and texts that lie in one are about secrets.
func secretFolder(path, base string) bool {
	if !strings.Contains(path, "secrets/") || !strings.Contains(path, "/secrets/") && !strings.Contains(path, "/.secrets/") {
		return false
	}
	switch i := strings.LastIndexByte(base, '.'); {
	case i <= 0:
		return true
	default:
		return mark.Among(valueEndings, base[i:]) && !sampleName(base)
	}
}

// valueEndings are endings of files that hold values, not code or texts. Sorted.
const valueEndings = ".cfg .conf .csv .env .ini .json .json5 .properties .toml .txt .xml .yaml .yml"

// MayFind says whether a pattern of one name, as shells write it, finds the name of a file
// that holds secrets. A part that is not known is any text.
func MayFind(pattern string) bool {
	pattern = Fold(strings.ReplaceAll(pattern, "…", "*"))
	found := func(name string) bool {
		ok, err := path.Match(pattern, name)
		return (ok || err != nil) && (name[0] != '.' || strings.HasPrefix(pattern, "."))
	}
	l := lists()
	return slices.ContainsFunc(l.fileNames, found) || slices.ContainsFunc(l.targetNames, found) || slices.ContainsFunc(l.wholeNames, found) ||
		slices.ContainsFunc(l.endings, func(ending string) bool { return found("x" + ending) })
}

func sensitiveBase(base string) bool {
	if opened := element(base); opened != base && sensitiveBase(opened) {
		return true
	}
	if _, ok := slices.BinarySearch(lists().wholeNames, base); ok {
		return true
	}
	if strings.HasPrefix(base, ".env") {
		return envFile(base)
	}
	if name, ok := strings.CutSuffix(base, ".env"); ok {
		return !sampleName(name)
	}
	return hasEnding(base)
}

func hasEnding(base string) bool {
	for _, s := range lists().endings {
		if strings.HasSuffix(base, s) {
			return true
		}
	}
	return false
}

// sampleName says whether a file's name says that it is a sample without values.
func sampleName(name string) bool {
	for _, w := range lists().sampleWords {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}

// envFile tells the files that hold real settings from the samples that are
// checked in.
func envFile(base string) bool {
	kind := strings.TrimPrefix(base, ".env")
	return kind == "" || strings.IndexByte(".-~", kind[0]) >= 0 && !used(kind[1:], sample)
}

// sensitiveDir says whether a path is one of the places or lies below one.
func sensitiveDir(path string) bool {
	if !strings.Contains(path, "/.") && !strings.HasPrefix(path, "/etc/") && !strings.HasPrefix(path, "/var/") &&
		!strings.HasPrefix(path, "/run/") && !strings.Contains(path, "/Library/") && !strings.Contains(path, "/library/") {
		return false
	}
	for _, d := range lists().placeNames {
		i := strings.Index(path, d)
		if i < 0 || i > 0 && !strings.HasPrefix(d, "/.") && !strings.HasPrefix(d, "/Library") && !strings.HasPrefix(d, "/library") {
			continue
		}
		end := i + len(d)
		if end == len(path) || path[end] == '/' || path[end] == '.' || path[end] == '-' || path[end] == 's' {
			return true
		}
	}
	return false
}

// atHome is a file that is private where it lies in a home, and ordinary in a project
// (https://code.claude.com/docs/en/settings: ~/.claude.json holds what somebody is logged in to).
const atHome = "/.claude.json"

// PrivateAtHome says whether a path of a workspace is sensitive for nothing but such a name: a home is none
// (effect.Places.Normal). Not inlined, for the size of programs.
//
//go:noinline
func PrivateAtHome(path string) bool {
	dir, ok := strings.CutSuffix(path, atHome)
	return ok && !Sensitive(dir+"/x")
}

// processMemory says whether a path shows another process's memory,
// environment or files (proc(5)).
func processMemory(path string) bool {
	rest, ok := strings.CutPrefix(path, "/proc/")
	if !ok {
		return strings.HasPrefix(path, "/dev/") && used(path, device)
	}
	i := strings.IndexByte(rest, '/')
	if i < 0 {
		return used(path, device)
	}
	shown, _, below := strings.Cut(rest[i+1:], "/")
	return below && used(shown, processTree) || !below && used(shown, process)
}

// SensitiveTail judges a path with unknown parts by its known elements after
// the last one: whatever $d is, $d/.ssh/id_rsa is a key.
func SensitiveTail(path string) bool {
	i := len(path)
	for i > 0 && path[i-1] > mark.Inside {
		i--
	}
	tail := path[i:]
	if tail == "" || tail[0] != '/' {
		return false
	}
	return Sensitive(mark.Clean(tail))
}

// SensitiveGlob says whether a pattern can match a sensitive path. A pattern
// with fewer than three known characters in its last element is too general to
// aim at one.
func SensitiveGlob(path string) bool {
	if globAsWritten(path) {
		return true
	}
	folded := Fold(path)
	return folded != path && globAsWritten(folded)
}

// HiddenGlob says whether a pattern that begins with a dot can match a hidden file
// that holds secrets: who reads all hidden files of a project reads its .env.
func HiddenGlob(path string) bool {
	base := Fold(path[strings.LastIndexByte(path, '/')+1:])
	if !strings.HasPrefix(base, ".") || !mark.Has(base) {
		return false
	}
	return mark.Match(base, ".env") || slices.ContainsFunc(lists().fileNames, func(n string) bool { return n[0] == '.' && mark.Match(base, n) })
}

func globAsWritten(path string) bool {
	base := path[strings.LastIndexByte(path, '/')+1:]
	if secretFolder(path, base) {
		return true
	}
	known := 0
	for i := 0; i < len(base); i++ {
		if end := strings.IndexByte(base[i:], ']'); base[i] == mark.Class && end > 0 {
			i += end
		} else if base[i] > mark.Inside {
			known++
		}
	}
	if !mark.Has(base) {
		return known > 0 && sensitiveBase(base)
	}
	if known < 3 {
		return false
	}
	for _, n := range lists().fileNames {
		// Most of the name must be spelled out: *.log is not after auth.log.
		if known*10 >= len(n)*6 && mark.Match(base, n) {
			return true
		}
	}
	for _, n := range lists().targetNames {
		if mark.Match(base, n) {
			return true
		}
	}
	return hasEnding(base)
}

// SoughtSecret says whether a search for files of a name or pattern is one for
// secrets.
func SoughtSecret(name string) bool {
	return !used(name, unsought) && Sensitive("/"+strings.TrimLeft(name, "*"))
}
