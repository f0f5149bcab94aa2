package hosts

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// This file says which files beside agents' settings no host loads or runs by itself: what an agent
// starts by calls of its tools, the hook judges as it does scripts/x.sh of the project. What a host
// starts unasked escapes it, so nothing counts here that is not known: a kind of file that no host
// loads, in a place where none looks, that nothing names which any of them loads.

// Loads says what a host loads or starts by itself of the directory that it has in a project and in a
// home, by its documentation.
type Loads struct {
	Dir string // ".claude"
	// Names are what it loads right in it: files, and directories with all that lies in them.
	Names []string
	// Bundles are directories of skills: their texts are loaded, and the scripts beside
	// these only where something names them.
	Bundles []string
	// Settings are other files, and directories with all in them, that can name programs: in the project, with ~/
	// before them in the home, and with a slash on the machine.
	Settings []string
	// HomeEnv are variables that have it look for its directory elsewhere than in the home.
	HomeEnv []string
	// Servers are files of which only what stands below mcpServers can name programs.
	Servers []string
}

// Look is what a host's files are seen by.
type Look struct {
	Text   func(file string) (text string, ok bool) // all of a file; not ok where it is too long or can't be read
	Names  func(dir string) []string                // the names in a directory, those of directories with a slash at their end
	Exists func(path string) bool
	Env    func(name string) string
	Real   func(path string) string // where links lead, empty where that is nowhere; nil: there are none
}

// asideDirs are directories beside settings that people keep code and data in and that no host looks into. Sorted.
var asideDirs = [...]string{"bin", "data", "evals", "examples", "fixtures", "helpers", "lib", "script", "scripts", "templates", "test", "tests", "utils"}

// scriptEnds are endings of what an interpreter runs, which no host loads where it looks for texts. dataEnds
// are those of what a script reads. Sorted.
var (
	scriptEnds = [...]string{".bash", ".cjs", ".js", ".mjs", ".pl", ".py", ".rb", ".sh", ".ts", ".zsh"}
	dataEnds   = [...]string{".csv", ".json", ".jsonl", ".sql", ".tmpl", ".tsv", ".txt", ".xml", ".yaml", ".yml"}
)

// Aside says whether a file of the workspace lies beside agents' settings, and no host loads or runs it by
// itself, as far as the settings, hooks, skills and commands of the project, the home and the machine say,
// which are read for it. A directory that is made there holds nothing yet. st says where: its roots, its
// home and what can be looked up.
func Aside(file string, made bool, st *gates.State, look Look) bool {
	root := rootAbove(file, st.Roots)
	if root == "" || !path.IsAbs(st.Home) || root == st.Home || strings.HasPrefix(st.Home, root+"/") {
		return false
	}
	place, dir, rest := beside(root, file)
	if rest == "" || made {
		return rest != ""
	}
	if !kind(strings.ToLower(rest)) {
		return false
	}
	if slices.ContainsFunc(all[:], func(h *Host) bool {
		return slices.ContainsFunc(h.Loads.HomeEnv, func(v string) bool { return look.Env(v) != "" })
	}) {
		return false
	}
	r := reader{look: look, st: st, root: root, file: file, dirs: strings.Split(path.Dir(rest), "/"), whole: []string{dir}, seen: map[string]bool{}, left: maxSources, bytes: maxSourceBytes}
	for i := range r.dirs {
		if r.dirs[i] != "." {
			r.whole = append(r.whole, strings.ToLower(path.Join(r.whole[i], r.dirs[i])))
		}
	}
	for p := place; ; p = path.Dir(p) {
		if r.places = append(r.places, p); p == root {
			break
		}
	}
	return !r.mentioned()
}

// rootAbove is the root that a file lies in, or nothing.
func rootAbove(file string, roots []string) string {
	if i := slices.IndexFunc(roots, func(root string) bool { return strings.HasPrefix(file, root+"/") }); i >= 0 {
		return roots[i]
	}
	return ""
}

// beside cuts a file into the directory in which a host's directory lies, that one's name, and what lies
// below it; nothing else on the way may be guarded.
func beside(root, file string) (place, dir, rest string) {
	elems := strings.Split(strings.TrimPrefix(file, root+"/"), "/")
	at := slices.IndexFunc(elems, func(e string) bool {
		return slices.ContainsFunc(all[:], func(h *Host) bool { return h.Loads.Dir == e })
	})
	if at < 0 || at == len(elems)-1 || names.Guarded(strings.Join(elems[at+1:], "/")) {
		return "", "", ""
	}
	return path.Join(append([]string{root}, elems[:at]...)...), elems[at], strings.Join(elems[at+1:], "/")
}

// kind says whether a path below a host's directory is of a kind that none loads unless something names it.
func kind(rest string) bool {
	elems := strings.Split(rest, "/")
	for _, e := range elems {
		if e == "" || strings.Trim(e, "abcdefghijklmnopqrstuvwxyz0123456789_-.") != "" || e[0] == '.' || strings.HasSuffix(e, ".") {
			return false
		}
	}
	base := elems[len(elems)-1]
	_, script := slices.BinarySearch(scriptEnds[:], path.Ext(base))
	_, data := slices.BinarySearch(dataEnds[:], path.Ext(base))
	_, aside := slices.BinarySearch(asideDirs[:], elems[0])
	switch {
	case isLoaded(elems[0]), data && isLoaded(base):
		return false
	case len(elems) == 1:
		return script
	case isBundle(elems[0]): // a directory in it may be a plugin's, which has programs and hooks
		return script && len(elems) > 2 && !slices.ContainsFunc(elems[1:], func(e string) bool { return e == "bin" || isLoaded(e) })
	}
	return aside && (script || data) && !slices.ContainsFunc(elems[1:], func(e string) bool { return isLoaded(e) || isBundle(e) })
}

// isLoaded and isBundle say whether any host has a name among what it loads, or among its directories of skills.
func isLoaded(name string) bool {
	return slices.ContainsFunc(all[:], func(h *Host) bool {
		return slices.ContainsFunc(h.Loads.Names, func(n string) bool { return strings.ToLower(n) == name })
	})
}

func isBundle(name string) bool {
	return slices.ContainsFunc(all[:], func(h *Host) bool { return slices.Contains(h.Loads.Bundles, name) })
}
