package gates

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about dependencies that a session writes into a project's manifest. A package
// manager that is told to add one asks; the same name put into the file by hand is fetched and
// run by whatever builds the project next, so it asks there, once (manifestnames.go).

// manifestKind is a kind of manifest, what builds by it, and what in its text names dependencies.
type manifestKind struct {
	is      func(base string) bool
	by      []string       // programs that fetch what it names whenever they build
	names   *regexp.Regexp // its first group is a name; nil for JSON
	section string         // what the header of a section holds whose keys are names, in TOML
	lists   bool           // lists of requirements name them as well (PEP 508)
	lock    bool           // it says which versions come in and from where: every change counts
	script  bool           // a script with a block that names them
}

// baseOf is a test of one of several names.
func baseOf(list ...string) func(string) bool {
	return func(base string) bool { return slices.Contains(list, base) }
}

// ending is a test of endings.
func ending(list ...string) func(string) bool {
	return func(base string) bool {
		return slices.ContainsFunc(list, func(end string) bool { return strings.HasSuffix(base, end) })
	}
}

// manifestKinds are those of which the manuals of the package managers say so (package.json(5);
// the Cargo book; go.dev/ref/mod; Maven's POM reference; Gradle's user guide; bundler's Gemfile(5);
// PEP 621 and 735, pip's requirements files; composer.json; mix help deps; NuGet's PackageReference;
// pub's pubspec; SwiftPM; CocoaPods; Cabal).
var manifestKinds = []manifestKind{
	{is: baseOf("package.json"), by: nil},
	{is: baseOf("composer.json"), by: nil},
	{is: baseOf("Cargo.toml"), by: []string{"cargo"}, section: "dependencies"},
	{is: baseOf("go.mod"), by: []string{"go"}, names: regexp.MustCompile(`(?m)^\s*(?:require\s+|replace\s+.*=>\s*)?([a-z0-9.-]+\.[a-z]+/\S+)\s+v`)},
	{is: baseOf("pom.xml"), by: []string{"mvn", "mvnw"}, names: regexp.MustCompile(`<(?:artifactId|url)>([^<]+)</`)},
	{is: ending(".gradle", ".gradle.kts", "libs.versions.toml"), by: []string{"gradle", "gradlew"}, names: regexp.MustCompile(`(?:id[ (]*|=\s*)?["']([\w.-]+:[\w.-]+(?::[^"']*)?|[\w-]+(?:\.[\w-]+)+|https?://[^"']+)["']`)},
	{is: baseOf("Gemfile"), by: nil, names: regexp.MustCompile(`(?m)^\s*(?:gem|source|git_source)[ (]+["']([^"']+)`)},
	{is: baseOf("pyproject.toml", "Pipfile"), by: nil, section: "dependencies", lists: true},
	{is: func(base string) bool {
		return (strings.HasSuffix(base, ".txt") || strings.HasSuffix(base, ".in")) && (strings.Contains(base, "requirement") || strings.Contains(base, "constraint") || strings.Contains(base, "deps") || strings.Contains(base, "dependencies"))
	}, names: regexp.MustCompile(`(?m)^\s*([A-Za-z0-9][\w.-]*|-\S.*)`)},
	{is: baseOf("mix.exs"), by: nil, names: regexp.MustCompile(`\{\s*:(\w+)\s*,`)},
	{is: ending(".csproj", ".fsproj", ".vbproj", "Directory.Packages.props"), by: []string{"dotnet"}, names: regexp.MustCompile(`<Package(?:Reference|Version)[^>]*Include\s*=\s*["']([^"']+)`)},
	{is: baseOf("pubspec.yaml"), by: nil, names: regexp.MustCompile(`(?m)^\s+([a-z]\w*):\s*(?:\^|[0-9"'>]|any|$)`)},
	{is: baseOf("Package.swift"), by: []string{"swift"}, names: regexp.MustCompile(`url:\s*"([^"]+)"`)},
	{is: baseOf("Podfile"), by: nil, names: regexp.MustCompile(`(?m)^\s*pod\s+["']([^"']+)`)},
	{is: baseOf("setup.py"), names: regexp.MustCompile(`(?s)((?:install|extras|setup|tests)_requires?\s*=\s*[\[{(].*?[\]})])`)},
	{is: baseOf("setup.cfg"), names: regexp.MustCompile(`(?m)^((?:install|setup|tests)_requires?\s*=.*(?:\n[ \t]+\S.*)*)`)},
	{is: baseOf("pnpm-workspace.yaml"), names: regexp.MustCompile(`(?m)^\s+(\S+:\s*\S.*)$`)},
	{is: ending(".py"), names: regexp.MustCompile(`(?m)^(# /// script[ \t]*\n(?:#.*\n)*?# ///)`), script: true},
	{is: baseOf("Cargo.lock"), by: []string{"cargo"}, lock: true},
	{is: baseOf("Package.resolved"), by: []string{"swift"}, lock: true},
	{is: baseOf("packages.lock.json"), by: []string{"dotnet"}, lock: true},
	{is: baseOf("gradle.lockfile"), by: []string{"gradle", "gradlew"}, lock: true},
	{is: baseOf("package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "composer.lock", "Gemfile.lock", "mix.lock", "pubspec.lock", "Podfile.lock", "poetry.lock", "uv.lock", "pdm.lock", "Pipfile.lock", "pylock.toml"), lock: true},
	{is: ending(".cabal"), by: []string{"cabal", "stack"}, names: regexp.MustCompile(`(?m)(?:build-depends:|,)\s*([A-Za-z][\w-]*)`)},
}

// kindOf is the kind of a manifest; nil for every other file.
func kindOf(file string) *manifestKind {
	base := path.Base(file)
	if path.Base(path.Dir(file)) == "requirements" {
		base = "requirements-" + base
	}
	for i := range manifestKinds {
		if manifestKinds[i].is(base) {
			return &manifestKinds[i]
		}
	}
	return nil
}

// dependencies are the names in a manifest's text.
func (k *manifestKind) dependencies(text string) map[string]bool {
	out := map[string]bool{}
	if k.names == nil && k.section == "" {
		var manifest map[string]json.RawMessage
		if json.Unmarshal([]byte(text), &manifest) != nil {
			return out
		}
		for _, key := range [...]string{"dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "overrides", "resolutions", "require", "require-dev"} {
			var entries map[string]json.RawMessage
			if json.Unmarshal(manifest[key], &entries) != nil {
				continue
			}
			for name, value := range entries {
				if strings.ContainsAny(string(value), ":/") { // not a version: another package, or an address
					name += " " + string(value)
				}
				out[name] = true
			}
		}
		return out
	}
	if k.names != nil {
		for _, m := range k.names.FindAllStringSubmatch(text, -1) {
			out[m[1]] = true
		}
	}
	if k.section == "" {
		return out
	}
	if k.lists {
		requirements(text, out)
	}
	within := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if header, ok := strings.CutPrefix(line, "["); ok && strings.HasSuffix(line, "]") && !strings.Contains(line, ",") && !strings.Contains(line, "\"") {
			within = strings.Contains(header, k.section) || k.lists && strings.Contains(header, "packages")
			if name := strings.TrimSuffix(header, "]"); within && !strings.HasSuffix(name, k.section) {
				out[name[strings.LastIndexByte(name, '.')+1:]] = true
			}
			continue
		}
		if name, value, ok := strings.Cut(line, "="); ok && within && line[0] != '#' {
			out[strings.Trim(name, " \t\"'")] = true
			if strings.Contains(value, "://") {
				out[strings.TrimSpace(value)] = true
			}
		}
	}
	return out
}

// requirement is one in quotes, with its name.
var requirement = regexp.MustCompile(`["']([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*(?:[<>=!~;@ ][^"']*)?["']`)

// requirements adds the names in a project's lists of requirements: dependencies and requires, and
// all lists of the sections for optional ones and groups.
func requirements(text string, out map[string]bool) {
	header, key, open := "", "", false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		rest := line
		switch name, value, ok := strings.Cut(line, "="); {
		case open:
		case strings.HasPrefix(line, "["):
			header = line
			continue
		case ok && strings.HasPrefix(strings.TrimSpace(value), "["):
			key, open, rest = strings.TrimSpace(name), true, value
		}
		if !open {
			continue
		}
		if strings.HasSuffix(key, "dependencies") || key == "requires" || strings.Contains(header, "optional-dependencies") || strings.Contains(header, "dependency-groups") {
			for _, m := range requirement.FindAllStringSubmatch(rest, -1) {
				out[m[1]] = true
			}
		}
		open = !strings.HasSuffix(strings.TrimRight(rest, " ,"), "]")
	}
}

// fetchesBy says whether a build brings in what a manifest names: where it is told to install, and
// with programs that do so whenever they build.
func fetchesBy(file string, e *Effect) bool {
	k := kindOf(file)
	switch {
	case k == nil || len(k.by) == 0:
	case slices.Contains(k.by, e.Program):
		return !slices.ContainsFunc(strings.Fields(e.Argv), func(w string) bool { return searched(buildsNothing[:], w) })
	default:
		return false
	}
	return installs(e) && (k == nil || installsBy(path.Base(file), e))
}

// buildsNothing are words with which those programs bring in nothing. Sorted.
var buildsNothing = [...]string{"--version", "clean", "doc", "env", "fmt", "format", "help", "version"}

// installsBy says whether a program goes by a manifest of a name, where it brings in dependencies
// only when it is told to.
func installsBy(base string, e *Effect) bool {
	switch base {
	case "package.json", "pnpm-workspace.yaml", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock":
		return slices.Contains([]string{"npm", "pnpm", "yarn", "bun", "npx", "corepack"}, e.Program)
	case "composer.json", "composer.lock":
		return e.Program == "composer"
	case "Gemfile", "Gemfile.lock":
		return e.Program == "bundle" || e.Program == "bundler"
	case "mix.exs", "mix.lock":
		return e.Program == "mix"
	case "pubspec.yaml", "pubspec.lock":
		return e.Program == "dart" || e.Program == "flutter"
	case "Podfile", "Podfile.lock":
		return e.Program == "pod"
	}
	return slices.Contains([]string{"pip", "pip3", "python", "python3", "uv", "poetry", "pdm", "pipenv", "hatch", "rye", "tox", "nox"}, e.Program)
}

// broughtIn takes out of the unvetted files the manifests of which the call itself brings in what
// they name: it was asked about.
func (c *Context) broughtIn(out []string) []string {
	return slices.DeleteFunc(out, func(u string) bool {
		file, ok := strings.CutPrefix(u, fetches)
		return ok && slices.ContainsFunc(c.Effects, func(e Effect) bool {
			return e.Kind == effect.Spawn && e.Op == effect.OpBuild && fetchesBy(file, &e)
		})
	})
}
