package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about code of the project that nobody changed and that runs, deletes or fetches what another
// file says which the session wrote: a constant in settings, a value of data. The code is the project's own
// affair; what it is given to do is the session's.

// What code does with texts that it is given (the languages' manuals).
var (
	startsGiven  = pattern{text: `\b(?:os\.system|popen|subprocess|child_process|execSync|spawnSync|eval|exec|system|Process)\b|(?m:^\s*"?\$\{?\w)|\bsh -c\b`}
	deletesGiven = pattern{text: `\brm\s+-\w*[rRf]|\brmtree\b|\brmSync\b|\brmdir\b|\bunlink\w*\b|\brm_rf?\b|\bos\.remove\b|\brimraf\b`}
	fetchesGiven = pattern{text: `\b(?:curl|wget)\b[^\n]*\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b|\b(?:sh|bash|eval|source|\.)\b[^\n]*(?:\$\(|<\()\s*(?:curl|wget)\b|\bexec\(|\beval\(`}
)

// givenTo objects to a run of a file of the project that does with the session's constants what would not be
// approved.
func (f *follower) givenTo(r *effect.Run, e *Effect) {
	if e.Op != effect.OpRunFile || f.hit != "" || f.c.text == nil || f.wrote(e.Resource) || !f.c.inWorkspace(e.Resource) {
		return
	}
	text, ok := f.c.text(e.Resource)
	if !ok || len(text) > maxPlain {
		return
	}
	starts, deletes, fetches := startsGiven.compiled().MatchString(text), deletesGiven.compiled().MatchString(text), fetchesGiven.compiled().MatchString(text)
	if !starts && !deletes && !fetches {
		return
	}
	for _, file := range f.sessionFiles() {
		base := path.Base(file)
		if stem := trimSuffix(base, path.Ext(base)); file == e.Resource || !strings.Contains(text, base) && (codeOf(file) == "" || !namesWord(text, stem)) {
			continue
		}
		if _, known := f.text(file); fetches && !known {
			f.hit = file
			return
		}
		for _, v := range f.saidIn(file) {
			switch {
			case deletes && f.c.othersPlace(v, r.Cwd),
				fetches && strings.Contains(v, "://") && !localAddress(v),
				starts && command(v) && f.c.plainlyAsks(v, r.Cwd):
				f.hit = file
				return
			}
		}
	}
}

// sessionFiles are the files of the workspace that the session or the call wrote.
func (f *follower) sessionFiles() []string {
	var out []string
	for i := range f.c.Flow.Made {
		out = append(out, f.c.Flow.Made[i].Path)
	}
	for i := range f.c.Effects {
		if e := &f.c.Effects[i]; e.Kind == effect.Write && exact(e.Resource) && e.Zone == effect.ZoneWorkspace {
			out = append(out, e.Resource)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// maxGiven bounds the texts of one file that are judged.
const maxGiven = 64

// saidIn are the values in a file, or where the call changes it in a way that nobody can tell, those that
// stand in the call.
func (f *follower) saidIn(file string) []string {
	text, known := f.text(file)
	if !known {
		text = strings.NewReplacer(`\/`, "/", ",", "\n", "|", "\n", "#", "\n").Replace(f.c.Command)
		for _, q := range inQuotes(f.c.Command) {
			text += "\n" + strings.ReplaceAll(inserted(strings.ReplaceAll(q, `\/`, "\x00")), "\x00", "/")
		}
	}
	if len(text) > maxPlain {
		return nil
	}
	out := texts(text)
	for line := range strings.Lines(values(text)) {
		line = unquoted(strings.TrimSpace(line))
		out = append(out, line)
		if _, value, ok := cutAt(line, ":"); ok {
			out = append(out, unquoted(strings.Trim(value, " ,")))
		}
		if _, value, ok := cutAt(line, "="); ok {
			out = append(out, unquoted(strings.Trim(value, " ,;")))
		}
	}
	return out[:min(len(out), maxGiven)]
}

// othersPlace says whether a value is a place outside of the workspace that is neither temporary nor a device.
func (c *Context) othersPlace(value, dir string) bool {
	value = strings.NewReplacer("${HOME}", "~", "$HOME", "~").Replace(value)
	if len(value) > maxFileName || strings.ContainsAny(value, " \t\n*?") || mark.Has(value) || !strings.HasPrefix(value, "/") && !strings.HasPrefix(value, "~") && !strings.HasPrefix(value, "..") || strings.HasPrefix(value, "//") {
		return false
	}
	full := c.places.Resolve(dir, value)
	zone, _, _ := c.places.Where(full)
	return !c.inWorkspace(full) && (zone == effect.ZoneHome || zone == effect.ZoneOutside || zone == effect.ZoneSystem)
}

// localAddress says whether an address is one of this machine.
func localAddress(address string) bool {
	n, ok := effect.ParseURL(address, "")
	return ok && loopback(n)
}

// namesWord says whether a text has a word by itself.
func namesWord(text, word string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 || word == "" {
			return false
		}
		i += from
		end := i + len(word)
		if (i == 0 || !moduleByte(text[i-1])) && (end == len(text) || !moduleByte(text[end])) {
			return true
		}
		from = end
	}
}

func moduleByte(b byte) bool { return firstByte(moduleBytes, b) >= 0 && b != '.' }

// maxBefore bounds the texts that a file may have held before an edit.
const maxBefore = 24

// uncovers says whether an edit, of which the host sees what it left, may have made code of what was none
// before: where what is put in stands more than once, or nothing is, nobody can tell which text it was.
func (inlineReader) uncovers(c *Context, file, old, put string) bool {
	if !c.after || c.text == nil || old == "" {
		return false
	}
	now, ok := c.text(file)
	if !ok || len(now) > maxPlain || c.vetted(&effect.Written{Path: file, Text: codeAlone(file, now), Known: true}) {
		return false
	}
	before := func(i, n int) bool { return bares(c, file, now[:i]+old+now[i+n:], now) }
	if put != "" {
		for from, n := 0, 0; n < maxBefore; n++ {
			i := strings.Index(now[from:], put)
			if i < 0 {
				return false
			}
			if from += i; before(from, len(put)) {
				return true
			}
			from += len(put)
		}
		return false
	}
	at, n := 0, 0
	for line := range strings.Lines(now) {
		first := at + len(line) - len(strings.TrimLeft(line, " \t"))
		if n++; n > maxBefore || before(at, 0) || first != at && before(first, 0) {
			return n <= maxBefore
		}
		at += len(line)
	}
	return false
}

// bares says whether an edit made code that would not be approved of what was a comment, or a text that nobody
// reads, in code that would be.
func bares(c *Context, file, before, after string) bool {
	was, is := codeAlone(file, before), codeAlone(file, after)
	return was != is && len(is) <= maxPlain && !c.vetted(&effect.Written{Path: file, Text: is, Known: true}) && c.vetted(&effect.Written{Path: file, Text: was, Known: true})
}

// What languages put before a comment that takes a line, and around a text of several lines that stands by itself.
var (
	hashLines  = pattern{text: `(?m)^[ \t]*#[^!\n].*$`}
	slashLines = pattern{text: `(?m)^[ \t]*//.*$|(?s:/\*.*?\*/)`}
	docTexts   = pattern{text: `(?ms)^[ \t]*(?:"""(?:.*?)"""|\'\'\'(?:.*?)\'\'\')[ \t]*$`}
)

// codeAlone is a text without its comments, and in Python without texts that stand alone.
func codeAlone(file, text string) string {
	switch codeOf(file) {
	case "python":
		text = docTexts.compiled().ReplaceAllString(text, "")
		fallthrough
	case "sh", "ruby", "perl", "r", "ex":
		return hashLines.compiled().ReplaceAllString(text, "")
	case "":
		return text
	}
	return slashLines.compiled().ReplaceAllString(text, "")
}

// changes says whether the call changes a file of the workspace in place.
func (inlineReader) changes(c *Context) bool {
	return slices.ContainsFunc(c.Effects, func(e Effect) bool {
		return e.Kind == effect.Write && e.Op == effect.OpModify && e.Zone == effect.ZoneWorkspace && exact(e.Resource)
	})
}

// bares is for what a run of sed changes in a file.
func (i inlineReader) bares(c *Context, r *effect.Run, file, before, after string) bool {
	return bares(c, file, before, after) || slices.ContainsFunc(r.Words[1:], func(w string) bool {
		if len(w) < 4 || w[0] != 's' {
			return false
		}
		parts := strings.Split(w[1:], w[1:2])
		return len(parts) > 3 && i.uncovers(c, file, parts[1], parts[2])
	})
}
