package shell

import "strings"

// This file finds calls of fetch in inline JavaScript that ask a server of this machine (MDN, fetch
// and RequestInit): the name is replaced by what makes a promise of what it is given, and all that
// stands in the call is judged as it was.

// nodeFetchOptions are options of fetch that name nobody else to ask.
const nodeFetchOptions = "body cache credentials headers keepalive method mode redirect signal"

// nodeFetches are the calls of fetch in code that ask this machine.
func nodeFetches(text string) []codeStart {
	if !strings.Contains(text, "fetch") {
		return nil
	}
	n := &nodeStarter{nodeCode: &nodeCode{}}
	var bad string
	if n.toks, bad = dialectOf("node").tokens(text); bad != "" || strings.Contains(text, "<!--") || strings.Contains(text, "-->") {
		return nil
	}
	n.pairBrackets()
	for i, t := range n.toks {
		if t.kind == 'n' && t.text == "fetch" && t.at >= 0 && !is(n.toks, i-1, ".") && !is(n.toks, i-1, "function") && is(n.toks, i+1, "(") && n.closing(i+1) < len(n.toks) {
			n.fetches(i)
		}
	}
	return n.calls
}

// fetches notes the call at i if it asks this machine.
func (n *nodeStarter) fetches(i int) {
	args := n.split(i + 1)
	if len(args) == 0 || len(args) > 2 {
		return
	}
	url, ok := n.localStart(args[0][0], args[0][1])
	method, sends := "GET", false
	if ok && len(args) == 2 {
		method, sends, ok = n.request(args[1][0], args[1][1])
	}
	if ok {
		t := n.toks[i]
		n.calls = append(n.calls, codeStart{from: t.at, to: t.at + len(t.text), instead: "Promise.resolve", pyStart: pyStart{lines: [][]string{curls(method, url, sends)}}})
	}
}

// localStart is the address of this machine that an argument begins with: a text, or one with more
// behind the slash after its host.
func (n *nodeStarter) localStart(from, to int) (string, bool) {
	if from >= to || n.toks[from].kind != 's' || len(n.toks[from].text) < 2 {
		return "", false
	}
	url, ok := n.constant(from, to)
	if !ok {
		text := n.toks[from].text
		url, _, _ = strings.Cut(text[1:len(text)-1], "${")
		if whole := text[0] != '`' || len(url) == len(text)-2; whole && !is(n.toks, from+1, "+") || strings.Contains(url, "\\") || strings.Count(url, "/") < 3 {
			return "", false
		}
		url += unknown.text
	}
	return url, localURL(url)
}

// request reads the options between the braces at from and before to.
func (n *nodeStarter) request(from, to int) (method string, sends, ok bool) {
	method = "GET"
	if !is(n.toks, from, "{") || n.closing(from) != to-1 {
		return "", false, false
	}
	for _, o := range n.split(from) {
		name := n.toks[o[0]].text
		if n.toks[o[0]].kind != 'n' || !hasWord(nodeFetchOptions, name) || !is(n.toks, o[0]+1, ":") && !(o[1] == o[0]+1 && name != "method") {
			return "", false, false
		}
		sends = sends || name == "body"
		if name == "method" {
			if method, ok = n.constant(o[0]+2, o[1]); !ok || method == "" || strings.Trim(strings.ToUpper(method), "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
				return "", false, false
			}
		}
	}
	return strings.ToUpper(method), sends, true
}
