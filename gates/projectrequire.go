package gates

import (
	"strings"
)

// This file holds JavaScript to modules that it names, and to known members of those that
// reach the system (reachesPlainly).

// requiresPlainly says whether JavaScript names each module that it brings in, none of
// them barred, and uses those that reach the system by members that are known.
func requiresPlainly(text string) bool {
	for _, way := range [...]string{"require", "import", "from"} {
		for i := 0; ; {
			k := nextWord(text, way, i)
			if k < 0 {
				break
			}
			i = k + len(way)
			rest := strings.TrimLeft(text[i:], " \t")
			called := strings.HasPrefix(rest, "(")
			if way == "from" && called || !called && way == "require" {
				continue // a method, or what plain judges
			}
			rest = strings.TrimLeft(trimPrefix(rest, "("), " \t")
			if rest == "" || rest[0] != '\'' && rest[0] != '"' {
				if called {
					return false
				}
				continue
			}
			end := closing(rest, 1, rest[0])
			if end < 0 || called && !strings.HasPrefix(strings.TrimLeft(rest[end+1:], " \t"), ")") {
				return false
			}
			if !plainRequire(text, k, trimPrefix(rest[1:end], "node:"), rest[end+1:]) {
				return false
			}
		}
	}
	return true
}

// serverMembers are what a server needs of the module http.
const serverMembers = "createServer Server STATUS_CODES METHODS IncomingMessage ServerResponse"

// plainRequire judges a module that is brought in at a place of a text.
func plainRequire(text string, at int, module, rest string) bool {
	if isAmong(strings.Fields(barred["node"]), module) {
		return false
	}
	members := ""
	switch module {
	case "http":
		members = serverMembers
	case "child_process":
		members = strings.Join(launchers["node"].calls, " ")
	default:
		return true
	}
	if rest = strings.TrimLeft(trimPrefix(rest, ")"), " \t"); strings.HasPrefix(rest, "[") || strings.HasPrefix(rest, "?.") {
		return false
	}
	if m, ok := cutPrefix(rest, "."); ok {
		return isAmong(strings.Fields(members), m[:nameEnd(m)])
	}
	bound := text[strings.LastIndexAny(text[:at], "\n;")+1 : at]
	if strings.Contains(bound, "export") {
		return false
	}
	if open := firstByte(bound, '{'); open >= 0 {
		list, _, closed := cutAt(bound[open+1:], "}")
		for _, n := range strings.Split(list, ",") {
			if n = strings.TrimSpace(n); n != "" && !isAmong(strings.Fields(members), n) {
				return false
			}
		}
		return closed
	}
	for _, w := range strings.FieldsFunc(bound, func(r rune) bool { return !wordByte(byte(r)) || r > 0x7f }) {
		switch w {
		case "const", "let", "var", "import", "as", "await", "from", "export":
			continue
		}
		if !(reach{name: w, members: members}).plain(strings.Replace(text, bound, "\n", 1)) {
			return false
		}
	}
	return true
}
