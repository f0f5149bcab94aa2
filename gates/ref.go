package gates

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about branches and tags that the session made, which it may delete again. It
// relaxes: what counts is that a ref was not there before the call and was after it, that
// nobody has moved it since, and that its commits stay where people find them without it.

// Ref is what a host sees of a branch or a tag.
type Ref struct {
	Repo string // the directory that all work trees of the repository share; empty where nobody knows
	At   string // the name of the object that it stands for; empty where it is not there
	// Fetched says that git fetched that object from another machine when it fetched last.
	Fetched bool
	// Kept says that another ref stands for it, too, or that another branch went forward from
	// it, of refs that were not left out.
	Kept bool
	// Moved says that the ref stood for something else before. Its record goes with it, and may
	// be all that names that.
	Moved bool
}

// seenNew stands in Flow.Own before a ref that was not there before a call, as long as
// nobody has seen what the call left, and madeRef before one that the call made: the object
// that it stood for then, its name and the directory of the repository.
const (
	seenNew = "newref:"
	madeRef = "ref:"
	fromNet = "fetched:" // in place of madeRef: another machine has the object
)

// refs adds the refs that the call makes to what the session made, and takes away those
// that it deletes, with all that stand for the same object: each of them was there for the
// others' commits.
func (c *Context) refs(own []string) []string {
	if c.ref == nil {
		return own
	}
	if c.after {
		return c.refsLeft(own)
	}
	own = slices.DeleteFunc(own, func(o string) bool { return strings.HasPrefix(o, seenNew) }) // of a call that nobody told of
	for i := range c.runs {
		if dir, gone, ok := shell.RefsGone(&c.runs[i]); ok {
			for _, name := range gone {
				if at := c.ref(dir, name, nil).At; at != "" {
					own = slices.DeleteFunc(own, func(o string) bool { _, was, ok := ownRef(o); return ok && was == at })
				}
			}
		}
		dir, made := shell.RefsMade(&c.runs[i])
		for _, name := range made {
			if r := c.ref(dir, name, nil); r.Repo != "" && r.At == "" {
				own = with(own, seenNew+name+" "+r.Repo)
			}
		}
	}
	return own
}

// refsLeft replaces the refs that were not there before the call by those that it left.
func (c *Context) refsLeft(own []string) []string {
	for _, o := range slices.Clone(own) {
		rest, ok := cutPrefix(o, seenNew)
		if !ok {
			continue
		}
		own = without(own, o)
		name, repo, _ := cutAt(rest, " ")
		switch r := c.ref(repo, name, nil); {
		case r.At == "" || r.Moved || r.Repo != repo:
		case r.Fetched:
			own = with(own, fromNet+r.At+" "+name+" "+repo)
		default:
			own = with(own, madeRef+r.At+" "+name+" "+repo)
		}
	}
	return own
}

// ownRef splits an entry of Flow.Own for a ref.
func ownRef(o string) (name, at string, ok bool) {
	rest, ok := cutPrefix(o, madeRef)
	if !ok {
		rest, ok = cutPrefix(o, fromNet)
	}
	at, rest, _ = cutAt(rest, " ")
	name, _, _ = cutAt(rest, " ")
	return name, at, ok
}

// forgetsOwn says whether all refs that git forgets are ones that the session made and that
// stand for what they stood for then: what another machine has, or what stays in the
// repository under another name.
func (c *Context) forgetsOwn(e *Effect) bool {
	if c.ref == nil || c.after || e.Deferred || goesRound(c.Command) {
		return false
	}
	found, at := false, c.indexOf(e)
	for n := range c.runs { // equal effects of runs in several repositories are one
		if slices.Contains(c.runs[n].Effects, at) {
			if found = c.forgets(n); !found {
				return false
			}
		}
	}
	return found
}

// forgets says it of one run.
func (c *Context) forgets(n int) bool {
	if c.runs[n].Given || c.runs[n].Background {
		return false
	}
	dir, gone, ok := shell.RefsGone(&c.runs[n])
	if !ok {
		dir, gone, ok = shell.RefsAnew(&c.runs[n])
	}
	if !ok || c.movesRefs(n) {
		return false
	}
	but := slices.Clone(gone)
	for i := range c.runs {
		_, more, _ := shell.RefsGone(&c.runs[i])
		but = append(but, more...)
	}
	for _, o := range c.Flow.Own {
		if name, _, ok := ownRef(o); ok {
			but = append(but, name)
		}
	}
	return !slices.ContainsFunc(gone, func(name string) bool {
		r := c.ref(dir, name, but)
		if r.Repo != "" && r.At == "" {
			return false // git has nothing to delete
		}
		entry := r.At + " " + name + " " + r.Repo
		return r.At == "" || r.Moved || r.Repo == "" || !isAmong(c.Flow.Own, fromNet+entry) && !(r.Kept && isAmong(c.Flow.Own, madeRef+entry))
	})
}

// movesRefs says whether something of the call that runs before run n, or beside it, may
// move a ref or make one.
func (c *Context) movesRefs(n int) bool {
	for i := range c.runs {
		if (i < n || strings.Contains(c.Command, "|")) && i != n && !shell.LeavesRefs(&c.runs[i]) {
			return true
		}
	}
	return slices.ContainsFunc(c.Effects, func(e Effect) bool {
		return e.Kind == effect.Opaque || e.Kind == effect.Write && strings.Contains(e.Resource, ".git")
	})
}
