package wording

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// deed words what git or gh does at a repository, which the effect says: the words of the
// line only tell by which of git's options something is lost there.
func (s *subject) deed(e *gates.Effect) []clause {
	switch {
	case e.Program == "git" && e.Deed == "push":
		return []clause{s.push(e)}
	case e.Program == "git" && e.Op == effect.OpFetch:
		return []clause{{what: "downloads commits from " + s.repositoryAt(e), note: "; nothing of yours is sent"}}
	case strings.HasPrefix(e.Deed, "api "):
		return []clause{s.api(e)}
	}
	if f := factOfWords(e.Kind, e.Program+" "+e.Deed); f != nil {
		return []clause{s.factSaid(f, e, s.commandOf(e))}
	}
	x := clause{what: "asks " + s.repositoryAt(e) + by(e) + " (" + name(e.Deed) + ")", note: "; sends a request and no files"}
	if e.Op != effect.OpFetch {
		x = clause{what: "sends or changes something at " + s.repositoryAt(e) + by(e) + " (" + name(e.Deed) + ")", note: seen, weight: 3}
	}
	if e.Loses {
		x.note, x.weight = noUndo, 7
	}
	return []clause{x}
}

// commandOf is the command of the line that did a deed, if there is one alone.
func (s *subject) commandOf(e *gates.Effect) *command {
	if found := s.commandsOf(e); len(found) == 1 {
		return &found[0]
	}
	return nil
}

// commandsOf are the commands of the line that may have done a deed.
func (s *subject) commandsOf(e *gates.Effect) []command {
	var found []command
	f := fact{words: e.Program + " " + e.Deed}
	for _, c := range s.of(e.Program) {
		if f.is(&c) {
			found = append(found, c)
		}
	}
	return found
}

// repositoryAt is the repository that a deed is done at.
func (s *subject) repositoryAt(e *gates.Effect) string {
	r := e.Resource
	if dir, ok := strings.CutPrefix(r, e.Program+" in "); ok {
		return "a place that gbt cannot tell, from " + strings.Replace(where(s.c, dir), " whole ", " ", 1)
	}
	switch {
	case r == e.Program && e.Named:
		return s.repository("its usual remote")
	case r == e.Program || strings.Contains(r, unknown):
		return "a place that gbt cannot tell"
	case strings.ContainsAny(r, "/."):
		return name(withoutLogin(r))
	}
	return name(r) + s.remotes(e)
}

const lostToAll = "; what only it has is lost to everybody"

// push words git push by what it does to the branches of the remote (git-push(1)).
func (s *subject) push(e *gates.Effect) clause {
	c, to := s.commandOf(e), s.repositoryAt(e)
	if remote := c.remote(); remote != "" && remote != to && !strings.HasPrefix(to, remote+" ") {
		to += " (" + remote + ")"
	}
	refs := refsOf(e, c)
	mirrors := slices.ContainsFunc(s.commandsOf(e), func(c command) bool { return c.has("", "--mirror", "--prune") })
	switch {
	case !e.Loses:
		return clause{what: "sends " + refs + " to " + to, note: "; others can see it until somebody deletes it there", weight: 4, instead: "Keep the commits local and tell the user which branch is ready, or ask for this push."}
	case mirrors && c == nil:
		refs = untold
	case mirrors:
		return clause{what: "makes branches and tags on " + to + " the same as here, and deletes the others there", note: lostToAll, weight: 9, instead: "Push one branch by name."}
	case c != nil && c.deletes():
		return clause{what: "deletes " + refs + " on " + to, note: lostToAll, weight: 8, instead: "Leave branches on the remote to the user, or ask for this one."}
	}
	if c.leased() {
		return clause{what: "overwrites " + refs + " on " + to + ", unless somebody has pushed there since this clone last fetched", note: "; commits that only that branch has are lost there", weight: 7, instead: "Push without force, or to a new branch."}
	}
	how := "overwrites or deletes "
	if c != nil && c.has("f", "--force", "--force-with-lease", "--force-if-includes") {
		how = "overwrites "
	}
	return clause{what: how + refs + " on " + to + " by force", note: lostToAll, weight: 7, instead: "Push without force, or to a new branch."}
}

// leased says whether a push overwrites what this clone has seen of the remote alone
// (--force-with-lease of git-push(1)). A plain force beside it wins.
func (c *command) leased() bool {
	return c != nil && c.has("", "--force-with-lease") && !c.has("f", "--force") && !slices.ContainsFunc(c.words, func(w string) bool { return strings.HasPrefix(w, "+") })
}

// remote is the name of the remote that a push names.
func (c *command) remote() string {
	if c == nil {
		return ""
	}
	words := c.operands(pushValues[:]...)
	if len(words) < 2 || strings.ContainsAny(words[1], ":/") || strings.Contains(words[1], unknown) {
		return ""
	}
	return name(words[1])
}

// pushValues are options of git and of git push that take a value.
var pushValues = [...]string{"-o", "--push-option", "--repo", "--receive-pack", "--exec", "-C", "-c", "--git-dir", "--work-tree"}

// deletes says whether a push deletes what it names, and does nothing else.
func (c *command) deletes() bool {
	if c.has("d", "--delete") {
		return true
	}
	words := c.operands(pushValues[:]...)
	for _, w := range words[min(2, len(words)):] {
		if !strings.HasPrefix(w, ":") {
			return false
		}
	}
	return len(words) > 2
}

// refsOf are the branches and tags that a push changes.
func refsOf(e *gates.Effect, c *command) string {
	switch list := strings.Fields(e.Ref); {
	case e.Ref != "" && e.Ref != "*":
		for i := range list {
			list[i] = name(list[i])
		}
		return plural(len(list), "branch ", "branches ") + join(list)
	case c == nil:
	case c.has("", "--all", "--branches"):
		return "all branches"
	case c.has("", "--tags"):
		return "all tags"
	case e.Ref == "":
		return current
	}
	return untold
}

const (
	current = "the current branch"
	untold  = "branches that gbt cannot tell"
)

// api words a call of a repository host's interface by its method.
func (s *subject) api(e *gates.Effect) clause {
	_, rest, _ := strings.Cut(e.Deed, " ")
	method, at, _ := strings.Cut(rest, " ")
	if at = name(at); at != "" {
		at = " (" + at + ")"
	}
	to := s.repositoryAt(e)
	switch {
	case e.Op == effect.OpFetch:
		return clause{what: "asks " + to + at, note: "; sends a request and no files", weight: 1}
	case method == "DELETE":
		return clause{what: "deletes something at " + to + at, note: noUndo, weight: 7}
	case posted(method, rest) != "":
		return clause{what: posted(method, rest) + to, note: seen, weight: 4, instead: askText}
	case e.Loses:
		return clause{what: "changes something at " + to + " for good" + at, note: noUndo, weight: 6, instead: askText}
	}
	if verb := edited(method, rest); verb != "" {
		return clause{what: verb + to, note: seen, weight: 4, instead: askText}
	}
	return clause{what: "writes or changes something at " + to + at, note: seen, weight: 4, instead: askText}
}

// askText is the way on for what is written where others read it.
const askText = "Show the user the text or the change and ask; several for one place can be asked about together."

// edited says what a call of GitHub's interface changes in a repository (GitHub REST API,
// pulls, issues, comments); empty for others.
func edited(method, deed string) string {
	if method != "PATCH" {
		return ""
	}
	_, at, _ := strings.Cut(deed, " ")
	parts := strings.Split(strings.Trim(at, "/"), "/")
	switch {
	case len(parts) == 3 && parts[1] == "comments" && (parts[0] == "pulls" || parts[0] == "issues"):
		return "replaces the text of a comment in "
	case len(parts) == 2 && parts[0] == "pulls":
		return "changes a pull request in "
	case len(parts) == 2 && parts[0] == "issues":
		return "changes an issue in "
	}
	return ""
}

// posted says what a call of GitHub's interface makes in a repository, with what stands in
// front of its name (GitHub REST API, pulls, issues, comments, reviews); empty for others.
// deed is the method and the path.
func posted(method, deed string) string {
	if method != "POST" {
		return ""
	}
	_, at, _ := strings.Cut(deed, " ")
	switch at = strings.Trim(at, "/"); at {
	case "issues":
		return "opens an issue in "
	case "pulls":
		return "opens a pull request in "
	}
	parts := strings.Split(at, "/")
	if len(parts) < 3 || parts[0] != "issues" && parts[0] != "pulls" {
		return ""
	}
	of := map[string]string{"issues": "an issue or a pull request", "pulls": "a pull request"}[parts[0]]
	switch strings.Join(parts[2:], "/") {
	case "comments":
		return "writes a comment on " + of + " in "
	case "comments/*/replies", "comments/" + parts[len(parts)-2] + "/replies":
		return "replies to a review comment on " + of + " in "
	case "reviews":
		return "writes a review of " + of + " in "
	case "requested_reviewers":
		return "asks people to review " + of + " in "
	case "labels":
		return "puts labels on " + of + " in "
	}
	return ""
}

// copied words copies to or from another machine: the word with a colon says which
// (scp(1), rsync(1)).
func (s *subject) copied(e *gates.Effect, c *command) []clause {
	words := c.operands("-i", "-P", "-F", "-o", "-c", "-l", "-S", "-e", "--rsh", "--exclude", "--include", "--filter")
	if len(words) == 0 {
		return []clause{{what: "copies files over the network with " + name(e.Program), weight: 4}}
	}
	last := words[len(words)-1]
	if host, ok := remoteHost(last); ok {
		x := clause{what: "copies files to " + host + " with " + name(e.Program), note: "; what has been sent cannot be called back", weight: 5}
		if c.has("", "--delete", "--delete-after", "--delete-before", "--delete-during", "--delete-excluded") {
			x.what, x.note, x.weight = x.what+" and deletes what is only there", noUndo, 7
		}
		return []clause{x}
	}
	for _, w := range words[:len(words)-1] {
		if host, ok := remoteHost(w); ok {
			return []clause{{what: "copies files from " + host + " to this machine with " + name(e.Program), note: "; nothing of yours is sent", weight: 2}}
		}
	}
	return []clause{{what: "copies files over the network with " + name(e.Program), weight: 4}}
}

func remoteHost(word string) (string, bool) {
	i := strings.IndexByte(word, ':')
	if i <= 0 || strings.Contains(word[:i], "/") {
		return "", false
	}
	return name(withoutLogin(word[:i])), true
}

// login words ssh: one clause for its two effects.
func (s *subject) login(e *gates.Effect, c *command) []clause {
	words := c.operands("-i", "-p", "-F", "-o", "-l", "-L", "-R", "-D", "-J", "-E", "-c", "-m", "-b", "-e", "-I", "-O", "-Q", "-S", "-W", "-w")
	to := "another machine"
	if len(words) > 0 {
		to = name(withoutLogin(words[0]))
	}
	if host := e.Net.Domain + e.Net.IP; host != "" {
		to = name(host)
	}
	return []clause{{what: "logs in to " + to + " and runs commands there", note: "; gbt cannot see or undo what they do", weight: 6}}
}

// records words what changes in an application's data.
func (s *subject) records() []clause { return s.each(s.record) }

func (s *subject) record(e *gates.Effect) clause {
	tool, server := toolName(e.Program)
	if server == "" {
		server = "an application"
	}
	x := clause{what: verbOf(s.c, e) + server + " with the tool " + tool, note: "; others may see it, and whether it can be undone depends on that service", weight: 1}
	if e.Kind == effect.Delete {
		x.note, x.weight, x.instead = "; whether it can be undone depends on that service", 2, gates.Instead("record/write")
	}
	if e.Resource != "" && e.Resource != e.Program && !secret(clean(e.Resource)) {
		x.what += ": “" + shorten(strings.NewReplacer("“", "'", "”", "'").Replace(clean(e.Resource)), maxObject) + "”"
	}
	return x
}

func verbOf(c *gates.Context, e *gates.Effect) string {
	switch {
	case e.Kind == effect.Delete:
		return "deletes something in "
	case c != nil && c.Class.Verb == effect.VerbSend:
		return "sends something through "
	}
	_, tool, _ := strings.Cut(strings.TrimPrefix(e.Program, "mcp__"), "__")
	if words := call.Words(tool); len(words) > 1 {
		switch words[0] {
		case "create", "add", "insert":
			return "makes something new in "
		case "update", "edit", "modify", "rename", "move", "set":
			return "changes something in "
		}
	}
	return "writes or changes something in "
}

// toolName tells a tool from the MCP server that offers it (mcp__SERVER__TOOL, as hosts
// write it).
func toolName(s string) (tool, server string) {
	rest, ok := strings.CutPrefix(s, "mcp__")
	if !ok {
		return name(s), ""
	}
	server, tool, ok = strings.Cut(rest, "__")
	if !ok {
		return name(rest), ""
	}
	return name(tool), name(server)
}

// unclear words what gbt cannot see.
func (s *subject) unclear() []clause {
	return s.each(func(e *gates.Effect) clause {
		r := strings.TrimPrefix(e.Resource, "tool ")
		const note = "; gbt cannot say what it does"
		switch s.rule {
		case "opaque/tool":
			tool, server := toolName(r)
			if server != "" {
				tool += " of " + server
			}
			return clause{what: "calls the tool " + tool + ", which gbt does not know", note: "; it may read, change or send whatever that tool can"}
		case "opaque/argument":
			return clause{what: "gives the tool " + orIt(e.Program) + " an argument that gbt does not know", note: note}
		case "opaque/arguments":
			return clause{what: "has arguments that can be read in two ways: " + detail(e.Resource), note: note}
		case "opaque/unparsed":
			return clause{what: "cannot be read as a command: " + detail(e.Resource), note: note}
		}
		return s.computed(e)
	})
}

// detail is gbt's own description of what it cannot read.
func detail(s string) string { return shorten(clean(s), maxObject) }

// computed words what only the run time knows. The worst of it is code that comes over
// the network in the same call.
func (s *subject) computed(e *gates.Effect) clause {
	if runsInput(e.Resource) {
		for i := range s.d.Effects {
			if n := &s.d.Effects[i]; n.Kind == effect.Network && n.Op == effect.OpFetch {
				return clause{what: "runs code that it downloads from " + s.destination(n) + ", which nobody has read", note: "; it can do whatever you can", weight: 9, instead: "Download it to a file, show what it does and ask for its run."}
			}
		}
		return clause{what: "runs code or a command that is put together while it runs", note: "; gbt cannot say what it does", weight: 3}
	}
	what := words(strings.ReplaceAll(e.Resource, unknown, ""), 5)
	if e.Program != "" && what == "" {
		what = name(e.Program)
	}
	return clause{what: "depends on something that is known only when it runs (" + strings.TrimSuffix(what, ":") + ")", note: "; gbt cannot say what it does", weight: 1}
}

func runsInput(resource string) bool {
	for _, p := range [...]string{"computed command line", "computed program name", "computed code", "a file this line wrote"} {
		if strings.HasPrefix(resource, p) {
			return true
		}
	}
	return strings.HasSuffix(resource, " runs its input")
}

// accountPlaces are where the accounts of programs of the cloud are.
var accountPlaces = map[string]string{"aws": "Amazon", "az": "Microsoft", "gcloud": "Google"}

// account words what a program does with the account that it is logged in to, and with
// which one where the line names it.
func (s *subject) account(e *gates.Effect, _ *command) []clause {
	of := "your account at " + accountPlaces[e.Program] + " with " + e.Program
	if _, as, ok := strings.Cut(e.Resource, " as "); ok {
		of += " as " + name(as)
	}
	if e.Op == effect.OpFetch {
		return []clause{{what: "reads from " + of, note: "; nothing is changed there", weight: 2}}
	}
	return []clause{{what: "works on " + of + ", which can change or delete things there", note: "; what is done there may be for good", weight: 5}}
}
