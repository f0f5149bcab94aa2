package shell

import (
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

var (
	installOptions = getopt{valued: "mogtS", longs: "group= mode= owner= target-directory= suffix= strip-program= directory"}
	patchOptions   = getopt{valued: "BDFVYdgioprxz", longs: "directory= fuzz= ifdef= input= output= prefix= reject-file= strip= suffix= version-control= dry-run reverse"}
)

// installs records where install(1) puts files below a directory, beside its row.
func (m *machine) installs(args []string) {
	opts, words := installOptions.read(args)
	target := ""
	for _, o := range opts {
		switch o.name {
		case "t", "target-directory":
			target = o.value
		case "d", "directory":
			return
		}
	}
	if target == "" && len(words) > 1 {
		target, words = words[len(words)-1], words[:len(words)-1]
	}
	for _, w := range words {
		if target != "" {
			m.into(effect.OpCreate, w, target)
		}
	}
}

// patches records what a patch changes that patch(1) is given and that this line
// holds: the files that its headers name.
func (m *machine) patches(args []string, in data) {
	opts, words := patchOptions.read(args)
	text, dir, strip, reverse, file := in, "", -1, false, len(words) > 1
	for _, o := range opts {
		switch o.name {
		case "i", "input":
			text, file = m.contents(o.value), true
		case "d", "directory":
			dir = o.value
		case "p", "strip":
			strip, _ = strconv.Atoi(o.value)
		case "R", "reverse":
			reverse = true
		case "dry-run":
			return
		}
	}
	if !file {
		m.fetchedPatch(text)
	}
	if reverse && !file && !text.tty && !text.known() { // of git diff: what no commit holds
		m.gitThrowsAway(".")
	}
	if len(words) > 1 {
		text = m.contents(words[1])
	}
	if dir != "" {
		m.touches(dir, false)
		if z, _, _ := m.p.Where(m.p.Resolve(m.cwd, dir)); z != effect.ZoneWorkspace {
			m.write(dir, effect.OpModify)
		}
	}
	m.patched(text, dir, strip, reverse)
}

// gitPatched does the same for git apply and git am, which strip one element.
func (m *machine) gitPatched(args []string, in data) {
	spec := getopt{valued: "pC", longs: "directory= check stat numstat summary exclude= include= whitespace= cached index reverse"}
	opts, words := spec.read(args)
	dir, strip, reverse := "", 1, false
	for _, o := range opts {
		switch o.name {
		case "R", "reverse":
			reverse = true
		case "p":
			strip, _ = strconv.Atoi(o.value)
		case "directory":
			dir = o.value
		case "check", "stat", "numstat", "summary", "cached":
			return
		}
	}
	if z, _, _ := m.p.Where(m.cwd); z != effect.ZoneWorkspace && z != effect.ZoneTemp && z != effect.ZoneCaller {
		m.write(".", effect.OpModify)
	}
	if len(words) == 0 {
		m.fetchedPatch(in)
		if reverse && !in.known() { // of git diff: what no commit holds
			m.gitThrowsAway(".")
		}
		m.patched(in, dir, strip, reverse)
	}
	for _, w := range words {
		text := m.contents(w)
		if z, _, _ := m.p.Where(m.p.Resolve(m.cwd, w)); reverse && !text.known() && z != effect.ZoneWorkspace {
			m.gitThrowsAway(".")
		}
		m.patched(text, dir, strip, reverse)
	}
}

// fetchedPatch judges a patch that is piped from what the line fetched: it brings code
// that others wrote.
func (m *machine) fetchedPatch(in data) {
	if !in.tty && !in.known() && m.networked(0) {
		m.escape("a patch that was fetched")
	}
}

// patched records the writes on the files that a patch's headers name (diff -u,
// and git's renames and copies), and what it adds to them. Without a number of elements
// to strip, patch(1) takes the last one, or the whole path where that exists. A patch that
// an earlier call wrote counts as it was left: it can only make the line ask.
func (m *machine) patched(in data, dir string, strip int, reverse bool) {
	text, target := in.best(), ""
	if in.tty || !text.known {
		return
	}
	adds := "+"
	if reverse {
		adds = "-"
	}
	for line := range strings.Lines(text.text) {
		name, git := patchHeader(strings.TrimRight(line, "\r\n"))
		if added, ok := cutPrefix(line, adds); name == "" && ok && target != "" {
			m.noteAdded(target, added)
		}
		if name == "" || name == "/dev/null" {
			continue
		}
		cut := strip
		if git {
			cut = strip - 1
		}
		target = inDir(dir, stripped(name, cut))
		m.path(effect.Write, effect.OpModify, target)
		if strip < 0 {
			m.touches(inDir(dir, name), false)
		}
	}
}

// noteAdded remembers a line that a patch adds to a file.
func (m *machine) noteAdded(word, line string) {
	full := m.p.Resolve(m.cwd, word)
	if n := len(m.files); n == 0 || m.files[n-1].path != full {
		if n >= maxFiles {
			return
		}
		m.files = append(m.files, file{path: full, text: unknown.text, edited: true})
	}
	f := &m.files[len(m.files)-1]
	f.tail += line
	f.edit = f.tail
}

// patchHeader is the file that a line of a patch names; git says whether it stands
// there without the first element, a/ or b/.
func patchHeader(line string) (name string, git bool) {
	for _, h := range [...]struct {
		prefix string
		git    bool
	}{{"+++ ", false}, {"--- ", false}, {"*** ", false}, {"rename to ", true}, {"rename from ", true}, {"copy to ", true}} {
		if rest, ok := cutPrefix(line, h.prefix); ok {
			name, _, _ = cutAt(rest, "\t")
			return strings.Trim(name, `"`), h.git
		}
	}
	return "", false
}

// stripped is a path without its first n elements; with a negative n its last one.
func stripped(path string, n int) string {
	if n < 0 {
		return lastElement(path)
	}
	for ; n > 0; n-- {
		i := firstByte(path, '/')
		if i < 0 {
			return path
		}
		path = strings.TrimLeft(path[i:], "/")
	}
	return path
}

//go:noinline
func inDir(dir, path string) string {
	if dir == "" {
		return path
	}
	return strings.TrimRight(dir, "/") + "/" + path
}
