package source

import (
	"path"
	"slices"
	"strings"
)

// This file knows compilers: which options only say how, what they make, and what they read
// beside the sources that they are given.

// compileOptionsOf are options of compilers that are no C's and say how, those with a value with "=" behind,
// by their manuals (javac(1), go help build).
var compileOptionsOf = map[string]string{
	"go":    "-o= -race -v -x -a -trimpath",
	"javac": "-d= -Xlint -Xlint:all -Xlint:unchecked -Xlint:deprecation -Xlint:none -Xdiags:verbose -g -g:none -nowarn -Werror -parameters -verbose -deprecation -proc:none --enable-preview --release= -source= --source= -target= --target= -encoding=",
}

// subcommands are words of such programs that name no source.
var subcommands = map[string]string{"go": "build run"}

// Options says whether a compiler has no option beyond such as its list has.
func (Reader) Options(program string, args, sources []string) bool {
	known := compileOptionsOf[program]
	for i := 0; i < len(args) && known != ""; i++ {
		a := args[i]
		name, _, joined := strings.Cut(a, "=")
		switch {
		case a == "" || strings.ContainsAny(a, "\x00\x01\x02\x03\x04\x05"):
			return false
		case slices.Contains(sources, a), i == 0 && hasWord(subcommands[program], a):
			if program == "go" && a[0] != '-' && !hasWord(subcommands[program], a) && i+1 < len(args) && args[i+1] != "" && !slices.Contains(sources, args[i+1]) {
				return true // arguments of the program follow
			}
		case a[0] == '-' && hasWord(known, a), joined && hasWord(known, name+"="):
		case a[0] == '-' && hasWord(known, a+"="):
			i++
		default:
			return false
		}
	}
	return known != ""
}

// Outputs are the files that a compiler makes where no option names each (gcc(1), rustc(1), javac(1)).
func (Reader) Outputs(program string, args, sources []string, text func(string) (string, bool)) []string {
	if program == "javac" {
		return classFiles(args, sources, text)
	}
	if len(sources) == 0 || slices.ContainsFunc(args, func(a string) bool {
		return strings.HasPrefix(a, "-o") || a == "-c" || a == "-S" || a == "-E" || a == "-fsyntax-only" || strings.HasPrefix(a, "--")
	}) {
		return nil
	}
	switch program {
	case "gcc", "cc", "g++", "c++", "clang", "clang++":
		return []string{"a.out"}
	case "rustc":
		base := path.Base(sources[0])
		return []string{strings.TrimSuffix(base, path.Ext(base))}
	}
	return nil
}

// maxClasses bounds the classes of a source that are told as made.
const maxClasses = 16

// classFiles are the files that javac makes of sources (javac(1), -d).
func classFiles(args, sources []string, text func(string) (string, bool)) (out []string) {
	to := ""
	if i := slices.Index(args, "-d"); i >= 0 && i+1 < len(args) {
		to = args[i+1]
	}
	for _, s := range sources {
		source, ok := text(s)
		if !ok {
			continue
		}
		tokens, _ := javaLexis.cut(source, 0)
		l, depth := list(tokens), 0
		dir := path.Dir(s)
		if to != "" {
			dir = to
		}
		for i, made := 0, 0; i < len(l) && made < maxClasses; i++ {
			switch {
			case l.is(i, "{"):
				depth++
			case l.is(i, "}"):
				depth--
			case depth > 0 || l[i].kind != 'n' || l.is(i-1, "."):
			case to != "" && l[i].text == "package":
				for i++; l.at(i).kind == 'n'; i += 2 {
					dir += "/" + l[i].text
				}
			case hasWord("class interface enum record", l[i].text) && l.at(i+1).kind == 'n':
				made++
				out = append(out, path.Join(dir, l[i+1].text+".class"))
			}
		}
	}
	return out
}

// Alone says whether a compiler reads nothing of a directory but the sources: javac takes services for
// processors, and classes by their names from there.
func (Reader) Alone(program, source string, names []string, plain func(string) bool) bool {
	for _, n := range names {
		if ext := path.Ext(n); program == "javac" && (strings.HasPrefix(n, "META-INF") || ext == ".java" && !plain(n)) {
			return false
		}
	}
	return true
}

// Package says whether a package of Go is made of such sources.
func (Reader) Package(names []string, plain func(string) bool) bool {
	sources := 0
	for _, n := range names {
		switch {
		case strings.HasSuffix(n, "_test.go"), strings.Contains(strings.TrimSuffix(n, "/"), "/"):
		case strings.HasSuffix(n, ".go"):
			if sources++; !plain(n) {
				return false
			}
		case hasWord(goBuilt, strings.ToLower(path.Ext(n))), n == "go.work", n == "vendor/":
			return false
		}
	}
	return sources > 0
}

// Classes are the classes and sources in a directory of the class path; services lie in META-INF there.
// Classes within others are made with them.
func (Reader) Classes(names []string) (files []string, ok bool) {
	for _, n := range names {
		if strings.HasPrefix(n, "META-INF") {
			return nil, false
		}
		if ext := path.Ext(n); (ext == ".class" || ext == ".java") && !strings.Contains(n, "$") {
			files = append(files, n)
		}
	}
	return files, true
}
