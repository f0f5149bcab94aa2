package gates

import (
	"path"
	"regexp"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file tells what code of JavaScript loads from what it only reads or writes.

// nodeNames adds the files that code names in quotes. Of code that is followed to its end, a
// file that it reads or writes is not loaded, but what it brings in is.
func (f *follower) nodeNames(text, file string) {
	if f.hit != "" {
		return
	}
	if f.quoted(text, file, nodeEndings[:]); f.hit == "" || !f.c.nodeFollowed(text) {
		return
	}
	delete(f.seen, f.hit)
	f.hit = ""
	f.quoted(loadedTexts(text), file, nodeEndings[:])
}

// nodeFollowed says whether code of JavaScript is approved as all of a program and starts none:
// nothing in it may do what cannot be told.
func (c *Context) nodeFollowed(text string) bool {
	if len(text) > maxPlain || strings.Contains(text, "child_process") {
		return false
	}
	places := c.placesIn(c.Cwd)
	script := Context{Effects: shell.AnalyzeScript("node", text, &places), exists: c.exists, later: true}
	var g Guardrail
	return g.Decide(&script).Disposition == Approved
}

// moduleTexts are the names by which code brings in modules, and filePaths the constant first
// arguments of functions of fs that read or write that file (Node.js documentation, Modules and
// File system).
var (
	moduleTexts = regexp.MustCompile("\\b(?:require|import|from)\\s*\\(?\\s*(?:'[^'\n]*'|\"[^\"\n]*\"|`[^`]*`)")
	filePaths   = regexp.MustCompile("\\b(?:access|appendFile|exists|glob|lstat|mkdir|readFile|readdir|stat|writeFile)(?:Sync)?\\(\\s*(?:'[^'\n]*'|\"[^\"\n]*\"|`[^`]*`)")
	besideFile  = regexp.MustCompile(`\b(?:require\s*\(|import\s*\(|import|from)\s*(?:'\.\.?/[^'\n\\]*'|"\.\.?/[^"\n\\]*")`)
)

// loadedTexts is what may name a file that followed code loads: what brings in modules, and, where
// that is code of the workspace's, all that it may be handed.
func loadedTexts(text string) string {
	modules := moduleTexts.FindAllString(text, -1)
	for _, m := range modules {
		mod := m[strings.IndexAny(m, "'\"`")+1 : len(m)-1]
		if (mod == "." || mod == ".." || strings.HasPrefix(mod, "./") || strings.HasPrefix(mod, "../")) && !strings.HasSuffix(mod, ".json") {
			return filePaths.ReplaceAllString(text, "")
		}
	}
	return strings.Join(modules, "\n")
}

// asRunHere is code of a file in which modules that lie beside it are named as from the working
// directory, where they lie below that (Node.js documentation, ECMAScript modules, Terminology). Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) asRunHere(text, file string) string {
	return besideFile.ReplaceAllStringFunc(text, func(m string) string {
		at := firstByte(m, '.')
		full := path.Join(path.Dir(file), m[at:len(m)-1])
		rel, below := cutPrefix(full, trimSuffix(c.Cwd, "/")+"/")
		if !below || mark.Has(full) || !c.inWorkspace(full) {
			return m
		}
		return m[:at] + "./" + rel + m[len(m)-1:]
	})
}
