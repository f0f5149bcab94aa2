package shell

import (
	"regexp"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// language says how an interpreter takes its code. Options are one letter each.
type language struct {
	name    string
	code    string // options whose value is code
	loads   string // options that load code from elsewhere
	takes   string // other options with a value
	apart   string // of all these, those whose value may be the next word
	prompts string // options that wait for a person
	longs   string // long options with code, blank-separated
	quits   string // options that only print
}

// languages are the interpreters whose inline code is read, from their manual
// pages; the rest ask for any inline code (see the tables of tools).
var languages = [...]language{
	{name: "lua", code: "e", loads: "l", apart: "el", prompts: "i", quits: "-v"},
	{name: "node", code: "ep", loads: "r", takes: "C", apart: "eprC", prompts: "i", longs: "eval print", quits: "-v --version -h --help --v8-options"},
	{name: "perl", code: "eE", loads: "MmI", apart: "eEI", quits: "-v -V --version -h"},
	{name: "php", code: "rRBE", takes: "dcz", apart: "rRBEdczStfF", prompts: "a", longs: "run process-code process-begin process-end", quits: "-v --version -m --ini -l --modules -h"},
	{name: "python", code: "c", takes: "WXQ", apart: "cWXQ", prompts: "i", quits: "-V --version -h --help -VV"},
	{name: "ruby", code: "e", loads: "rI", takes: "ECFT", apart: "erI", quits: "-v --version -h --help"},
}

// interpreter returns the language that a program's name means, versions and
// suffixes cut off: python3.12, perl5.36, luajit.
func interpreter(name string) (string, bool) {
	base := strings.TrimRight(name, "0123456789.-")
	switch base {
	case "python", "perl", "ruby", "node", "php", "lua":
		return base, true
	case "pypy", "ipython", "bpython", "pypy-c", "pythonw", "micropython":
		return "python", true
	case "nodejs":
		return "node", true
	case "luajit", "texlua", "luatexlua":
		return "lua", true
	case "php-cgi", "php-cli":
		return "php", true
	}
	return "", false
}

func languageOf(name string) *language {
	for i := range languages {
		if languages[i].name == name {
			return &languages[i]
		}
	}
	return nil
}

// inline is a run of an interpreter while its options are read.
type inline struct {
	m       *machine
	l       *language
	coded   bool // an option gave the code
	filter  bool // the code runs for each line of the files named
	inPlace bool // and what it prints replaces them
	tests   bool // operands are files of tests, or patterns of them
}

// interpret runs an interpreter on inline code, a script or standard input.
func (m *machine) interpret(lang string, args []string, in data, want bool) data {
	if strings.HasPrefix(m.prog, "ipython") {
		m.ipython(args, in)
		m.ipythonOptions(args)
	}
	m.prog, m.loads = lang, ownLoads{}
	if lang == "perl" && perlVersion(args) {
		m.build() // it loads the module
		return data{text: string(rune(mark.Caller))}
	}
	if files, ok := parsedOnly(lang, args); ok {
		m.spawn(effect.OpRun, lang)
		for _, f := range files {
			m.read(f)
		}
		return unknown
	}
	r := inline{m: m, l: languageOf(lang)}
	for i := 0; i < len(args); i++ {
		a := args[i]
		next := args[i+1:]
		switch {
		case strings.Contains(" "+r.l.quits+" ", " "+a+" "), lang == "perl" && strings.HasPrefix(a, "-V:") && !mark.Has(a): // perlrun(1), -V:configvar
			m.spawn(effect.OpRun, lang)
			return data{text: string(rune(mark.Caller))}
		case a == "-" || a == "--" && i+1 == len(args):
			return m.interpretStdin(lang, in, want)
		case a == "--":
		case len(a) > 1 && a[0] == '-' && mark.Has(a) && firstByte(a, mark.Unknown) >= 0 && !hasCode(r.l, a):
			m.opaque(effect.OpComputed, "computed option of "+lang)
		case lang == "python" && (a == "-m" || strings.HasPrefix(a, "-m")):
			return m.pythonModule(a[2:], next, in, want)
		case strings.HasPrefix(a, "--"):
			i += r.long(a, next)
		case len(a) > 1 && a[0] == '-':
			i += r.short(a, next)
		case r.coded:
			r.operand(a)
		default:
			return m.interpretScript(lang, a, next, in, want)
		}
		if r.coded && lang == "python" {
			return unknown
		}
	}
	if !r.coded {
		return m.interpretStdin(lang, in, want)
	}
	return unknown
}

// parsedOnly are the files of a line that only checks their syntax, or that of its input, and ends without
// running it (ruby(1), -c; node --help, --check: what stands behind the first file are arguments). perl -c is
// none: it runs BEGIN blocks and what the file uses. What else such a line is told, it is read as ever.
//
//go:noinline
func parsedOnly(lang string, args []string) (files []string, ok bool) {
	for len(args) > 0 && mark.Among("--check --no-warnings -c -cw -w -wc", args[0]) {
		ok = ok || firstByte(args[0], 'c') > 0
		args = args[1:]
	}
	node := lang == "node"
	if node && len(args) > 1 {
		args = args[:1]
	}
	for _, f := range args {
		if f == "" || f[0] == '-' || mark.Has(f[:1]) {
			return nil, false
		}
	}
	return args, ok && (node || lang == "ruby")
}

func hasCode(l *language, a string) bool {
	return len(a) > 2 && a[1] != '-' && firstByte(l.code, a[1]) >= 0
}

func (m *machine) interpretStdin(lang string, in data, want bool) data {
	if in.tty {
		m.spawn(effect.OpInteractive, lang)
		return unknown
	}
	if !in.known() {
		m.handed(lang, unknown.text)
		m.opaque(effect.OpComputed, "computed code for "+lang)
		return unknown
	}
	return m.code(lang, in.text, in, want)
}

// operand is an argument after inline code: data for a one-liner that loops over
// files, else an argument.
func (r *inline) operand(a string) {
	if r.tests {
		r.testFiles(a)
		return
	}
	if w := strings.TrimSpace(a); r.l.name == "perl" && w != "" && (firstByte("|<>+", w[0]) >= 0 || w[len(w)-1] == '|') {
		r.m.escape("perl opens " + a) // perlop, "I/O operators": <> runs and writes what its arguments say
	}
	if r.filter || r.l.name == "perl" || r.l.name == "ruby" { // <>, ARGF and gets read them without -n, too
		r.m.read(a)
		if r.inPlace {
			r.m.write(a, effect.OpModify)
		}
	}
}

// long reads a long option and returns how many of the words after it are its
// own.
func (r *inline) long(a string, next []string) int {
	m := r.m
	name, value, has := cutAt(a[2:], "=")
	switch {
	case isAmong(strings.Fields(r.l.longs), name):
		used := 0
		if !has && len(next) > 0 {
			value, used = next[0], 1
		}
		m.code(r.l.name, value, data{tty: true}, false)
		r.coded = true
		return used
	case r.l.name == "node":
		return r.nodeOption(name, value, has, next)
	case r.l.name == "php":
		return r.phpOption(name, value, has, next)
	}
	return 0
}

// short reads a word of short options, -ne for example, up to the one that takes
// a value. It returns how many of the words after it are that value.
func (r *inline) short(a string, next []string) int {
	if r.l.name == "node" && a == "-pe" {
		a = "-p" // the one pair that Node takes, for --print --eval
	}
	for j := 1; j < len(a); j++ {
		c, value, used := a[j], a[j+1:], 0
		if value == "" && len(next) > 0 && firstByte(r.l.apart, c) >= 0 {
			value, used = next[0], 1
		}
		switch {
		case r.valued(c, value):
			return used
		case r.l.name == "ruby" && c == 'W' && (value == "" || rubyWarns.MatchString(value)): // the rest of the word says which warnings
			return 0
		case r.l.name == "perl" && c == '0': // the rest of the word is a number first
			j += len(value) - len(strings.TrimLeft(value, "0123456789abcdefxABCDEFX"))
		case r.flag(c):
			return 0
		}
	}
	return 0
}

// rubyWarns is a level or a kind of warnings of ruby -W (ruby(1)).
var rubyWarns = regexp.MustCompile(`^(?:[0-2]|:(?:no-)?[a-z_]+)$`)

// valued reads an option that takes a value; ok is false for all others.
func (r *inline) valued(c byte, value string) (ok bool) {
	m, l := r.m, r.l
	switch {
	case firstByte(l.code, c) >= 0:
		m.code(l.name, value, data{tty: true}, false)
		r.coded = true
	case l.name == "node" && c == 'r':
		m.nodeLoad(value)
	case firstByte(l.loads, c) >= 0:
		m.loadModule(l.name, c, value)
	case firstByte(l.takes, c) >= 0:
		if l.name == "php" {
			m.phpSetting(c, value)
		}
		if _, place, ok := cutAt(value, "="); l.name == "python" && c == 'X' && ok && reachesOut(place) {
			m.write(place, effect.OpCreate) // pycache_prefix (python3 -X help)
		}
	case l.name == "php":
		return r.php(c, value)
	default:
		return false
	}
	return true
}

// phpOption reads the long names of options with a value (php(1)).
func (r *inline) phpOption(name, value string, has bool, next []string) (used int) {
	short, ok := map[string]byte{"define": 'd', "php-ini": 'c', "zend-extension": 'z'}[name]
	if !ok {
		return 0
	}
	if !has && len(next) > 0 {
		value, used = next[0], 1
	}
	r.m.phpSetting(short, value)
	return used
}

// phpSetting judges a setting, a file of them and an extension that is loaded.
func (m *machine) phpSetting(option byte, value string) {
	switch {
	case option == 'c':
		m.settings(value)
	case option == 'z', !phpSettingSafe(value):
		m.escape("php -" + string(rune(option)) + " " + value)
	}
}

// php reads the options that tell php what to do instead of running code.
func (r *inline) php(c byte, value string) (ok bool) {
	switch c {
	case 'i':
		r.m.environ("phpinfo")
	case 'S':
		if onlyHere(value) {
			r.m.spawn(effect.OpBuild, "php")
			break
		}
		r.m.record(effect.Effect{Kind: effect.Network, Op: effect.OpListen, Resource: show(value)})
	case 't', 'f', 'F':
		r.m.script(value)
	default:
		return false
	}
	r.coded = true
	return true
}

// flag reads an option without a value. last is true if nothing after it in its
// word is an option.
func (r *inline) flag(c byte) (last bool) {
	switch l := r.l; l.name {
	case "perl", "ruby":
		switch c {
		case 'n', 'p':
			r.filter = true
		case 'i':
			r.inPlace = true
			return true
		case 'd', 'D', 'x':
			if l.name == "perl" {
				r.m.escape("perl -" + string(rune(c)))
				return true
			}
		case 'F':
			return l.name == "perl"
		}
	default:
		if firstByte(l.prompts, c) >= 0 {
			r.m.spawn(effect.OpInteractive, l.name)
		}
	}
	return false
}

// loadModule judges -M, -r, -l and -I: modules that only compute are let
// through, the rest is judged as an import of the language.
func (m *machine) loadModule(lang string, flag byte, name string) {
	if flag == 'I' { // directories of modules
		for dir := range strings.SplitSeq(name, ":") {
			m.script(dir)
			m.loads.dirs = append(m.loads.dirs, m.p.Resolve(m.cwd, dir))
		}
		return
	}
	if lang == "perl" {
		name = strings.TrimLeft(name, "-")
		mod, _, _ := cutAt(name, "=")
		switch {
		case strings.ContainsAny(name, " ;({"):
		case mark.Among(perlModules, mod):
			return
		}
	}
	if lang == "ruby" && hasWord(rubyLibraries, name) || m.loadsOwn(lang, name) {
		return
	}
	m.escape(lang + " loads " + name)
}

const perlModules = "Data::Dumper Digest::MD5 Digest::SHA JSON JSON::PP List::Util MIME::Base64 POSIX Scalar::Util Text::Wrap Time::HiRes Time::Local Time::Piece bigint bignum strict utf8 warnings"

// interpretScript runs a script file.
func (m *machine) interpretScript(lang, word string, args []string, in data, want bool) data {
	full := m.p.Resolve(m.cwd, word)
	if firstInput(full) {
		return m.interpretStdin(lang, in, want)
	}
	if lang == "node" && elsewhere(word) {
		m.escape(lang + " " + word) // a module of an address, --experimental-network-imports
		return unknown
	}
	if m.inputFile(full) {
		m.runsInput()
		return unknown
	}
	if f, ok := m.ownCode(full, lang); ok {
		if !f.known {
			m.handed(lang, unknown.text)
			m.opaque(effect.OpComputed, "a file this line wrote and runs: "+full)
			return unknown
		}
		return m.code(lang, f.text, in, want)
	}
	if t := m.installedTool(full); t != nil {
		return m.runInstalled(t, full, lang, args, in, want)
	}
	if z, _, _ := m.p.Where(full); z == effect.ZoneWorkspace && dependency(full) {
		m.dependencyRun(packageOf(full), args, m.settled(full) && m.settledTree(full))
		return unknown
	}
	m.console(full, args)
	m.givenArgs(args)
	m.ranDocument(full, lang)
	m.judgeWritten(true)
	m.otherName(full, lang)
	z, secret, _ := m.p.Where(full)
	if secret {
		m.read(word) // its errors quote it
	}
	m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: z, Resource: show(full)})
	return unknown
}

// phpSettings are prefixes of PHP's settings that load and run nothing (PHP
// manual, list of php.ini directives).
var phpSettings = [...]string{
	"assert.", "date.timezone", "display_errors", "display_startup_errors", "error_reporting", "html_errors", "log_errors=", "max_execution_time", "memory_limit",
	"opcache.enable", "opcache.jit", "pcov.", "phar.readonly", "precision", "serialize_precision", "short_open_tag", "variables_order", "xdebug.mode=coverage", "xdebug.mode=off", "zend.assertions",
}

func phpSettingSafe(setting string) bool {
	for _, s := range phpSettings {
		if strings.HasPrefix(setting, s) {
			return true
		}
	}
	return false
}
