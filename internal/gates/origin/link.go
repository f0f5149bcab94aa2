package origin

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// Where the addresses and links in words come from; of several the first of these
// that holds. Empty for words without any, and for what is nothing but one: its
// origin says that.
const (
	LinkText     = "text"     // out of a text, and the run has not followed it
	LinkAgent    = "agent"    // nothing seen so far holds it
	LinkField    = "field"    // out of a field
	LinkFollowed = "followed" // the run gave it to a call before: the words are about what it led to
	LinkTask     = "task"     // the task names it
)

// Link says where the addresses and links in words come from: what is sent to
// somebody who is trusted leads on to them.
func (x *Index) Link(words string) string {
	if strings.IndexFunc(strings.TrimSpace(words), unicode.IsSpace) < 0 {
		return ""
	}
	links := [...]string{LinkText, LinkAgent, LinkField, LinkFollowed, LinkTask}
	worst := len(links)
	for _, n := range names(words) {
		if address(n) || leads(n) {
			worst = min(worst, slices.Index(links[:], x.link(n)))
		}
	}
	if worst == len(links) {
		return ""
	}
	return links[worst]
}

func (x *Index) link(name string) string {
	if x.inTask(name) {
		return LinkTask
	}
	v := fold(name)
	if slices.Contains(x.followed, site(v)) {
		return LinkFollowed
	}
	f := x.lookup(name)
	if !f.ok() {
		f = x.host(v)
	}
	switch {
	case !f.ok():
		return LinkAgent
	case f.part && (f.span.free || !x.oneWord(f.span)): // the host of a link that is a field's is not a text's
		return LinkText
	}
	return LinkField
}

// site is a folded host without the www that people leave out.
func site(v string) string { return strings.TrimPrefix(v, "www.") }

// follow notes the addresses that a call opened, each of them the whole of an
// argument: words that have one do not follow it, nor does a search for it.
func (x *Index) follow(tool string, given []pending) {
	if call.Classify(tool).Verb != effect.VerbNavigate {
		return
	}
	for _, a := range given[:min(len(given), maxOwn)] {
		if queries(a.path) || strings.IndexFunc(strings.TrimSpace(a.value), unicode.IsSpace) >= 0 {
			continue
		}
		for _, n := range names(a.value) {
			if v := site(fold(n)); address(n) && !slices.Contains(x.followed, v) && len(x.followed) < maxNames && len(v) <= maxIdentity {
				x.followed = append(x.followed, v)
			}
		}
	}
}
