package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file judges runs that bring in new versions of what a project depends on. A lock file
// holds what its people chose; what a run puts in its place nobody has chosen, and the next
// build or test runs it. Which runs these are the programs' files say (does: updates); what
// counts as one is here, for all of them.

// newVersions records that the run brings them in, in which project and of which
// dependencies. One that only tells what there is to update is none.
func (r *toolRun) newVersions() {
	if r.t.act == doesUpdate {
		r.updates, r.updated = true, append(r.updated, r.operands...)
	}
	deed := "update"
	if !r.updates && r.resolves() {
		r.updates, deed = true, "resolve"
	}
	if !r.updates || r.dry || r.help || r.keepsVersions() {
		return
	}
	z, _, _ := r.m.p.Where(r.m.cwd)
	r.m.record(effect.Effect{Kind: effect.Setting, Op: effect.OpInstall, Zone: z, Deed: deed, Resource: show(r.m.cwd), Ref: show(r.ofDependencies())})
}

// resolvers are commands that bring in what a manifest names, what in a manifest says that it names
// something, and the files that hold which versions people chose (the managers' own manuals). A
// manager whose manifests name versions themselves (cabal's snapshots, Maven, NuGet) is none.
var resolvers = [...]struct{ commands, manifest, names, locks string }{
	{"bun i|bun install|deno install|npm i|npm in|npm ins|npm inst|npm insta|npm instal|npm isnt|npm isnta|npm isntal|npm isntall|npm add|npm install|pnpm i|pnpm install|yarn|yarn install", "package.json", "ependencies\"", "bun.lock bun.lockb deno.lock package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock"},
	{"bundle|bundle install", "Gemfile", "gem", "Gemfile.lock gems.locked"},
	{"composer i|composer install", "composer.json", "require", "composer.lock"},
	{"conan build|conan create|conan graph build-order|conan graph explain|conan graph info|conan install|conan test", "conanfile.py", "require", "conan.lock"},
	{"dart pub get|flutter pub get", "pubspec.yaml", "ependencies:", "pubspec.lock"},
	{"dbt deps", "packages.yml", "", "package-lock.yml"},
	{"mix deps.get", "mix.exs", "{:", "mix.lock"},
	{"pdm install|pdm sync|poetry install|poetry sync|uv sync", "pyproject.toml", "ependencies", "pdm.lock poetry.lock uv.lock pylock.toml"},
	{"pod install", "Podfile", "pod", "Podfile.lock"},
	{"rebar3 get-deps", "rebar.config", "deps", "rebar.lock"},
	{"swift package resolve|tuist install", "Package.swift", ".package(", "Package.resolved Tuist/Package.resolved .package.resolved"},
}

// keepsLock are words that keep such a command to the lock file, to what lies on this machine, or
// to writing the lock file alone; without one it then fails (the managers' help texts).
const keepsLock = "--check-locked --deployment --enforce-lockfile --frozen --frozen-lockfile --immutable --local --locked --lockfile --lockfile-only --no-install --no-remote --offline --package-lock-only -l -nr"

// resolves says whether the run brings in versions of dependencies that no lock file holds, as far
// as the host sees which files are there.
func (r *toolRun) resolves() bool {
	m := r.m
	if m.p.There == nil || r.given || r.machineWide() || mark.Has(m.cwd) || slices.ContainsFunc(r.words, func(w string) bool { return hasWord(keepsLock, w) }) {
		return false
	}
	for i := range resolvers {
		if l := &resolvers[i]; isAmong(strings.Split(l.commands, "|"), strings.TrimSpace(r.t.name)) {
			manifest, ok := m.above(l.manifest)
			return !(ok && m.p.SettledText != nil && !strings.Contains(m.p.SettledText(manifest), l.names)) && !slices.ContainsFunc(strings.Fields(l.locks), r.holds)
		}
	}
	return false
}

// machineWide says whether the run installs packages by their names where no project is, which asks
// by itself. A directory is a project.
func (r *toolRun) machineWide() bool {
	return len(r.operands) > 0 && !slices.ContainsFunc(r.operands, func(w string) bool {
		return mark.Has(w) || strings.ContainsAny(w[:min(1, len(w))], "./~") || strings.Contains(w, ":")
	}) &&
		slices.ContainsFunc(r.words, func(w string) bool { return w == "-g" || w == "--global" })
}

// holds says whether a file of this name lies where the run works, above it in the workspace or in
// a directory that a word names, and the line does not take it away.
func (r *toolRun) holds(name string) bool {
	base := baseName(name)
	for i := range r.m.runs {
		if words := r.m.runs[i].Words; isAmong(words, "rm") && slices.ContainsFunc(words, func(w string) bool { return baseName(w) == base }) {
			return false
		}
	}
	there := func(full string) bool {
		for i := range r.m.effects {
			if e := &r.m.effects[i]; e.Kind == effect.Delete && mark.Under(full, e.Resource) {
				return false
			}
		}
		return r.m.p.There(full)
	}
	for dir := r.m.cwd; len(dir) > 1; dir = path.Dir(dir) {
		if there(path.Join(dir, name)) {
			return true
		}
		if z, _, _ := r.m.p.Where(path.Dir(dir)); z != effect.ZoneWorkspace {
			break
		}
	}
	return slices.ContainsFunc(r.words, func(w string) bool {
		_, value, _ := cutAt(w, "=")
		return !mark.Has(w) && (there(r.m.p.Resolve(r.m.cwd, path.Join(w, name))) || value != "" && there(r.m.p.Resolve(r.m.cwd, path.Join(value, name))))
	})
}

// ofDependencies are the names of what is updated; empty for all that the project depends on.
func (r *toolRun) ofDependencies() string {
	if slices.ContainsFunc(r.updated, allOfProject) {
		return ""
	}
	names := slices.Clone(r.updated)
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ")
}

// allOfProject says whether a word stands for packages of the project itself, whose
// dependencies are meant (go help packages). Not inlined, for the size of programs.
//
//go:noinline
func allOfProject(word string) bool {
	return word == "." || word == "all" || strings.HasPrefix(word, "./")
}

// namesOthers says whether an operand is no package of the project: go get adds what it names.
func (r *toolRun) namesOthers() bool {
	return slices.ContainsFunc(r.operands, func(w string) bool { return !allOfProject(w) })
}

// keepsVersions says whether the run is told to bring in new versions and has none to bring
// in, or is judged as something else.
func (r *toolRun) keepsVersions() bool {
	switch r.t.name {
	case "go get":
		return r.namesOthers()
	case "pip install", "pip3 install": // only what is named is upgraded, and what a file names (pip install --help, --upgrade-strategy)
		eager := slices.ContainsFunc(r.words, func(w string) bool { return strings.Contains(w, "eager") })
		files := r.requirements()
		return r.does() != doesBuild || !eager && !slices.ContainsFunc(files, r.open)
	case "uv pip install":
		return r.does() != doesBuild
	case "pdm lock":
		return ContainsAny(r.words, "--check", "--refresh", "--update-reuse", "--update-reuse-installed")
	}
	return false
}

// requirements are the files of requirements that pip is told to install.
func (r *toolRun) requirements() []string {
	var out []string
	for i, w := range r.words {
		name, value, attached := cutAt(w, "=")
		switch {
		case name == "--requirement" && attached:
			out = append(out, value)
		case (w == "-r" || w == "--requirement") && i+1 < len(r.words):
			out = append(out, r.words[i+1])
		case strings.HasPrefix(w, "-r") && len(w) > 2:
			out = append(out, w[2:])
		}
	}
	return out
}

// open says whether a file of requirements leaves a version open, as far as it is known that it
// does not: each line of one that was there before the session has to name a version (pip's
// requirements file format).
func (r *toolRun) open(file string) bool {
	full := r.m.p.Resolve(r.m.cwd, file)
	if r.m.p.SettledText == nil || !r.m.settled(full) {
		return true
	}
	some := false
	for line := range strings.Lines(r.m.p.SettledText(full)) {
		line, _, _ = cutAt(line, "#")
		line = strings.TrimRight(strings.TrimSpace(line), " \\")
		switch {
		case line == "", strings.HasPrefix(line, "--hash="):
		case !strings.Contains(line, "==") || strings.Contains(line, "*") || line[0] == '-':
			return true
		default:
			some = true
		}
	}
	return !some
}
