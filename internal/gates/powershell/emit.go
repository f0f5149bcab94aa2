package powershell

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// maxOut bounds the text that is written for a line.
const maxOut = 60 << 10

// Reader is an effect.PowerShellReader.
type Reader struct{}

// Translate is the function of that name.
func (Reader) Translate(line string, windows bool) (posix, why string, ok bool) {
	return Translate(line, windows)
}

// Cmdlet says whether a word is the name of a cmdlet that has a row, in any case of letters.
func (Reader) Cmdlet(word string) bool {
	low := strings.ToLower(word)
	_, ok := params[low]
	return (ok || low == "where-object") && strings.Contains(low, "-")
}

// Translate returns a line of POSIX shell that does what a line of PowerShell does. windows
// says that it runs on Windows. ok is false where not all of the line was understood; why
// says what was not, in a few words.
func Translate(line string, windows bool) (posix, why string, ok bool) {
	if len(line) > maxLine {
		return "", "too long", false
	}
	b, why := parse(line)
	if why != "" {
		return "", why, false
	}
	e := &emitter{windows: windows, line: line, vars: map[string]val{}}
	out := e.block(b)
	if len(out) > maxOut {
		e.fail("too long")
	}
	return out, e.why, e.why == ""
}

// emitter writes a line of shell. why is what it met that it does not follow.
type emitter struct {
	windows bool
	line    string
	vars    map[string]val
	before  []string // what is to run before the statement that is being written
	why     string
	depth   int
	names   int // of loops
	loops   int // over files, that the one being written stands in
	ran     int // commands written
	size    int
	git     bool // git is the program that is written
	inside  int  // above 0: what is written runs in a shell of its own, so that nothing it sets stays
	looking bool // a cmdlet is written that shows what is at its paths
}

func (e *emitter) fail(why string) {
	if e.why == "" {
		e.why = why
	}
}

func (e *emitter) deeper() bool {
	if e.depth >= maxDepth*4 || e.why != "" {
		e.fail("nested too deeply")
	} else {
		e.depth++
		return true
	}
	return false
}

// flow is what goes through a pipeline: the output of a command, files, or values that are
// known.
type flow struct {
	sh    string   // one command or pipeline of the shell that prints it
	str   bool     // it is text
	items *val     // values
	find  []string // where find begins, for files
	tests string   // and what it looks for
}

// printed is a command that prints a flow.
func (e *emitter) printed(f *flow) string {
	switch {
	case f.find != nil:
		return "find " + strings.Join(f.find, " ") + f.tests
	case f.items == nil:
		return f.sh
	case f.items.known && len(f.items.consts) == 0:
		return "true"
	}
	return `printf '%s\n' ` + strings.Join(f.items.words(), " ")
}

func (e *emitter) block(b *block) string {
	var out []string
	before := e.before
	e.before = nil
	for _, n := range b.list {
		s := e.statement(n)
		out = append(append(out, e.before...), s)
		e.before = nil
		if e.size += len(s); e.size > 8*maxOut {
			e.fail("too long")
		}
		if _, left := n.(*leave); left || e.why != "" {
			break // nothing behind it runs
		}
	}
	e.before = before
	if len(out) == 0 {
		return ":"
	}
	return strings.Join(out, "\n")
}

// nested writes what runs in a shell of its own, where PowerShell runs it in the session.
func (e *emitter) nested(write func() string) string {
	e.inside++
	out := write()
	e.inside--
	return out
}

// stays wants that what is written stays set: a place, a variable of the environment.
func (e *emitter) stays() {
	if e.inside > 0 {
		e.fail("a place or an environment that is set within a value or a pipeline")
	}
}

// group makes a block one command.
func group(s string) string { return "{\n" + s + "\n}" }

func (e *emitter) statement(n node) string {
	if !e.deeper() {
		return ":"
	}
	defer func() { e.depth-- }()
	switch n := n.(type) {
	case *block:
		return group(e.block(n))
	case *chain:
		out := e.statement(n.list[0])
		was := maps.Clone(e.vars)
		for i, op := range n.ops {
			next := e.statement(n.list[i+1])
			if e.starts(n.list[i]) && e.starts(n.list[i+1]) {
				out += " " + op + " " + next
			} else { // a cmdlet that finds nothing has not failed
				out = group(out + "\nif [ " + computedWord() + " = x ]; then\n" + next + "\nfi")
			}
		}
		e.forget(was)
		return out
	case *assign:
		return e.assign(n)
	case *branch:
		return e.branch(n)
	case *each:
		e.forgetIn(n.body)
		v := e.value(n.list)
		out, _ := e.loop(v, scoped(n.name), n.body)
		return out
	case *repeat:
		return e.repeat(n)
	case *guarded:
		was := maps.Clone(e.vars)
		out := group(e.block(n.body))
		e.forget(was)
		if n.catch != nil {
			out += "\nif [ " + computedWord() + " = x ]; then\n" + e.block(n.catch) + "\nfi"
		}
		e.forget(was)
		if n.finally != nil {
			out += "\n" + e.block(n.finally)
		}
		return group(out)
	case *leave:
		return e.leave(n)
	case *pipe:
		if n.async {
			e.inside++
			defer func() { e.inside-- }()
		}
		f := e.pipeline(n)
		out := e.printed(&f)
		if n.async {
			out += " &"
		}
		return out
	}
	v := e.value(n)
	return e.printed(&flow{items: &v})
}

func (e *emitter) leave(n *leave) string {
	if n.value == nil {
		return ":" // what stands behind the block may run nevertheless
	}
	v := e.value(n.value)
	return e.printed(&flow{items: &v})
}

// forget drops what is known of variables that have other values than in was.
func (e *emitter) forget(was map[string]val) {
	for name, v := range e.vars {
		old, ok := was[name]
		if !ok || !same(&old, &v) {
			e.vars[name] = e.unknown(name)
		}
	}
	for name := range was {
		if _, ok := e.vars[name]; !ok {
			e.vars[name] = e.unknown(name)
		}
	}
}

func (e *emitter) unknown(name string) val {
	if env, ok := strings.CutPrefix(name, "env:"); ok {
		v := e.environment(env)
		return computed(v)
	}
	return computed()
}

func same(a, b *val) bool {
	return a.known == b.known && a.word == b.word && a.files == b.files && slices.Equal(a.consts, b.consts)
}

// forgetIn drops what is known of variables that a body gives a value, before it runs: it may
// have run before.
func (e *emitter) forgetIn(b *block) {
	found := map[string]bool{}
	for _, n := range b.list {
		assigned(n, found)
	}
	for name := range found {
		e.vars[name] = e.unknown(name)
	}
}

// assigned finds the variables that a statement gives a value, in the blocks in it as well.
func assigned(n node, found map[string]bool) {
	switch n := n.(type) {
	case *assign:
		to := n.to
		if t, ok := to.(*typed); ok && t.of != nil {
			to = t.of
		}
		if v, ok := to.(*variable); ok {
			found[scoped(v.name)] = true
		}
		assigned(n.value, found)
	case *block:
		for _, x := range n.list {
			assigned(x, found)
		}
	case *branch:
		for _, b := range n.bodies {
			assigned(b, found)
		}
		if n.other != nil {
			assigned(n.other, found)
		}
	case *each:
		found[scoped(n.name)] = true
		assigned(n.body, found)
	case *repeat:
		for _, x := range []node{n.first, n.step, n.body} {
			if x != nil {
				assigned(x, found)
			}
		}
	case *guarded:
		for _, b := range []*block{n.body, n.catch, n.finally} {
			if b != nil {
				assigned(b, found)
			}
		}
	case *chain:
		for _, x := range n.list {
			assigned(x, found)
		}
	case *pipe:
		for _, x := range n.elems {
			assigned(x, found)
		}
	case *command:
		for _, a := range n.args {
			assigned(a.value, found)
		}
	case *script:
		assigned(n.b, found)
	case *paren:
		assigned(n.x, found)
	case *sub:
		assigned(n.b, found)
	case *expr:
		assigned(n.x, found)
	}
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
func (e *emitter) loop(v val, name string, body *block) (sh string, str bool) {
	if v.files != nil {
		return e.fileLoop(v.files, name, body), false
	}
	if v.known && len(v.consts) == 0 {
		return ":", false
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
	return "for " + shell + " in " + strings.Join(v.words(), " ") + "; do\n" + text + "\ndone", false
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
	name := scoped(target.name)
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
