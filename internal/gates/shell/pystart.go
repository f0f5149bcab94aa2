package shell

import (
	"slices"
	"strings"
)

// This file judges programs that inline Python starts with words that are known: as the
// command that they are (docs.python.org/3.13/library/subprocess.html and os.html, os.system
// and os.popen). A call of which anything is not known asks.

// pyStarts are the functions of subprocess that start a program, and pyLines those of a line of
// the shell.
const (
	pyStarts = "subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen"
	pyLines  = "subprocess.getoutput subprocess.getstatusoutput os.system os.popen"
)

// pyStartOptions are arguments that change neither what runs nor where, and pyStartNames what
// else of the module starts nothing.
const (
	pyStartOptions = "bufsize capture_output check close_fds encoding errors start_new_session stderr stdout text timeout universal_newlines"
	pyStartNames   = "PIPE STDOUT DEVNULL CalledProcessError TimeoutExpired CompletedProcess SubprocessError"
)

// pyStart is a program that the code starts.
type pyStart struct {
	cwd   string
	lines [][]string // argument vectors, one of which runs at a time
	in    data
}

// starts judges a call that starts a program; false if it is none, or not known. What it
// starts is judged when all that the code does to files is.
func (p *pyReader) starts(name string, args pyArgs) bool {
	line, known := hasWord(pyLines, name), hasWord(pyStarts, name)
	if p.m.cell && !p.m.whole || !line && !known || p.movesItself() {
		return false
	}
	s := pyStart{in: unknown}
	if line {
		text, ok := args.first(p).constant()
		if !ok || len(args.plain) != 1 || len(args.named) > 0 {
			return false
		}
		s.lines = [][]string{{"sh", "-c", text}}
	} else if !p.startOf(&s, args) {
		return false
	}
	p.started = append(p.started, s)
	return true
}

// startOf reads the arguments of a function of subprocess.
func (p *pyReader) startOf(s *pyStart, args pyArgs) bool {
	shell, env := false, []string(nil)
	for _, a := range args.named {
		switch {
		case hasWord(pyStartOptions, a.name):
		case a.name == "shell" && a.to == a.from+1 && (p.isName(a.from, "True") || p.isName(a.from, "False")):
			shell = p.isName(a.from, "True")
		case a.name == "cwd":
			dir, ok := p.expr(a.from, a.to).constant()
			if !ok && !(a.to == a.from+1 && p.isName(a.from, "None")) {
				return false
			}
			s.cwd = dir
		case a.name == "stdin" && a.to == a.from+3 && p.is(a.from+2, "DEVNULL"):
			s.in = data{}
		case a.name == "input":
			text, ok := p.expr(a.from, a.to).constant()
			if !ok {
				return false
			}
			s.in = data{text: text}
		case a.name == "env":
			var ok bool
			if env, ok = p.environOf(a.from, a.to); !ok {
				return false
			}
		default:
			return false
		}
	}
	if len(args.plain) != 1 {
		return false
	}
	from, to := args.plain[0][0], args.plain[0][1]
	if p.is(from, "[") && p.pairs[from] == to-1 || p.is(from, "(") && p.pairs[from] == to-1 && p.next(from+1, to-1, ",") < to-1 {
		if shell || !p.words(s, from+1, to-1) {
			return false
		}
	} else if text, ok := p.expr(from, to).constant(); !ok || !shell && strings.ContainsAny(text, " \t\n") {
		return false
	} else if shell {
		s.lines = [][]string{{"sh", "-c", text}}
	} else {
		s.lines = [][]string{{text}}
	}
	for i, words := range s.lines {
		if !startable(words) {
			return false
		}
		if len(env) > 0 {
			s.lines[i] = append(append([]string{"env"}, env...), words...)
		}
	}
	return len(s.lines) > 0
}

// words reads the words of a list. One of them may be several.
func (p *pyReader) words(s *pyStart, from, to int) bool {
	s.lines = [][]string{nil}
	for from < to {
		end := p.next(from, to, ",")
		v := p.expr(from, end)
		if p.isName(from, "sys") && p.is(from+1, ".") && p.is(from+2, "executable") && end == from+3 {
			v = pyTexts(pyText, "python3")
		}
		if !v.known() || len(s.lines)*len(v.words) > maxFound {
			return false
		}
		var lines [][]string
		for _, words := range s.lines {
			for _, w := range v.words {
				lines = append(lines, append(words[:len(words):len(words)], w))
			}
		}
		s.lines, from = lines, end+1
	}
	return len(s.lines[0]) > 0
}

// environOf reads an environment that is the code's own with constants put into it:
// {**os.environ, 'A': 'b'}, dict(os.environ, A='b').
func (p *pyReader) environOf(from, to int) (sets []string, ok bool) {
	own := func(i int) bool {
		return p.isName(i, "os") && p.is(i+1, ".") && p.is(i+2, "environ")
	}
	at, end, dict := from+1, to-1, p.is(from, "{") && p.pairs[from] == to-1
	switch {
	case dict && p.is(at, "*") && p.is(at+1, "*") && own(at+2):
		at += 2
	case p.isName(from, "dict") && p.is(from+1, "(") && p.pairs[from+1] == to-1 && own(from+2):
		at = from + 2
	case own(from) && to == from+3:
		at, end = from, to
	case p.isName(from, "None") && to == from+1:
		return nil, true
	default:
		return nil, false
	}
	environ := p.toks[at+2].at
	for at += 3; at < end; {
		if !p.is(at, ",") {
			return nil, false
		}
		next := p.next(at+1, end, ",")
		sep := "="
		if dict {
			sep = ":"
		}
		mid := p.next(at+1, next, sep)
		value, known := p.expr(min(mid+1, next), next).constant()
		name := ""
		if mid == at+2 {
			name = p.toks[at+1].text
			if dict {
				name, _ = p.expr(at+1, mid).constant()
			}
		}
		if at+1 == end { // a comma at the end
			break
		}
		if !known || nameLen(name) != len(name) || name == "" {
			return nil, false
		}
		sets, at = append(sets, name+"="+value), next
	}
	if environ >= 0 {
		p.handled[environ] = true
	}
	return sets, true
}

// movesItself says whether the code may change its directory or its environment, which what
// it starts gets.
func (p *pyReader) movesItself() bool {
	for i, t := range p.toks {
		if t.kind == 'n' && (hasWord("chdir fchdir putenv unsetenv umask reload modules", t.text) || t.text == "environ" && !p.is(i+1, ",") && !p.is(i+1, ")") && !p.is(i+1, "}") && !p.asksEnviron(i+1)) {
			return true
		}
	}
	return false
}

// asksEnviron says whether what stands at i only asks the environment for something.
func (p *pyReader) asksEnviron(i int) bool {
	if p.is(i, "[") && p.pairs[i] > 0 {
		return !p.is(p.pairs[i]+1, "=") || p.is(p.pairs[i]+2, "=")
	}
	return p.is(i, ".") && (p.is(i+1, "get") || p.is(i+1, "copy"))
}

// starting judges what the code starts.
func (p *pyReader) starting() {
	p.m.runStarted(p.started)
	if len(p.started) > 0 && p.foreign {
		p.m.judgeWritten(false)
	}
}

// marksStarts notes the words of the module whose calls are judged: imports of it, and names of
// it that start nothing.
func (p *pyReader) marksStarts(i int) {
	t := p.toks[i]
	switch {
	case p.names[i] && t.text == "subprocess":
		p.handled[t.at] = true
	case !p.names[i] && p.moduleAt(i, "subprocess") && p.is(i+1, ".") && i+2 < len(p.toks) && (hasWord(pyStartNames, p.toks[i+2].text) || p.handled[p.toks[i+2].at]):
		p.handled[t.at] = true
	}
}

// onlyStarted says whether a function of a module that is imported by its name is only used in
// calls that are judged, whatever it goes by.
func (p *pyReader) onlyStarted(mod, name string) bool {
	if p == nil || !hasWord(pyStarts+" "+pyLines, mod+"."+name) {
		return false
	}
	imported := func(b pyBinding) bool { return b.how == bindImport && b.name == mod+"."+name }
	for i, t := range p.toks {
		if t.kind == 'n' && (t.text == name || slices.ContainsFunc(p.binds[t.text], imported)) && !p.names[i] && !p.handled[t.at] && !p.is(i-1, ".") {
			return false
		}
	}
	return true
}
