package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// language says how an interpreter takes its code.
type language struct {
	name  string
	code  string // short options whose value is code
	takes string // other short options with a value
	loads string // short options that load code from elsewhere
	longs string // long options with code, blank-separated
	quits string // options that only print
}

// languages are the interpreters whose inline code is read, from their manual
// pages; the rest ask for any inline code (see the tables of tools).
var languages = [...]language{
	{"lua", "e", "", "l", "", "-v"},
	{"node", "ep", "C", "r", "eval print", "-v --version -h --help --v8-options"},
	{"perl", "eE", "", "MmI", "", "-v -V --version -h"},
	{"php", "rRBE", "dcz", "", "run process-code process-begin process-end", "-v --version -m --ini -l --modules -h"},
	{"python", "c", "WXQ", "", "", "-V --version -h --help -VV"},
	{"ruby", "e", "ECFT", "rI", "", "-v --version -h --help"},
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

// interpret runs an interpreter on inline code, a script or standard input.
func (m *machine) interpret(lang string, args []string, in data, want bool) data {
	m.prog = lang
	l := languageOf(lang)
	filter, inPlace, coded := false, false, false
	for i := 0; i < len(args); i++ {
		a := args[i]
		next := args[i+1:]
		switch {
		case strings.Contains(" "+l.quits+" ", " "+a+" "):
			m.spawn(effect.OpRun, lang)
			return data{text: string(rune(effect.MarkCaller))}
		case a == "-" || a == "--" && i+1 == len(args):
			return m.interpretStdin(lang, in, want)
		case a == "--":
		case len(a) > 1 && a[0] == '-' && effect.HasMark(a) && strings.IndexByte(a, effect.MarkUnknown) >= 0 && !hasCode(l, a):
			m.opaque(effect.OpComputed, "computed option of "+lang)
		case lang == "python" && (a == "-m" || strings.HasPrefix(a, "-m")):
			return m.pythonModule(a[2:], next, in, want)
		case strings.HasPrefix(a, "--"):
			used, isCode := m.longCode(l, a, next)
			i += used
			coded = coded || isCode
		case len(a) > 1 && a[0] == '-':
			used, isCode := m.shortCode(l, a, next, &filter, &inPlace)
			i += used
			coded = coded || isCode
		case coded:
			m.interpretOperand(a, filter, inPlace)
		default:
			return m.interpretScript(lang, a, args[i+1:], in, want)
		}
		if coded && lang == "python" {
			return unknown
		}
	}
	if !coded {
		return m.interpretStdin(lang, in, want)
	}
	return unknown
}

func hasCode(l *language, a string) bool {
	return len(a) > 2 && a[1] != '-' && strings.IndexByte(l.code, a[1]) >= 0
}

func (m *machine) interpretStdin(lang string, in data, want bool) data {
	if in.tty {
		m.spawn(effect.OpInteractive, lang)
		return unknown
	}
	if !in.known() {
		m.opaque(effect.OpComputed, "computed code for "+lang)
		return unknown
	}
	return m.code(lang, in.text, in, want)
}

// interpretOperand is an argument after inline code: data for a one-liner that
// loops over files, else an argument.
func (m *machine) interpretOperand(a string, filter, inPlace bool) {
	if filter {
		m.read(a)
		if inPlace {
			m.write(a, effect.OpModify)
		}
	}
}

func (m *machine) longCode(l *language, a string, next []string) (int, bool) {
	name, value, has := strings.Cut(a[2:], "=")
	for _, c := range strings.Fields(l.longs) {
		if name != c {
			continue
		}
		used := 0
		if !has && len(next) > 0 {
			value, used = next[0], 1
		}
		m.code(l.name, value, data{tty: true}, false)
		return used, true
	}
	switch {
	case l.name == "node" && (name == "require" || name == "import" || name == "loader" || name == "experimental-loader" || strings.HasPrefix(name, "inspect") || name == "env-file"):
		m.escape("node --" + name + " " + value)
		if !has {
			return 1, false
		}
	case l.name == "node" && name == "test":
		m.build()
		return 0, true
	case l.name == "node" && (name == "check"), l.name == "ruby" && name == "disable-gems", l.name == "python":
	}
	return 0, false
}

func (m *machine) shortCode(l *language, a string, next []string, filter, inPlace *bool) (int, bool) {
	for j := 1; j < len(a); j++ {
		c := a[j]
		value, used := a[j+1:], 0
		takeNext := func() {
			if value == "" && len(next) > 0 {
				value, used = next[0], 1
			}
		}
		switch {
		case strings.IndexByte(l.code, c) >= 0:
			takeNext()
			m.code(l.name, value, data{tty: true}, false)
			return used, true
		case strings.IndexByte(l.loads, c) >= 0:
			if l.name != "perl" {
				takeNext()
			}
			m.loadModule(l.name, c, value)
			return used, false
		case strings.IndexByte(l.takes, c) >= 0:
			if l.name != "perl" && l.name != "ruby" {
				takeNext()
			}
			if l.name == "php" && c == 'd' && !phpSettingSafe(value) {
				m.escape("php -d " + value)
			}
			return used, false
		case l.name == "php" && c == 'i':
			m.environ("phpinfo")
			return used, true
		case l.name == "php" && (c == 'S' || c == 't' || c == 'f' || c == 'F'):
			takeNext()
			if c == 'S' {
				m.record(effect.Effect{Kind: effect.Network, Op: effect.OpListen, Resource: show(value)})
			} else {
				m.script(value)
			}
			return used, true
		case (l.name == "perl" || l.name == "ruby") && (c == 'n' || c == 'p'):
			*filter = true
		case (l.name == "perl" || l.name == "ruby") && c == 'i':
			*inPlace = true
			return 0, false
		case (l.name == "perl") && (c == 'd' || c == 'D' || c == 'x'):
			m.escape(l.name + " -" + string(rune(c)))
			return 0, false
		case l.name == "python" && c == 'i', l.name == "lua" && c == 'i', l.name == "node" && c == 'i', l.name == "php" && c == 'a':
			m.spawn(effect.OpInteractive, l.name)
		case l.name == "perl" && (c == '0' || c == 'l' || c == 'F' || c == 'C'):
			if c != 'l' {
				for j+1 < len(a) && strings.IndexByte("0123456789abcdefxABCDEFX", a[j+1]) >= 0 && c == '0' {
					j++
				}
				if c == 'F' {
					return 0, false
				}
			}
		}
	}
	return 0, false
}

// loadModule judges -M, -r, -l and -I: modules that only compute are let
// through, the rest is judged as an import of the language.
func (m *machine) loadModule(lang string, flag byte, name string) {
	if lang == "perl" {
		name = strings.TrimLeft(name, "-")
		mod, _, _ := strings.Cut(name, "=")
		switch {
		case flag == 'I':
		case strings.ContainsAny(name, " ;({"):
		case searchNames(perlModules[:], mod):
			return
		}
	}
	if lang == "ruby" && (name == "json" || name == "date" || name == "time" || name == "set" || name == "yaml" || name == "csv" || name == "digest") {
		return
	}
	m.escape(lang + " loads " + name)
}

var perlModules = [...]string{"Data::Dumper", "Digest::MD5", "Digest::SHA", "JSON", "JSON::PP", "List::Util", "MIME::Base64", "POSIX", "Scalar::Util", "Text::Wrap", "Time::HiRes", "Time::Local", "Time::Piece", "bigint", "bignum", "strict", "utf8", "warnings"}

// interpretScript runs a script file.
func (m *machine) interpretScript(lang, word string, args []string, in data, want bool) data {
	full := m.p.Resolve(m.cwd, word)
	base := full[strings.LastIndexByte(full, '/')+1:]
	if lang == "php" && base == "artisan" || lang == "python" && base == "manage.py" {
		if len(args) > 0 && (args[0] == "shell" || args[0] == "dbshell" || args[0] == "tinker" || args[0] == "flush") {
			m.escape(base + " " + args[0])
		}
	}
	if full == "/dev/stdin" || full == "/dev/fd/0" || full == "/proc/self/fd/0" {
		return m.interpretStdin(lang, in, want)
	}
	if f, ok := m.ownCode(full, lang); ok {
		if !f.known {
			m.opaque(effect.OpComputed, "a file this line wrote and runs: "+full)
			return unknown
		}
		return m.code(lang, f.text, in, want)
	}
	m.judgeWritten()
	z, _, _ := m.p.Where(full)
	m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: z, Resource: show(full)})
	return unknown
}

// pythonModules maps modules for python -m to tools whose entry applies, or to
// "-" where the module is harmless by itself. Sorted by name.
var pythonModules = [...]struct{ name, tool string }{
	{"ast", "-"}, {"base64", "base64"}, {"bandit", "bandit"}, {"black", "black"}, {"build", "build"}, {"calendar", "-"}, {"compileall", "py_compile"}, {"coverage", "coverage"},
	{"dis", "-"}, {"doctest", "doctest"}, {"flake8", "flake8"}, {"hatch", "hatch"}, {"isort", "isort"}, {"json.tool", "json.tool"}, {"mypy", "mypy"}, {"nose", "nosetests"}, {"nose2", "nose2"},
	{"nox", "nox"}, {"pip", "pip"}, {"platform", "-"}, {"poetry", "poetry"}, {"pre_commit", "pre-commit"}, {"py_compile", "py_compile"}, {"pycodestyle", "pycodestyle"}, {"pyflakes", "pyflakes"}, {"pylint", "pylint"},
	{"pyright", "pyright"}, {"pytest", "pytest"}, {"ruff", "ruff"}, {"site", "-"}, {"sphinx", "sphinx-build"}, {"sysconfig", "-"}, {"tabnanny", "flake8"}, {"tokenize", "flake8"}, {"tox", "tox"},
	{"twine", "twine"}, {"unittest", "pytest"}, {"uv", "uv"}, {"venv", "venv"}, {"virtualenv", "venv"}, {"yapf", "yapf"},
}

// pythonRisky are standard modules that serve, connect, debug or run code when
// started with -m. Sorted.
var pythonRisky = [...]string{
	"asyncio", "cProfile", "code", "codeop", "cgi", "ensurepip", "ftplib", "http.server", "idlelib", "imaplib", "lib2to3", "nntplib", "pdb", "pickle", "pickletools", "poplib",
	"profile", "pty", "pydoc", "runpy", "smtpd", "smtplib", "sqlite3", "tarfile", "telnetlib", "test", "this", "timeit", "trace", "turtledemo", "webbrowser", "wsgiref.simple_server",
	"xmlrpc", "zipapp", "zipfile", "SimpleHTTPServer", "CGIHTTPServer", "IPython", "jupyter", "notebook", "awscli", "httpie",
}

func (m *machine) pythonModule(mod string, next []string, in data, want bool) data {
	if mod == "" && len(next) > 0 {
		mod, next = next[0], next[1:]
	}
	for _, p := range pythonModules {
		if p.name == mod {
			if t := lookupTool(p.tool); t != nil {
				m.prog = p.tool
				return m.tool(t, append([]string{p.tool}, next...), in, want)
			}
			m.spawn(effect.OpRun, "python")
			return unknown
		}
	}
	for _, r := range pythonRisky {
		if r == mod || effect.HasMark(mod) {
			m.escape("python -m " + mod)
			return unknown
		}
	}
	m.judgeWritten()
	z, _, _ := m.p.Where(m.cwd)
	m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: z, Resource: "module " + mod})
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
