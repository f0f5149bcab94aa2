package shell

import (
	"slices"
	"strings"
)

// This file reads calls of inline Python that ask a server of this machine over HTTP
// (docs.python.org/3.13/library/urllib.request.html; the documentation of requests, "Developer
// Interface", and of httpx, which has the same functions).

// pyWeb are the packages whose functions are called like the methods of HTTP, and pyWebMethods
// these functions.
const (
	pyWeb        = "requests httpx"
	pyWebMethods = "get post put patch delete head options"
)

// pyWebNames are what else of these packages asks nobody, and pyWebArguments what a call may be
// given: nothing that asks somebody else.
const (
	pyWebNames     = "exceptions codes ConnectionError ConnectTimeout HTTPError HTTPStatusError ReadTimeout RequestException Response Timeout TimeoutException ConnectError RequestError JSONDecodeError __version__"
	pyWebArguments = "allow_redirects auth content cookies data files follow_redirects headers json params stream timeout url verify"
)

// fetches judges a call that asks a server; false if it is none, or not one of this machine.
func (p *pyReader) fetches(name string, args pyArgs) bool {
	if p.m.cell && !p.m.whole || p.movesItself() {
		return false
	}
	mod, function, _ := strings.Cut(name, ".")
	method, sends := "GET", false
	asked, _ := args.get(p, 0, "url")
	switch {
	case name == "urllib.request.urlopen":
		for _, a := range args.named {
			if !hasWord("data timeout url", a.name) {
				return false
			}
		}
		if _, sends = args.get(p, 1, "data"); sends {
			method = "POST"
		}
	case hasWord(pyWeb, mod) && hasWord(pyWebMethods, function):
		method = strings.ToUpper(function)
		for _, a := range args.named {
			if !hasWord(pyWebArguments, a.name) {
				return false
			}
			sends = sends || hasWord("content data files json", a.name)
		}
		sends = sends || len(args.plain) > 1
	default:
		return false
	}
	if asked.kind == pyAsk && mod == "urllib" && !p.changesRequests() {
		asked.kind = pyText
	} else if asked.kind != pyText {
		return false
	}
	s := pyStart{}
	for _, w := range asked.words {
		verb, url, ok := strings.Cut(w, " ")
		if !ok {
			verb, url = method, w
		}
		if !localURL(url) {
			return false
		}
		s.lines = append(s.lines, curls(verb, url, sends || ok && verb != "GET" && verb != "HEAD"))
	}
	p.started, p.asks = append(p.started, s), true
	return len(s.lines) > 0
}

// request is an object of urllib.request that tells whom to ask, as texts of a method and an
// address.
func (p *pyReader) request(args pyArgs) pyValue {
	url, _ := args.get(p, 0, "url")
	method := "GET"
	if _, sends := args.get(p, 1, "data"); sends {
		method = "POST"
	}
	for _, a := range args.named {
		if !hasWord("data headers method unverifiable url", a.name) {
			return pyValue{}
		}
		if a.name == "method" {
			var ok bool
			if method, ok = p.expr(a.from, a.to).constant(); !ok || method == "" || strings.Trim(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
				return pyValue{}
			}
		}
	}
	if url.kind != pyText {
		return pyValue{}
	}
	return url.mapped(pyAsk, func(w string) string { return method + " " + w })
}

// changesRequests says whether the code may set whom a request asks.
func (p *pyReader) changesRequests() bool {
	for i, t := range p.toks {
		if t.kind == 'n' && (t.text == "set_proxy" || is(p.toks, i-1, ".") && hasWord("full_url host type selector method get_method", t.text) && is(p.toks, i+1, "=") && !is(p.toks, i+2, "=")) {
			return true
		}
	}
	return false
}

// marksFetches notes the words of packages whose calls are judged: imports of one all of whose uses
// are such calls, or names of it that ask nobody, and these uses.
func (p *pyReader) marksFetches(i int) {
	for _, mod := range strings.Fields(pyWeb) {
		if p.names[i] && p.toks[i].text == mod && !is(p.toks, i-1, ".") && p.onlyFetches(mod) || p.webUse(i, mod) {
			p.handled[p.toks[i].at] = true
		}
	}
}

// webUse says whether the package stands at i for one of its names that is judged.
func (p *pyReader) webUse(i int, mod string) bool {
	return !p.names[i] && !is(p.toks, i-1, ".") && p.moduleAt(i, mod) && is(p.toks, i+1, ".") && i+2 < len(p.toks) && (hasWord(pyWebNames, p.toks[i+2].text) || p.toks[i+2].at >= 0 && p.handled[p.toks[i+2].at])
}

// onlyFetches says whether a package is imported as a whole and only used so.
func (p *pyReader) onlyFetches(mod string) bool {
	for i, t := range p.toks {
		switch {
		case t.kind != 'n':
		case p.names[i] && t.text == mod:
			if is(p.toks, i-1, "from") || is(p.toks, i+1, ".") || is(p.toks, i-1, ".") {
				return false
			}
		case !p.names[i] && !is(p.toks, i-1, ".") && (t.text == mod || p.moduleAt(i, mod)) && !p.webUse(i, mod):
			return false
		}
	}
	return true
}

// onlyAsks says whether the code asks a server and uses no package but those whose calls are all
// judged, so that a text which looks like a path of a file is one of that server.
func (p *pyReader) onlyAsks() bool {
	return p.asks && !p.star && !slices.ContainsFunc(p.others, func(mod string) bool { return !hasWord(pyWeb, mod) || !p.onlyFetches(mod) })
}
