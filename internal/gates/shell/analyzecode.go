package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// AnalyzeCode resolves code of a language (python, node, bash, ...) into
// effects, as Analyze does a command line. Lines that IPython hands to a shell
// (!cmd, %%bash) are analysed as such. places must be normal.
func AnalyzeCode(lang, code string, places *effect.Places) []effect.Effect {
	return resolveCode(lang, code, places, false).Effects
}

// ResolveCode is AnalyzeCode with all that the code was resolved into.
func ResolveCode(lang, code string, places *effect.Places) Does {
	return resolveCode(lang, code, places, false)
}

// AnalyzeScript is AnalyzeCode for all of a program: no earlier code has left names in
// it, so that what its names are given is all that they are.
func AnalyzeScript(lang, code string, places *effect.Places) []effect.Effect {
	return resolveCode(lang, code, places, true).Effects
}

func resolveCode(lang, code string, places *effect.Places, whole bool) Does {
	m := machine{p: places, cwd: places.Cwd, ifs: " \t\n", prog: lang, cell: true, whole: whole}
	if places.Script != nil {
		m.self = places.Script.Name
	}
	switch lang {
	case "python3", "py", "ipython":
		lang = "python"
	case "js", "javascript", "typescript":
		lang = "node"
	}
	if len(code) > maxSource || mark.Has(code) {
		m.handed(lang, unknown.text)
		m.opaque(effect.OpUnparsed, "code beyond the limits")
		return Does{Effects: m.effects, Cells: m.cells}
	}
	if lang == "python" {
		code = m.magics(code)
	}
	if lang == "bats" {
		m.batsFile(code)
	} else {
		m.code(lang, code, data{tty: true}, false)
	}
	m.deferAll()
	return Does{Effects: m.effects, Cells: m.cells}
}

// magics analyses IPython's shell lines and returns the code without them.
func (m *machine) magics(code string) string {
	if strings.HasPrefix(code, "%%bash") || strings.HasPrefix(code, "%%sh") || strings.HasPrefix(code, "%%script") || strings.HasPrefix(code, "%%!") {
		_, body, _ := cutAt(code, "\n")
		m.source(body, data{tty: true})
		return ""
	}
	if !strings.ContainsAny(code, "!%") {
		return code
	}
	lines := strings.Split(code, "\n")
	for i, l := range lines {
		t := strings.TrimSpace(l)
		switch {
		case strings.HasPrefix(t, "!"):
			m.source(strings.TrimLeft(t, "!"), data{tty: true})
			lines[i] = ""
		case strings.HasPrefix(t, "%"):
			m.magic(strings.TrimLeft(t, "%"))
			lines[i] = ""
		case strings.Contains(t, "= !") || strings.Contains(t, "=!"):
			_, cmd, _ := cutAt(t, "!")
			m.source(cmd, data{tty: true})
			lines[i] = ""
		}
	}
	return strings.Join(lines, "\n")
}

func (m *machine) magic(line string) {
	name, rest, _ := cutAt(line, " ")
	switch name {
	case "load_ext", "pylab":
		m.handed("ipython", unknown.text) // they import
	}
	switch name {
	case "matplotlib", "time", "timeit", "load_ext", "autoreload", "pwd", "who", "whos", "precision", "config", "pylab":
		if name == "time" || name == "timeit" {
			m.code("python", rest, data{tty: true}, false)
		}
	case "cd":
		m.chdir("cd", strings.Fields(rest))
	case "pip", "conda", "ls", "cat", "mkdir", "cp", "mv", "rm":
		m.source(line, data{tty: true})
	default:
		m.handed("ipython", unknown.text)
		m.escape("%" + line)
	}
}

// ipython records lines that only IPython reads: those for a shell, and its own
// commands. The rest is Python.
func (m *machine) ipython(args []string, in data) {
	for _, text := range append([]string{in.text}, args...) {
		for _, line := range strings.Split(text, "\n") {
			if t := strings.TrimSpace(line); t != "" && firstByte("!%", t[0]) >= 0 || strings.Contains(t, "=!") || strings.Contains(t, "= !") || strings.Contains(t, "get_ipython") {
				m.handed("ipython", unknown.text)
				m.escape("ipython " + t)
			}
		}
	}
}
