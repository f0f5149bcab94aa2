package effect

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
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
var caches = [...]string{
	".asdf/installs", ".asdf/plugins", ".bun/install/cache", ".bundle/cache", ".cabal/packages", ".cache/Homebrew", ".cache/bazel", ".cache/composer", ".cache/coursier",
	".cache/go-build", ".cache/golangci-lint", ".cache/node/corepack", ".cache/pip", ".cache/pnpm", ".cache/pre-commit", ".cache/pypoetry", ".cache/uv",
	".cache/yarn", ".cargo/git/checkouts", ".cargo/registry/src", ".cocoapods/repos", ".composer/cache", ".dotnet/sdk", ".dotnet/shared", ".gem/ruby", ".ghcup/ghc", ".gradle/caches",
	".ivy2/cache", ".julia/packages", ".konan", ".local/lib", ".local/share/fnm", ".local/share/mise/installs", ".local/share/pipx", ".local/share/pnpm", ".local/share/uv/python", ".local/share/uv/tools",
	".m2/repository", ".npm/_cacache", ".npm/_logs", ".npm/_npx", ".nuget/packages", ".nvm/versions", ".opam", ".pub-cache", ".pyenv/versions", ".rbenv/versions", ".rustup/toolchains",
	".sdkman/candidates", ".stack/programs", ".volta/tools", ".yarn/berry/cache", "Android/Sdk", "Library/Android/sdk", "Library/Caches/CocoaPods", "Library/Caches/Homebrew",
	"Library/Caches/Yarn", "Library/Caches/composer", "Library/Caches/go-build", "Library/Caches/golangci-lint", "Library/Caches/pip",
	"Library/Caches/pnpm", "Library/Caches/pypoetry", "Library/Caches/uv", "Library/Developer/Xcode/DerivedData", "Library/pnpm", "anaconda3/lib", "anaconda3/pkgs", "go/pkg/mod",
	"miniconda3/lib", "miniconda3/pkgs", "miniforge3/lib", "miniforge3/pkgs",
}

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
// Configuration; Maven, Settings Reference; Gradle, Build Environment). Sorted.
const settingsInside = "gradle.properties pip.conf pip.ini settings-security.xml settings.xml"

// keptFor is what keeps a path, or nothing. A pattern in a directory's name is no path
// of it.
func (p *Places) keptFor(path string) Kept {
	if i := slices.IndexFunc(p.Kept, func(k Kept) bool { return k.keeps(path) }); i >= 0 {
		return p.Kept[i]
	}
	if !mark.Under(path, p.Home) {
		return Kept{}
	}
	for _, dir := range p.near {
		if path != dir && mark.Under(path, dir) {
			return Kept{Dir: dir}
		}
	}
	if mark.Among(settingsInside, path[strings.LastIndexByte(path, '/')+1:]) {
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
