package shell

import (
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
	path := strings.TrimPrefix(strings.TrimPrefix(word, "/"), "repos/")
	own := path == "{owner}/{repo}" || strings.HasPrefix(path, "{owner}/{repo}/") || r.m.p.HasRemote(path)
	if strings.Contains(word, "..") || !own {
		r.foreign = true
	}
}

// remoteNamed takes the first word of fetch, push and their like: the name of a remote,
// which only the configuration can give a place to, or an address or a path (git-fetch(1),
// GIT URLS and REMOTES).
func (r *toolRun) remoteNamed(word string) {
	switch {
	case word == "" || mark.Has(word):
		r.foreign = true
	case strings.ContainsAny(word, ":/\\") || word[0] == '.':
		r.foreign = r.foreign || !r.m.p.IsRemote(word)
	case r.remote == "":
		r.remote = word
	}
}

// ofRepository marks what the run connects to as named by the repository's own
// configuration, if nothing on the line names another place.
func (r *toolRun) ofRepository() {
	m := r.m
	if !r.t.has(traitOfRepository) || r.foreign {
		return
	}
	if z, _, _ := m.p.Where(m.cwd); z != effect.ZoneWorkspace {
		return
	}
	for _, w := range r.operands {
		if strings.Contains(w, "://") && !m.p.HasRemote(w) {
			return
		}
	}
	for i := min(r.start, len(m.effects)); i < len(m.effects); i++ {
		e := &m.effects[i]
		if e.Kind != effect.Network || e.Resource != m.prog {
			continue
		}
		e.Named = true
		if r.remote != "" {
			e.Resource = r.remote
		}
	}
}

// gitRemote records that git remote add and set-url change where later calls connect
// to, unless it is a place that the configuration has already (git-remote(1)).
func (m *machine) gitRemote(args []string) {
	if len(args) == 0 || args[0] != "add" && args[0] != "set-url" {
		return
	}
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
		spec, plus := strings.CutPrefix(a, "+")
		if _, to, ok := strings.Cut(spec, ":"); ok && (plus || force) && to != "" && !strings.Contains(a, "://") && !strings.HasPrefix(to, "refs/remotes/") {
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
