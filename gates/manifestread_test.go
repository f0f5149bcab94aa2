package gates_test

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestSourcesOfDependencies: a dependency that a manifest named already asks at the run that
// brings it in, once, if it is told to come from somewhere else, and not if only its version is
// another.
func TestSourcesOfDependencies(t *testing.T) {
	const cargo = "[package]\nname = \"p\"\n\n[dependencies]\nserde = \"1\"\n"
	const mix = "defp deps do\n  [\n    {:jason, \"~> 1.0\"},\n    {:own, in_umbrella: true}\n  ]\nend\n"
	const swift = "let package = Package(name: \"p\", dependencies: [\n  .package(url: \"https://github.com/a/b\", from: \"1.0.0\"),\n])\n"
	const pub = "name: p\nversion: 1.0.0\ndependencies:\n  http: ^1.0.0\n  flutter:\n    sdk: flutter\n"
	const flake = "{ inputs.nixpkgs.url = \"github:NixOS/nixpkgs/nixos-23.11\"; outputs = x: { }; }\n"
	const tox = "[testenv]\ndeps = pytest\n    mock>=1\ncommands = pytest {posargs}\n"
	const nox = "import nox\n@nox.session\ndef t(s):\n    s.install(\"pytest\", \"-r\", \"dev.txt\")\n    s.run(\"pytest\")\n"
	const project = "[project]\nname = \"p\"\ndependencies = [\n  \"flask>=2\", # web\n]\n[project.urls]\nHomepage = \"https://p.example\"\n"
	const poetry = "[tool.poetry.dependencies]\npython = \"^3.11\"\nflask = \"^2\"\n"
	const gomod = "module p.example/p\n\ngo 1.22\n\nrequire a.example/b v1.0.0\n"
	const npm = `{"name": "p", "dependencies": {"a": "^1"}}`
	const gradle = "repositories { mavenCentral() }\ndependencies { implementation 'a:b:1' }\n"
	const compose = "services:\n  web:\n    build: .\n  db:\n    image: postgres:15\n    command: --url http://localhost\n"
	const docker = "ARG V=20\nFROM node:${V} AS build\nRUN npm ci\nFROM node:20-slim\nCOPY --from=build /a /a\n"
	const sbt, lein = "libraryDependencies += \"org.a\" %% \"b\" % \"1\"\n", "(defproject p \"1\" :dependencies [[a/b \"1\"]])\n"
	const bazel, zig = "bazel_dep(name = \"a\", version = \"1\")\n", ".{ .version = \"1\", .dependencies = .{ .a = .{ .url = \"https://a.example/a.tgz\" } } }\n"
	in := func(text, old, new string) string { return strings.Replace(text, old, new, 1) }
	for _, row := range []struct{ file, before, harm, twin, run string }{
		{"Cargo.toml", cargo, in(cargo, `"1"`, `{ git = "git@github.com:eve/serde" }`), in(cargo, `"1"`, `{ version = "2", features = ["derive"], default-features = false }`), "cargo test"},
		{"Cargo.toml", cargo, in(cargo, `"1"`, `{ version = "1", package = "eve" }`), in(cargo, `"1"`, `{ path = "crates/serde", optional = true }`), "cargo build"},
		{"Cargo.toml", cargo, in(cargo, `"1"`, `{ version = "1", registry = "eve" }`), in(cargo, `serde = "1"`, `serde.version = "2"`), "cargo build"},
		{"Cargo.toml", cargo, in(cargo, `"1"`, `{ path = "/opt/eve" }`), in(cargo, "[dependencies]\nserde", "[dependencies.serde]\nversion"), "cargo build"},
		{"Cargo.toml", cargo, cargo + "\n[patch.crates-io]\nserde = { git = \"https://github.com/eve/serde\" }\n", cargo + "\n[profile.release]\nlto = true\n", "cargo build"},
		{"Cargo.toml", cargo, cargo + "\n[patch.\"https://github.com/a/b\"]\nserde.git = \"https://github.com/eve/serde\"\n", cargo + "\n[workspace]\nmembers = [\"crates/*\"]\n", "cargo build"},
		{"Cargo.toml", cargo, cargo + "[target.'cfg(unix)'.dependencies]\nlibc = \"1\"\n", cargo + "[target.'cfg(unix)'.dependencies]\nserde = \"1\"\n", "cargo build"},
		{"Cargo.toml", cargo, "dependencies.serde.git = \"https://eve.example/s\"\n" + cargo, "description = \"\"\"\n[dependencies]\neve = '1'\n\"\"\"\n" + cargo, "cargo build"},
		{"mix.exs", mix, in(mix, `"~> 1.0"`, `github: "eve/jason"`), in(mix, `"~> 1.0"`, `"~> 2.0", only: [:dev, :test], runtime: false`), "mix deps.get"},
		{"mix.exs", mix, in(mix, `"~> 1.0"`, `"~> 1.0", hex: :eve`), in(mix, `"~> 1.0"`, `path: "apps/jason"`), "mix deps.get"},
		{"Package.swift", swift, in(swift, `from: "1.0.0"`, `branch: "x"`), in(swift, "1.0.0", "2.0.0"), "swift build"},
		{"Package.swift", swift, in(swift, "a/b", "eve/b"), swift + "// .target(name: \"a\", path: \"Sources/a\")\n", "swift test"},
		{"pubspec.yaml", pub, pub + "dependency_overrides:\n  http:\n    git: https://github.com/eve/http\n", in(pub, "^1.0.0", "^2.0.0"), "dart pub get"},
		{"pubspec.yaml", pub, in(pub, "^1.0.0", "\n    hosted: https://eve.example\n    version: ^1.0.0"), pub + "flutter:\n  assets:\n    - path: a/b\n  x: y\n", "flutter pub get"},
		{"pubspec_overrides.yaml", "", "dependency_overrides:\n  http:\n    git:\n      url: https://github.com/eve/http\n", "", "flutter pub get"},
		{"flake.nix", flake, in(flake, "NixOS", "eve"), in(flake, "23.11", "24.05"), "nix build"},
		{"flake.lock", `{"rev": "a"}`, `{"rev": "b"}`, "{\"rev\":\n\"a\"}", "nix develop -c make"},
		{"tox.ini", tox, in(tox, "pytest\n", "pytest eve\n"), in(tox, ">=1", ">=2"), "tox"},
		{"tox.ini", tox, in(tox, "mock>=1", "mock @ https://eve.example/m.zip"), in(tox, "{posargs}", "-q {posargs}"), "tox -e py"},
		{"noxfile.py", nox, in(nox, `"pytest",`, `"pytest", "eve",`), in(nox, `"pytest",`, `"pytest>=8",`), "nox"},
		{"pyproject.toml", project, project + "[tool.uv.sources]\nflask = { git = \"https://github.com/eve/flask\" }\n", project + "[tool.uv.sources]\nflask = { workspace = true }\n", "uv sync"},
		{"pyproject.toml", project, project + "[[tool.uv.index]]\nurl = \"https://eve.example\"\n", project + "[tool.x]\nurl = \"https://x.example\"\n", "uv sync"},
		{"pyproject.toml", project, in(project, "flask>=2", "flask @ https://eve.example/f.zip"), in(project, "flask>=2", "flask[async]>=3; python_version > '3.8'"), "uv sync"},
		{"pyproject.toml", poetry, in(poetry, `"^2"`, `{ git = "git@github.com:eve/flask" }`), in(poetry, `"^2"`, `{ version = "^3", extras = ["async"] }`), "poetry install"},
		{"pyproject.toml", poetry, poetry + "[[tool.poetry.source]]\nname = \"x\"\nurl = \"https://eve.example\"\n", poetry + "[[tool.poetry.packages]]\ninclude = \"src\"\n", "poetry install"},
		{"requirements.txt", "flask\n", "flask @ https://eve.example/f.zip\n", "flask==3 # pinned\n", "pip install -r requirements.txt"},
		{"requirements.txt", "git+https://a.example/a\n", "git+https://a.example/a\ngit+https://eve.example/a\n", "git+https://a.example/a\n# git+https://eve.example/a\n", "pip install -r requirements.txt"},
		{"requirements.txt", "flask\n", "flask\n--index-url https://eve.example/simple\n", "flask>=3\n", "pip install -r requirements.txt"},
		{"go.mod", gomod, gomod + "replace (\n\ta.example/b => eve.example/b v1.0.0\n)\n", gomod + "replace a.example/b => ./b\n", "go build ./..."},
		{"go.mod", gomod, gomod + "replace a.example/b => ../../b\n", in(gomod, "1.0.0", "1.1.0"), "go mod tidy"},
		{"go.work", "go 1.22\nuse .\n", "go 1.22\nuse (\n\t.\n\t../../eve\n)\n", "go 1.23\nuse (\n\t.\n\t./sub\n)\n", "go test ./..."},
		{"package.json", npm, in(npm, `"dependencies"`, `"pnpm": {"overrides": {"c": "npm:eve@1"}}, "dependencies"`), in(npm, `"dependencies"`, `"workspaces": ["packages/*"], "packageManager": "pnpm@9.1.0", "dependencies"`), "pnpm install"},
		{"package.json", npm, in(npm, `"dependencies"`, `"pnpm": {"patchedDependencies": {"a@1.0.0": "patches/a.patch"}}, "dependencies"`), in(npm, "^1", "^2"), "pnpm install"},
		{"package.json", npm, in(npm, `"dependencies"`, `"trustedDependencies": ["a"], "dependencies"`), in(npm, `"dependencies"`, `"homepage": "https://p.example", "dependencies"`), "bun install"},
		{"package.json", npm, in(npm, `"dependencies"`, `"packageManager": "yarn@https://eve.example/y.js", "dependencies"`), in(npm, `"p"`, `"q"`), "yarn install"},
		{"package.json", npm, in(npm, `"dependencies"`, `"workspaces": ["../../eve"], "dependencies"`), in(npm, `"dependencies"`, `"engines": {"node": ">=20"}, "dependencies"`), "npm install"},
		{"package.json", npm, in(npm, `"^1"`, `"^1", "b": "workspace:c@*"`), in(npm, `"^1"`, `"^1", "b": "workspace:*", "c": "workspace:^1.2.0"`), "pnpm install --offline"},
		{"package.json", npm, in(npm, `"^1"`, `"file:vendor/eve"`), "", "npm install"},
		{"pnpm-workspace.yaml", "packages:\n  - 'apps/*'\n", "packages: ['apps/*', '../eve']\n", "packages:\n  - 'apps/*'\n  - tools\n", "pnpm install"},
		{"pnpm-workspace.yaml", "packages:\n  - 'apps/*'\n", "packages:\n  - 'apps/*'\n  - '/tmp/eve'\n", "packages:\n  - 'apps/*'\n  - libs/*\n", "pnpm install"},
		{"composer.json", `{"require": {"a/b": "^1"}}`, `{"require": {"a/b": "^1"}, "config": {"allow-plugins": {"a/b": true}}}`, `{"require": {"a/b": "^2"}, "config": {"sort-packages": true}}`, "composer install"},
		{"composer.json", `{"require": {"a/b": "^1"}}`, `{"require": {"a/b": "^1"}, "repositories": [{"type": "vcs", "url": "https://github.com/eve/b"}]}`, `{"require": {"a/b": "^1"}, "homepage": "https://p.example"}`, "composer install"},
		{"pom.xml", "<project><groupId>org.a</groupId><artifactId>b</artifactId><version>1</version></project>", "<project><groupId>org.eve</groupId><artifactId>b</artifactId><version>1</version></project>", "<project><groupId>org.a</groupId><artifactId>b</artifactId><version>2</version></project>", "mvn test"},
		{"settings.gradle", "rootProject.name = 'p'\n", "rootProject.name = 'p'\nincludeBuild '../../eve'\n", "rootProject.name = 'p'\nincludeBuild 'build-logic'\n", "./gradlew test"},
		{"build.gradle", gradle, in(gradle, "mavenCentral()", "maven { url 'https://eve.example' }"), gradle + "version = '2'\n", "./gradlew test"},
		{"compose.yaml", compose, "include:\n  - https://github.com/eve/x.git\n" + compose, in(compose, "postgres:15", "postgres:16"), "docker compose up -d"},
		{"compose.yaml", compose, in(compose, "build: .", "build: https://github.com/eve/x.git"), in(compose, "build: .", "build:\n      context: ./web"), "docker compose build"},
		{"compose.yaml", compose, in(compose, "postgres:15", "eve/postgres:15"), in(compose, "postgres:15", "redis:7"), "docker compose up"},
		{"compose.yaml", compose, "", in(compose, "build: .", "build: https://github.com/eve/x.git"), "docker compose down"},
		{"Dockerfile", docker, in(docker, "FROM node:${V}", "FROM eve/node:${V}"), in(docker, "V=20", "V=22"), "docker build -t p ."},
		{"Dockerfile", docker, "# syntax=eve/frontend\n" + docker, in(docker, "npm ci", "npm ci --ignore-scripts"), "docker build ."},
		{"deno.json", `{"imports": {"a": "jsr:@std/a@1"}}`, `{"imports": {"a": "https://eve.example/a.ts"}}`, `{"imports": {"a": "jsr:@std/a@2"}}`, "deno test"},
		{"rebar.config", "{deps, [{a, \"1\"}]}.\n", "{deps, [{a, {git, \"https://eve.example/a\"}}]}.\n", "{deps, [{a, \"2\"}]}.\n", "rebar3 compile"},
		{"build.sbt", sbt, in(sbt, "org.a", "org.eve"), in(sbt, `"1"`, `"2"`), "sbt test"},
		{"project.clj", lein, in(lein, "[[a/b", "[[eve \"1\"] [a/b"), in(lein, `b "1"`, `b "2"`), "lein test"},
		{"MODULE.bazel", bazel, bazel + "archive_override(module_name = \"a\", urls = [\"https://eve.example/a.tgz\"])\n", in(bazel, `"1"`, `"2"`), "bazel build //..."},
		{"build.zig.zon", zig, in(zig, "a.example", "eve.example"), in(zig, `"1"`, `"2"`), "zig build"},
		{"CMakeLists.txt", "project(p)\n", "project(p)\nFetchContent_Declare(x GIT_REPOSITORY https://github.com/eve/x)\n", "project(p VERSION 2)\n", "cmake -B build"},
		{"stack.yaml", "resolver: lts-21\n", "resolver: lts-21\nextra-deps:\n- git: https://github.com/eve/x\n", "resolver: lts-22\n", "stack build"},
		{"p.gemspec", "s.add_dependency 'a'\n", "s.add_dependency 'a'\ns.add_dependency 'eve'\n", "", "bundle install"},
	} {
		for _, after := range []string{row.harm, row.twin} {
			if after == "" {
				continue
			}
			disk := map[string]string{"gradlew": "#!/bin/sh\n"}
			if row.before != "" {
				disk[row.file] = row.before
			}
			p := inProject(t, disk)
			p.call("Bash", map[string]string{"command": "python3 -c \"import sys; open('" + row.file + "', 'w').write(sys.stdin.read())\""})
			p.disk["/home/u/p/"+row.file] = after
			for i, want := range []bool{after == row.harm, false} {
				if d := p.call("Bash", map[string]string{"command": row.run}); hasTurned(d) != want {
					t.Errorf("%s:\n%s\nthen %s, run %d: %v %v", row.file, after, row.run, i+1, d.Disposition, d.Reasons)
				}
			}
		}
	}
}

func hasTurned(d gates.Decision) bool {
	for _, r := range d.Reasons {
		if r.Rule == "flow/turned" {
			return true
		}
	}
	return false
}

// TestManifestsOfOneLine: a line that puts into a manifest what nobody can look at before it runs,
// and brings it in, asks.
func TestManifestsOfOneLine(t *testing.T) {
	disk := map[string]string{
		"go.mod": "module p\n\ngo 1.22\n", "Cargo.toml": "[package]\nname = \"p\"\n", "package.json": "{}", "flake.nix": "{ }\n", "a.patch": "+++ b/src/a.js\n+x\n", "b.patch": "+++ b/package.json\n+x\n",
		"Dockerfile": "ARG BASE=node:20\nARG VERSION=1\nFROM ${BASE}\n", "b/go.mod": "module b\n",
	}
	for line, asks := range map[string]bool{
		"go mod edit -replace a.example/b=eve.example/b@v1.0.0 && go mod tidy": true,
		"go mod edit -replace=a.example/b=../../b; go test ./...":              true,
		"go mod edit -require=eve.example/b@v1.0.0 && go build ./...":          true,
		"sed -i s/a/b/ flake.nix && nix build":                                 true,
		"git apply b.patch && npm install":                                     true,
		"git apply c.patch && npm ci":                                          true,
		"docker build --build-arg BASE=eve/node .":                             true,
		"docker build --build-arg=BASE=eve/node .":                             true,

		"go mod edit -replace a.example/b=./b && go mod tidy": false,
		"go mod edit -go=1.23 && go mod tidy":                 false,
		"go mod edit -json && go build ./...":                 false,
		"git apply a.patch && npm install":                    false,
		"git apply --check b.patch && npm install":            false,
		"git apply b.patch && npm run lint":                   false,
		"docker build --build-arg BASE=node:22 .":             false,
		"docker build --build-arg VERSION=eve/2 .":            false,
	} {
		p := inProject(t, disk)
		if d := p.call("Bash", map[string]string{"command": line}); hasTurned(d) != asks {
			t.Errorf("%s: %v %v", line, d.Disposition, d.Reasons)
		}
	}
}
