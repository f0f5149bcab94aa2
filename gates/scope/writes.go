package scope

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/class"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// This file names what is written outside of the workspace, where nothing gives back what was there. A
// yes to a new file is for new files of its directory, and for later changes of those that the session
// made. One to a change of a file that was there is for that file. Where several files of a directory
// may be replaced, it is for the same words and the same files, or for that time alone.

// OfSame stands in a name between the words of a run and a digest of the names of all that it takes along.
const OfSame = " of the same files "

// writes names what one effect writes, where nobody names it by what the host sees (Naming): the file
// that a tool writes, and what a command does by its words.
func writes(c *gates.Context, e *gates.Effect, by *effect.Run) []string {
	switch {
	case !writable(c, e):
		return nil
	case by == nil:
		return oneFile(e)
	}
	words := Quote(by.Words)
	if wide(e.Resource, c.Home) || class.Sent(words)&class.Credentials != 0 || len(words) > maxExact {
		return nil
	}
	if dir := dirOf(c, by); dir != c.Cwd {
		words += " in " + dir
	}
	return []string{"write " + e.Resource + byWords + words}
}

// named are the names of all that one effect writes. It is never empty; an empty one of them is asked
// about each time.
func named(c *gates.Context, e *gates.Effect, by *effect.Run) [][]string {
	if by == nil {
		return [][]string{byTool(c, e)}
	}
	if archive(e, by) {
		if dir := path.Dir(e.Resource); seenNew(c, e, dir) {
			return [][]string{newIn(c, e.Resource)}
		}
		return [][]string{nil} // nobody knows which files it replaces
	}
	if list := intoDir(c, e, by); list != nil {
		return list
	}
	switch path.Base(by.Words[0]) {
	case "mkdir": // changes nothing that is there
		made := []string{"make the directory " + e.Resource}
		if c.IsNew(e.Resource) {
			return [][]string{append(newIn(c, e.Resource), made...)}
		}
		return [][]string{append(made, newIn(c, e.Resource)...)}
	case "csplit", "split": // the files have longer names
		return [][]string{byItsWords(c, e, by)}
	}
	if list := atPath(c, e, e.Resource); list != nil {
		return [][]string{list}
	}
	if !c.SeesFiles() && slices.Contains(intoOneFile[:], path.Base(by.Words[0])) {
		return [][]string{oneFile(e)}
	}
	return [][]string{byItsWords(c, e, by)}
}

// intoOneFile are programs that write the file which they name, and none below a directory of that name.
var intoOneFile = [...]string{"perl", "sed", "tee", "touch", "truncate"}

// writable says whether a yes to a write may be for more than that one. A file that something loads
// unasked is never one of several.
func writable(c *gates.Context, e *gates.Effect) bool {
	if unplaced(e) || e.Glob || guarded(e.Resource) || names.Sensitive(e.Resource) {
		return false
	}
	switch e.Op {
	case effect.OpCreate, effect.OpModify, effect.OpMove:
	default:
		return false
	}
	switch e.Zone {
	case effect.ZoneHome, effect.ZoneOutside, effect.ZoneTemp:
		return true
	case effect.ZoneKept: // in a neighbouring project, but not in what hosts and package managers keep
		places := c.Places()
		return places.Neighbour(e.Resource)
	}
	return false
}

// byTool names a write of a tool: of a directory that is there nobody knows what it replaces.
func byTool(c *gates.Context, e *gates.Effect) []string {
	if !c.IsNew(e.Resource) || c.Makes(e) {
		if list := atPath(c, e, e.Resource); list != nil {
			return list
		}
	}
	if there := c.Places().There; there != nil && there(e.Resource) && c.SeesFiles() {
		return nil
	}
	return oneFile(e)
}

// atPath names a write by what is at the path: nothing, a file that the session made, or any other. It
// is nil where nobody sees that, or it is none of these.
func atPath(c *gates.Context, e *gates.Effect, file string) []string {
	one := []string{"write " + file}
	switch {
	case seenNew(c, e, file):
		return newIn(c, file)
	case c.IsNew(file):
	case c.HasMade(file):
		return append(one, newIn(c, file)...)
	case c.IsFile(file):
		return one
	}
	return nil
}

// seenNew says whether nothing is at a path, and nothing that the call puts above it may be a link or
// hold something by that name.
func seenNew(c *gates.Context, e *gates.Effect, file string) bool {
	return c.IsNew(file) && !slices.ContainsFunc(c.Effects, func(x effect.Effect) bool {
		return x.Kind == effect.Write && x.Program != "mkdir" && x.Program != e.Program && x.Resource != file && (mark.Under(file, x.Resource) || unplaced(&x))
	})
}

// newIn names new files of the directory that a file is in.
func newIn(c *gates.Context, file string) []string {
	dir := path.Dir(file)
	if wide(dir, c.Home) || strings.Contains(file, "/.") {
		return []string{"write " + file}
	}
	return []string{"write new files in " + dir + "/"}
}

// oneFile names a file that is taken away or replaced: nothing is said of any other.
func oneFile(e *gates.Effect) []string {
	if unplaced(e) || e.Glob {
		return nil
	}
	if e.Op == effect.OpMove && e.Zone == effect.ZoneTemp {
		return []string{"move " + e.Resource}
	}
	return []string{"write " + e.Resource}
}

// archive says whether an effect stands for what an archive holds (internal/gates/shell, unpack.go).
func archive(e *gates.Effect, by *effect.Run) bool {
	return path.Base(e.Resource) == "unpacked" && !slices.ContainsFunc(by.Words, func(w string) bool { return strings.HasSuffix(w, "unpacked") })
}

// intoDir names what a run copies or moves into a directory that is there, by the names that it gets
// there; nil where that is no such run, or a directory of that name is there.
func intoDir(c *gates.Context, e *gates.Effect, by *effect.Run) [][]string {
	given := by.Names
	if len(given) == 0 { // no option has a value behind it
		given = slices.DeleteFunc(slices.Clone(by.Words[1:]), func(w string) bool { return strings.HasPrefix(w, "-") })
	}
	n := len(given) - 1
	if n < 1 || !plainCopy(by) {
		return nil
	}
	places := c.Places()
	to := given[n]
	holds := places.NamesOf != nil && len(places.NamesOf(e.Resource)) > 0
	if places.Resolve(by.Cwd, to) != e.Resource || !strings.HasSuffix(to, "/") && !holds && n < 2 && (c.IsNew(e.Resource) || !c.SeesFiles() || c.IsFile(e.Resource)) {
		return nil
	}
	var out [][]string
	for _, from := range given[:n] {
		base := path.Base(from)
		if mark.Has(from) || strings.ContainsAny(from, "*?[:~") || strings.HasSuffix(from, "/") || base == "." || base == ".." {
			return nil
		}
		file := path.Join(e.Resource, base)
		list := atPath(c, e, file)
		if list == nil {
			return nil
		}
		if guarded(file) || names.Sensitive(file) {
			list = nil
		}
		out = append(out, list)
	}
	return out
}

// plainCopy says whether a run copies or moves what it names under the names that this has, by options
// that change nothing about that (cp(1), mv(1), install(1), rsync(1)).
func plainCopy(by *effect.Run) bool {
	letters := ""
	switch path.Base(by.Words[0]) {
	case "cp":
		letters = "HLPRainpruvx"
	case "install":
		letters = "Cmpv"
	case "mv":
		letters = "inuv"
	case "rsync":
		letters = "DPachinoprtuvz"
	}
	return letters != "" && !slices.ContainsFunc(by.Words[1:], func(w string) bool {
		return strings.HasPrefix(w, "-") && strings.Trim(w, letters) != "-" && w != "--"
	})
}

// byItsWords names a run that writes files which its words do not name, below the directory that they do.
func byItsWords(c *gates.Context, e *gates.Effect, by *effect.Run) []string {
	switch {
	case by.Tool == "git apply", by.Tool == "git am", path.Base(by.Words[0]) == "patch":
		return nil // another file says what is changed
	case by.Tool == "git add" && keepsToTree(by), by.Tool == "git commit" && keepsToTree(by):
		return []string{"write " + e.Resource + " by " + by.Tool}
	}
	same, ok := takenAlong(c, by)
	out := writes(c, e, by)
	if !ok || len(out) == 0 {
		return nil
	}
	name := asTyped.Replace(out[0])
	if same != "" {
		name += OfSame + sum(same)
	}
	return []string{name}
}

// asTyped puts back the signs of patterns.
var asTyped = strings.NewReplacer(string(mark.Star), "*", string(mark.One), "?", string(mark.Class), "[")

// keepsToTree says whether a run of git add or git commit has only options by which it records what is
// there, and changes no commit (git-add(1), git-commit(1)).
func keepsToTree(by *effect.Run) bool {
	at := slices.Index(by.Words, strings.TrimPrefix(by.Tool, "git "))
	return at > 0 && !slices.ContainsFunc(by.Words[at:], func(w string) bool {
		return strings.HasPrefix(w, "-") && !slices.Contains([]string{"-", "--", "-A", "-a", "-am", "-m", "-q", "-s", "-u", "-v"}, w)
	})
}

// maxAlong bounds the names of files that one run takes along.
const maxAlong = 500

// takenAlong are the names of all that lies in directories which a run reads or moves, each in a line; ok
// is false where there are too many.
func takenAlong(c *gates.Context, by *effect.Run) (list string, ok bool) {
	places := c.Places()
	if places.NamesOf == nil {
		return "", true
	}
	var out []string
	var below func(dir, at string)
	below = func(dir, at string) {
		for _, name := range places.NamesOf(dir) {
			if out = append(out, at+name); len(out) > maxAlong {
				return
			}
			if sub, is := strings.CutSuffix(name, "/"); is {
				below(path.Join(dir, sub), at+name)
			}
		}
	}
	for _, i := range by.Effects {
		switch x := &c.Effects[i]; {
		case x.Kind != effect.Read && !(x.Kind == effect.Write && x.Op == effect.OpMove):
		case x.Glob:
			below(before(x.Resource), "")
		default:
			below(x.Resource, "")
		}
	}
	return strings.Join(out, "\n"), len(out) <= maxAlong
}
