package wording

import (
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// push words git push by what it does to the remote's branches (git-push(1)): one clause
// for each kind of thing, the worst first.
func (s *subject) push(e *gates.Effect, c *command) []clause {
	words := c.operands("-o", "--push-option", "--repo", "--receive-pack", "--exec", "-C", "-c", "--git-dir", "--work-tree")[1:]
	if !meant(e, words) {
		return nil
	}
	to := s.remote(e, words)
	r := refsOf(words[min(1, len(words)):])
	if c.has("d", "--delete") {
		r.gone, r.plain = append(r.gone, r.plain...), nil
	}
	if c.has("f", "--force", "--force-with-lease", "--force-if-includes") {
		r.forced, r.plain = append(r.forced, r.plain...), nil
	}
	force := len(r.forced) > 0 || len(r.gone) == 0 && c.has("f", "--force", "--force-with-lease", "--force-if-includes")
	var out []clause
	if c.has("", "--mirror", "--prune") {
		out = append(out, clause{what: "makes all branches and tags on " + to + " the same as here, and deletes the others there", note: lostToAll, weight: 9, instead: "Push one branch by name."})
	}
	if len(r.gone) > 0 {
		out = append(out, clause{what: "deletes " + branches(r.gone) + " on " + to, note: lostToAll, weight: 8, instead: "Leave branches on the remote to the user, or ask for this one."})
	}
	if force {
		out = append(out, clause{what: "overwrites " + branches(r.forced) + " on " + to + " by force", note: lostToAll, weight: 7, instead: "Push without force, or to a new branch."})
	}
	what := ""
	switch {
	case c.has("", "--all", "--branches"):
		what = "all branches"
	case c.has("", "--tags"):
		what = "all tags"
	case len(r.plain) > 0 || len(out) == 0:
		what = branches(r.plain)
	}
	if what != "" {
		out = append(out, clause{what: "sends " + what + " to " + to, note: "; others can see it until somebody deletes it there", weight: 4, instead: "Keep the commits local and tell the user which branch is ready, or ask for this push."})
	}
	return out
}

const lostToAll = "; commits that only it has are lost to everybody"

// refs are the branches of a push by what becomes of them on the remote.
type refs struct{ plain, forced, gone []string }

func refsOf(words []string) refs {
	var r refs
	for _, w := range words {
		spec, plus := strings.CutPrefix(w, "+")
		from, to, both := strings.Cut(spec, ":")
		switch {
		case both && from == "":
			r.gone = append(r.gone, branch(to))
		case plus:
			r.forced = append(r.forced, branch(or(to, from)))
		default:
			r.plain = append(r.plain, branch(or(to, from)))
		}
	}
	return r
}

func branch(ref string) string {
	if ref == "HEAD" || ref == "@" {
		return current
	}
	return name(strings.TrimPrefix(ref, "refs/heads/"))
}

const current = "the current branch"

func branches(list []string) string {
	if len(list) == 0 || len(list) == 1 && list[0] == current {
		return current
	}
	return plural(len(list), "branch ", "branches ") + join(list)
}

// meant says whether an effect can be that of the command with these words: an effect
// has the name of a remote where its command has.
func meant(e *gates.Effect, words []string) bool {
	named := len(words) > 0 && !strings.ContainsAny(words[0], ":/\\")
	if e.Named && e.Resource != e.Program {
		return named && words[0] == e.Resource
	}
	return !e.Named || !named
}

// remote is where git sends to or fetches from: the first of these words, or what the
// configuration says.
func (s *subject) remote(e *gates.Effect, words []string) string {
	switch {
	case len(words) == 0 && e.Named:
		return s.repository("its usual remote")
	case len(words) == 0:
		return "the remote of another repository"
	case strings.ContainsAny(words[0], ":/"):
		return name(withoutLogin(words[0]))
	case e.Named:
		return name(words[0]) + s.remotes(e)
	}
	return name(words[0]) + " of another repository"
}

// pull words what git downloads.
func (s *subject) pull(e *gates.Effect, c *command) []clause {
	words := c.operands("-o", "--server-option", "-j", "--jobs", "--depth", "--deepen", "--upload-pack", "-C", "-c", "--git-dir", "--work-tree", "-s", "-X")
	if !meant(e, words[1:]) {
		return nil
	}
	return []clause{{what: "downloads commits from " + s.remote(e, words[1:]), note: "; nothing of yours is sent"}}
}

// api words a call of a repository host's API. Fields make it one that changes things
// (gh-api(1)).
func (s *subject) api(e *gates.Effect, c *command) []clause {
	method, _ := c.option("-X", "--method")
	method = strings.ToUpper(method)
	for _, field := range [...]string{"-f", "-F", "--field", "--raw-field", "--input"} {
		if _, ok := c.option(field); ok && method == "" {
			method = "POST"
		}
	}
	words := c.operands("-X", "--method", "-f", "-F", "--field", "--raw-field", "--input", "-H", "--header", "-q", "--jq", "-t", "--template", "--hostname", "--cache", "-p", "--preview")
	at := ""
	if len(words) > 1 {
		at, _, _ = strings.Cut(words[1], "?")
		at = " at " + name(strings.TrimPrefix(at, "/"))
	}
	host := map[string]string{"gh": "GitHub", "glab": "GitLab"}[e.Program]
	switch method {
	case "", "GET", "HEAD":
		return []clause{{what: "asks " + host + at, note: "; sends no more than the question", weight: 1}}
	case "DELETE":
		return []clause{{what: "deletes something on " + host + at, note: noUndo, weight: 7}}
	}
	return []clause{{what: "writes or changes something on " + host + at, note: seen, weight: 4}}
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
