package gates

import (
	"slices"
	"strings"
)

// This file holds code to the plain use of what reaches the system (worksDaily): a module
// that does is named where it is brought in, each time with a member that is known, and
// handed to nobody. What a name is bound to under another one, what is computed into a
// name and what stands in brackets behind one could be any member.

// reach is a module that reaches the system, or an object that does without being brought
// in, with the members that do no more than projects do. Of those that start and delete,
// startsPlainly and deletesPlainly judge what they are given.
type reach struct {
	name, members string
	of            string // the language, where an attribute of the name is the same thing
}

const python = "python"

// pythonReach are modules of Python (the library reference, 3.11).
var pythonReach = [...]reach{
	{"os", "path environ getenv listdir getcwd makedirs mkdir walk sep linesep pathsep name cpu_count stat fstat lstat scandir fspath curdir urandom getpid chdir rename replace remove unlink rmdir system popen utime devnull access F_OK R_OK W_OK X_OK PathLike DirEntry get_terminal_size extsep uname umask sched_getaffinity", python},
	{"subprocess", "run call check_call check_output Popen getoutput getstatusoutput PIPE STDOUT DEVNULL CalledProcessError TimeoutExpired CompletedProcess SubprocessError", python},
	{"sys", "argv exit stdin stdout stderr version version_info executable platform maxsize path byteorder getsizeof exc_info implementation getrecursionlimit setrecursionlimit getdefaultencoding float_info hexversion prefix base_prefix flags stdlib_module_names excepthook", python},
	{"shutil", "copy copy2 copyfile copyfileobj copymode copystat copytree rmtree move which disk_usage get_terminal_size ignore_patterns Error make_archive", python},
}

// nodeReach are objects that Node.js gives every module (its documentation, Process and
// Modules).
var nodeReach = [...]reach{
	{name: "process", members: "argv env exit cwd platform version versions stdout stderr stdin on once off nextTick pid ppid memoryUsage hrtime uptime arch exitCode title emitWarning release argv0 execPath cpuUsage emit removeListener"},
	{name: "module", members: "exports id filename paths hot children loaded parent"},
	{name: "require", members: "main resolve"},
	{name: "fetch", members: ""},
}

// barred are modules with which nothing stays plain.
var barred = map[string]string{
	"python": "builtins cffi code codeop ctypes fabric fcntl gc git imp importlib marshal mmap operator pexpect pkgutil plumbum posix pty runpy sh signal webbrowser zipimport",
	"node":   "cluster dgram dns dns/promises http2 https inspector module net repl simple-git tls trace_events v8 vm wasi worker_threads",
}

// namers are what reaches a member by a name that is computed.
var namers = map[string][]string{
	"python": {"__dict__", "__getattribute__", "globals(", "locals(", "attrgetter", "methodcaller", "f_globals", "f_builtins", "load_extension", "import *", "SimpleHTTPRequestHandler", "timeit(", "run_docstring", "LD_PRELOAD", "PYTHONSTARTUP", "._os", "._sys", "_os.", "_sys."},
	"node":   {"mainModule", "setTimeout('", "setTimeout(\"", "setInterval('", "setInterval(\"", "getBuiltinModule", "Reflect.", "load_extension", ".constructor(", "fs[", "fs?.", "rmSync:", "unlinkSync:", "rmSync?.", "unlinkSync?.", "promises\").rm", "promises').rm", "NODE_OPTIONS", "LD_PRELOAD"},
}

// reachesPlainly says whether code uses what reaches the system in plain sight alone.
func reachesPlainly(lang, text string) bool {
	lang = strings.TrimRight(lang, "0123456789.")
	if slices.ContainsFunc(namers[lang], func(n string) bool { return strings.Contains(text, n) }) {
		return false
	}
	switch lang {
	case "python":
		return importsPlainly(text) && !slices.ContainsFunc(pythonReach[:], func(r reach) bool { return !r.plain(text) })
	case "node":
		return requiresPlainly(text) && !slices.ContainsFunc(nodeReach[:], func(r reach) bool { return !r.plain(text) })
	}
	return true
}

// plain says whether each use of a name is one of a known member.
func (r reach) plain(text string) bool {
	for i := 0; ; {
		k := nextWord(text, r.name, i)
		if k < 0 {
			return true
		}
		i = k + len(r.name)
		if k > 0 && firstByte("-'\"/", text[k-1]) >= 0 {
			continue // of another name, or a text
		}
		if k > 0 && text[k-1] == '.' && r.of == python {
			return false // of a module that brought it in for itself
		}
		rest := text[i:]
		switch {
		case strings.HasPrefix(rest, "."):
			n := nameEnd(rest[1:])
			if n > 0 && !isAmong(strings.Fields(r.members), rest[1:1+n]) || acts(rest[1:1+n]) && !strings.HasPrefix(rest[1+n:], "(") {
				return false
			}
		case strings.HasPrefix(rest, "?.") || strings.HasPrefix(rest, "["):
			return false
		case r.name == "require" && strings.HasPrefix(rest, "("), onImport(text, k):
		case handedOn(text, k, i):
			return false
		}
	}
}

// acts says whether a member starts or takes away something: it is called where it is
// named, and handed to nobody who calls it with what.
func acts(member string) bool {
	switch member {
	case "system", "popen", "remove", "unlink", "rmdir", "rename", "replace", "rmtree", "move", "run", "call", "check_call", "check_output", "Popen", "getoutput", "getstatusoutput":
		return true
	}
	return false
}

// onImport says whether a place stands in a statement that brings modules in.
func onImport(text string, at int) bool {
	line := strings.TrimLeft(text[strings.LastIndexAny(text[:at], "\n;")+1:at], " \t")
	return strings.HasPrefix(line, "import ") || strings.HasPrefix(line, "from ")
}

// handedOn says whether the word from a place to another stands where a value does, and
// not among words of a sentence.
func handedOn(text string, from, to int) bool {
	before := strings.TrimRight(text[:from], " \t")
	after := strings.TrimLeft(text[to:], " \t")
	if strings.HasSuffix(before, "==") {
		return false // compared
	}
	return before != "" && firstByte("=(,[:{?&|", before[len(before)-1]) >= 0 || strings.HasSuffix(before, "return") ||
		after != "" && firstByte(")],", after[0]) >= 0
}

func nameEnd(s string) int {
	n := 0
	for n < len(s) && wordByte(s[n]) {
		n++
	}
	return n
}

// importsPlainly says whether Python brings in no barred module, and none that reaches the
// system under another name or by names that are not known.
func importsPlainly(text string) bool {
	for line := range strings.Lines(statements(text)) {
		line = strings.TrimSpace(line)
		module, names, from := cutAt(trimPrefix(line, "from "), " import ")
		switch {
		case strings.HasPrefix(line, "import "):
			for _, m := range strings.Split(line[len("import "):], ",") {
				if m = strings.TrimSpace(m); !plainModule(m) {
					return false
				}
			}
		case from && strings.HasPrefix(line, "from "):
			if !plainModule(module) || !plainMembers(module, names) {
				return false
			}
		}
	}
	return true
}

// statements puts each statement of Python that may bring something in on a line.
func statements(text string) string {
	text = strings.ReplaceAll(text, "\\\n", " ")
	var b strings.Builder
	for {
		before, rest, ok := cutAt(text, "import (")
		if b.WriteString(before); !ok {
			break
		}
		_, after, _ := cutAt(rest, ")")
		b.WriteString("import ")
		for line := range strings.Lines(rest[:len(rest)-len(after)]) {
			line, _, _ = cutAt(line, "#")
			b.WriteString(strings.Trim(strings.TrimSpace(line), ")"))
		}
		b.WriteString("\n")
		text = after
	}
	return strings.NewReplacer(";", "\n", ": import ", ":\nimport ", ": from ", ":\nfrom ").Replace(b.String())
}

func plainModule(m string) bool {
	name, _, renamed := cutAt(m, " as ")
	top, _, _ := cutAt(name, ".")
	known := slices.ContainsFunc(pythonReach[:], func(r reach) bool { return r.name == top })
	return !isAmong(strings.Fields(barred["python"]), top) && !(renamed && known && name != "os.path")
}

// plainMembers says whether what is taken out of a module keeps its name and is known.
func plainMembers(module, names string) bool {
	i := slices.IndexFunc(pythonReach[:], func(r reach) bool { return r.name == module })
	if i < 0 {
		return true
	}
	names, _, _ = cutAt(names, "#")
	for _, n := range strings.Split(strings.Trim(names, "() \\"), ",") {
		if n = strings.TrimSpace(n); n != "" && !isAmong(strings.Fields(pythonReach[i].members), n) {
			return false
		}
	}
	return true
}
