package effect

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// The names that stand for directories the host has not told. Braces keep
// them apart from real paths.
const (
	UnknownRoot = "/{workspace}"
	UnknownHome = "/{home}"
)

// Link is a symbolic link the host knows of: a path From that points at To,
// both absolute.
type Link struct{ From, To string }

// Places is where a call runs, as the host observed it.
type Places struct {
	Cwd   string   // absolute; empty if unknown: then the first root
	Home  string   // absolute; empty if unknown
	Roots []string // absolute workspace roots; empty if unknown: then Cwd
	Links []Link   // symbolic links, in any order
	Made  []Made   // files that earlier calls of the session wrote, oldest first

	// Script is the script whose text the line is, and how it is run; nil for a line by itself.
	Script *Script

	near []string // directories in which the owner of the home keeps projects

	// UID is the user who the calls run as: 0 is root, or nobody knows, -1 nobody knows.
	UID int

	// Kept are directories that the agent's host declares to be its own.
	Kept []Kept

	// Remotes are the repositories that the configuration of the workspace's own
	// names, as Remote writes them; none are known where the host has not looked.
	Remotes []string

	// Repo is what the repository says of itself that a command finds from a directory; ok
	// is false where there is none, and where it can't be read. Nil where the host has not
	// looked.
	Repo func(dir string) (repo Repository, ok bool)

	// There says whether something lies at a path before the call. Nil where the host has not
	// looked.
	There func(path string) bool

	// Tracked says whether git tracks a file, or whether there is no repository that could. Nil
	// where the host has not looked.
	Tracked func(path string) bool

	// Settled says whether something lies at a path that the session neither made nor
	// changed, and SettledText is what such a file holds, empty where nobody knows. Nil where
	// the host has not looked.
	Settled     func(path string) bool
	SettledText func(path string) string

	// TextOf is what a file holds before the call, whoever wrote it; ok is false where it can't
	// be read. Nil where the host has not looked.
	TextOf func(path string) (text string, ok bool)

	// NamesOf are the names of what lies in a directory before the call, those of directories with
	// a slash behind. Nil where the host has not looked.
	NamesOf func(dir string) []string

	// NamesBelow says whether each name of a file or directory below a directory consists of
	// these characters alone (PlainName); installed packages are left out. False
	// where there are too many to tell. Nil where the host has not looked.
	NamesBelow func(dir, characters string) bool

	// Link puts inline Python together with what it runs of the workspace's own modules:
	// shell.LinkPython, which is given what reads the code. Nil: nobody follows them, and names say
	// what they do.
	Link func(reader any, text string) (linked string)

	// Says says whether words of a program that no table has, or lacks a subcommand of, ask it for
	// its help or version and no more: shell.SaysOnly, which is given what reads the line and what the words are
	// of. Nil: nobody goes by such words.
	Says func(reader any, of string, words []string) bool
	// Words writes inline code of a language in words of which more is known, before it is judged:
	// shell.InlineWords, which is given what reads the code. Nil: it is judged as it stands.
	Words func(reader any, lang, text string) string

	// GuardsBelow says whether a file that must not be changed without review lies below a
	// directory, by a name that a pattern with marks matches, empty for any; tracked leaves out
	// git's own directory. Nil where the host has not looked.
	GuardsBelow func(dir, pattern string, tracked bool) bool
	// Constants reads files of constants that the session wrote (shell.OwnConstants); nil where nobody does.
	Constants any
	// StartFiles goes by what the user's own shells run when they start (shell.StartFiles); nil where nobody does.
	StartFiles any

	// Compiled reads programs in compiled languages. Nil where the host reads none.
	Compiled Compiled

	// PowerShell reads lines of PowerShell. Nil where the host reads none.
	PowerShell PowerShell
}

// PowerShell reads lines of PowerShell, and puts what they do into what is read of a call. Package call
// has one that hosts use; programs that embed the runtime do not link it.
type PowerShell interface {
	PowerShellReader
	// Read adds what a line does to a builder of package call.
	Read(builder any, line string, places *Places)
	// Run runs the program pwsh in a machine of package shell; false where nobody follows it.
	Run(machine any, args []string) bool
}

// PowerShellReader knows PowerShell's language. Package internal/gates/powershell has one; it is safe for
// concurrent use.
type PowerShellReader interface {
	// Translate writes in POSIX shell what a line does to files, variables, programs and addresses.
	// windows says that it runs on Windows. ok is false where not all of it was understood, and why says in
	// a few words what was not.
	Translate(line string, windows bool) (posix, why string, ok bool)
	// Cmdlet says whether a word is the name of a cmdlet, as no program is called: Get-Content.
	Cmdlet(word string) bool
}

// Compiled reads programs in compiled languages, and knows their compilers. Package
// internal/gates/source has the one that hosts use; it is safe for concurrent use.
type Compiled interface {
	// Computes says whether the program that is all of a file of source, of that path and text, only
	// computes, prints, reads its arguments and its input, and touches files that p lets it touch. p.Cwd is
	// where it is started, empty if nobody knows; p.TextOf is what files hold then, nil if something may
	// have changed them.
	Computes(file, text string, p *Places) bool
	// Options says whether a compiler with these arguments has, beside the sources among them, no
	// option but such as say how it compiles: none loads or runs anything.
	Options(program string, args, sources []string) bool
	// Outputs are the files that a compiler makes of sources where no option names each, as words
	// of the line. text is what a source holds, if all of that is known.
	Outputs(program string, args, sources []string, text func(source string) (string, bool)) []string
	// Alone says whether a compiler reads nothing but the sources in a directory with these names,
	// where each other source is one of which plain is true.
	Alone(program, source string, names []string, plain func(name string) bool) bool
	// Package says whether the files that make up a package of Go in a directory with these names
	// are sources of Go of each of which plain is true.
	Package(names []string, plain func(name string) bool) bool
	// Classes are the files among the names in a directory that a program of Java may load from there;
	// ok is false where it may load more.
	Classes(names []string) (files []string, ok bool)
}

// Computes says whether the host reads in a source of that path and text that its program only
// computes, where it is started in a directory; cwd is empty if nobody knows in which. Not inlined, for the size of programs.
//
//go:noinline
func (p *Places) Computes(cwd, file, text string) bool {
	if p.Compiled == nil {
		return false
	}
	places := *p
	places.Cwd = cwd
	return p.Compiled.Computes(file, text, &places)
}

// Script is a shell's script as something runs it.
type Script struct {
	Name  string   // the path by which it is run, as the words have it: $0 and BASH_SOURCE of its text
	Args  []string // its arguments
	Env   []string // NAME=value of the variables that it is given; those of the surroundings nobody knows
	Shell string   // the shell that reads it, by its name; empty if it may be any
	Run   bool     // it is run just so; else only Name is known

	// Narrow leaves out of its text, a *syntax.File, what a run of it does not reach (shell.Narrow);
	// nil leaves out nothing.
	Narrow func(file any)
	// Settings is what a file of constants holds that the session wrote, by its path as the script
	// has it, where the host sees that it holds that when the script runs; empty where nobody knows.
	Settings func(file string) string
}

// Normal returns p with unknown places filled in and every path cleaned.
func (p Places) Normal() Places {
	p.Home = absolute(p.Home)
	if p.Home == "" {
		p.Home = UnknownHome
	}
	given := make([]string, 0, len(p.Roots)+1)
	for _, r := range p.Roots {
		if r = absolute(r); r != "" {
			given = append(given, r)
		}
	}
	if p.Cwd = absolute(p.Cwd); p.Cwd == "" {
		p.Cwd = UnknownRoot
		if len(given) > 0 {
			p.Cwd = given[0]
		}
	}
	if len(given) == 0 {
		given = append(given, p.Cwd)
	}
	p.Kept = p.keptHere()
	p.Roots = slices.DeleteFunc(given, func(r string) bool { return TooWide(r, p.Home) })
	if len(p.Roots) == 0 {
		p.Roots = append(p.Roots, UnknownRoot)
	}
	p.near = p.neighbours()
	return p
}

// PlainName says whether a name consists of some characters alone and begins with no dash and no
// blank; ö at their end stands for all that are not ASCII.
func PlainName(base, characters string) bool {
	if base == "" || base[0] == '-' || base[0] == ' ' || base[0] == 0xC2 { // some blanks of Latin-1 begin with it
		return false
	}
	ascii := strings.TrimSuffix(characters, "ö")
	return strings.IndexFunc(base, func(r rune) bool {
		return !strings.ContainsRune(ascii, r) && (r < utf8.RuneSelf || r == utf8.RuneError || ascii == characters)
	}) < 0
}

// absolute returns the canonical form of an absolute path, or nothing.
func absolute(path string) string {
	if oddPath(path) {
		if w, ok := new(Places).fromWindows("", path); ok && strings.HasPrefix(w, "/") {
			return w
		}
	}
	if !strings.HasPrefix(path, "/") {
		return ""
	}
	return mark.Clean(path)
}

// TooWide says whether a directory can be no workspace: the root of a file system,
// somebody's home, or a directory above one. Whoever works there has the whole
// machine, or all that is theirs, to lose.
func TooWide(dir, home string) bool {
	if oddPath(dir) || oddPath(home) {
		dir, home = absolute(dir), absolute(home)
	}
	if dir == "/" || onDrive(dir) && len(dir) == 3 || home != UnknownHome && home != "/" && mark.Under(home, dir) {
		return true
	}
	return isHome(dir)
}

// WhyTooWide says in a sentence why a directory can be no workspace, for whoever
// named it.
const WhyTooWide = "a home, the root of a file system or what holds a home is no workspace: name the directory of the project"

// isHome says whether a directory is a user's home, or the one above all of them
// (Filesystem Hierarchy Standard 3.0; hier(7) of macOS).
func isHome(dir string) bool {
	switch dir {
	case "/root", "/home", "/Users", "/var/root":
		return true
	}
	if onDrive(dir) {
		if dir = dir[3:]; dir == "/users" {
			return true
		}
	}
	for _, above := range [...]string{"/home/", "/Users/", "/users/"} {
		if user, ok := strings.CutPrefix(dir, above); ok {
			return strings.IndexByte(user, '/') < 0
		}
	}
	return false
}

// Resolve returns path as an absolute, clean path: relative to cwd, with ~
// replaced, file: URLs and their percent escapes undone, and the host's links
// followed. Markers are kept. It is idempotent.
func (p *Places) Resolve(cwd, path string) string {
	if strings.HasPrefix(path, "file://") {
		path = unescapePercent(path[len("file://"):])
	}
	if onDrive(cwd) || oddPath(path) {
		if w, ok := p.fromWindows(cwd, path); ok {
			return p.follow(w)
		}
		if strings.IndexByte(path, '\\') >= 0 && strings.Trim(path, `\`) != "" {
			return p.slashed(cwd, path)
		}
	}
	return p.oneDrive(p.fromUnix(cwd, path))
}

// slashed resolves a path with backslashes. What is cleaned away while they are taken
// for a part of names parts differently the next time, so it goes on until nothing
// changes; links that lead in a circle never let it, hence the bound.
func (p *Places) slashed(cwd, path string) string {
	for range 4 {
		was := path
		path = p.oneDrive(p.either(p.fromUnix(cwd, path), p.fromUnix(cwd, strings.ReplaceAll(path, `\`, "/"))))
		if path == was || strings.IndexByte(path, '\\') < 0 {
			break
		}
	}
	return path
}

// oneDrive returns a resolved path in the one spelling of its drive, if it lies on
// one: that of //C:/x and of ../../C:/x shows only once they are clean.
func (p *Places) oneDrive(path string) string {
	if !onDrive(path) {
		return path
	}
	return p.follow(canonicalDrive(mark.Clean(strings.ReplaceAll(path, `\`, "/")), false))
}

// oddPath says whether a path holds what only those of Windows mean something by.
func oddPath(path string) bool {
	return len(path) > 1 && (path[1] == ':' || path[0] == '%' || path[0] == '$' || len(path) > 2 && path[2] == ':' && path[0] == '/') || strings.IndexByte(path, '\\') >= 0
}

func (p *Places) fromUnix(cwd, path string) string {
	path = p.ExpandHome(path)
	if path == "" {
		return cwd
	}
	if path[0] != '/' {
		if path[0] == mark.Caller || path[0] == mark.Unknown || path[0] == mark.Inside {
			return path
		}
		if isClean(path) {
			return p.follow(cwd + "/" + path)
		}
		path = cwd + "/" + path
	}
	if isClean(path) {
		return p.follow(path)
	}
	clean := p.follow(mark.Clean(path))
	if up, ok := p.walk(path); ok && up != clean {
		return string(mark.Unknown) + up
	}
	return clean
}

// walk returns where the file system takes a path with dot-dot in it, which is
// elsewhere than its text says if a link comes before the dot-dot: cat reads
// link/../x beside where the link leads, and cd goes beside the link. Where the
// two differ nobody can tell which one a program means, and Resolve makes the
// place an unknown one.
func (p *Places) walk(path string) (where string, ok bool) {
	if len(p.Links) == 0 || !strings.Contains(path, "/..") || mark.Has(path) {
		return "", false
	}
	for rest := path; rest != ""; {
		elem := rest
		if i := strings.IndexByte(rest, '/'); i >= 0 {
			elem, rest = rest[:i], rest[i+1:]
		} else {
			rest = ""
		}
		switch elem {
		case "", ".":
		case "..":
			where = where[:max(0, strings.LastIndexByte(where, '/'))]
		default:
			if where = p.follow(where + "/" + elem); where == "/" {
				where = ""
			}
		}
	}
	return mark.Clean("/" + where), true
}

// ExpandHome replaces a leading ~ or ~user by a directory.
func (p *Places) ExpandHome(path string) string {
	if path == "" || path[0] != '~' {
		return path
	}
	end := strings.IndexByte(path, '/')
	if end < 0 {
		end = len(path)
	}
	switch user := path[1:end]; {
	case user == "":
		return p.Home + path[end:]
	case user == "+": // the working directory (bash, zsh)
		return "." + path[end:]
	case strings.Trim(user, "+-0123456789") == "": // one that the shell was in before
		return string(rune(mark.Unknown)) + path[end:]
	case user == "root":
		return "/root" + path[end:]
	case strings.TrimLeft(user, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == "":
		return "/home/" + user + path[end:]
	}
	return path
}

// maxLinks bounds the following of links, as ELOOP does (path_resolution(7)).
const maxLinks = 40

func (p *Places) follow(path string) string {
	if len(p.Links) == 0 {
		return path
	}
	for n := 0; n < maxLinks; n++ {
		best := -1
		for i, l := range p.Links {
			if mark.Under(path, l.From) && (best < 0 || len(l.From) > len(p.Links[best].From)) && l.From != l.To {
				best = i
			}
		}
		if best < 0 {
			return path
		}
		l := p.Links[best]
		path = mark.Clean(l.To + path[len(l.From):])
	}
	return path
}

// isClean says that a path has no empty, dot or dot-dot element and no
// trailing slash, so that Clean would return it unchanged.
func isClean(path string) bool {
	if path == "/" {
		return true
	}
	n := len(path)
	if n == 0 || path[n-1] == '/' {
		return false
	}
	start := 0
	if path[0] == '/' {
		start = 1
	}
	for i := start; i <= n; i++ {
		if i < n && path[i] != '/' {
			continue
		}
		switch i - start {
		case 0:
			return false
		case 1:
			if path[start] == '.' {
				return false
			}
		case 2:
			if path[start] == '.' && path[start+1] == '.' {
				return false
			}
		}
		start = i + 1
	}
	return true
}

func unescapePercent(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) {
			b = append(b, unhex(s[i+1])<<4|unhex(s[i+2]))
			i += 2
			continue
		}
		b = append(b, s[i])
	}
	return string(b)
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func unhex(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c >= 'a':
		return c - 'a' + 10
	}
	return c - 'A' + 10
}
