package gates

import (
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// unvetted returns the unvetted files after the call: a file written anew is
// judged anew, and what is made of an unvetted file is one too.
func (c *Context) unvetted(made []Made) []string {
	out := c.broughtIn(append([]string(nil), c.Flow.Unvetted...))
	for i := range c.written {
		w := &c.written[i]
		if !w.Part && c.surelyWrote(w) {
			out = without(without(without(out, w.Path), project+w.Path), fetches+w.Path)
		}
		put := *w
		put.Text = putIn(w)
		if manifest(w.Path) && takesAddress(put.Text) {
			out = with(out, fetches+w.Path)
		}
		harm := c.harmful(w.Path, put.Text)
		if w.Net || harm || !c.vetted(&put) || c.reachesBuilt(w) || w.Part && (c.spoils(w.Path) || c.inline != nil && c.inline.uncovers(c, w.Path, w.Old, w.Text)) {
			out = tainted(out, w.Path, w.Net || harm)
		}
		out = heldFor(out, w.Path, w.Text, harm)
	}
	for i := range c.runs {
		for _, n := range c.runs[i].Effects {
			if e := &c.Effects[n]; c.runs[i].Blind && e.Kind == effect.Write && (e.Zone == effect.ZoneTemp || e.Zone == effect.ZoneWorkspace) && exact(e.Resource) && !c.holdsCwd(e.Resource) {
				out = with(out, e.Resource) // what a compiler put there
			}
		}
	}
	for _, m := range made { // what pieces make together, and what a copy is under its name
		if !m.Known {
			m.Text, m.Known = c.brokenOff(m.Path)
		}
		if !m.Known || slices.Contains(c.Flow.Made, m) || c.spelled(m) {
			continue
		}
		w := &effect.Written{Path: m.Path, Text: m.Text, Known: true}
		if harm := c.harmful(m.Path, m.Text); harm || !c.vetted(w) || c.reachesBuilt(w) {
			out = heldFor(tainted(out, m.Path, harm), m.Path, m.Text, harm && !c.saysDirectory(m.Path))
		}
	}
	if c.inline != nil {
		out = c.inline.brings(c, out)
	}
	return c.unnamed(c.sedded(c.edited(c.transformed(c.pressed(c.remade(c.ofOthers(c.broughtHere(c.downloaded(c.copiedIn(c.packaged(out)))))))))))
}

// surelyWrote says whether a file holds what a call wrote there, where the host can look after it: a write that
// stands in a line may not have run.
func (c *Context) surelyWrote(w *effect.Written) bool {
	if !c.after || c.text == nil || !w.Known || c.Command == "" {
		return true
	}
	text, ok := c.text(w.Path)
	return ok && text == w.Text
}

// putIn is what an edit of a project's manifest in JSON puts into it: the lines of its text that did not
// stand in what it takes out. Each of them says its name and its value; one that only frames the edit
// is nobody's work.
func putIn(w *effect.Written) string {
	base := path.Base(w.Path)
	if !w.Part || w.Old == "" || base != "package.json" && base != "composer.json" {
		return w.Text
	}
	whole := func(line string) string { return trimSuffix(strings.TrimSpace(line), ",") }
	stood := map[string]bool{}
	for line := range strings.Lines(w.Old) {
		stood[whole(line)] = true
	}
	var out strings.Builder
	for line := range strings.Lines(w.Text) {
		if l := whole(line); !stood[l] || !entryOfJSON(l) {
			out.WriteString(line)
		}
	}
	return out.String()
}

// entryOfJSON says whether a line is one name with one text.
func entryOfJSON(line string) bool {
	var entry map[string]string
	return json.Unmarshal([]byte("{"+line+"}"), &entry) == nil && len(entry) == 1
}

// spoils says whether the call's edits make a file that was vetted one that is not: a word
// that is put in says little by itself.
func (c *Context) spoils(file string) bool {
	before, after, ok := c.aroundEdits(file)
	if !ok || before == after || len(after) > maxPlain {
		return false
	}
	return !c.vetted(&effect.Written{Path: file, Text: after, Known: true}) && c.vetted(&effect.Written{Path: file, Text: before, Known: true})
}

// aroundEdits is what a file holds before and after the call's edits.
func (c *Context) aroundEdits(file string) (before, after string, ok bool) {
	text, ok := "", false
	left := false // what is known is what the call left
	if c.text != nil {
		text, ok = c.text(file)
		left = c.after
	}
	if !ok {
		text, ok = c.before(file)
		left = false
	}
	if !ok {
		return "", "", false
	}
	before, after = text, text
	for i := range c.written {
		w := &c.written[i]
		if w.Path != file || !w.Part || !w.Known || w.Old == "" {
			continue
		}
		if !left {
			after = strings.Replace(after, w.Old, w.Text, 1)
		}
	}
	for i := len(c.written) - 1; left && i >= 0; i-- {
		if w := &c.written[i]; w.Path == file && w.Part && w.Known && w.Old != "" && w.Text != "" {
			before = strings.Replace(before, w.Text, w.Old, 1)
		}
	}
	return before, after, true
}

// packaged adds package.json where npm is given scripts or dependencies for it that would
// not be approved (npm-pkg(1)).
func (c *Context) packaged(out []string) []string {
	for i := range c.runs {
		r := &c.runs[i]
		if len(r.Words) < 4 || r.Words[1] != "pkg" || r.Words[2] != "set" || !isAmong(clientFiles[path.Base(r.Words[0])], ".npmrc") {
			continue
		}
		file := path.Join(r.Cwd, "package.json")
		for _, w := range r.Words[3:] {
			key, value, _ := cutAt(w, "=")
			text := `{"scripts":{"` + key[lastByte(key, '.')+1:] + `":` + strconv.Quote(value) + `}}`
			if strings.HasPrefix(key, "-") || mark.Has(w) || c.harmful(file, text) || c.severe(value) {
				out = tainted(out, file, true)
			}
			if takesAddress(value) {
				out = with(out, fetches+file)
			}
		}
	}
	return out
}

// spelled says whether the call spells out all of a file. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) spelled(m Made) bool {
	return slices.ContainsFunc(c.written, func(w effect.Written) bool { return w.Path == m.Path && w.Text == m.Text })
}

// vetted says whether what a file holds would be approved if it ran. A file whose
// name and first line name no language may still be run by a shell, or get
// another name: it is, unless a shell would do with it what is not approved. Most
// such files are no shell's, so one that cannot be read as its code is vetted; one
// too long to be read is not.
func (c *Context) vetted(w *effect.Written) bool {
	lang, build := writtenIn(w)
	if build && c.inWorkspace(w.Path) && slices.ContainsFunc(atMost(literals(w.Text)), func(s string) bool { return c.plainlyAsks(s, path.Dir(w.Path)) }) {
		return false // rake has a function sh
	}
	if msbuild(w.Path) && c.inWorkspace(w.Path) && !c.buildsPlainly(w.Path, w.Text) {
		return false
	}
	if c.attachesOutside(w.Text) || c.startedOddly(w) {
		return false
	}
	if lang == "" && len(w.Text) > maxPlain {
		return false
	}
	if worksAtHome(w.Path, w.Text) {
		return false
	}
	places := c.placesIn(c.Cwd)
	if z, _, _ := places.Where(w.Path); z == effect.ZoneTemp && strings.HasSuffix(w.Path, ".go") {
		places := c.places
		if c.stays {
			places.TextOf = nil
		}
		return places.Computes(c.Cwd, w.Path, w.Text)
	}
	var g Guardrail
	if places.OnDrive() && shell.BatchFile(w.Path) {
		script := Context{Effects: shell.AnalyzeWindows(w.Text, shell.Cmd, &places)}
		if d := g.Decide(&script); d.Disposition != Approved {
			return false
		}
	}
	if lang != "" {
		text := w.Text
		switch {
		case lang == "bats", isAmong(runShells[:], lang):
			places.Script = &effect.Script{Name: w.Path, Shell: lang}
			places.Settled, places.SettledText = c.places.Settled, c.places.SettledText
		case lang == "node" && c.inWorkspace(w.Path):
			text = c.asRunHere(text, w.Path)
		}
		script := Context{Effects: shell.AnalyzeScript(lang, text, &places), exists: c.exists, later: true}
		d := g.Decide(&script)
		if daily(lang) && c.inWorkspace(w.Path) && slices.ContainsFunc(atMost(started(w.Text)), func(s string) bool { return command(s) && c.plainlyAsks(s, path.Dir(w.Path)) }) {
			return false // handed to something that is called like what starts programs
		}
		return d.Disposition == Approved || d.Disposition == ApprovedWithConstraints && c.inWorkspace(w.Path) && c.worksDaily(lang, w.Text, &script, &d)
	}
	script := Context{Effects: shell.AnalyzeCode("sh", w.Text, &places)}
	d := g.Decide(&script)
	if d.Disposition == Rejected {
		return false
	}
	if path.Ext(trimPrefix(path.Base(w.Path), ".")) == "" && shell.Loaded(w.Path) == shell.NotLoaded && slices.ContainsFunc(d.Reasons, func(r Reason) bool { return plainReason(&script, &r) }) {
		return false // a shell's library, or a program without a first line
	}
	if strings.HasSuffix(w.Path, ".ipynb") {
		return c.notebookPlain(w)
	}
	return !c.inWorkspace(w.Path) || c.steersPlainly(w)
}

// writtenIn is the language of a file, empty for none that its name and first line name; build says
// that it is a build file without an ending.
func writtenIn(w *effect.Written) (lang string, build bool) {
	lang = shell.ScriptLanguage(w.Path, w.Text)
	switch {
	case lang != "":
		return lang, false
	case path.Ext(w.Path) == ".bats":
		return "bats", false
	case typedSettings(w.Path):
		return "node", false
	case strings.Contains(w.Text, "<?php"):
		return "php", false // PHP includes files of any name
	case shell.Loaded(w.Path) != shell.Modules && codeOf(w.Path) != "ruby":
		return "", false
	case strings.HasPrefix(strings.ToLower(path.Base(w.Path)), "scons"):
		return "python", true
	}
	return "ruby", true
}

// startedOddly says whether a file's first line starts it by more than an interpreter's name,
// and that command line would not be approved: what stands behind the name may be all of a
// program (execve(2), env(1) -S).
func (c *Context) startedOddly(w *effect.Written) bool {
	line := shell.FirstLine(w.Text)
	if line == "" {
		return false
	}
	script := ShellContext(line+" '"+w.Path+"'", State{Cwd: path.Dir(w.Path), Home: c.Home, Roots: c.Roots, Compiled: c.places.Compiled})
	var g Guardrail
	return g.Decide(&script).Disposition != Approved
}

// attachesOutside says whether a text attaches a database outside the workspace to another
// (sqlite.org, ATTACH DATABASE): whoever runs it may change that.
func (c *Context) attachesOutside(text string) bool {
	const attach = "ATTACH"
	for rest := text; ; {
		i := strings.Index(strings.ToUpper(rest), attach)
		if i < 0 {
			return false
		}
		rest = rest[i+len(attach):]
		name := strings.TrimLeft(rest, " \\")
		if len(name) > len("DATABASE ") && strings.EqualFold(name[:len("DATABASE")], "DATABASE") {
			name = strings.TrimLeft(name[len("DATABASE"):], " \\")
		}
		if name == "" || name[0] != '\'' && name[0] != '"' {
			continue
		}
		if end := closing(name, 1, name[0]); end > 1 {
			if file := c.places.Resolve(c.Cwd, name[1:end]); !c.inWorkspace(file) && !strings.HasPrefix(name[1:end], ":memory:") {
				return true
			}
		}
	}
}

// inWorkspace says whether a file lies in a root of the workspace. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) inWorkspace(file string) bool {
	return slices.ContainsFunc(c.Roots, func(r string) bool { return mark.Under(file, r) })
}

// spellsHarm says whether the call spells out code of a compiled language that would be
// rejected, and runs or builds something: its shell's reader knows nothing of what is
// in there.
func (c *Context) spellsHarm() bool {
	if len(c.written) == 0 || c.Class.Family != call.FamilyShell {
		return false
	}
	runs := slices.ContainsFunc(c.Effects, func(e Effect) bool {
		return e.Kind == effect.Spawn && (e.Op == effect.OpRunFile || e.Op == effect.OpBuild)
	})
	return runs && slices.ContainsFunc(c.written, func(w effect.Written) bool {
		return shell.Loaded(w.Path) == shell.Literals && (w.Net || c.harmful(w.Path, w.Text) || !c.vetted(&w))
	})
}

// maxPlain bounds the files without a language that are read as a shell's code: a
// longer one asks if it is ever run, which documents and data never are.
const maxPlain = 64 << 10

// downloaders are programs that write what they fetch to files: the page of an
// address under its own name, or under the one they are given. What package
// managers and version control fetch is the workspace's own affair.
const downloaders = "aria2c axel curl fetch ftp http https lftp rsync scp sftp tftp wget wget2 xh"

// downloaded adds the files that the call downloads.
func (c *Context) downloaded(out []string) []string {
	for i := range c.Effects {
		e := &c.Effects[i]
		if e.Kind != effect.Network || !mark.Among(downloaders, e.Program) {
			continue
		}
		dirs := []string{c.Cwd}
		for j := range c.Effects {
			w := &c.Effects[j]
			if w.Kind == effect.Write && passesOn(w.Program) && w.Zone != effect.ZoneStream && !c.holdsCwd(w.Resource) && !c.follows(w.Resource) {
				out = tainted(out, w.Resource, true) // it may be given what was fetched
			}
			if w.Kind == effect.Write && w.Program == e.Program {
				dirs = append(dirs, w.Resource)
				if !c.holdsCwd(w.Resource) {
					out = tainted(out, w.Resource, true)
				}
			}
		}
		name := pageName(e.Resource)
		if e.Program == "curl" && c.printsOnly(i) {
			name = ""
		}
		for _, dir := range dirs {
			if name != "" && strings.HasPrefix(dir, "/") {
				out = tainted(out, path.Join(dir, name), true)
			}
		}
	}
	return out
}

// passesOn says whether a program keeps what it is given as it is, or as it was before
// somebody packed it.
func passesOn(program string) bool {
	switch program {
	case "tee", "sponge", "dd", "split", "csplit":
		return true
	}
	return false
}

// printsOnly says whether the curl of an effect has no option by which it keeps a file under
// the address's own name (-O, -J and -K of curl(1), whose long forms may be cut short).
func (c *Context) printsOnly(i int) bool {
	run := c.runOf(i)
	return run != nil && !slices.ContainsFunc(run.Words, func(w string) bool {
		short := len(w) > 1 && w[0] == '-' && w[1] != '-'
		return mark.Has(w) || strings.HasPrefix(w, "--rem") || strings.HasPrefix(w, "--conf") || short && strings.ContainsAny(w, "OJK")
	})
}

// holdsCwd says whether a directory is the working directory or above it: what
// lies there was not all downloaded. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) holdsCwd(dir string) bool {
	return mark.Under(c.Cwd, dir)
}

// pageName is the name under which a downloader keeps what an address names
// (wget(1), -O of curl(1)), or nothing.
func pageName(address string) string {
	_, rest, ok := cutAt(address, "://")
	if !ok {
		return ""
	}
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i]
	}
	slash := lastByte(rest, '/')
	if slash < 0 || slash == len(rest)-1 {
		return "index.html"
	}
	if name := rest[slash+1:]; name != ".." && !mark.Has(name) {
		return name
	}
	return ""
}

// with adds a file to a list, at its end. Not inlined, for the size of programs.
//
//go:noinline
func with(list []string, s string) []string {
	return append(without(list, s), s)
}
