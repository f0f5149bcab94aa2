package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file reads the words of HTTPie and of xh, which takes the same: a method that may
// be left out, an address, and items that are query parameters, headers or data (HTTPie's
// manual, Request items; xh(1)). An item with an @ in its separator names a file that is
// sent. A form without a host is an address of this machine.

// httpieWord reads one word. Whatever is asked goes where the address says, its input with
// it: to another machine it is sent.
func (r *toolRun) httpieWord(word string) {
	switch {
	case r.told:
		r.requestItem(word)
	case r.method == "" && httpMethod(word):
		r.method = strings.ToUpper(word) // the next word is the address
	default:
		r.told = true
		r.m.url(effect.OpSend, localAddress(word), "http")
	}
}

// httpMethod says whether the first of several words is a method and not a host's name.
func httpMethod(word string) bool {
	switch strings.ToUpper(word) {
	case "GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE":
		return true
	}
	return false
}

// localAddress writes HTTPie's short form for this machine out: :, :8000, :/a and :8000/a.
func localAddress(word string) string {
	rest, ok := cutPrefix(word, ":")
	if !ok || strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "//") {
		return word
	}
	port := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
	rest = rest[len(port):]
	if rest != "" && rest[0] != '/' && rest[0] != '?' {
		return word
	}
	if port != "" {
		port = ":" + port
	}
	return "http://localhost" + port + rest
}

// requestItem reads the file that an item names: NAME@FILE, and what stands behind an @
// that ends a separator.
func (r *toolRun) requestItem(item string) {
	i := strings.IndexAny(item, ":=@;")
	if i < 0 {
		r.m.escape(r.t.name + " " + item)
		return
	}
	rest := strings.TrimLeft(item[i:], ":=")
	if file, ok := cutPrefix(rest, "@"); ok {
		file, _, _ = cutAt(file, ";type=")
		r.m.read(file)
	}
}
