package gates

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	modules "github.com/gbt-policy/gbt/internal/gates/imports"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about the list of modules that cells of code may bring in, where an
// operator has one: narrowing what runs before stopping what did (001). Code that breaks
// it has to be written another way, whatever else would be said of it, and nobody is asked.

// Reasons of the list.
const (
	ruleImport   = "imports/module"   // brings in a module that the list does not have
	ruleUnread   = "imports/unread"   // may bring in what nobody can read off it
	ruleExceeded = "imports/exceeded" // no repair is left
)

// MaxRepairs is how often code that broke the list may be written another way (001).
const MaxRepairs = 3

// narrow compares the code that a call hands to interpreters with the list of modules.
func (g *Guardrail) narrow(c *Context, d *Decision) {
	if len(g.Imports) == 0 {
		return
	}
	cells := c.allCells()
	if len(cells) > 0 && c.broke > MaxRepairs {
		d.Deny(Reason{Rule: ruleExceeded, Disposition: Rejected, Effect: c.runsCode(cells[0].Lang),
			Message: "Code broke the list of modules " + strconv.Itoa(c.broke) + " times in a row and no repair is left: none runs before the user says how to go on."})
		return
	}
	for _, cell := range cells {
		rule, what := g.breach(&cell)
		if rule == "" {
			continue
		}
		d.Deny(Reason{Rule: rule, Disposition: RevisionRequired, Effect: c.runsCode(cell.Lang), Message: what + " Allowed: " + g.allowed() + "."})
	}
}

// HandsCode says whether a call hands code to an interpreter other than a shell. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) HandsCode() bool { return len(c.allCells()) > 0 }

// Broke says whether a decision stops code for breaking the list of modules.
func (d *Decision) Broke() bool {
	return slices.ContainsFunc(d.Reasons, func(r Reason) bool { return r.Rule == ruleImport || r.Rule == ruleUnread })
}

// breach says which reason there is against a cell, and what it does.
func (g *Guardrail) breach(cell *effect.Cell) (rule, what string) {
	if !cell.Known {
		return ruleUnread, "The code is not known before it runs (" + cell.Lang + "): write it out."
	}
	r := modules.Read(languageOf(cell.Lang), cell.Text)
	if missing := r.Missing(g.Imports); len(missing) > 0 {
		return ruleImport, "The code brings in " + firstOf(missing) + ", and the list of modules does not have it."
	}
	if r.Why != "" {
		return ruleUnread, "The code " + clean(r.Why) + ", so the list of modules cannot be compared with it."
	}
	return "", ""
}

// allowed is the list in words.
func (g *Guardrail) allowed() string {
	if slices.Equal(g.Imports, []string{modules.None}) {
		return "no module"
	}
	return firstOf(g.Imports)
}

const maxListed = 12

func firstOf(list []string) string {
	text := clean(strings.Join(list[:min(len(list), maxListed)], ", "))
	if len(list) > maxListed {
		text += ", …"
	}
	return text
}

// clean is a text for a message: short, and in plain characters.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, s)
	if len(s) > 4*maxShown {
		return s[:4*maxShown] + "…"
	}
	return s
}

// languageOf is the language of an interpreter.
func languageOf(lang string) string {
	switch lang = strings.TrimRight(strings.ToLower(lang), "0123456789.-"); lang {
	case "py", "pypy", "pythonw", "ipython":
		return "python"
	case "nodejs", "js", "javascript", "typescript", "ts", "deno", "bun":
		return "node"
	}
	return lang
}

// allCells are the cells of a call, and the scripts that the session wrote and the call
// runs: what a cell may not do, a file that was written for it may not do either.
func (c *Context) allCells() []effect.Cell {
	cells := c.cells[:len(c.cells):len(c.cells)]
	for i := range c.Effects {
		e := &c.Effects[i]
		if e.Kind != effect.Spawn || e.Op != effect.OpRunFile {
			continue
		}
		for k := len(c.Flow.Made) - 1; k >= 0; k-- {
			if m := &c.Flow.Made[k]; m.Path == e.Resource {
				cells = append(cells, scriptCells(m, e.Program)...)
				break
			}
		}
	}
	return cells
}

// scriptCells is a script as a cell, unless a shell runs it, whose lines are judged as
// such.
func scriptCells(m *Made, program string) []effect.Cell {
	lang := languageOf(program)
	if lang != "python" && lang != "node" {
		if lang = languageOf(shell.ScriptLanguage(m.Path, m.Text)); lang == "" {
			lang = languageOf(trimPrefix(path.Ext(m.Path), "."))
		}
	}
	switch lang {
	case "", "sh", "bash", "dash", "zsh", "ksh", "ash":
		return nil
	}
	return []effect.Cell{{Lang: lang, Text: m.Text, Known: m.Known}}
}

// runsCode is the effect that a language's code is run by; -1 where there is none.
func (c *Context) runsCode(lang string) int {
	is := func(op effect.Op) int {
		return slices.IndexFunc(c.Effects, func(e Effect) bool {
			return e.Kind == effect.Spawn && e.Op == op && (e.Resource == lang || e.Program == lang)
		})
	}
	if i := is(effect.OpRunCode); i >= 0 {
		return i
	}
	return is(effect.OpRunFile)
}

// NarrowImports is the list of modules that two lists have together; one without entries
// is no list, and has everything.
func NarrowImports(a, b []string) []string { return modules.Both(a, b) }

// ImportFault says what is wrong with an entry of a list of modules, or nothing.
func ImportFault(entry string) string { return modules.Fault(entry) }
