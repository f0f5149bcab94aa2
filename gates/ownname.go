package gates

import (
	"path"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// ownName puts the path of a script where it names itself: $0 and, of bash, the first
// BASH_SOURCE (bash(1), Special Parameters and Shell Variables). Scripts find their
// project by it. Texts in single quotes are other programs' code.
func ownName(text, file string) string {
	if !strings.Contains(text, "$0") && !strings.Contains(text, "BASH_SOURCE") && !strings.Contains(text, "${0}") || !plainPath(file) {
		return text
	}
	var b strings.Builder
	for i, piece := range strings.Split(text, "'") {
		if i > 0 {
			b.WriteByte('\'')
		}
		if i%2 == 0 {
			piece = selfNames.Replace(strings.ReplaceAll(piece, "\\$", "\\\x01"))
			piece = strings.ReplaceAll(strings.ReplaceAll(piece, "\x02", file), "\\\x01", "\\$")
		}
		b.WriteString(piece)
	}
	return b.String()
}

// selfNames are the ways in which a script names itself.
var selfNames = strings.NewReplacer("${BASH_SOURCE[0]}", "\x02", "${BASH_SOURCE}", "\x02", "$BASH_SOURCE", "\x02", "${0}", "\x02", "$0", "\x02")

// plainPath says whether a path can stand in a script as it is.
func plainPath(file string) bool {
	return strings.Trim(file, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./@+") == ""
}

// ownImports puts the paths of modules that JavaScript brings in from above its file as they are
// from the working directory: the file is where they begin (Node.js documentation, Modules).
func (c *Context) ownImports(text, file string) string {
	var b strings.Builder
	done := 0
	for _, imp := range shell.Imports("node", text) {
		from, to := imp.At+1, imp.At+1+len(imp.Module)
		full := path.Join(path.Dir(file), imp.Module)
		if !strings.HasPrefix(imp.Module, "../") || !mark.Under(full, c.Cwd) || imp.At < done || to > len(text) || text[from:to] != imp.Module {
			continue
		}
		b.WriteString(text[done:from])
		b.WriteString("./" + strings.TrimPrefix(strings.TrimPrefix(full, c.Cwd), "/"))
		done = to
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}
