package gates

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about public pages of forges. Anybody writes there. Who asks for one tells the
// forge which, and nobody else, as at a site of documentation (but see countedPage); what comes
// back is strangers' text. It is read, and goes nowhere else: no file, and no program but such as print it.

// forges are where the pages of repositories lie ("*/*" is an owner and a repository, "*" a
// number or a name), and what is asked for there ("-" is nothing). Not among them: what is counted for the
// owner to see or is downloaded (archives, assets of releases, clones), and pages where the
// owner has visitors sent on to any address: issues and wikis of Forgejo and the list of
// issues of GitLab (external trackers), links of GitLab's releases.
var forges = [...]struct{ at, pages string }{
	{"api.github.com/gists/*", "-"},
	{"api.github.com/orgs/*", "- repos"},
	{"api.github.com/repos/*/*", "- branches comments commits compare contents contributors git issues labels languages license milestones pulls readme releases tags topics"},
	{"api.github.com/search", "commits code issues labels repositories topics users"},
	{"api.github.com/users/*", "- gists repos"},
	{"codeberg.org/*/*", "blame commit commits raw releases src tags"},
	{"codeberg.org/api/v1/repos/*/*", "- branches commits contents git issues languages pulls raw releases tags topics"},
	{"gist.github.com/*/*", "- raw"},
	{"gist.githubusercontent.com/*/*", "raw"},
	{"github.com/*/*", "- blob branches commits discussions issues labels milestones pull pulls raw releases tags tree"},
	{"gitlab.com/*/*", "-"},
	{"gitlab.com/*/*/-", "blame blob branches commit commits compare merge_requests raw releases tags tree"},
	{"gitlab.com/*/*/*/-", "blame blob branches commit commits compare merge_requests raw releases tags tree"},
	{"gitlab.com/*/*/*/*/-", "blame blob branches commit commits compare merge_requests raw releases tags tree"},
	{"gitlab.com/api/v4/projects/*", "- issues languages merge_requests releases repository"},
	{"raw.githubusercontent.com/*/*", "**"},
}

// Forges is State.Forges.
func Forges(c *Context, e *Effect) bool {
	if e.Op != effect.OpFetch && e.Op != effect.OpProbe || e.Net.Scheme != "https" || e.Net.Port != 443 || e.Deferred || isAmong(c.Content, "credentials") {
		return false
	}
	where, query, asked := cutAt(trimPrefix(e.Resource, "https://"), "?")
	if query, _, _ = cutAt(query, "#"); asked && !forgeQuery(where, query) {
		return false
	}
	plain := *e
	plain.Resource = where
	host, page, ok := plainAddress(&plain)
	return ok && forgePage(host+page) && c.shownAlone(e)
}

// forgePage says whether an address is such a page.
func forgePage(address string) bool {
	parts := strings.Split(trimSuffix(address, "/"), "/")
	if slices.ContainsFunc(parts, random) {
		return false
	}
	for _, f := range forges {
		shape := strings.Split(f.at, "/")
		if len(parts) < len(shape) || !slices.EqualFunc(shape, parts[:len(shape)], forgePart) {
			continue
		}
		rest := parts[len(shape):]
		switch {
		case len(rest) == 0:
			if strings.HasPrefix(f.pages, "-") {
				return true
			}
		case f.pages == "**":
			return len(rest) > 1
		case shape[len(shape)-1] == "-" && rest[0] == "issues":
			if len(rest) == 2 && number(rest[1]) {
				return true
			}
		case rest[0] == "-" || !mark.Among(f.pages, rest[0]):
		case parts[0] == "github.com":
			if countedPage(rest) {
				return true
			}
		case rest[0] == "releases":
			// What else lies there are files, and links to anywhere.
			if len(rest) < 3 || len(rest) == 3 && (rest[1] == "tag" || rest[1] == "tags") {
				return true
			}
		case rest[0] == "repository":
			if len(rest) > 1 && mark.Among("branches commits tags tree", rest[1]) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// countedPage says whether a page at github.com itself is a list, or is told from others by a number, a version
// or a file's name as everybody has it. GitHub shows the owner of a repository which of its pages
// were opened most, so nothing may stand in their path that could be anything.
func countedPage(rest []string) bool {
	numbered := func(part string) bool { return len(part) < 8 && number(part) }
	switch {
	case len(rest) == 1:
		return rest[0] != "blob" && rest[0] != "raw" && rest[0] != "tree" && rest[0] != "pull"
	case len(rest) == 2 && rest[0] == "pull":
		at := trimSuffix(trimSuffix(rest[1], ".diff"), ".patch")
		return numbered(at)
	case len(rest) == 2:
		return (rest[0] == "issues" || rest[0] == "discussions") && numbered(rest[1]) || rest[0] == "releases" && rest[1] == "latest" || rest[0] == "tree" && version(rest[1])
	case len(rest) > 3:
		return false
	case rest[0] == "pull":
		return numbered(rest[1]) && (rest[2] == "files" || rest[2] == "commits" || rest[2] == "checks")
	case rest[0] == "releases":
		return rest[1] == "tag" && version(rest[2])
	}
	return (rest[0] == "blob" || rest[0] == "raw") && version(rest[1]) && mark.Among(everybodysFiles, rest[2])
}

// everybodysFiles are names that files at the top of repositories have. Sorted.
const everybodysFiles = "CHANGELOG.md CHANGES.md CONTRIBUTING.md Cargo.toml Gemfile LICENSE LICENSE.md Makefile README README.md README.rst SECURITY.md action.yml composer.json go.mod package.json pom.xml pyproject.toml setup.py"

// version says whether a name is that of a main branch or of a version.
func version(name string) bool {
	numbers := trimPrefix(name, "v")
	return name == "main" || name == "master" || len(name) < 12 && numbers != "" && strings.Trim(numbers, "0123456789.") == ""
}

// forgePart says whether a part of an address is one of a shape.
func forgePart(shape, part string) bool {
	return shape == part || shape == "*" && part != "" && plainBytes(part[:1], "")
}

// random says whether a part of an address has a word as keys and encoded data have them: a
// long one, or one of letters and digits that is no name of a commit or of a gist.
func random(part string) bool {
	for word := range strings.FieldsFuncSeq(part, func(r rune) bool { return strings.ContainsRune("-._~+,@=", r) }) {
		hex := strings.Trim(word, "0123456789abcdef") == "" && (len(word) <= 40 || len(word) == 64)
		if !hex && (len(word) > 40 || len(word) > 20 && strings.ContainsAny(word, "0123456789")) {
			return true
		}
	}
	return false
}

// forgeQuery says whether a query of a forge's interface chooses among what is there: the words
// of a search, a page of a list, a version.
func forgeQuery(where, query string) bool {
	search := strings.HasPrefix(where, "api.github.com/search/")
	if len(query) > maxQuery || !search && !strings.HasPrefix(where, "api.github.com/repos/") {
		return false
	}
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := cutAt(pair, "=")
		switch name {
		case "page", "per_page":
			if !number(value) {
				return false
			}
		case "direction", "order", "sort", "state":
			if !plainBytes(value, "-_") || len(value) > 20 {
				return false
			}
		case "ref", "sha":
			if !plainBytes(value, "-._") || random(value) {
				return false
			}
		case "q":
			if !search {
				return false
			}
			for _, escape := range [...]string{"%20", "%22", "%3A", "%2F"} {
				value = strings.ReplaceAll(value, escape, "+")
			}
			if !plainBytes(value, "-._+:,/") || strings.Contains(value, "//") || slices.ContainsFunc(strings.Split(value, "/"), random) || slices.ContainsFunc(strings.Split(value, ":"), random) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// shownAlone says whether a call does nothing but read pages and files, and print them: by a tool of the
// host's that takes an address, or by curl or wget with programs that print what they are given.
// A browser may have its user's login, and so may wget have one in a file of the home.
func (c *Context) shownAlone(e *Effect) bool {
	for i := range c.Effects {
		switch x := &c.Effects[i]; x.Kind {
		case effect.Network:
			if x.Op != effect.OpFetch && x.Op != effect.OpProbe {
				return false
			}
		case effect.Read, effect.List:
		case effect.Spawn:
			if x.Op != effect.OpRun {
				return false
			}
		case effect.Write:
			if x.Zone != effect.ZoneStream {
				return false
			}
		default:
			return false
		}
	}
	if c.Command == "" {
		return len(c.runs) == 0 && c.Class.Basis == call.BasisBuiltin && c.Class.Family == call.FamilyWeb && c.OnlyFetches(e)
	}
	asks := false
	for k := range c.runs {
		r := &c.runs[k]
		if r.Given || r.Contained || r.Background || len(r.Unlisted) > 0 || len(r.Words) == 0 || slices.ContainsFunc(r.Words, mark.Has) {
			return false
		}
		switch {
		case onlyShows(r.Words):
			if r.Words[0] == "wget" && (c.exists == nil || c.exists(c.Home+"/.netrc")) {
				return false
			}
			asks = asks || slices.Contains(r.Effects, c.indexOf(e))
		case !printsGiven(r.Words):
			return false
		}
	}
	return asks
}

// givenPrinters print what they are given, by whatever words, and do nothing else. Sorted.
const givenPrinters = "cat cd column cut echo egrep fgrep fold grep head jq nl printf tac tail timeout tr true wc"

// printsGiven says whether a program prints what it is given, and does nothing else.
func printsGiven(words []string) bool {
	switch words[0] {
	case "sed":
		return len(words) == 3 && words[1] == "-n" && strings.HasSuffix(words[2], "p") && strings.Trim(words[2], "0123456789,$p;") == ""
	case "base64":
		return len(words) == 2 && (words[1] == "-d" || words[1] == "--decode")
	case "sort", "uniq":
		return !slices.ContainsFunc(words[1:], func(w string) bool {
			return len(w) < 2 || w[0] != '-' || strings.Trim(w[1:], "bcdfghinruVk0123456789,") != ""
		})
	}
	return mark.Among(givenPrinters, words[0])
}
