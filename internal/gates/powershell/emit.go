package powershell

import (
	"maps"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
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
	if windows && effect.Shared(line) {
		e.fail("a path on another machine, which is told who one is")
	}
	out := e.block(b)
	if len(out) > maxOut {
		e.fail("too long")
	}
	if e.unpicked != "" {
		e.fail("a key of the registry with all its values")
	}
	for _, m := range e.members {
		if e.processes && !strings.Contains(ofProcesses+textual, " "+m+" ") {
			e.fail("what a process was started with: " + m)
		}
	}
	return out, e.why, e.why == ""
}

// emitter writes a line of shell. why is what it met that it does not follow.
type emitter struct {
	windows   bool
	line      string
	vars      map[string]val
	before    []string // what is to run before the statement that is being written
	why       string
	depth     int
	names     int // of loops
	loops     int // over files, that the one being written stands in
	ran       int // commands written
	size      int
	git       bool     // git is the program that is written
	inside    int      // above 0: what is written runs in a shell of its own, so that nothing it sets stays
	processes bool     // objects of processes are in the line
	members   []string // properties that the line looks at
	unpicked  string   // the values that may be shown of a key of the registry, as long as nothing picks among them
	looking   bool     // a cmdlet is written that shows what is at its paths
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
	sh     string   // one command or pipeline of the shell that prints it
	str    bool     // it is text
	native bool     // a program prints it, to PowerShell as to the shell
	items  *val     // values
	find   []string // where find begins, for files
	tests  string   // and what it looks for
	key    bool     // a key of the registry, of which it is to be said which values are shown
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
		return e.loop(v, n.name, n.body)
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
	for name := range assignedIn(b) {
		e.vars[name] = e.unknown(name)
	}
}
