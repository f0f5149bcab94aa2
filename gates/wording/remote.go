package wording

import (
	"regexp"
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
		c := s.commandOf(e)
		if c != nil { // its options may say more
			return s.factOf(e, c)
		}
		return []clause{s.factSaid(f, e, c)}
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
		return "a place that gbt cannot tell, by the settings of " + e.Program + " in " + strings.Replace(where(s.c, dir), " whole ", " ", 1)
	}
	switch {
	case r == e.Program && e.Named && e.Program != "git":
		return s.repository("the repository of this clone")
	case r == e.Program && e.Named:
		return s.repository("its usual remote")
	case r == e.Program || strings.Contains(r, unknown):
		return "a place that gbt cannot tell"
	case !strings.Contains(r, "/") && strings.Contains(r, ".") && e.Program != "git": // a host alone
		if c := s.commandOf(e); c != nil {
			if of, ok := c.option("-R", "--repo"); ok && of != "" {
				return name(withoutLogin(of)) + " on " + name(r)
			}
		}
		return "a repository on " + name(r)
	case strings.ContainsAny(r, "/."):
		return name(withoutLogin(r))
	}
	return name(r) + s.remotes(e)
}

// mutates says whether a word of the call spells a mutation (GraphQL specification, section 2.3).
func (s *subject) mutates(e *gates.Effect) bool {
	r := s.runOf(e)
	return r != nil && slices.ContainsFunc(r.Words, func(w string) bool { return strings.Contains(w, "mutation") })
}

// api words a call of a repository host's interface by its method.
func (s *subject) api(e *gates.Effect) clause {
	_, rest, _ := strings.Cut(e.Deed, " ")
	method, at, _ := strings.Cut(rest, " ")
	if at != "" {
		at = " (" + name(at) + ")"
	}
	to := s.repositoryAt(e)
	switch {
	case e.Op == effect.OpFetch:
		return clause{what: "asks " + to + at, note: "; sends a request and no files", weight: 1}
	case method == "DELETE" && at == "":
		return clause{what: "deletes " + to + " as a whole, if it is a repository with its issues and pull requests", note: noUndo, weight: 9}
	case method == "DELETE":
		return clause{what: "deletes something at " + to + at, note: noUndo, weight: 7}
	case posted(method, rest) != "":
		return clause{what: s.numbered(posted(method, rest)) + to, note: seen, weight: 4, instead: askText}
	case e.Loses && rest == "POST graphql" && !s.mutates(e):
		return clause{what: "asks something of " + to + ", or changes something there, by a query" + at + " of which gbt does not know that it only reads", note: "; what is done there may be for good", weight: 6, instead: "Ask for what you need with a query on this repository alone, written out in the call; or say what it is for and ask for it."}
	case e.Loses:
		return clause{what: "changes something at " + to + " for good" + at, note: noUndo, weight: 6, instead: askText}
	}
	if verb := edited(method, rest); verb != "" {
		return clause{what: s.numbered(verb) + to, note: seen, weight: 4, instead: askText}
	}
	return clause{what: "writes or changes something at " + to + at, note: seen, weight: 4, instead: askText}
}

// apiNumber is the number of a pull request or an issue in the address of a call of the
// interface.
var apiNumber = regexp.MustCompile(`/(pulls|issues)/([0-9]{1,9})(/|$)`)

// numbered puts the number of the pull request or the issue into a sentence of one, where
// the line has one call of the interface alone.
func (s *subject) numbered(what string) string {
	found, calls := "", 0
	for _, c := range s.of("gh") {
		if len(c.words) == 0 || c.words[0] != "api" {
			continue
		}
		calls++
		for _, w := range c.words[1:] {
			if m := apiNumber.FindStringSubmatch(w); m != nil && !strings.ContainsAny(w, " \t\n") {
				found = m[2]
				break
			}
		}
	}
	if found == "" || calls != 1 {
		return what
	}
	for _, of := range [...]string{"an issue or a pull request", "a pull request", "an issue"} {
		if before, after, ok := strings.Cut(what, of); ok && strings.TrimSpace(after) == "in" {
			kind := strings.TrimPrefix(strings.TrimPrefix(of, "a "), "an ")
			if of == "an issue or a pull request" {
				kind = "issue or pull request"
			}
			return before + kind + " " + found + after
		}
	}
	return what
}

// askText is the way on for what is written where others read it.
const askText = "Show the user what you would write or change there, and ask for it."

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
	if len(parts) == 4 && parts[0] == "pulls" && parts[1] == "comments" && parts[3] == "replies" {
		return "replies to a review comment in "
	}
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
		x := clause{what: "copies " + s.wordsAsFiles(words[:len(words)-1]) + " to " + host + " with " + name(e.Program), note: "; it replaces files of the same names there", weight: 5}
		if e.Program == "rsync" && c.has("n", "--dry-run") {
			x.what, x.note, x.weight = "compares "+s.wordsAsFiles(words[:len(words)-1])+" with what is on "+host+" and copies nothing (rsync --dry-run)", "; it logs in there", 2
		} else if c.has("", "--delete", "--delete-after", "--delete-before", "--delete-during", "--delete-excluded") {
			x.what, x.note, x.weight = x.what+" and deletes what is only there", noUndo, 7
		}
		return []clause{x}
	}
	for _, w := range words[:len(words)-1] {
		if host, ok := remoteHost(w); ok {
			_, file, _ := strings.Cut(w, ":")
			return []clause{{what: "copies " + s.wordsAsFiles([]string{file}) + " from " + host + " to this machine with " + name(e.Program), note: "; nothing of yours is sent", weight: 2}}
		}
	}
	return []clause{{what: "copies files over the network with " + name(e.Program), weight: 4}}
}

// tablesDumped is what pg_dump does.
var tablesDumped = fact{words: "pg_dump", what: "dumps the tables and the data of the database #", first: true, none: "of your name", note: "; what it holds may be private", weight: 2, instead: "Say which tables are needed and what for, and ask for it."}

// dumpedTables words pg_dump, with the machine that it asks.
func (s *subject) dumpedTables(e *gates.Effect, c *command) []clause {
	x := s.factSaid(&tablesDumped, e, c)
	x.what += s.atMachine(e)
	return []clause{x}
}

// atMachine is where the run of an effect connects to; empty for nowhere.
func (s *subject) atMachine(e *gates.Effect) string {
	for _, o := range s.beside(e) {
		if o.Kind == effect.Network && o.Net.Domain+o.Net.IP != "" {
			return " at " + s.destination(o)
		}
	}
	return ""
}

// dumped words a copy of all that a database holds (redis-cli --help, --rdb).
func (s *subject) dumped(e *gates.Effect, c *command) []clause {
	from := "the database" + s.atMachine(e)
	to := "a file"
	if file, _ := c.option("--rdb"); plainWord(file) {
		to = name(file)
	}
	return []clause{{what: "copies all that " + from + " holds into " + to + " with " + name(e.Program), note: "; it replaces a file of that name, and what it holds may be private", weight: 4, instead: "Say what the copy is for, and ask for it."}}
}

// wordsAsFiles shows files as a command names them, up to three.
func (s *subject) wordsAsFiles(words []string) string {
	var out []string
	for _, w := range words {
		if w == "" || strings.Contains(w, unknown) {
			return "files"
		}
		if w == "." || w == "./" {
			out = append(out, "this directory")
			continue
		}
		out = append(out, where(s.c, w))
	}
	return or(join(out), "files")
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
	const note = "; gbt cannot see or undo what is done there"
	if len(words) < 2 {
		return []clause{{what: "logs in to " + to + " and runs what it is told there", note: note, weight: 6}}
	}
	var run []string
	for _, there := range commandsIn(strings.Join(words[1:], " "), 0) {
		if n := shownWords(append([]string{there.program}, there.words...), nil); !slices.Contains(run, n) {
			run = append(run, n)
		}
	}
	return []clause{{what: "logs in to " + to + " and runs " + or(join(run), "commands") + " there", note: note, weight: 6}}
}

// records words what changes in an application's data.
func (s *subject) records() []clause { return s.each(s.record) }

func (s *subject) record(e *gates.Effect) clause {
	about, which := "", e.Resource
	if which == "" || which == e.Program {
		which = s.recordPath()
	}
	if len(which) > maxObject || strings.ContainsAny(which, "\n\r") {
		if where, _ := s.identified(""); where != "" {
			which = "" // a text tells less than what it belongs to
		}
	}
	where, used := s.identified(which)
	if which == "" && where == "" {
		if which = s.described(); which == "" {
			where = s.givenShortly()
		}
	}
	if which != "" && !secret(clean(which)) {
		about = " “" + shorten(strings.NewReplacer("“", "'", "”", "'").Replace(clean(which)), maxObject) + "”"
	}
	x := clause{what: s.recordDoes(e, about, where, used), note: "; others may see it, and whether it can be undone depends on that service", weight: 1}
	if e.Kind == effect.Delete {
		x.note, x.weight, x.instead = "; whether it can be undone depends on that service", 2, "Say what would be deleted there, and ask for it."
	}
	return x
}

// recordVerbs are first words of tools' names and what they do.
var recordVerbs = map[string]string{
	"create": "makes a new ", "add": "adds a ", "insert": "adds a ", "new": "makes a new ", "post": "posts a ", "upload": "uploads a ", "open": "opens a ",
	"update": "changes the ", "edit": "changes the ", "modify": "changes the ", "set": "changes the ", "patch": "changes the ", "save": "writes the ", "write": "writes the ", "put": "writes the ",
	"rename": "renames the ", "move": "moves the ", "assign": "assigns the ", "archive": "archives the ", "close": "closes the ", "merge": "merges the ",
	"delete": "deletes the ", "remove": "removes the ", "send": "sends the ",
}

// recordDoes says what a tool does to what, by the words of its name, to which of them and at
// which server.
func (s *subject) recordDoes(e *gates.Effect, about, where string, used []string) string {
	tool, server := toolName(e.Program)
	if server != "" {
		_, own, _ := strings.Cut(strings.TrimPrefix(e.Program, "mcp__"), "__")
		words := call.Words(own)
		for of := call.Words(server); len(words) > 2 && slices.Contains(of, words[0]); {
			words = words[1:]
		}
		if verb := recordVerbs[first(words)]; len(words) > 1 && len(words) < 5 && verb != "" && plainWord(strings.Join(words, "-")) {
			if e.Kind == effect.Delete && words[0] != "remove" {
				verb = recordVerbs["delete"]
			}
			if strings.HasSuffix(verb, " a ") && strings.IndexByte("aeiou", words[1][0]) >= 0 {
				verb = strings.TrimSuffix(verb, "a ") + "an "
			}
			if strings.HasPrefix(verb, "makes") || strings.HasPrefix(verb, "adds") || strings.HasPrefix(verb, "posts") {
				if id := strings.Trim(about, " “”"); strings.ContainsAny(id, "0123456789") && !strings.Contains(id, " ") {
					about = " for" + about // what it is put on, by its number
				}
			}
			of := ""
			if strings.HasPrefix(verb, "changes") {
				of = s.fieldsGiven(about, used)
			}
			return verb + of + strings.Join(words[1:], " ") + about + where + " in " + server
		}
	}
	in := about + where + " in " + or(server, "an application") + " with the tool " + tool
	switch {
	case e.Kind == effect.Delete:
		return "deletes something" + in
	case s.c != nil && s.c.Class.Verb == effect.VerbSend:
		return "sends something" + strings.Replace(in, " in ", " through ", 1)
	}
	return "writes or changes something" + in
}

// recordPath is the path by which a call names the record, where it has an argument for it.
func (s *subject) recordPath() string {
	if s.c == nil {
		return ""
	}
	for i := range s.c.Args {
		if a := &s.c.Args[i]; slices.Contains(pathArguments[:], a.Path) {
			return a.Value
		}
	}
	return ""
}

// pathArguments are what tools call the argument that names a record by its path, and exchanged begins the
// names of those that hold what stands there before and after: seen in servers of files and notes.
var (
	pathArguments = [...]string{"file", "file_path", "filename", "filepath", "path"}
	exchanged     = [...]string{"find", "new", "old", "replace"}
)

// fieldsGiven are the names of the arguments that say what of a record is changed, "description
// and links of the "; empty where nobody knows, or they are many. Those that name the
// record itself are none: what is told of it stands in about.
func (s *subject) fieldsGiven(about string, used []string) string {
	if s.c == nil {
		return ""
	}
	var out []string
	for i := range s.c.Args {
		a := &s.c.Args[i]
		field, _, _ := strings.Cut(a.Path, ".")
		field, _, _ = strings.Cut(field, "[")
		value := a.Value
		if w := call.Words(field); len(w) > 0 && slices.Contains(exchanged[:], w[0]) {
			continue
		}
		if field == "" || slices.Contains(used, a.Path) || strings.HasSuffix(strings.ToLower(field), "id") || !plainWord(field) || slices.Contains(out, field) || len(value) > 3 && strings.Contains(about, value[:min(len(value), 20)]) {
			continue
		}
		out = append(out, field)
	}
	if len(out) == 0 || len(out) > 3 {
		return ""
	}
	return join(out) + " of the "
}

// first is the first of some words; empty where there is none.
func first(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[0]
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

// account words what a program does with the account that it is logged in to, and with
// which one where the line names it.
func (s *subject) account(e *gates.Effect, c *command) []clause {
	of := "your account at " + effect.Vendor(e.Program)
	if _, as, ok := strings.Cut(e.Resource, " as "); ok {
		of += " as " + name(as)
	}
	does := e.Program
	for _, w := range c.operands("--profile", "--region", "--project", "--query", "--output") {
		if commandWord(w) && len(strings.Fields(does)) < 3 || w == "s3" {
			does += " " + name(w)
		} else {
			break
		}
	}
	for _, w := range c.words {
		if strings.Contains(w, "://") && plainWord(w) { // s3://bucket/path
			does += " " + name(w)
		}
	}
	switch {
	case e.Op == effect.OpFetch && e.Sensitive:
		return []clause{{what: "reads from " + of + " (" + does + ") what was given to what runs there, which may hold passwords, keys or private data", note: "; the model sees what is printed of it", weight: 2, instead: "Say which plain fields you look for there (--query, --format), or tell the user which value is needed and what for."}}
	case e.Op == effect.OpFetch:
		return []clause{{what: "reads from " + of + " (" + does + ")", note: "; nothing is changed there, and the model sees what it prints", weight: 2, instead: "Say what you look for there and ask for it."}}
	}
	return []clause{{what: "works on " + of + " (" + does + "), and can change or delete things there", note: "; what is done there may be for good", weight: 5}}
}
