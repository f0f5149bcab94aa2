package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file looks at what a project's own files have a build, a test or a task do, though
// nobody changed them in this session: a clone holds what its authors wrote. The tasks of a
// project are its own affair, so what reaches beyond it in a usual way (a download, a deployment,
// an installation) is left to them. Asked about is what no task has a reason for: secrets that
// are read and sent, the user's own directories that are deleted, keys that let somebody in.

// ruleHarmful is the code of the rule about what a project's own files do to the user.
const ruleHarmful = "flow/harmful"

// Bounds of what is read for one call: files of tasks and settings, not what these import and
// not the tests themselves. Every call of a session that runs something pays for it.
const (
	maxTaskFiles = 50
	maxTaskBytes = 256 << 10
)

// harmfulTasks objects to the first run that does such a thing by a file of the project.
func (c *Context) harmfulTasks(d *Decision) {
	if slices.ContainsFunc(d.Reasons, func(r Reason) bool { return r.Rule == ruleUnvetted || r.Disposition == Rejected }) {
		return // it is asked about what runs
	}
	if i, file, _ := c.harms(); i >= 0 {
		e := c.Effects[i]
		e.Resource = file
		d.add(ruleHarmful, ApprovedWithConstraints, i, &e)
	}
}

// harms says by which effect, by which file and by which line of it a run does what no task has
// a reason for. The effect is negative for none; the line is empty where the whole file does it.
func (c *Context) harms() (at int, file, line string) {
	if c.text == nil || !slices.ContainsFunc(c.Effects, func(e Effect) bool { return e.Kind == effect.Spawn }) {
		return -1, "", ""
	}
	f := c.following(maxTaskFiles, maxTaskBytes, maxTaskFiles)
	f.only, f.harms = true, true
	for i := range c.runs {
		if n := f.runs(c, i); n >= 0 && f.harm != "" {
			return n, f.harm, f.line
		}
	}
	return -1, "", ""
}

// Harm is what of a file of the project the rule about harmful tasks objects to, for people:
// the file, its commands as a call of their own, and the decision on that. The call is nil
// where it can't be shown as one, and the file is empty where nothing is objected to.
func (c *Context) Harm() (file string, does *Context, d *Decision) {
	at, file, line := c.harms()
	if at < 0 {
		return "", nil, nil
	}
	if line == "" {
		does, d = c.AsCall(file)
		return file, does, d
	}
	script := ShellContext(line, State{Cwd: c.Cwd, Home: c.Home, Roots: c.Roots, Compiled: c.places.Compiled})
	script.exists = c.exists
	var g Guardrail
	decision := g.Decide(&script)
	return file, &script, &decision
}

// onlyTells says whether a runner of tasks only says what there is: by its first word, in the
// manuals of just and Task. Behind a task's name such a word is the task's own; make runs some
// lines, and what computes its variables, whatever it is told.
func onlyTells(words []string) bool {
	if len(words) < 2 {
		return false
	}
	switch words[1] {
	case "-l", "--list", "--summary":
		return words[0] == "just" || words[0] == "task"
	case "-s", "--show", "--dump":
		return words[0] == "just"
	case "-a", "--list-all":
		return words[0] == "task"
	}
	return false
}

// grave says whether the follower looks for harm and a command of a file does some.
func (f *follower) grave(file, line, dir string) bool {
	switch {
	case !f.harms:
		return false
	case f.harm != "":
		return true
	}
	places := f.c.placesIn(dir)
	if !f.c.harmsUser(shell.AnalyzeCode("sh", line, &places), true) {
		return false
	}
	f.hit, f.harm, f.line = file, file, line
	return true
}

// graveAny is grave for the first of some commands that does harm.
func (f *follower) graveAny(file string, lines []string, dir string) bool {
	return slices.ContainsFunc(atMost(lines), func(line string) bool { return f.grave(file, line, dir) })
}

// graveFile is grave for a file that a run loads.
func (f *follower) graveFile(file, text string) bool {
	if len(text) > maxPlain {
		return false
	}
	dir := path.Dir(file)
	lang := shell.ScriptLanguage(file, text)
	if lang != "" {
		places := f.c.placesIn(dir)
		if f.c.harmsUser(shell.AnalyzeScript(lang, text, &places), lang == "sh") {
			f.hit, f.harm = file, file
			return true
		}
	}
	if lang == "sh" {
		return false
	}
	if how := shell.Loaded(file); how == shell.Tasks || how == shell.Modules {
		if f.graveAny(file, append(literals(text), recipes(values(text))...), dir) {
			return true
		}
	}
	if sends(text) && f.c.readsSecret(text) {
		f.hit, f.harm = file, file
		return true
	}
	for _, lines := range [...][]string{started(text), commandsIn(file, text), directives(text)} {
		if f.graveAny(file, lines, dir) {
			return true
		}
	}
	return false
}

// harmsUser says whether effects do to the user what no task of a project has a reason for.
// own says whether the project's own secrets count: a command that reads and sends them does
// nothing else, a program that reads its settings and speaks to somebody does two things.
func (c *Context) harmsUser(effects []Effect, own bool) bool {
	secret, sends := false, false
	for i := range effects {
		e := &effects[i]
		switch e.Kind {
		case effect.Read:
			secret = secret || e.Sensitive && (own || outside(e.Zone))
		case effect.Network:
			sends = sends || (e.Op == effect.OpSend || e.Op == effect.OpConnect || e.Op == effect.OpFetch) && !loopback(e.Net)
		case effect.Delete:
			if (e.Op == effect.OpRemoveTree || e.Op == effect.OpRemove) && c.usersOwn(e.Resource) {
				return true
			}
		case effect.Write:
			if strings.HasPrefix(e.Resource, c.Home+"/.ssh/") && c.Home != "" {
				return true
			}
		}
	}
	return secret && sends
}

// usersOwn says whether a tree is one that the user keeps beside the project: the home, a
// directory in it that bears an ordinary name, or one in which the workspace lies. What lies
// deeper, and what programs keep under hidden names, a task may have put there.
func (c *Context) usersOwn(tree string) bool {
	if i := strings.IndexAny(tree, "*?[…"); i >= 0 { // all of a directory, or some of it
		if tree[i] != '*' || i+1 < len(tree) || i == 0 || tree[i-1] != '/' {
			return false
		}
		tree = path.Clean(tree[:i])
	}
	if c.inWorkspace(tree) && tree != c.Home {
		return false
	}
	if tree == "/" || tree == c.Home || c.Home != "" && path.Dir(tree) == c.Home && !strings.HasPrefix(path.Base(tree), ".") {
		return true
	}
	return slices.ContainsFunc(c.Roots, func(root string) bool { return mark.Under(root, tree) })
}
