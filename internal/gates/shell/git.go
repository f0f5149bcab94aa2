package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/keeps"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// gitSafeKeys are prefixes of settings that neither run programs nor point at
// files (git-config(1)). Every other key may.
var gitSafeKeys = [...]string{
	"advice.", "apply.", "blame.", "branch.", "color.", "column.", "commit.gpgsign", "commit.template", "core.abbrev", "core.autocrlf", "core.bare",
	"core.compression", "core.eol", "core.filemode", "core.ignorecase", "core.longpaths", "core.precomposeunicode", "core.quotepath", "core.safecrlf", "core.symlinks",
	"core.whitespace", "diff.algorithm", "diff.colormoved", "diff.context", "diff.mnemonicprefix", "diff.noprefix", "diff.renamelimit", "diff.renames", "fetch.prune", "gc.auto",
	"grep.", "init.defaultbranch", "log.", "merge.conflictstyle", "merge.ff", "merge.renamelimit", "pack.", "pull.ff", "pull.rebase", "push.autosetupremote", "push.default",
	"rebase.autosquash", "rebase.autostash", "rerere.enabled", "safe.directory", "status.", "tag.gpgsign", "user.email", "user.name",
}

// git runs git(1): its global options first, then the subcommand's entry.
func (m *machine) git(args []string, in data, want bool) data {
	cwd := m.cwd
	start := len(m.effects)
	i := 0
	for ; i < len(args); i++ {
		a := args[i]
		if len(a) < 2 || a[0] != '-' {
			break
		}
		i += m.gitGlobal(a, args[i+1:])
	}
	if i >= len(args) {
		m.spawn(effect.OpRun, "git")
		return unknown
	}
	at := m.cwd
	m.gitPacks(args[i], args[i+1:])
	branch := m.branchTold(args[i:])
	out := m.gitSub(args[i], args[i+1:], in, want)
	m.cwd = cwd
	if want && branch != "" {
		return data{text: branch + "\n"}
	}
	if line, ok := gitLogLine(args[i+1:]); ok && args[i] == "log" && out.text == unknown.text {
		return data{text: line + "\n"}
	}
	if z, _, _ := m.p.Where(at); args[i] == "ls-files" && !strings.HasPrefix(out.text, ".env") && z != effect.ZoneWorkspace && z != effect.ZoneCaller {
		return data{text: string(rune(mark.Inside))} // names of files in another repository
	}
	if args[i] == "ls-files" && at == cwd && i == 0 && !strings.HasPrefix(out.text, ".env") {
		if names, ok := m.trackedBelow(args[1:]); ok {
			return data{text: names}
		}
	}
	if want && out.text == unknown.text && !m.networked(start) && keeps.Git(args[i], keeps.GitPrintsNames) {
		return data{text: string(rune(mark.Caller))}
	}
	return out
}

func (m *machine) gitGlobal(a string, next []string) int {
	name, value, has := cutAt(a, "=")
	switch {
	case mark.Has(name):
		m.opaque(effect.OpComputed, "computed option of git")
	case a == "-C":
		if len(next) > 0 {
			m.list(next[0])
			m.cwd = m.p.Resolve(m.cwd, next[0])
		}
		return 1
	case a == "-c":
		if len(next) > 0 {
			m.gitSetting(next[0])
		}
		return 1
	case strings.HasPrefix(a, "-c"):
		m.gitSetting(a[2:])
	case name == "--config-env":
		m.escape("git --config-env")
	case name == "--exec-path" && has:
		m.escape("git " + a)
	case name == "--git-dir" || name == "--work-tree" || name == "--namespace":
		m.rewired = true
		used := 0
		if !has && len(next) > 0 {
			value, used = next[0], 1
		}
		if name != "--namespace" {
			m.list(value)
		}
		full := m.p.Resolve(m.cwd, value)
		_, own := m.written(full)
		if z, _, _ := m.p.Where(full); own || name == "--git-dir" && z != effect.ZoneWorkspace && z != effect.ZoneCaller {
			m.escape("git " + a) // its configuration names programs
		}
		return used
	}
	return 0
}

// gitSetting judges key=value of git -c and git config.
func (m *machine) gitSetting(kv string) {
	key, value, _ := cutAt(kv, "=")
	m.rewired = m.rewired || destinationKey(key)
	if strings.EqualFold(key, "core.excludesfile") && value != "" {
		m.read(value) // patterns of names, and nothing else (git-config(1))
		return
	}
	if m.gitKeySafe(key) && !m.gitRemoteKey(key, value) {
		return
	}
	if (strings.HasSuffix(key, ".pager") || key == "core.editor") && (value == "cat" || value == "" || value == "true" || value == "false" || value == "less") {
		return
	}
	m.rewired = true
	m.escape("git -c " + kv)
	if strings.HasPrefix(value, "!") {
		m.source(value[1:], unknown)
	}
}

// todoKept says whether the editor of a rebase's list is one that leaves it as it is, so
// that nobody has to type (git-rebase(1), sequence.editor in git-config(1)).
func (m *machine) todoKept() bool {
	b, ok := m.lookup("GIT_SEQUENCE_EDITOR")
	return ok && !b.array && (b.value == ":" || b.value == "true")
}

// destinationKey says whether a setting has a part in where a fetch or a push goes
// (git-config(1)).
func destinationKey(key string) bool {
	key = strings.ToLower(key)
	for _, part := range [...]string{"remote", "branch.", "push.", "url."} {
		if strings.Contains(key, part) {
			return true
		}
	}
	return false
}

func (m *machine) gitKeySafe(key string) bool {
	key = strings.ToLower(key)
	if strings.HasPrefix(key, "pager.") || mark.Has(key) || strings.HasSuffix(key, ".vcs") || strings.HasSuffix(key, ".mergeoptions") {
		return false
	}
	for _, k := range gitSafeKeys {
		if strings.HasPrefix(key, k) {
			return true
		}
	}
	return false
}

func (m *machine) gitSub(sub string, args []string, in data, want bool) data {
	m.gitWrites(sub, args)
	m.gitElsewhere(sub, args)
	m.gitTakesBack(sub, args)
	switch sub {
	case "checkout", "switch", "branch", "worktree", "rebase", "bisect", "symbolic-ref":
		defer func() { m.switched = m.switched || len(args) > 0 }()
	}
	switch sub {
	case "config":
		return m.gitConfig(args)
	case "grep":
		for _, a := range args {
			if strings.HasPrefix(a, "-O") || strings.HasPrefix(a, "--open") || strings.HasPrefix(a, "--op") {
				m.escape("git grep " + a)
			}
		}
		m.gitSecrets(sub, after(args, "--"))
		if gitShows(sub, args) {
			m.gitContents(sub, args)
		}
		args = slices.DeleteFunc(slices.Clone(args), func(a string) bool { // what is left out is not read
			_, of := pathspec(a)
			return !of
		})
		m.gitGrepPaths(args)
	case "diff":
		m.gitDiffPaths(args)
		m.gitSecrets(sub, args)
	case "show", "log", "blame", "annotate", "archive", "cat-file", "whatchanged", "format-patch", "difftool":
		m.gitSecrets(sub, args)
	case "branch", "tag":
		m.gitForgets(sub, args)
	case "worktree":
		m.gitMovesBranch(sub, args)
		args = m.gitDropsTree(args)
	case "rm":
		m.gitRemoves(args)
	case "mv":
		m.gitMovesOver(args)
	case "help":
		if len(args) == 0 {
			m.spawn(effect.OpRun, "git")
			return unknown
		}
	case "remote":
		m.gitRemote(args)
	case "fetch", "pull":
		m.gitMoved(sub, args)
	case "clone":
		defer func() { m.rewired = true }() // the line makes a repository of its own
	case "reflog":
		if len(args) > 0 && !showsReflog(args[0]) {
			m.escape("git reflog " + args[0])
		}
	case "stash":
		if len(args) > 0 && (args[0] == "drop" || args[0] == "clear") {
			m.remove(string(rune(mark.Inside)), effect.OpRemoveTree)
		}
		if len(args) > 0 && args[0] == "show" {
			m.gitSecrets(sub, args)
		}
	case "hash-object":
		if flagged(args, "", "--stdin-paths") {
			m.readLines(in)
		}
	case "maintenance":
		if len(args) > 0 && args[0] == "start" {
			m.record(effect.Effect{Kind: effect.Setting, Op: effect.OpSchedule, Resource: "git maintenance"})
		}
	case "add", "stage":
		m.gitSecrets(sub, args)
	case "checkout", "restore", "switch":
		m.gitMovesBranch(sub, args)
		if sub != "switch" {
			m.gitDiscard(sub, args, in)
		}
	case "checkout-index":
		m.gitSecrets(sub, args)
		if flagged(args, "f", "--force") {
			m.gitThrowsAway(".")
		}
	case "reset":
		if flagged(args, "", "--merge") {
			m.gitThrowsAway(".")
		}
	case "rebase":
		if flagged(args, "", "--skip") {
			m.forgotten("git rebase --skip")
		}
	case "ls-files":
		if flagged(args, "i", "--ignored") || flagged(args, "o", "--others") && !flagged(args, "", "--exclude-standard") {
			m.runSub(&gitTool, sub, args, in, want)
			return data{text: ".env\n*"} // of the files kept out of the repository, the one that must not be read, and any other
		}
	case "symbolic-ref":
		if flagged(args, "d", "--delete") {
			m.forgotten("git symbolic-ref --delete")
		} else if !gitListing(sub, args) {
			m.forgotten("git symbolic-ref " + strings.Join(args, " ")) // where a branch leads, and what HEAD is
		}
	case "update-ref":
		if _, words := (&getopt{valued: "m", longs: "stdin create-reflog no-deref"}).read(args); len(words) > 1 {
			m.forgotten("git update-ref " + strings.Join(words, " "))
		}
	case "replace":
		if len(args) > 0 && args[0] != "-l" && args[0] != "--list" {
			m.forgotten("git replace " + strings.Join(args, " ")) // another object stands for one from there on
		}
	case "repack":
		if flagged(args, "a") && flagged(args, "d") && !flagged(args, "Ak", "--keep-unreachable", "--cruft") {
			m.escape("git repack -a -d") // what is in packs and nothing reaches goes
		}
	case "init", "init-db":
		m.gitMovesItself(args)
		defer func() { m.rewired = true }()
	case "clean":
		return m.gitClean(args)
	case "apply", "am":
		m.gitPatched(args, in)
	}
	for _, a := range args {
		if a == "--help" {
			m.escape("git " + sub + " --help") // opens a pager or a browser
			return unknown
		}
		if a == "--" {
			break
		}
	}
	start := len(m.effects)
	if t := lookupTool("git-" + sub); t != nil && lookupTool("git "+sub) == nil { // a program of that name (git(1), GIT COMMANDS)
		m.prog = t.name
		return m.tool(t, append([]string{t.name}, args...), in, want)
	}
	out := m.runSub(&gitTool, sub, args, in, want)
	if sub == "worktree" {
		m.addsTree(args, start)
	}
	return out
}

// gitTakesBack asks about an option that takes back one which keeps a subcommand from
// changing files: of both the last one holds (gitcli(7), Negating options).
func (m *machine) gitTakesBack(sub string, args []string) {
	before, _, _ := cutDashes(args)
	for _, a := range before {
		name, ok := cutPrefix(a, "--no-")
		if ok && len(name) > 1 && slices.ContainsFunc(gitKeeps[:], func(k string) bool { return strings.HasPrefix(k, name) }) {
			m.escape("git " + sub + " " + a)
		}
	}
}

// gitKeeps are options with which a subcommand of git leaves files as they are, or names
// fewer of them (git-clean(1), git-rm(1), git-restore(1), git-ls-files(1)).
var gitKeeps = [...]string{"cached", "dry-run", "exclude-standard", "staged"}

var gitTool = tool{name: "git", act: '/'}

// gitDiscard records what checkout and restore throw away: every change of the files
// they name that was not committed.
func (m *machine) gitDiscard(sub string, args []string, in data) {
	spec, _ := gitPathOptions(sub)
	before, paths, dashed := cutDashes(args)
	opts, words := spec.read(before)
	if flagged(before, "p", "--patch") && !in.tty { // what it is given may say yes to each
		m.remove(string(rune(mark.Inside)), effect.OpRemoveTree)
	}
	staged, tree := false, false
	for _, o := range opts {
		switch o.name {
		case "staged", "S":
			staged = true
		case "worktree", "W":
			tree = true
		case "b", "B", "orphan", "detach", "track", "t":
			return // a branch
		}
	}
	switch {
	case sub == "restore" && staged && !tree:
		return
	case sub == "restore":
		paths = append(words, paths...)
	case !dashed && len(words) > 1: // a tree and paths, or paths alone
		if paths = words[1:]; namesFile(words[0]) {
			paths = words
		}
	case !dashed && len(words) == 1 && (wholeTree(words[0]) || namesFile(words[0])):
		paths = words
	}
	for _, p := range paths {
		if wholeTree(p) || strings.Contains(p, "/..") && m.p.Resolve(m.cwd, p) == m.cwd {
			m.remove(string(rune(mark.Inside)), effect.OpRemoveTree)
		} else if path, ok := pathspec(p); ok {
			m.gitThrowsAway(path)
		}
	}
}

// namesFile says whether a word that may be a branch looks like a file: it ends in a dot
// and letters, as sources do and versions don't.
func namesFile(word string) bool {
	i := lastByte(word, '.')
	return i > 0 && len(word)-i > 1 && word[i:] != ".x" && strings.Trim(word[i+1:], "abcdefghijklmnopqrstuvwxyz") == ""
}

// wholeTree says whether a pathspec is all of the work tree: ., ./., :/, ./*, ../.
func wholeTree(p string) bool { return strings.Trim(p, "./:*") == "" && p != "" }

// gitDiffPaths records the reads of git diff --no-index, which git implies for
// two paths when one lies outside the repository.
func (m *machine) gitDiffPaths(args []string) {
	for _, a := range args {
		if strings.HasPrefix(a, "/") || strings.HasPrefix(a, "~") || strings.HasPrefix(a, "../") {
			m.read(a)
		}
	}
}

// gitConfigOptions are those of git config that say which file and what for.
var gitConfigOptions = getopt{
	valued: "f",
	longs:  "add all append blob= bool bool-or-int comment= default= edit expiry-date file= fixed-value get get-all get-color get-colorbool get-regexp get-urlmatch global includes int list local name-only no-includes no-type null path regexp remove-section rename-section replace-all show-names show-origin show-scope system type= unset unset-all url= value= worktree",
}

func (m *machine) gitConfig(args []string) data {
	opts, words := gitConfigOptions.read(args)
	file := "" // another than the repository's own
	for _, o := range opts {
		if o.name == "f" || o.name == "file" {
			m.read(o.value)
			file = o.value
		}
	}
	for _, o := range opts {
		if len(o.name) == 1 && o.word != "-"+o.name && !strings.HasPrefix(o.word, "-f") { // git refuses most letters that stand together
			if o.value != "" {
				words = append([]string{o.value}, words...)
			}
			continue
		}
		switch o.name {
		case "global", "system":
			file = "~/.gitconfig"
		case "get", "list", "l", "get-all", "get-regexp", "get-urlmatch", "get-color", "get-colorbool":
			m.gitTold(words)
			m.spawn(effect.OpRun, "git")
			return data{text: string(rune(mark.Caller))}
		case "e", "edit":
			m.spawn(effect.OpInteractive, "git")
			return unknown
		case "unset", "unset-all", "remove-section", "rename-section":
			m.rewired = true
			if file == "" {
				file = ".git/config"
			}
			m.write(file, effect.OpModify)
			return data{}
		}
	}
	if len(words) > 0 {
		switch words[0] {
		case "get", "list":
			m.spawn(effect.OpRun, "git")
			return data{text: string(rune(mark.Caller))}
		case "edit":
			m.spawn(effect.OpInteractive, "git")
			return unknown
		case "set":
			words = words[1:]
		}
	}
	m.spawn(effect.OpRun, "git")
	if len(words) < 2 {
		return data{text: string(rune(mark.Caller))}
	}
	m.gitSetting(words[0] + "=" + words[1])
	if file != "" {
		m.write(file, effect.OpModify)
	}
	return data{}
}

// gitClean removes untracked files, which no history holds.
func (m *machine) gitClean(args []string) data {
	m.spawn(effect.OpRun, "git")
	for _, a := range args {
		if a == "--dry-run" || len(a) > 1 && a[0] == '-' && a[1] != '-' && firstByte(a, 'n') > 0 {
			return unknown
		}
	}
	m.remove(string(rune(mark.Inside)), effect.OpRemoveTree)
	return data{}
}
