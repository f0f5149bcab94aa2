package shell

import (
	"slices"
	"strings"
)

// This file judges Python that works with the records of Django's models together with the modules of the workspace that
// it runs.

// djangoActs are the others that are documented: as a value, each is one that something else may call. Those of
// asynchronous code begin with an a.
const djangoActs = " add bulk_create bulk_update clear create create_superuser create_user delete email_user execute extra full_clean get_or_create make_random_password open raw refresh_from_db remove save save_base select_for_update set set_password set_unusable_password update update_or_create "

// pyDataTells are methods of texts, numbers, dates and collections that change none of them.
const pyDataTells = " as_integer_ratio astimezone capitalize casefold center copy count date decode encode endswith find format fromisoformat get group groups hex index isalnum isalpha isdigit isoformat issubset issuperset items join keys ljust lower lstrip most_common partition quantize removeprefix removesuffix replace rfind rjust rpartition rsplit rstrip " +
	"split splitlines startswith strftime strip time title total_seconds upper values weekday zfill "

// pyDataKeeps are methods that change a collection where it is.
const pyDataKeeps = " add append clear discard extend insert pop popitem remove reverse setdefault sort update "

// pyValueTakers are functions that call nothing that they are given.
const pyValueTakers = " Decimal abs all any bool dict enumerate float format int isinstance len list max min print pprint range repr round set sorted str sum tuple type zip "

// linkedRecord says whether the attribute at i only reads: a method that is known to, or what a record has.
func linkedRecord(p *pythonCode, i int) bool {
	name, py := p.toks[i].text, p.py
	if py == nil || i >= len(py.toks) || py.toks[i].text != name {
		return false
	}
	if p.settings(i - 2) {
		return p.m.linked.method(p, i)
	}
	acts := hasWord(djangoActs, trimPrefix(name, "a")) || hasWord(djangoActs, name)
	if p.is(i+1, "(") {
		if !acts && (p.m.linked.method(p, i) || hasWord(djangoReads, name) || hasWord(pyDataTells, name) || p.definesMethod(name)) {
			return true
		}
		v := py.expr(py.start(i), i-1)
		return hasWord(pyDataKeeps, name) && (v.kind == pyList || v.kind == pyDict || v.kind == pyTuple)
	}
	open := py.inside[i]
	if name == strings.ToUpper(name) { // a constant, or one of the settings
		return p.m.linked.method(p, i) || p.defined(name)
	}
	if acts {
		return false // a method that is handed on
	}
	if open < 1 || !py.is(open, "(") || py.toks[open-1].kind != 'n' || py.keyword(open-1) || !(p.is(i+1, ")") || p.is(i+1, ",")) {
		return true
	}
	if py.isName(open-2, "class") {
		return true
	}
	f := py.toks[open-1].text
	from := py.start(i)
	if root := py.toks[from]; root.kind == 'n' && i == from+2 && slices.ContainsFunc(py.binds[root.text], func(b pyBinding) bool {
		return b.how == bindImport && (libraryModule(b.name) || strings.HasPrefix(b.name, "django.utils."))
	}) {
		return true
	}
	if py.is(open-2, ".") {
		return p.m.linked.method(p, open-1) || hasWord(djangoReads, f) || hasWord(pyDataTells, f) || hasWord(pyDataKeeps, f)
	}
	return (hasWord(pyValueTakers, f) || p.definesMethod(f)) && !(py.is(from-1, "=") && hasWord("key default", py.toks[from-2].text)) || hasWord("Q F Value When Case Coalesce", f)
}

// settings says whether the name at i is the settings of Django, under whatever name: not all of them may be shown.
func (p *pythonCode) settings(i int) bool {
	if p.py == nil || i < 0 || p.toks[i].kind != 'n' {
		return false
	}
	want, from := "django.conf.settings", i
	if p.is(i-1, ".") && p.toks[i].text == "settings" {
		want, from = "django", p.py.start(i)
	}
	return slices.ContainsFunc(p.py.binds[p.toks[from].text], func(b pyBinding) bool {
		return b.how == bindImport && (b.name == want || want == "django" && strings.HasPrefix(b.name, "django"))
	})
}

// definesMethod says whether the code has a function of a name.
func (p *pythonCode) definesMethod(name string) bool {
	for i := range p.toks {
		if p.toks[i].kind == 'n' && p.toks[i].text == name && p.is(i-1, "def") {
			return true
		}
	}
	return false
}

// linkedCalls says whether the name at i, if it is called, is a function or a class, and no value that something else
// gave it; and whether it is no setting of Django that goes on under another name.
func linkedCalls(p *pythonCode, i int) bool {
	if p.py == nil || p.settings(i) && !p.is(i+1, ".") && !p.py.names[i] {
		return false
	}
	name := p.toks[i].text
	return !p.is(i+1, "(") || !slices.ContainsFunc(p.py.binds[name], func(b pyBinding) bool {
		return b.how != bindImport && (b.how != bindDef || b.name != "") && (b.how != bindUnknown || !p.definesClass(name))
	})
}

// definesClass says whether the code has a class of a name.
func (p *pythonCode) definesClass(name string) bool {
	for i := range p.toks {
		if p.toks[i].kind == 'n' && p.toks[i].text == name && p.is(i-1, "class") {
			return true
		}
	}
	return false
}

// callsComputed says whether code calls what a bracket gives.
func (m *machine) callsComputed(text string) bool {
	p := m.readPython(text)
	if p == nil {
		return true
	}
	for i, t := range p.toks {
		if p.is(i, "(") && !t.gap && (p.is(i-1, ")") || p.is(i-1, "]")) {
			return true
		}
	}
	return false
}
