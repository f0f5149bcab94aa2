package effect

import "strings"

// Repository is what a repository says of where it connects to, as the host read it in
// its configuration. Its zero value names nothing.
type Repository struct {
	Top     string        // the work tree's directory; empty where the host does not say
	Remotes []NamedRemote // in the order of the configuration
	Branch  string        // that is checked out; empty where none is
	Fetches string        // the remote that a fetch goes to which names none
	Sends   string        // the remote that a push goes to which names none
	Pushes  string        // the branch there that such a push changes; empty where it is not one alone
	Base    string        // the remote whose repository gh takes; empty where people have not chosen
	Default string        // the branch that Sends says is its own default; empty where that is not known
	Unsent  bool          // Sends has no branch of the name of Branch, as far as was fetched
	Maps    bool          // a push that names a branch and no other one may change another one
	Widens  bool          // a push takes along more than the branches that it names
}

// NamedRemote is a remote: its name, and where it is, as Remote writes it or, for what
// Remote does not know, as the configuration has it.
type NamedRemote struct {
	Name, Fetch string
	Push        string // empty: as Fetch
}

// At is where a remote is, for fetching or for pushing.
func (r *Repository) At(name string, push bool) (string, bool) {
	for _, x := range r.Remotes {
		switch {
		case x.Name != name:
		case push && x.Push != "":
			return x.Push, true
		default:
			return x.Fetch, x.Fetch != ""
		}
	}
	return "", false
}

// BaseOf is the repository that gh works on: the one that people chose, or the only one
// that the remotes name (gh repo set-default --help). With several and no choice gh asks.
func (r *Repository) BaseOf() (string, bool) {
	if r.Base != "" {
		return r.At(r.Base, false)
	}
	base := ""
	for _, x := range r.Remotes {
		if base != "" && x.Fetch != base {
			return "", false
		}
		base = x.Fetch
	}
	return base, base != ""
}

// RepositoryOf is the repository that a word names to gh: an address of a page, OWNER/NAME
// or HOST/OWNER/NAME. It is empty for what names none.
func RepositoryOf(word string) string {
	if at := Remote(word); at != "" {
		if parts := strings.SplitN(at, "/", 4); len(parts) > 2 {
			return strings.Join(parts[:3], "/")
		}
		return at
	}
	switch parts := strings.Split(strings.ToLower(word), "/"); {
	case strings.Contains(word, "..") || strings.Contains(word, ":") || strings.HasPrefix(word, "/") || strings.HasSuffix(word, "/"):
	case len(parts) == 2:
		return homeHost + "/" + strings.Join(parts, "/")
	case len(parts) == 3 && strings.Contains(parts[0], "."):
		return strings.Join(parts, "/")
	}
	return ""
}

// HomeHost is the host whose interface gh takes where nobody names another.
const HomeHost = homeHost
