package scope

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about addresses that a user's message named.

// address is a typed address as it is compared, without its fragment; empty where it is none that
// stands for itself: one with a user, of this machine or of a network that only some can reach, and
// one with characters that shells and programs take for more than one address.
func address(text string) string {
	text, _, _ = strings.Cut(text, "#")
	to, rest, ok := takenApart(text)
	if !ok || to.IP != "" || to.Scheme != "http" && to.Scheme != "https" || !public(to.Domain) {
		return ""
	}
	if strings.ContainsAny(rest, " \t\\\"'`<>{}[]|^*…\n") || strings.ContainsFunc(rest, func(r rune) bool { return r < ' ' || r > '~' }) {
		return ""
	}
	return text
}

// public says whether a name may be one of the public network: those that are set apart for others
// (RFC 6761, 6762, 8375; ICANN's reservation of internal) are none.
func public(domain string) bool {
	i := strings.LastIndexByte(domain, '.')
	if i < 0 {
		return false
	}
	switch domain[i+1:] {
	case "local", "localhost", "internal", "arpa", "onion", "invalid", "test", "lan", "home", "corp", "intranet", "private", "localdomain":
		return false
	}
	return true
}

// takenApart is an address as where it goes and what is asked for there; ok is false for one with a
// user.
func takenApart(text string) (to effect.Net, rest string, ok bool) {
	text, _, _ = strings.Cut(text, "#")
	_, after, ok := strings.Cut(text, "://")
	if !ok {
		return to, "", false
	}
	if i := strings.IndexAny(after, "/?"); i >= 0 {
		after, rest = after[:i], after[i:]
	}
	if rest == "" || rest[0] == '?' {
		rest = "/" + rest
	}
	to, ok = effect.ParseURL(text, "")
	return to, rest, ok && !strings.Contains(after, "@")
}

// isAt says whether an effect asks for just that address. One over https is as good as the one over http
// that was typed.
func (p *namedPlace) isAt(e *gates.Effect) bool {
	if p.URL == "" || e.Op != effect.OpFetch || e.Sensitive || e.Deferred || e.Glob || e.Loses {
		return false
	}
	to, rest, ok := takenApart(p.URL)
	at, asked, fine := takenApart(e.Resource)
	if !ok || !fine || rest != asked || at != e.Net {
		return false
	}
	if to.Scheme == "http" && to.Port == 80 && at.Scheme == "https" && at.Port == 443 {
		to.Scheme, to.Port = at.Scheme, at.Port
	}
	return to == at
}

// fetches says whether a call asks for an address and says nothing but how the answer is shown, or into
// which file it goes.
func fetches(c *gates.Context, e *gates.Effect, i int) bool {
	if slices.Contains(c.Content, "credentials") {
		return false
	}
	if c.Command == "" {
		return c.OnlyFetches(e)
	}
	saves := false
	for k := range c.Effects {
		switch x := &c.Effects[k]; x.Kind {
		case effect.Read, effect.List:
		case effect.Spawn:
			if x.Op != effect.OpRun {
				return false
			}
		case effect.Write:
			saves = saves || x.Zone != effect.ZoneStream
		case effect.Network:
			if x.Op != effect.OpFetch {
				return false
			}
		default:
			return false
		}
	}
	runs := slices.DeleteFunc(slices.Clone(c.Runs()), func(r effect.Run) bool { return path.Base(r.Words[0]) == "cd" })
	asks := false
	for k := range runs {
		r := &runs[k]
		words, into, named := withoutFile(r.Words)
		switch {
		case gates.OnlyShows(words):
			if r.Given || r.Contained || r.Background || len(r.Unlisted) > 0 || into && !named && !ordinary(c, r, e) {
				return false
			}
			asks, saves = asks || slices.Contains(r.Effects, i), saves || into
		case !looksOnly(r) || path.Base(r.Words[0]) == "git":
			return false
		}
	}
	return asks && (!saves || len(runs) == 1)
}

// clonesIt says whether an effect is that git clones just that repository, with options that say how much of
// it and how that is told (git-clone(1)), into a temporary directory. What is run of it there is asked about.
func (p *namedPlace) clonesIt(c *gates.Context, e *gates.Effect, i int) bool {
	if p.URL == "" || e.Op != effect.OpFetch || e.Deed != "clone" || e.Deferred || e.Loses || slices.Contains(c.Content, "credentials") {
		return false
	}
	to, rest, ok := takenApart(p.URL)
	repo := func(rest string) string { return strings.TrimSuffix(strings.TrimSuffix(rest, "/"), ".git") }
	if !ok || to.Scheme != "https" || to.Port != 443 || strings.Contains(rest, "?") || e.Resource != to.Domain+repo(rest) {
		return false
	}
	cloned := false
	for _, r := range c.Runs() {
		if r.Tool != "git clone" {
			if !looksOnly(&r) {
				return false
			}
			continue
		}
		if !slices.Contains(r.Effects, i) || r.Given || r.Contained || r.Background || len(r.Unlisted) > 0 || len(r.Names) == 0 || r.Words[1] != "clone" || Computed(r.Words) || !plainClone(r.Words[2:]) {
			return false
		}
		into := strings.TrimSuffix(path.Base(strings.TrimSuffix(r.Names[0], "/")), ".git")
		if len(r.Names) > 1 {
			into = r.Names[1]
		}
		places := c.Places()
		if z, _, _ := places.Where(places.Resolve(r.Cwd, into)); z != effect.ZoneTemp || len(r.Names) > 2 {
			return false // in the workspace its next test run would take it along
		}
		at, asked, fine := takenApart(r.Names[0])
		if cloned = fine && at == to && repo(asked) == repo(rest); !cloned {
			return false
		}
	}
	return cloned
}

// plainClone says whether the options of git clone are such.
func plainClone(words []string) bool {
	for i := 0; i < len(words); i++ {
		name, _, joined := strings.Cut(words[i], "=")
		switch name {
		case "--depth", "--branch", "-b", "--shallow-since", "--filter":
			if !joined {
				i++
			}
		case "--single-branch", "--no-single-branch", "--no-tags", "--quiet", "-q", "--verbose", "-v", "--progress", "--":
		default:
			if strings.HasPrefix(name, "-") {
				return false
			}
		}
	}
	return true
}

// ordinary says whether a file may come to be that a run calls as the address does: in the workspace or a
// temporary directory, where none is, by a name that nothing loads unasked.
func ordinary(c *gates.Context, r *effect.Run, e *gates.Effect) bool {
	_, rest, _ := takenApart(e.Resource)
	rest, _, asked := strings.Cut(rest, "?")
	name := path.Base(rest)
	if asked || strings.HasSuffix(rest, "/") || strings.ContainsAny(name, "%\\") || name[0] == '.' || name == "/" {
		return false
	}
	places := c.Places()
	file := places.Resolve(r.Cwd, name)
	z, sensitive, protected := places.Where(file)
	return (z == effect.ZoneWorkspace || z == effect.ZoneTemp) && !sensitive && !protected && !(places.There != nil && places.There(file))
}

// withoutFile are the words of curl or wget without the file that the answer goes into, whether it
// goes into one, and whether the words name it.
func withoutFile(words []string) (rest []string, saves, named bool) {
	program := words[0]
	rest = []string{program}
	into := func(file string) {
		saves = saves || file != "-" && file != "/dev/null"
		named = true
	}
	for i := 1; i < len(words); i++ {
		w := words[i]
		letters := len(w) > 1 && w[0] == '-' && w[1] != '-'
		next := i+1 < len(words) && (!strings.HasPrefix(words[i+1], "-") || words[i+1] == "-")
		switch {
		case program == "curl" && w == "--remote-name":
			saves = true
		case program == "curl" && letters && strings.HasSuffix(w, "O"):
			saves = true
			rest = appendLetters(rest, w)
		case program == "curl" && letters && strings.Contains(w, "O"): // -sOL, or a value that has the letter
			saves = true
			rest = append(rest, w)
		case next && (program == "curl" && w == "--output" || program == "wget" && w == "--output-document"):
			i++
			into(words[i])
		case next && letters && (program == "curl" && strings.HasSuffix(w, "o") || program == "wget" && strings.HasSuffix(w, "O")):
			i++
			into(words[i])
			rest = appendLetters(rest, w)
		case program == "wget" && letters && strings.HasSuffix(w, "O-"):
			into("-")
			rest = appendLetters(rest, w[:len(w)-1])
		default:
			rest = append(rest, w)
		}
	}
	if program == "wget" {
		saves = saves || !named && !slices.Contains(rest, "--spider")
		rest = append(rest, "-O-")
	}
	return rest, saves, named
}

// appendLetters adds a word of letters without the last of them.
func appendLetters(words []string, w string) []string {
	if len(w) > 2 {
		return append(words, w[:len(w)-1])
	}
	return words
}
