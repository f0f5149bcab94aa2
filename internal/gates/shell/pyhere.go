package shell

import (
	"regexp"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about inline Python that asks a server of this machine by an address that stands in
// the code: what comes back is judged as what a module of the workspace gives.

var (
	// pyAsked is a call of a client with such an address, all of it or, of a text with expressions
	// in it or one that is added to, as much as says which machine it is (requests 2.32, httpx 0.28,
	// urllib.request).
	pyAsked = regexp.MustCompile(`\b(requests|httpx|urllib\.request)\.(get|post|put|patch|head|options|urlopen)\(\s*(?:["'](http://(?:localhost|127\.0\.0\.1)(?::\d+)?(?:/[^"'\\\n{}]*)?)["']\s*[,)]|(?:f?["'](http://(?:localhost|127\.0\.0\.1)(?::\d+)?/[^"'\\\n]*)["']\s*[,)+]))`)
	// pyHereBase is a variable that is given the first part of such an address.
	pyHereBase = regexp.MustCompile(`(?m)(?:^|;)[ \t]*(\w+) ?= ?["'](http://(?:localhost|127\.0\.0\.1)(?::\d+)?)/?["'][ \t]*(?:;|$)`)
)

// servedModule stands for those clients.
const servedModule = "served_here"

// asksHere is code in which those clients stand as a module of the workspace where all they do is
// to ask this machine; what they ask is recorded.
func (m *machine) asksHere(text string) string {
	m.served = false
	if !strings.Contains(text, "http://") || strings.Contains(text, servedModule) {
		return text
	}
	if base := pyHereBase.FindStringSubmatch(text); base != nil {
		text = withBase(text, base[1], base[2])
	}
	for _, client := range [...]string{"requests", "httpx", "urllib.request"} {
		calls := 0
		var asked []string
		for _, at := range pyAsked.FindAllStringSubmatchIndex(text, -1) {
			c := pyAsked.FindStringSubmatch(text[at[0]:])
			if c[1] == client && (client == "urllib.request") == (c[2] == "urlopen") && asksPlainly(text[at[5]:]) {
				calls++
				asked = append(asked, c[3]+c[4])
			}
		}
		imports := 0
		for _, line := range strings.FieldsFunc(text, func(c rune) bool { return c == '\n' || c == ';' }) {
			if list, ok := cutPrefix(strings.TrimSpace(line), "import "); ok && !strings.Contains(list, " as ") {
				for name := range strings.SplitSeq(list, ",") {
					if strings.TrimSpace(name) == client {
						imports++
					}
				}
			}
		}
		if calls == 0 || imports == 0 || calls+imports != strings.Count(text, client) {
			continue
		}
		op := effect.OpFetch
		if strings.Contains(text, client+".p") || strings.Contains(text, "data=") {
			op = effect.OpSend
		}
		for _, addr := range asked {
			m.url(op, addr, "")
		}
		text, m.served = strings.ReplaceAll(text, client, servedModule), true
	}
	return text
}

// pyAskOptions are arguments of those calls that choose what is asked, and not whom or by whom
// (requests 2.32, Session.request; httpx 0.28, request; urllib.request.urlopen).
const pyAskOptions = "json data content params headers cookies auth files timeout allow_redirects follow_redirects stream"

// asksPlainly says whether each argument of the call whose parenthesis the text begins with, behind
// the first, is one of those, by its name.
func asksPlainly(call string) bool {
	depth := 0
	for i := 0; i < len(call); i++ {
		switch c := call[i]; {
		case c == '"' || c == '\'':
			_, n := quotedString(call[i:], c)
			i += max(n, 1) - 1
		case firstByte("([{", c) >= 0:
			depth++
		case firstByte(")]}", c) >= 0:
			if depth--; depth == 0 {
				return true
			}
		case c == '#' || c == '\\':
			return false
		case c == ',' && depth == 1:
			rest := strings.TrimLeft(call[i+1:], " \n\t")
			n := nameLen(rest)
			if rest != "" && rest[0] != ')' && (n == 0 || !hasWord(pyAskOptions, rest[:n]) || !strings.HasPrefix(strings.TrimLeft(rest[n:], " "), "=") || strings.HasPrefix(strings.TrimLeft(rest[n:], " "), "==")) {
				return false
			}
		}
	}
	return false
}

// withBase is code with the address in place of a variable of which nothing is done but to put it
// before a path.
func withBase(text, name, addr string) string {
	sum := regexp.MustCompile(`\(\s*` + name + ` ?\+ ?(["'])/`)
	inside := regexp.MustCompile(`\(\s*f(["'])\{` + name + `\}/`)
	uses := len(sum.FindAllString(text, -1)) + len(inside.FindAllString(text, -1))
	if len(regexp.MustCompile(`\b`+name+`\b`).FindAllString(text, -1)) != uses+1 {
		return text
	}
	return inside.ReplaceAllString(sum.ReplaceAllString(text, "(${1}"+addr+"/"), "(f${1}"+addr+"/")
}
