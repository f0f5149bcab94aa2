package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// flagged says whether args, up to --, hold one of the long options or a bundle
// of short ones with one of the letters.
func flagged(args []string, letters string, longs ...string) bool {
	for _, a := range args {
		if a == "--" {
			return false
		}
		if len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.ContainsAny(a[1:], letters) {
			return true
		}
		for _, l := range longs {
			if a == l {
				return true
			}
		}
	}
	return false
}

// gitForgets records that git branch -D and git tag -d drop a name of commits
// that nothing else may name; git branch -d keeps those that are not merged.
func (m *machine) gitForgets(sub string, args []string) {
	lost := sub == "tag" && flagged(args, "df", "--delete", "--force")
	if sub == "branch" {
		lost = flagged(args, "D") || flagged(args, "MC") && len(args) > 2 || flagged(args, "f", "--force") // with a name of commits it moves, too
	}
	if lost {
		m.forgotten("git " + sub + " " + strings.Join(args, " "))
	}
}

// gitMovesBranch records that a branch is made anew, whether it is there or not (git-checkout(1) -B,
// git-switch(1) -C, git-worktree(1) add -B), and that changes are carried to another branch of which
// the staged ones may be lost on the way (git-checkout(1), -m).
func (m *machine) gitMovesBranch(sub string, args []string) {
	before, _, dashed := cutDashes(args)
	i := slices.IndexFunc(before, anewOption(sub))
	if i >= 0 && (m.p.There != nil || i+2 < len(before)) { // with a name alone it is made where one stands: a loss only where it is there
		m.forgotten("git " + sub + " " + strings.Join(args, " "))
	}
	if sub != "worktree" && !dashed && flagged(before, "m", "--merge") {
		m.escape("git " + sub + " --merge")
	}
}

// anewOption tells the options of a subcommand by which a branch is made anew, also where a letter
// stands among others or before the name.
func anewOption(sub string) func(string) bool {
	letter, long := "B", ""
	if sub == "switch" {
		letter, long = "C", "--force-c"
	}
	return func(a string) bool {
		return long != "" && strings.HasPrefix(a, long) || len(a) > 1 && a[0] == '-' && a[1] != '-' && !strings.ContainsAny(a[1:2], "bc") && strings.Contains(a, letter)
	}
}

// showsReflog says whether a first word of git reflog is none that loses entries: an option, a
// subcommand that looks, or a ref that cannot be a subcommand (git-reflog(1)).
func showsReflog(word string) bool {
	return word != "" && !mark.Has(word) && (word[0] == '-' || hasWord("show list exists HEAD main master develop stash", word) || strings.ContainsAny(word, "/@"))
}

// gitMovesItself records that a repository is moved elsewhere where there is one
// (git-init(1), --separate-git-dir).
func (m *machine) gitMovesItself(args []string) {
	for _, a := range args {
		if strings.HasPrefix(a, "--sep") {
			m.escape("git init " + a)
		}
	}
}

// forgotten records that commits lose the name by which people find them.
func (m *machine) forgotten(how string) {
	m.record(effect.Effect{Kind: effect.Delete, Op: effect.OpRemove, Zone: effect.ZoneWorkspace, Protected: true, Resource: show(how)})
}

// gitThrowsAway records that the changes of files are lost which no commit and no
// stash holds. Not inlined, for the size of programs.
//
//go:noinline
func (m *machine) gitThrowsAway(path string) {
	m.path(effect.Delete, effect.OpWipe, path)
}

// setBack records that a file loses its changes where its text of a commit is written over it:
// git show HEAD:a > a is git checkout HEAD -- a (gitrevisions(7), <rev>:<path>).
func (m *machine) setBack(s *syntax.Stmt) {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(s.Redirs) == 0 || len(c.Args) < 3 || c.Args[0].Lit() != "git" {
		return
	}
	var file string
	var words []string
	m.quiet++
	for _, r := range s.Redirs {
		if r.Op == syntax.RdrOut || r.Op == syntax.RdrClob || r.Op == syntax.RdrAll {
			file = m.oneField(r.Word)
		}
	}
	for _, w := range c.Args[1:] {
		words = m.fields(words, w)
	}
	m.quiet--
	full := m.p.Resolve(m.cwd, file)
	z, _, _ := m.p.Where(full)
	if file == "" || z != effect.ZoneWorkspace && z != effect.ZoneUnknown && z != effect.ZoneCaller {
		return
	}
	for _, w := range words {
		if _, path, ok := cutAt(w, ":"); ok && path != "" && (path == file || strings.HasSuffix(full, "/"+trimPrefix(path, "./"))) {
			m.gitThrowsAway(file)
			return
		}
	}
}

// gitPacks notes from where git prints an archive: what a commit holds of that directory, by the
// names that it has there (git-archive(1)).
func (m *machine) gitPacks(sub string, args []string) {
	if sub == "archive" && !flagged(args, "ol", "--list") && !slices.ContainsFunc(args, func(a string) bool {
		return strings.HasPrefix(a, "--output") || strings.HasPrefix(a, "--prefix") || strings.HasPrefix(a, "--remote")
	}) {
		m.packed = m.cwd
	}
}

// unpacksOver records that files lose their changes where such an archive is unpacked over them:
// that is git checkout HEAD -- of all that it holds.
func (t *tarRun) unpacksOver() {
	m := t.m
	if m.packed == "" || t.archive != "" && t.archive != "-" || t.out || m.p.Resolve(m.cwd, ".") != m.p.Resolve(m.packed, ".") {
		return
	}
	m.packed = ""
	if len(t.members) == 0 {
		m.gitThrowsAway(".")
	}
	for _, w := range t.members {
		m.gitThrowsAway(w)
	}
}

// gitTold records the read of settings that may hold what proves who one is: headers
// and addresses with tokens in them (git-config(1), http.extraHeader and url.*).
func (m *machine) gitTold(keys []string) {
	for _, k := range keys {
		k = strings.ToLower(k)
		if names.SecretVariable(k) || strings.Contains(k, "extraheader") || strings.Contains(k, "credential") {
			m.record(effect.Effect{Kind: effect.Read, Op: effect.OpRead, Zone: effect.ZoneWorkspace, Sensitive: true, Resource: show("git config " + k)})
		}
	}
}

// gitRemoves records what git rm takes from the working tree that no commit may
// hold: with -f it removes changed files too. Without, it refuses, and what it
// removes can be checked out again.
func (m *machine) gitRemoves(args []string) {
	if !flagged(args, "f", "--force") || flagged(args, "n", "--cached", "--dry-run") {
		return
	}
	for _, a := range args {
		if a != "" && a[0] != '-' {
			m.remove(a, effect.OpRemoveTree)
		}
	}
}

// gitMovesOver records that a file loses what it holds where git mv -f puts another one in its
// place (git-mv(1)).
func (m *machine) gitMovesOver(args []string) {
	before, words, _ := cutDashes(args)
	if !flagged(before, "f", "--force") || flagged(before, "n", "--dry-run") {
		return
	}
	for _, a := range before {
		if a != "" && a[0] != '-' {
			words = append(words, a)
		}
	}
	if len(words) < 2 {
		return
	}
	target := words[len(words)-1]
	over := []string{target}
	if m.p.NamesOf != nil && len(m.namesIn(m.p.Resolve(m.cwd, target))) > 0 {
		over = nil
		for _, w := range words[:len(words)-1] {
			over = append(over, strings.TrimRight(target, "/")+"/"+lastElement(strings.TrimRight(w, "/")))
		}
	}
	for _, w := range over {
		if m.p.There != nil && m.p.There(m.p.Resolve(m.cwd, w)) {
			m.gitThrowsAway(w)
		}
	}
}

// gitShows says whether a subcommand prints contents of files, and not their names alone.
func gitShows(sub string, args []string) bool {
	switch {
	case sub == "log" && !flagged(args, "pucL", "--patch", "--cc"), sub == "cat-file" && flagged(args, "tse"), sub == "grep" && flagged(args, "lLc", "--files-with-matches", "--name-only", "--files-without-match", "--count"):
		return false
	case sub == "stash" && !flagged(args, "pu", "--patch"):
		return false
	}
	return sub == "archive" || sub == "grep" || !flagged(args, "s", "--stat", "--name-only", "--name-status", "--numstat", "--shortstat", "--summary", "--no-patch", "--quiet")
}

// gitContents records that a subcommand prints contents of a repository that is not the
// workspace's: of the files that it names, else of all that git holds there.
func (m *machine) gitContents(sub string, args []string) {
	switch z, _, _ := m.p.Where(m.cwd); z {
	case effect.ZoneWorkspace, effect.ZoneTemp, effect.ZoneCaller, effect.ZoneUnknown:
		return
	}
	switch sub {
	case "add", "stage", "checkout-index":
		return // gitElsewhere
	}
	before, paths, _ := cutDashes(args)
	for _, a := range before {
		rev, path, ok := cutAt(a, ":")
		switch {
		case a == "" || a[0] == '-':
		case ok && rev != "" && path != "":
			paths = append(paths, "./"+path) // in the tree of the revision, whatever is computed (gitrevisions(7))
		case sub == "blame" || sub == "annotate":
			paths = append(paths, a)
		}
	}
	read := false
	for _, w := range paths {
		if path, ok := pathspec(w); ok && path != "" {
			m.read(path)
			read = true
		}
	}
	if !read {
		m.read(".")
	}
}

// gitSecrets records the reads of files that hold secrets from history or from
// the index: REVISION:PATH, and the paths of commands that print contents.
func (m *machine) gitSecrets(sub string, args []string) {
	if !gitShows(sub, args) {
		return
	}
	if sub != "grep" {
		m.gitContents(sub, args)
	}
	for _, a := range args {
		if a == "" || a[0] == '-' {
			continue
		}
		path, of := pathspec(plain(a))
		if i := firstByte(path, ':'); i > 0 {
			path = path[i+1:]
		}
		if of && path != "" && (names.Sensitive("/"+path) || aimsAtSecret(lastElement(path))) {
			m.record(effect.Effect{Kind: effect.Read, Op: effect.OpRead, Zone: effect.ZoneWorkspace, Sensitive: true, Resource: show("git " + a)})
		}
	}
}
