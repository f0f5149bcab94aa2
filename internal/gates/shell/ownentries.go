package shell

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about programs that the project itself declares: entry points of its
// pyproject.toml, commands of its package.json and of a gem's directory exe. A package
// manager links them under their names; to run one is to run that file of the workspace, as
// the project's tests do. What the session wrote into the manifest declares nothing.

// runsEntry runs a program that the project declares as its own, in the environment that a
// runner of the project's makes or a virtual environment of the workspace.
func (m *machine) runsEntry(argv []string, in data, want bool) (data, bool) {
	name := argv[0]
	if !plainTask(name) || lookupTool(name) != nil {
		return data{}, false
	}
	if _, ok := interpreter(name); ok {
		return data{}, false
	}
	file := m.pythonEntry(name)
	if file == "" {
		file = m.gemEntry(name)
	}
	if file == "" {
		return data{}, false
	}
	return m.asRun(argv, func() data { return m.entryFile(file, argv, in, want) }), true
}

// entryFile runs the file of the workspace that an entry is.
func (m *machine) entryFile(file string, argv []string, in data, want bool) data {
	if _, wrote := m.written(file); wrote {
		return m.runFile(file, argv, in, want)
	}
	m.prog = baseName(file)
	m.console(file, argv[1:])
	m.givenArgs(argv[1:])
	m.judgeWritten(false)
	z, _, _ := m.p.Where(file)
	m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: z, Resource: show(file), Program: argv[0]})
	return unknown
}

// entryTables are the tables of pyproject.toml that name the project's programs
// (packaging.python.org, "entry points for scripts"; Poetry's manual, scripts).
var entryTables = [...]string{"[project.scripts]", "[project.gui-scripts]", "[tool.poetry.scripts]"}

// pythonEntry is the file of the module that pyproject.toml, as it was before the session,
// names for a program, beside the manifest or in its directory src; empty where it names none.
func (m *machine) pythonEntry(name string) string {
	full, ok := m.above("pyproject.toml")
	if !ok || m.p.SettledText == nil || m.p.There == nil || m.environmentSet() {
		return ""
	}
	inside := false
	for line := range strings.Lines(m.p.SettledText(full)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			inside = contains(line, entryTables[:]...)
			continue
		}
		key, value, ok := cutAt(line, "=")
		if !inside || !ok || strings.Trim(strings.TrimSpace(key), `"'`) != name {
			continue
		}
		value = strings.TrimSpace(value)
		if i := strings.Index(value, "#"); i > 0 {
			value = strings.TrimSpace(value[:i])
		}
		module, _, _ := cutAt(strings.Trim(value, `"'`), ":")
		return m.moduleFile(path.Dir(full), module)
	}
	return ""
}

// environmentSet says whether the line sets a variable by which another environment of Python may
// be run than the project's (the manuals of uv, Poetry and pip; python(1), Environment Variables).
func (m *machine) environmentSet() bool {
	return slices.ContainsFunc(m.vars, func(b binding) bool {
		for _, prefix := range [...]string{"UV_", "VIRTUAL_ENV", "PYTHON", "POETRY_", "PDM_", "HATCH_", "CONDA", "PIPENV_", "PATH", "HOME"} {
			if strings.HasPrefix(b.name, prefix) {
				return true
			}
		}
		return false
	})
}

// moduleFile is the file of a module below a directory or its src, if it lies there.
func (m *machine) moduleFile(dir, module string) string {
	if module == "" || strings.Trim(module, pathBytes) != "" || strings.ContainsAny(module, "/+-") || strings.Contains(module, "..") || module[0] == '.' {
		return ""
	}
	for _, base := range [...]string{dir, dir + "/src"} {
		at := base + "/" + strings.ReplaceAll(module, ".", "/")
		for _, file := range [...]string{at + ".py", at + "/__init__.py"} {
			if z, _, _ := m.p.Where(file); z == effect.ZoneWorkspace && m.p.There(file) {
				return file
			}
		}
	}
	return ""
}

// gemEntry is the program of the gem that lies in the workspace: a file of its directory exe
// (bundler's manual, bundle gem: executables of a gem are its files in exe).
func (m *machine) gemEntry(name string) string {
	if full, ok := m.above("exe/" + name); ok && m.inBundle() {
		return full
	}
	return ""
}

// inBundle says whether the program runs by bundler.
func (m *machine) inBundle() bool {
	return len(m.argv) > 2 && m.argv[0] == "bundle" && m.argv[1] == "exec"
}

// npmEntry is the file that the nearest package.json, as it was before the session, names as
// the project's own command (npm's package.json(5), bin); empty where it names none.
func (m *machine) npmEntry(name string) string {
	full, ok := m.above("package.json")
	if !ok || m.p.SettledText == nil || !plainTask(name) || lookupTool(name) != nil {
		return ""
	}
	var manifest struct {
		Name string          `json:"name"`
		Bin  json.RawMessage `json:"bin"`
	}
	if json.Unmarshal([]byte(m.p.SettledText(full)), &manifest) != nil {
		return ""
	}
	var files map[string]string
	var file string
	if json.Unmarshal(manifest.Bin, &file) == nil && baseName(manifest.Name) == name {
		files = map[string]string{name: file}
	} else if json.Unmarshal(manifest.Bin, &files) != nil {
		return ""
	}
	if file = files[name]; file == "" || mark.Has(file) || strings.Trim(file, pathBytes) != "" {
		return ""
	}
	file = m.p.Resolve(path.Dir(full), file)
	if z, _, _ := m.p.Where(file); z != effect.ZoneWorkspace || dependency(file) {
		return ""
	}
	return file
}

// ownPackageRunners run the command of the package that they are started in before they look
// elsewhere for it (npm-exec(1)). Sorted.
var ownPackageRunners = []string{"npm exec", "npx"}

// entryAt is the project's own file that a program among its installed ones leads to: one of
// its virtual environment that it declares, as it was before the session.
func (m *machine) entryAt(full string) string {
	dir, name := path.Split(full)
	if strings.Contains(dir, "/node_modules/.bin/") {
		if file := m.npmEntry(name); m.settled(full) && m.settledTree(full) {
			return file
		}
		return ""
	}
	if !strings.HasSuffix(dir, "/bin/") || strings.Contains(dir, "/vendor/") || lookupTool(name) != nil || !m.settled(full) || !m.settledTree(full) {
		return ""
	}
	return m.pythonEntry(name)
}

// inActivated runs a program of the virtual environment of the workspace that the line has
// activated: its directory comes first on the path then.
func (m *machine) inActivated(argv []string, in data, want bool) (data, bool) {
	if !plainTask(argv[0]) {
		return data{}, false
	}
	for i := len(m.effects) - 1; i >= 0; i-- {
		e := &m.effects[i]
		bin, ok := cutSuffix(e.Resource, "activate")
		if !ok || e.Op != effect.OpRunFile || e.Program != "source" || !dependency(bin+argv[0]) {
			continue
		}
		if full := bin + argv[0]; m.settled(full) && m.settledTree(full) {
			return m.runFile(full, argv, in, want), true
		}
		return data{}, false
	}
	return data{}, false
}
