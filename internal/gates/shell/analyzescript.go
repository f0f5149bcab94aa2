package shell

import (
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// AnalyzeScript is AnalyzeCode for all of a program: no earlier code has left names in
// it, so that what its names are given is all that they are.
func AnalyzeScript(lang, code string, places *effect.Places) []effect.Effect {
	m := machine{p: places, cwd: places.Cwd, ifs: " \t\n", prog: lang, cell: true, whole: true}
	switch lang {
	case "python3", "py", "ipython":
		lang = "python"
	case "js", "javascript", "typescript":
		lang = "node"
	}
	if len(code) > maxSource || mark.Has(code) {
		m.opaque(effect.OpUnparsed, "code beyond the limits")
		return m.effects
	}
	if lang == "python" {
		code = m.magics(code)
	}
	m.code(lang, code, data{tty: true}, false)
	m.deferAll()
	return m.effects
}
