package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// javaClass runs a class of the workspace's own: every entry of the class path lies in
// the workspace (java(1)). False for all other runs.
func (m *machine) javaClass(args []string) bool {
	i, classes := 0, ""
	for ; i < len(args) && strings.HasPrefix(args[i], "-"); i++ {
		switch a := args[i]; {
		case isAmong([]string{"-cp", "-classpath", "--class-path"}, a) && i+1 < len(args):
			i++
			classes = args[i]
		case strings.HasPrefix(a, "--class-path="):
			classes = a[len("--class-path="):]
		case !plainJava(a) && a != "--enable-preview":
			return false
		}
	}
	if classes == "" && i < len(args) && m.classHere(args[i]) {
		classes = "." // java(1), --class-path
	}
	if classes == "" || i >= len(args) || !javaName(args[i]) || mark.Has(classes) {
		return false
	}
	if !slices.ContainsFunc(args[:i], func(a string) bool { return strings.HasPrefix(a, "-D") }) && m.madeClass(classes, args[i]) {
		m.givenArgs(args[i+1:])
		return true
	}
	var places []string
	for i, entry := range strings.Split(classes, ":") {
		if i == 0 && (strings.HasSuffix(entry, ".jar") || strings.HasSuffix(entry, "*")) {
			return false // the class is to be the workspace's, not that of a library
		}
		full := m.p.Resolve(m.cwd, trimSuffix(entry, "/*"))
		if !m.ownClasses(full) {
			return false
		}
		places = append(places, full)
	}
	for _, a := range args[:i] {
		m.javaProperty(a)
	}
	m.givenArgs(args[i+1:])
	for _, full := range places {
		m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: effect.ZoneWorkspace, Resource: show(full)})
	}
	return true
}

// ownClasses says whether what lies at a place is the workspace's, and not of this
// line's making other than by a compiler.
func (m *machine) ownClasses(full string) bool {
	z, secret, _ := m.p.Where(full)
	if secret || len(m.files) > 0 && !m.onlyBuilt(full) {
		return false
	}
	return z == effect.ZoneWorkspace
}

// javaRunners begin the names of classes of Java itself and of languages on it, which run
// or compile what they are given.
var javaRunners = []string{"bsh.", "clojure.", "com.sun.", "groovy.", "java.", "javax.", "jdk.", "kotlin.", "org.codehaus.groovy.", "org.jruby.", "org.mozilla.javascript.", "org.python.", "scala.", "sun."}

// javaName says whether a word is the full name of a class.
func javaName(word string) bool {
	for i := 0; i < len(word); i++ {
		if !isNameByte(word[i]) && word[i] != '.' && word[i] != '$' {
			return false
		}
	}
	return word != "" && !strings.HasSuffix(word, ".java") && !strings.HasSuffix(word, ".jar") && !slices.ContainsFunc(javaRunners, func(p string) bool { return strings.HasPrefix(word, p) })
}

// classHere says whether a class or its source lies in the working directory, where java looks for it as
// long as nothing says another class path.
func (m *machine) classHere(name string) bool {
	if _, set := m.variable("CLASSPATH"); set || m.p.NamesOf == nil {
		return false
	}
	names := m.namesIn(m.cwd)
	return isAmong(names, name+".class") || isAmong(names, name+".java")
}

// madeClass runs a class of a temporary directory that is the whole of the class path: one that this line
// or an earlier call compiled. Whatever else lies there and may be loaded with it counts as run.
func (m *machine) madeClass(classes, name string) bool {
	dir := m.p.Resolve(m.cwd, classes)
	z, secret, _ := m.p.Where(dir)
	if z != effect.ZoneTemp || secret || strings.ContainsAny(classes, ":*") || m.p.NamesOf == nil || m.p.Compiled == nil {
		return false
	}
	files, ok := m.p.Compiled.Classes(m.namesIn(dir))
	if !ok {
		return false
	}
	for _, n := range append(files, strings.ReplaceAll(name, ".", "/")+".class") {
		if file := dir + "/" + n; !strings.HasSuffix(n, ".java") {
			m.runFile(file, []string{file}, data{}, false)
		} else if !m.plainSource(file) {
			m.escape(file)
		}
	}
	return true
}

// besideJava judges what java takes beside a source that it runs: classes of the working directory, which is
// the class path (java(1), --class-path), and from JDK 22 on sources beside it (JEP 458). Those of the workspace are
// its own.
func (m *machine) besideJava(word string) {
	source := m.p.Resolve(m.cwd, word)
	for _, dir := range []string{m.cwd, path.Dir(source)} {
		if z, _, _ := m.p.Where(dir); z == effect.ZoneWorkspace || m.p.NamesOf == nil {
			continue
		}
		for _, n := range m.namesIn(dir) {
			file := dir + "/" + n
			if ext := path.Ext(n); strings.HasPrefix(n, "META-INF") || ext == ".class" || ext == ".java" && file != source && !m.plainSource(file) {
				m.escape(file)
			}
		}
	}
}

// namesIn are the names of what lies in a directory, and of what the line wrote there.
func (m *machine) namesIn(dir string) []string {
	names := append([]string(nil), m.p.NamesOf(dir)...)
	for i := range m.files {
		if file := m.files[i].path; strings.HasPrefix(file, dir+"/") {
			names = append(names, file[len(dir)+1:])
		}
	}
	return names
}
