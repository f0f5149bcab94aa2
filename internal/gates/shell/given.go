package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about what a builder or test runner is given by options and settings
// of which the tables say nothing. What they read steers the code that they run, so
// a file in /tmp, where anybody writes without a question, is a load there, and an
// address elsewhere is a connection.

// loadsFrom asks about a value that lies in /tmp, but for one whose name says that
// the program writes there.
func (r *toolRun) loadsFrom(name, value string) {
	if r.t.act != doesBuild || !reachesOut(value) || writesTo(name) {
		return
	}
	if z, _, _ := r.m.p.Where(r.m.p.Resolve(r.m.cwd, value)); z == effect.ZoneTemp {
		r.m.escape(strings.TrimSpace(r.t.name + " " + name + " " + value))
	}
}

// reaches records a connection to the address that a value is.
func (r *toolRun) reaches(name, value string) {
	if r.t.act == doesBuild && strings.Contains(value, "://") && !officialSource(value) {
		r.m.addressIn(name, value)
	}
}

// writesTo says whether the name of an option or a setting says that its value is
// written, or is a directory for what does not stay: HOME=/tmp gives a test a home
// without settings.
func writesTo(name string) bool {
	name = strings.ToLower(name)
	if name == "home" {
		return true
	}
	if strings.HasSuffix(name, "targets") { // a file of MSBuild's code
		return false
	}
	for _, w := range writingWords {
		if strings.Contains(name, w) {
			return true
		}
	}
	return strings.Contains(name, "tmp") || strings.Contains(name, "temp")
}

// givenSecrets takes a secret that a script or an unknown program is told of for
// read: nobody knows what it does with it.
func (m *machine) givenSecrets(args []string) {
	for _, a := range args {
		for _, word := range pathsIn(a) {
			if _, secret, _ := m.p.Where(m.p.Resolve(m.cwd, word)); secret {
				m.read(word)
				break
			}
		}
	}
}

// pathsIn returns what may be a path in an argument, the shortest first: what stands
// behind a name, a scheme or an @, what is attached to a letter, and all of it.
func pathsIn(arg string) []string {
	var words []string
	for _, sep := range []string{"://", "@", "="} {
		if _, after, ok := strings.Cut(arg, sep); ok && after != "" {
			words = append(words, after)
		}
	}
	if i := strings.IndexAny(arg, "/~."); i > 0 && arg[0] == '-' {
		words = append(words, arg[i:])
	}
	return append(words, arg)
}
