package imports

import (
	"slices"
	"strings"
)

// nodeWords finds what brings in modules among the tokens.
func (r *reader) nodeWords() {
	for i := range r.toks {
		t := &r.toks[i]
		switch {
		case t.kind == word:
			r.nodeWord(i, t.text)
		case t.kind == str && (loaders[t.text] || t.text == "constructor"),
			t.kind == str && !t.plain && r.is(i-1, "[") && r.is(i+1, "]"):
			r.refuse("names what loads code in a string")
		case t.kind == op && t.text == "]" && r.is(i+1, "(") && r.at(i-1).kind != number && r.at(i-1).kind != str:
			r.refuse("calls what a variable names")
		}
	}
}

// loaders bring in modules or code by what they are given when they run.
var loaders = set("eval", "Function", "AsyncFunction", "GeneratorFunction", "AsyncGeneratorFunction", "__proto__", "globalThis", "global", "createRequire", "importScripts", "WebAssembly",
	"Reflect", "Proxy", "getBuiltinModule", "mainModule", "_linkedBinding", "dlopen", "ShadowRealm", "__lookupGetter__", "getPrototypeOf", "getOwnPropertyDescriptor",
	"getOwnPropertyDescriptors")

// processPlain are members of process that bring in nothing.
var processPlain = set("arch", "argv", "cwd", "env", "exit", "exitCode", "hrtime", "memoryUsage", "nextTick", "on", "once", "pid", "platform", "stderr", "stdin", "stdout", "title", "uptime", "version",
	"versions")

// given are the modules that node gives its inline code by their names, without an
// import, and that reach more than what is computed (node --help, --eval: as in the REPL).
var given = set("child_process", "cluster", "dgram", "dns", "fs", "http", "http2", "https", "inspector", "net", "repl", "sqlite", "tls", "v8", "vm", "wasi", "worker_threads")

func set(names ...string) map[string]bool {
	out := map[string]bool{}
	for _, n := range names {
		out[n] = true
	}
	return out
}

func (r *reader) nodeWord(i int, name string) {
	member := r.is(i-1, ".")
	switch {
	case name == "require":
		r.required(i)
	case name == "import":
		r.imported(i)
	case name == "from" && r.at(i+1).kind == str && !member:
		r.nodeModule(i + 1)
	case name == "module":
		if !member && !(r.is(i+1, ".") && r.is(i+2, "exports")) && !r.is(i+1, ":") {
			r.refuse("uses module")
		}
	case name == "process":
		if !(r.is(i+1, ".") && r.at(i+2).kind == word && processPlain[r.at(i+2).text]) && !(member && r.is(i+1, "(")) {
			r.refuse("uses process by more than its plain members")
		}
	case name == "this":
		if !r.is(i+1, ".") && !r.is(i+1, ";") && !r.is(i+1, "}") {
			r.refuse("hands on this")
		}
	case loaders[name], name == "constructor" && (member || !r.is(i+1, "(")): // a class has one
		r.refuse("uses " + name)
	case given[name] && (!member && !r.is(i+1, ":") && !(r.is(i+1, "=") && !r.is(i+2, "=")) || member && strings.Contains(name, "_")):
		r.module(nodePrefix + name)
	}
}

// nodeModule notes the module that the string at i names.
func (r *reader) nodeModule(i int) {
	s := r.at(i)
	if s.kind != str || !s.plain || s.text == "" {
		r.refuse("brings in a module by a computed name")
		return
	}
	r.module(nodePrefix + strings.TrimPrefix(s.text, nodePrefix))
}

// required reads require('name') and require.resolve('name').
func (r *reader) required(i int) {
	if r.is(i+1, ".") && r.is(i+2, "resolve") {
		i += 2
	}
	if name, ok := r.argument(i+1, 0); !ok || name == "" {
		r.refuse("uses require with a name that is computed, or by another name")
		return
	}
	r.nodeModule(i + 2)
}

// imported reads what stands behind import: a name in brackets, a string, or words whose
// module stands behind from.
func (r *reader) imported(i int) {
	switch {
	case r.is(i+1, "."):
		if !r.is(i+2, "meta") {
			r.refuse("has an import that cannot be read")
		}
	case r.is(i+1, "("):
		if name, ok := r.argument(i+1, 0); !ok || name == "" {
			r.refuse("brings in a module by a computed name")
			return
		}
		r.nodeModule(i + 2)
	case r.at(i+1).kind == str:
		r.nodeModule(i + 1)
	default:
		rest := r.toks[i+1 : min(len(r.toks), i+maxTokens)]
		if n := slices.IndexFunc(rest, func(t token) bool { return t.kind == str }); n < 1 || !(rest[n-1].kind == word && rest[n-1].text == "from") {
			r.refuse("has an import that cannot be read")
		}
	}
}
