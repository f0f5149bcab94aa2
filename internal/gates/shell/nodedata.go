package shell

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// requiresData records what require of a .json file by its path reads, and says whether it is
// one: Node.js parses such a file as JSON and runs nothing of it. It goes by the name at the end
// of links, and where there is no such file puts endings behind the name (nodejs.org, Modules:
// CommonJS modules, File modules; LOAD_AS_FILE).
func (m *machine) requiresData(mod string) bool {
	if manifestOf.MatchString(mod) {
		wrote := func(path string) bool {
			return strings.Contains(path, "/"+mod+".") || strings.Contains(path, "/"+mod+"/")
		}
		return !slices.ContainsFunc(m.p.Made, func(f effect.Made) bool { return wrote(f.Path) }) && !slices.ContainsFunc(m.files, func(f file) bool { return wrote(f.path) })
	}
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

// manifestOf is the manifest of a package, by the package's name.
var manifestOf = regexp.MustCompile(`^(?:@[\w.-]+/)?[\w-][\w.-]*/package\.json$`)

// nodeStill says whether no text of the code is a path: what opens files is given paths that are judged
// where they stand, all else that the code may name computes, and of the workspace only data are
// brought in.
func (s *scanner) nodeStill(text string) bool {
	n := &nodeCode{}
	switch toks, bad := dialectOf("node").tokens(text); {
	case bad != "", !s.fs && namedIn(text, "fs"), s.fs && s.node == nil:
		return false
	default:
		n.toks = toks
	}
	for i, t := range n.toks {
		_, opens := nodeFile(t.text)
		switch {
		case t.kind == 's' && strings.Contains(t.text, "./"):
			if !n.is(i-1, "(") || !n.is(i-2, "require") || !strings.HasSuffix(n.quoted(i), ".json") {
				return false
			}
		case t.kind == 'n' && opens && !s.node.knows(t.at):
			return false
		}
	}
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
	mod, attribute, ok := cutAt(quoted, " with ")
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
