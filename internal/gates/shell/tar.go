package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// tarFlags are tar's short options that take a value (GNU tar manual, 3.4).
const tarFlags = "bCfFgHIKLNTVX"

// tar runs tar(1): old-style bundled letters, an archive, members, and options
// that run programs.
func (m *machine) tar(args []string) {
	m.spawn(effect.OpRun, "tar")
	t := tarRun{m: m, from: m.cwd}
	defer func() { m.cwd = t.from }()
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		args = unbundle(args)
	}
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case strings.HasPrefix(a, "--"):
			i += t.long(a[2:], args[i+1:])
		case len(a) > 1 && a[0] == '-':
			i += t.short(a[1:], args[i+1:])
		default:
			t.members, t.dirs = append(t.members, a), append(t.dirs, m.cwd)
		}
	}
	t.finish()
}

// unbundle turns "cf archive dir" into "-c -f archive dir": values follow in
// the order of their letters.
func unbundle(args []string) []string {
	var out []string
	rest := args[1:]
	for _, c := range []byte(args[0]) {
		out = append(out, "-"+string(rune(c)))
		if firstByte(tarFlags, c) >= 0 && len(rest) > 0 {
			out, rest = append(out, rest[0]), rest[1:]
		}
	}
	return append(out, rest...)
}

type tarRun struct {
	m        *machine
	mode     byte
	archive  string
	from     string // where the call began: options change the directory
	members  []string
	dirs     []string // where each of them is looked for, which -C changes on the way
	out      bool     // extracted files go to standard output
	absolute bool     // archived names may be absolute
	remove   bool
	renames  bool // by a rule, so that members come to stand under other names
}

func (t *tarRun) short(flags string, next []string) int {
	for i := 0; i < len(flags); i++ {
		c := flags[i]
		if firstByte(tarFlags, c) < 0 {
			t.flag(c)
			continue
		}
		value, used := flags[i+1:], 0
		if value == "" && len(next) > 0 {
			value, used = next[0], 1
		}
		t.value(c, value)
		return used
	}
	return 0
}

func (t *tarRun) flag(c byte) {
	switch c {
	case 'c', 'x', 't', 'r', 'u', 'A', 'd':
		t.mode = c
	case 'O':
		t.out = true
	case 'P':
		t.absolute = true
	case 's': // of bsdtar: a rule that renames members
		t.renames = true
	default:
		if c <= mark.Inside {
			t.m.opaque(effect.OpComputed, "computed option of tar")
		}
	}
}

func (t *tarRun) value(c byte, v string) {
	switch c {
	case 'f':
		t.archive = v
	case 'C':
		t.m.cwd = t.m.p.Resolve(t.m.cwd, v)
		t.m.moved()
	case 'I', 'F':
		t.runs("-"+string(rune(c)), v)
	case 'X': // leaves members out
		t.m.read(v)
	case 'T':
		t.m.read(v)
		t.m.opaque(effect.OpComputed, "tar members named in a file")
	}
}

func (t *tarRun) runs(name, line string) {
	switch line {
	case "gzip", "bzip2", "xz", "zstd", "pigz", "pbzip2", "lz4", "lzma", "pixz", "lbzip2":
		return
	}
	t.m.escape("tar " + name + " " + line)
	t.m.source(line, unknown)
}

// long does what a long option says, under any prefix that getopt accepts, and tells how many
// of the words behind it were its value.
func (t *tarRun) long(body string, next []string) int {
	name, value, has := cutAt(body, "=")
	full, takes := tarOption(name)
	if full == "xform" {
		full = "transform"
	}
	used := 0
	if takes && !has && len(next) > 0 {
		value, used = next[0], 1
	}
	switch full {
	case "create":
		t.mode = 'c'
	case "extract":
		t.mode = 'x'
	case "list":
		t.mode = 't'
	case "append", "update", "delete":
		t.mode = 'r'
	case "file":
		t.archive = value
	case "directory":
		t.value('C', value)
	case "to-stdout":
		t.out = true
	case "absolute-names":
		t.absolute = true
	case "remove-files":
		t.remove = true
	case "one-top-level":
		t.value('C', value)
	case "transform":
		t.renames = true
	case "files-from":
		t.value('T', value)
	case "exclude-from":
		t.value('X', value)
	case "use-compress-program", "to-command", "checkpoint-action", "info-script", "new-volume-script", "rmt-command", "rsh-command", "index-file":
		t.runs("--"+full, value)
		if full == "checkpoint-action" || full == "rmt-command" || full == "rsh-command" {
			if line, ok := cutPrefix(value, "exec="); ok {
				t.m.source(line, unknown)
			}
		}
	}
	return used
}

var tarOptions = [...]struct {
	name  string
	takes bool
}{
	{"absolute-names", false}, {"append", false}, {"checkpoint", false}, {"checkpoint-action", true}, {"create", false}, {"delete", false}, {"directory", true}, {"exclude", true}, {"exclude-from", true},
	{"extract", false},
	{"file", true}, {"files-from", true}, {"get", false}, {"index-file", true}, {"info-script", true}, {"list", false}, {"new-volume-script", true},
	{"one-top-level", false}, {"remove-files", false}, {"rmt-command", true}, {"rsh-command", true}, {"to-command", true}, {"to-stdout", false}, {"transform", true},
	{"update", false}, {"use-compress-program", true}, {"xform", true},
}

func tarOption(name string) (string, bool) {
	if name == "get" {
		return "extract", false
	}
	for _, o := range tarOptions {
		if o.name == name {
			return o.name, o.takes
		}
	}
	for _, o := range tarOptions {
		if len(name) > 2 && strings.HasPrefix(o.name, name) {
			return o.name, o.takes
		}
	}
	return name, false
}

func (t *tarRun) finish() {
	m := t.m
	remote := strings.Contains(t.archive, ":") && !strings.HasPrefix(t.archive, "/") && !strings.HasPrefix(t.archive, "./")
	if remote {
		m.url(effect.OpConnect, t.archive, "ssh")
	}
	if t.archive != "" && t.archive != "-" && !remote {
		t.archive = m.p.Resolve(t.from, t.archive) // -C does not move the archive
	}
	switch t.mode {
	case 'c', 'r', 'u', 'A':
		if t.archive != "" && !remote {
			m.write(t.archive, effect.OpCreate)
		}
		for i, f := range t.members {
			m.cwd = t.dirs[i]
			m.read(f)
			if t.remove {
				m.remove(f, effect.OpRemoveTree)
			}
		}
	case 'x':
		t.unpacksOver()
		if t.archive != "" && !remote {
			m.read(t.archive)
			if f, ok := m.written(m.p.Resolve(m.cwd, t.archive)); ok && f.net {
				m.opaque(effect.OpComputed, "unpacking what this line downloaded")
			}
		}
		if t.out {
			m.prints(t.members)
		}
		switch {
		case t.absolute || t.renames:
			m.write(unknown.text, effect.OpCreate)
		case !t.out:
			m.write("./"+unpacked, effect.OpCreate)
			m.extractsOf(t.archive, "", t.members)
		}
	default:
		if t.archive != "" && !remote {
			m.read(t.archive)
		}
	}
}
