package effect

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// Kept is a directory outside the workspace that is there to be read: what the agent's
// host keeps of the session, or the sources that a package manager unpacked. Where Write
// is set the host tells the agent to write there, too, and it loads nothing from it.
type Kept struct {
	Dir   string // absolute, or below the home where it begins with ~/
	Write bool
}

// caches are where package managers and version managers keep the sources and libraries
// of what they installed, below a home: the defaults of their manuals (go help
// environment, GOMODCACHE; The Cargo Book, "Cargo Home"; The rustup book; Maven settings
// reference, localRepository; Gradle manual, "The Directories and Files Gradle Uses";
// "Managing the global packages folder" of NuGet; Python's site module, USER_SITE; the
// READMEs of pyenv, rbenv, nvm and asdf). Credentials lie beside these directories and
// not in them.
var caches = [...]string{
	".asdf/installs", ".cargo/git/checkouts", ".cargo/registry/src", ".gradle/caches", ".local/lib", ".m2/repository", ".nuget/packages", ".nvm/versions", ".pyenv/versions", ".rbenv/versions",
	".rustup/toolchains", "go/pkg/mod",
}

// keptHere is what is kept with the home filled in.
func (p *Places) keptHere() []Kept {
	out := make([]Kept, 0, len(p.Kept))
	for _, k := range p.Kept {
		if rest, ok := strings.CutPrefix(k.Dir, "~/"); ok {
			k.Dir = p.Home + "/" + rest
		}
		if k.Dir = absolute(k.Dir); k.Dir != "" && !TooWide(k.Dir, p.Home) {
			out = append(out, k)
		}
	}
	return out
}

// keptFor is what keeps a path, or nothing. A pattern in a directory's name is no path
// of it.
func (p *Places) keptFor(path string) Kept {
	for _, k := range p.Kept {
		if mark.Under(path, k.Dir) {
			return k
		}
	}
	if !mark.Under(path, p.Home) {
		return Kept{}
	}
	below := strings.TrimPrefix(strings.TrimPrefix(path, p.Home), "/")
	for _, dir := range caches {
		if rest, ok := strings.CutPrefix(below, dir); ok && rest != "" && rest[0] == '/' {
			return Kept{Dir: p.Home + "/" + dir}
		}
	}
	return Kept{}
}
