package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about where the tools of repositories connect to. Without a word that
// says otherwise they go where the configuration of the repository says: that is in
// the workspace, people wrote it, and no call changes it unasked.

// repository takes the name of a repository for what the run reaches. It is the
// workspace's own where a remote of that name is known, or where the word leaves it to
// the tool (gh-api(1): "{owner}/{repo}").
func (r *toolRun) repository(word string) {
	path := trimPrefix(trimPrefix(word, "/"), "repos/")
	left := path == "{owner}/{repo}" || strings.HasPrefix(path, "{owner}/{repo}/")
	if strings.Contains(word, "..") || !left && !r.m.p.HasRemote(path) {
		r.foreign = true
	}
	switch {
	case left:
	case mark.Has(word) && !(r.interfaced() && belowRepository(word)):
		r.vague = true
	case r.interfaced():
		r.place = interfacePlace(word)
	default:
		r.place = effect.RepositoryOf(word)
	}
}

// interfaced says whether the run's words are paths of a host's programming interface. Not inlined, for the size of programs.
//
//go:noinline
func (r *toolRun) interfaced() bool { return r.t.name == "gh api" }

// asksInQuery says whether the fields of a request are a query, because its method only
// reads (gh-api(1), --method), and none of them comes out of a file or is computed.
func (r *toolRun) asksInQuery() bool {
	m := r.m
	if !r.interfaced() || r.method == "" || !readsOnly(r.method) {
		return false
	}
	for _, e := range m.effects[min(r.start, len(m.effects)):] {
		if e.Kind != effect.Network {
			return false
		}
	}
	return !slices.ContainsFunc(m.argv, func(w string) bool {
		return mark.Has(w) || strings.HasPrefix(w, "--in") || strings.Contains(w, "=@")
	})
}

// interfacePlace is the repository that a path of the interface lies in, or the whole host.
func interfacePlace(word string) string {
	path, ok := cutPrefix(trimPrefix(word, "/"), "repos/")
	if parts := strings.SplitN(path, "/", 3); ok && len(parts) > 1 && !strings.Contains(word, "..") {
		parts[1], _, _ = cutAt(parts[1], "?")
		return effect.RepositoryOf(parts[0] + "/" + parts[1])
	}
	return effect.HomeHost
}

// belowRepository says whether a path of the interface of which only the run time knows a part
// names its repository before that part, which leads to no other place.
func belowRepository(word string) bool {
	known := word[:max(0, strings.IndexFunc(word, func(r rune) bool { return r <= mark.Inside }))]
	path, ok := cutPrefix(trimPrefix(known, "/"), "repos/")
	return ok && strings.Count(path, "/") > 1 && firstByte(word, mark.Unknown) < 0
}

// remoteNamed takes the first word of fetch, push and their like: the name of a remote,
// which only the configuration can give a place to, or an address or a path (git-fetch(1),
// GIT URLS and REMOTES).
func (r *toolRun) remoteNamed(word string) {
	switch {
	case word == "" || mark.Has(word):
		r.foreign, r.vague = true, true
	case strings.ContainsAny(word, ":/\\") || word[0] == '.':
		r.foreign = r.foreign || !r.m.p.IsRemote(word)
		r.place = addressOf(word)
	case r.remote == "":
		r.remote = word
	}
}

// addressOf is an address as effects name it.
func addressOf(word string) string {
	if at := effect.Remote(word); at != "" {
		return at
	}
	return word
}

// repo is the repository that a program finds from where it runs, if the host has read it
// and nothing of the line says otherwise.
func (m *machine) repo() (effect.Repository, bool) {
	if m.p.Repo == nil || m.rewired || mark.Has(m.cwd) {
		return effect.Repository{}, false
	}
	for i := range m.vars {
		if placingVar(m.vars[i].name) {
			return effect.Repository{}, false
		}
	}
	repo, ok := m.p.Repo(m.cwd)
	if m.switched {
		repo.Branch, repo.Pushes = "", anyRef
	}
	return repo, ok
}

// anyRef stands for branches that nobody knows, or for more than one.
const anyRef = "*"

// placingVar says whether a variable has a part in where git and gh connect to (git(1),
// Environment Variables; gh help environment).
func placingVar(name string) bool {
	switch name {
	case "GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_NAMESPACE", "GIT_CEILING_DIRECTORIES", "GH_HOST", "GH_REPO", "GH_CONFIG_DIR", "HOME", "XDG_CONFIG_HOME":
		return true
	}
	return strings.HasPrefix(name, "GIT_CONFIG") || strings.HasPrefix(name, "GIT_SSH")
}

// ofRepository marks what the run connects to as named by the repository's own
// configuration, if nothing on the line names another place, and says where it is and
// what is done there.
func (r *toolRun) ofRepository() {
	m := r.m
	switch own := r.t.has(traitOfRepository); {
	case r.t.has(traitOfRegistry):
		r.ofRegistry()
		return
	case r.t.has(traitOfAccount):
		return // when the files that its words name are known
	case r.t.name == "git clone":
		r.cloned()
		return
	case m.prog != "git" && m.prog != "gh" || !own && m.prog == "git":
		return
	case !own:
		r.place, r.foreign = effect.HomeHost, !r.t.has(traitOfHost) || !m.homeHosted() || slices.ContainsFunc(m.argv, mark.Has)
		m.switched = m.switched || r.t.name == "gh pr checkout"
		m.rewired = m.rewired || strings.HasPrefix(r.t.name, "gh repo ")
	}
	repo, known := m.repo()
	to := r.destination(&repo, known)
	named := r.ownPlace(known && to == "" && m.prog == "git")
	deed, ref, loses := r.deed(&repo)
	for i := min(r.start, len(m.effects)); i < len(m.effects); i++ {
		e := &m.effects[i]
		if e.Kind != effect.Network || e.Resource != m.prog {
			continue
		}
		e.Named, e.Deed, e.Ref, e.Loses = named, deed, ref, loses
		e.Payload.Known = e.Payload.Known || e.Op == effect.OpFetch && !slices.ContainsFunc(m.argv, mark.Has)
		switch {
		case to != "":
			e.Resource = show(to)
		case m.p.Repo != nil: // two repositories may have remotes of one name
			e.Resource += " in " + show(m.cwd)
			if r.vague || m.rewired {
				e.Ref = anyRef
			}
		case named && r.remote != "":
			e.Resource = r.remote
		}
	}
}

// homeHosted says whether the repository is at the host that gh takes, as far as anybody has
// looked.
func (m *machine) homeHosted() bool {
	repo, known := m.repo()
	if !known {
		return !m.rewired && m.p.Repo == nil
	}
	at, _ := repo.BaseOf()
	return strings.HasPrefix(at, effect.HomeHost+"/")
}

// ofRegistry marks a question about packages as one that goes to the registry that the
// settings of the workspace and its user name, if every word is the name of a package.
// What else may say where packages come from asks by itself (sourceOption, sourceVar).
func (r *toolRun) ofRegistry() {
	m := r.m
	z, _, _ := m.p.Where(m.cwd)
	if z != effect.ZoneWorkspace || slices.ContainsFunc(r.operands, func(w string) bool { return !packageName(w) }) {
		return
	}
	for i := min(r.start, len(m.effects)); i < len(m.effects); i++ {
		if e := &m.effects[i]; e.Kind == effect.Network && e.Resource == m.prog {
			e.Named = true
		}
	}
}

// maxPackage bounds the name of a package with a version; registries take no longer ones
// (npm: 214).
const maxPackage = 100

// packageName says whether a word is the name of a package in a registry, with a version
// or without, or a field of what it says: no address, no path and nothing computed.
func packageName(w string) bool {
	if mark.Has(w) || len(w) > maxPackage || w == "" || strings.ContainsAny(w[:1], "./~") || strings.Contains(w, "..") || strings.Count(w, "/") > 1 || strings.Count(w, "/") == 1 && w[0] != '@' {
		return false
	}
	return strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@/._-^~=<>") == ""
}

// cloned says which repository is fetched. One that is named by a path is read from the
// disk (git-clone(1), GIT URLS: a path is one without a colon before its first slash).
func (r *toolRun) cloned() {
	if len(r.operands) == 0 {
		return
	}
	m, from := r.m, r.operands[0]
	colon, slash := firstByte(from, ':'), firstByte(from, '/')
	local := !mark.Has(from) && (from == "." || from == ".." || slash >= 0 && (colon < 0 || colon > slash))
	for i := min(r.start, len(m.effects)); i < len(m.effects); i++ {
		switch e := &m.effects[i]; {
		case e.Kind != effect.Network || e.Resource != m.prog:
		case local:
			m.drop(i)
			i--
		default:
			e.Resource, e.Deed = show(addressOf(from)), "clone"
		}
	}
	if local {
		m.read(from)
	}
}

// ownPlace says whether the run goes to a place that the configuration of the workspace's
// own repository names. Where gh's words name the repository, it does not look at the one that it
// runs in (gh-api(1), endpoint; gh help, --repo).
func (r *toolRun) ownPlace(nowhere bool) bool {
	z, _, _ := r.m.p.Where(r.m.cwd)
	if r.foreign || nowhere || z != effect.ZoneWorkspace && (z != effect.ZoneTemp || r.m.prog != "gh" || r.vague || !strings.Contains(r.place, "/")) {
		return false
	}
	return !slices.ContainsFunc(r.operands, func(w string) bool {
		return strings.Contains(w, "://") && !r.m.p.HasRemote(w)
	})
}

// destination is where the run connects to: what its words name, or what the repository
// says. It is empty where nobody knows.
func (r *toolRun) destination(repo *effect.Repository, known bool) string {
	switch {
	case r.vague:
		return ""
	case r.place != "":
		return r.place
	case !known:
		return ""
	case r.m.prog != "git":
		to, _ := repo.BaseOf()
		return to
	}
	push := r.t.name == "git push"
	name := r.remote
	switch {
	case name != "":
	case push:
		name = repo.Sends
	default:
		name = repo.Fetches
	}
	to, _ := repo.At(name, push)
	return to
}

// deed is what the run does at its destination: its subcommand, the branches and tags that
// a push changes, and whether it takes away what is there.
func (r *toolRun) deed(repo *effect.Repository) (deed, ref string, loses bool) {
	deed = trimPrefix(r.t.name, r.m.prog+" ")
	switch {
	case r.interfaced():
		return r.request()
	case deed == "push" && r.m.prog == "git":
		return r.pushed(repo)
	}
	last := deed[lastByte(deed, ' ')+1:]
	return deed, "", last == "delete"
}

// request is the deed of a call of a host's programming interface: its method and path,
// with a star for what numbers one thing of many.
func (r *toolRun) request() (deed, ref string, loses bool) {
	method := r.method
	if method == "" {
		method = "GET"
		if r.sends {
			method = "POST"
		}
	}
	path := ""
	if len(r.operands) > 0 {
		path, _, _ = cutAt(trimPrefix(r.operands[0], "/"), "?")
	}
	parts := strings.Split(path, "/")
	if len(parts) > 2 && parts[0] == "repos" {
		parts = parts[3:]
	}
	for i, p := range parts {
		if strings.ContainsAny(p, "0123456789") || mark.Has(p) {
			parts[i] = "*"
		}
	}
	loses = method != "GET" && method != "HEAD" && method != "QUERY" && method != "POST" && method != "PATCH" || path == "graphql" && method != "QUERY" || mark.Has(path)
	return "api " + method + " " + strings.Join(parts, "/"), "", loses
}

// pushLoses are the long options of git push that overwrite or delete what others have
// (git-push(1)); git takes their beginnings, too.
var pushLoses = [...]string{"--force", "--force-with-lease", "--mirror", "--delete", "--prune"}

// pushed is the deed of git push.
func (r *toolRun) pushed(repo *effect.Repository) (deed, ref string, loses bool) {
	all := false
	at := slices.Index(r.m.argv, "push")
	for _, w := range r.m.argv[at+1:] {
		name, _, _ := cutAt(w, "=")
		switch {
		case w == "--tags" || w == "--all" || w == "--branches" || w == "--follow-tags":
			all = true
		case len(name) > 3 && strings.HasPrefix(name, "--"):
			loses = loses || slices.ContainsFunc(pushLoses[:], func(l string) bool { return strings.HasPrefix(l, name) })
		case len(w) > 1 && w[0] == '-' && w[1] != '-':
			loses = loses || strings.ContainsAny(w, "fd")
		}
	}
	all = all || repo.Widens
	refs := r.operands[min(1, len(r.operands)):]
	if len(refs) == 0 && !all {
		return "push", repo.Pushes, loses
	}
	var names []string
	for _, w := range refs {
		name, gone := pushedRef(w, repo.Branch)
		if repo.Maps && !strings.Contains(w, ":") && w != "HEAD" && w != "@" {
			name = anyRef // git-push(1): remote.NAME.push and push.default=upstream count for it, too
		}
		names, loses = append(names, name), loses || gone
	}
	if all {
		names = append(names, anyRef)
	}
	return "push", strings.Join(names, " "), loses
}

// pushedRef is the branch or tag that a word of git push changes there, and whether the
// word overwrites or deletes it (git-push(1), the refspec).
func pushedRef(word, branch string) (name string, loses bool) {
	word, loses = cutPrefix(word, "+")
	from, to, ok := cutAt(word, ":")
	if ok {
		loses = loses || from == ""
	} else {
		to = from
	}
	if to == "HEAD" || to == "@" {
		if branch == "" {
			return anyRef, loses // that of its own, whichever it is
		}
		to = branch
	}
	if to == "" || mark.Has(to) {
		return anyRef, true
	}
	return trimPrefix(to, "refs/heads/"), loses
}

// branchTold is the branch that is checked out, where git is told to print its name and
// nothing else; empty where that is not known (git-branch(1), git-rev-parse(1),
// git-symbolic-ref(1)).
func (m *machine) branchTold(args []string) string {
	switch strings.Join(args, " ") {
	case "branch --show-current", "rev-parse --abbrev-ref HEAD", "symbolic-ref --short HEAD", "symbolic-ref --short -q HEAD", "symbolic-ref -q --short HEAD":
		if repo, ok := m.repo(); ok && !m.switched {
			return repo.Branch
		}
	case "rev-parse --show-toplevel":
		return m.workTree()
	}
	return ""
}

// gitRemote records that git remote add and set-url change where later calls connect
// to, unless it is a place that the configuration has already (git-remote(1)).
func (m *machine) gitRemote(args []string) {
	if len(args) == 0 || args[0] != "add" && args[0] != "set-url" {
		m.rewired = m.rewired || len(args) > 0 && (args[0] == "rename" || args[0] == "remove" || args[0] == "rm")
		return
	}
	m.rewired = true
	if z, _, _ := m.p.Where(m.cwd); z != effect.ZoneWorkspace {
		return // what fetches there asks
	}
	opts := getopt{valued: "tm", longs: "push add delete fetch tags no-tags mirror? track= master="}
	_, words := opts.read(args[1:])
	if len(words) > 1 && !m.p.IsRemote(words[1]) {
		m.write(".git/config", effect.OpModify)
	}
}

// gitMoved records that a fetch moves branches of the repository's own by force, so that
// commits lose their names (git-fetch(1), the refspec).
func (m *machine) gitMoved(sub string, args []string) {
	force := flagged(args, "fu", "--force", "--update-head-ok")
	for _, a := range args {
		spec, plus := cutPrefix(a, "+")
		if _, to, ok := cutAt(spec, ":"); ok && (plus || force) && to != "" && !strings.Contains(a, "://") && !strings.HasPrefix(to, "refs/remotes/") {
			m.forgotten("git " + sub + " " + a)
			return
		}
	}
}

// gitRemoteKey says whether a setting has branches fetch from or push to a place of its
// own: an address instead of the name of a remote (git-config(1), branch.<name>.remote).
func (m *machine) gitRemoteKey(key, value string) bool {
	key = strings.ToLower(key)
	return (strings.HasSuffix(key, ".remote") || strings.HasSuffix(key, "pushremote")) && (mark.Has(value) || strings.ContainsAny(value, ":/\\") || strings.HasPrefix(value, "."))
}
