package powershell

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// moves says whether statements set a place, in the blocks in them as well.
func (e *emitter) moves(list []node) bool {
	for _, n := range list {
		switch n := n.(type) {
		case *pipe:
			for _, x := range n.elems {
				if c, ok := x.(*command); ok {
					if name, ok := bare(c.name); !ok || strings.HasSuffix(e.canonical(name), "-location") && !strings.HasPrefix(e.canonical(name), "get-") {
						return true
					}
				}
			}
		case *block:
			if e.moves(n.list) {
				return true
			}
		case *branch:
			for _, b := range n.bodies {
				if e.moves(b.list) {
					return true
				}
			}
			if n.other != nil && e.moves(n.other.list) {
				return true
			}
		case *each:
			if e.moves(n.body.list) {
				return true
			}
		case *repeat:
			if e.moves(n.body.list) {
				return true
			}
		case *chain:
			if e.moves(n.list) {
				return true
			}
		case *guarded:
			for _, b := range []*block{n.body, n.catch, n.finally} {
				if b != nil && e.moves(b.list) {
					return true
				}
			}
		}
	}
	return false
}

// branch writes if. What its bodies give variables is not known behind it.
func (e *emitter) branch(n *branch) string {
	var b strings.Builder
	was := maps.Clone(e.vars)
	for i, c := range n.conds {
		word := "if"
		if i > 0 {
			word = "elif"
		}
		before := e.before
		e.before = nil
		cond := e.condition(c)
		if e.before != nil {
			cond = strings.Join(append(e.before, cond), "\n")
		}
		e.before = before
		fmt.Fprintf(&b, "%s %s; then\n%s\n", word, cond, e.block(n.bodies[i]))
		e.forget(was)
	}
	if n.other != nil {
		fmt.Fprintf(&b, "else\n%s\n", e.block(n.other))
		e.forget(was)
	}
	return b.String() + "fi"
}

// condition is a command of the shell that succeeds where a condition holds: of one that is
// not known, nobody knows.
func (e *emitter) condition(n node) string {
	if c, not := testPath(n, false); c != nil {
		f := e.command(c, nil)
		if not {
			return "! " + f.sh
		}
		return f.sh
	}
	v := e.value(n)
	u := computed(v)
	return "[ " + u.word + " = x ]"
}

// testPath finds a Test-Path that is all of a condition.
func testPath(n node, not bool) (*command, bool) {
	switch n := n.(type) {
	case *paren:
		return testPath(n.x, not)
	case *pipe:
		if len(n.elems) == 1 {
			return testPath(n.elems[0], not)
		}
	case *expr:
		return testPath(n.x, not)
	case *unary:
		if n.op == "!" || n.op == "not" {
			return testPath(n.x, !not)
		}
	case *command:
		if t, ok := n.name.(*text); ok && len(t.parts) == 1 && len(n.redirs) == 0 {
			if l, ok := t.parts[0].(*lit); ok && strings.EqualFold(l.s, "test-path") {
				return n, not
			}
		}
	}
	return nil, false
}

// loop writes a loop over values: with the paths of files, or with what is known, the reader of
// the shell follows it.
func (e *emitter) loop(v val, name string, body *block) string {
	if v.files != nil {
		return e.fileLoop(v.files, name, body)
	}
	if v.known && len(v.consts) == 0 {
		return ":"
	}
	e.names++
	shell := fmt.Sprintf("ps_%d", e.names)
	was := maps.Clone(e.vars)
	it := val{word: `"$` + shell + `"`, str: v.str}
	it.path = v.known && !slices.ContainsFunc(v.consts, func(c string) bool { return !e.plainPath(c) })
	if v.known && len(v.consts) == 1 {
		it = v
	}
	e.vars[name] = it
	text := e.block(body)
	e.forget(was)
	return "for " + shell + " in " + strings.Join(v.words(), " ") + "; do\n" + text + "\ndone"
}

// fileLoop writes a loop over files: find runs a shell for each. What that shell is not given it does
// not know.
func (e *emitter) fileLoop(files *flow, name string, body *block) string {
	if e.loops++; e.loops > 2 {
		e.fail("loops over files within one another")
	}
	was := maps.Clone(e.vars)
	for n, v := range e.vars {
		if !v.known && !strings.HasPrefix(n, "env:") {
			e.vars[n] = computed()
		}
	}
	e.vars[name] = val{word: `"$1"`, path: true}
	text := e.nested(func() string { return e.block(body) })
	e.vars = was
	e.forgetIn(body)
	if name != "_" {
		e.vars[name] = computed()
	}
	e.loops--
	return "find " + strings.Join(files.find, " ") + files.tests + " -exec sh -c '" + strings.ReplaceAll(text, "'", `'\''`) + `' _ {} \;`
}

// repeat writes while, do and for: in the shell the condition is one that nobody knows.
func (e *emitter) repeat(n *repeat) string {
	var out []string
	if n.first != nil {
		out = append(out, e.statement(n.first))
	}
	var all block
	all.list = append(all.list, n.body.list...)
	if n.step != nil {
		all.list = append(all.list, n.step)
	}
	e.forgetIn(&all)
	was := maps.Clone(e.vars)
	cond := "[ " + computedWord() + " = x ]"
	if n.cond != nil {
		before := e.before
		e.before = nil
		cond = strings.Join(append(e.before, e.condition(n.cond)), "\n")
		e.before = before
	}
	out = append(out, "while "+cond+"; do\n"+e.block(&all)+"\ndone")
	e.forget(was)
	return group(strings.Join(out, "\n"))
}

func computedWord() string { v := computed(); return v.word }

// assign writes an assignment. A value that is known is put in where the variable stands.
func (e *emitter) assign(n *assign) string {
	to := n.to
	if t, ok := to.(*typed); ok && t.of != nil && strings.Contains(casts, " "+strings.TrimPrefix(t.name, "system.")+" ") {
		to = t.of
	}
	v := val{}
	if n.value != nil {
		v = e.value(n.value)
	}
	target, ok := to.(*variable)
	if m, static := to.(*member); static && m.static && n.op == "=" { // [Console]::OutputEncoding
		if t, ok := m.of.(*typed); ok && strings.HasSuffix(t.name, "console") && strings.HasSuffix(strings.ToLower(m.name), "putencoding") {
			return ": " + v.asWord()
		}
	}
	if !ok {
		e.fail("an assignment to what is no variable")
		return ":"
	}
	name := target.name
	if isScoped(name) {
		e.fail("$" + name + ", a variable of another scope")
		return ":"
	}
	env, toEnv := strings.CutPrefix(name, "env:")
	switch {
	case name == "null":
		if v.known {
			return ":"
		}
		return ": " + v.asWord()
	case !toEnv && (strings.Contains(name, ":") || reserved(name) || strings.Contains(automatic+" _ psitem true false home pwd ", " "+name+" ")):
		e.fail("an assignment to $" + name)
		return ":"
	}
	if n.op != "=" {
		old := e.variable(target.name)
		if n.op == "+=" && (toEnv || old.str && old.known && len(old.consts) == 1 && v.known && len(v.consts) == 1) {
			v = e.joined([]val{old, v})
		} else {
			v = computed(old, v)
		}
	}
	if toEnv {
		return e.export(env, v)
	}
	if v.known && !v.named() || v.known && len(v.consts) == 1 {
		e.vars[name] = v
		return ":"
	}
	shell := shellName(name)
	text := v.asWord()
	v.word, v.known, v.consts = `"$`+shell+`"`, false, nil
	e.vars[name] = v
	return shell + "=" + text
}

// shellName is the shell's variable that stands for one of PowerShell: none that programs read.
func shellName(name string) string {
	var b strings.Builder
	b.WriteString("ps_v_")
	for _, r := range name {
		if r <= 0x7f && word(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "%x_", r)
		}
	}
	return b.String()
}

// export gives programs a variable.
func (e *emitter) export(name string, v val) string {
	e.stays()
	if up := strings.ToUpper(name); strings.Contains(folders+"PWD OLDPWD IFS ", " "+up+" ") {
		e.fail("$env:" + name + " with another value") // the shell would go by it where PowerShell does not
	}
	x := e.environment(name)
	text, ok := strings.CutPrefix(strings.Join(x.consts, ""), string(opens))
	if !ok {
		e.fail("a variable of the environment whose name is not plain")
		return ":"
	}
	shell := strings.TrimSuffix(text, string(closes))
	if v.known && len(v.consts) == 0 {
		delete(e.vars, "env:"+name)
		return "unset " + shell
	}
	word := v.asWord()
	if t, ok := v.text(); ok && e.plainPath(t) {
		e.vars["env:"+name] = v
	} else {
		v.word, v.known, v.consts, v.path, v.files = `"$`+shell+`"`, false, nil, false, nil
		e.vars["env:"+name] = v
	}
	return "export " + shell + "=" + word
}
