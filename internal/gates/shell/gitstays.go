package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/keeps"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file tells which commands of git reach nothing but the repository that they find and its
// work tree, whatever they lose there: where that is the session's own, nothing of anybody else's
// goes. What they start by its settings and hooks is judged for itself.

// gitStays are such subcommands with the options that leave it at that (the manuals of git):
// letters, those that take a value in capitals behind a blank, then long ones. What names other
// places, reads words from files or starts programs stands in no row.
var gitStays = [...][2]string{
	{"branch", "Ddfmcqrv  delete force move copy quiet remotes no-track"},
	{"checkout", "fqtd bB force quiet track no-track detach orphan= ours theirs guess no-guess"},
	{"clean", "fdxXq e force quiet exclude="},
	{"config", " "},
	{"gc", "q  quiet prune= prune no-prune aggressive auto force"},
	{"prune", "nv  dry-run verbose expire="},
	{"read-tree", "mu  reset empty"},
	{"rebase", "  abort skip quit"},
	{"reflog", "nv  expire= expire-unreachable= all rewrite updateref stale-fix dry-run verbose single-worktree"},
	{"repack", "aAdflFkq  quiet"},
	{"replace", "df  delete force graft"},
	{"reset", "qN  hard soft mixed merge keep quiet intent-to-add"},
	{"restore", "SWq s staged worktree source= ours theirs quiet"},
	{"rm", "rfqn  force cached quiet dry-run ignore-unmatch"},
	{"stash", "q  quiet index"},
	{"submodule", "fq  force quiet all"},
	{"switch", "fqtd cC force discard-changes quiet track no-track detach create= force-create= orphan= guess no-guess"},
	{"symbolic-ref", "dq m delete quiet short"},
	{"tag", "dfaln m delete force annotate message= list"},
	{"update-ref", "d m no-deref create-reflog"},
	{"worktree", "  verbose dry-run expire="},
}

// gitFirst are the first words with which a subcommand that has others stays so.
var gitFirst = [...][2]string{
	{"reflog", " expire delete show list "},
	{"stash", " drop clear pop apply list show "},
	{"submodule", " deinit "},
	{"worktree", " prune "},
}

// gitMakes are the options of git init and git clone that make no other layout than a .git in the
// new directory, or a repository without a work tree.
var gitMakes = [...][2]string{
	{"init", "q b quiet bare initial-branch= object-format="},
	{"clone", "qvnl bo quiet verbose progress depth= branch= single-branch no-single-branch tags no-tags no-checkout bare mirror local no-hardlinks shared filter= sparse shallow-since= shallow-exclude= origin= no-local"},
}

// GitStays says whether a run of git changes nothing but the repository that it finds, and its
// work tree.
func GitStays(r *effect.Run) bool {
	sub, args, ok := stayWords(r)
	row, known := stayRow(gitStays[:], sub)
	if !ok || !known {
		return false
	}
	if first, some := stayRow(gitFirst[:], sub); some {
		if len(args) == 0 || !strings.Contains(first, " "+args[0]+" ") {
			return false
		}
		args = args[1:]
	}
	if sub == "config" {
		if args = slices.DeleteFunc(slices.Clone(args), func(w string) bool { return w == "--local" || w == "--bool" }); len(args) != 2 {
			return false
		}
		unset := args[0] == "--unset" || args[0] == "--unset-all"
		return !mark.Has(args[1]) && (unset || tameSetting(args[0], args[1]))
	}
	return onlyOptions(args, row)
}

// stayWords is gitWords, also behind settings that neither run programs nor point at files, for the
// git that is found by its name.
func stayWords(r *effect.Run) (sub string, args []string, ok bool) {
	x := *r
	x.Words = slices.Clone(r.Words)
	for i := 1; i+1 < len(x.Words) && strings.HasPrefix(x.Words[i], "-"); {
		if x.Words[i] != "-c" {
			if i++; x.Words[i-1] == "-C" {
				i++
			}
			continue
		}
		key, value, _ := cutAt(x.Words[i+1], "=")
		if !(&machine{}).gitKeySafe(key) && !tameSetting(key, value) || strings.HasPrefix(strings.ToLower(key), "core.bare") {
			return "", nil, false
		}
		x.Words = slices.Delete(x.Words, i, i+2)
	}
	if len(x.Words) == 0 || x.Words[0] != "git" {
		return "", nil, false
	}
	_, sub, args, ok = gitWords(&x)
	return sub, args, ok
}

// tameSetting says whether a setting of git is given a value that names no program, no file and no
// place: yes or no, a number, or a word that the manual has for it (git-config(1)). Those of connections
// are left out: there a yes may be what keeps others away.
func tameSetting(key, value string) bool {
	key, value = strings.ToLower(key), strings.ToLower(value)
	for _, p := range [...]string{"http", "protocol", "core.worktree", "core.bare", "url", "remote", "branch", "include", "credential", "ssh", "alias", "safe", "transfer", "extensions"} {
		if strings.HasPrefix(key, p) && key != "protocol.file.allow" {
			return false
		}
	}
	if mark.Has(key) || strings.Count(key, ".") == 0 {
		return false
	}
	if key == "core.hookspath" {
		return value == "/dev/null"
	}
	return value != "" && strings.Trim(value, "0123456789") == "" || hasWord("true false yes no on off always never auto ignore warn refuse updateinstead input native group umask simple current nothing upstream matching", value)
}

// GitLinks says whether a run of git makes a work tree of the repository that it finds.
func GitLinks(r *effect.Run) bool {
	sub, args, ok := stayWords(r)
	return ok && sub == "worktree" && len(args) > 1 && args[0] == "add" && onlyOptions(args[1:], "qd bB quiet detach checkout no-checkout orphan track no-track guess-remote")
}

// GitMakes says whether a run of git makes a repository of its own in the directory that its words
// name, or where it runs: git init, and git clone.
func GitMakes(r *effect.Run) (clones, ok bool) {
	sub, args, ok := stayWords(r)
	row, known := stayRow(gitMakes[:], sub)
	return sub == "clone", ok && known && onlyOptions(args, row)
}

// GitTame says whether a run of git leaves the directories of other repositories to them.
func GitTame(r *effect.Run) bool {
	sub, args, ok := stayWords(r)
	switch {
	case !ok:
		return false
	case sub == "submodule":
		return len(args) == 0 || GitStays(r) || args[0] == "status" || args[0] == "summary"
	case sub == "worktree":
		return len(args) > 0 && (args[0] == "list" || args[0] == "remove" && flagged(args, "f", "--force"))
	case sub == "config":
		key, _, _, set := gitSet(args)
		return GitStays(r) || !set || (&machine{}).gitKeySafe(key) && !strings.HasPrefix(strings.ToLower(key), "core.bare")
	}
	return keeps.Git(sub, keeps.GitPlace)
}

// stayRow is the row of a subcommand.
func stayRow(table [][2]string, sub string) (string, bool) {
	for i := range table {
		if table[i][0] == sub {
			return table[i][1], true
		}
	}
	return "", false
}

// onlyOptions says whether the options among words, up to --, are all of a row.
func onlyOptions(words []string, row string) bool {
	parts := strings.SplitN(row, " ", 3)
	for len(parts) < 3 {
		parts = append(parts, "")
	}
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "--":
			return true
		case w == "" || mark.Has(w[:1]):
			return false
		case w == "" || w[0] != '-' || w == "-":
		case strings.HasPrefix(w, "--"):
			name, _, with := cutAt(w[2:], "=")
			takes := hasWord(parts[2], name+"=")
			if mark.Has(name) || !takes && (with || !hasWord(parts[2], name)) {
				return false
			}
			if takes && !with && !hasWord(parts[2], name) {
				i++
			}
		default:
			for k := 1; k < len(w); k++ {
				if firstByte(parts[1], w[k]) >= 0 {
					if k == len(w)-1 {
						i++
					}
					break
				}
				if firstByte(parts[0], w[k]) < 0 {
					return false
				}
			}
		}
	}
	return true
}

// gitConnects are the options of what connects with which it is but that (git-fetch(1), git-pull(1),
// git-push(1), git-ls-remote(1)).
var gitConnects = [...][2]string{
	{"fetch", "qvptnfak  quiet verbose prune tags no-tags force all append depth= deepen= unshallow dry-run atomic"},
	{"pull", "qvptrf  quiet verbose prune tags no-tags rebase ff ff-only no-ff no-rebase no-edit allow-unrelated-histories depth="},
	{"push", "qvfdun  quiet verbose force force-with-lease delete set-upstream all branches mirror tags follow-tags prune dry-run atomic porcelain no-verify"},
	{"ls-remote", "hqt  heads tags refs quiet branches"},
}

// GitConnects says whether a run of git clones, fetches or pushes with no option by which it starts
// another program, or goes to more repositories than the one that it names.
func GitConnects(r *effect.Run) bool {
	if clones, ok := GitMakes(r); ok {
		return clones
	}
	sub, args, ok := stayWords(r)
	row, known := stayRow(gitConnects[:], sub)
	return ok && known && onlyOptions(args, row)
}

// GitSetsRemote is the address that a run of git gives to a remote, and the remote's name; ok is
// false where it gives none. The name is empty where it changes remotes in another way.
func GitSetsRemote(r *effect.Run) (address, name string, ok bool) {
	_, sub, args, ok := gitWords(r)
	switch {
	case !ok:
		return "", "", false
	case sub == "clone" && len(r.Names) > 0:
		if slices.ContainsFunc(args, func(w string) bool { return strings.HasPrefix(w, "-o") || strings.HasPrefix(w, "--or") }) {
			return "", "", true
		}
		return r.Names[0], "origin", true
	case sub != "remote" || len(args) == 0 || len(args) == 1 && args[0] == "-v":
		return "", "", false
	case len(args) == 3 && args[0] == "add" && plainRef(args[1]) && !mark.Has(args[2]) && !strings.Contains(args[2], ":"):
		return args[2], args[1], true
	}
	return "", "", true
}

// tamePlace says whether a variable of git's says nothing of where it works (git(1), Environment
// Variables).
func tamePlace(name string) bool {
	return strings.HasPrefix(name, "GIT_AUTHOR_") || strings.HasPrefix(name, "GIT_COMMITTER_") || strings.HasPrefix(name, "GIT_") && hasWord("TERMINAL_PROMPT CONFIG_NOSYSTEM PAGER EDITOR SEQUENCE_EDITOR MERGE_AUTOEDIT", name[len("GIT_"):])
}

// SetsOther says whether a variable that is given to git may lead it to another repository.
func SetsOther(assignment string) bool {
	name, value, _ := cutAt(assignment, "=")
	if name == "GIT_CONFIG_GLOBAL" && value == "/dev/null" || tamePlace(name) {
		return false
	}
	return name == "HOME" || name == "CDPATH" || strings.HasPrefix(name, "XDG_") || strings.HasPrefix(name, "GIT_")
}

// SetsPlaces says whether a line may set a variable by which git finds another repository, other
// settings or another program, or the shell another directory. Each variable that it sets has to
// be seen.
func SetsPlaces(text string) bool {
	f, ok := Parse(text).Syntax()
	if !ok || !setsSeen(f) {
		return true
	}
	bad := false
	syntax.Walk(f, func(n syntax.Node) bool {
		if a, ok := n.(*syntax.Assign); ok && a.Name != nil {
			switch name := a.Name.Value; {
			case tamePlace(name), name == "GIT_CONFIG_GLOBAL" && a.Value != nil && a.Value.Lit() == "/dev/null":
			case strings.HasPrefix(name, "GIT_"), strings.HasPrefix(name, "XDG_"), strings.HasPrefix(name, "LD_"), strings.HasPrefix(name, "DYLD_"), strings.HasSuffix(name, "PATH"), name == "HOME", name == "IFS", strings.HasSuffix(name, "_ENV"), name == "ENV":
				bad = true
			}
		}
		return !bad
	})
	return bad
}
