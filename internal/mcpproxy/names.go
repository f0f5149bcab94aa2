package mcpproxy

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// target is a tool or prompt of a server under the name that clients see.
type target struct {
	name   string // offered
	server string
	own    string // the server's name for it
}

// own names begin so; no server can offer a tool under one.
const reserved = "gbt_"

// offeredNames decides under which names clients see the tools of all servers,
// given the servers in order and each one's names in its order. A name that one
// server alone has stays as it is. One that several have is offered as
// server__name for all of them, and so is one of the proxy's own; a number tells
// apart what would still be the same. Names that only look the same count as the
// same. One that stands in for a tool of another server is not offered: what it
// would be offered as does not matter then, it exists to be taken for that one.
func offeredNames(servers []string, names map[string][]string) []target {
	count := map[string]int{}
	for _, s := range servers {
		for _, n := range names[s] {
			count[likeness(n)]++
		}
	}
	taken := map[string]bool{}
	var out []target
	take := func(s, n, as string) {
		name := as
		for i := 2; taken[name]; i++ {
			name = as + "_" + strconv.Itoa(i)
		}
		taken[name] = true
		out = append(out, target{name, s, n})
	}
	for _, s := range servers {
		for _, n := range names[s] {
			if plain(n, count) && !standsIn(s, n, servers) {
				take(s, n, n)
			}
		}
	}
	for _, s := range servers {
		for _, n := range names[s] {
			if !plain(n, count) && !standsIn(s, n, servers) {
				take(s, n, s+"__"+nameable(n))
			}
		}
	}
	return out
}

// plain says whether a name can be offered as it is.
func plain(n string, count map[string]int) bool {
	return count[likeness(n)] == 1 && !strings.HasPrefix(strings.ToLower(n), reserved) && nameable(n) == n
}

// likeness is what people and models see of a name at a glance: without letter
// case and separators, and with one of each pair that fonts hardly tell apart. Other
// scripts need no table: their letters are not offered (nameable).
func likeness(n string) string {
	return strings.NewReplacer("_", "", "-", "", ".", "", "0", "o", "1", "l", "i", "l").Replace(strings.ToLower(n))
}

// standsIn says whether a server's tool has the name of a tool of another: of a
// server that is configured here, or, as hosts name them, of any.
func standsIn(server, n string, servers []string) bool {
	front, _, ok := strings.Cut(n, "__")
	if !ok {
		return false
	}
	return strings.EqualFold(front, "mcp") || slices.ContainsFunc(servers, func(s string) bool {
		return s != server && likeness(s) == likeness(front)
	})
}

var unnameable = regexp.MustCompile(`[^A-Za-z0-9_.-]`)

// nameable makes a name of the form that MCP asks for (specification 2025-11-25,
// "Tool Names"): other characters become _, and it is cut to 100 bytes, which
// leaves room for a server's.
func nameable(n string) string {
	n = unnameable.ReplaceAllString(n, "_")
	if n == "" {
		n = "_"
	}
	return n[:min(len(n), 100)]
}

// judged is the name under which a call is judged. It is that of the server's own
// tool, however it is offered, so that a policy does not depend on which other
// servers there are.
func judged(server, own string) string { return "mcp__" + server + "__" + own }
