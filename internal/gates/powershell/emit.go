package powershell

import (
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
	for i, n := range b.list {
		s := e.statement(n)
		out = append(append(out, e.before...), s)
		e.before = nil
		if e.size += len(s); e.size > 8*maxOut {
			e.fail("too long")
		}
		if l, left := n.(*leave); left || e.why != "" {
			if left && (l.word == "break" || l.word == "continue") && i+1 < len(b.list) {
				e.fail("more behind " + l.word) // outside of a loop it ends nothing that is seen here
			}
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
		if len(n.body.list) > 1 && e.moves(n.body.list[1:]) {
			e.fail("a place that is set behind what may fail, in try")
		}
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
