package powershell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// pipeline writes a pipeline, element by element.
func (e *emitter) pipeline(n *pipe) flow {
	var in *flow
	if len(n.elems) > 1 && !(len(n.elems) == 2 && quiet(n.elems[1])) {
		e.inside++
		defer func() { e.inside-- }()
	}
	for _, x := range n.elems {
		var out flow
		switch x := x.(type) {
		case *expr:
			if in != nil {
				e.fail("an expression behind a pipe")
			}
			v := e.value(x.x)
			out = of(v)
			if len(x.redirs) > 0 {
				out = flow{sh: e.redirected(e.printed(&out), x.redirs), str: out.str}
			}
		case *command:
			out = e.command(x, in)
		}
		if e.why != "" {
			return flow{sh: ":"}
		}
		in = &out
	}
	return *in
}

// quiet says whether an element throws away what comes in.
func quiet(n node) bool {
	c, ok := n.(*command)
	if !ok || len(c.args) > 0 {
		return false
	}
	name, ok := bare(c.name)
	return ok && strings.EqualFold(name, "out-null")
}

// bare is the text that a word is.
func bare(n node) (string, bool) {
	if t, ok := n.(*text); ok && len(t.parts) == 1 {
		l, ok := t.parts[0].(*lit)
		if ok {
			return l.s, true
		}
	}
	return "", false
}

// starts says whether a pipeline is one native program, which tells whether it succeeded.
func (e *emitter) starts(n node) bool {
	p, ok := n.(*pipe)
	if !ok || len(p.elems) != 1 {
		return false
	}
	c, ok := p.elems[0].(*command)
	if !ok {
		return false
	}
	name, ok := bare(c.name)
	if !ok {
		return false
	}
	name = e.canonical(name)
	return !strings.Contains(name, "-") || name == "set-location"
}

// of is the flow of a value.
func of(v val) flow {
	if v.files != nil {
		return *v.files
	}
	return flow{items: &v, str: v.str}
}

// command writes a command that is given what in brings, nil for nothing.
func (e *emitter) command(c *command, in *flow) flow {
	e.ran++
	if s, ok := c.name.(*script); ok && c.called {
		if len(c.args) > 0 || in != nil {
			e.fail("a block that is given something")
		}
		for name := range assignedIn(s.b) {
			if _, ok := e.vars[name]; ok {
				e.fail("a block that makes a variable of the name of another one: $" + name)
			}
		}
		sh := group(e.nested(func() string { return e.block(s.b) }))
		e.forgetIn(s.b)
		return e.streams(flow{sh: sh}, c.redirs)
	}
	v := e.value(c.name)
	if !v.known || len(v.consts) != 1 || v.consts[0] == "" {
		e.fail("a command whose name is computed")
		return flow{sh: ":"}
	}
	name := e.canonical(v.consts[0])
	if name == "where-object" {
		return e.whereObject(c, in)
	}
	if _, ok := params[name]; ok && !v.named() && !(name == "mkdir" && !e.windows) && !e.rejected(v.consts[0], name, c) {
		if len(c.args) == 1 && c.args[0].param == "?" {
			return flow{sh: "date"} // its help
		}
		out, ok := e.cmdlet(name, c, in)
		if ok && len(c.redirs) > 0 {
			out = e.streams(out, c.redirs)
		}
		return out
	}
	if given := v.consts[0]; strings.Contains(name, "-") && !strings.EqualFold(given, name) && !strings.Contains(given, "-") && !e.rejected(given, name, c) {
		return e.native(name, name, c, in) // an alias of a cmdlet without a row
	}
	return e.native(v.consts[0], name, c, in)
}

// rejected says whether PowerShell takes a parameter of a cmdlet for an error, which is called by the
// name that a program of other systems has, and runs nothing: rm -rf. It is written as that
// program is, which is what was meant.
func (e *emitter) rejected(given, cmdlet string, c *command) bool {
	low := strings.ToLower(given)
	if !strings.Contains(onWindows+"mkdir rmdir ", " "+low+" ") || low == "start" || low == "write" {
		return false
	}
	list := specs(params[cmdlet])
	for _, a := range c.args {
		if a.param != "" {
			if _, ok := find(list, strings.ToLower(a.param)); !ok {
				return true
			}
		}
	}
	return false
}

// streams puts the redirections behind a cmdlet. What it says on other streams than that of its output
// is not known.
func (e *emitter) streams(out flow, redirs []redir) flow {
	sh := e.printed(&out)
	for _, r := range redirs {
		if r.to == nil && r.from > "2" || r.to == nil && r.from == "*" {
			e.fail("what a cmdlet says on other streams, as its output")
		}
		if r.from != "1" {
			sh = group(blurred(sh))
			break
		}
	}
	return flow{sh: e.redirected(sh, redirs), str: out.str}
}

// redirected puts the redirections behind a command of the shell.
func (e *emitter) redirected(sh string, redirs []redir) string {
	for _, r := range redirs {
		switch {
		case r.to == nil:
			if r.from != "1" {
				sh += " 2>&1"
			}
			continue
		case r.from == "*", r.from >= "3": // a stream that only cmdlets have goes there as well
			sh += e.into(r.to, r.more || r.from != "*")
			if r.from == "*" {
				sh += " 2>&1"
			}
		case r.from == "2":
			sh += " 2" + strings.TrimPrefix(e.into(r.to, r.more), " ")
		default:
			sh += e.into(r.to, r.more)
		}
	}
	return sh
}

// into is a redirection into a file.
func (e *emitter) into(to node, more bool) string {
	v := e.value(to)
	if v.known && len(v.consts) == 0 {
		return " >/dev/null"
	}
	words := e.paths(v, true) // brackets in the name are none of a pattern to the shell then
	op := " >"
	if more {
		op = " >>"
	}
	if t, _ := v.text(); len(words) != 1 || strings.ContainsAny(t, "*?[") {
		e.fail("a redirection to a pattern")
	}
	return op + strings.Join(words, "")
}

// piped is a command that gets what a flow prints.
func (e *emitter) piped(in *flow, sh string) string {
	if in == nil {
		return sh
	}
	return e.printed(in) + " | " + sh
}

// native writes a program and its words (about_Parsing, Passing arguments to native commands).
func (e *emitter) native(name, low string, c *command, in *flow) flow {
	var words []string
	e.git = strings.TrimSuffix(low, ".exe") == "git"
	for _, a := range c.args {
		words = append(words, e.words(a)...)
	}
	if e.windows {
		if out, ok := e.windowsTool(low, c, words, in); ok {
			return out
		}
	}
	native := in == nil || in.native
	for _, r := range c.redirs {
		native = native && r.to == nil && r.from == "2"
	}
	return flow{sh: e.redirected(e.piped(in, strings.Join(append([]string{e.program(name)}, words...), " ")), c.redirs), str: true, native: native}
}

// program is the word by which the shell knows a program.
func (e *emitter) program(name string) string {
	if strings.ContainsAny(name, `/\:`) || strings.ContainsRune(name, opens) || strings.HasPrefix(name, "~") {
		word := strings.Join(e.pathWords(name, true), " ")
		low := strings.ToLower(name)
		switch {
		case strings.HasSuffix(low, ".ps1"):
			return "pwsh -File " + word
		case e.windows && !strings.HasSuffix(low, ".exe"): // without an ending PowerShell looks for those of scripts
			e.fail("a program that may be a script whose text nobody reads: " + name)
		}
		return word
	}
	if e.windows {
		low := strings.ToLower(name)
		for _, ext := range []string{".exe", ".cmd", ".bat"} {
			low = strings.TrimSuffix(low, ext)
		}
		if !strings.Contains(low, "-") || low == strings.ToLower(name) {
			name = low
		}
	}
	if strings.Contains(builtins, " "+name+" ") || strings.ContainsRune(name, '=') {
		e.fail("a program that is called like a word of the shell: " + name)
	}
	for _, r := range name {
		if !word(r) && !strings.ContainsRune("-.+_", r) || r > 0x7f {
			return quoted(name)
		}
	}
	return name
}

// words are the words that a native program gets for an argument.
func (e *emitter) words(a arg) []string {
	if a.param != "" && a.value == nil {
		return []string{quoted(a.raw)}
	}
	if _, code := a.value.(*script); code {
		e.fail("a block as a word of a program")
		return nil
	}
	if l, ok := a.value.(*list); ok && a.tight { // written without blanks, it stays one word
		var parts []val
		for i, x := range l.elems {
			if _, ok := x.(*text); !ok {
				if _, ok := x.(*variable); !ok {
					e.fail("a list as a word of a program")
				}
			}
			if i > 0 {
				parts = append(parts, known(","))
			}
			parts = append(parts, e.value(x))
		}
		v := e.joined(parts)
		return e.given(a, v)
	}
	v := e.value(a.value)
	if v.known && len(v.consts) == 0 {
		return nil // $null is no word
	}
	return e.given(a, v)
}

// given are values as the words of a program. PowerShell before 7.3, and later ones for some programs, hands
// quotation marks in a word over as they are, so that the program parts words at them anew; and
// a word of nothing is left out.
func (e *emitter) given(a arg, v val) []string {
	for _, c := range v.consts {
		switch {
		case c == "":
			e.fail("an empty word of a program")
		case e.windows && effect.Shared(c):
			e.fail("a path on another machine, which is told who one is: " + c)
		case strings.Contains(c, `"`) && !(e.git && sameWord(c)), strings.HasSuffix(c, `\`) && strings.ContainsAny(c, " \t"):
			e.fail("quotation marks in a word of a program") // git's words are data, with or without them
		}
	}
	t, bare := a.value.(*text)
	if bare = bare && t.bare; bare && len(v.consts) == 1 && !v.named() {
		if s := v.consts[0]; s == "~" || strings.HasPrefix(s, "~/") || strings.HasPrefix(s, `~\`) {
			return e.pathWords(s, true)
		} else if !e.windows && t.plain && strings.ContainsAny(s, "*?[") { // about_Wildcards, on systems that are no Windows
			return []string{pattern(s)}
		}
	}
	words := v.words()
	if e.windows && v.known && v.named() {
		for i, c := range v.consts {
			if strings.HasPrefix(c, string(opens)) && !strings.ContainsAny(c, "*?[`:") {
				words[i] = strings.Join(e.pathWords(c, true), " ")
			}
		}
	}
	if a.param != "" { // -name:value
		words[0] = quoted("-"+a.param+":") + words[0]
	}
	return words
}

// sameWord says whether a word with quotation marks in it is one word, without them, to a
// program that gets it as it is (Microsoft, Parsing C++ command-line arguments).
func sameWord(s string) bool {
	if strings.ContainsAny(s, "\\\n\t") {
		return false
	}
	in := strings.ContainsRune(s, ' ') // PowerShell puts marks around such a word
	for _, r := range s {
		if r == '"' {
			in = !in
		} else if r == ' ' && !in {
			return false
		}
	}
	return true
}
