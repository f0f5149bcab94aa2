package shell

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about what inline Python says in other words: an attribute by a call, the path of
// a page, and the directory that pytest gives a test.

var (
	// calledImport is an import by a call of which the module is a constant.
	calledImport = regexp.MustCompile(`(?m)^([ \t]*)(\w+)[ \t]*=[ \t]*importlib\.import_module\((?:"([A-Za-z][\w.]*)"|'([A-Za-z][\w.]*)')\)[ \t]*$`)
	// insideImport is one inside an expression that only asks a module what it says of itself
	// (Built-in Functions, __import__).
	insideImport = regexp.MustCompile(`\b__import__\((?:"([A-Za-z]\w*)"|'([A-Za-z]\w*)')\)\.(__version__|__file__|VERSION|version)\b`)
)

// spelledImports is code with such imports as statements.
func spelledImports(text string) string {
	if strings.Contains(text, "importlib") {
		text = calledImport.ReplaceAllString(text, "${1}import ${3}${4} as ${2}")
	}
	if strings.Contains(text, "__import__") && !strings.Contains(text, "module_") {
		mods := ""
		text = insideImport.ReplaceAllStringFunc(text, func(call string) string {
			parts := insideImport.FindStringSubmatch(call)
			mod := parts[1] + parts[2]
			mods += "import " + mod + " as module_" + mod + "\n"
			return "module_" + mod + "." + parts[3]
		})
		text = mods + text
	}
	return text
}

// spelledAttributes is code in which each getattr with a constant name is written as that
// attribute, which it is (Built-in Functions, getattr), so that it is judged as one; what it is
// instead where there is none, is either. Another use of getattr leaves the code as it stands.
func spelledAttributes(text string) string {
	if !strings.Contains(text, "getattr") {
		return text
	}
	for range maxLiterals { // from within
		toks, bad := dialectOf("python").tokens(text)
		if bad != "" {
			return text
		}
		p := pyReader{toks: toks}
		if !p.pair() {
			return text
		}
		last := -1
		for i, t := range toks {
			if t.kind == 'n' && t.text == "getattr" && t.at >= 0 {
				if last = i; is(toks, i-1, ".") || is(toks, i-1, "def") || !is(toks, i+1, "(") || p.pairs[i+1] < 0 {
					return text
				}
			}
		}
		if last < 0 {
			return text
		}
		said, ok := p.spelled(text, last)
		if !ok {
			return text
		}
		text = text[:toks[last].at] + said + text[toks[p.pairs[last+1]].at+1:]
	}
	return text
}

// spelled is the call of getattr at token i as an attribute.
func (p *pyReader) spelled(text string, i int) (string, bool) {
	args := p.args(i+1, p.pairs[i+1]+1)
	if n := len(args.plain); args.star || len(args.named) > 0 || n != 2 && n != 3 {
		return "", false
	}
	piece := func(r [2]int) string { return text[p.toks[r[0]].at : p.toks[r[1]-1].at+len(p.toks[r[1]-1].text)] }
	object, name := args.plain[0], args.plain[1]
	if name[1] != name[0]+1 || p.toks[name[0]].kind != 's' {
		return "", false
	}
	word := strings.Trim(p.toks[name[0]].text, `"'`)
	if len(word) != len(p.toks[name[0]].text)-2 || word == "" || nameLen(word) != len(word) || word[0] >= '0' && word[0] <= '9' || hasWord(pythonKeywords, word) || word[0] == '_' && !hasWord(saysOfItself, word) {
		return "", false
	}
	said := piece(object)
	for k := object[0]; k < object[1]; k++ {
		if p.toks[k].kind != 'n' && !p.is(k, ".") || p.toks[k].at < 0 {
			said = "(" + piece(object) + ")"
			break
		}
	}
	if said += "." + word; len(args.plain) == 3 {
		said = "(" + said + " or (" + piece(args.plain[2]) + "))"
	}
	return said, true
}

// pythonKeywords are no names of attributes (the language reference, Keywords).
const pythonKeywords = "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield match case type"

// clientVerbs are methods by which clients of web frameworks, those for tests among them, ask for
// a page by its path; delete is none of them, which says that something goes.
const clientVerbs = "get post put patch head options"

// route says whether a constant is the path of a page that a client asks for, and of no file:
// nothing lies at the root under its first name, so there is nothing to read, and nobody but
// the root's owner could write there.
func (p *pyReader) route(i int, method string) bool {
	v, ok := p.constant(p.toks[i].text, "").constant()
	if p.m.p.There == nil || !ok || !hasWord(clientVerbs, method) || !strings.HasPrefix(v, "/") || strings.Contains(v, "..") {
		return false
	}
	first, _, _ := cutAt(v[1:], "/")
	first, _, _ = cutAt(first, "?")
	return first != "" && !p.m.p.There("/"+first)
}

// testClients are what frameworks ask an application by that runs in the same process (the
// references of Starlette, FastAPI and Flask, Testing). Django is not among them: what sets it up
// opens the database of its settings, whichever that is, to all models.
const testClients = "fastapi.testclient.TestClient starlette.testclient.TestClient flask.testing.FlaskClient"

// testDirectory says whether a parameter is the directory that pytest makes for each run of a test
// and gives it (pytest, How to use temporary directories and files in tests): the function is
// called like a test, nothing in the code calls it or stands before it, and nothing else in the
// code is called like the parameter. What else may give it is a hook of pytest, a conftest.py of the
// session, an option of the run and whoever runs the code by itself.
func (p *pyReader) testDirectory(f *pyFunc, name string) bool {
	if name != "tmp_path" || !strings.HasPrefix(f.name, "test") || !f.plain || !p.byPytest() {
		return false
	}
	calls := 0
	for i, t := range p.toks {
		switch {
		case t.kind == 's' && strings.Contains(t.text, name), t.kind == 'n' && (strings.HasPrefix(t.text, "pytest_") || t.text == "pytestmark"), t.kind == 'n' && t.text == name && (p.is(i-1, "def") || p.stored[i] && p.is(i+1, "=")):
			return false
		case t.kind == 'n' && t.text == f.name:
			calls++
		}
	}
	return calls == 1
}

// byPytest says whether the line runs pytest, and tells it nothing of where such directories lie, and
// the session wrote no conftest.py, where fixtures are defined.
func (p *pyReader) byPytest() bool {
	runs := false
	for _, a := range p.m.argv {
		if mark.Has(a) || strings.Contains(a, "basetemp") {
			return false
		}
		runs = runs || strings.HasSuffix(a, "pytest")
	}
	for i := range p.m.p.Made {
		runs = runs && !strings.HasSuffix(p.m.p.Made[i].Path, "conftest.py")
	}
	for i := range p.m.files {
		runs = runs && !strings.HasSuffix(p.m.files[i].path, "conftest.py")
	}
	return runs
}

// readsUnknown says whether what reads at i may be a reader of configparser, whose method takes a
// path: it is given something or is not called, and the object is no file.
func (p *pyReader) readsUnknown(i int) bool {
	if p == nil || p.toks[i].text != "read" || p.is(i+1, "(") && p.is(i+2, ")") || !p.says("configparser") {
		return false
	}
	return p.expr(p.start(i), i-1).kind != pyFile
}

// says says whether a name stands somewhere in the code.
func (p *pyReader) says(name string) bool {
	return p != nil && slices.ContainsFunc(p.toks, func(t token) bool { return t.kind == 'n' && t.text == name })
}
