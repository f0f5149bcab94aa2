package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file tells which names git ls-files prints: those below the working directory that its
// patterns match, of which a star matches slashes too (git-ls-files(1); gitglossary(7),
// pathspec).

// trackedBelow is what git ls-files prints in the working directory. ok is false where an
// option changes what a line says, and where a pattern may match elsewhere.
func (m *machine) trackedBelow(args []string) (string, bool) {
	var specs []string
	for i, a := range args {
		if a == "--" {
			specs = append(specs, args[i+1:]...)
			break
		}
		switch {
		case contains(a, "-z", "-c", "--cached", "-m", "--modified", "-o", "--others", "--exclude-standard", "-co", "-mo", "--deduplicate"):
		case strings.HasPrefix(a, "-"):
			return "", false
		default:
			specs = append(specs, a)
		}
	}
	if len(specs) == 0 {
		return m.namesBelow(".", nil, true)
	}
	var lines []string
	for _, spec := range specs {
		line, ok := m.tracked(trimSuffix(trimPrefix(plain(spec), "./"), "/"))
		if !ok {
			return "", false
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n"), true
}

// tracked is what one pattern of git ls-files matches.
func (m *machine) tracked(spec string) (string, bool) {
	if spec == "" || mark.Has(spec) || strings.ContainsAny(spec, "[]?\\:~") || spec[0] == '/' || spec[0] == '-' || strings.Contains("/"+spec+"/", "/../") {
		return "", false
	}
	star := firstByte(spec, '*')
	if star < 0 { // a file, or a directory with what lies in it
		below, ok := m.namesBelow(spec, nil, true)
		return m.p.Resolve(m.cwd, spec) + "\n" + below, ok
	}
	dir := "."
	if at := lastByte(spec[:star], '/'); at >= 0 {
		dir = spec[:at]
	}
	var only []string
	if name, ok := foundName(lastElement(spec)); ok {
		only = append(only, name)
	}
	return m.namesBelow(dir, only, true)
}
