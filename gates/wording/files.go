package wording

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// reads words what is read outside the workspace.
func (s *subject) reads() []clause {
	verb := "reads "
	if s.rule == "workspace/list" {
		verb = "lists the files in "
		if s.effects[0].Glob {
			verb = "lists "
		}
	}
	if s.rule == "workspace/read" && !slices.ContainsFunc(s.effects, func(e *gates.Effect) bool { return e.Op != effect.OpSearch }) {
		verb = "searches " + s.searched()
	}
	var near, rest []*gates.Effect
	for _, e := range s.besidesWrites() {
		if s.c != nil && s.c.ReachesSecrets(e) {
			near = append(near, e)
		} else {
			rest = append(rest, e)
		}
	}
	rest, named := s.namedInCode(rest)
	rest, used := s.usedDevices(rest)
	var out []clause
	if len(named) > 0 {
		out = append(out, clause{what: "names " + s.files(named) + " in its code or in a value" + placesOf(named) + ", and may read or change " + itThem(named), note: "; the model sees what is printed of it"})
	}
	if len(used) > 0 {
		out = append(out, clause{what: "lets " + name(used[0].Program) + " use " + s.files(used), note: "; it can read there and write", weight: 2, instead: "Say what it does with that device, and ask for it."})
	}
	if len(near) > 0 {
		out = append(out, clause{what: verb + s.files(near) + " in another project, where files may hold passwords or keys", note: "; the model sees what is printed of it", weight: 1})
	}
	if len(rest) > 0 {
		if verb == "reads " && s.fromGit(rest) {
			verb = "shows what git holds of "
		}
		x := clause{what: verb + s.files(rest) + s.placesUnsaid(rest), note: "; the model sees what is there"}
		if slices.ContainsFunc(rest, func(e *gates.Effect) bool { return strings.HasPrefix(e.Resource, unknown) }) {
			x.instead = "Name the file by its full path, so that it is plain which one is read, or say which it is and ask."
		}
		out = append(out, x)
	}
	return out
}

// fromGit says whether what is read are files as a commit or the index has them: each git of the
// line shows an object by REVISION:PATH (gitrevisions(7)), and nothing else reads.
func (s *subject) fromGit(list []*gates.Effect) bool {
	objects := 0
	for _, c := range s.of("git") {
		if len(c.words) > 0 && (c.words[0] == "show" || c.words[0] == "cat-file") && slices.ContainsFunc(c.words[1:], func(w string) bool { return strings.Contains(w, ":") && w[0] != '-' }) {
			objects++
		}
	}
	return objects > 0 && !slices.ContainsFunc(list, func(e *gates.Effect) bool { return e.Program != "git" })
}

// searched is which files a tool looks into, where an argument says it.
func (s *subject) searched() string {
	if s.c == nil {
		return ""
	}
	for i := range s.c.Args {
		a := &s.c.Args[i]
		if (a.Path == "glob" || a.Path == "include") && len(a.Value) < maxObject/2 && plainWord(strings.NewReplacer("*", "", "{", "", "}", "", ",", "", "!", "").Replace(a.Value)+"x") {
			return quote(clean(a.Value)) + " in "
		}
	}
	return ""
}

// secrets words what is read that may hold keys or private records.
func (s *subject) secrets() []clause {
	var files, told, env []*gates.Effect
	var out []clause
	for _, e := range s.effects {
		if text := strings.TrimPrefix(e.Resource, "/"); strings.Contains(text, " ") && (strings.Contains(text, "~/") || strings.Contains(text, " /")) && !printed(e) && e.Program != "git" {
			told = append(told, e) // a text of code that holds a path, and no path
		} else if x, ok := revision(e); ok {
			out = append(out, x)
		} else if printed(e) {
			out = append(out, clause{what: "prints what “" + s.shownCall(e) + "” tells, which may hold passwords, keys or private data", note: "; the model sees what is printed of it", weight: 1})
		} else if e.Op == effect.OpEnv {
			env = append(env, e)
		} else {
			files = append(files, e)
		}
	}
	if len(files) > 0 {
		out = append(out, clause{what: "reads " + s.files(files) + ", which may hold passwords, keys or private data", note: "; the model sees what is printed of it", weight: 1})
	}
	if len(told) > 0 {
		out = append(out, clause{what: "has " + s.files(told) + " in its code, which names what may hold passwords, keys or private data", note: "; the model sees what is printed of it", weight: 1})
	}
	if len(env) > 0 {
		out = append(out, clause{what: "reads the environment's variables, which may hold passwords or keys", note: "; the model sees what is printed of them"})
	}
	return out
}

// revision words a file of the repository as it was or is staged, by git's REVISION:PATH. The path is
// said as it is written there: without ./ it begins at the top of the repository, wherever the
// call runs.
func revision(e *gates.Effect) (clause, bool) {
	at, file, ok := strings.Cut(strings.TrimPrefix(e.Resource, "git "), ":")
	if !ok || e.Program != "git" || !strings.HasPrefix(e.Resource, "git ") || file == "" || strings.Contains(e.Resource, unknown) {
		return clause{}, false
	}
	what := "prints " + name(file) + " as git has it in " + name(at)
	if at == "" {
		what = "prints " + name(file) + " as it is staged in git"
	}
	return clause{what: what + ", which may hold passwords, keys or private data", note: "; the model sees what is printed of it", weight: 1}, true
}

// printed says whether what is read is no file but what a program tells: secrets of a
// cluster, the state of an infrastructure.
func printed(e *gates.Effect) bool {
	return e.Op != effect.OpEnv && e.Program != "" && strings.HasPrefix(e.Resource, e.Program+" ")
}

// deletes words files and what else is removed, as the tools of versions have branches.
func (s *subject) deletes() []clause {
	var out []clause
	by := map[string][]*gates.Effect{}
	var keys []string
	for _, e := range s.effects {
		if x, ok := s.removed(e); ok {
			out = append(out, x)
			continue
		}
		key := strconv.Itoa(int(byZone(e))) + e.Zone.String()
		if by[key] == nil {
			keys = append(keys, key)
		}
		by[key] = append(by[key], e)
	}
	for _, k := range keys {
		out = append(out, s.deleted(by[k]))
	}
	return unique(out)
}

// removed words a deletion that is no plain one of named files.
func (s *subject) removed(e *gates.Effect) (clause, bool) {
	if e.Zone == effect.ZoneRecord {
		return s.record(e), true
	}
	if fact, ok := s.fact(e); ok {
		return fact, true
	}
	if e.Zone == effect.ZoneWorkspace && e.Program == "git" && !path.IsAbs(e.Resource) && !strings.HasPrefix(e.Resource, unknown) { // a command that loses commits
		return clause{what: "loses commits or names of commits: " + words(e.Resource, 3), note: "; only git's own log can bring them back", weight: 2}, true
	}
	return clause{}, false
}

// deleted words plain deletions in one kind of place.
func (s *subject) deleted(list []*gates.Effect) clause {
	tree := slices.ContainsFunc(list, func(e *gates.Effect) bool { return e.Op == effect.OpRemoveTree && e.Resource != unknown && !e.Glob })
	x := clause{what: "deletes " + s.files(list), note: "; cannot be undone", weight: byZone(list[0])}
	if tree {
		x.what += " with all that is in " + itThem(list)
		x.weight += 2
	}
	switch list[0].Zone {
	case effect.ZoneWorkspace:
		x.note = s.givenBack(list)
	case effect.ZoneUnknown, effect.ZoneCaller:
	case effect.ZoneTemp:
		x.what += theirs
		x.instead = "Take a new name there (mktemp), or tell the user what it is and ask."
	default:
		x.what += placeOf(list[0].Zone)
	}
	return x
}

// givenBack is what git can give back of files of the workspace that are deleted, as far as
// it is known, and with it what else the call deletes unasked.
func (s *subject) givenBack(list []*gates.Effect) string {
	note := "; git can give back only what was committed"
	if s.c == nil {
		return note
	}
	if slices.ContainsFunc(list, s.takesGit) {
		return "; git's own data may go with it, and then nothing can be given back"
	}
	lost := 0
	for _, e := range list {
		if s.c.At(e.Resource) == gates.FoundFile {
			lost++
		}
	}
	switch {
	case lost > 0 && lost == len(list):
		note = "; git does not hold " + itThem(list) + ", so it cannot be undone"
	case lost > 0:
		note = "; git does not hold " + strconv.Itoa(lost) + " of them" + ", so that cannot be undone"
	}
	var besides []string
	for i := range s.d.Effects {
		e := &s.d.Effects[i]
		if len(s.d.Reasons) < maxKept && e.Kind == effect.Delete && e.Zone == effect.ZoneWorkspace && path.IsAbs(e.Resource) && !slices.Contains(s.effects, e) {
			besides = append(besides, s.file(e))
		}
	}
	if len(besides) > 0 {
		note += "; " + join(besides) + plural(len(besides), " goes, too", " go, too")
	}
	return note
}

// takesGit says whether what is deleted takes the data of a repository along, in which all is that
// git could give back: the root of a work tree, or a pattern that finds .git in it.
func (s *subject) takesGit(e *gates.Effect) bool {
	dir, base := e.Resource, ".git"
	if e.Glob {
		dir, base = path.Split(e.Resource)
	}
	if strings.Contains(dir, unknown) || e.Glob && (base == "" || base[0] != '.' && base[0] != '[') || !e.Glob && e.Op != effect.OpRemoveTree {
		return false
	}
	if ok, err := path.Match(strings.ReplaceAll(base, "[!", "[^"), ".git"); !ok || err != nil {
		return false
	}
	dir = path.Clean(dir)
	at := s.c.At(path.Join(dir, ".git"))
	return at != gates.FoundNothing && (at != gates.FoundUnknown || slices.Contains(s.c.Roots, dir))
}

func itThem(list []*gates.Effect) string {
	if len(list) == 1 {
		return "it"
	}
	return "them"
}

// theirs is said of what lies in a temporary directory and is not known to be the session's.
const theirs = ", which this session is not known to have made"

// takes words files of others that are moved away.
func (s *subject) takes() []clause {
	return []clause{{what: "moves " + s.files(s.effects) + " away" + theirs, note: "; what looks for it there does not find it any more"}}
}

// replaces words files that a write puts something else in the place of.
func (s *subject) replaces() []clause {
	var names []string
	for _, e := range s.effects {
		files := []string{e.Resource}
		if s.c != nil {
			if known := s.c.Replaces(e); len(known) > 0 {
				files = known
			}
		}
		for _, f := range files {
			if n := where(s.c, f); !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	if len(names) > 3 {
		names = append(names[:2:2], count(len(names)-2, "more file"))
	}
	return []clause{{what: "replaces what is in " + join(names) + ", which git does not hold", note: noUndo}}
}

// placed leaves out what a program that copies or links is only feared to write: what lies
// below its target, where that is no directory yet, and the second effect on one file.
func (s *subject) placed() []*gates.Effect {
	var out []*gates.Effect
	for _, e := range s.effects {
		known := func(f gates.Effect) bool {
			if f == *e || f.Program != e.Program || e.Kind != effect.Write || f.Kind != effect.Write {
				return false
			}
			below := f.Op == effect.OpCreate && f.Resource == path.Dir(e.Resource) && (s.isNew(&f) || s.steers(&f) != "")
			return below || f.Resource == e.Resource && f.Op == effect.OpCreate && e.Op == effect.OpModify
		}
		if !copies(e.Program) || !slices.ContainsFunc(s.d.Effects, known) {
			out = append(out, e)
		}
	}
	if len(out) == 0 && !slices.ContainsFunc(s.d.Reasons, func(r gates.Reason) bool { return r.Rule != s.rule }) {
		return s.effects
	}
	return out
}

// copies says whether a program puts files at a target that may be a directory.
func copies(program string) bool {
	switch program {
	case "cp", "ln", "mv", "install", "rsync", "scp":
		return true
	}
	return false
}

// writes words what is changed where it should not be.
func (s *subject) writes() []clause {
	by := map[string][]*gates.Effect{}
	var keys []string
	for _, e := range s.placed() {
		verb, _ := s.changed(e)
		key := verb + "\x00" + s.steers(e) + "\x00" + e.Zone.String()
		if by[key] == nil {
			keys = append(keys, key)
		}
		by[key] = append(by[key], e)
	}
	var out []clause
	for _, k := range keys {
		list := by[k]
		before, behind := s.changed(list[0])
		if before == unpacksInto {
			out = append(out, s.unpacked(list)...)
			continue
		}
		x := clause{what: before + s.files(list) + behind, weight: byZone(list[0])}
		if list[0].Zone != effect.ZoneWorkspace && !strings.Contains(list[0].Resource, unknown) {
			x.what += placeOf(list[0].Zone)
		}
		if why := s.steers(list[0]); why != "" {
			x.what += ", " + why
			x.weight += 4
			if s.rule == "workspace/write" && s.agent(list[0]) == why && strings.Contains(why, "in every project") {
				x.instead = "Tell the user what would stand there for all their sessions, and ask for it."
			}
		}
		if x.note = lasting(list[0]); s.replacesMoved(list[0]) {
			x.note = "; it takes the place of what is there now, of which gbt keeps no copy"
		}
		if s.isNew(list[0]) || list[0].Program == "ln" || list[0].Op == effect.OpCreate && (list[0].Program == "mkdir" || s.addsTree(list[0])) {
			x.note = ""
		}
		out = append(out, x)
	}
	return out
}

// changed is what a write does, with what stands before and behind the file.
func (s *subject) changed(e *gates.Effect) (before, behind string) {
	switch e.Op {
	case effect.OpCreate:
		switch {
		case s.unpacks(e):
			return unpacksInto, ""
		case e.Program == "mkdir":
			return "makes the directory ", ""
		case e.Program == "ln":
			return "puts a link at ", ""
		case e.Program == "git" && s.addsTree(e):
			return "makes a new work tree of this repository at ", ""
		case s.copiedInto(e) != "":
			return "copies " + s.copiedInto(e) + " into ", ""
		case s.isNew(e):
			return "writes the new file ", ""
		}
		return "writes ", ""
	case effect.OpChmod:
		if s.makesPrograms() {
			return "lets ", " be run as a program"
		}
		return "changes who may read, change or run ", ""
	case effect.OpChown:
		return "changes who owns ", ""
	case effect.OpLink:
		return "makes a link to ", ""
	case effect.OpMove:
		return "moves " + s.moved(e) + " to ", ""
	}
	switch {
	case s.isNew(e):
		return "writes the new file ", ""
	case e.Program == "ln": // what the link leads to, and can be changed through it
		return "makes a link to ", ""
	}
	return "changes ", ""
}

// addsTree says whether a write is git's of a new work tree.
func (s *subject) addsTree(e *gates.Effect) bool {
	r := s.runOf(e)
	return r != nil && r.Tool == "git worktree add"
}

// isNew says whether a write makes a file that is not there.
func (s *subject) isNew(e *gates.Effect) bool {
	return s.c != nil && e.Zone != effect.ZoneDevice && e.Zone != effect.ZoneStream && !slices.Contains(s.c.Roots, e.Resource) && s.c.Makes(e)
}

// makesPrograms says whether all that the line does to rights is to let files be run
// (chmod(1)).
func (s *subject) makesPrograms() bool {
	list := s.of("chmod")
	return len(list) > 0 && !slices.ContainsFunc(list, func(c command) bool {
		return len(c.words) == 0 || c.words[0] != "+x" && c.words[0] != "u+x" && c.words[0] != "a+x"
	})
}

// lasting is what becomes of what was there.
func lasting(e *gates.Effect) string {
	switch {
	case gates.SerialLine(e.Resource):
		return "; whatever is at its other end may act on that"
	case e.Zone == effect.ZoneDevice:
		return "; everything on that device may be lost, and it cannot be undone"
	case e.Zone == effect.ZoneWorkspace && (strings.Contains(e.Resource, "/.git/") || e.Op == effect.OpChmod || e.Op == effect.OpLink):
		return ""
	case e.Zone == effect.ZoneWorkspace:
		return "; git can give back what was committed"
	case e.Op == effect.OpCreate || e.Op == effect.OpModify:
		return "; gbt keeps no copy of what is there now"
	}
	return ""
}

// placesOf says once where the files of effects lie, if they are in one kind of place.
func placesOf(list []*gates.Effect) string {
	z := list[0].Zone
	for _, e := range list {
		if e.Zone != z {
			return ", outside the workspace"
		}
	}
	return placeOf(z)
}

func placeOf(z effect.Zone) string {
	switch z {
	case effect.ZoneWorkspace:
		return ", in the workspace"
	case effect.ZoneTemp, effect.ZoneDevice:
		return ""
	case effect.ZoneSystem, effect.ZonePublic:
		return ", which belongs to the system"
	case effect.ZoneUnknown, effect.ZoneCaller:
		return ", a place that is known only when it runs"
	}
	return ", outside the workspace"
}

// files shows files: up to three by name, those that count most first, and many by their
// number and the directory that holds them all.
func (s *subject) files(list []*gates.Effect) string {
	var names, paths []string
	for _, e := range worstFirst(list) {
		n := s.file(e)
		if !slices.Contains(names, n) {
			names, paths = append(names, n), append(paths, e.Resource)
		}
	}
	if len(names) <= 3 {
		return join(names)
	}
	many := strconv.Itoa(len(names))
	if len(s.d.Reasons) >= maxKept {
		many += " or more" // a decision keeps no more reasons
	}
	if dir := common(paths); dir != "" {
		return many + " files in " + strings.Replace(where(s.c, dir), " whole ", " ", 1)
	}
	return many + " files, " + names[0] + " and " + names[1] + " among them"
}

// maxKept is how many reasons a decision keeps (gates.Decision.Object).
const maxKept = 16

func unique(list []clause) []clause {
	var out []clause
	for _, x := range list {
		if !slices.ContainsFunc(out, func(y clause) bool { return y.what == x.what }) {
			out = append(out, x)
		}
	}
	return out
}
