package powershell

import (
	"strconv"
	"strings"
)

// val is a value: constants, or what a word of the shell stands for.
type val struct {
	consts []string // where known; none is $null
	known  bool
	word   string // one word of the shell, where it is not known
	files  *flow  // the files whose objects it holds
	path   bool   // it is the path of a file, on no drive but those of files, and no pattern
	str    bool   // it is text for sure, and no object with methods of its own
}

// A variable of the environment, and $HOME and $PWD, stand in constants as their names
// between these two.
const (
	opens  = '\ue000'
	closes = '\ue001'
)

func known(texts ...string) val { return val{consts: texts, known: true, str: true} }

// computed is a value that only the run time knows, made of others.
func computed(of ...val) val {
	var b strings.Builder
	for _, v := range of {
		if !v.known || v.named() {
			b.WriteString(" " + v.asWord())
		}
	}
	if b.Len() == 0 {
		return val{word: `"$(date | tr a b)"`}
	}
	return val{word: opaque(`printf '%s '` + b.String() + ` | tr a b`)}
}

// opaque is a word for what a command of the shell prints, or anything else: PowerShell may print
// there what that command does not.
func opaque(sh string) string { return `"$(` + blurred(sh) + `)"` }

// blurred is a command that prints something that nobody knows before and behind what it prints.
func blurred(sh string) string { return "date | tr a b\n" + sh + "\ndate | tr a b" }

// named says whether a constant holds names of variables.
func (v *val) named() bool {
	return strings.ContainsRune(strings.Join(v.consts, ""), opens)
}

// asWord is the value as one word of the shell.
func (v *val) asWord() string {
	if v.known {
		return quoted(strings.Join(v.consts, " "))
	}
	return v.word
}

// words are the values as words of the shell.
func (v *val) words() []string {
	if !v.known {
		return []string{v.word}
	}
	var out []string
	for _, c := range v.consts {
		out = append(out, quoted(c))
	}
	return out
}

// text is the one constant that a value is.
func (v *val) text() (string, bool) {
	if !v.known || len(v.consts) != 1 || v.named() {
		return "", false
	}
	return v.consts[0], true
}

// quoted writes a constant as one word of the shell.
func quoted(s string) string {
	var b strings.Builder
	for {
		text, rest, ok := strings.Cut(s, string(opens))
		if text != "" || !ok && b.Len() == 0 {
			b.WriteString(literal(text))
		}
		if !ok {
			return b.String()
		}
		var name string
		name, s, _ = strings.Cut(rest, string(closes))
		b.WriteString(`"$` + name + `"`)
		if s == "" {
			return b.String()
		}
	}
}

// literal writes a text without variables in it.
func literal(s string) string {
	plain := s != "" && s[0] != '=' && s[0] != '~'
	for _, r := range s {
		plain = plain && r <= 0x7f && (word(r) || strings.ContainsRune("-./:=@%+,_", r))
	}
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// folders are the variables that name directories of Windows, which package effect reads at
// the head of a path (effect.Places, about_Environment_Variables).
const folders = " USERPROFILE APPDATA LOCALAPPDATA TEMP TMP WINDIR SYSTEMROOT SYSTEMDRIVE HOMEDRIVE HOME "

// pathWords writes a constant as the words of a path: several where a pattern of the shell
// would leave out names that begin with a dot.
func (e *emitter) pathWords(s string, exact bool) []string {
	head := ""
	if strings.HasPrefix(s, string(opens)) {
		name, rest, _ := strings.Cut(s[len(string(opens)):], string(closes))
		switch {
		case name == "HOME":
			head = "~"
		case e.windows && strings.Contains(folders, " "+name+" "):
			head = "'$env:" + name + "'"
		default:
			head = `"$` + name + `"`
		}
		if s = rest; s == "" {
			return []string{head}
		}
	}
	switch {
	case s == "" || strings.ContainsAny(s, "`\n") || strings.ContainsRune(s, opens):
		e.fail("a path that is not plain")
	case !e.drives(s):
		e.fail("a drive that holds no files: " + s)
	case e.windows && shared(s):
		e.fail("a path on another machine, which is told who one is: " + s)
	}
	if !strings.HasPrefix(s, `\\`) {
		s = strings.ReplaceAll(s, `\`, "/")
	}
	switch {
	case head == "" && (s == "~" || strings.HasPrefix(s, "~/")):
		head, s = "~", s[1:]
	case head == "" && s[0] == '-':
		head = "./"
	}
	if exact || !strings.ContainsAny(s, "*?[") {
		if s == "" {
			return []string{head}
		}
		if head == "~" && s[0] == '/' {
			head, s = "~/", strings.TrimLeft(s, "/") // no tilde stands for a home before a slash in quotation marks
			if s == "" {
				return []string{head}
			}
		}
		return []string{head + literal(s)}
	}
	return e.patterns(head, s)
}

// patterns writes a pattern. Those of PowerShell match a dot at the beginning of a name as
// well (about_Wildcards).
func (e *emitter) patterns(head, s string) []string {
	out := []string{head}
	for i, part := range strings.Split(s, "/") {
		forms := dotted(part)
		var next []string
		for _, o := range out {
			for _, f := range forms {
				if i > 0 {
					f = "/" + f
				}
				next = append(next, o+f)
			}
		}
		if out = next; len(out) > 16 {
			e.fail("a pattern of too many parts")
			return out
		}
	}
	return out
}

// dotted are the forms of a part of a pattern that match all names together, those with a dot at
// their beginning as well. A star may stand for nothing before the dot.
func dotted(part string) []string {
	forms := []string{pattern(part)}
	for part != "" && len(forms) <= 16 {
		switch part[0] {
		case '*':
			rest := strings.TrimLeft(part, "*")
			forms = append(forms, "."+pattern(part))
			if rest != "" {
				forms = append(forms, pattern(rest))
			}
			part = rest
			continue
		case '?':
			forms = append(forms, "."+pattern(part[1:]))
		case '[':
			_, rest, _ := strings.Cut(part, "]")
			forms = append(forms, "."+pattern(rest))
		}
		break
	}
	return forms
}

// pattern quotes what is no part of a pattern.
func pattern(s string) string {
	var b strings.Builder
	for _, r := range s {
		if word(r) || strings.ContainsRune("*?[]-.", r) {
			b.WriteRune(r)
		} else {
			b.WriteString("'" + strings.ReplaceAll(string(r), "'", `'\''`) + "'")
		}
	}
	return b.String()
}

// drives says whether a path is on a drive that holds files: one with one letter, on Windows
// (about_Providers).
func (e *emitter) drives(s string) bool {
	i := strings.IndexByte(s, ':')
	return i < 0 || i == 1 && e.windows && (s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z') && strings.Count(s, ":") == 1
}

// shared says whether a path begins as one of another machine, or of a device.
func shared(s string) bool {
	return len(s) > 1 && strings.IndexByte(`\/`, s[0]) >= 0 && strings.IndexByte(`\/`, s[1]) >= 0
}

// plainPath says whether a constant means the same file to PowerShell and, in quotation
// marks, to the shell.
func (e *emitter) plainPath(s string) bool {
	return s != "" && !(e.windows && shared(s)) && s[0] != '-' && s[0] != '~' && e.drives(s) && !strings.ContainsAny(s, "*?[`\n") && !strings.ContainsRune(s, opens) && (e.windows || !strings.Contains(s, `\`))
}

// paths are the words of the paths that a value names.
func (e *emitter) paths(v val, exact bool) []string {
	switch {
	case v.known:
		var out []string
		for _, c := range v.consts {
			out = append(out, e.pathWords(c, exact)...)
		}
		if len(out) == 0 {
			e.fail("no path where one belongs")
		}
		return out
	case v.path:
		return []string{v.word}
	}
	if e.looking {
		e.fail("a place that is known only when it runs") // it may be one of Env:
	}
	u := computed(v)
	return []string{u.word}
}

// joined puts the parts of a string together.
func (e *emitter) joined(parts []val) val {
	all, path, out, word := true, false, "", ""
	for i, p := range parts {
		all = all && p.known
		out += strings.Join(p.consts, " ")
		if w := p.asWord(); w != "''" {
			word += w
		}
		switch {
		case p.path && word == p.asWord():
			path = true
		case i > 0 && (!p.known || strings.ContainsAny(out, ":*?[`~") || p.named()):
			path = false
		}
	}
	if all {
		return known(out)
	}
	return val{word: word, str: true, path: path}
}

// integers are the numbers of a short range.
func integers(from, to val) (val, bool) {
	a, ok := from.text()
	b, ok2 := to.text()
	i, err := strconv.Atoi(a)
	j, err2 := strconv.Atoi(b)
	if !ok || !ok2 || err != nil || err2 != nil || j < i || j-i > 64 {
		return val{}, false
	}
	out := val{known: true}
	for ; i <= j; i++ {
		out.consts = append(out.consts, strconv.Itoa(i))
	}
	return out, true
}
