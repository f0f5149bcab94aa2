package shell

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file puts the workspace's own files that inline Ruby loads before the code: both
// are judged together, as if all of it stood on the line. What cannot be found there stays as it
// is and asks.

var (
	rubyLoads  = regexp.MustCompile(`(?m)^[ \t]*(require|require_relative)[ (]*["']([\w./-]+)["']\)?[ \t]*(?:;|$)`)
	rubyPath   = regexp.MustCompile(`(?m)^[ \t]*(?:\$LOAD_PATH|\$:)(?:\.unshift|\.push|[ ]*<<)[ (]*(?:"([\w./-]+)"|'([\w./-]+)'|File\.expand_path\((?:"([\w./-]+)"|'([\w./-]+)')\))\)?[ \t]*(?:;|$)`)
	lineRemark = regexp.MustCompile(`(?m)^[ \t]*#(?:[ !#].*)?$`)
)

// ownLoads are directories that an interpreter is told to look for modules in, and what it is told
// to load of them.
type ownLoads struct {
	dirs    []string
	text    string // of the files
	seen    []string
	changed bool // the session changed one of them
}

// loadsOwn says whether a module is a file of the workspace in one of the directories that the
// line names, whose text is then judged with the code.
func (m *machine) loadsOwn(lang, name string) bool {
	files := m.ownFiles()
	return lang == "ruby" && !mark.Has(name) && m.ownText(&files, m.cwd, name)
}

// ownText adds the text of a module to what is judged with the code, behind those that it loads
// itself.
func (m *machine) ownText(files *ownFiles, dir, name string) bool {
	if path.Ext(name) != ".rb" {
		name += ".rb"
	}
	dirs := m.loads.dirs
	if strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
		dirs = []string{dir}
	}
	for _, d := range dirs {
		full := m.p.Resolve(d, name)
		if m.p.There == nil || !m.p.There(full) {
			continue
		}
		if contains(full, m.loads.seen...) {
			return true
		}
		text, settled, ok := files.text(full)
		if !ok {
			return false
		}
		m.loads.seen = append(m.loads.seen, full)
		m.loads.changed = m.loads.changed || !settled
		m.loads.text += m.withoutLoads(files, path.Dir(full), lineRemark.ReplaceAllString(text, "")) + "\n"
		return true
	}
	return false
}

// withoutLoads is code without the lines that load files of the workspace, which are added to
// what is judged with it.
func (m *machine) withoutLoads(files *ownFiles, dir, text string) string {
	return rubyLoads.ReplaceAllStringFunc(text, func(line string) string {
		parts := rubyLoads.FindStringSubmatch(line)
		name, from := parts[2], m.cwd
		if parts[1] == "require_relative" {
			name, from = "./"+trimPrefix(name, "./"), dir
		}
		if m.ownText(files, from, name) {
			return ""
		}
		return line
	})
}

// rubyPlainQuote is a text in %q(…) of which no sign means anything.
var rubyPlainQuote = regexp.MustCompile(`%q\(([\w./-]+)\)`)

// withOwn is inline code with what it loads of the workspace before it.
func (m *machine) withOwn(lang, text string) string {
	if lang == "php" {
		return m.withOwnPHP(text)
	}
	if lang != "ruby" {
		return text
	}
	text = rubyPlainQuote.ReplaceAllString(text, "'${1}'")
	files := m.ownFiles()
	text = rubyPath.ReplaceAllStringFunc(text, func(line string) string {
		dir := ""
		for _, p := range rubyPath.FindStringSubmatch(line)[1:] {
			dir += p
		}
		full := m.p.Resolve(m.cwd, dir)
		if m.p.There == nil || !m.p.There(full) || !strings.Contains(text, "require") {
			return line
		}
		m.loads.dirs = append(m.loads.dirs, full)
		return ""
	})
	text = m.withoutLoads(&files, m.cwd, text)
	own := m.loads.text
	if !m.loads.changed && !slices.ContainsFunc(rubySymbols[:], func(w string) bool { return strings.Contains(own+text, w) }) {
		own = withoutUnused(own, text)
	}
	return own + text
}

// rubyDefs are the first lines of methods, and rubyImplicit names of methods that Ruby calls by
// itself (docs.ruby-lang.org/en/3.4, Object, Module, Comparable, implicit conversion).
var rubyDefs = regexp.MustCompile(`(?m)^([ \t]*)def (?:self\.)?([a-z_]\w*)[?!=]?([ (;\n].*)?$`)

const rubyImplicit = "initialize initialize_copy method_missing respond_to_missing respond_to included extended inherited prepended method_added const_missing to_s to_str to_a to_ary to_h to_hash to_i to_int to_proc to_sym inspect each call hash eql equal coerce exception message backtrace succ marshal_dump marshal_load encode_with pretty_print deconstruct deconstruct_keys begin end"

// rubySymbols are ways to make a symbol of a text, by which a method can be called where a block is
// taken.
var rubySymbols = [...]string{"to_sym", "intern", "to_proc", `:"`, ":'", "%s", "%i", "%I"}

// withoutUnused is Ruby without the methods of files that the session did not change whose names
// stand nowhere else: nothing calls them, for what calls a method by a computed name asks.
func withoutUnused(own, code string) string {
	for range 4 {
		at := rubyDefs.FindAllStringSubmatchIndex(own, -1)
		cut := false
		for k := len(at) - 1; k >= 0; k-- {
			a := at[k]
			indent, name := own[a[2]:a[3]], own[a[4]:a[5]]
			end := rubyDefEnd(own, a[1], indent, own[a[5]:a[1]])
			if end < 0 || hasWord(rubyImplicit, name) || namedIn(own[:a[0]]+own[end:]+code, name) {
				continue
			}
			own, cut = own[:a[0]]+own[end:], true
		}
		if !cut {
			break
		}
	}
	return own
}

// namedIn says whether a name stands in a text as a word.
func namedIn(text, name string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		i += at
		at = i + len(name)
		if (i == 0 || !isNameByte(text[i-1])) && (at == len(text) || !isNameByte(text[at])) {
			return true
		}
	}
}

// rubyDefEnd is where the method ends whose first line ends at from: behind that line if its
// body stands in it, else behind the first line that is its end and before which all are
// indented further. It is -1 where that is not plain to see.
func rubyDefEnd(text string, from int, indent, head string) int {
	if strings.Contains(head, ") = ") || strings.HasPrefix(head, " = ") {
		return from
	}
	if strings.ContainsAny(head, ";") {
		return -1
	}
	at := from
	for at < len(text) {
		at++ // the line's end
		line, _, _ := cutAt(text[at:], "\n")
		at += len(line)
		switch rest, inside := cutPrefix(line, indent); {
		case strings.TrimSpace(line) == "":
		case inside && rest == "end":
			return at
		case !inside || rest[0] != ' ' && rest[0] != '\t':
			return -1
		}
	}
	return -1
}

// irbRun runs irb on lines that stand on the line, as ruby runs them (irb(1)): what each gives is
// printed.
func (m *machine) irbRun(args []string, in data, want bool) bool {
	if in.tty || !in.known() || m.p.There == nil || m.p.There(m.p.Resolve(m.cwd, ".irbrc")) || m.wroteAny(".irbrc") {
		return false
	}
	var own []string
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case hasWord("--noprompt --simple-prompt --prompt-mode=simple --nomultiline --singleline --noreadline --nocolorize --noautocomplete --noecho -f --inspect", a):
		case (a == "-I" || a == "-r") && i+1 < len(args):
			own = append(own, a, args[i+1])
			i++
		case len(a) > 2 && (strings.HasPrefix(a, "-I") || strings.HasPrefix(a, "-r")):
			own = append(own, a)
		default:
			return false
		}
	}
	m.interpret("ruby", own, in, want)
	return true
}
