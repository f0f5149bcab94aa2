package shell

import (
	"cmp"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// unpacks records what the unpackers write that their rows leave open: the
// members they name, and below which directory (manuals of unzip, 7-Zip, unrar,
// ar and jar). What an archive holds besides is not known.
func (m *machine) unpacks(name string, args []string) {
	switch name {
	case "unzip":
		m.unzip(args)
	case "unrar", "rar":
		m.unrar(args)
	case "ar":
		if len(args) > 2 && firstByte(strings.TrimLeft(args[0], "-"), 'x') >= 0 {
			m.extracts("", args[2:])
		}
	case "jar":
		m.unjar(args)
	case "7z", "7za", "7zr", "7zz":
		m.unseven(args)
	}
}

// unpacked stands for what an archive holds.
const unpacked = "unpacked"

// brings records the writes of guarded files that the session or the line made and that come to
// stand in a directory, where a host, git or CI loads them: those below from, or with packed those of
// an archive. Below which name a file was packed is not known, so that it may be any end of its path.
func (m *machine) brings(from, dir string, packed bool) {
	to := m.p.Resolve(m.cwd, dir) + "/"
	from = m.p.Resolve(m.cwd, from) + "/"
	bring := func(p string) {
		rel, ok := cutPrefix(p, from)
		for ok = ok || packed; ok && !m.guards(p); _, rel, ok = strings.Cut(rel, "/") {
			if m.guards(to + rel) {
				m.path(effect.Write, effect.OpCreate, to+rel)
				return
			}
			if !packed {
				return
			}
		}
	}
	for i := range m.p.Made {
		bring(m.p.Made[i].Path)
	}
	for _, e := range m.effects {
		if e.Kind == effect.Write && !mark.Has(e.Resource) {
			bring(e.Resource)
		}
	}
}

// extracts records the writes of an archive's members below a directory; of all of
// them, where none is named.
func (m *machine) extracts(dir string, members []string) {
	if dir == "" {
		dir = "."
	}
	dir = strings.TrimRight(dir, "/") + "/"
	if len(members) == 0 {
		m.touchesBelow(dir)
		m.path(effect.Write, effect.OpCreate, dir+unpacked)
	}
	for _, w := range members {
		m.path(effect.Write, effect.OpCreate, dir+globText(w))
		m.touches(dir+globText(w), false)
	}
}

func (m *machine) unzip(args []string) {
	spec := getopt{valued: "dPI"}
	if flagged(args, "pc") {
		if _, words := spec.read(args); len(words) > 0 {
			m.prints(words[1:])
		}
	}
	if flagged(args, "lptvzZc") {
		return // lists, tests or prints
	}
	for i, a := range args {
		if a == "-x" { // what follows is left out, up to -d
			args = append(args[:i:i], after(args[i:], "-d")...)
			break
		}
	}
	opts, words := spec.read(args)
	dir := ""
	for _, o := range opts {
		if o.name == "d" {
			dir = o.value
		}
	}
	if len(words) > 0 {
		m.extractsOf(words[0], dir, words[1:])
	}
}

// extractsOf is extracts for an archive of a name.
func (m *machine) extractsOf(archive, dir string, members []string) {
	if len(members) == 0 && (archive == "" || archive == "-" || m.wroteBelow(archive)) {
		m.brings(archive, cmp.Or(dir, "."), true)
	}
	m.extracts(dir, members)
}

// prints records the reads of an archive's members whose contents are shown.
func (m *machine) prints(members []string) {
	for _, w := range members {
		if pattern := patternText(w); aimsAtSecret(lastElement(pattern)) {
			m.path(effect.Read, effect.OpRead, pattern)
		}
	}
}

// after returns the words from one that starts with prefix on.
func after(words []string, prefix string) []string {
	for i, w := range words {
		if strings.HasPrefix(w, prefix) {
			return words[i:]
		}
	}
	return nil
}

func (m *machine) unseven(args []string) {
	if len(args) == 0 || args[0] != "x" && args[0] != "e" {
		return
	}
	dir := ""
	var words []string
	for _, a := range args[1:] {
		switch {
		case strings.HasPrefix(a, "-o"):
			dir = a[2:]
		case a == "-so":
			return
		case strings.HasPrefix(a, "-"):
		default:
			words = append(words, a)
		}
	}
	if len(words) > 0 {
		m.extractsOf(words[0], dir, words[1:])
	}
}

func (m *machine) unrar(args []string) {
	if len(args) == 0 || args[0] != "x" && args[0] != "e" {
		return
	}
	_, words := (&getopt{}).read(args[1:])
	if len(words) == 0 {
		return
	}
	archive, dir, members := words[0], "", words[1:]
	if n := len(members); n > 0 && (strings.HasSuffix(members[n-1], "/") || mark.Has(members[n-1])) {
		dir, members = members[n-1], members[:n-1]
	}
	m.extractsOf(archive, dir, members)
}

func (m *machine) unjar(args []string) {
	if len(args) == 0 || !flagged(args, "x", "--extract") && !strings.Contains(args[0], "x") {
		return
	}
	spec := getopt{valued: "fCm", longs: "file= dir= extract"}
	if !strings.HasPrefix(args[0], "-") {
		args = args[1:]
	}
	opts, words := spec.read(args)
	dir, archive, file := "", "", false
	for _, o := range opts {
		switch o.name {
		case "C", "dir":
			dir = o.value
		case "f", "file":
			archive, file = o.value, true
		}
	}
	if !file && len(words) > 0 {
		archive, words = words[0], words[1:]
	}
	m.extractsOf(archive, dir, words)
}
