package redact

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
)

// hostRE finds what stands where a mail address or a URL names its host.
var hostRE = regexp.MustCompile(`(?:@|://(?:[^@/\s]*@)?)([^\s/@:?#]+)`)

// hiddenHost begins what stands for a host; its top-level domain is kept from use
// (RFC 2606, section 2), so that no real host has such a name.
const (
	hiddenHost = "d-"
	hiddenZone = ".invalid"
)

// isHost says whether a text names a host of the network and not this machine or a
// number: it has a dot, and a letter behind the last.
func isHost(s string) bool {
	i := strings.LastIndexByte(s, '.')
	return i > 0 && strings.ContainsAny(strings.ToLower(s[i:]), "abcdefghijklmnopqrstuvwxyz") && !strings.HasSuffix(s, hiddenZone)
}

// Hosts are the names of hosts that a context shows, in lower case, sorted. A
// redacted one still does: gates are learned over them.
func Hosts(c *gates.Context) []string {
	var out []string
	eachHost(c, func(name string) string {
		out = append(out, name)
		return name
	})
	slices.Sort(out)
	return slices.Compact(out)
}

// HideHosts returns a copy of a redacted context in which these hosts stand as
// digests: equal ones stay equal, and redacting it again changes nothing.
func HideHosts(c *gates.Context, names []string) gates.Context {
	return eachHost(c, func(name string) string {
		if _, ok := slices.BinarySearch(names, name); !ok {
			return name
		}
		return hiddenHost + digest(name) + hiddenZone
	})
}

// eachHost returns a copy in which every host's name is what f makes of it.
func eachHost(c *gates.Context, f func(name string) string) gates.Context {
	one := func(s string) string {
		var b strings.Builder
		at := 0
		for _, m := range hostRE.FindAllStringSubmatchIndex(s, -1) {
			name := strings.ToLower(s[m[2]:m[3]])
			if !isHost(name) {
				continue
			}
			if to := f(name); to != name {
				b.WriteString(s[at:m[2]] + to)
				at = m[3]
			}
		}
		b.WriteString(s[at:])
		return b.String()
	}
	all := func(list []string) []string {
		out := slices.Clone(list)
		for i := range out {
			out[i] = one(out[i])
		}
		return out
	}
	out := *c
	out.Args = slices.Clone(c.Args)
	for i := range out.Args {
		out.Args[i].Value = one(out.Args[i].Value)
	}
	out.Effects = slices.Clone(c.Effects)
	for i := range out.Effects {
		e := &out.Effects[i]
		e.Resource, e.Argv, e.Deed, e.Ref = one(e.Resource), one(e.Argv), one(e.Deed), one(e.Ref)
		if isHost(e.Net.Domain) {
			e.Net.Domain = f(e.Net.Domain)
		}
	}
	out.History = slices.Clone(c.History)
	for i := range out.History {
		out.History[i].Resource = one(out.History[i].Resource)
	}
	out.Flow.Derived, out.Flow.Unvetted = all(c.Flow.Derived), all(c.Flow.Unvetted)
	return out
}
