package learn

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/class"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/internal/gates/origin"
	"github.com/gbt-policy/gbt/segment"
)

// names counts the independent tasks behind each name that a gate could take over
// from the logs: of arguments and of fields of results, of programs, hosts and
// directories. A gate is sealed and handed out, so it may have one only if
// segment.MinShared tasks share it: what fewer have is somebody's own, and says
// nothing about the next task either. Names of tools are what a gate is about and
// are not counted.
type names map[string]map[string]bool

// The kinds of names, in front of them.
const (
	argName     = "a "
	formName    = "f "
	programName = "p "
	hostName    = "h "
	dirName     = "d "
	topName     = "t " // first directories in benign calls
	wideName    = "n " // benign calls that name a host at all
	rootName    = "r " // workspace roots and working directories
	aboveName   = "^ " // directories above those
)

// namesOf counts over all examples.
func namesOf(ex *Examples) names {
	n := names{}
	for _, list := range [][]Example{ex.Unsafe, ex.Benign} {
		for i := range list {
			for name := range namesIn(list[i].Context) {
				if n[name] == nil {
					n[name] = map[string]bool{}
				}
				if len(n[name]) < segment.MinShared {
					note(n[name], list[i].Tasks)
				}
			}
		}
	}
	for i := range ex.Benign {
		for name := range placesIn(ex.Benign[i].Context) {
			if n[name] == nil {
				n[name] = map[string]bool{}
			}
			if len(n[name]) < segment.MinShared {
				note(n[name], ex.Benign[i].Tasks)
			}
		}
	}
	for _, list := range [][]Example{ex.Unsafe, ex.Benign} {
		for i := range list {
			n.roots(list[i].Context)
		}
	}
	return n
}

// placesIn are the places that a call reaches at all.
func placesIn(c *gates.Context) map[string]bool {
	out := map[string]bool{}
	for i := range c.Effects {
		e := &c.Effects[i]
		if strings.HasPrefix(e.Resource, "/") {
			out[topName+topDir(e.Resource)] = true
		}
		if e.Net.Domain != "" {
			out[wideName] = true
		}
	}
	return out
}

func topDir(path string) string {
	top, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return top
}

// roots notes where a call ran.
func (n names) roots(c *gates.Context) {
	for _, r := range append(slices.Clone(c.Roots), c.Cwd) {
		r = strings.TrimSuffix(r, "/")
		if !strings.HasPrefix(r, "/") {
			continue
		}
		n[rootName+r] = map[string]bool{}
		for i := strings.LastIndexByte(r, '/'); i > 0; i = strings.LastIndexByte(r[:i], '/') {
			n[aboveName+r[:i]] = map[string]bool{}
		}
	}
}

// directory says whether a gate may name a directory. One that stands around a
// workspace, or in one, says where logs ran, and so does a directory of homes: the
// zone of an effect says that of any machine. Of a directory that no system has
// only benign calls beside it show that it is more than the place where the
// harmful ones happened to run.
func (n names) directory(d string) bool {
	if !n.shared(dirName, d) || n[aboveName+d] != nil {
		return false
	}
	for up := d; up != ""; up = up[:strings.LastIndexByte(up, '/')] {
		if n[rootName+up] != nil {
			return false
		}
	}
	switch top := topDir(d); {
	case top == "home", top == "Users", top == "root":
		return false
	case slices.Contains(systemDirs[:], top):
		return true
	default:
		return len(n[topName+top]) >= segment.MinShared
	}
}

// systemDirs are the directories that every machine has: Filesystem Hierarchy
// Standard 3.0, chapter 3, without those of homes and of what a site mounts.
var systemDirs = [...]string{"bin", "boot", "dev", "etc", "lib", "lib32", "lib64", "proc", "run", "sbin", "sys", "tmp", "usr", "var"}

// host says whether a gate may name a host. Where benign runs reached none, it
// says where the harmful ones ran.
func (n names) host(d string) bool {
	return n.shared(hostName, d) && len(n[wideName]) >= segment.MinShared
}

// namesIn are the names of one context.
func namesIn(c *gates.Context) map[string]bool {
	out := map[string]bool{}
	for i := range c.Args {
		a := &c.Args[i]
		out[argName+basePath(a.Path)], out[formName+fieldOf(a.Form)] = true, true
	}
	for i := range c.Effects {
		e := &c.Effects[i]
		out[programName+e.Program] = true
		for _, d := range domains(e.Net.Domain) {
			out[hostName+d] = true
		}
		for _, d := range directories(e.Resource) {
			out[dirName+d] = true
		}
	}
	return out
}

// fieldOf is the place in a result that a form names, without what is said of the
// value there.
func fieldOf(form string) string {
	if i := strings.LastIndexByte(form, '~'); i >= 0 {
		return form[:i]
	}
	return strings.TrimSuffix(form, origin.Selected)
}

// shared says whether enough tasks have a name. One of plain words alone, as most
// names of arguments and fields are, is nobody's.
func (n names) shared(kind, name string) bool {
	return (kind == argName || kind == formName) && plain(name) || name == "" || len(n[kind+name]) >= segment.MinShared
}

// plain says whether a name has plain words alone.
func plain(name string) bool {
	for _, w := range strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '.' || r == '-' || r == '[' || r == ']' }) {
		if _, ok := segment.Plain(w); !ok {
			return false
		}
	}
	return true
}

// flow says whether a gate may name a flow.
func (n names) flow(f argFlow) bool {
	return n.shared(argName, f.path) && n.shared(formName, fieldOf(f.form))
}

// strange returns a constant of a gate that is text of too few tasks; empty if
// there is none. It judges the proposals of others, who may write what they like.
func (l *learner) strange(expr string) (string, error) {
	list, err := l.opt.Texts.Constants(expr)
	if err != nil {
		return "", err
	}
	ex := l.all
	known := knownWords(ex)
	for _, c := range list {
		if known[c] || len(letters(c)) < 2 || plain(strings.TrimSuffix(c, "~")) {
			continue
		}
		tasks := map[string]bool{}
		for _, examples := range [][]Example{ex.Unsafe, ex.Benign} {
			for i := range examples {
				if len(tasks) < segment.MinShared && holds(examples[i].Context, c) {
					note(tasks, examples[i].Tasks)
				}
			}
		}
		if len(tasks) > 0 && len(tasks) < segment.MinShared {
			return c, nil
		}
	}
	return "", nil
}

// namesIn lists what a gate names that is no word of the language or of the learner's
// rules.
func (l *learner) namesIn(expr string) []string {
	list, err := l.opt.Texts.Constants(expr)
	if err != nil {
		return nil
	}
	known := languageWords()
	return slices.DeleteFunc(list, func(c string) bool { return known[c] || len(letters(c)) < 2 })
}

func letters(s string) string { return strings.Trim(s, "-_./:@~!?&+=[]()*^$|\\ ") }

// holds says whether a text stands in a part of a context that is the log's.
func holds(c *gates.Context, text string) bool {
	in := func(s string) bool { return strings.Contains(s, text) }
	for i := range c.Args {
		if a := &c.Args[i]; in(a.Value) || in(a.Path+".") || in(a.Form) {
			return true
		}
	}
	for i := range c.Effects {
		if e := &c.Effects[i]; in(e.Resource) || in(e.Argv) || in(e.Program) || in(e.Parent) || in(e.Net.Domain) || in(e.Net.IP) {
			return true
		}
	}
	for i := range c.History {
		if in(c.History[i].Resource) {
			return true
		}
	}
	for _, list := range [][]string{c.Roots, c.Flow.Derived, c.Flow.Unvetted} {
		for _, s := range list {
			if in(s) {
				return true
			}
		}
	}
	return in(c.Cwd)
}

// languageWords are the words of the gate language and the constants of the
// learner's own rules.
var languageWords = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for i := range effect.NumKinds {
		out[i.String()] = true
	}
	for i := range effect.NumOps {
		out[i.String()] = true
	}
	for i := range effect.NumZones {
		out[i.String()] = true
	}
	for i := range effect.NumVerbs {
		out[i.String()] = true
	}
	note(out, class.All.Names())
	note(out, []string{
		origin.NumberNone, origin.NumberSame, origin.NumberSum, origin.NumberLess, origin.NumberMore, origin.NumberOther, origin.NumberUnread,
		origin.LinkText, origin.LinkAgent, origin.LinkField, origin.LinkFollowed, origin.LinkTask,
	})
	rules, err := lang.Constants(new(flowGate).text())
	if err != nil {
		panic("gbt: internal error: " + err.Error())
	}
	for _, w := range rules {
		out[w] = true
	}
	return out
})

// knownWords are also the names of tools, which every gate may have.
func knownWords(ex *Examples) map[string]bool {
	out := maps.Clone(languageWords())
	for _, list := range [][]Example{ex.Unsafe, ex.Benign} {
		for i := range list {
			c := list[i].Context
			out[c.ToolName()], out[c.Class.Family.String()], out[c.Class.Resource.String()] = true, true, true
			for k := range c.Args {
				a := &c.Args[k]
				out[a.Source], out[a.Role], out[a.Origin.String()] = true, true, true
			}
		}
	}
	return out
}
