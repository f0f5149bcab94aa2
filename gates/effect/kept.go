package effect

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// Kept is a directory outside the workspace that is there to be read: what the agent's
// host keeps of the session, or the sources that a package manager unpacked. Where Write
// is set the host tells the agent to write there, too, and it loads nothing from it.
//
// Below, where it is not empty, is a pattern of the files below it that are kept (path.Match):
// each of them by its whole name alone, so that a directory above them is not among them, and
// a pattern finds none, and only where Now says that it was put there while calls of this
// session ran. Hosts put results too long to show there, those of other projects as well.
type Kept struct {
	Dir   string // absolute, or below the home where it begins with ~/
	Below string
	Now   func(file string) bool // nil: nobody knows
	Write bool
}

// keeps says whether a path is among what is kept.
func (k *Kept) keeps(file string) bool {
	if k.Below == "" || !mark.Under(file, k.Dir) {
		return k.Below == "" && mark.Under(file, k.Dir)
	}
	ok, _ := path.Match(k.Below, strings.TrimPrefix(file[len(k.Dir):], "/"))
	return ok && !mark.Has(file) && k.Now != nil && k.Now(file)
}

// Own says whether a file is among what the host keeps. Not inlined, for the size of programs.
//
//go:noinline
func (p *Places) Own(file string) bool {
	return slices.ContainsFunc(p.Kept, func(k Kept) bool { return k.keeps(file) })
}

// caches are where package managers and version managers keep the sources and libraries
// of what they installed, below a home: the defaults of their manuals (go help
// environment, GOMODCACHE; The Cargo Book, "Cargo Home"; The rustup book; Maven settings
// reference, localRepository; Gradle manual, "The Directories and Files Gradle Uses";
// "Managing the global packages folder" of NuGet; pip, uv, npm, pnpm, yarn, Homebrew, CocoaPods and Composer on their caches; Python's site module, USER_SITE; the
// READMEs of pyenv, rbenv, nvm and asdf). Credentials lie beside these directories and
// not in them.
const caches = ".bun/install/cache .cabal/packages .cache/coursier .cache/go-build .cache/golangci-lint .cache/node/corepack .cache/pip .cache/pnpm .cache/yarn .cargo/registry/src " +
	".dotnet/sdk .dotnet/shared .ghcup/ghc .gradle/caches .ivy2/cache .julia/packages .konan .m2/repository .npm/_cacache .nuget/packages .pub-cache/hosted .stack/programs " +
	".yarn/berry/cache Android/Sdk Library/Android/sdk Library/Caches/Homebrew Library/Caches/Yarn Library/Caches/go-build Library/Caches/golangci-lint Library/Caches/pip " +
	"Library/Caches/pnpm anaconda3/pkgs go/pkg/mod miniconda3/pkgs miniforge3/pkgs"

// installations are those in which not all was published as it is: programs that people set up where
// they lie, with logins in their settings, links to other directories of theirs (rustup toolchain
// link, sdk install java X DIR, mise link, npm link), clones that remember from where they are,
// and logs.
const installations = ".asdf/installs .asdf/plugins .bundle/cache .cache/Homebrew .cache/bazel .cache/composer .cache/pre-commit .cache/pypoetry .cache/uv .cargo/git/checkouts .cocoapods/repos " +
	".composer/cache .gem/ruby .local/lib .local/share/fnm .local/share/mise/installs .local/share/pipx .local/share/pnpm .local/share/uv/python .local/share/uv/tools " +
	".npm/_logs .npm/_npx .nvm/versions .opam .pub-cache/bin .pub-cache/git .pub-cache/global_packages .pyenv/versions .rbenv/versions .rustup/toolchains .sdkman/candidates " +
	".volta/tools Library/Caches/CocoaPods Library/Caches/composer Library/Caches/pypoetry Library/Caches/uv Library/Developer/Xcode/DerivedData Library/pnpm anaconda3/lib " +
	"miniconda3/lib miniforge3/lib"

// mirrors are directories below those of bare repositories, whose settings say from where they were
// fetched, with the login that the address had.
const mirrors = ".cache/composer/vcs .cache/uv/git-v0/db .composer/cache/vcs .pub-cache/git/cache Library/Caches/composer/vcs Library/Caches/uv/git-v0/db go/pkg/mod/cache/vcs"

// personal are directories of a home that are no places for projects alone: those of the
// desktops (XDG user directories, macOS, Windows) and of services that keep files in step.
// Sorted.
var personal = [...]string{
	"appdata", "applications", "desktop", "documents", "downloads", "dropbox", "google drive", "icloud drive", "library", "mail", "movies", "music", "nextcloud", "onedrive", "pictures", "public",
	"snap", "templates", "videos",
}

// Personal says whether a directory right in a home has the name of one of these, in small letters.
func Personal(name string) bool {
	_, ok := slices.BinarySearch(personal[:], name)
	return ok
}

// projects is the directory of a home in which its owner keeps projects, the workspace
// among them: ~/src of ~/src/a/b. A neighbour of the workspace there may be read, but for
// secrets. It is empty where the workspace lies in the home itself, in a hidden directory,
// or right in one of personal things.
func projects(root, home string) string {
	if home == UnknownHome || root == home || !mark.Under(root, home) {
		return ""
	}
	parts := strings.Split(strings.TrimPrefix(root[len(home):], "/"), "/")
	deep := 1
	if _, ok := slices.BinarySearch(personal[:], strings.ToLower(parts[0])); ok {
		deep = 2
	}
	for _, p := range parts[:min(deep, len(parts))] {
		if p == "" || p[0] == '.' {
			return ""
		}
	}
	if len(parts) <= deep {
		return ""
	}
	return home + "/" + strings.Join(parts[:deep], "/")
}

// neighbours are the directories of projects around the roots.
func (p *Places) neighbours() []string {
	var out []string
	for _, r := range p.Roots {
		if dir := projects(r, p.Home); dir != "" && !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	return out
}

// Neighbour says whether a path lies in another project of the owner of the home, which is
// there to be read but for its secrets.
func (p *Places) Neighbour(path string) bool {
	if p.Own(path) {
		return false
	}
	return slices.ContainsFunc(p.near, func(dir string) bool { return path != dir && mark.Under(path, dir) })
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

// settingsInside are files that people put beside what was installed, with logins in them (pip,
// Configuration; npm, npmrc; Maven, Settings Reference; Gradle, Build Environment; the documentation of
// Composer, Poetry, RubyGems, NuGet and git; Java's management agent), and pre-commit's list of the
// addresses that it cloned. In small letters. Sorted.
const settingsInside = ".gemrc .npmrc auth.json auth.toml credentials db.db gemrc gitconfig gradle.properties jmxremote.password npmrc nuget.config pip.conf pip.ini settings-security.xml settings.xml"

// settingsBeside are those of them that count as no part of a package anywhere. Sorted.
const settingsBeside = "gradle.properties pip.conf pip.ini settings-security.xml settings.xml"

// libraries are names of directories in which only what was published lies. Sorted.
const libraries = "dist-packages include lib lib64 libexec node_modules share site-packages src vendor"

// within is the first of the directories of a list, below the home, that a path lies in, and what of the
// path is below it. Not inlined, for the size of programs.
//
//go:noinline
func (p *Places) within(list, path string) (dir, rest string) {
	if !mark.Under(path, p.Home) {
		return "", ""
	}
	for i := len(p.Home) + 1; i < len(path); i++ {
		if path[i] == '/' && mark.Among(list, strings.TrimPrefix(path[len(p.Home):i], "/")) {
			return path[:i], path[i:]
		}
	}
	return "", ""
}

// Open says whether a path or pattern lies in such a directory, where people's own settings may lie
// as well: not among libraries. Not inlined, for the size of programs.
//
//go:noinline
func (p *Places) Open(path string) bool {
	dir, rest := p.within(installations, path)
	elems := strings.Split(rest, "/")
	for _, elem := range elems[:len(elems)-1] {
		if mark.Among(libraries, elem) {
			return false
		}
	}
	return dir != ""
}

// Published says whether a path lies among packages as they were published.
func (p *Places) Published(path string) bool {
	in, _ := p.within(installations, path)
	of, _ := p.within(caches, path)
	return of != "" || in != "" && !p.Open(path)
}

// ofGit says whether a path or pattern leads into git's own directory, or may. Not inlined, for the size of programs.
//
//go:noinline
func ofGit(path string) bool {
	for _, elem := range strings.Split(path, "/") {
		if strings.HasPrefix(elem, ".") && mark.Match(names.Fold(elem), ".git") {
			return true
		}
	}
	return false
}

// holdsLogin says whether a file among what package managers keep has the name of one that people write logins
// into, or is the settings of a clone there. Not inlined, for the size of programs.
//
//go:noinline
func (p *Places) holdsLogin(path string) bool {
	switch base := names.Fold(path[strings.LastIndexByte(path, '/')+1:]); {
	case mark.Among(settingsInside, base):
		return p.Open(path)
	case base == "config":
		dir, _ := p.within(mirrors, path)
		return dir != ""
	}
	return false
}

// MayHoldLogin says whether the last name of a pattern can be one of those.
func (p *Places) MayHoldLogin(pattern string) bool {
	base := names.Fold(pattern[strings.LastIndexByte(pattern, '/')+1:])
	return p.Open(pattern) && slices.ContainsFunc(strings.Fields(settingsInside), func(name string) bool { return mark.Match(base, name) && (name[0] != '.' || base[0] == '.') })
}

// keptFor is what keeps a path, or nothing. A pattern in a directory's name is no path
// of it.
func (p *Places) keptFor(path string) Kept {
	if i := slices.IndexFunc(p.Kept, func(k Kept) bool { return k.keeps(path) }); i >= 0 {
		return p.Kept[i]
	}
	for _, dir := range p.near {
		if path != dir && mark.Under(path, dir) && mark.Under(path, p.Home) {
			return Kept{Dir: dir}
		}
	}
	dir, rest := p.within(caches, path)
	if dir == "" {
		if dir, rest = p.within(installations, path); ofGit(rest) {
			return Kept{}
		}
	}
	if mirror, _ := p.within(mirrors, path+"/"); dir == "" || mirror != "" || p.holdsLogin(path) || mark.Among(settingsBeside, names.Fold(path[strings.LastIndexByte(path, '/')+1:])) {
		return Kept{}
	}
	if below, ok := strings.CutPrefix(rest, "/cache"); ok && strings.HasSuffix(dir, "/mod") && !strings.HasPrefix(below, "/download") {
		return Kept{} // Go's clones lie below it
	}
	return Kept{Dir: dir}
}
