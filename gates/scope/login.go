package scope

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/class"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file names what a login by ssh only looks at. Whoever agreed that the agent looks at a
// machine is not asked anew for each line that looks there; what a line reads belongs to the name.

// Naming names questions by what they are about where the usual names would be for the very same words
// alone, or where there is none: looks at other machines, and runs of programs whose text nobody knows.
// It is a gates.State.Naming.
type Naming struct{}

// Things implements gates.Naming.
func (Naming) Things(c *gates.Context, d *gates.Decision, r *gates.Reason) [][]string {
	if r.Effect < 0 || r.Effect >= len(d.Effects) {
		return nil
	}
	by, ok := doer(c, r.Effect)
	e := &d.Effects[r.Effect]
	switch {
	case !ok || by == nil:
	case r.Rule == "egress/send":
		return looksThere(c, e, by)
	case r.Rule == "flow/unvetted" && e.Op == effect.OpRunFile && !e.Sensitive && !e.Deferred && c.Unchanged(e) == "":
		return [][]string{setting(unknownText(c, e, by), e, by)}
	}
	return nil
}

// unknownText names the run of a program that the session downloaded or unpacked: the very same words,
// in its directory, while neither the program nor what it goes by changes. What it makes of other words
// nobody has read.
func unknownText(c *gates.Context, e *gates.Effect, by *effect.Run) []string {
	sum, words := gates.UnchangedState(c, e, by), Quote(by.Words)
	if sum == "" || unplaced(e) || by.Background || by.Contained || len(words) > maxExact || class.Sent(words)&class.Credentials != 0 || slices.ContainsFunc(c.Runs(), func(r effect.Run) bool {
		return !slices.Equal(r.Words, by.Words) && !looksOnly(&r) && path.Base(r.Words[0]) != "tee"
	}) {
		return nil
	}
	return []string{exactlyRun + words + " in " + by.Cwd + asFile + e.Resource + Unchanged + sum}
}

// asFile stands in such a name before the program.
const asFile = " as the file "

// Ends implements gates.Naming.
func (Naming) Ends(c *gates.Context, name string) bool {
	i, k := strings.LastIndex(name, asFile), strings.LastIndex(name, Unchanged)
	return strings.HasPrefix(name, exactlyRun) && i >= 0 && i < k && gates.MayChange(c, name[i+len(asFile):k])
}

// looksThere are the names of a login by ssh whose command line there does nothing but list, count
// and print: one for looking at all, and one for each place that it reads. The words up to the
// machine's name are as they were agreed to: they say who logs in, how and where. nil where it may
// do more.
func looksThere(c *gates.Context, e *gates.Effect, by *effect.Run) [][]string {
	if by.Tool != "ssh" || len(by.Names) < 2 || by.Given || by.Background || by.Contained || e.Resource != "ssh" {
		return nil
	}
	i := slices.Index(by.Words, by.Names[0])
	if i < 1 || i+1 >= len(by.Words) || strings.HasPrefix(by.Words[i+1], "-") || slices.ContainsFunc(c.Effects, func(e effect.Effect) bool { return e.Kind == effect.Read }) || strings.Contains(c.Command, "<") {
		return nil // what a file of this machine holds may go there
	}
	login, line := Quote(by.Words[:i+1]), strings.Join(by.Words[i+1:], " ")
	if len(login)+len(line) > maxExact || class.Sent(login+" "+line)&class.Credentials != 0 {
		return nil
	}
	there := gates.ShellContext(line, gates.State{Cwd: homeThere, Home: homeThere, Roots: []string{homeThere + "/workspace"}})
	if there.Doubt != "" || !looksAt(&there) {
		return nil
	}
	out := [][]string{{lookingThere + "around" + byWords + login}}
	for k := range there.Effects {
		r := &there.Effects[k]
		switch {
		case r.Kind != effect.Read && r.Kind != effect.List:
			continue
		case r.Sensitive || unplaced(r):
			return nil
		case r.Kind == effect.List && r.Op != effect.OpSearch:
			continue
		}
		out = append(out, readThere(r, login))
	}
	return out
}

// homeThere stands for the directory in which a login begins: nobody knows what it is called.
const homeThere = "/home/who-logs-in"

// lookingThere begins the names of looks at another machine.
const lookingThere = "look "

// readThere names a directory that is read there, or the file where the directory is as wide as a
// home or a system, and then those above it.
func readThere(e *gates.Effect, login string) []string {
	dir := e.Resource
	switch {
	case e.Glob:
		dir = before(dir)
	case path.Ext(dir) != "" && e.Kind == effect.Read:
		dir = path.Dir(dir)
	}
	if wide(dir, homeThere) {
		return []string{lookingThere + "at " + e.Resource + byWords + login}
	}
	var out []string
	for ; !wide(dir, homeThere); dir = path.Dir(dir) {
		out = append(out, lookingThere+"into "+dir+"/"+byWords+login)
	}
	return out
}

// looksAt says whether a line does nothing but look at files and at the state of its machine. What
// git starts by the settings of a repository there, nobody knows.
func looksAt(c *gates.Context) bool {
	list := c.Runs()
	if len(list) == 0 || !looksBut(c, func(r *effect.Run) bool { return state(r) }) {
		return false
	}
	return !slices.ContainsFunc(list, func(r effect.Run) bool { return path.Base(r.Words[0]) == "git" || r.Words[0] != path.Base(r.Words[0]) })
}

// state says whether a run prints something of the state of its machine (the programs' manuals):
// with these words ps shows no environment.
func state(r *effect.Run) bool {
	switch {
	case r.Contained || r.Background || r.Given || len(r.Unlisted) > 0:
		return false
	case r.Words[0] == "ps":
		return len(r.Words) == 1 || len(r.Words) == 2 && mark.Among("-aux -ef ax aux", r.Words[1])
	}
	return mark.Among("df free hostname id lsblk lscpu nproc uname uptime w who whoami", r.Words[0])
}
