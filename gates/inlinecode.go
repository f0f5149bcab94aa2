package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about what code does with files that it opens: where all of it is known, they are
// data to it.

// Inline reads code in Python, JavaScript, Ruby, Perl and PHP by its words. InlineReader is the only
// one; it is safe for concurrent use.
type Inline interface {
	// opens adds the modules that code brings in, if it is known to do nothing else with the files
	// that it names but to open them.
	opens(f *follower, lang, text, file string) bool
	// spoils says whether a file that the call's code reads and writes is made of more than it was
	// and what the code shows.
	spoils(c *Context, file string) bool
	// decodes says whether the call's code makes texts of such as do not show them.
	decodes(c *Context) bool
	// earlier objects to what a run may find under a name that the call may not have written yet.
	earlier(c *Context, g *Guardrail, d *Decision)
	// brings adds to the unvetted files what the call may make of fetched ones and of what containers print.
	brings(c *Context, out []string) []string
	// others says whether what an effect reads in the workspace is somebody else's.
	others(c *Context, e *Effect, bad []string) bool
	// takesAll says whether an effect takes a file along with a directory that it lies in.
	takesAll(c *Context, i int, file string) bool
	// perhaps says whether the call writes a file in a part of its line that may not run.
	perhaps(c *Context, file string) bool
	// settings judges files that a run takes as its settings and that the session wrote.
	settings(f *follower, r *effect.Run)
	// uncovers says whether an edit of a file may have made code of what was none before.
	uncovers(c *Context, file, old, put string) bool
	// bares is uncovers for a run of sed, as far as it is known what the file held before and after.
	bares(c *Context, r *effect.Run, file, before, after string) bool
	// changes says whether the call changes a file of the workspace in place.
	changes(c *Context) bool
	// words is effect.Places.Words.
	words(reader any, lang, text string) string
}

// inlineWords are the words in which inline code is judged; nil where it is judged as it stands.
func (s *State) inlineWords() func(reader any, lang, text string) string {
	if s.Inline == nil {
		return nil
	}
	return s.Inline.words
}

// InlineReader is State.Inline of hosts that have such code read.
func InlineReader() Inline { return inlineReader{} }

type inlineReader struct{}

func (inlineReader) words(reader any, lang, text string) string {
	return shell.InlineWords(reader, lang, text)
}

// opens looks at code that stands in a call, and at such as the session wrote.
func (inlineReader) opens(f *follower, lang, text, file string) bool {
	if f.harms || !isAmong([]string{"node", "perl", "php", "python", "ruby"}, lang) || len(text) > maxPlain || path.Base(file) != "-" && !f.c.wrote(file) {
		return false
	}
	if places := f.c.places; !shell.FollowedCode(lang, text, &places) {
		return false
	}
	switch lang {
	case "python":
		f.imports(text, file)
	case "node":
		if path.Base(file) == "-" {
			file += ".js"
		}
		f.quoted(loadedTexts(text), file, nodeEndings[:])
	case "perl":
		f.perlModules(text, file)
	}
	for line := range strings.Lines(text) {
		if (lang == "ruby" || lang == "php") && slices.ContainsFunc([]string{"require", "load", "LOAD_PATH", "$:", "include"}, func(w string) bool { return strings.Contains(line, w) }) {
			f.quoted(line, file, rubyEndings[:])
		}
	}
	return true
}

// alterers are programs beside the coders that may make a text of one that does not show it. Sorted.
const alterers = "awk bash ed envsubst ex gawk jq lua m4 mawk printf sed sh yq zsh"

// decodes goes by the words of the code, where it can be read and no other program of the call has a
// hand in what it writes.
func (inlineReader) decodes(c *Context) bool {
	if len(c.cells) == 0 || slices.ContainsFunc(c.Effects, func(e Effect) bool {
		return e.Kind == effect.Spawn && (mark.Among(coders, e.Program) || mark.Among(alterers, e.Program))
	}) {
		return decodes(c.Command)
	}
	for i := range c.cells {
		cell := &c.cells[i]
		does, read := false, false
		if cell.Known {
			does, read = shell.DecodingCode(cell.Lang, cell.Text)
		}
		if does && read || !read && decodes(c.Command) {
			return true
		}
	}
	return false
}

// spoils is true for code that also reads a file of which nobody can tell what it holds, or what a
// program prints that JavaScript starts.
func (r inlineReader) spoils(c *Context, file string) bool {
	return r.decodes(c) || c.printsToCode() || slices.ContainsFunc(c.Effects, func(e Effect) bool {
		return e.Kind == effect.Read && e.Resource != file && e.Zone != effect.ZoneStream && slices.ContainsFunc(c.Flow.Unvetted, func(u string) bool {
			return u != file && (!exact(e.Resource) || mark.Under(u, e.Resource))
		})
	})
}

// printsToCode says whether JavaScript starts what may print anything.
func (c *Context) printsToCode() bool {
	return slices.ContainsFunc(c.cells, func(cell effect.Cell) bool { return strings.Contains(cell.Text, "child_process") }) && slices.ContainsFunc(c.Effects, func(e Effect) bool {
		return e.Kind == effect.Network || e.Kind == effect.Spawn && (e.Op == effect.OpRunFile || e.Op == effect.OpBuild || e.Op == effect.OpRunUnknown)
	})
}
