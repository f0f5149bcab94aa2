package wording

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// fact is what one command of a known program does, in a sentence. In what, % is where it
// goes, # the names behind the command's own words: branches, packages, and @ what its options
// name: a namespace, a file of this machine. It speaks for effects of one kind only, or of those
// by which it works elsewhere, so it hides nothing that the program does to files.
type fact struct {
	kind    effect.Kind
	words   string // program, subcommands, and options that must be there: "git branch -D"
	what    string
	note    string
	instead string
	weight  uint8
	first   bool   // # is the first of them alone: the others are its arguments
	spaced  bool   // # is all of them as they stand there
	command bool   // # is a program, with the command behind it
	inside  bool   // # is a program and where it runs: a container's name stands in front of it
	number  bool   // # is a number of the kind that stands in none, "pull request 7"
	loose   bool   // it tells of what the program does elsewhere, of whichever of the kinds for that
	none    string // # where there are none
	// word says it in place of what.
	word func(s *subject, e *gates.Effect, c *command) []clause
}

// valuesOf are the options of a command that take a value, which is no name of what the
// command is about.
func valuesOf(c *command) []string {
	out := slices.Concat(globalValues[:], programValues[c.program])
	if slices.Contains(c.words, "compose") || c.program == "docker-compose" {
		out = append(out, "-f", "--file") // docker rm has an -f that takes none
	}
	return out
}

// programValues are such options of one program (their manuals).
var programValues = map[string][]string{
	"kubectl": {"-n", "-o", "-l", "-f", "-c", "-k", "--as", "--output", "--selector", "--filename", "--container", "--replicas", "--timeout", "--grace-period"},
	"helm":    {"-n", "-f", "--values", "--set", "--set-string", "--set-file", "--version", "--timeout", "--kube-context", "--repo"},
	"docker":  dockerValues, "podman": dockerValues, "docker-compose": dockerValues,
	"nc":      {"-I", "-i", "-O", "-p", "-q", "-s", "-T", "-W", "-w", "-X", "-x"},
	"npm":     {"--workspace", "--registry", "--prefix", "--tag"},
	"pnpm":    {"--filter", "-F", "--dir", "--registry"},
	"pip":     {"-r", "--requirement", "--constraint", "-i", "--index-url", "--extra-index-url", "-t", "--target", "-e", "--editable", "--prefix", "-f", "--find-links"},
	"pip3":    {"-r", "--requirement", "--constraint", "-i", "--index-url", "--extra-index-url", "-t", "--target", "-e", "--editable", "--prefix", "-f", "--find-links"},
	"cargo":   {"-F", "--features", "--package", "-p", "--rename", "--git", "--branch", "--path", "--version", "--vers", "--root"},
	"poetry":  {"-G", "--group", "-E", "--extras", "--source", "--python"},
	"uv":      {"--group", "--extra", "--index", "--index-url", "--python", "-p", "-r", "--requirements"},
	"uvx":     {"--from", "--with", "--python", "-p"},
	"npx":     {"-p", "--package", "--call", "-w", "--workspace"},
	"conda":   {"-n", "--name", "--channel", "-p", "--prefix"},
	"pg_dump": dbValues, "createdb": dbValues, "dropdb": dbValues,
	"ansible-playbook": {"-i", "--inventory", "-e", "--extra-vars", "-l", "--limit", "-u", "--user", "-t", "--tags", "-f", "--forks"},
}

var (
	dockerValues = []string{"-e", "--env", "--env-file", "-w", "--workdir", "-u", "--user", "-v", "--volume", "--mount", "-p", "--publish", "--name", "--network", "--entrypoint", "--project-name", "--platform", "-m", "--memory", "--cpus", "-l", "--label", "--add-host", "-h", "--hostname", "--gpus", "--restart", "--profile", "--index"}
	dbValues     = []string{"-h", "--host", "-p", "--port", "-U", "--username", "-f", "--file", "-t", "--table", "-n", "--schema", "-F", "--format", "-O", "--owner", "-T", "--template", "-E", "--encoding", "-j", "--jobs"}
)

// globalValues are options in front of a subcommand that take a value.
var globalValues = [...]string{"-C", "-c", "--git-dir", "--work-tree", "--namespace", "-R", "--repo", "--context", "--kubeconfig", "--profile", "--region"}

// facts word what the commands of the effect's program do, the worst first. What the line
// holds of that program beyond the commands that are known is said in general.
func (s *subject) facts(e *gates.Effect) []clause {
	var out []clause
	for _, c := range s.inRun(e, s.of(e.Program)) {
		out = append(out, s.factOf(e, &c)...)
	}
	return out
}

// inRun are those of the commands of a program that the run of an effect is, where that is
// known: each part of a line is told by itself.
func (s *subject) inRun(e *gates.Effect, list []command) []command {
	r := s.runOf(e)
	if r == nil || len(list) < 2 {
		return list
	}
	var out []command
	for _, c := range list {
		if len(c.words) == len(r.Words)-1 && sameWords(c.words, r.Words[1:]) {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return list
	}
	return out
}

// sameWords says whether the words of a line are those of a run, as far as they are spelled out.
func sameWords(line, run []string) bool {
	for i, w := range line {
		if w != run[i] && !strings.Contains(w, unknown) {
			return false
		}
	}
	return true
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
		if f := &facts[i]; f.speaks(e.Kind) && f.is(c) && len(f.words) > most {
			best, most = i, len(f.words)
		}
	}
	if best < 0 {
		return nil
	}
	return s.said(&facts[best], e, c)
}

// speaks says whether a row is about effects of a kind.
func (f *fact) speaks(kind effect.Kind) bool {
	if f.loose {
		return kind == effect.Network || kind == effect.Spawn || kind == effect.Setting
	}
	return f.kind == kind
}

// said is the sentence of a row.
func (s *subject) said(f *fact, e *gates.Effect, c *command) []clause {
	if f.word == nil {
		x := s.factSaid(f, e, c)
		if inner := s.fetchedDoes(f, e, c); inner.what != "" {
			inner.what += ", with a program that is downloaded if it is not there"
			return []clause{inner}
		}
		x.what = narrowed(x.what, s.theirWork(e))
		return []clause{x}
	}
	out := f.word(s, e, c)
	for i := range out {
		out[i].what = narrowed(out[i].what, s.theirWork(e))
		out[i].instead = or(out[i].instead, sayFirst(e, out[i].weight))
	}
	return out
}

// fetchedDoes is what a program does that another one fetches and starts, if that is known.
func (s *subject) fetchedDoes(f *fact, e *gates.Effect, c *command) clause {
	if !f.command || c == nil {
		return clause{}
	}
	names := c.operands(valuesOf(c)...)
	for i, w := range c.words {
		if n := len(strings.Fields(f.words)) - 1; n < len(names) && w == names[n] {
			if list := s.factOf(e, &command{path.Base(w), c.words[i+1:]}); len(list) > 0 {
				return list[0]
			}
			break
		}
	}
	return clause{}
}

func (s *subject) factSaid(f *fact, e *gates.Effect, c *command) clause {
	x := clause{what: f.what, note: f.note, instead: or(f.instead, sayFirst(e, f.weight)), weight: f.weight}
	if f.inside && c != nil {
		if have := c.operands(valuesOf(c)...); len(have) > f.length() {
			if program, of := c.helpInside(have[f.length()]); of != "" {
				x.what, x.note = strings.Replace(f.what, "runs #", "asks "+program, 1)+", for its help on "+of, doesInstead
			}
		}
	}
	if says := s.suggests(e); f.command && says.serious() && says.m != nil {
		if y, ok := says.byName(x.what, ""); ok {
			x.what, x.weight, x.instead = y.what, max(x.weight, y.weight), y.instead
		}
	} else if f.inside && says.query != "" {
		x.what += ", with a statement that can change or delete data (" + says.query + ")"
		x.weight = max(x.weight, 5)
	} else if strings.HasPrefix(f.words, "docker run") && says.m != nil && says.m.weight >= optionWeight {
		x.what += ", with words of which " + name(says.word) + " by its name " + says.does()
	}
	if tried := triedBy(c); tried != "" && f.loose {
		x.what, x.note, x.weight = x.what+" (only as a trial, by "+tried+")", "", min(x.weight, 1)
	}
	if strings.Contains(x.what, "@") {
		x.what = strings.ReplaceAll(x.what, "@", s.givenTo(c))
	}
	if strings.Contains(x.what, "%") {
		x.what = strings.ReplaceAll(x.what, "%", s.repositoryOf(e, c))
	}
	switch {
	case !strings.Contains(x.what, ownDatabase):
	case c.namesDatabase():
		x.what = strings.ReplaceAll(x.what, ownDatabase, "the database that this call names")
	case s.setsVariables():
		x.what = strings.ReplaceAll(x.what, ownDatabase, "the database that this call names by a variable")
	}
	if strings.Contains(x.what, "#") { // last, because a name may hold one of the signs
		x.what = strings.ReplaceAll(x.what, "#", f.object(c))
	}
	return x
}

// namesDatabase says whether an option of a command tells which database it is about.
func (c *command) namesDatabase() bool {
	return c != nil && slices.ContainsFunc(c.words, func(w string) bool {
		return strings.HasPrefix(w, "-") && slices.ContainsFunc(partsOf(w), func(p string) bool {
			return slices.Contains([]string{"connection", "database", "dsn", "uri", "url"}, p)
		})
	})
}

// triedBy is the option by which a command only tries what it does otherwise; empty for none.
func triedBy(c *command) string {
	if c == nil {
		return ""
	}
	for _, w := range c.words {
		switch first, value, _ := strings.Cut(w, "="); {
		case first == "--dryrun", first == "--dry-run" && value != "none" && value != "false", first == "--check" && c.program == "ansible-playbook":
			return first
		}
	}
	return ""
}

// factOfWords is the row of a deed.
func factOfWords(kind effect.Kind, words string) *fact {
	for i := range facts {
		if f := &facts[i]; f.speaks(kind) && f.words == words {
			return f
		}
	}
	return nil
}

// sayFirst is what to do instead of writing to people and services.
func sayFirst(e *gates.Effect, weight uint8) string {
	if e.Kind == effect.Network && e.Op != effect.OpFetch && weight > 2 {
		return "Show the user what you would send or change there, and ask for it."
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
	have := c.operands(valuesOf(c)...)
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
	n := f.length()
	if f.number {
		return c.number(f.none)
	}
	have := c.operands(valuesOf(c)...)
	if n >= len(have) {
		return or(f.none, "what its files or its input name")
	}
	if f.inside {
		return c.inside(have[n])
	}
	if f.command {
		return shownWords(have[n:min(n+2, len(have))], nil)
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

// length counts the words of a row behind the program that are no options.
func (f *fact) length() int {
	n := 0
	for _, w := range strings.Fields(f.words)[1:] {
		if !strings.HasPrefix(w, "-") {
			n++
		}
	}
	return n
}

// number is the one number of a pull request or an issue that a command names, behind what it
// is a number of; that alone where there is none, or several could be it.
func (c *command) number(of string) string {
	found := ""
	for i, w := range c.words {
		if strings.Trim(w, "0123456789") != "" || w == "" || len(w) > 9 {
			continue
		}
		if i > 0 && strings.HasPrefix(c.words[i-1], "-") || found != "" {
			return of
		}
		found = w
	}
	if found == "" {
		return of
	}
	for _, article := range [...]string{"a ", "an "} {
		of = strings.TrimPrefix(of, article)
	}
	return of + " " + found
}

// setsVariables says whether the call sets variables for what it runs.
func (s *subject) setsVariables() bool {
	return s.c != nil && slices.ContainsFunc(s.c.Runs(), func(r effect.Run) bool { return r.Given })
}

// givenTo is what a command's options name: the namespace, the cluster and the file of what is
// done to it, and what of this machine a container gets.
func (s *subject) givenTo(c *command) string {
	if c == nil {
		return ""
	}
	out := ""
	if c.program == "docker" || c.program == "podman" {
		for _, o := range [...]string{"-v", "--volume"} {
			if v, ok := c.option(o); ok {
				if from, _, _ := strings.Cut(v, ":"); plainWord(from) {
					out += " (" + where(s.c, from) + ")"
				}
			}
		}
		return out
	}
	if f, ok := c.option("-f", "--filename"); ok && c.program == "kubectl" && plainWord(f) {
		out += " as " + where(s.c, f) + " says"
	}
	if n, ok := c.option("-n", "--namespace"); ok && n != "" {
		out += " (namespace " + name(n) + ")"
	}
	if n, ok := c.option("--context", "--kube-context"); ok && n != "" {
		out += " (" + name(n) + ")"
	}
	return out
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
	seen   = "; others see it, and what was seen stays seen"
	forAll = "; a version that was published cannot be called back"
	noUndo = "; cannot be undone"
	runs   = "; it runs code of whoever wrote it"
	// gh pr close, --delete-branch: the request is opened again only from its branch.
	branchGone = "; what only that branch has is lost to everybody, and the request cannot be opened again without it"
	commits    = "; commits that nothing else names are lost"
)

// facts are the commands whose sentences are worth more than a general one.
var facts = slices.Concat(repositoryFacts[:], programFacts[:])

// repositoryFacts are commands about repositories and what is kept for them elsewhere.
var repositoryFacts = [...]fact{
	{kind: effect.Network, words: "git send-email", what: "sends commits by mail", note: seen, weight: 4},

	{kind: effect.Network, words: "gh pr create", what: "opens a pull request in %", note: seen, weight: 3},
	{kind: effect.Network, words: "gh pr comment", what: "writes a comment on # in %", number: true, none: "a pull request", note: seen, weight: 3},
	{kind: effect.Network, words: "gh pr review", what: "writes a review of # in %", number: true, none: "a pull request", note: seen, weight: 3},
	{kind: effect.Network, words: "gh pr merge", what: "merges # in %", number: true, none: "a pull request", note: "; the branch that others work from changes", weight: 5},
	{kind: effect.Network, words: "gh pr merge -d", what: "merges # in % and deletes its branch there", number: true, none: "a pull request", note: "; the branch that others work from changes", weight: 6},
	{kind: effect.Network, words: "gh pr merge --delete-branch", what: "merges # in % and deletes its branch there", number: true, none: "a pull request", note: "; the branch that others work from changes", weight: 6},
	{kind: effect.Network, words: "gh pr checkout", what: "switches your working tree to pull request # at %", first: true, note: "; its files are its author's, and so is what you build or run next", weight: 5, instead: "Read it with gh pr diff, or ask for this."},
	{kind: effect.Network, words: "glab mr checkout", what: "switches your working tree to merge request # at %", first: true, note: "; its files are its author's, and so is what you build or run next", weight: 5, instead: "Read it with glab mr diff, or ask for this."},
	{kind: effect.Network, words: "gh pr close", what: "closes # in %", number: true, none: "a pull request", note: "; it can be opened again", weight: 3},
	{kind: effect.Network, words: "gh pr close --comment", what: "closes # in %, with a comment", number: true, none: "a pull request", note: "; it can be opened again", weight: 3},
	{kind: effect.Network, words: "gh pr close -d", what: "closes # in % and deletes its branch, there and here", number: true, none: "a pull request", note: branchGone, weight: 6},
	{kind: effect.Network, words: "gh pr close --delete-branch", what: "closes # in % and deletes its branch, there and here", number: true, none: "a pull request", note: branchGone, weight: 6},
	{kind: effect.Network, words: "gh pr close --comment -d", what: "closes # in %, with a comment, and deletes its branch, there and here", number: true, none: "a pull request", note: branchGone, weight: 6},
	{kind: effect.Network, words: "gh pr close --comment --delete-branch", what: "closes # in %, with a comment, and deletes its branch, there and here", number: true, none: "a pull request", note: branchGone, weight: 6},
	{kind: effect.Network, words: "gh pr edit", what: "changes the text or the settings of # in %", number: true, none: "a pull request", note: seen, weight: 3},
	{kind: effect.Network, words: "gh pr edit --body", what: "replaces the text of # in %", number: true, none: "a pull request", note: seen, weight: 4},
	{kind: effect.Network, words: "gh pr edit -b", what: "replaces the text of # in %", number: true, none: "a pull request", note: seen, weight: 4},
	{kind: effect.Network, words: "gh pr edit --body-file", what: "replaces the text of # in %", number: true, none: "a pull request", note: seen, weight: 4},
	{kind: effect.Network, words: "gh pr edit -F", what: "replaces the text of # in %", number: true, none: "a pull request", note: seen, weight: 4},
	{kind: effect.Network, words: "gh issue create", what: "opens an issue in %", note: seen, weight: 3},
	{kind: effect.Network, words: "gh issue comment", what: "writes a comment on # in %", number: true, none: "an issue", note: seen, weight: 3},
	{kind: effect.Network, words: "gh issue edit", what: "changes the text or the settings of # in %", number: true, none: "an issue", note: seen, weight: 3},
	{kind: effect.Network, words: "gh issue edit --body", what: "replaces the text of # in %", number: true, none: "an issue", note: seen, weight: 4},
	{kind: effect.Network, words: "gh issue edit -b", what: "replaces the text of # in %", number: true, none: "an issue", note: seen, weight: 4},
	{kind: effect.Network, words: "gh issue edit --body-file", what: "replaces the text of # in %", number: true, none: "an issue", note: seen, weight: 4},
	{kind: effect.Network, words: "gh issue edit -F", what: "replaces the text of # in %", number: true, none: "an issue", note: seen, weight: 4},
	{kind: effect.Network, words: "gh issue close", what: "closes # in %", number: true, none: "an issue", note: "; it can be opened again", weight: 3},
	{kind: effect.Network, words: "gh issue close --comment", what: "closes # in %, with a comment", number: true, none: "an issue", note: "; it can be opened again", weight: 3},
	{kind: effect.Network, words: "gh issue delete", what: "deletes # in %", number: true, none: "an issue", note: noUndo, weight: 6},
	{kind: effect.Network, words: "gh release create", what: "publishes the release # in %", first: true, note: seen, weight: 5},
	{kind: effect.Network, words: "gh release upload", what: "uploads files to a release in %", note: seen, weight: 5},
	{kind: effect.Network, words: "gh release delete", what: "deletes release # in %", note: noUndo, weight: 6},
	{kind: effect.Network, words: "gh repo create", what: "creates the repository # on GitHub", note: "; it can be deleted again", weight: 4},
	{kind: effect.Network, words: "gh repo delete", what: "deletes the whole repository # on GitHub, with its issues and pull requests", note: noUndo, weight: 9},
	{kind: effect.Network, words: "gh repo edit", what: "changes the settings of a repository on GitHub", note: "; it can make it public", weight: 6},
	{kind: effect.Network, words: "gh gist create", what: "puts files or text on GitHub as a gist", note: "; whoever has its address can read it", weight: 5},
	{kind: effect.Network, words: "gh secret set", what: "stores the secret # for the workflows of %", first: true, note: "; it replaces one of that name", weight: 6},
	{kind: effect.Network, words: "gh secret delete", what: "deletes the secret # of the workflows of %", first: true, note: noUndo, weight: 6},
	{kind: effect.Network, words: "gh variable set", what: "changes a variable of the workflows of %", weight: 5},
	{kind: effect.Network, words: "gh workflow run", what: "starts the workflow # in %", first: true, note: "; it runs with the repository's rights", weight: 5},
	{kind: effect.Network, words: "gh run rerun", what: "runs a workflow again in %", weight: 3},
	{kind: effect.Network, words: "glab mr create", what: "opens a merge request in %", note: seen, weight: 3},
	{kind: effect.Network, words: "glab mr merge", what: "merges # in %", number: true, none: "a merge request", note: "; the branch that others work from changes", weight: 5},
	{kind: effect.Network, words: "glab mr note", what: "writes a comment on # in %", number: true, none: "a merge request", note: seen, weight: 3},
	{kind: effect.Network, words: "glab issue create", what: "opens an issue in %", note: seen, weight: 3},

	{kind: effect.Delete, words: "git clean", what: "deletes files that git does not track", note: noUndo, weight: 5, instead: "Delete by name what you made yourself, or ask for this."},
	{kind: effect.Delete, words: "git clean -x", what: "deletes all files that git does not track, ignored ones such as .env and local databases too", note: noUndo, weight: 6, instead: "Delete by name what you made yourself, or ask for this."},
	{kind: effect.Delete, words: "git checkout", word: (*subject).discarded},
	{kind: effect.Delete, words: "git restore", word: (*subject).discarded},
	{kind: effect.Delete, words: "git stash drop", what: "throws away changes that were stashed", note: noUndo, weight: 5, instead: "Leave the stash where it is, or ask for this."},
	{kind: effect.Delete, words: "git stash clear", what: "throws away all changes that were stashed", note: noUndo, weight: 6, instead: "Leave the stashes where they are, or ask for this."},
	{kind: effect.Delete, words: "git branch -D", what: "deletes the branch # in this clone, merged or not", note: commits, weight: 4, instead: "Use git branch -d, which deletes merged branches alone, or ask for this."},
	{kind: effect.Delete, words: "git branch -d", what: "deletes the branch # in this clone", note: "; git deletes it only if it was merged", weight: 2},
	{kind: effect.Delete, words: "git tag -d", what: "deletes the tag # in this clone", note: commits, weight: 3},
	{kind: effect.Delete, words: "git worktree remove", what: "deletes the working tree #", note: "; what was not committed there is lost", weight: 4},
	{kind: effect.Delete, words: "git reflog", what: "throws away git's record of what was lost", note: noUndo, weight: 5},

	{kind: effect.Spawn, words: "git reflog expire", what: "throws away git's record of what was lost", note: noUndo, weight: 5},
	{kind: effect.Spawn, words: "git gc --prune", what: "throws away commits and files in git that nothing names", note: noUndo, weight: 5},
	{kind: effect.Spawn, words: "git reset --hard", what: "discards your uncommitted changes and sets the branch to #", none: "its last commit", first: true, note: noUndo, weight: 6, instead: "Commit or stash first, or use git reset --keep, which refuses to lose changes; or ask for this."},
	{kind: effect.Spawn, words: "git checkout -f", what: "switches to # and discards your uncommitted changes", note: noUndo, weight: 6, instead: "Commit or stash first and switch without force, or ask for this.", first: true},
	{kind: effect.Spawn, words: "git switch -f", what: "switches to # and discards your uncommitted changes", note: noUndo, weight: 6, instead: "Commit or stash first and switch without force, or ask for this.", first: true},
}
