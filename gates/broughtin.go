package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about dependencies that a session writes into a project's manifest. A package
// manager that is told to add one asks; the same name put into the file by hand is fetched and
// run by whatever builds the project next, so it asks there, once (manifestnames.go).

// manifestKind is a kind of manifest, what builds by it, and what in its text names dependencies.
type manifestKind struct {
	base   string                 // what such files are called, with a blank before and behind each name
	ends   string                 // or how their names end, with blanks between
	is     func(base string) bool // or a test of the name
	by     []string               // programs that fetch what it names whenever they build
	words  []string               // without one of which they do not
	names  pattern                // the first of its groups that matches is a name
	read   func(*depends, string) // reads names besides
	lock   bool                   // it says which versions come in and from where: every change counts
	script bool                   // a script with a block that names them
}

// ending is a test of endings. Not inlined, for the size of programs.
//
//go:noinline
func ending(base string, list ...string) bool {
	return slices.ContainsFunc(list, func(end string) bool { return strings.HasSuffix(base, end) })
}

// serviceFile and imageFile are tests of the files that docker reads.
func serviceFile(base string) bool {
	return (strings.HasPrefix(base, "compose") || strings.HasPrefix(base, "docker-compose")) && ending(base, ".yml", ".yaml")
}

func imageFile(base string) bool {
	return base == "Dockerfile" || base == "Containerfile" || strings.HasPrefix(base, "Dockerfile.") || strings.HasSuffix(base, ".Dockerfile") || strings.HasSuffix(base, ".dockerfile")
}

var (
	containers = []string{"docker", "podman", "docker-compose", "podman-compose", "buildah", "nerdctl"}
	gradles    = []string{"gradle", "gradlew"}
	fetching   = []string{"build", "up", "run", "create", "pull", "watch", "bake", "bud"}
)

// manifestKinds are those of which the manuals of the package managers say so (package.json(5);
// the Cargo book; go.dev/ref/mod; Maven's POM reference; Gradle's user guide; bundler's Gemfile(5);
// PEP 621 and 735, pip's requirements files; composer.json; mix help deps; NuGet's PackageReference;
// pub's pubspec; SwiftPM; CocoaPods; Cabal; Stack; the Nix manual; tox and nox; Compose and
// Dockerfile; Deno's configuration; rebar3; sbt; Leiningen; Zig's build.zig.zon; Bazel's modules;
// CMake's FetchContent; pre-commit, Lefthook, Task and mise, what they take from repositories).
var manifestKinds = []manifestKind{
	{base: " package.json composer.json ", read: (*depends).json},
	{base: " Cargo.toml ", by: []string{"cargo"}, read: (*depends).cargo},
	{base: " go.mod go.work ", by: []string{"go"}, read: (*depends).goMod},
	{base: " pom.xml ", by: []string{"mvn", "mvnw"}, names: pattern{text: `<(?:artifactId|groupId|url|systemPath)>([^<]+)</`}},
	{ends: ".gradle .gradle.kts libs.versions.toml", by: gradles, names: pattern{text: `(?:id[ (]*|=\s*)?["']([\w.-]+:[\w.-]+(?::[^"']*)?|[\w-]+(?:\.[\w-]+)+|https?://[^"']+)["']`}, read: (*depends).gradle},
	{base: " Gemfile ", names: pattern{text: `(?m)^\s*(?:gem|source|git_source)[ (]+["']([^"']+)`}},
	{ends: ".gemspec", names: pattern{text: `add_(?:\w+_)?dependency[ (]+["']([^"']+)`}},
	{base: " pyproject.toml Pipfile ", read: (*depends).python},
	{is: func(base string) bool {
		return (strings.HasSuffix(base, ".txt") || strings.HasSuffix(base, ".in")) && (strings.Contains(base, "requirement") || strings.Contains(base, "constraint") || strings.Contains(base, "deps") || strings.Contains(base, "dependencies"))
	}, names: pattern{text: `(?m)^\s*([^\s#]*://\S+|[A-Za-z0-9][\w.-]*(?:\[[^\]]*\])?\s*@\s*\S+|[A-Za-z0-9][\w.-]*|-\S.*|\.\.?/\S*|/\S+)`}},
	{base: " mix.exs ", read: (*depends).mix},
	{ends: ".csproj .fsproj .vbproj Directory.Packages.props Directory.Build.props Directory.Build.targets", by: []string{"dotnet"}, names: pattern{text: `<(?:Package(?:Reference|Version|Download)|Project|Sdk|GlobalPackageReference)\b[^>]*\b(?:Include|Sdk|Name)\s*=\s*["']([^"'/]+)`}},
	{base: " pubspec.yaml pubspec_overrides.yaml ", read: (*depends).pub},
	{base: " Package.swift ", by: []string{"swift"}, read: (*depends).swift},
	{base: " Podfile ", names: pattern{text: `(?m)^\s*pod\s+["']([^"']+)`}},
	{base: " flake.nix ", by: []string{"nix"}, read: (*depends).flake},
	{base: " tox.ini ", read: (*depends).tox},
	{base: " noxfile.py ", read: (*depends).nox},
	{is: serviceFile, by: containers, words: fetching, read: (*depends).compose},
	{is: imageFile, by: containers, words: fetching, read: (*depends).image},
	{base: " deno.json deno.jsonc import_map.json ", by: []string{"deno"}, names: pattern{text: `"((?:npm|jsr):@?[^"@]+|(?:https?|file):[^"]+)`}},
	{base: " .pre-commit-config.yaml .pre-commit-config.yml ", by: []string{"pre-commit"}, names: pattern{text: `\brepo["']?\s*:\s*["']?([^\s"'#,}]*[/:][^\s"'#,}]*)|\badditional_dependencies["']?\s*:\s*(\[[^\]]*\]|(?:\n\s*-.*)+)`}},
	{base: " lefthook.yml lefthook.yaml .lefthook.yml .lefthook.yaml lefthook-local.yml lefthook.toml lefthook.json ", by: []string{"lefthook"}, names: pattern{text: `\bgit_url["']?\s*[:=]\s*["']?([^\s"'#,}]+)`}},
	{is: func(base string) bool { return isAmong(taskfileNames[:], base) }, by: []string{"task"}, names: pattern{text: `(?m)^\s*[\w.-]+:\s*["']?((?:https?|ssh|git)://[^\s"'#]+|git@[^\s"'#]+)`}},
	{base: " mise.toml .mise.toml mise.local.toml .mise.local.toml ", by: []string{"mise"}, names: pattern{text: `(?m)^\s*["']?([\w-]+:[^"'=\s]+)["']?\s*=|=\s*["']((?:https?|ssh|git):[^"']+|git@[^"']+)["']`}},
	{base: " rebar.config ", by: []string{"rebar3"}, names: pattern{text: `\{\s*(\w+)\s*,|"((?:git|https?|ssh)[^"]*)"`}},
	{ends: ".sbt", by: []string{"sbt", "sbtn"}, names: pattern{text: `("[\w.-]+"\s*%%?%?\s*"[\w.-]+")|"((?:https?|git|ssh|file):[^"]+)"`}},
	{base: " project.clj deps.edn bb.edn ", by: []string{"lein", "clojure", "clj", "bb"}, names: pattern{text: `\[([\w./-]+)\s+"|([\w./-]+)\s*\{\s*:(?:mvn|git|local|sha|tag)|"((?:https?|git|ssh|file):[^"]+)"|:local/root\s+"(/[^"]+|\.\.[^"]*)"`}},
	{base: " build.zig.zon ", by: []string{"zig"}, names: pattern{text: `\.(?:url|path)\s*=\s*"((?:\.\.|/)[^"]*|[^"]*:[^"]*)"`}},
	{base: " MODULE.bazel WORKSPACE WORKSPACE.bazel ", by: []string{"bazel", "bazelisk"}, names: pattern{text: `bazel_dep\(\s*name\s*=\s*["']([^"']+)|["']((?:https?|git|ssh|file):[^"']+|git@[^"']+)|\bpath\s*=\s*["'](/[^"']+|\.\.[^"']*)|["']([\w.-]+:[\w.-]+):[^"']+["']`}},
	{base: " CMakeLists.txt ", ends: ".cmake", by: []string{"cmake"}, names: pattern{text: `(?:GIT_REPOSITORY|SVN_REPOSITORY|HG_REPOSITORY|URL|\(\s*DOWNLOAD|\(\s*UPLOAD\s+\S+)\s+"?([^\s")]+)|CPMAddPackage\(\s*"([^"#@]+)|(?:GITHUB|GITLAB)_REPOSITORY\s+"?([^\s")]+)`}},
	{base: " build.xml ", by: []string{"ant"}, names: pattern{text: `<(?:get|import|include|scp|ftp|sshexec)\b[^>]*\b(?:src|file|url|host)\s*=\s*["']([^"']*:[^"']*)`}},
	{base: " setup.py ", names: pattern{text: `(?s)((?:install|extras|setup|tests)_requires?\s*=\s*[\[{(].*?[\]})])`}},
	{base: " setup.cfg ", names: pattern{text: `(?m)^((?:install|setup|tests)_requires?\s*=.*(?:\n[ \t]+\S.*)*)`}},
	{base: " pnpm-workspace.yaml ", names: pattern{text: `(?m)^([ \t]+\S+:\s*\S.*|.*\.\..*|[ \t]*(?:-\s*)?['"]?[/~].*|packages:\s*\S.*)$`}},
	{ends: ".py", names: pattern{text: `(?m)^(# /// script[ \t]*\n(?:#.*\n)*?# ///)`}, script: true},
	{base: " Cargo.lock ", by: []string{"cargo"}, lock: true},
	{base: " flake.lock ", by: []string{"nix"}, lock: true},
	{base: " deno.lock ", by: []string{"deno"}, lock: true},
	{base: " rebar.lock ", by: []string{"rebar3"}, lock: true},
	{base: " MODULE.bazel.lock ", by: []string{"bazel", "bazelisk"}, lock: true},
	{base: " Package.resolved ", by: []string{"swift"}, lock: true},
	{base: " packages.lock.json ", by: []string{"dotnet"}, lock: true},
	{base: " gradle.lockfile ", by: gradles, lock: true},
	{base: " package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock composer.lock Gemfile.lock mix.lock pubspec.lock Podfile.lock poetry.lock uv.lock pdm.lock Pipfile.lock pylock.toml ", lock: true},
	{base: " cabal.project ", ends: ".cabal", by: []string{"cabal", "stack"}, names: pattern{text: `(?m)(?:build-depends:|,)\s*([A-Za-z][\w-]*)|^\s*(?:location|packages|optional-packages|url|import):\s*([^\s:]+:\S+|\.\./\S*|/\S+)`}},
	{base: " stack.yaml ", by: []string{"stack"}, names: pattern{text: `(?m)\b(?:git|url|archive|github|location):\s*(\S+)|^\s*-\s*([A-Za-z][\w-]*?)-\d|^\s*-\s*((?:\.\.|/)\S*)`}},
}

// kindOf is the kind of a manifest; nil for every other file.
func kindOf(file string) *manifestKind {
	base := path.Base(file)
	if path.Base(path.Dir(file)) == "requirements" {
		base = "requirements-" + base
	}
	word := " " + base + " "
	for i := range manifestKinds {
		k := &manifestKinds[i]
		switch {
		case k.base != "" && strings.Contains(k.base, word) && firstByte(base, ' ') < 0:
			return k
		case k.is != nil && k.is(base):
			return k
		}
		for end := range strings.FieldsSeq(k.ends) {
			if strings.HasSuffix(base, end) {
				return k
			}
		}
	}
	return nil
}

// dependencies are the names in a manifest's text; own says which directories need no name.
func (k *manifestKind) dependencies(text string, own func(path string) bool) map[string]bool {
	n := depends{names: map[string]bool{}, own: own}
	if k.names.text != "" {
		for _, m := range k.names.compiled().FindAllStringSubmatch(text, -1) {
			n.add(firstText(m[1:]))
		}
	}
	if k.read != nil {
		k.read(&n, text)
	}
	return n.names
}

// firstText is the first text of several that is not empty.
func firstText(list []string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}

// fetchesBy says whether a build brings in what a manifest names: where it is told to install, and
// with programs that do so whenever they build.
func fetchesBy(file string, e *Effect) bool {
	k := kindOf(file)
	program := wrapperOf(e.Program)
	switch {
	case k == nil || len(k.by) == 0:
	case isAmong(k.by, program) && len(k.words) > 0:
		return slices.ContainsFunc(strings.Fields(e.Argv), func(w string) bool { return isAmong(k.words, w) })
	case isAmong(k.by, program):
		return !slices.ContainsFunc(strings.Fields(e.Argv), func(w string) bool { return searched(buildsNothing[:], w) })
	default:
		return false
	}
	return (installs(e) || e.Program == "tox" || e.Program == "nox") && (k == nil || installsBy(path.Base(file), e))
}

// buildsNothing are words with which those programs bring in nothing. Sorted.
var buildsNothing = [...]string{"--version", "clean", "doc", "env", "fmt", "format", "help", "version"}

// installsBy says whether a program goes by a manifest of a name, where it brings in dependencies
// only when it is told to.
func installsBy(base string, e *Effect) bool {
	if strings.HasSuffix(base, ".gemspec") {
		base = ".gemspec"
	}
	switch base {
	case "package.json", "pnpm-workspace.yaml", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock":
		return isAmong([]string{"npm", "pnpm", "yarn", "bun", "npx", "corepack"}, e.Program)
	case "composer.json", "composer.lock":
		return e.Program == "composer"
	case "Gemfile", "Gemfile.lock", ".gemspec":
		return e.Program == "bundle" || e.Program == "bundler"
	case "mix.exs", "mix.lock":
		return e.Program == "mix"
	case "tox.ini", "noxfile.py":
		return e.Program == "tox" || e.Program == "nox"
	case "pubspec.yaml", "pubspec_overrides.yaml", "pubspec.lock":
		return e.Program == "dart" || e.Program == "flutter"
	case "Podfile", "Podfile.lock":
		return e.Program == "pod"
	}
	return isAmong([]string{"pip", "pip3", "python", "python3", "uv", "poetry", "pdm", "pipenv", "hatch", "rye", "tox", "nox"}, e.Program)
}

// broughtIn takes out of the unvetted files the manifests of which the call itself brings in what
// they name: it was asked about. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) broughtIn(out []string) []string {
	return slices.DeleteFunc(out, func(u string) bool {
		file, ok := cutPrefix(u, fetches)
		return ok && slices.ContainsFunc(c.Effects, func(e Effect) bool {
			return e.Kind == effect.Spawn && e.Op == effect.OpBuild && fetchesBy(file, &e)
		})
	})
}
