package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file judges runners: programs that look for another one by rules of their
// own. What such a rule finds is code from elsewhere, which gets the arguments and
// the input, unless the request shows that it is local or that it is the tool that
// everybody has under this name. The shell's programs prove nothing here: npx cat
// runs the package cat of the registry.

// npmTools are commands of well-known packages of the npm registry that have a
// row among the tools, by the packages' own pages (their field bin). Sorted.
const npmTools = "api-extractor astro attw autocannon ava babel biome c8 changeset commitlint conc concurrently cross-env cspell cypress depcheck depcruise dependency-cruise dependency-cruiser " +
	"detox doctoc docusaurus dotenv dprint drizzle-kit electron-builder eleventy elm elm-format elm-review elm-test ember env-cmd esbuild eslint expo expo-doctor gatsby " +
	"graphql-codegen grunt gulp hardhat htmlhint http-server jasmine jest jscs jshint json-server jsonlint karma knex knip lerna license-checker lighthouse lint-staged madge " +
	"markdownlint markdownlint-cli2 microbundle mocha msw nest newman next ng nightwatch node-gyp nodemon npm-check-updates npm-run-all nuxi nuxt nx nyc openapi-typescript orval " +
	"oxlint parcel patch-package playwright postcss prettier prettierd prisma publint pyright qunit react-native react-router react-scripts redocly remark remix rimraf rollup " +
	"rspack run-p run-s sass sequelize-cli serve size-limit snowpack sort-package-json spectral standard start-server-and-test storybook stylelint svelte-check svelte-kit svgo swc " +
	"tailwindcss tap tape testcafe textlint ts-node tsc tsc-alias tsd tsdown tslint tsup tsx turbo typedoc typeorm unbuild uvu vite vitepress vitest vue-cli-service vue-tsc " +
	"wait-on wdio web-ext webpack webpack-cli wmr wrangler write-good xo"

// npmPackages are well-known packages with a scope whose one command has a row among the
// tools: npx and its kin run that one (npm-exec(1); the field bin of the packages).
var npmPackages = map[string]string{
	"@11ty/eleventy": "eleventy", "@angular/cli": "ng", "@arethetypeswrong/cli": "attw", "@babel/cli": "babel", "@biomejs/biome": "biome", "@changesets/cli": "changeset",
	"@commitlint/cli": "commitlint", "@docusaurus/core": "docusaurus", "@microsoft/api-extractor": "api-extractor", "@nestjs/cli": "nest", "@openapitools/openapi-generator-cli": "openapi-generator-cli",
	"@playwright/test": "playwright", "@redocly/cli": "redocly", "@remix-run/dev": "remix", "@stoplight/spectral-cli": "spectral", "@sveltejs/kit": "svelte-kit", "@tailwindcss/cli": "tailwindcss",
	"@vue/cli-service": "vue-cli-service",
}

// pypiTools are well-known packages of PyPI with a command of their own name that has a row
// among the tools, which was read from the package. Sorted.
const pypiTools = "alembic ansible-lint autoflake bandit basedpyright behave black bump-my-version cookiecutter coverage deptry docformatter flake8 isort mdformat meson mkdocs mypy nbstripout " +
	"nox pip-audit pip-licenses pipdeptree pre-commit pyflakes pylint pyright pytest reuse ruff semgrep sqlfluff towncrier tox ty vulture yapf"

// NpmTool says whether a program is a command of a well-known package of the npm registry.
func NpmTool(program string) bool { return mark.Among(npmTools, program) }

// packageRunners are tools that fetch the package of a name and run it, unless
// the project has it: npm exec, bunx and their kin, from their manuals. Sorted.
var packageRunners = []string{"bun x", "bunx", "npm exec", "npm x", "npx", "pnpm dlx", "pnpx", "yarn dlx"}

// fetchRunners always run what they fetch, or have in a cache of their own that
// other projects filled: pipx, uv, dotnet, jbang, gem and the starters of npm,
// pnpm, yarn, bun and deno, from their manuals. Sorted.
var fetchRunners = []string{
	"bun c", "bun create", "deno x", "dnx", "dotnet dnx", "gem exec", "jbang", "npm create", "npm init", "npm innit", "pipx run",
	"pnpm create", "pnpm dlx", "pnx", "uv tool run", "uvx", "yarn create", "yarn dlx",
}

// runnerTools are the tools with a subcommand that is a runner. Sorted.
var runnerTools = []string{"bun", "cross", "deno", "dotnet", "fvm", "gem", "go", "lein", "mix", "npm", "pipx", "pnpm", "rebar3", "symfony", "uv tool", "wasm-pack", "west", "xcodebuild", "yarn", "zig"}

// crossed are the subcommands of cargo that cross runs (cross 0.2.5, src/cargo.rs).
var crossed = []string{"b", "bench", "build", "c", "check", "clippy", "doc", "metadata", "r", "run", "t", "test"}

// inSequence runs several command lines of one program that stand behind each other: a
// comma ends each, or a plus between them (rebar3 help do; mix help do; lein help do).
func (m *machine) inSequence(tool string, args []string, in data, want bool) data {
	line := []string{tool}
	for _, a := range args {
		word, ends := cutSuffix(a, ",")
		if ends = ends || a == "+"; word != "" && a != "+" {
			line = append(line, word)
		}
		if ends {
			m.run(line, in, want)
			line = []string{tool}
		}
	}
	if len(line) == 1 {
		m.escape(tool + " do")
		return unknown
	}
	return m.run(line, in, want)
}

// elsewhere records that a runner fetches code and runs it: the code gets the
// arguments and the input, so both go out with it.
func (m *machine) elsewhere(runner, what string) {
	m.escape(runner + " " + what)
	m.record(effect.Effect{Kind: effect.Network, Op: effect.OpSend, Resource: show("code that " + runner + " fetches: " + what)})
}

// fetched judges the arguments of a program that runs what it fetches.
func (m *machine) fetched(runner string, args []string) data {
	if (runner == "uvx" || runner == "uv tool run") && m.says(ofCache, args) {
		m.spawn(effect.OpRun, args[1])
		return unknown
	}
	what := ""
	for _, a := range args {
		if a == "--help" || a == "--version" {
			if what == "" && len(args) == 1 {
				m.spawn(effect.OpRun, runner)
				return unknown
			}
		}
		if what == "" && !strings.HasPrefix(a, "-") {
			what = a
		}
	}
	m.elsewhere(runner, what)
	return unknown
}

// launch runs the command that follows a launcher's options.
func (r *toolRun) launch(rest, args []string, in data, want bool) data {
	switch {
	case searchNames(packageRunners, r.t.name):
		return r.packageRun(rest, forbidsFetch(args, len(rest)), in, want)
	case r.t.name == "uv run":
		return r.m.uvRun(r, rest, args, in, want)
	case r.t.name == "go run":
		return r.goRun(rest)
	case r.t.name == "mpirun":
		for i := slices.Index(rest, ":"); i >= 0; i = slices.Index(rest, ":") { // the next program, with options of its own (mpirun(1))
			r.m.escape("mpirun " + strings.Join(rest[i+1:], " "))
			rest = rest[:i]
		}
		return r.m.run(rest, in, want)
	case r.t.name == "mise exec" || r.t.name == "mise x":
		return r.miseExec(rest, args, in, want)
	case r.t.name == "hatch run" || r.t.name == "pdm run":
		return r.projectScript(rest, in, want)
	case r.t.name == "pnpm exec" || r.t.name == "yarn exec":
		return r.m.npmExec(rest, in, want)
	case searchNames(environmentRunners, r.t.name):
		return r.m.inEnvironment(rest, in, want)
	case isAmong(containerRunners[:], r.t.name):
		return r.m.inContainer(rest, in, want)
	case searchNames(pythonLaunchers, r.t.name):
		return r.m.pythonProgram(rest, args, in, want)
	case strings.Contains(rest[0], "://"):
		r.m.escape(r.t.name + " " + rest[0])
	}
	return r.m.run(rest, in, want)
}

// projectScript judges what follows hatch run and pdm run: a program, or a script that
// pyproject.toml defines, as a task of the project's. Hatch's may have an environment
// before it (hatch's manual, scripts; pdm's, user scripts).
func (r *toolRun) projectScript(rest []string, in data, want bool) data {
	m, name := r.m, rest[0]
	if i := lastByte(name, ':'); i >= 0 && r.t.name == "hatch run" && plainName(name[:i]) {
		name = name[i+1:]
	}
	start := len(m.effects)
	out := m.inEnvironment(append([]string{name}, rest[1:]...), in, want)
	for i := min(start, len(m.effects)); i < len(m.effects); i++ {
		if e := &m.effects[i]; e.Kind == effect.Spawn && e.Op == effect.OpRunUnknown && e.Resource == name && plainName(name) {
			e.Op = effect.OpBuild
			r.task(name)
		}
	}
	return out
}

// crossEnv runs a command with variables set, like env without its options; it puts
// values of variables into the command's words by itself (cross-env, README).
func (m *machine) crossEnv(args []string, in data, want bool) data {
	for _, a := range args {
		if strings.ContainsAny(a, "$%") || strings.HasPrefix(a, "-") && a == args[0] {
			m.escape("cross-env " + a)
			return unknown
		}
	}
	return m.env(args, in, want)
}

// packageRun runs the command that follows npx and its kin. local says that an
// option forbids to fetch anything.
func (r *toolRun) packageRun(rest []string, local bool, in data, want bool) data {
	m, name := r.m, rest[0]
	switch {
	case mark.Has(name):
		m.opaque(effect.OpComputed, "computed package of "+r.t.name)
		m.elsewhere(r.t.name, name)
	case mark.Among(npmTools, name):
		return m.run(rest, in, want)
	case npmPackages[name] != "" && lookupTool(npmPackages[name]) != nil:
		return m.run(append([]string{npmPackages[name]}, rest[1:]...), in, want)
	case strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") || name == "." || strings.HasPrefix(name, "/"):
		m.script(name) // the package of a directory, npm-exec(1)
	case local:
		return m.asRun(rest, func() data { return m.runFile(m.p.Resolve(m.cwd, "node_modules/.bin/"+name), rest, in, want) })
	default:
		if full, ok := m.npmInstalled(name); ok && r.t.name != "pnpm dlx" && r.t.name != "yarn dlx" && r.t.name != "pnpx" {
			return m.asRun(rest, func() data {
				if strings.HasPrefix(name, "@") {
					m.dependencyRun(name, rest[1:], true)
					return unknown
				}
				return m.runFile(full, rest, in, want)
			})
		}
		if file := m.npmEntry(name); file != "" && searchNames(ownPackageRunners, r.t.name) {
			return m.asRun(rest, func() data { return m.entryFile(file, rest, in, want) })
		}
		m.elsewhere(r.t.name, name)
	}
	return unknown
}

// miseExec judges what follows the options of mise exec: tools that it installs if they
// are missing, two dashes, and the command (mise's manual, mise exec).
func (r *toolRun) miseExec(rest, args []string, in data, want bool) data {
	if n := len(args) - len(rest); n > 0 && args[n-1] == "--" {
		return r.m.run(rest, in, want)
	}
	r.m.elsewhere("mise exec", rest[0])
	if i := slices.Index(rest, "--"); i >= 0 {
		return r.m.run(rest[i+1:], in, want)
	}
	return unknown
}

// forbidsFetch says whether the options of npx before its command keep it from
// fetching (npm-exec(1), options no and no-install).
func forbidsFetch(args []string, rest int) bool {
	for _, a := range args[:len(args)-rest] {
		switch a {
		case "--no", "--no-install", "--yes=false":
			return true
		}
	}
	return false
}

// bunRun judges bun run: a file, else a script of the project, else a program of
// the machine (bun's manual, bun run).
func (m *machine) bunRun(args []string, in data, want bool) data {
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--filter" || a == "-F": // a pattern of the workspaces' names
			i++
		case strings.HasPrefix(a, "--filter="):
		case strings.HasPrefix(a, "-") && len(a) > 1:
			if !bunPlain(a) {
				m.escape("bun run " + a)
				return unknown
			}
		case a == "-" || mark.Has(a) || strings.Contains(a, "://"):
			m.escape("bun run " + a)
			return unknown
		case strings.ContainsAny(a, "/.") && !strings.HasPrefix(a, "@"):
			m.prog = "node"
			return m.interpretScript("node", a, args[i+1:], in, want)
		default:
			if i+1 < len(args) && lookupTool(a) != nil {
				m.run(args[i:], in, want)
			}
			r := toolRun{m: m, t: orAsk(lookupTool("bun run"))}
			r.task(a)
			m.envTask(a)
			m.build()
			return unknown
		}
	}
	m.build()
	return unknown
}

// bunPlain says whether an option of bun run neither loads nor prints code, nor
// takes a value that is a word of its own (bun run --help).
func bunPlain(a string) bool {
	switch a {
	case "--bun", "-b", "--silent", "--if-present", "--hot", "--watch", "--smol", "--no-install", "--prefer-offline", "--help":
		return true
	}
	return false
}

// uvRun judges what follows the options of uv run: a program, a script or a
// module of the project's environment (uv's reference, uv run).
func (m *machine) uvRun(r *toolRun, rest []string, args []string, in data, want bool) data {
	for _, a := range args[:len(args)-len(rest)] {
		if a == "-m" || a == "--module" {
			return m.pythonModule(rest[0], rest[1:], in, want)
		}
		if a == "-s" || a == "--script" || a == "--gui-script" {
			return m.interpretScript("python", rest[0], rest[1:], in, want)
		}
	}
	switch name := rest[0]; {
	case name == "-":
		return m.interpretStdin("python", in, want)
	case strings.Contains(name, "://"):
		m.elsewhere(r.t.name, name)
		return unknown
	case strings.HasSuffix(name, ".py") || strings.HasSuffix(name, ".pyw"):
		m.prog = "python"
		return m.interpretScript("python", name, rest[1:], in, want)
	}
	return m.inEnvironment(rest, in, want)
}

// goRun judges what follows the options of go run: a package or files of one, and
// arguments of the program (go help run).
func (r *toolRun) goRun(rest []string) data {
	if r.m.plainPackage(rest[0]) && !strings.HasSuffix(rest[0], ".go") {
		r.m.buildsPlain(r.m.effects[r.start:], rest[:1])
	} else {
		r.operand(rolePackage, rest[0])
		r.m.buildsPlain(r.m.effects[r.start:], goFiles(rest))
	}
	for i, a := range rest[1:] {
		if strings.HasPrefix(a, "-") || !strings.HasSuffix(a, ".go") {
			r.m.givenArgs(rest[1+i:])
			break
		}
		r.operand(rolePackage, a)
	}
	return unknown
}

// goFiles are the files of a package that go run is given (go help run).
func goFiles(rest []string) []string {
	n := 0
	for n < len(rest) && strings.HasSuffix(rest[n], ".go") {
		n++
	}
	return rest[:n]
}

// pythonLaunchers measure, trace or profile a program of Python that follows their
// options, by their manuals. Sorted.
var pythonLaunchers = []string{"accelerate launch", "cProfile", "coverage run", "kernprof", "memray run", "pyinstrument", "scalene", "scalene run", "viztracer"}

// pythonProgram judges what follows the options of such a launcher: a file of Python,
// or a module as python -m runs it (coverage help run).
func (m *machine) pythonProgram(rest, args []string, in data, want bool) data {
	m.build() // its own settings load plugins
	for _, a := range args[:len(args)-len(rest)] {
		if a == "--module" || len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.HasSuffix(a, "m") {
			return m.pythonModule(rest[0], rest[1:], in, want)
		}
	}
	return m.interpretScript("python", rest[0], rest[1:], in, want)
}

// runnerSub runs the subcommands of tools that are runners of their own; ok is
// false for all others.
func (m *machine) runnerSub(tool, sub string, args []string, in data, want bool) (out data, ok bool) {
	if !searchNames(runnerTools, tool) {
		return data{}, false
	}
	name := tool + " " + sub
	if (name == "yarn run" || name == "bun run") && len(args) > 0 {
		if out, ok := m.taskOfDependency(args[0], args[1:], in, want); ok {
			return out, true
		}
	}
	switch {
	case (name == "uv tool run" || name == "pipx run") && len(args) > 0 && mark.Among(pypiTools, args[0]):
		return m.run(args, in, want), true
	case searchNames(fetchRunners, name) && namesPackage(name, args):
		return m.fetched(name, args), true
	case name == "bun run":
		return m.bunRun(args, in, want), true
	case tool == "pnpm" && (sub == "recursive" || sub == "multi" || sub == "m") && len(args) > 0: // pnpm recursive --help
		return m.run(append([]string{"pnpm", "-r"}, args...), in, want), true
	case name == "bun x": // another name of bunx (bun --help)
		return m.run(append([]string{"bunx"}, args...), in, want), true
	case tool == "bun" && strings.ContainsAny(sub, "/.") && !strings.HasPrefix(sub, "@"): // bun FILE is bun run FILE
		return m.bunRun(append([]string{sub}, args...), in, want), true
	case name == "fvm flutter" || name == "fvm dart": // those of a version that the project names
		return m.run(append([]string{sub}, args...), in, want), true
	case name == "mix do" || name == "rebar3 do" || name == "lein do":
		return m.inSequence(tool, args, in, want), true
	case name == "symfony console": // bin/console of the project (symfony-cli, commands/wrappers.go)
		return m.run(append([]string{"bin/console"}, args...), in, want), true
	case name == "symfony composer":
		return m.run(append([]string{"composer"}, args...), in, want), true
	case tool == "cross" && isAmong(crossed, sub):
		return m.run(append([]string{"cargo", sub}, args...), in, want), true
	case name == "zig cc" || name == "zig c++": // Clang, for the target of zig's -target (zig --help)
		return m.asTool("clang", args, in, want), true
	case isAmong(args, "--") && handedOn[name] != "":
		i := slices.Index(args, "--")
		m.asTool(handedOn[name], args[i+1:], data{}, false)
		return m.toolArgs(lookupTool(name), lookupTool(tool), args[:i], in, want), true
	case tool == "xcodebuild":
		return m.xcodeSetting(sub, args, in, want)
	case tool == "dotnet":
		return m.dotnet(sub, args, in, want)
	case name == "deno run" || name == "deno eval":
		return m.denoRun(name, args, in, want), true
	case tool == "go" && sub != "help" && isAmong(args, "-mod=mod"):
		m.escape(name + " -mod=mod") // then a module that go.mod does not list is fetched (go help modules)
	}
	return data{}, false
}

// handedOn are subcommands that hand what stands behind -- to a program that they start, as
// its arguments (wasm-pack, docs/src/commands/build.md and test.md; west build, BUILD_USAGE).
var handedOn = map[string]string{"wasm-pack build": "cargo build", "wasm-pack test": "cargo test", "west build": "cmake"}

// asTool judges words as the arguments of another program of the tables.
func (m *machine) asTool(name string, args []string, in data, want bool) data {
	prog := m.prog
	m.prog, _, _ = cutAt(name, " ")
	out := m.toolArgs(lookupTool(name), lookupTool(m.prog), args, in, want)
	m.prog = prog
	return out
}

// namesPackage says whether a starter is told what to fetch; npm init alone only
// writes package.json.
func namesPackage(name string, args []string) bool {
	if name != "npm init" && name != "npm innit" {
		return true
	}
	return slices.ContainsFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") })
}
