package scope

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/gates/orders"
	"github.com/gbt-policy/gbt/internal/gates/class"
	"github.com/gbt-policy/gbt/internal/gates/keeps"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// namedPlace is one that a user's message named: who types a path or an address means it to be looked at.
type namedPlace struct {
	// Path is absolute, with its links followed as they were when it was typed; empty for an address.
	Path string
	// Only says what of it: empty for itself and all below it, "." for itself alone, "/" for it and the
	// files right in it, each by its name. A star and the end of a name are the files right in it that
	// end so, also by a pattern.
	Only string
	// URL is an address of http or https, without its fragment.
	URL string
}

// String is a place as it is kept: an address, or what of a path is meant, a blank, and the path.
func (p namedPlace) String() string {
	if p.URL != "" {
		return p.URL
	}
	return p.Only + " " + p.Path
}

// placeOf is the place that a text is kept for.
func placeOf(s string) namedPlace {
	only, dir, ok := strings.Cut(s, " /")
	if !ok {
		return namedPlace{URL: s}
	}
	return namedPlace{Path: "/" + dir, Only: only}
}

// maxPlace bounds a path and an address.
const maxPlace = 1000

// placesOf are the places that a message named which was typed at some place. real follows the links of
// a path as they are now, and says whether anything is there. What is no place that a user means as one
// thing (a home, the root of a file system, what holds several homes, what the kernel tells) is none.
func placesOf(named []string, at *effect.Places, real func(string) (string, bool)) []namedPlace {
	var out []namedPlace
	add := func(p namedPlace) {
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	for _, text := range named {
		if len(text) > maxPlace {
			continue
		}
		if strings.HasPrefix(text, "http") {
			if url := address(text); url != "" && class.Sent(url)&class.Credentials == 0 {
				add(namedPlace{URL: url})
			}
			continue
		}
		dir, only := pathOf(text, at)
		if dir == "" {
			continue
		}
		there, ok := real(dir)
		if !ok {
			continue
		}
		typed := reach(dir, at)
		for _, p := range [...]string{dir, there} {
			switch r := narrower(typed, reach(p, at)); {
			case r == nowhere, r == "." && only == "*":
			case only != "" && r == "":
				add(namedPlace{Path: p, Only: "*"}) // who names some of its files means no secret among the others
			case only != "":
				add(namedPlace{Path: p, Only: only})
			default:
				add(namedPlace{Path: p, Only: r})
			}
		}
	}
	return out
}

// nowhere is what a place reaches that is none.
const nowhere = "none"

// pathOf is a typed path as an absolute one, and a pattern in its last name as what of that directory is
// meant.
func pathOf(text string, at *effect.Places) (dir, only string) {
	for _, home := range [...]string{"$HOME", "${HOME}"} {
		if rest, ok := strings.CutPrefix(text, home+"/"); ok {
			text = "~/" + rest
		}
	}
	if i := strings.IndexAny(text, "*?[]{}"); i >= 0 {
		k := strings.LastIndexByte(text, '/')
		star := strings.LastIndexByte(text, '*')
		if i < k || star < 0 || strings.ContainsAny(text[k:], "?[]{}") {
			return "", ""
		}
		text, only = text[:max(k, 1)], text[star:]
	}
	dir = at.Resolve(at.Cwd, text)
	if !strings.HasPrefix(dir, "/") || len(dir) > 2 && dir[2] == ':' || mark.Has(dir) || strings.ContainsAny(dir, "…\n*?[") {
		return "", ""
	}
	return dir, only
}

// narrower is the less of two reaches.
func narrower(a, b string) string {
	for _, r := range [...]string{nowhere, ".", "/"} {
		if a == r || b == r {
			return r
		}
	}
	return ""
}

// reach is how much of a path is meant by its name. Where people and programs keep many things side by
// side, it is what is named itself.
func reach(dir string, at *effect.Places) string {
	z, sensitive, _ := at.Where(dir)
	folded := strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(dir), "/system/volumes/data"), "/private")
	switch {
	case sensitive, effect.TooWide(dir, at.Home), folded == "", effect.TooWide(folded, strings.ToLower(at.Home)):
		return nowhere
	case slices.ContainsFunc([]string{"/proc", "/sys", "/dev", "/run", "/var/run"}, func(d string) bool { return mark.Under(folded, d) }):
		return nowhere
	case z != effect.ZoneHome && z != effect.ZoneOutside && z != effect.ZoneSystem:
		return nowhere // it may be read anyway, or nobody knows what it is
	}
	parts := strings.Split(folded[1:], "/")
	if holdsMany(at, dir) {
		return "."
	}
	if below := belowHome(dir, folded, at.Home); below != nil {
		return ofHome(below)
	}
	switch deep := len(parts); parts[0] {
	case "etc", "srv", "mnt", "volumes", "boot", "system":
		return deepEnough(2, deep)
	case "media", "library", "net", "opt", "applications":
		return deepEnough(3, deep)
	case "var":
		switch {
		case deep > 1 && parts[1] == "www":
			return ""
		case deep > 2 && (parts[1] == "spool" || parts[1] == "mail" || parts[1] == "db"):
			return "."
		}
		return deepEnough(3, deep)
	case "users", "home":
		return nowhere
	case "usr", "bin", "sbin", "lib", "root", "cores", "lost+found", "host", "hostfs", "rootfs", "snap", "nix":
		return "."
	}
	return ""
}

// deepEnough is all of a path that is so deep, and itself alone of one that is not.
func deepEnough(least, deep int) string {
	if deep < least {
		return "."
	}
	return ""
}

// belowHome are the names below the home that a path lies in; nil where it lies in none.
func belowHome(dir, folded, home string) []string {
	rest := ""
	switch {
	case home != effect.UnknownHome && home != "/" && mark.Under(strings.ToLower(dir), strings.ToLower(home)):
		rest = strings.ToLower(dir[len(home):])
	case mark.Under(folded, "/root"):
		rest = folded[len("/root"):]
	case strings.HasPrefix(folded, "/home/"), strings.HasPrefix(folded, "/users/"):
		_, rest, _ = strings.Cut(folded[1:], "/")
		_, rest, _ = strings.Cut(rest, "/")
	default:
		return nil
	}
	return strings.Split(strings.Trim(rest, "/"), "/")
}

// ofHome is the reach of names below a home. In the directories of the desktops and in a program's own
// it is the files right in them; in those that hold what many programs keep, what is named alone
// (XDG Base Directory Specification, "Environment variables"; macOS, "File System Basics").
func ofHome(names []string) string {
	deep := len(names)
	switch names[0] {
	case ".config", ".cache", ".var":
		return deepEnough(2, deep)
	case ".local", "library", "snap":
		return deepEnough(3, deep)
	case "appdata":
		return deepEnough(4, deep)
	case "applications", "mail":
		return "."
	}
	if deep == 1 && (names[0][0] == '.' || effect.Personal(names[0])) {
		return "/"
	}
	return ""
}

// holdsMany says whether a directory is a home or a file system of its own by what lies in it.
func holdsMany(at *effect.Places, dir string) bool {
	if at.NamesOf == nil {
		return false
	}
	list := at.NamesOf(dir)
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(list, n) })
	}
	return has("etc/") && has("usr/", "bin", "bin/") || has("home/", "Users/") || has(".ssh/", ".bashrc", ".profile", ".zshrc", ".bash_history", ".gnupg/")
}

// Named are the places that are named after a message, as texts for Opens: those that were before, less
// what it takes back, and its own. real follows the links of a path as they are now, and says whether
// anything is there.
func Named(had []string, said orders.Places, at *effect.Places, real func(string) (string, bool)) []string {
	if said.None {
		return nil
	}
	out := slices.Clone(had)
	for _, p := range placesOf(said.Named, at, real) {
		out = append(slices.DeleteFunc(out, func(x string) bool { return x == p.String() }), p.String())
	}
	return slices.DeleteFunc(out, func(s string) bool { p := placeOf(s); return p.isShut(said.Shut, at) })
}

// isShut says whether a place is, lies in, or holds one of those that are to be left alone.
func (p *namedPlace) isShut(shut []string, at *effect.Places) bool {
	return slices.ContainsFunc(shut, func(text string) bool {
		if p.URL != "" || strings.HasPrefix(text, "http") {
			return p.URL != "" && p.URL == address(text)
		}
		dir, _ := pathOf(text, at)
		return dir != "" && (mark.Under(p.Path, dir) || mark.Under(dir, p.Path))
	})
}

// Opens says what a decision asks about, if all of it was named by a user's messages: "read", "list" and
// "fetch", for a look at those places by a call that does nothing but look. What it prints is what was
// named.
func Opens(c *gates.Context, d *gates.Decision, named []string) string {
	if len(d.Gates) > 0 || c.Flow.SensitiveRead || !d.Answerable() || c.Elsewhere != "" {
		return ""
	}
	var list []namedPlace
	for _, s := range named {
		list = append(list, placeOf(s))
	}
	var out Scope
	for i := range d.Reasons {
		what := opens(c, d, &d.Reasons[i], list)
		if what == "" {
			return ""
		}
		if !slices.Contains(out, what) {
			out = append(out, what)
		}
	}
	return out.String()
}

// opens says it of one reason.
func opens(c *gates.Context, d *gates.Decision, r *gates.Reason, list []namedPlace) string {
	if r.Effect < 0 || r.Effect >= len(d.Effects) {
		return ""
	}
	e := &d.Effects[r.Effect]
	switch r.Rule {
	case "workspace/read", "workspace/list":
		if looks(c) && slices.ContainsFunc(list, func(p namedPlace) bool { return p.holds(c, e) }) && !c.FindsSecrets(e) && !c.LeadsOut(e) && !(e.Kind == effect.Read && c.HoldsSecret(e)) {
			return strings.TrimPrefix(r.Rule, "workspace/")
		}
	case "egress/fetch":
		if slices.ContainsFunc(list, func(p namedPlace) bool { return p.isAt(e) }) && fetches(c, e, r.Effect) || slices.ContainsFunc(list, func(p namedPlace) bool { return p.clonesIt(c, e, r.Effect) }) {
			return "fetch"
		}
	}
	return ""
}

// holds says whether what an effect reads or lists is the place or in it.
func (p *namedPlace) holds(c *gates.Context, e *gates.Effect) bool {
	if p.Path == "" || e.Sensitive || e.Deferred || unplaced(e) || e.Kind != effect.Read && e.Kind != effect.List || goesUp(e.Resource) {
		return false
	}
	if e.Zone != effect.ZoneHome && e.Zone != effect.ZoneOutside && e.Zone != effect.ZoneSystem {
		return false
	}
	if e.Kind == effect.Read && soundsSecret(e.Resource) {
		return false
	}
	in, glob := path.Dir(e.Resource) == p.Path, strings.ContainsAny(e.Resource, "*?[")
	switch {
	case p.Only == "":
		return mark.Under(e.Resource, p.Path)
	case p.Only == ".":
		return e.Resource == p.Path && (shallow(e) || e.Kind == effect.Read && isFile(c, p.Path))
	case p.Only == "/":
		return !glob && in && (shallow(e) || e.Kind == effect.Read && isFile(c, e.Resource)) || e.Resource == p.Path && shallow(e)
	}
	end := p.Only[1:]
	return in && strings.HasSuffix(e.Resource, end) && !strings.ContainsAny(strings.TrimSuffix(e.Resource, end), "[") || e.Resource == p.Path && e.Kind == effect.List
}

// secretWords are parts of names of files that people keep secrets in, and that no list has. Sorted.
var secretWords = [...]string{"auth", "cred", "credential", "credentials", "creds", "env", "key", "keys", "keystore", "passphrase", "passwd", "password", "passwords", "private", "pw", "secret", "secrets", "ssh", "token", "tokens", "vault", "wallet"}

// soundsSecret says whether the name of a file that is no code and no document has such a part.
func soundsSecret(file string) bool {
	name := path.Base(file)
	if names.Texts(name) {
		return false
	}
	return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r < 'a' || r > 'z' }), func(w string) bool {
		_, ok := slices.BinarySearch(secretWords[:], w)
		return ok
	})
}

// shallow says whether an effect tells the names that lie in a directory and nothing of what lies below
// these.
func shallow(e *gates.Effect) bool { return e.Kind == effect.List && e.Op != effect.OpSearch }

// isFile says whether a path is none of a directory: nothing lies in it, or, where nobody looks, it has an
// ending.
func isFile(c *gates.Context, file string) bool {
	places := c.Places()
	if places.NamesOf == nil {
		return path.Ext(file) != ""
	}
	return len(places.NamesOf(file)) == 0
}

// goesUp says whether a path has a pattern that may stand for the directory above (effect.Where).
func goesUp(p string) bool {
	for part := range strings.SplitSeq(p, "/") {
		if part == ".." || strings.HasPrefix(part, ".") && strings.ContainsAny(part, "*?[") {
			return true
		}
	}
	return false
}

// carries says whether an option has a program of a list take what it does, or the names of what it
// reads, out of a file, or write one: jq's -f and -L; --files0-from of sort, wc and du; find's -files0-from;
// @FILE of binutils; awk's list of files; zstd's -o.
func carries(words []string) bool {
	program := path.Base(words[0])
	return slices.ContainsFunc(words[1:], func(w string) bool {
		switch {
		case strings.HasPrefix(w, "--files") || strings.HasPrefix(w, "-files") || strings.HasPrefix(w, "--from-file"):
			return program != "grep" && program != "rg"
		case program == "sqlite3":
			return strings.HasPrefix(strings.TrimSpace(w), ".") || strings.HasPrefix(w, "-i") || strings.HasPrefix(w, "-c") || strings.HasPrefix(w, "--")
		case program == "nm" || program == "objdump" || program == "readelf" || program == "size" || program == "strings":
			return strings.HasPrefix(w, "@")
		case program == "awk" || program == "gawk" || program == "mawk":
			return strings.Contains(w, "ARG")
		case program == "zstd" || program == "zstdcat":
			return strings.HasPrefix(w, "-") && strings.Trim(w, "-cdfkqv") != ""
		case program == "jq" || program == "yq" || program == "file":
			return len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.ContainsAny(w, "fLC") || strings.HasPrefix(w, "--lib")
		}
		return false
	})
}

// looks says whether a call does nothing but look at files and print them.
func looks(c *gates.Context) bool {
	return looksBut(c, func(*effect.Run) bool { return false })
}

// looksBut is looks where other runs may look, too.
func looksBut(c *gates.Context, also func(r *effect.Run) bool) bool {
	if slices.ContainsFunc(c.Effects, func(e effect.Effect) bool {
		switch e.Kind {
		case effect.Read, effect.List:
			return false
		case effect.Spawn:
			return e.Op != effect.OpRun
		case effect.Write:
			return e.Zone != effect.ZoneStream // a copy would run unseen
		}
		return true
	}) {
		return false
	}
	if c.Command == "" {
		return c.Class.Family == call.FamilyFile && len(c.Runs()) == 0 && !slices.ContainsFunc(c.Args, func(a gates.Arg) bool {
			return strings.Contains(strings.ToLower(a.Path), "glob") && leaves(a.Value) || a.Path == "pattern" && !strings.Contains(strings.ToLower(c.Tool), "grep") && leaves(a.Value)
		})
	}
	return !slices.ContainsFunc(c.Runs(), func(r effect.Run) bool { return !looksOnly(&r) && !also(&r) })
}

// leaves says whether a pattern of names may lead out of the directory in which it is looked for.
func leaves(pattern string) bool {
	return strings.Contains(pattern, "..") || strings.HasPrefix(pattern, "/") || strings.HasPrefix(pattern, "~") || strings.Contains(pattern, "{/")
}

// looksOnly says whether a run is one of a looker, on this machine.
func looksOnly(r *effect.Run) bool {
	program := path.Base(r.Words[0])
	if !keeps.Program(program, keeps.Prints) || r.Contained || r.Background || len(r.Unlisted) > 0 || r.Given && !ofLanguage(r.Sets) || carries(r.Words) {
		return false
	}
	switch program {
	case "git":
	case "pdftotext":
		return slices.Contains(r.Words, "-") // else it writes beside what it reads
	default:
		return true
	}
	n := len(r.Words)
	sub, _ := strings.CutPrefix(r.Tool, "git ")
	switch {
	case keeps.Git(sub, keeps.GitShows), sub == "worktree list":
		return lists(r)
	case sub == "stash":
		return len(r.Names) == 1 && r.Names[0] == "list" && r.Words[n-1] == "list"
	}
	return r.Tool == "" && (n == 3 || n == 5 && r.Words[1] == "-C") && r.Words[n-2] == "remote" && r.Words[n-1] == "-v"
}

// lists says whether a run of a subcommand of git that lists things or changes them has no word but those
// by which it lists them (git-branch(1), git-tag(1), git-reflog(1)).
func lists(r *effect.Run) bool {
	_, name, _ := strings.Cut(r.Tool, " ")
	switch name {
	case "branch", "tag", "reflog":
	default:
		return true
	}
	return !slices.ContainsFunc(r.Words[slices.Index(r.Words, name)+1:], func(w string) bool {
		switch w {
		case "-a", "-r", "-v", "-vv", "-l", "--all", "--list", "--remotes", "--verbose", "--show-current", "show":
			return false
		}
		return true
	})
}

// ofLanguage says whether variables only say in which language and time something is printed.
func ofLanguage(sets []string) bool {
	return len(sets) > 0 && !slices.ContainsFunc(sets, func(s string) bool {
		name, _, _ := strings.Cut(s, "=")
		return name != "LANG" && name != "LANGUAGE" && name != "TZ" && !strings.HasPrefix(name, "LC_")
	})
}
