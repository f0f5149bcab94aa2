package gates

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// This file says which code of an interpreted language is a project's daily work. A
// project's tests run such code unasked, and whoever may write it may write a test: so
// it counts for what it shows that it does, not for each word that could lead further,
// as code that is compiled does. What it shows must be plain: programs that it starts
// and what it deletes by constants, machines that it speaks to by name, nothing that is
// made into code at run time.

// worksDaily says whether code of a language does what a project's code does. d is what
// the guardrail says of it, word by word.
func (c *Context) worksDaily(lang, text string, script *Context, d *Decision) bool {
	if !daily(lang) || len(text) > maxPlain || mentionsHome(withoutSetHome(text)) || makesCode(lang, text) || !reachesPlainly(lang, text) {
		return false
	}
	for i := range d.Reasons {
		if !dailyReason(script, &d.Reasons[i]) {
			return false
		}
	}
	return c.startsPlainly(lang, text) && speaksHere(lang, text) && deletesPlainly(text) && !writesGuarded(text)
}

// writesGuarded says whether code that writes files names one that something loads
// unasked, or that is the user's.
func writesGuarded(text string) bool {
	writes := func(s string) bool { return strings.Contains(text, s) }
	if !slices.ContainsFunc(writers[:], writes) && !slices.ContainsFunc(copiers[:], writes) && !slices.ContainsFunc([]string{"open(", "createWriteStream", "appendFile", "'w", "\"w", "chmod", "fwrite"}, writes) {
		return false
	}
	return slices.ContainsFunc(texts(text), func(w string) bool {
		w = trimPrefix(trimPrefix(w, "./"), "/")
		return w != "" && len(w) < maxGuardedName && !strings.ContainsAny(w, " \n") && names.Guarded(w)
	})
}

// maxGuardedName bounds what may be a path among the texts of code.
const maxGuardedName = 256

// daily says whether projects are written in a language.
func daily(lang string) bool {
	switch strings.TrimRight(lang, "0123456789.") {
	case "python", "node", "ruby", "php":
		return true
	}
	return false
}

// dailyReason says whether a reason is one that every program gives: a word that could
// lead further, a place that only the run time knows, a text that looks like a place
// and is read at most.
func dailyReason(script *Context, r *Reason) bool {
	if r.Disposition != ApprovedWithConstraints || r.Effect < 0 || r.Effect >= len(script.Effects) {
		return false
	}
	e := &script.Effects[r.Effect]
	switch r.Rule {
	case "spawn/escape":
		return strings.HasPrefix(e.Resource, "inline code of ") && !strings.HasSuffix(e.Resource, "runs code in a string") && !strings.HasSuffix(e.Resource, "calls what a variable names")
	case "opaque/computed", "egress/listen", "egress/fetch":
		return true // speaksHere judges where it goes
	case "workspace/read", "workspace/list":
		return !e.Sensitive && e.Zone != effect.ZoneHome // what is named there may as well be written
	case "workspace/write", "workspace/delete":
		return e.Zone == effect.ZoneUnknown // deletesPlainly judges what is deleted
	}
	return false
}

// makers are what makes code out of text or reaches what runs it by a name that is
// computed, in the languages that have them.
var makers = map[string][]string{
	"python": {"exec(", "eval(", "__import__", "import_module", "marshal", "ctypes", "cffi", "__builtins__", "builtins", "__globals__", "__subclasses__", "code.Interactive", "runpy", "pty.", "loads(", "modules[", "pickle", "read_pickle", "allow_pickle", "shelve", "joblib", "dictConfig", "fileConfig", "UnsafeLoader", "yaml.Loader", "FullLoader", "netrc", "ATTACH", "attach database"},
	"node":   {"eval(", "Function(", "'vm'", "\"vm\"", "node:vm", "binding(", "dlopen", "atob(", "constructor[", "'base64'", "\"base64\"", "globalThis[", "global[", "require(`"},
	"ruby":   {"unsafe_load", "ERB", "Marshal", "chdir", "method(:", "eval", ":system", ":exec", ":spawn", "Kernel", "unpack1", "unpack(", "Base64", "Fiddle", "open(\"|", "open('|"},
	"php":    {"eval(", "assert(", "create_function", "base64_decode", "preg_replace_callback(", "call_user_func", "$$", "include $", "require $", "include_once $", "require_once $", "unserialize", "FFI", "'unlink'", "\"unlink\"", "'system'", "\"system\"", "'exec'", "\"exec\""},
}

// makesCode says whether code has what makes code at run time.
func makesCode(lang, text string) bool {
	lang = strings.TrimRight(lang, "0123456789.")
	if lang == "python" && hasCall(text, "compile", "re.") {
		return true
	}
	return slices.ContainsFunc(makers[lang], func(m string) bool {
		at := strings.Index(text, m)
		for at >= 0 {
			if at == 0 || !wordByte(m[0]) || !wordByte(text[at-1]) && !(text[at-1] == '.' && (m == "exec(" || m == "eval(")) {
				return !jsonLoads(text, at)
			}
			next := strings.Index(text[at+1:], m)
			if next < 0 {
				return false
			}
			at += 1 + next
		}
		return false
	})
}

// jsonLoads says whether the name at a place is that of a reader of data alone.
func jsonLoads(text string, at int) bool {
	return strings.HasPrefix(text[at:], "loads(") && (strings.HasSuffix(text[:at], "json.") || strings.HasSuffix(text[:at], "tomllib."))
}

// hasCall says whether a function is called that does not stand behind a prefix.
func hasCall(text, name, but string) bool {
	for i := 0; ; {
		k := strings.Index(text[i:], name+"(")
		if k < 0 {
			return false
		}
		k += i
		if (k == 0 || !wordByte(text[k-1])) && !strings.HasSuffix(text[:k], but) {
			return true
		}
		i = k + len(name)
	}
}

// addressesHere says whether code names this machine, and no other by an address with a scheme.
func addressesHere(text string) bool {
	here := false
	for rest := text; ; {
		i := strings.Index(rest, "://")
		if i < 0 {
			break
		}
		rest = rest[i+3:]
		if !hereAt(rest) {
			return false
		}
		here = true
	}
	return here || strings.Contains(text, "\"localhost\"") || strings.Contains(text, "'localhost'") || strings.Contains(text, "127.0.0.1")
}

func hereAt(host string) bool {
	for _, h := range [...]string{"localhost", "127.0.0.1", "[::1]", "0.0.0.0"} {
		if rest, ok := cutPrefix(host, h); ok && (rest == "" || firstByte("/:\"'`?#, )\n", rest[0]) >= 0) {
			return true
		}
	}
	return false
}

// removers are what takes a file away, beside deleters.
var removers = [...]string{"os.remove(", "os.unlink(", ".unlink(", "unlinkSync(", "fs.unlink(", "os.rmdir(", ".rmdir(", "os.removedirs(", "File.delete(", "FileUtils.rm", "unlink(", "rimraf", "removeSync(", "emptyDir"}

// ownPlaces are what a place is made by that code may take away again.
var ownPlaces = [...]string{"mkdtemp", "TemporaryDirectory", "mkdtempSync", "tmp_path", "tmpdir", "Dir.mktmpdir", "NamedTemporaryFile"}

// foreignWords are what names a place that is not the code's own: what its user says,
// and what lies above or at a root.
var foreignWords = [...]string{"argv", "environ", "env.", "env[", "ENV", "getenv", "input(", "..", "\"/", "'/", "parent", "cwd", "__dirname", "root"}

// deletesPlainly says whether code deletes nothing, by constants alone, which are judged
// as such, or in a directory that it made for itself.
func deletesPlainly(text string) bool {
	own := slices.ContainsFunc(ownPlaces[:], func(s string) bool { return strings.Contains(text, s) })
	for _, list := range [...][]string{deleters[:], removers[:]} {
		for _, g := range given(text, list) {
			g, _, _ = cutAt(g, "\n")
			g = strings.TrimLeft(g, " (")
			if own && !slices.ContainsFunc(foreignWords[:], func(w string) bool { return strings.Contains(g, w) }) || g != "" && (g[0] == '"' || g[0] == '\'') && !strings.ContainsAny(g[:max(closing(g, 1, g[0]), 1)], "~*") && !strings.Contains(g, "..") && !strings.HasPrefix(g[1:], "/") {
				continue
			}
			return false
		}
	}
	return true
}
