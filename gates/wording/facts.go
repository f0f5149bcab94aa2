package wording

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// fact is what one command of a known program does, in a sentence. In what, % is where it
// goes and # the names behind the command's own words: branches, packages. It speaks for
// effects of one kind only, so it hides nothing else that the program does.
type fact struct {
	kind    effect.Kind
	words   string // program, subcommands, and options that must be there: "git branch -D"
	what    string
	note    string
	instead string
	weight  uint8
	first   bool   // # is the first of them alone: the others are its arguments
	spaced  bool   // # is all of them as they stand there
	none    string // # where there are none
	// word says it in place of what.
	word func(s *subject, e *gates.Effect, c *command) []clause
}

// globalValues are options in front of a subcommand that take a value.
var globalValues = [...]string{"-C", "-c", "--git-dir", "--work-tree", "--namespace", "-R", "--repo", "--context", "--kubeconfig", "--profile", "--region"}

// facts word what the commands of the effect's program do, the worst first. What the line
// holds of that program beyond the commands that are known is said in general.
func (s *subject) facts(e *gates.Effect) []clause {
	var out []clause
	for _, c := range s.of(e.Program) {
		out = append(out, s.factOf(e, &c)...)
	}
	return out
}

// fact words an effect whose resource is no path, if its commands are known.
func (s *subject) fact(e *gates.Effect) (clause, bool) {
	if strings.HasPrefix(e.Resource, "/") {
		return clause{}, false
	}
	list := s.facts(e)
	if len(list) == 0 {
		return clause{}, false
	}
	slices.SortStableFunc(list, func(a, b clause) int { return int(b.weight) - int(a.weight) })
	return list[0], true
}

// factOf is the row of a command with the most words.
func (s *subject) factOf(e *gates.Effect, c *command) []clause {
	best, most := -1, 0
	for i := range facts {
		if f := &facts[i]; f.kind == e.Kind && f.is(c) && len(f.words) > most {
			best, most = i, len(f.words)
		}
	}
	if best < 0 {
		return nil
	}
	return s.said(&facts[best], e, c)
}

// said is the sentence of a row.
func (s *subject) said(f *fact, e *gates.Effect, c *command) []clause {
	if f.word == nil {
		return []clause{s.factSaid(f, e, c)}
	}
	out := f.word(s, e, c)
	for i := range out {
		out[i].instead = or(out[i].instead, sayFirst(e, out[i].weight))
	}
	return out
}

func (s *subject) factSaid(f *fact, e *gates.Effect, c *command) clause {
	x := clause{what: f.what, note: f.note, instead: or(f.instead, sayFirst(e, f.weight)), weight: f.weight}
	if strings.Contains(x.what, "#") {
		x.what = strings.ReplaceAll(x.what, "#", f.object(c))
	}
	if strings.Contains(x.what, "%") {
		x.what = strings.ReplaceAll(x.what, "%", s.repositoryOf(e, c))
	}
	return x
}

// factOfWords is the row of a deed.
func factOfWords(kind effect.Kind, words string) *fact {
	for i := range facts {
		if f := &facts[i]; f.kind == kind && f.words == words {
			return f
		}
	}
	return nil
}

// sayFirst is what to do instead of writing to people and services.
func sayFirst(e *gates.Effect, weight uint8) string {
	if e.Kind == effect.Network && e.Op != effect.OpFetch && weight > 2 {
		return "Say what you would send or change there and leave it to the user, or ask for this."
	}
	return ""
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// is says whether a command is the one of the row.
func (f *fact) is(c *command) bool {
	want := strings.Fields(f.words)
	if want[0] != c.program {
		return false
	}
	have := c.operands(globalValues[:]...)
	n := 0
	for _, w := range want[1:] {
		switch {
		case strings.HasPrefix(w, "--"):
			if !c.has("", w) {
				return false
			}
		case strings.HasPrefix(w, "-"):
			if !c.has(w[1:]) {
				return false
			}
		case n >= len(have) || have[n] != w:
			return false
		default:
			n++
		}
	}
	return true
}

// object are the names behind the words of a row.
func (f *fact) object(c *command) string {
	if c == nil {
		return or(f.none, "one that gbt cannot tell")
	}
	n := 0
	for _, w := range strings.Fields(f.words)[1:] {
		if !strings.HasPrefix(w, "-") {
			n++
		}
	}
	have := c.operands(globalValues[:]...)
	if n >= len(have) {
		return or(f.none, "what its files name")
	}
	var out []string
	for _, w := range have[n:] {
		out = append(out, name(w))
	}
	switch {
	case f.first:
		return out[0]
	case f.spaced:
		return shorten(strings.Join(out, " "), maxObject)
	}
	return join(out)
}

// repositoryOf is where a command of a repository's tool goes: what the effect says, what
// the command names itself, or what the workspace's configuration does.
func (s *subject) repositoryOf(e *gates.Effect, c *command) string {
	if e.Deed != "" {
		return s.repositoryAt(e)
	}
	if c != nil {
		if r, ok := c.option("-R", "--repo"); ok && r != "" {
			return name(withoutLogin(r))
		}
	}
	if e.Program == "glab" {
		return s.repository("GitLab")
	}
	return s.destination(e)
}

const (
	seen    = "; others see it, and what was seen stays seen"
	forAll  = "; a version that was published cannot be called back"
	noUndo  = "; cannot be undone"
	runs    = "; it runs code of whoever wrote it"
	commits = "; commits that nothing else names are lost"
)

// facts are the commands whose sentences are worth more than a general one.
var facts = [...]fact{
	{kind: effect.Network, words: "git send-email", what: "sends commits by mail", note: seen, weight: 4},

	{kind: effect.Network, words: "gh pr create", what: "opens a pull request in %", note: seen, weight: 3},
	{kind: effect.Network, words: "gh pr comment", what: "writes a comment on a pull request in %", note: seen, weight: 3},
	{kind: effect.Network, words: "gh pr review", what: "writes a review of a pull request in %", note: seen, weight: 3},
	{kind: effect.Network, words: "gh pr merge", what: "merges pull request # in %", note: "; the branch that others work from changes", weight: 5},
	{kind: effect.Network, words: "gh pr checkout", what: "replaces the files of your working tree with those of pull request # at %", first: true, note: "; they are its author's, and what you build or run next is, too", weight: 5, instead: "Read it with gh pr diff, or ask for this."},
	{kind: effect.Network, words: "glab mr checkout", what: "replaces the files of your working tree with those of merge request # at %", first: true, note: "; they are its author's, and what you build or run next is, too", weight: 5, instead: "Read it with glab mr diff, or ask for this."},
	{kind: effect.Network, words: "gh pr close", what: "closes pull request # in %", note: "; it can be opened again", weight: 3},
	{kind: effect.Network, words: "gh pr edit", what: "changes a pull request in %", note: seen, weight: 3},
	{kind: effect.Network, words: "gh issue create", what: "opens an issue in %", note: seen, weight: 3},
	{kind: effect.Network, words: "gh issue comment", what: "writes a comment on an issue in %", note: seen, weight: 3},
	{kind: effect.Network, words: "gh issue edit", what: "changes an issue in %", note: seen, weight: 3},
	{kind: effect.Network, words: "gh issue close", what: "closes issue # in %", note: "; it can be opened again", weight: 3},
	{kind: effect.Network, words: "gh issue delete", what: "deletes issue # in %", note: noUndo, weight: 6},
	{kind: effect.Network, words: "gh release create", what: "publishes a release in %", note: seen, weight: 5},
	{kind: effect.Network, words: "gh release upload", what: "uploads files to a release in %", note: seen, weight: 5},
	{kind: effect.Network, words: "gh release delete", what: "deletes release # in %", note: noUndo, weight: 6},
	{kind: effect.Network, words: "gh repo create", what: "creates the repository # on GitHub", note: "; it can be deleted again", weight: 4},
	{kind: effect.Network, words: "gh repo delete", what: "deletes the whole repository # on GitHub, with its issues and pull requests", note: noUndo, weight: 9},
	{kind: effect.Network, words: "gh repo edit", what: "changes the settings of a repository on GitHub", note: "; it can make it public", weight: 6},
	{kind: effect.Network, words: "gh gist create", what: "puts files or text on GitHub as a gist", note: "; whoever has its address can read it", weight: 5},
	{kind: effect.Network, words: "gh secret set", what: "stores a secret for the workflows of %", note: "; it replaces one of that name", weight: 6},
	{kind: effect.Network, words: "gh secret delete", what: "deletes a secret of the workflows of %", note: noUndo, weight: 6},
	{kind: effect.Network, words: "gh variable set", what: "changes a variable of the workflows of %", weight: 5},
	{kind: effect.Network, words: "gh workflow run", what: "starts the workflow # in %", note: "; it runs with the repository's rights", weight: 5},
	{kind: effect.Network, words: "gh run rerun", what: "runs a workflow again in %", weight: 3},
	{kind: effect.Network, words: "glab mr create", what: "opens a merge request in %", note: seen, weight: 3},
	{kind: effect.Network, words: "glab mr merge", what: "merges merge request # in %", note: "; the branch that others work from changes", weight: 5},
	{kind: effect.Network, words: "glab mr note", what: "writes a comment on a merge request in %", note: seen, weight: 3},
	{kind: effect.Network, words: "glab issue create", what: "opens an issue in %", note: seen, weight: 3},

	{kind: effect.Network, words: "npm publish", what: "publishes this package in npm's registry", note: forAll, weight: 8},
	{kind: effect.Network, words: "pnpm publish", what: "publishes this package in npm's registry", note: forAll, weight: 8},
	{kind: effect.Network, words: "yarn publish", what: "publishes this package in npm's registry", note: forAll, weight: 8},
	{kind: effect.Network, words: "twine upload", what: "publishes Python packages for everybody", note: forAll, weight: 8},
	{kind: effect.Network, words: "gem push", what: "publishes a Ruby package for everybody", note: forAll, weight: 8},
	{kind: effect.Network, words: "docker push", what: "uploads the image # to its registry", note: seen, weight: 6},
	{kind: effect.Network, words: "podman push", what: "uploads the image # to its registry", note: seen, weight: 6},
	{kind: effect.Network, words: "aws", word: (*subject).account},
	{kind: effect.Network, words: "gcloud", word: (*subject).account},
	{kind: effect.Network, words: "az", word: (*subject).account},
	{kind: effect.Network, words: "scp", word: (*subject).copied},
	{kind: effect.Network, words: "rsync", word: (*subject).copied},
	{kind: effect.Network, words: "ssh", word: (*subject).login},

	{kind: effect.Delete, words: "git clean", what: "deletes files that git does not track", note: noUndo, weight: 5, instead: "Delete by name what you made yourself, or ask for this."},
	{kind: effect.Delete, words: "git clean -x", what: "deletes all files that git does not track, ignored ones such as .env and local databases too", note: noUndo, weight: 6, instead: "Delete by name what you made yourself, or ask for this."},
	{kind: effect.Delete, words: "git checkout", what: "discards your uncommitted changes", note: noUndo, weight: 5, instead: "Commit or stash them first, or ask for this."},
	{kind: effect.Delete, words: "git restore", what: "discards your uncommitted changes", note: noUndo, weight: 5, instead: "Commit or stash them first, or ask for this."},
	{kind: effect.Delete, words: "git stash drop", what: "throws away changes that were stashed", note: noUndo, weight: 5, instead: "Leave the stash where it is, or ask for this."},
	{kind: effect.Delete, words: "git stash clear", what: "throws away all changes that were stashed", note: noUndo, weight: 6, instead: "Leave the stashes where they are, or ask for this."},
	{kind: effect.Delete, words: "git branch -D", what: "deletes the branch # in this clone, merged or not", note: commits, weight: 4, instead: "Use git branch -d, which deletes merged branches only, or ask for this."},
	{kind: effect.Delete, words: "git branch -d", what: "deletes the branch # in this clone", note: "; git deletes it only if it was merged", weight: 2},
	{kind: effect.Delete, words: "git tag -d", what: "deletes the tag # in this clone", note: commits, weight: 3},
	{kind: effect.Delete, words: "git worktree remove", what: "deletes the working tree #", note: "; what was not committed there is lost", weight: 4},
	{kind: effect.Delete, words: "git reflog", what: "throws away git's record of what was lost", note: noUndo, weight: 5},

	{kind: effect.Spawn, words: "git reset --hard", what: "discards your uncommitted changes and sets the branch to #", none: "its last commit", first: true, note: noUndo, weight: 6, instead: "Commit or stash first, or use git reset --keep, which refuses to lose changes."},
	{kind: effect.Spawn, words: "git checkout -f", what: "switches to # and discards your uncommitted changes", note: noUndo, weight: 6, instead: "Commit or stash first and switch without force.", first: true},
	{kind: effect.Spawn, words: "git switch -f", what: "switches to # and discards your uncommitted changes", note: noUndo, weight: 6, instead: "Commit or stash first and switch without force.", first: true},
	{kind: effect.Spawn, words: "npm install", what: "installs # from npm's registry", note: runs, weight: 3, instead: "Use what is installed, or ask for this package."},
	{kind: effect.Spawn, words: "npm i", what: "installs # from npm's registry", note: runs, weight: 3, instead: "Use what is installed, or ask for this package."},
	{kind: effect.Spawn, words: "npm exec", what: "downloads the program # and runs it", note: runs, weight: 4, instead: "Use what is installed, or ask for this package."},
	{kind: effect.Network, words: "npx", what: "runs the program #, downloaded from npm's registry if it is not there", note: runs, weight: 4, first: true, instead: "Use what is installed, or ask for this package."},
	{kind: effect.Network, words: "bunx", what: "runs the program #, downloaded from npm's registry if it is not there", note: runs, weight: 4, first: true, instead: "Use what is installed, or ask for this package."},
	{kind: effect.Network, words: "uvx", what: "runs the Python program #, downloaded if it is not there", note: runs, weight: 4, first: true, instead: "Use what is installed, or ask for this package."},
	{kind: effect.Network, words: "nc", what: "opens a network connection, or waits for one, with nc: #", spaced: true, note: "; whatever is at the other end can send and receive", weight: 5},
	{kind: effect.Network, words: "ncat", what: "opens a network connection, or waits for one, with ncat: #", spaced: true, note: "; whatever is at the other end can send and receive", weight: 5},
	{kind: effect.Network, words: "socat", what: "opens a network connection, or waits for one, with socat: #", spaced: true, note: "; whatever is at the other end can send and receive", weight: 5},
	{kind: effect.Spawn, words: "npx", what: "runs the program #, downloaded from npm's registry if it is not there", note: runs, weight: 4, first: true, instead: "Use what is installed, or ask for this package."},
	{kind: effect.Spawn, words: "bunx", what: "runs the program #, downloaded from npm's registry if it is not there", note: runs, weight: 4, first: true, instead: "Use what is installed, or ask for this package."},
	{kind: effect.Spawn, words: "uvx", what: "runs the Python program #, downloaded if it is not there", note: runs, weight: 4, first: true, instead: "Use what is installed, or ask for this package."},
	{kind: effect.Spawn, words: "yarn add", what: "installs # from npm's registry", note: runs, weight: 3, instead: "Use what is installed, or ask for this package."},
	{kind: effect.Spawn, words: "pnpm add", what: "installs # from npm's registry", note: runs, weight: 3, instead: "Use what is installed, or ask for this package."},
	{kind: effect.Spawn, words: "bun add", what: "installs # from npm's registry", note: runs, weight: 3, instead: "Use what is installed, or ask for this package."},
	{kind: effect.Spawn, words: "cargo install", what: "downloads and installs the program #", note: runs, weight: 3, instead: "Use what is installed, or ask for this package."},
	{kind: effect.Spawn, words: "cargo publish", what: "publishes this package in the registry of Rust", note: forAll, weight: 8, instead: "Leave publishing to the user, or ask for it."},
	{kind: effect.Spawn, words: "terraform apply", what: "changes the infrastructure that Terraform manages", note: "; servers and data can be replaced or lost", weight: 7},
	{kind: effect.Spawn, words: "terraform destroy", what: "destroys the infrastructure that Terraform manages", note: noUndo, weight: 9},

	{kind: effect.Setting, words: "pip install", what: "installs # from Python's registry", note: runs, weight: 3, instead: "Use what is installed, or ask for this package."},
	{kind: effect.Setting, words: "pip3 install", what: "installs # from Python's registry", note: runs, weight: 3, instead: "Use what is installed, or ask for this package."},
	{kind: effect.Setting, words: "pip uninstall", what: "removes the Python package #", note: "; it can be installed again", weight: 2},
	{kind: effect.Setting, words: "brew install", what: "installs # on this machine", note: runs, weight: 3, instead: "Use what is installed, or ask for this package."},
	{kind: effect.Setting, words: "apt-get install", what: "installs # on this machine", note: "; it holds until somebody removes it", weight: 3, instead: "Use what is installed, or ask for this package."},
	{kind: effect.Setting, words: "apt install", what: "installs # on this machine", note: "; it holds until somebody removes it", weight: 3, instead: "Use what is installed, or ask for this package."},
	{kind: effect.Setting, words: "npm install", what: "installs # on this machine", note: runs, weight: 3, instead: "Use what is installed, or ask for this package."},
	{kind: effect.Setting, words: "docker run", what: "starts a container", note: "; what it may reach depends on its options, up to all files of this machine", weight: 4},
	{kind: effect.Setting, words: "docker run -v", what: "starts a container that may use files of this machine", note: "; it can change or delete those", weight: 5},
	{kind: effect.Setting, words: "docker run --volume", what: "starts a container that may use files of this machine", note: "; it can change or delete those", weight: 5},
	{kind: effect.Setting, words: "docker run --mount", what: "starts a container that may use files of this machine", note: "; it can change or delete those", weight: 5},
	{kind: effect.Setting, words: "docker run --privileged", what: "starts a container with all rights on this machine", note: "; it can change anything here", weight: 7},
	{kind: effect.Setting, words: "docker system prune", what: "deletes unused containers, images and networks", note: noUndo, weight: 6},
	{kind: effect.Setting, words: "docker volume rm", what: "deletes the volume # with its data", note: noUndo, weight: 7},
	{kind: effect.Setting, words: "kubectl delete", what: "deletes # in the cluster", spaced: true, note: noUndo, weight: 8},
	{kind: effect.Setting, words: "kubectl apply", what: "changes what runs in the cluster", note: "; it holds until somebody changes it back", weight: 6},
	{kind: effect.Setting, words: "kubectl exec", what: "runs a command inside the cluster", note: "; it can do whatever the program there can", weight: 6},
}
