package gates

import "strings"

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
