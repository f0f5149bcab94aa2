package effect

import (
	"slices"
	"strings"
)

// Remote returns the canonical name of a repository from the address that git and
// the tools of its hosts take for it: HOST/PATH in lower case, without user, the
// scheme's own port and ".git" (git-fetch(1), GIT URLS: a scheme, or HOST:PATH for ssh).
// It is empty for what is no such address, a path of this machine among them, and for
// schemes by which anybody on the way can answer (http, git).
func Remote(address string) string {
	rest, scp := address, true
	if scheme, after, ok := strings.Cut(address, "://"); ok {
		switch scheme {
		case "https", "ssh", "git+ssh":
		default:
			return ""
		}
		rest, scp = after, false
	}
	cut := strings.IndexByte(rest, '/')
	if scp {
		colon := strings.IndexByte(rest, ':')
		if colon <= 0 || cut >= 0 && cut < colon { // a path with a colon in it
			return ""
		}
		cut = colon
	}
	if cut <= 0 {
		return ""
	}
	host, path := rest[:cut], strings.Trim(rest[cut+1:], "/")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	host = strings.TrimSuffix(strings.TrimSuffix(host, ":22"), ":443")
	path = strings.TrimSuffix(path, ".git")
	if host == "" || path == "" || strings.Contains(path, "..") {
		return ""
	}
	return strings.ToLower(host + "/" + path)
}

// IsRemote says whether an address is that of a repository that the configuration of
// the workspace names.
func (p *Places) IsRemote(address string) bool {
	r := Remote(address)
	return r != "" && slices.Contains(p.Remotes, r)
}

// homeHost is the host that gh takes for OWNER/NAME without one (gh help environment,
// GH_HOST).
const homeHost = "github.com"

// HasRemote says whether a word is in a repository that the configuration of the
// workspace names: its address with what may follow below it, as the pages of a host
// have it, or OWNER/NAME as gh writes it.
func (p *Places) HasRemote(word string) bool {
	at := Remote(word)
	if at == "" {
		at = homeHost + "/" + strings.ToLower(word)
	}
	return slices.ContainsFunc(p.Remotes, func(known string) bool {
		rest, ok := strings.CutPrefix(at, known)
		return ok && strings.Count(known, "/") > 1 && (rest == "" || rest[0] == '/' || rest[0] == '?')
	})
}
