package powershell

import (
	"slices"
	"strings"
)

// forEach writes ForEach-Object: its block for each of what comes in.
func (e *emitter) forEach(b *bound, in *flow) flow {
	if in == nil {
		e.fail("ForEach-Object of nothing")
		return flow{sh: ":"}
	}
	for _, p := range [...]string{"begin", "end", "remainingscripts", "membername", "argumentlist"} {
		if b.has(p) {
			e.fail("ForEach-Object -" + p)
		}
	}
	n := b.n["process"]
	if b.has("parallel") {
		e.fail("ForEach-Object -Parallel, which knows none of the variables")
	}
	s, ok := n.(*script)
	if !ok { // the name of a property, or of a method
		v := b.v["process"]
		t, ok := v.text()
		e.members = append(e.members, strings.ToLower(t))
		switch {
		case ok && in.find != nil && expands(v):
			return *in
		case ok && strings.Contains(textual+"length count id extension lastwritetime creationtime owningprocess ", " "+strings.ToLower(t)+" "):
			return e.filtered(in, "cat")
		}
		e.fail("ForEach-Object of what is no block")
		return flow{sh: ":"}
	}
	if in.find != nil && isPath(s.b) {
		return *in
	}
	e.forgetIn(s.b)
	v := e.held(in)
	if in.items == nil && in.find == nil {
		return e.lines(in, s.b)
	}
	return flow{sh: e.loop(v, "_", s.b)}
}

// lines writes a loop over the lines that a command prints.
func (e *emitter) lines(in *flow, b *block) flow {
	was := e.vars["_"]
	e.names++
	e.vars["_"] = val{word: `"$ps_line"`, str: in.str}
	sh := e.printed(in)
	if !in.native {
		sh = group(blurred(sh))
	}
	sh += " | while IFS= read -r ps_line; do\n" + e.nested(func() string { return e.block(b) }) + "\ndone"
	e.vars["_"] = was
	e.forgetIn(b)
	return flow{sh: sh}
}

// isPath says whether a block hands on the path of the file that it gets, and does no more.
func isPath(b *block) bool {
	if len(b.list) != 1 {
		return false
	}
	p, ok := b.list[0].(*pipe)
	if !ok || len(p.elems) != 1 {
		return false
	}
	x, ok := p.elems[0].(*expr)
	if !ok || len(x.redirs) > 0 {
		return false
	}
	n := x.x
	if m, ok := n.(*member); ok && !m.call && !m.static && strings.Contains(located, " "+strings.ToLower(m.name)+" ") {
		n = m.of
	}
	v, ok := n.(*variable)
	return ok && (v.name == "_" || v.name == "psitem")
}

// whereObject writes Where-Object: what it leaves out is unknown, so that all of it goes on.
func (e *emitter) whereObject(c *command, in *flow) flow {
	if in == nil {
		e.fail("Where-Object of nothing")
		return flow{sh: ":"}
	}
	var blocks []*script
	for _, a := range c.args {
		if s, ok := a.value.(*script); ok {
			blocks = append(blocks, s)
			continue
		}
		op := strings.ToLower(a.param)
		known := slices.Contains(binaries[:], strings.TrimPrefix(strings.TrimPrefix(op, "c"), "i")) || slices.Contains(binaries[:], op)
		if a.param != "" && !known && op != "filterscript" && op != "property" && op != "value" && op != "not" {
			e.fail("Where-Object -" + a.param)
		}
		if a.value != nil {
			v := e.value(a.value)
			if !v.known {
				e.before = append(e.before, ": "+v.asWord())
			}
		}
	}
	for _, s := range blocks {
		e.forgetIn(s.b)
		ran, before := e.ran, e.before
		e.before = nil
		if in.find != nil {
			sh := e.loop(val{files: in}, "_", s.b)
			e.before = before
			e.forgetIn(s.b)
			if e.ran != ran {
				e.before = append(e.before, sh+" >/dev/null")
			}
			continue
		}
		was := e.vars["_"]
		e.vars["_"] = val{word: computedWord(), str: in.str}
		e.nested(func() string { return e.block(s.b) })
		e.vars["_"] = was
		e.forgetIn(s.b)
		if e.before = before; e.ran != ran {
			e.fail("a condition of Where-Object that runs something")
		}
	}
	if in.find != nil {
		return *in
	}
	if len(blocks) == 1 && len(c.args) == 1 && in.sh == "env" {
		if pattern := nameMatches(blocks[0].b); pattern != "" {
			return e.filtered(in, "grep -iE '"+pattern+"'")
		}
	}
	return e.filtered(in, "cat")
}
