package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file lets through what command lines have in common, of programs and subcommands that
// no table has: a program that is asked for its help does nothing else, whatever it is called
// (GNU Coding Standards, 4.8.1 and 4.8.2; what argparse, clap, click, cobra, commander, picocli
// and yargs do for each subcommand). It holds for a program of the machine alone: one that the
// session or the project may have made does what its text says. A word alone says nothing (list, status, help): programs
// and scripts that take none do their work whatever the word, and others act on any (husky takes it for a directory).

// asksHelp says whether words ask a program, or a subcommand of it, for its help or its version
// and nothing else: an option for it behind one subcommand, with nouns before that. Behind any other word the
// subcommand may be an operand, and the option another: programs that read them by hand act on both (supervisorctl
// stop all --help).
func asksHelp(words []string) bool {
	if len(words) == 0 || len(words) > maxSubcommands+1 {
		return false
	}
	before := words[:len(words)-1]
	switch words[len(words)-1] {
	case "--help":
	case "--version": // a subcommand may take one of its own
		if len(before) > 1 {
			return false
		}
	case "-h": // another word may be a program that is started, or take it for something else (shutdown -h)
		return len(before) == 0
	default:
		return false
	}
	for i, w := range before {
		if !subcommandWord(w) || outward(w) || releases(w) || i < len(before)-1 && !ofThings(w) {
			return false
		}
	}
	return true
}

// maxSubcommands bounds the words of a subcommand.
const maxSubcommands = 4

// subcommandWord says whether a word is written as subcommands are, and names no file and no place.
func subcommandWord(w string) bool {
	return w != "" && len(w) <= 24 && 'a' <= w[0] && w[0] <= 'z' && strings.Trim(w, "abcdefghijklmnopqrstuvwxyz0123456789-_:") == ""
}

// managedThings are nouns of what programs for projects, for what runs somewhere and for
// devices manage, and which are no commands by themselves.
const managedThings = "app application artifact asset board bucket channel chip cluster collection column component context database dataset db deployment device disk distro domain driver " +
	"droplet emulator endpoint epic event extension feature firmware font framework function icon incident instance integration interface issue item job kernel language layer lesson library license " +
	"member metric migration milestone module namespace network node org organization partition peer pipeline platform plugin pod policy port printer product project property provider quota recipe " +
	"region registry replica repo repository resource role rota router runner runtime scene schema sdk sensor server service shard site skill slot space sprint sprite storage story stream subnet " +
	"subscription system task team tenant theme ticket tier tileset tool toolchain topic topology unit user vm volume widget worker workflow workspace world zone"

// managedMany are such nouns that are commands as well, in the plural, in which they are none.
const managedMany = "addons alerts apks applications archives areas backups boards bookmarks boots boxes branches builds caches cameras certificates charts checks classes commands containers cycles " +
	"dashboards dependencies deploys designs experiments firewalls flags flows folders games groups hosts images imports indexes indices jobs kinds labels libraries machines maps materials models " +
	"objects packages pages plans policies pools presets probes processes programs properties queues registries releases reports repositories reviews roadmaps routes rules runs samples schedules " +
	"scripts segments snapshots stacks stages standups states stores stories suites tables tags targets templates tests tiles triggers tunnels types upgrades versions views windows"

// managedThing says whether a word is one of them.
func managedThing(w string) bool {
	one := trimSuffix(w, "s")
	if base, ok := cutSuffix(w, "ies"); ok {
		one = base + "y"
	}
	return w != "" && (mark.Among(managedThings, w) || mark.Among(managedThings, one) || mark.Among(managedMany, w))
}

// ofThings says whether each part of a word is one of them (node-pools).
func ofThings(w string) bool {
	return !slices.ContainsFunc(strings.Split(w, "-"), func(part string) bool { return !managedThing(part) })
}

// shownForms are options that say in which form an answer is shown; their value is a form, which names no file.
var shownForms = []string{"--format", "--output", "--output-format", "-o"}

// What words are of that SaysOnly judges.
const (
	ofProgram    = "program"    // behind a program that no table has, that program first
	ofSubcommand = "subcommand" // a subcommand that a table lacks, with what is behind it
	ofDependency = "dependency" // behind a program of the dependencies, that program first
	ofAbsent     = "absent"     // the same, where nothing lies under its name
	ofCache      = "cache"      // behind uvx, which fetches it unless it is told not to
)

// says asks the host whether words ask a program for its help or version and do no more.
func (m *machine) says(of string, words []string) bool {
	return m.p.Says != nil && m.p.Says(m, of, words)
}

// Looks says whether an option of a program that nobody knows only says how what it prints looks, and how
// many of the next words it takes. None of those that quiet a program, for which some take them to ask nothing
// (gcloud, --quiet), that bound what it does (--limit), or that have it do something else (--help).
func Looks(word string, next []string) (takes int, ok bool) {
	if mark.Among("--help --version --quiet --silent --no-verbose", word) {
		return 0, false
	}
	name, value, attached := cutAt(word, "=")
	if !isAmong(shownForms, name) {
		return lookOption(word, next)
	}
	if !attached && len(next) > 0 {
		value, takes = next[0], 1
	}
	return takes, isAmong(forms, value)
}

// SaysOnly is effect.Places.Says: the reader is the machine that reads the line.
func SaysOnly(reader any, of string, words []string) bool {
	m := reader.(*machine)
	switch of {
	case ofProgram:
		return m.ofMachine(words[0]) && asksHelp(words[1:])
	case ofSubcommand: // a known program takes help for a subcommand as well
		return asksHelp(words) || len(words) <= maxSubcommands && words[0] == "help" && !slices.ContainsFunc(words, func(w string) bool { return !subcommandWord(w) })
	case ofDependency:
		return asksHelp(words[1:])
	case ofAbsent:
		return asksHelp(words[1:]) && m.absent(words[0])
	case ofCache: // nothing is downloaded (uv's reference, uv tool run)
		return len(words) > 2 && words[0] == "--offline" && plainName(words[1]) && asksHelp(words[2:])
	}
	return false
}

// ofMachine says whether a name is that of a program of the machine that runs by itself, with
// no input and no variables: none that the line or the session made, and none that the project may make or bring.
func (m *machine) ofMachine(name string) bool {
	z, _, _ := m.p.Where(m.cwd)
	switch {
	case !plainName(name), m.in.text != "", z != effect.ZoneWorkspace && z != effect.ZoneCaller:
		return false
	case m.paths, m.sourced, m.took != "", !m.givesOnly(accountVars), !isAmong(passingOn, m.parent), m.wroteAny(name, name+".exe"):
		return false
	case slices.ContainsFunc(m.effects, func(e effect.Effect) bool {
		return (e.Kind == effect.Write || e.Kind == effect.Delete) && e.Zone != effect.ZoneStream && (mayConfigure(baseName(e.Resource), name) || strings.Contains(e.Resource, "…") || e.Glob)
	}):
		return false
	case slices.ContainsFunc(m.p.Made, func(f effect.Made) bool { return steersProgram(&f, name) }), slices.ContainsFunc(m.p.Roots, func(r string) bool { return called(r, name) }):
		return false
	case slices.ContainsFunc(homePrograms[:], func(dir string) bool { return m.touched(path.Join(m.p.Home, dir, name)) }), m.touched("/usr/local/bin/" + name):
		return false
	}
	for dir := m.cwd; len(dir) > 1 && z == effect.ZoneWorkspace; dir = path.Dir(dir) {
		if called(dir, name) || m.makes(dir, name) {
			return false
		}
		z, _, _ = m.p.Where(path.Dir(dir))
	}
	return true
}

// passingOn are the programs that start another one as it would run by itself.
var passingOn = []string{"", "command", "env", "nice", "pnpm", "time", "timeout", "yarn"}

// called says whether a path is that of something of a name, whatever its ending.
func called(file, name string) bool {
	base, _, _ := cutAt(baseName(file), ".")
	return base == name
}

// ownPrograms are where projects keep and make programs of their own.
var ownPrograms = [...]string{"", "bin/", "cmd/", "scripts/", "tools/", "src/", "apps/", "packages/", "crates/", "build/", "dist/", "exe/", "target/debug/", "target/release/", "node_modules/.bin/", ".venv/bin/", "venv/bin/", "env/bin/"}

// ownManifests are what names the programs that a project installs.
var ownManifests = [...]string{"pyproject.toml", "setup.py", "setup.cfg", "package.json", "Cargo.toml", "go.mod", "composer.json"}

// mayConfigure says whether a file's name may be that of a program's own settings, or of variables that
// it takes from a file.
func mayConfigure(base, name string) bool {
	return strings.Contains(strings.ToLower(base), strings.ToLower(name)) || strings.HasPrefix(base, ".env")
}

// steersProgram says whether a file that the session wrote may be a program of a name, its settings, or
// what writes these: by its path, by a text that has the name and is no document, and by an address in settings of
// any name.
func steersProgram(f *effect.Made, name string) bool {
	switch ext := path.Ext(f.Path); {
	case strings.Contains(f.Path, name):
		return true
	case ext == ".md" || ext == ".rst" || ext == ".txt":
		return false
	case strings.Contains(f.Text, "://") && (ext == "" || mark.Among(".cfg .conf .env .ini .json .json5 .properties .toml .xml .yaml .yml", ext)):
		return true
	}
	return strings.Contains(f.Text, name)
}

// homePrograms are where programs of one user lie, below the home (systemd's file-hierarchy(7), go help
// install, the Cargo book).
var homePrograms = [...]string{".local/bin", "bin", "go/bin", ".cargo/bin"}

// touched says whether something lies at a path that the session made or changed.
func (m *machine) touched(full string) bool {
	return m.p.There != nil && m.p.There(full) && (m.p.Settled == nil || !m.p.Settled(full))
}

// makes says whether a project in a directory may make or bring a program of a name, by what
// lies there and what its manifests say.
func (m *machine) makes(dir, name string) bool {
	if m.p.There != nil && slices.ContainsFunc(ownPrograms[:], func(at string) bool { return m.p.There(path.Join(dir, at, name)) }) {
		return true
	}
	if m.p.NamesOf != nil && slices.ContainsFunc(m.p.NamesOf(dir), func(base string) bool { // its settings, which may name an address, or start something
		return mayConfigure(base, name) && m.touched(path.Join(dir, base))
	}) {
		return true
	}
	return m.p.TextOf != nil && slices.ContainsFunc(ownManifests[:], func(file string) bool {
		text, _ := m.p.TextOf(path.Join(dir, file))
		return strings.Contains(text, name)
	})
}

// absent says whether nothing lies at a path, and the line has done nothing yet that may bring it
// there: what is started by that name is nothing, or a program that was installed elsewhere before.
func (m *machine) absent(full string) bool {
	return m.p.There != nil && !mark.Has(full) && !m.p.There(full) && !m.paths && !m.wroteAny(baseName(full)) && !slices.ContainsFunc(m.effects[:min(m.before, len(m.effects))], func(e effect.Effect) bool {
		return e.Kind != effect.Read && e.Kind != effect.List && e.Zone != effect.ZoneStream && (e.Kind != effect.Spawn || e.Op != effect.OpRun)
	})
}
