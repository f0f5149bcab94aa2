package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// source analyses a command line held in a string. Not inlined, for the size of programs.
//
//go:noinline
func (m *machine) source(text string, in data) {
	m.sourceOut(text, in, false)
}

// sourceOut is source with what it prints. Not inlined, for the size of programs.
//
//go:noinline
func (m *machine) sourceOut(text string, in data, want bool) data {
	if mark.Has(text) {
		text = plain(text)
	}
	if mark.Has(text) {
		m.opaque(effect.OpComputed, "computed command line: "+text)
		return unknown
	}
	n := len(m.files)
	out := m.line(Parse(text), in, want)
	m.branches(n)
	return out
}

// stmts runs statements in order. in feeds all of them; the outputs add up.
func (m *machine) stmts(list []*syntax.Stmt, in data, want bool) data {
	if len(list) == 1 {
		return m.stmt(list[0], in, want)
	}
	var out data
	for i, s := range list {
		leaves := m.leaves + m.breaks
		o := m.doubt(i+1 < len(list), func() data { return m.stmt(s, in, want) })
		if want {
			out = concat(out, o)
		}
		m.stays()
		if m.leaves+m.breaks != leaves && i+1 < len(list) { // what is left may not run
			k := m.save()
			o := m.stmts(list[i+1:], in, want)
			m.join(k)
			if want {
				out = either(out, o, true)
			}
			return out
		}
	}
	return out
}

func (m *machine) stmt(s *syntax.Stmt, in data, want bool) data {
	if !m.step() || !m.enter() {
		return unknown
	}
	m.follows()
	later := s.Background || s.Coprocess || s.Disown
	out := m.doubt(later || s.Negated, func() data {
		return m.hold(later || len(s.Redirs) > 0, func() data {
			n := len(m.files)
			out := m.stmtInner(s, in, want)
			if o := m.owner(); o != nil && o.partial(s) {
				m.branches(n)
			}
			return out
		})
	})
	if later && m.ends != nil {
		m.ends.held++ // to the end of the line
	}
	m.depth--
	return out
}

func (m *machine) stmtInner(s *syntax.Stmt, in data, want bool) data {
	var outFile string
	var appendTo, toFile bool
	m.setBack(s)
	for _, r := range s.Redirs {
		if !m.step() {
			return unknown
		}
		in, outFile, appendTo, toFile = m.redirect(r, in, outFile, appendTo, toFile)
	}
	var k *point
	runs := len(m.runs)
	if s.Background || s.Coprocess || s.Disown {
		k = m.save()
	}
	var out data
	if s.Cmd != nil {
		effects, output := len(m.effects), m.output
		if m.output = ""; toFile && simple(s.Cmd) {
			m.output = m.p.Resolve(m.cwd, outFile)
		}
		before := m.save()
		out = m.doubt(guarded(s.Cmd), func() data { return m.command(s.Cmd, in, want || toFile) })
		m.output = output
		if out.dump > 0 && !keepsDump(s.Redirs) {
			out.dump = 0
		}
		if m.mayFail(s.Redirs) {
			m.stays()
			m.join(before)
		}
		if toFile {
			m.wrote(outFile, out, appendTo, m.networked(effects))
			if out.endless || m.feeds(outFile, appendTo, effects) {
				m.fills(outFile)
			}
			out = data{}
		}
	} else if toFile {
		m.wrote(outFile, data{}, appendTo, false)
	} else if !in.tty && len(s.Redirs) > 0 {
		out = in // zsh: a bare "< file" runs cat on it
	}
	if k != nil {
		m.restore(k)
		m.perhaps(k)
		for i := min(runs, len(m.runs)); i < len(m.runs) && !m.later; i++ {
			m.runs[i].Background = true
		}
	}
	return out
}

// simple says whether a command is one program with its words.
func simple(c syntax.Command) bool {
	_, ok := c.(*syntax.CallExpr)
	return ok
}

// fills records that a stream without an end goes into a file.
func (m *machine) fills(file string) {
	if z, _, _ := m.p.Where(m.p.Resolve(m.cwd, file)); z != effect.ZoneStream {
		m.record(effect.Effect{Kind: effect.Setting, Op: effect.OpSystem, Resource: "fills the disk: " + show(file)})
	}
}

// networked says whether effects since n receive anything over a network.
func (m *machine) networked(n int) bool {
	for i := min(n, len(m.effects)); i < len(m.effects); i++ {
		if m.effects[i].Kind == effect.Network {
			return true
		}
	}
	return false
}

func (m *machine) wrote(word string, d data, appendTo, net bool) {
	part := false
	added := d
	if appendTo {
		part = true
		if f, ok := m.written(m.p.Resolve(m.cwd, word)); ok {
			now := joined(m.beforeAppend(word), d)
			d = concat(data{text: f.text, made: f.made}, d)
			d.made = now
			net = net || f.net
			part = f.part
		}
	}
	if d.tty {
		d = unknown
	}
	m.noteFile(word, d, net)
	if n := len(m.files); n > 0 {
		m.files[n-1].fresh, m.files[n-1].part = !appendTo, part
	}
	if appendTo {
		m.noteTail(word, added)
	}
}

func (m *machine) redirect(r *syntax.Redirect, in data, outFile string, appendTo, toFile bool) (data, string, bool, bool) {
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return m.here(r), outFile, appendTo, toFile
	case syntax.DplIn, syntax.DplOut:
		word := m.value(r.Word)
		if r.Op == syntax.DplOut && !isFd(word) {
			m.write(word, effect.OpCreate)
			return in, word, false, true
		}
		return in, outFile, appendTo, toFile
	}
	if zshClobber(r) {
		m.otherwise("zsh or fish writes to the word after " + r.Op.String() + r.Word.Lit())
	}
	word := m.oneField(r.Word)
	if r.Op == syntax.RdrIn {
		if r.N != nil && r.N.Value != "0" {
			m.read(word)
			return in, outFile, appendTo, toFile
		}
		return m.readStdin(word), outFile, appendTo, toFile
	}
	if r.Op == syntax.RdrInOut {
		m.read(word)
	}
	op := effect.OpCreate
	if r.Op == syntax.AppOut || r.Op == syntax.RdrInOut || r.Op == syntax.AppAll {
		op = effect.OpModify
	}
	m.write(word, op)
	m.keepsFile(r, word)
	if r.N != nil && r.N.Value != "1" {
		return in, outFile, appendTo, toFile
	}
	return in, word, op == effect.OpModify, true
}

func isFd(s string) bool {
	if s == "-" {
		return true
	}
	for i := 0; i < len(s); i++ {
		if (s[i] < '0' || s[i] > '9') && !(s[i] == '-' && i == len(s)-1) && s[i] > mark.Inside {
			return false
		}
	}
	return s != ""
}

// readStdin reads a file that becomes standard input.
func (m *machine) readStdin(word string) data {
	if strings.HasPrefix(word, "\x00proc") {
		return unknown
	}
	m.read(word)
	d := m.contents(word)
	d.endless = endlessFile(word)
	return d
}

// contents is what is known of a file's contents: what the line wrote itself.
func (m *machine) contents(word string) data {
	if f, ok := m.written(m.p.Resolve(m.cwd, word)); ok && f.known {
		if !m.surelyWrote(&f) {
			return unknown
		}
		return data{text: f.text}
	}
	return m.earlier(word)
}

// here is the text that a command reads from the line itself.
func (m *machine) here(r *syntax.Redirect) data {
	telling := m.telling
	m.telling = m.sourced
	defer func() { m.telling = telling }()
	if r.Op == syntax.WordHdoc {
		return data{text: m.value(r.Word) + "\n"}
	}
	return data{text: m.hereDoc(r)}
}

func (m *machine) hereDoc(r *syntax.Redirect) string {
	if r.Hdoc == nil {
		return ""
	}
	for _, p := range r.Word.Parts {
		lit, ok := p.(*syntax.Lit)
		if !ok || firstByte(lit.Value, '\\') >= 0 {
			return rawText(r.Hdoc)
		}
	}
	return m.quoted(r.Hdoc.Parts)
}

// rawText is the text of a here-document whose delimiter is quoted. Not inlined, for the size of programs.
//
//go:noinline
func rawText(w *syntax.Word) string {
	var b strings.Builder
	for _, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok {
			b.WriteString(l.Value)
		}
	}
	return b.String()
}

func (m *machine) command(c syntax.Command, in data, want bool) data {
	switch c := c.(type) {
	case *syntax.CallExpr:
		return m.call(c, in, want)
	case *syntax.BinaryCmd:
		return m.binary(c, in, want)
	case *syntax.Block:
		return m.stmts(c.Stmts, in, want)
	case *syntax.Subshell:
		k := m.save()
		n := len(m.effects)
		m.inner++
		traps := len(m.traps)
		out := m.stmts(c.Stmts, in, want)
		m.trapped(traps)
		m.traps = m.traps[:traps]
		m.inner--
		m.restore(k)
		if onlyOpens(c.Stmts) && len(m.funcs)+len(m.aliases) == 0 { // exec may be one of them
			m.opensOnly(n)
		}
		return out
	case *syntax.IfClause:
		return m.ifClause(c, in, want)
	case *syntax.WhileClause:
		loop := func() data {
			return m.loop(want, func() data {
				cond := m.stmts(c.Cond, in, want)
				return concat(cond, m.stmts(c.Do, in, want))
			})
		}
		if always(c) {
			return m.unending(c.Do, loop)
		}
		out := loop()
		out.endless = out.endless || in.endless && readsOn(c)
		return out
	case *syntax.ForClause:
		return m.forClause(c, in, want)
	case *syntax.CaseClause:
		return m.caseClause(c, in, want)
	case *syntax.FuncDecl:
		m.declare(c)
		return data{}
	case *syntax.TimeClause:
		if c.Stmt != nil {
			return m.stmt(c.Stmt, in, want)
		}
		return data{}
	case *syntax.CoprocClause:
		k := m.save()
		out := m.stmt(c.Stmt, unknown, want)
		m.restore(k)
		m.perhaps(k)
		return out
	case *syntax.DeclClause:
		return m.declClause(c)
	case *syntax.TestDecl:
		return m.stmt(c.Body, in, want)
	case *syntax.ArithmCmd:
		m.arithm(c.X)
		return data{}
	case *syntax.LetClause:
		for _, x := range c.Exprs {
			m.arithm(x)
		}
		return data{}
	case *syntax.TestClause:
		m.testClause(c)
		return data{}
	}
	m.opaque(effect.OpUnparsed, "unknown kind of command")
	return unknown
}

func (m *machine) declare(c *syntax.FuncDecl) {
	names := c.Names
	if c.Name != nil {
		names = []*syntax.Lit{c.Name}
	}
	for _, n := range names {
		m.funcs = append(m.funcs, function{name: n.Value, body: c.Body})
	}
	if len(names) == 0 {
		m.stmt(c.Body, data{tty: true}, false)
	}
}
