package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about programs that read other files because the text says so that they are
// given: #include of C, .incbin of assemblers, \input of TeX, .so of roff, entities of XML. Where
// the text is known and names a secret, they read it. From the manuals: cpp (GCC 14, Include
// Syntax), as (binutils 2.43, Incbin), nasm 2.16 (4.6.1, 3.2.3), TeX by Topic (30), groff(7),
// XML 1.0 (4.2.2), dtc(1) (/include/, /incbin/), pandoc(1), dot(1) (image), asciidoctor (include).

// includers are those programs, by the rows of their tables. Sorted.
const includers = "as asciidoctor c++ cc clang clang++ cpp dot dtc g++ gcc groff haproxy jsonnet latex latexmk lualatex m4 man mandoc nasm nginx nroff pandoc pdflatex pdftex tectonic tex troff " +
	"typst xelatex xmllint xsltproc yasm"

// codeIncluders are those of them whose text may name files elsewhere than where it includes them.
var codeIncluders = []string{"as", "c++", "cc", "clang", "clang++", "cpp", "g++", "gcc", "nasm", "yasm"}

// maxIncluded bounds how deep includes are followed.
const maxIncluded = 3

// includes records the secrets that a run reads because its input says so.
func (r *toolRun) includes(in data) {
	if !mark.Among(includers, r.t.name) || r.help {
		return
	}
	if text := in.best(); !in.tty && text.known {
		r.included(text.text, maxIncluded)
	}
	for _, w := range r.operands {
		if text := r.m.contents(w).best(); !mark.Has(w) && text.known {
			r.included(text.text, maxIncluded)
		}
	}
}

// included looks at the words of a text, or of its lines that include.
func (r *toolRun) included(text string, deep int) {
	all := !searchNames(codeIncluders, r.t.name) || namedByMacro(text)
	for line := range strings.Lines(text) {
		if !all && !includesSome(line) {
			continue
		}
		for _, word := range strings.FieldsFunc(line, func(c rune) bool { return c <= ' ' || strings.ContainsRune("\"'`<>{}[]()|,;=#", c) }) {
			r.includesFile(trimPrefix(word, "include::"), deep)
		}
	}
}

// includesFile records the read of a secret by a name that a text has, in the directory of the
// run or in one that headers are looked for in.
func (r *toolRun) includesFile(word string, deep int) {
	m := r.m
	if strings.Trim(word, "./-") == "" {
		return
	}
	places := []string{word}
	for i, a := range r.words {
		switch dir := trimPrefix(a, "-I"); {
		case strings.HasPrefix(word, "/"):
		case dir != a && dir != "":
			places = append(places, dir+"/"+word)
		case contains(a, "-I", "-iquote", "-isystem", "-idirafter", "-p") && i+1 < len(r.words):
			places = append(places, r.words[i+1]+"/"+word)
		}
	}
	for _, p := range places {
		if _, secret, _ := m.p.Where(m.p.Resolve(m.cwd, p)); secret {
			m.read(p)
			return
		}
		if text := m.contents(p).best(); deep > 0 && text.known {
			r.included(text.text, deep-1)
		}
	}
}

// includesSome says whether a line may include a file.
func includesSome(line string) bool {
	low := strings.ToLower(line)
	return strings.Contains(low, "include") || strings.Contains(low, "incbin") || strings.Contains(low, "embed") || strings.Contains(low, "import")
}

// namedByMacro says whether what is included is not spelled out where it is.
func namedByMacro(text string) bool {
	for line := range strings.Lines(text) {
		if includesSome(line) && !strings.ContainsAny(line, "\"<'") || strings.HasSuffix(strings.TrimRight(line, "\r\n"), `\`) {
			return true
		}
	}
	return false
}
