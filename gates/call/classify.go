package call

import (
	"slices"
	"strings"
)

// Name lowers a tool's name and drops the namespaces hosts put before it:
// mcp__server__tool, functions.bash, default_api:read_file, server/tool. It is
// idempotent, so that a bare name is its own canonical form.
func Name(tool string) string {
	name := strings.TrimSpace(strings.ToLower(tool))
	for {
		rest := withoutNamespace(name)
		if rest == name {
			return name
		}
		name = rest
	}
}

func withoutNamespace(name string) string {
	if strings.HasPrefix(name, "mcp__") {
		if i := strings.LastIndex(name, "__"); i > len("mcp_") {
			return strings.TrimSpace(name[i+2:])
		}
	}
	if i := strings.LastIndexAny(name, ".:/"); i >= 0 && i+1 < len(name) {
		return strings.TrimSpace(name[i+1:])
	}
	return name
}

// fromMCP says that the name came from an MCP server: such a tool may carry
// any name, so a built-in entry of the same name is only a guess about it.
func fromMCP(tool string) bool {
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(tool)), "mcp__")
}

// words splits a tool's name at underscores, dashes, dots, blanks, digits and
// changes of case (snake, kebab, camel and Pascal case), lower-cased.
func words(name string) []string {
	var out []string
	start := 0
	flush := func(end int) {
		if end > start {
			out = append(out, strings.ToLower(name[start:end]))
		}
		start = end
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case !isLetter(c):
			flush(i)
			start = i + 1
		case i > start && isUpper(c) && (!isUpper(name[i-1]) || i+1 < len(name) && isLower(name[i+1])):
			flush(i)
		}
	}
	flush(len(name))
	return out
}

//go:noinline
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

//go:noinline
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }

//go:noinline
func isLetter(c byte) bool { return isUpper(c) || isLower(c) }

// find is a binary search in a sorted static table, which unlike a map needs
// no work before main.
func find[T any](table []T, key string, of func(T) string) (int, bool) {
	return slices.BinarySearchFunc(table, key, func(e T, key string) int { return strings.Compare(of(e), key) })
}
