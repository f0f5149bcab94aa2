package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file judges python -m: a module of the language's own library by the list of
// those that have a command line (docs.python.org/3.13/library/cmdline.html), a tool
// by its row, and any other as code of the directory that the line works in.

// pythonModules maps modules for python -m to tools whose row applies, or to "-"
// for modules of the library that print what they are told, or what is in the files
// that they are given. Sorted by name.
var pythonModules = [...]struct{ name, tool string }{
	{"ast", "-"}, {"base64", "base64"}, {"bandit", "bandit"}, {"black", "black"}, {"build", "build"}, {"cProfile", "cProfile"}, {"calendar", "-"}, {"compileall", "compileall"}, {"coverage", "coverage"},
	{"dis", "-"}, {"doctest", "doctest"}, {"encodings.rot_13", "-"}, {"filecmp", "-"}, {"flake8", "flake8"}, {"hatch", "hatch"}, {"isort", "isort"}, {"json", "json.tool"},
	{"json.tool", "json.tool"}, {"mimetypes", "-"}, {"mypy", "mypy"}, {"nose", "nosetests"}, {"nose2", "nose2"}, {"nox", "nox"}, {"pip", "pip"}, {"platform", "-"}, {"poetry", "poetry"},
	{"pre_commit", "pre-commit"}, {"py_compile", "py_compile"}, {"pyclbr", "-"}, {"pycodestyle", "pycodestyle"}, {"pyflakes", "pyflakes"}, {"pylint", "pylint"},
	{"pyright", "pyright"}, {"pytest", "pytest"}, {"quopri", "-"}, {"random", "-"}, {"ruff", "ruff"}, {"site", "-"}, {"sphinx", "sphinx-build"}, {"symtable", "-"}, {"sysconfig", "-"},
	{"tabnanny", "flake8"}, {"this", "-"}, {"tokenize", "flake8"}, {"tox", "tox"},
	{"twine", "twine"}, {"uuid", "-"}, {"uv", "uv"}, {"venv", "venv"}, {"virtualenv", "venv"}, {"yapf", "yapf"},
}

// pythonRisky are modules of others that serve, connect or run code when started
// with -m. Sorted.
var pythonRisky = []string{"CGIHTTPServer", "IPython", "SimpleHTTPServer", "awscli", "httpie", "jupyter", "keyring", "notebook"}

// pythonLibrary are the modules of Python's library (sys.stdlib_module_names of
// 3.11, without the private ones). Sorted.
const pythonLibrary = " " +
	"abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect " +
	"builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall " +
	"concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm " +
	"decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput " +
	"fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq " +
	"hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 " +
	"linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt " +
	"multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev pathlib " +
	"pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd " +
	"py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy " +
	"sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd " +
	"sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau " +
	"symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit " +
	"tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata " +
	"unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp " +
	"zipfile zipimport zlib zoneinfo "

// pythonModule runs python -m: mod is what is attached to the option.
func (m *machine) pythonModule(mod string, next []string, in data, want bool) data {
	if mod == "" && len(next) > 0 {
		mod, next = next[0], next[1:]
	}
	top, _, _ := cutAt(mod, ".")
	m.shadowed(top)
	for _, p := range pythonModules {
		if p.name == mod {
			return m.pythonTool(p.tool, next, in, want)
		}
	}
	switch mod {
	case "timeit":
		return m.timeit(next, in, want)
	case "zipfile", "tarfile":
		if m.listsArchive(next) {
			return unknown
		}
	case "trace":
		return m.traced(next, in, want)
	case "unittest":
		return m.unittest(next)
	case "cProfile", "profile":
		return m.profiled(mod, next, in, want)
	case "http.server":
		if m.servesHere(next) {
			return unknown
		}
	}
	if searchNames(pythonRisky, mod) || mark.Has(mod) || strings.Contains(pythonLibrary, " "+top+" ") {
		m.escape("python -m " + mod)
		return unknown
	}
	if t := lookupTool(strings.ReplaceAll(mod, "_", "-")); t != nil {
		return m.pythonTool(t.name, next, in, want)
	}
	for _, a := range next {
		if strings.Contains(a, "://") {
			m.url(effect.OpSend, a[firstByte(a, '=')+1:], "")
		}
	}
	m.givenArgs(next)
	if pythonTools(top) {
		m.escape("python -m " + mod) // a part of a tool that its manual doesn't show
		return unknown
	}
	m.judgeWritten(false)
	z, _, _ := m.p.Where(m.cwd)
	m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: z, Resource: "module " + mod})
	return unknown
}

// shadowed records that an earlier call wrote what python -m finds before a module of
// the library or of a tool: the directory that the line works in comes first
// (docs.python.org/3/library/sys.html, sys.path). A path file of the environment is
// run by every start of Python (library/site.html).
func (m *machine) shadowed(top string) {
	for i := range m.p.Made {
		full := m.p.Made[i].Path
		if strings.HasSuffix(full, ".pth") || full == m.p.Resolve(m.cwd, top+".py") || strings.HasPrefix(full, m.p.Resolve(m.cwd, top)+"/") && strings.HasSuffix(full, ".py") {
			m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: effect.ZoneWorkspace, Resource: show(full)})
		}
	}
}

// pythonTools says whether a package is one of the tools or risky modules above. Other
// programs' names are too common for packages of a workspace.
func pythonTools(pkg string) bool {
	for _, p := range pythonModules {
		if p.name == pkg {
			return true
		}
	}
	return searchNames(pythonRisky, pkg)
}

// pythonTool runs the tool that a module is, or reads its operands.
func (m *machine) pythonTool(tool string, args []string, in data, want bool) data {
	if t := lookupTool(tool); t != nil {
		m.prog = tool
		if tool == "compileall" || tool == "py_compile" {
			m.compiled(args)
		}
		return m.tool(t, append([]string{tool}, args...), in, want)
	}
	if tool != "-" {
		m.escape("python -m " + tool) // a module whose manual nobody opened
		return unknown
	}
	m.spawn(effect.OpRun, "python")
	for _, a := range args {
		if a != "" && a[0] != '-' {
			m.read(a)
		}
	}
	return unknown
}

// compiled judges where compiled files are put: beside the sources, which a line that
// goes on to run them has not changed by it.
func (m *machine) compiled(sources []string) {
	for _, a := range sources {
		if reachesOut(a) {
			m.write(a, effect.OpCreate)
		}
	}
}

// timeit judges the statements that python -m timeit runs, those of its setup too: they
// are lines of one program (python3 -m timeit --help, 3.11).
func (m *machine) timeit(args []string, in data, want bool) data {
	var lines []string
	for len(args) > 0 {
		a := args[0]
		args = args[1:]
		switch {
		case a == "--":
			lines = append(lines, args...)
			args = nil
		case a == "-h" || a == "--help" || a == "-v" || a == "--verbose" || a == "-p" || a == "--process":
		case (a == "-s" || a == "--setup") && len(args) > 0:
			lines = append(lines, args[0])
			args = args[1:]
		case (a == "-n" || a == "-r" || a == "-u") && len(args) > 0:
			args = args[1:]
		case strings.HasPrefix(a, "--number=") || strings.HasPrefix(a, "--repeat=") || strings.HasPrefix(a, "--unit="):
		case strings.HasPrefix(a, "-"):
			m.escape("python -m timeit " + a)
			return unknown
		default:
			lines = append(lines, a)
		}
	}
	return m.code("python", strings.Join(lines, "\n"), in, want)
}
