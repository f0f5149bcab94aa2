package hosts

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// This file says which files of the workspace something starts that nobody is asked about: the
// scripts that hooks, status lines and helpers of agents' settings name, wherever they lie, git's own
// hooks in the directory that its configuration names, and what these name in their turn, and where
// submodules come from. Who changes one changes what runs, or is fetched, unasked. Servers of tools are
// left out: they are the work of whoever writes one.

// Unasked are such files, absolute, and the directories of which each file is one.
type Unasked struct{ Files, Dirs []string }

// StartedUnasked reads the settings of the roots and of the home for it. A line that says only at run time what
// it starts names nothing.
func StartedUnasked(st *gates.State, look Look) Unasked {
	s := unasking{st: st, look: look}
	for _, root := range st.Roots {
		s.root = root
		for _, h := range all {
			s.host(&h.Loads)
		}
		s.git()
	}
	return s.out
}

// unasking collects what settings start.
type unasking struct {
	st   *gates.State
	look Look
	root string
	out  Unasked
}

// host reads the settings of one host in the root and in the home.
func (s *unasking) host(l *Loads) {
	var list []string
	for _, base := range []string{s.root, s.st.Home} {
		for _, n := range l.Names {
			list = append(list, path.Join(base, l.Dir, n))
		}
	}
	for _, n := range l.Settings {
		if n[0] != '/' && n[0] != '~' && n != ".mcp.json" {
			list = append(list, path.Join(s.root, n))
		}
	}
	for _, f := range list {
		if path.Ext(f) == ".json" {
			s.settings(f)
			continue
		}
		for _, n := range s.look.Names(f) {
			if path.Ext(n) == ".json" {
				s.settings(path.Join(f, n))
			}
		}
	}
}

// settings reads one file of settings.
func (s *unasking) settings(f string) {
	var v any
	if text, ok := s.text(f); ok && json.Unmarshal([]byte(text), &v) == nil {
		s.values(v, "")
	}
}

func (s *unasking) text(f string) (string, bool) {
	if !s.look.Exists(f) {
		return "", false
	}
	text, ok := s.look.Text(f)
	return text, ok && len(text) <= maxFollowedText
}

// values finds the command lines in settings.
func (s *unasking) values(v any, key string) {
	switch v := v.(type) {
	case string:
		if slices.Contains(commands[:], key) {
			s.line(v, 0)
		}
	case []any:
		for _, x := range v {
			s.values(x, key)
		}
	case map[string]any:
		if line, ok := v["command"].(string); ok {
			args, _ := v["args"].([]any)
			s.line(withArgs(line, args), 0)
		}
		for k, x := range v {
			if !slices.Contains(permits[:], k) && k != "mcpServers" && k != "servers" {
				s.values(x, k)
			}
		}
	}
}

// line notes the files of the workspace that a command line starts.
func (s *unasking) line(line string, step int) {
	c := gates.ShellContext(inProject(line, s.root), gates.State{Cwd: s.root, Home: s.st.Home, Roots: []string{s.root}, Exists: s.st.Exists})
	for i := range c.Effects {
		if e := &c.Effects[i]; e.Kind == effect.Spawn && e.Op == effect.OpRunFile {
			s.file(e.Resource, step)
		}
	}
}

// file notes one, and what it names.
func (s *unasking) file(f string, step int) {
	if !strings.HasPrefix(f, s.root+"/") || strings.ContainsAny(f, "*…") || slices.Contains(s.out.Files, f) || len(s.look.Names(f)) > 0 {
		return
	}
	s.out.Files = append(s.out.Files, f)
	if text, ok := s.text(f); ok && step < maxSteps {
		s.within(f, text, step+1)
	}
}

// within notes what a script names: what a shell starts, and modules that lie beside code.
func (s *unasking) within(f, text string, step int) {
	switch dir := path.Dir(f); path.Ext(f) {
	case ".py":
		for _, m := range pythonImport.FindAllStringSubmatch(text, -1) {
			s.there(path.Join(dir, strings.ReplaceAll(m[1], ".", "/")+".py"), step)
		}
	case ".js", ".mjs", ".cjs", ".ts":
		for _, m := range nodeImport.FindAllStringSubmatch(text, -1) {
			for _, end := range []string{"", ".js", ".mjs", ".cjs", ".ts"} {
				s.there(path.Join(dir, m[1]+end), step)
			}
		}
	case "", ".sh", ".bash", ".zsh":
		s.line(text, step)
	}
}

func (s *unasking) there(f string, step int) {
	if s.look.Exists(f) {
		s.file(f, step)
	}
}

var (
	pythonImport = regexp.MustCompile(`(?m)^\s*(?:from|import)\s+\.?([A-Za-z_][A-Za-z0-9_.]*)`)
	nodeImport   = regexp.MustCompile(`(?:from|require\(|import\()\s*['"](\.{1,2}/[^'"\s]+)['"]`)
	hooksPath    = regexp.MustCompile(`(?im)^\s*hookspath\s*=\s*"?([^"\n]+?)"?\s*$`)
	managed      = regexp.MustCompile(`(?m)^\s*(?:-\s+)?(?:run|entry):\s*['"]?([^'"|>\n][^'"\n]*)`)
)

// managers are files by which managers of git's hooks know what to start (lefthook.dev, pre-commit.com). Sorted.
var managers = [...]string{".lefthook.yaml", ".lefthook.yml", ".pre-commit-config.yaml", "lefthook.yaml", "lefthook.yml"}

// git notes what git's hooks are and start (githooks(5); git-config(1), core.hooksPath).
func (s *unasking) git() {
	s.out.Files = append(s.out.Files, path.Join(s.root, ".gitmodules")) // where submodules are fetched from (gitmodules(5))
	dirs := []string{path.Join(s.root, ".git/hooks"), path.Join(s.root, ".husky")}
	if config, ok := s.text(path.Join(s.root, ".git/config")); ok {
		if m := hooksPath.FindStringSubmatch(config); m != nil && m[1][0] != '~' {
			dir := path.Clean(m[1])
			if !path.IsAbs(dir) {
				dir = path.Join(s.root, dir)
			}
			dirs = append(dirs, dir)
			if strings.HasPrefix(dir, s.root+"/") {
				s.out.Dirs = append(s.out.Dirs, dir)
			}
		}
	}
	for _, dir := range dirs {
		for _, n := range s.look.Names(dir) {
			if text, ok := s.text(path.Join(dir, n)); ok && path.Ext(n) == "" && n[len(n)-1] != '/' {
				s.within(path.Join(dir, n), text, 1)
			}
		}
	}
	for _, n := range managers {
		text, _ := s.text(path.Join(s.root, n))
		for _, m := range managed.FindAllStringSubmatch(text, -1) {
			s.line(m[1], 1)
		}
	}
}
