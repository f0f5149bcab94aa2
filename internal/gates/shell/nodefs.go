package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// nodeFiles are the functions of Node.js's fs whose first argument is the only
// path they touch, with what they do to it (Node.js documentation, "File system").
// Sorted.
var nodeFiles = [...]struct {
	name   string
	writes bool
}{
	{"accessSync", false}, {"appendFileSync", true}, {"existsSync", false}, {"globSync", false}, {"lstatSync", false}, {"mkdirSync", true}, {"readFileSync", false},
	{"readdirSync", false}, {"statSync", false}, {"writeFileSync", true},
}

//go:noinline
func nodeFile(name string) (writes, ok bool) {
	for _, f := range nodeFiles {
		if f.name == name {
			return f.writes, true
		}
	}
	return false, false
}

// fsOnly says whether code uses the module fs in no other way than fs.NAME(...)
// and require("fs").NAME(...) for the functions above, so that every path it
// touches is an argument in sight. Anything else, such as fs[name] or a second
// name for it, may reach the rest of the module.
func fsOnly(text string) bool {
	uses := 0
	for i := 0; i < len(text); {
		if !isNameByte(text[i]) {
			i++
			continue
		}
		n := nameLen(text[i:])
		word, rest := text[i:i+n], strings.TrimLeft(text[i+n:], " ")
		switch {
		case word == "require" || word == "import":
			mod, after, ok := required(rest)
			if !ok || word == "import" {
				return false
			}
			if mod == "fs" || mod == "node:fs" {
				if !plainMember(after) && !setsFs(text[:i]) {
					return false
				}
				uses++
			}
			i += n + len(text[i+n:]) - len(after)
			continue
		case word == "fs":
			if !plainMember(rest) && !assignsFs(rest) {
				return false
			}
		}
		i += n
	}
	return uses > 0
}

// required reads ("MODULE") and returns what follows it.
func required(rest string) (mod, after string, ok bool) {
	if len(rest) < 2 || rest[0] != '(' || rest[1] != '"' && rest[1] != '\'' {
		return "", rest, false
	}
	mod, n := quotedString(rest[1:], rest[1])
	after = rest[1+n:]
	if !strings.HasPrefix(after, ")") {
		return "", rest, false
	}
	return mod, after[1:], true
}

// plainMember says whether code goes on with .NAME( for a function of nodeFiles.
func plainMember(rest string) bool {
	if !strings.HasPrefix(rest, ".") {
		return false
	}
	n := nameLen(rest[1:])
	_, ok := nodeFile(rest[1 : 1+n])
	return ok && strings.HasPrefix(rest[1+n:], "(")
}

func assignsFs(rest string) bool {
	rest, ok := cutPrefix(rest, "=")
	return ok && strings.HasPrefix(strings.TrimLeft(rest, " "), "require(")
}

// nodePath records what a function of nodeFiles does to its first argument.
func (s *scanner) nodePath(name, rest string) {
	writes, _ := nodeFile(name)
	path, ok := s.firstString(rest)
	if !ok {
		path = unknown.text
	}
	if writes {
		s.m.write(path, effect.OpCreate)
		return
	}
	s.m.read(path)
}

// setsFs says whether text ends where the variable fs is set.
func setsFs(text string) bool {
	before, ok := cutSuffix(strings.TrimRight(text, " "), "=")
	if before = strings.TrimRight(before, " "); !ok || !strings.HasSuffix(before, "fs") || len(before) < 3 {
		return false
	}
	return firstByte(" ,;\n", before[len(before)-3]) >= 0
}

// withoutImports is code with the imports that are judged as calls of require are, of a
// module that only computes, of fs and of a file of the workspace, written as such calls
// (Node.js documentation, Modules: ECMAScript modules; import of MDN's JavaScript
// reference).
func withoutImports(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		for rest := line; ; {
			from, after, ok := cutAt(rest, ";")
			names, mod, imports := imported(from)
			if !imports || mod != "fs" && mod != "node:fs" && !requirable(mod) && computingNames(mod) == "" {
				break
			}
			lines[i] = strings.Replace(lines[i], from, "const "+names+" = require(\""+mod+"\")"+lineEnd(from, ok), 1)
			if rest = after; !ok {
				break
			}
		}
	}
	return withoutImportCalls(strings.Join(lines, ""))
}

// imported reads an import of a whole module or of some of its names, as what const would
// bind to what require returns.
func imported(statement string) (names, mod string, ok bool) {
	clause, quoted, ok := cutAt(statement, " from ")
	clause, imports := cutPrefix(strings.TrimSpace(clause), "import ")
	quoted = withoutJSONType(quoted)
	if quoted = strings.TrimSpace(quoted); !ok || !imports || len(quoted) < 3 || quoted[0] != '"' && quoted[0] != '\'' || quoted[len(quoted)-1] != quoted[0] {
		return "", "", false
	}
	mod = quoted[1 : len(quoted)-1]
	clause = strings.TrimSpace(trimPrefix(strings.TrimSpace(clause), "* as "))
	if list, some := cutPrefix(clause, "{"); some {
		if list, some = cutSuffix(list, "}"); !some || mod == "fs" || mod == "node:fs" {
			return "", "", false
		}
		for _, name := range strings.Split(list, ",") {
			words := strings.Fields(name)
			switch {
			case len(words) == 1 && jsName(words[0]):
				names += ", " + words[0]
			case len(words) == 3 && words[1] == "as" && jsName(words[0]) && jsName(words[2]):
				names += ", " + words[0] + ": " + words[2]
			default:
				return "", "", false
			}
		}
		return "{" + trimPrefix(names, ", ") + "}", mod, true
	}
	return clause, mod, jsName(clause)
}

// jsName says whether a word is one name of JavaScript. Not inlined, for the size of programs.
//
//go:noinline
func jsName(w string) bool { return w != "" && nameLen(w) == len(w) }

// requirable says whether require of a module is let through: one that only computes, or
// a file below the directory that it runs in.
func requirable(mod string) bool {
	return computingModule(mod) || strings.HasPrefix(mod, "./") && !strings.Contains(mod, "..") && !strings.ContainsAny(mod, "\\\"'`$%?#")
}

// withoutImportCalls is code with import("MODULE") written as a promise of what require
// returns.
func withoutImportCalls(text string) string {
	var b strings.Builder
	for {
		before, rest, ok := cutAt(text, "import(")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		mod, after, constant := required("(" + rest)
		if within := before != "" && (nameLen(before[len(before)-1:]) > 0 || before[len(before)-1] == '.'); !constant || within || !requirable(mod) {
			b.WriteString("import(")
			text = rest
			continue
		}
		b.WriteString("Promise.resolve(require(\"" + mod + "\"))")
		text = after
	}
}

func lineEnd(text string, cut bool) string {
	if !cut && strings.HasSuffix(text, "\n") {
		return "\n"
	}
	return ""
}
