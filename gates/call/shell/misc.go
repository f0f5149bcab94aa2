package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// tarFlags are tar's short options that take a value (GNU tar manual, 3.4).
const tarFlags = "bCfFgHIKLNTVX"

// tar runs tar(1): old-style bundled letters, an archive, members, and options
// that run programs.
func (m *machine) tar(args []string) {
	m.spawn(effect.OpRun, "tar")
	t := tarRun{m: m}
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
			t.members = append(t.members, a)
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
		if strings.IndexByte(tarFlags, c) >= 0 && len(rest) > 0 {
			out, rest = append(out, rest[0]), rest[1:]
		}
	}
	return append(out, rest...)
}

type tarRun struct {
	m        *machine
	mode     byte
	archive  string
	members  []string
	out      bool // extracted files go to standard output
	absolute bool // archived names may be absolute
	remove   bool
}

func (t *tarRun) short(flags string, next []string) int {
	for i := 0; i < len(flags); i++ {
		c := flags[i]
		if strings.IndexByte(tarFlags, c) < 0 {
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
	default:
		if c <= effect.MarkInside {
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
	case 'I', 'F':
		t.runs("-"+string(rune(c)), v)
	case 'T', 'X':
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

// tarLong maps long options, by the shortest prefix getopt accepts, to what
// they do.
func (t *tarRun) long(body string, next []string) int {
	name, value, has := strings.Cut(body, "=")
	full, takes := tarOption(name)
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
	case "append", "update":
		t.mode = 'r'
	case "delete":
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
	case "files-from", "exclude-from":
		t.value('T', value)
	case "use-compress-program", "to-command", "checkpoint-action", "info-script", "new-volume-script", "rmt-command", "rsh-command", "index-file":
		t.runs("--"+full, value)
		if full == "checkpoint-action" || full == "rmt-command" || full == "rsh-command" {
			if line, ok := strings.CutPrefix(value, "exec="); ok {
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
	{"absolute-names", false}, {"append", false}, {"checkpoint-action", true}, {"create", false}, {"delete", false}, {"directory", true}, {"exclude-from", true}, {"extract", false},
	{"file", true}, {"files-from", true}, {"get", false}, {"index-file", true}, {"info-script", true}, {"list", false}, {"new-volume-script", true},
	{"remove-files", false}, {"rmt-command", true}, {"rsh-command", true}, {"to-command", true}, {"to-stdout", false},
	{"update", false}, {"use-compress-program", true},
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
	switch t.mode {
	case 'c', 'r', 'u', 'A':
		if t.archive != "" && !remote {
			m.write(t.archive, effect.OpCreate)
		}
		for _, f := range t.members {
			m.read(f)
			if t.remove {
				m.remove(f, effect.OpRemoveTree)
			}
		}
	case 'x':
		if t.archive != "" && !remote {
			m.read(t.archive)
			if f, ok := m.written(m.p.Resolve(m.cwd, t.archive)); ok && f.net {
				m.opaque(effect.OpComputed, "unpacking what this line downloaded")
			}
		}
		switch {
		case t.absolute:
			m.write(unknown.text, effect.OpCreate)
		case !t.out:
			m.write("./unpacked", effect.OpCreate)
		}
	default:
		if t.archive != "" && !remote {
			m.read(t.archive)
		}
	}
}

// openssl judges openssl(1)'s subcommands: local ones by their -in and -out,
// the ones that connect, and those that load engines.
func (m *machine) openssl(args []string, in data, want bool) data {
	m.spawn(effect.OpRun, "openssl")
	if len(args) == 0 {
		m.spawn(effect.OpInteractive, "openssl")
		return unknown
	}
	switch args[0] {
	case "s_client", "s_server", "ocsp", "s_time", "cmp", "ts":
		m.record(effect.Effect{Kind: effect.Network, Op: effect.OpConnect, Resource: "openssl " + args[0]})
	case "req", "ca", "engine", "list", "version", "ciphers", "rand", "prime", "speed", "help":
	}
	decode, b64 := false, args[0] == "base64"
	for i, a := range args {
		v := ""
		if i+1 < len(args) {
			v = args[i+1]
		}
		switch strings.TrimPrefix(a, "-") {
		case "in", "-in":
			m.opensslInput(args[0], strings.TrimPrefix(v, "file:"))
		case "-inkey", "inkey", "key", "CAfile", "cert", "config", "-config", "kfile", "passin", "extfile", "untrusted":
			m.read(strings.TrimPrefix(v, "file:"))
		case "out", "-out", "keyout", "writerand":
			m.write(v, effect.OpCreate)
		case "engine", "provider", "provider-path", "-engine", "-provider":
			m.escape("openssl " + a)
		case "d":
			decode = true
		case "base64", "a":
			b64 = true
		}
		if effect.HasMark(a) && strings.HasPrefix(a, "-") {
			m.opaque(effect.OpComputed, "computed option of openssl")
		}
	}
	if want && decode && b64 && in.known() {
		if out, ok := decode64(in.text); ok {
			return data{text: cleanBytes(out)}
		}
	}
	return unknown
}

// makeOptions are those of GNU make(1).
var makeOptions = getopt{
	valued: "CfIoWE", attached: "jlO",
	longs: "always-make assume-new= assume-old= check-symlink-times debug? directory= dry-run environment-overrides eval= file= help ignore-errors include-dir= jobs? just-print keep-going load-average? makefile= max-load? new-file= no-builtin-rules no-builtin-variables no-keep-going no-print-directory no-silent old-file= output-sync? print-data-base print-directory question quiet recon shuffle? silent stop touch trace version warn-undefined-variables what-if=",
}

// makeTool runs make(1): targets of a makefile in the workspace. --eval and
// variables that name a shell run their values.
func (m *machine) makeTool(args []string, in data) data {
	cwd := m.cwd
	dry := false
	opts, words := makeOptions.read(args)
	for _, o := range opts {
		switch o.name {
		case "C", "directory":
			m.list(o.value)
			m.cwd = m.p.Resolve(m.cwd, o.value)
		case "f", "file", "makefile":
			m.makefile(o.value, in)
		case "I", "include-dir":
			if z, _, _ := m.p.Where(m.p.Resolve(m.cwd, o.value)); z != effect.ZoneWorkspace {
				m.escape("make includes from " + o.value)
			}
		case "E", "eval":
			m.escape("make --eval")
		case "n", "dry-run", "just-print", "recon":
			dry = true
		case "j", "l", "O":
			if strings.IndexByte(o.value, effect.MarkUnknown) >= 0 {
				m.opaque(effect.OpComputed, "computed option of make")
			}
		case "":
			m.opaque(effect.OpComputed, "computed option of make")
		}
	}
	for _, w := range words {
		switch {
		case strings.IndexByte(w, '=') > 0:
			m.makeVariable(w)
		case outward(w) && !dry:
			m.escape("make " + w)
		}
	}
	m.build()
	m.cwd = cwd
	return unknown
}

func (m *machine) makefile(word string, in data) {
	if word == "-" {
		m.escape("make -f -")
		return
	}
	m.settings(word)
}

// makeVariable judges NAME=VALUE on make's command line: SHELL and the names
// of programs are run, and $(shell ...) in any value is.
func (m *machine) makeVariable(a string) {
	name, value, _ := strings.Cut(a, "=")
	name = strings.TrimRight(name, ":?+!")
	m.environment(name, value) // what runs under make has it, too
	switch {
	case strings.ContainsAny(value, "`$") || effect.HasMark(value) && strings.IndexByte(value, effect.MarkUnknown) >= 0:
		m.escape("make " + a)
	case name == "SHELL" || name == ".SHELLFLAGS" || name == "MAKEFLAGS" || name == "MAKE" || name == "MAKEFILES":
		m.escape("make " + a)
	case strings.ContainsAny(value, ";|&") || namesShell(value) || strings.Contains(value, "-fplugin") || strings.Contains(value, "-wrapper") || strings.Contains(value, "-specs"):
		m.escape("make " + a)
	case installsTo(name) && strings.HasPrefix(value, "/"):
		m.write(value, effect.OpCreate)
	}
}

// installsTo says whether a variable says where a build installs to (GNU Coding
// Standards, "Variables for Installation Directories" and "DESTDIR").
func installsTo(name string) bool {
	switch name {
	case "DESTDIR", "PREFIX", "prefix", "exec_prefix", "bindir", "sbindir", "libdir", "sysconfdir", "datadir", "INSTALL_ROOT", "BINDIR", "LIBDIR":
		return true
	}
	return false
}

// journalOptions are those of journalctl(1) that do more than choose what is
// shown, and cursor, which begins like one of them.
var journalOptions = getopt{
	valued: "iD", attached: "bcgnoptuFMSTU", // values apart are looked at as options too: not all versions have all letters
	longs: "vacuum-files= vacuum-size= vacuum-time= rotate flush relinquish-var smart-relinquish-var setup-keys file= directory= root= image= cursor cursor-file= help no-pager version",
}

// journal runs journalctl(1): it opens a pager unless told not to, and some
// options remove logs.
func (m *machine) journal(args []string, want bool) data {
	if !want && len(args) == 0 {
		m.spawn(effect.OpInteractive, "journalctl")
	}
	for _, a := range args {
		if effect.HasMark(a) {
			m.escape("journalctl " + a)
		}
	}
	opts, _ := journalOptions.read(args)
	for _, o := range opts {
		switch o.name {
		case "vacuum-files", "vacuum-size", "vacuum-time", "rotate", "flush", "relinquish-var", "smart-relinquish-var", "setup-keys":
			m.record(effect.Effect{Kind: effect.Delete, Op: effect.OpWipe, Zone: effect.ZoneSystem, Protected: true, Resource: "system journal"})
		case "i", "file", "D", "directory", "root", "image":
			m.escape("journalctl " + o.word)
		case "cursor-file":
			m.write(o.value, effect.OpCreate)
		}
	}
	m.spawn(effect.OpRun, "journalctl")
	return unknown
}

// opensslInput reads the input of a subcommand of openssl. x509 and crl print
// certificates and lists of them, and never the key that a file may hold too.
func (m *machine) opensslInput(sub, word string) {
	full := m.p.Resolve(m.cwd, word)
	z, _, _ := m.p.Where(full)
	if (sub == "x509" || sub == "crl") && z == effect.ZoneWorkspace && !effect.HasMark(full) {
		m.record(effect.Effect{Kind: effect.Read, Op: effect.OpRead, Zone: z, Resource: show(full)})
		return
	}
	m.read(word)
}
