package gates

import (
	"path"
	"slices"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about data that a shell reads as code: `. ./.env` runs every line of it, and
// what it sets there steers the rest of the script. A name without a language says nothing of
// who reads it, so such a file of the session's is judged where a script names it.

// wroteData says whether the session or the call wrote a file that is no code by its name.
func (c *Context) wroteData() bool {
	data := func(file string) bool { return shell.ScriptLanguage(file, "") == "" && c.inWorkspace(file) }
	return slices.ContainsFunc(c.Flow.Made, func(m Made) bool { return data(m.Path) }) ||
		slices.ContainsFunc(c.written, func(w effect.Written) bool { return data(w.Path) })
}

// sources adds what a shell's own command reads as code of files that are none by their name,
// where the session wrote them: one counts where it would not be approved as a script.
func (f *follower) sources(r *effect.Run) {
	if len(r.Words) < 2 || r.Words[0] != "." && r.Words[0] != "source" {
		return
	}
	for _, dir := range [...]string{r.Cwd, f.c.Cwd} {
		file := f.c.places.Resolve(dir, r.Words[1])
		if f.hit == "" && f.wrote(file) && !f.judged[file] && shell.ScriptLanguage(file, "") == "" && !f.plainScript(file) {
			f.hit = file
		}
	}
}

// wrote says whether the session wrote or changed a file, or the call does.
func (f *follower) wrote(file string) bool {
	if slices.ContainsFunc(f.c.Flow.Made, func(m Made) bool { return m.Path == file }) {
		return true
	}
	_, changed, _ := f.c.left(file)
	return changed || slices.ContainsFunc(f.c.written, func(w effect.Written) bool { return w.Path == file })
}

// plainScript says whether all that a file holds would be approved if a shell ran it. What the
// call itself copies there from a file that the session did not write holds that.
func (f *follower) plainScript(file string) bool {
	text, known := f.text(file)
	if from := f.copyOf(file); !known && from != "" {
		if text, known = f.text(from); !known {
			return true // nobody changed it
		}
	}
	if !known {
		return false
	}
	as := path.Join(path.Dir(file), "sourced.sh")
	return f.c.vetted(&effect.Written{Path: as, Text: text, Known: true})
}

// copyOf is the one file of the workspace that the call copies to a file, where the session
// did not write it.
func (f *follower) copyOf(file string) string {
	from := ""
	for i := range f.c.runs {
		r := &f.c.runs[i]
		if path.Base(r.Words[0]) != "cp" {
			continue
		}
		var reads []string
		writes := false
		for _, k := range r.Effects {
			switch e := &f.c.Effects[k]; {
			case e.Kind == effect.Read:
				reads = append(reads, e.Resource)
			case e.Kind == effect.Write && e.Resource == file:
				writes = true
			}
		}
		if !writes {
			continue
		}
		if from != "" || len(reads) != 1 || !exact(reads[0]) || !f.c.inWorkspace(reads[0]) || f.wrote(reads[0]) {
			return ""
		}
		from = reads[0]
	}
	return from
}
