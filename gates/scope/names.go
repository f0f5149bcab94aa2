package scope

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/class"
	"github.com/gbt-policy/gbt/internal/gates/names"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// network names a connection by its verb and its destination, and what sends also by
// the program: a comment and a release go to one place and are not one thing.
func network(c *gates.Context, e *gates.Effect, by *effect.Run) []string {
	to := place(e)
	if to == "" || strings.Contains(to, "…") || e.Loses || strings.Contains(e.Ref, "*") || by == nil && (c.Class.Family == call.FamilyMessage || c.Class.Family == call.FamilyPayment) {
		return nil
	}
	if by != nil && account(e) {
		return ofAccount(c, e, by)
	}
	if e.Op == effect.OpFetch || e.Op == effect.OpProbe {
		return []string{"fetch from " + to}
	}
	who := c.ToolName()
	if by != nil {
		who = program(by)
	}
	if strings.HasPrefix(e.Deed, "api ") { // a reply and a new branch are one program's request
		who += strings.TrimPrefix(e.Deed, "api")
	}
	name := e.Op.String() + " to " + to
	if e.Ref != "" {
		return []string{name + " " + e.Ref + from(c, by) + " by " + who, name + " by " + who, name}
	}
	return []string{name + " by " + who, name}
}

// from says of which commits a push makes branches there that are called otherwise here (git-push(1),
// the refspec): a yes to a push of fix is none to one of another branch under that name.
func from(c *gates.Context, by *effect.Run) string {
	if by == nil || by.Tool != "git push" {
		return ""
	}
	here := ""
	if places := c.Places(); places.Repo != nil {
		if repo, ok := places.Repo(dirOf(c, by)); ok {
			here = repo.Branch
		}
	}
	out := ""
	for _, w := range by.Words[1:] {
		src, to, ok := strings.Cut(w, ":")
		if !ok || to == "" || strings.HasPrefix(w, "-") || strings.Contains(w, "//") || strings.Contains(w, "@") && !strings.Contains(src, "@{") && src != "@" {
			continue
		}
		if (src == "HEAD" || src == "@") && here != "" {
			src = here
		}
		if strings.TrimPrefix(src, "refs/heads/") != strings.TrimPrefix(to, "refs/heads/") {
			out += " from " + src
		}
	}
	return out
}

// place is where a connection goes: a host over https, with the scheme and the port where
// they are others. It is empty for an address that says who connects: a login is for one
// call.
func place(e *gates.Effect) string {
	to := e.Net.Domain + e.Net.IP
	switch {
	case to == "":
		return e.Resource
	case e.Login():
		return ""
	case e.Net.Scheme == "" || e.Net.Scheme == "https" && e.Net.Port == 443:
		return to
	case strings.Contains(to, ":"):
		to = "[" + to + "]"
	}
	return e.Net.Scheme + "://" + to + ":" + strconv.Itoa(int(e.Net.Port))
}

// program is a program with its subcommand.
func program(r *effect.Run) string {
	if r.Tool != "" {
		return r.Tool
	}
	name := path.Base(r.Words[0])
	if len(r.Words) > 1 && plainWord(r.Words[1]) {
		name += " " + r.Words[1]
	}
	return name
}

// told is a program that nobody knows, with all its words that may be subcommands and the
// names of its options: a yes to a run without one says nothing of a run with one, wherever that
// stands, but for those that only say how what it prints looks. Words that are texts (a statement, a request) may say anything, so a run with one
// is that run alone.
func told(r *effect.Run) []string {
	name, left := path.Base(r.Words[0]), 0
	for i, w := range r.Words[1:] {
		if left > 0 {
			left--
			continue
		}
		switch option, _, _ := strings.Cut(w, "="); {
		case strings.ContainsAny(w, " \t\n"):
			return exactly(r.Words)
		case len(w) > 1 && w[0] == '-':
			if takes, looks := shell.Looks(w, r.Words[i+2:]); looks {
				left = takes
			} else if strings.Trim(w[1:], "0123456789.") != "" {
				name += " " + option
			}
		case plainWord(w):
			name += " " + w
		}
	}
	return []string{"run " + name}
}

// plainWord says whether a word looks like a subcommand.
func plainWord(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz-") == "" && s[0] != '-'
}

// reads names the directory that is read, with all below it, unless it is as wide as a
// home or a whole system. What a script or a program that nobody knows does with a path that it
// is given may be more than to read: the name says who gets it.
func reads(c *gates.Context, e *gates.Effect, by *effect.Run) []string {
	if unplaced(e) {
		return nil
	}
	who := ""
	if to := givenTo(c, by); to != "" {
		who = " with " + to
	}
	dir, places := e.Resource, c.Places()
	if e.Kind == effect.Read && (places.NamesOf == nil || len(places.NamesOf(dir)) == 0) {
		dir = path.Dir(dir)
	}
	if e.Glob {
		dir = before(e.Resource)
	}
	if wide(dir, c.Home) {
		return []string{"read " + e.Resource + who}
	}
	var out []string
	for ; !wide(dir, c.Home); dir = path.Dir(dir) {
		out = append(out, "read "+dir+"/"+who)
	}
	return out
}

// givenTo is the shell's script that a run starts, or the program that nobody knows, by the path or
// the name; empty where it runs none. Programs of the project in other languages mostly take what
// they are given for data, as what it builds does.
func givenTo(c *gates.Context, by *effect.Run) string {
	if by == nil {
		return ""
	}
	for _, i := range by.Effects {
		switch e := &c.Effects[i]; {
		case e.Kind == effect.Spawn && e.Op == effect.OpRunFile && (strings.HasSuffix(e.Resource, ".sh") || strings.HasSuffix(e.Resource, ".bash")):
			return e.Resource
		case e.Kind == effect.Spawn && e.Op == effect.OpRunUnknown:
			return path.Base(by.Words[0])
		}
	}
	return ""
}

// guarded says whether a file is one that something loads unasked, in whichever directory
// above it a project begins.
func guarded(p string) bool {
	for rest, ok := p, true; ok; _, rest, ok = strings.Cut(rest, "/") {
		if names.Guarded(rest) {
			return true
		}
	}
	return false
}

// deletes names the directory whose files are deleted one by one, or the tree that is
// deleted as a whole. Outside the workspace nothing gives it back.
func deletes(c *gates.Context, e *gates.Effect) []string {
	if e.Zone != effect.ZoneWorkspace && e.Zone != effect.ZoneTemp || e.Protected || e.Op == effect.OpWipe || unplaced(e) {
		return nil
	}
	if e.Glob || e.Op != effect.OpRemove && e.Op != effect.OpRemoveTree {
		return []string{"delete " + e.Resource}
	}
	var out []string
	if e.Op == effect.OpRemove && !shared(c, e) {
		out = append(out, "delete files in "+path.Dir(e.Resource)+"/")
	}
	for dir := e.Resource; strings.Count(dir, "/") > 1; dir = path.Dir(dir) {
		out = append(out, "delete "+dir)
	}
	return out
}

// shared says whether a file lies right in a temporary directory that everybody uses: the
// files beside it are of all kinds.
func shared(c *gates.Context, e *gates.Effect) bool {
	if e.Zone != effect.ZoneTemp {
		return false
	}
	places := c.Places()
	z, _, _ := places.Where(path.Dir(path.Dir(e.Resource)))
	return z != effect.ZoneTemp
}

// maxPlainArg bounds what counts as a short text among the arguments of an unknown tool.
const maxPlainArg = 200

// calls names a tool that nobody knows together with all that it is given: which of its
// arguments says what it does, nobody knows either. They are short words that a person
// can read in the question; an address, a place on disk, what reads as a command and
// words that came from outside are asked about each time.
func calls(c *gates.Context, d *gates.Decision) []string {
	if c.Tool == "" || c.Command != "" || len(d.Effects) != 1 {
		return nil
	}
	var given []string
	for i := range c.Args {
		a := &c.Args[i]
		if a.Origin == call.OriginUntrusted || class.Sent(a.Value)&class.Credentials != 0 || len(a.Value) > maxPlainArg || strings.ContainsAny(a.Value, "\n\r\\;|&$`<>(){}~*@") ||
			strings.Contains(a.Value, "://") || strings.Contains(a.Value, "..") || strings.HasPrefix(a.Value, "/") || strings.HasPrefix(a.Value, "-") {
			return nil
		}
		given = append(given, a.Path+"="+a.Value)
	}
	name := "call " + c.Tool
	if len(given) > 0 {
		name += " with " + Quote(given)
	}
	if len(name) > maxExact {
		return nil
	}
	return []string{name}
}

// runs names a program that is run: one that nobody knows by its name and subcommand, a
// file by its path, and what can run anything by its exact words.
func runs(c *gates.Context, e *gates.Effect, by *effect.Run) []string {
	switch {
	case by == nil || path.Base(by.Words[0]) == "gbt":
		return nil
	case e.Updates():
		return updates(e, by)
	case e.Kind == effect.Setting && e.Op != effect.OpInstall && e.Op != effect.OpService && e.Op != effect.OpContainer:
		return nil
	case e.Op == effect.OpRunUnknown && names.Agent(by.Words[0]):
		return startsAgent(c, by)
	case e.Op == effect.OpRunUnknown:
		return told(by)
	case e.Op == effect.OpRunFile && !unplaced(e):
		return []string{"run " + e.Resource}
	case e.Op == effect.OpEscape || e.Kind == effect.Setting:
		return exactly(by.Words)
	}
	return nil
}

// updates names the project whose dependencies are brought in anew, with the program that chooses
// the versions, and before that the dependencies where the run names them. What else the run is
// told belongs to the name: such an option may say from where, or how far.
func updates(e *gates.Effect, by *effect.Run) []string {
	if unplaced(e) || strings.Contains(e.Ref, "…") || strings.Contains(e.Ref, "/../") || strings.Contains(e.Ref, ":") {
		return nil
	}
	told := ""
	if rest := toldBeside(e, by); len(rest) > 0 {
		told = " with " + Quote(rest)
	}
	all := e.Deed + " dependencies of " + e.Resource + " by " + e.Program + told
	if e.Ref == "" {
		return []string{all}
	}
	return []string{"update " + e.Ref + " in " + e.Resource + " by " + e.Program + told, all}
}

// toldBeside are the words of an update that are neither its command nor names of dependencies,
// but for those that only say what the name does, or how much is printed.
func toldBeside(e *gates.Effect, by *effect.Run) []string {
	named := strings.Split(e.Ref, ", ")
	var out []string
	for _, w := range by.Words[1:] {
		switch {
		case slices.Contains(strings.Fields(by.Tool), w), slices.Contains(by.Names, w), slices.Contains(named, w), slices.Contains(plainUpdates, w):
		default:
			out = append(out, w)
		}
	}
	return out
}

// plainUpdates are words by which programs are told to update, or all of it, and to print more
// or less (their manuals). Sorted.
var plainUpdates = []string{"--all", "--no-interaction", "--quiet", "--upgrade", "--verbose", "-U", "-q", "-u", "-v"}

// Unchanged stands in a name between a file that is run and what it holds.
const Unchanged = " unchanged "

// unchanged names the run of a file that the session wrote and that nobody vetted, with a
// digest of what it holds: one yes is for that, and for nothing that stands there later.
func unchanged(c *gates.Context, e *gates.Effect, by *effect.Run) []string {
	if e.Op == effect.OpBuild && by != nil {
		return build(c, by)
	}
	sum := c.Unchanged(e)
	if sum == "" || unplaced(e) || e.Glob {
		return nil
	}
	return []string{"run " + e.Resource + Unchanged + sum}
}

// build names a build, a test run or a task that loads files which nobody vetted, with a
// digest of these and of all that the session wrote: the same words again, while nothing of
// it has changed. What such files make of other words nobody has read.
func build(c *gates.Context, by *effect.Run) []string {
	sum := c.UnchangedAll(by)
	words := Quote(by.Words)
	if sum == "" || len(words) > maxExact || slices.ContainsFunc(c.Runs(), func(r effect.Run) bool {
		return !slices.Equal(r.Words, by.Words) && !looksOnly(&r) && path.Base(r.Words[0]) != "tee" // it may change what the run finds
	}) {
		return nil
	}
	files := c.Loads()
	if len(files) > maxNamed {
		files = append(files[:maxNamed:maxNamed], strconv.Itoa(len(files)-maxNamed)+" more")
	}
	return []string{exactlyRun + words + " in " + by.Cwd + " with " + strings.Join(files, ", ") + Unchanged + sum}
}

// maxNamed bounds the files that the name of a run tells.
const maxNamed = 3

// maxExact bounds the words of a run that are remembered as they are.
const maxExact = 1000

func exactly(words []string) []string {
	s := Quote(words)
	if len(s) > maxExact {
		return nil
	}
	return []string{exactlyRun + s}
}

// unplaced says whether nobody knows where a path lies.
func unplaced(e *gates.Effect) bool {
	return e.Zone == effect.ZoneUnknown || e.Zone == effect.ZoneCaller || !strings.HasPrefix(e.Resource, "/") || strings.Contains(e.Resource, "…")
}

// wide says whether a directory holds more than one thing that people would name.
func wide(dir, home string) bool {
	return strings.Count(dir, "/") < 2 || effect.TooWide(dir, home)
}

// before is the directory in front of the first pattern of a path.
func before(p string) string {
	if i := strings.IndexAny(p, "*?["); i >= 0 {
		p = p[:i]
	}
	return path.Dir(p + "x")
}
