package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// requiresData records what require of a .json file by its path reads, and says whether it is
// one: Node.js parses such a file as JSON and runs nothing of it. It goes by the name at the end
// of links, and where there is no such file puts endings behind the name (nodejs.org, Modules:
// CommonJS modules, File modules; LOAD_AS_FILE).
func (m *machine) requiresData(mod string) bool {
	path := strings.HasPrefix(mod, "/") || strings.HasPrefix(mod, "./") || strings.HasPrefix(mod, "../")
	if !path || !strings.HasSuffix(mod, ".json") || mark.Has(mod) || strings.ContainsAny(mod, "\\%?#\x00") {
		return false
	}
	full := m.p.Resolve(m.cwd, mod)
	if !strings.HasSuffix(full, ".json") {
		return false
	}
	for i := range m.p.Made {
		if strings.HasPrefix(m.p.Made[i].Path, full+".") || strings.HasPrefix(m.p.Made[i].Path, full+"/") {
			return false
		}
	}
	for i := range m.files {
		if strings.HasPrefix(m.files[i].path, full+".") || strings.HasPrefix(m.files[i].path, full+"/") {
			return false
		}
	}
	m.read(mod)
	return true
}

// belowHere says whether a pattern of names is a constant that finds only what lies below the
// working directory.
func belowHere(v pyValue) bool {
	pattern, ok := v.constant()
	return ok && pattern != "" && pattern[0] != '/' && !strings.Contains(pattern, "..")
}

// withoutJSONType is the module of an import without the attribute that says that it is JSON,
// where its name says so too (nodejs.org, ECMAScript modules, Import attributes).
func withoutJSONType(quoted string) string {
	mod, attribute, ok := strings.Cut(quoted, " with ")
	if !ok || strings.Map(func(c rune) rune {
		if strings.ContainsRune(" '\";\n", c) {
			return -1
		}
		return c
	}, attribute) != "{type:json}" || !strings.HasSuffix(strings.TrimRight(mod, " '\""), ".json") {
		return quoted
	}
	return mod
}
