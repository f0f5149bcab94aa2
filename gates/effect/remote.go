package effect

import "strings"

// Remote returns the canonical name of a repository from the address that git and
// the tools of its hosts take for it: HOST/PATH in lower case, without user, port
// and ".git" (git-fetch(1), GIT URLS: a scheme, or HOST:PATH for ssh). It is empty
// for what is no such address, a path of this machine among them.
func Remote(address string) string {
	rest, scp := address, true
	if scheme, after, ok := strings.Cut(address, "://"); ok {
		switch scheme {
		case "https", "http", "ssh", "git", "git+ssh":
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
	if i := strings.IndexByte(host, ':'); i >= 0 {
		host = host[:i]
	}
	path = strings.TrimSuffix(path, ".git")
	if host == "" || path == "" || strings.Contains(path, "..") {
		return ""
	}
	return strings.ToLower(host + "/" + path)
}

// HasRemote says whether a repository is one that the configuration of the workspace
// names. The word is an address, or OWNER/NAME with what may follow below it, as the
// tools of a host write it.
func (p *Places) HasRemote(word string) bool {
	if r := Remote(word); r != "" {
		for _, known := range p.Remotes {
			if rest, ok := strings.CutPrefix(r, known); ok && (rest == "" || rest[0] == '/') {
				return true
			}
		}
		return false
	}
	word = strings.ToLower(word)
	for _, known := range p.Remotes {
		_, path, _ := strings.Cut(known, "/")
		if rest, ok := strings.CutPrefix(word, path); ok && (rest == "" || rest[0] == '/' || rest[0] == '?') {
			return true
		}
	}
	return false
}
