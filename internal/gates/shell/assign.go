package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

func (m *machine) testClause(c *syntax.TestClause) {
	syntax.Walk(c.X, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.UnaryTest:
			if n.Op == syntax.TsVarSet || n.Op == syntax.TsRefVar {
				m.testedName(n.X)
				return false
			}
			if w, ok := n.X.(*syntax.Word); ok && (n.Op == syntax.TsEmpStr || n.Op == syntax.TsNempStr) && !m.traces && oneVariable(w) {
				m.untold(func() { m.arithText(m.value(w)) })
				return false
			}
		case *syntax.BinaryTest:
			if n.Op >= syntax.TsEql && n.Op <= syntax.TsGtr {
				m.numeric(n.X)
				m.numeric(n.Y)
				return false
			}
		case *syntax.Word:
			m.arithText(m.value(n))
			return false
		}
		return true
	})
}

// testedName judges the operand of -v and -R.
func (m *machine) testedName(x syntax.TestExpr) {
	if w, ok := x.(*syntax.Word); ok {
		m.varName(m.value(w))
	}
}

// numeric evaluates a side of a comparison of numbers, which is arithmetic.
func (m *machine) numeric(x syntax.TestExpr) {
	if w, ok := x.(*syntax.Word); ok {
		m.arithValue(m.value(w))
	}
}

// arithValue judges the value of a variable in arithmetic: text that nobody knows,
// of a file or an answer, may hold an index that runs.
func (m *machine) arithValue(value string) {
	if firstByte(value, mark.Unknown) >= 0 {
		m.opaque(effect.OpComputed, "arithmetic on text that is not known")
		return
	}
	m.arithText(value)
	for i := 0; i < len(value) && m.step(); {
		n := nameLen(value[i:])
		if b, ok := m.lookup(value[i : i+n]); n > 0 && ok && m.enter() {
			m.arithValue(b.value) // a name in arithmetic stands for its value
			m.depth--
		}
		i += max(1, n)
	}
}

// varName judges a word that a builtin takes for a variable's name, in which an
// index is evaluated.
func (m *machine) varName(word string) {
	if firstByte(word, mark.Unknown) >= 0 {
		m.opaque(effect.OpComputed, "a variable whose name is not known")
		return
	}
	m.arithText(word)
}

// arithm evaluates the words of an arithmetic expression for what they run.
func (m *machine) arithm(x syntax.ArithmExpr) {
	if x == nil {
		return
	}
	syntax.Walk(x, func(n syntax.Node) bool {
		if !m.step() {
			return false
		}
		switch n := n.(type) {
		case *syntax.Word:
			m.arithValue(m.value(n))
			return false
		case *syntax.BinaryArithm:
			if op := n.Op.String(); strings.HasSuffix(op, "=") && !isAmong([]string{"==", "!=", "<=", ">="}, op) {
				m.counts(n.X)
			}
		case *syntax.UnaryArithm:
			if n.Op == syntax.Inc || n.Op == syntax.Dec {
				m.counts(n.X)
			}
		}
		return true
	})
}

// counts notes a variable that arithmetic gives a number.
func (m *machine) counts(x syntax.ArithmExpr) {
	if w, ok := x.(*syntax.Word); ok && len(w.Parts) == 1 {
		switch p := w.Parts[0].(type) {
		case *syntax.Lit:
			m.numbered(p.Value)
		case *syntax.ParamExp: // an item of an array
			if p.Param != nil {
				m.numbered(p.Param.Value)
			}
		}
	}
}

// numbered gives a variable a number.
func (m *machine) numbered(name string) {
	if b, ok := m.lookup(name); ok && !counted(b.value) {
		m.vars = append(m.vars, binding{name: name, value: joinValue(b.value, binding{value: string(rune(mark.Caller))})})
	}
}

// arithText judges text that a shell evaluates as arithmetic: an index in it
// is expanded again, so a substitution there runs (bash pitfalls, a[$(cmd)]).
func (m *machine) arithText(s string) {
	if strings.Contains(s, "$(") || strings.Contains(s, "`") {
		m.opaque(effect.OpComputed, "substitution inside an arithmetic value: "+s)
	}
}

// declClause evaluates declare and its kin. A variable with an attribute that
// changes what is assigned (a reference, a number, upper or lower case) is
// unknown from then on.
func (m *machine) declClause(c *syntax.DeclClause) data {
	odd, exports, functions := c.Variant.Value == "nameref", c.Variant.Value == "export", false
	fixed := c.Variant.Value == "readonly"
	global := fixed || exports
	if c.Variant.Value == "local" && m.locals == nil { // outside of functions it fails
		defer m.join(m.save())
	}
	if listsVariables(c) {
		return m.dumpEnviron()
	}
	for _, a := range c.Args {
		if a.Name == nil {
			if a.Value != nil {
				v, done := "", false
				if o := m.owner(); o != nil && exports {
					if v, done = o.exported(m, a.Value); done {
						continue
					}
				} else {
					v = m.value(a.Value)
				}
				if m.sourced && isFlag(v, "p") {
					m.environ("what was taken from a file of secrets")
				}
				if n, _, _ := cutAt(v, "="); !strings.HasPrefix(n, "-") {
					m.varName(n)
				}
				m.arithText(v)
				odd = odd || strings.HasPrefix(v, "-") && strings.ContainsAny(v, "nluci\x00")
				if n, val, ok := cutAt(v, "="); ok {
					m.exported(n, val)
					m.assign(n, val)
				}
				exports, fixed = exports || isFlag(v, "x"), fixed || isFlag(v, "r")
				functions = functions || isFlag(v, "f")
				m.unseen = m.unseen || exports && functions // programs that are shells have them
				m.handsFuncs = m.unseen && functions
				global = global || isFlag(v, "g")
			}
			continue
		}
		if odd && a.Value != nil && upperName(m.value(a.Value)) {
			m.escape("a reference to " + m.value(a.Value)) // what is assigned to it is a setting of the shell
		}
		if odd && len(m.odd) < maxVars {
			m.odd = append(m.odd, a.Name.Value)
		}
		if !global && m.locals != nil {
			m.local(a)
		}
		m.declared(a, odd, exports)
		if fixed && len(m.odd) < maxVars {
			m.odd = append(m.odd, a.Name.Value) // later assignments fail
		}
	}
	return data{}
}

// declared assigns what a declaration names, or exports the value that it has.
func (m *machine) declared(a *syntax.Assign, odd, exports bool) {
	old := m.exporting
	m.exporting = old || exports
	if exports && len(m.exports) < maxVars {
		m.exports = append(m.exports, a.Name.Value)
	}
	m.assignment(a, odd)
	m.exporting = old
	b, ok := m.lookup(a.Name.Value)
	switch {
	case ok && exports && a.Naked:
		m.exported(b.name, b.value)
	case ok && !b.array && strings.HasPrefix(b.value, "("):
		// a declaration expands such text as a list (bash manual, Arrays)
		m.arithText(b.value)
		m.vars = append(m.vars, binding{name: a.Name.Value, value: unknown.text, list: []string{unknown.text}, array: true})
	}
}

// upperName says whether a word is a name as those of the shell's and the
// environment's variables, or is not known.
func upperName(word string) bool {
	return mark.Has(word) || word != "" && isNameByte(word[0]) && (word[0] < '0' || word[0] > '9') && word == strings.ToUpper(word)
}

// isFlag says whether a word is a cluster of options with the letter.
func isFlag(word, letter string) bool {
	return len(word) > 1 && word[0] == '-' && word[1] != '-' && strings.Contains(word[1:], letter)
}

// assignment evaluates NAME=VALUE and binds it.
func (m *machine) assignment(a *syntax.Assign, ref bool) {
	if !m.step() {
		return
	}
	if a.Index != nil {
		m.arithm(a.Index)
	}
	if a.Name != nil && looksUp(a) {
		m.escape("assignment to " + a.Name.Value)
	}
	if a.Naked || a.Name == nil {
		return
	}
	b := binding{name: a.Name.Value}
	switch {
	case a.Array != nil:
		b.array = true
		for _, e := range a.Array.Elems {
			if e.Index != nil {
				m.arithm(e.Index)
			}
			if e.Value != nil {
				b.list = m.fields(b.list, e.Value)
			}
		}
		if len(b.list) > 0 {
			b.value = b.list[0]
		}
	case a.Value != nil:
		b.value = m.value(a.Value)
	}
	if old, ok := m.lookup(b.name); ok && (a.Append || a.Index != nil) {
		b = appended(*old, b, a.Index != nil)
	} else if a.Append && !b.array {
		b.value = string(rune(mark.Caller)) + b.value
	}
	if ref || m.isOdd(b.name) {
		m.arithValue(b.value) // declare -i evaluates what is assigned
		b = binding{name: b.name, value: string(rune(mark.Unknown))}
	}
	m.given(b.name, b.value)
	if b.name == "IFS" {
		m.ifs = b.value
	}
	m.vars = append(m.vars, b)
}

// looksUp says whether an assignment changes a table in which the shell looks up
// what a command's name means: bash's BASH_ALIASES and BASH_CMDS, those of
// zsh/parameter (zshmodules(1)), and zsh's array of the directories of PATH.
func looksUp(a *syntax.Assign) bool {
	switch a.Name.Value {
	case "BASH_ALIASES", "BASH_CMDS", "dis_aliases", "dis_functions", "functions", "galiases", "saliases":
		return a.Index != nil || a.Array != nil
	case "aliases", "commands", "builtins":
		return a.Index != nil && wordIndex(a.Index)
	case "fpath", "module_path", "path":
		return a.Array != nil
	}
	return false
}

// wordIndex says whether an index is a name, as of an associative array.
func wordIndex(x syntax.ArithmExpr) bool {
	w, ok := x.(*syntax.Word)
	return ok && strings.Trim(rawText(w), "0123456789") != ""
}

func appended(old, b binding, indexed bool) binding {
	switch {
	case indexed:
		return binding{name: b.name, value: string(rune(mark.Unknown)), array: true, list: []string{string(rune(mark.Unknown))}}
	case b.array:
		b.list = append(append([]string(nil), old.list...), b.list...)
		b.value = ""
		if len(b.list) > 0 {
			b.value = b.list[0]
		}
		return b
	}
	b.value = old.value + b.value
	if len(b.value) > maxText {
		b.value = string(rune(mark.Unknown))
	}
	return b
}

// listsVariables says whether a declaration names nothing, so that it prints
// variables with their values: export, export -p, declare -x, declare -p.
func listsVariables(c *syntax.DeclClause) bool {
	if c.Variant.Value == "readonly" || c.Variant.Value == "nameref" {
		return false
	}
	for _, a := range c.Args {
		if a.Name != nil || a.Value == nil {
			return false
		}
		if flag, _ := plainWord(a.Value); !listsAll(flag) {
			return false
		}
	}
	return true
}

// listsAll says whether a word of declare or export is an option with which it lists variables.
func listsAll(flag string) bool {
	return len(flag) > 1 && (flag[0] == '-' || flag[0] == '+') && strings.Trim(flag[1:], "gilnprtux") == ""
}
