package origin

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxParts bounds the parts of one value that are looked up.
const maxParts = 64

// parts judges a value that nothing holds as a whole by the names in it:
// hosts, addresses, account numbers. The worst of them decides: text before
// fields, addresses before numbers. mark says how the value has it.
func (x *Index) parts(value string) (best found, mark string) {
	worst := 0
	single := strings.IndexFunc(strings.TrimSpace(value), unicode.IsSpace) < 0
	for _, p := range names(value) {
		if x.inTask(p) {
			continue
		}
		f := x.lookup(p)
		if !f.ok() && address(p) {
			f = x.host(fold(p))
		}
		put := false
		if !f.ok() && single { // in prose, pieces meet by chance
			f = x.pieces(p)
			put = true
		}
		if !f.ok() {
			continue
		}
		rank := 1
		if f.part {
			rank += 2
		}
		if address(p) {
			rank++
		}
		if rank > worst {
			best, worst, mark = f, rank, markOf(p, put)
			if mark == Address && single && x.beyond(value, p) {
				mark += Beyond
			}
		}
	}
	return best, mark
}

// The marks of a value that no result holds as it is.
const (
	Joined  = "+" // results hold it in pieces
	Number  = "&" // it carries a number or a date
	Address = "@" // it carries a host or an address
	Beyond  = "/" // behind Address: and a path or query that neither results nor the task hold
)

// Note stands before Text in the form of words with an address in them that a
// text dictates: all of them, or hardly more than the address.
const Note = "!"

// maxNote is the length up to which words hold hardly more than an address.
// Chosen on the shared AgentDojo runs, each task left out in turn: with 64 and
// with 128, 14 of 626 good runs are asked about, with 256 17, and as many harmful
// calls are stopped.
const maxNote = 128

func note(value, mark string) bool {
	if mark != "" && (mark != Address || len(value) > maxNote) || strings.IndexFunc(strings.TrimSpace(value), unicode.IsSpace) < 0 {
		return false
	}
	return slices.ContainsFunc(names(value), address)
}

// beyond says whether a URL goes on behind its host with something of the agent's:
// not one that results hold without its scheme, nor words of the task alone.
func (x *Index) beyond(value, host string) bool {
	h, rest := splitURL(strings.TrimSpace(undress(value)))
	bare := bareURL(fold(value))
	word, whole := x.word(bare), x.whole(bare)
	if h != host || word.ok() || whole.ok() {
		return false
	}
	return slices.ContainsFunc(strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune("/?&=#", r) }), func(s string) bool { return !x.inTask(s) })
}

func markOf(name string, joined bool) string {
	switch {
	case joined:
		return Joined
	case address(name):
		return Address
	}
	return Number
}

// address says whether a name is one that leads somewhere.
func address(name string) bool {
	if strings.Contains(name, "@") {
		return true
	}
	i := strings.LastIndexByte(name, '.')
	return i > 0 && i < len(name)-2 && strings.IndexFunc(name[i+1:], func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}

// host finds a host in the links of a text, where a path goes on behind it.
func (x *Index) host(v string) found {
	for from, n := 0, 0; n < maxHits; n++ {
		i := bytes.Index(x.text[from:], []byte(v))
		if i < 0 {
			break
		}
		i += from
		from = i + len(v)
		before, after := x.text[i-1], x.text[from]
		if (before == '/' || boundaryBefore(x.text, i)) && (strings.IndexByte("/:?#", after) >= 0 || boundaryAfter(x.text, from)) {
			s := x.at(i, inText)
			return found{result: s.result, span: s, part: s.free || !x.oneWord(s)}
		}
	}
	return found{}
}

// names returns the parts of a value that name something by themselves: words
// with an at sign or an inner dot, and words that hold digits. Hosts come
// without the rest of their URL, and as their own registered name would.
func names(value string) []string {
	var out []string
	seen := map[string]bool{}
	add := func(s string) {
		if utf8.RuneCountInString(s) >= 4 && !seen[s] && len(out) < maxParts {
			seen[s] = true
			out = append(out, s)
		}
	}
	for _, w := range strings.FieldsFunc(undress(value), notInName) {
		w = strings.Trim(w, ".,:;-_~?#&=/")
		if !telling(w) {
			continue
		}
		host, rest := splitURL(w)
		if host != "" {
			add(host)
			for _, q := range strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune("/?&=#", r) }) {
				if telling(q) {
					add(q)
				}
			}
			continue
		}
		add(w)
	}
	return out
}

func notInName(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("\"'`()<>[]{},;|!*", r)
}

// telling says whether a word is a name rather than prose.
func telling(w string) bool {
	letters, digits, dots := 0, 0, 0
	for i, r := range w {
		switch {
		case r == '@' || r == '/':
			return len(w) > 3
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		case r == '.' && i > 0 && i < len(w)-1:
			dots++
		}
	}
	return dots > 0 && letters > 3 || digits >= 4
}

// splitURL splits a word that is a URL, with or without its scheme, into the
// host and the rest. host is empty for anything else.
func splitURL(w string) (host, rest string) {
	scheme, after, has := strings.Cut(w, "://")
	if !has {
		after = w
	} else if strings.ContainsAny(scheme, "/.@") {
		return "", ""
	}
	i := strings.IndexAny(after, "/?#")
	if i < 0 {
		i = len(after)
	}
	host, rest = after[:i], after[i:]
	if j := strings.LastIndexByte(host, '@'); j >= 0 {
		if !has {
			return "", "" // an address
		}
		host = host[j+1:]
	}
	if !has && !strings.Contains(host, ".") {
		return "", ""
	}
	return host, rest
}

// bareURL drops a URL's scheme and trailing slash: people write addresses
// without them. v is folded.
func bareURL(v string) string {
	for _, s := range [...]string{"https://", "http://"} {
		v = strings.TrimPrefix(v, s)
	}
	return strings.TrimSuffix(v, "/")
}
