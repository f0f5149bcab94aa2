package gates

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about files that a tool takes as its settings, or as the choice of what it runs, where a
// session wrote one by hand. What such a file may say is listed: a version, a name, a command that would
// be approved. One that says where a program, a plugin or a page lies counts for the next run of the tool.

// toolSettings are files that programs read, by their manuals. With no program it is each: the shims of
// version managers stand before any (asdf, mise, pyenv, rbenv, nvm, Volta, Corepack).
type toolSettings struct {
	programs, files string // blank-separated
	plain           func(c *Context, file, text string) bool
}

// toolsHeld are from the manuals of asdf, mise, pyenv, rbenv, nvm, SDKMAN and Bazelisk (versions), of
// Corepack and Volta (package.json), venv (pyvenv.cfg), lint-staged, husky, mdBook, Buf, sqlc, Wrangler,
// Firebase, Nix, xmake, Autoconf, waf, Bazel, Buck, Dune, Cabal, Leiningen, Zig, node-gyp, SwiftPM, Ansible,
// Jekyll, swc, R, PHP, PHP CS Fixer, Rector, Psalm, RuboCop, RSpec, SimpleCov, mypy, isort, Flake8, Bundler,
// Mercurial and .NET's local tools.
var toolsHeld = [...]toolSettings{
	{"", ".tool-versions .python-version .ruby-version .node-version .nvmrc .java-version .go-version .perl-version .php-version .terraform-version .bazelversion .sdkmanrc .swift-version .lua-version .elixir-version .bun-version .deno-version", (*Context).versionsPlain},
	{"", "mise.toml .mise.toml mise.local.toml .mise.local.toml .config/mise.toml .config/mise/config.toml mise/config.toml", (*Context).misePlain},
	{"bun corepack node npm npx pnpm pnpx yarn", "package.json", (*Context).managerPlain},
	{"git lint-staged", ".lintstagedrc .lintstagedrc.json .lintstagedrc.yaml .lintstagedrc.yml .huskyrc .huskyrc.json", (*Context).commandsPlain},
	{"mdbook", "book.toml", (*Context).commandsPlain},
	{"buf", "buf.gen.yaml", (*Context).commandsPlain},
	{"sqlc", "sqlc.yaml sqlc.yml sqlc.json", (*Context).commandsPlain},
	{"wrangler", "wrangler.toml wrangler.json wrangler.jsonc", (*Context).commandsPlain},
	{"firebase", "firebase.json", (*Context).commandsPlain},
	{"nix nix-build nix-shell", "shell.nix default.nix flake.nix", (*Context).commandsPlain},
	{"xmake", "xmake.lua", (*Context).commandsPlain},
	{"autoconf autoreconf", "configure.ac configure.in", (*Context).commandsPlain},
	{"waf", "wscript", (*Context).commandsPlain},
	{"bazel bazelisk", "BUILD BUILD.bazel WORKSPACE WORKSPACE.bazel", (*Context).commandsPlain},
	{"buck buck2", ".buckconfig BUCK", (*Context).commandsPlain},
	{"dune", "dune", (*Context).commandsPlain},
	{"cabal stack", "Setup.hs", (*Context).commandsPlain},
	{"lein", "project.clj", (*Context).commandsPlain},
	{"zig", "build.zig", (*Context).commandsPlain},
	{"node-gyp npm pnpm yarn", "binding.gyp", (*Context).commandsPlain},
	{"swift", "Package.swift", (*Context).commandsPlain},
	{"jekyll", "_config.yml", (*Context).staysInside},
	{"swc", ".swcrc", (*Context).staysInside},
	{"R Rscript", ".Renviron", (*Context).staysInside},
	{"php php-cgi", "php.ini .user.ini", (*Context).staysInside},
	{"php-cs-fixer", ".php-cs-fixer.php .php-cs-fixer.dist.php", nil},
	{"rector", "rector.php", nil},
	{"psalm", "psalm.xml", (*Context).staysInside},
	{"rubocop", ".rubocop.yml", (*Context).staysInside},
	{"bundle rake rspec", ".rspec", (*Context).staysInside},
	{"bundle rake rspec", ".simplecov", (*Context).rubyPlain},
	{"mypy", "mypy.ini .mypy.ini setup.cfg pyproject.toml", (*Context).staysInside},
	{"isort", ".isort.cfg", (*Context).staysInside},
	{"flake8", ".flake8 setup.cfg tox.ini", (*Context).staysInside},
	{"bundle bundler rake rspec", ".bundle/plugin/index", noText},
	{"hg", ".hg/hgrc", noText},
}

// settings judges such files where a run of a tool finds them: where it works, and above.
func (inlineReader) settings(f *follower, r *effect.Run) {
	programs := programsOf(r)
	if len(programs) == 0 || f.harms {
		return
	}
	for _, i := range r.Effects {
		f.givenTo(r, &f.c.Effects[i])
	}
	for i := range toolsHeld {
		s := &toolsHeld[i]
		names := strings.Fields(s.programs)
		if len(names) > 0 && !slices.ContainsFunc(programs, func(p string) bool { return isAmong(names, p) }) {
			continue
		}
		for dir := r.Cwd; f.c.inWorkspace(dir); dir = path.Dir(dir) {
			for _, base := range strings.Fields(s.files) {
				f.toolFile(s, path.Join(dir, base))
			}
			if dir == "/" {
				break
			}
		}
	}
	f.home(r)
	f.buildScripts(programs, r)
	switch word := plainWord(r.Words[1:]); {
	case isAmong(programs, "composer") && (word == "dump-autoload" || word == "dumpautoload"):
		for _, name := range [...]string{"pre-autoload-dump", "post-autoload-dump"} {
			f.packageScripts("composer", &effect.Run{Words: []string{"composer", "run", name}, Cwd: r.Cwd})
		}
	case (isAmong(programs, "npm") || isAmong(programs, "pnpm")) && (word == "rebuild" || word == "rb"):
		f.packageScripts("npm", &effect.Run{Words: []string{"npm", "install"}, Cwd: r.Cwd})
	}
	if runnerLanguage(programs[0]) == "java" {
		for u := range f.bad {
			if path.Ext(u) == ".groovy" && mark.Under(u, r.Cwd) {
				f.file(u) // what buildSrc and plugins in the project hold
			}
		}
	}
	if isAmong(programs, "dotnet") && isAmong(r.Words, "tool") && !isAmong(r.Words, "install") {
		for _, base := range [...]string{".config/dotnet-tools.json", "dotnet-tools.json"} {
			if file := path.Join(r.Cwd, base); f.hit == "" && f.wrote(file) {
				f.hit = file // it brings in what is named there
			}
		}
	}
}

// programsOf are the programs that a run may start: its first words, without their directories, which may hand
// on to one another.
func programsOf(r *effect.Run) []string {
	var out []string
	for _, w := range r.Words[:min(len(r.Words), 4)] {
		if w != "" && w[0] != '-' && !mark.Has(w) {
			out = append(out, wrapperOf(path.Base(w)))
		}
	}
	return out
}

// toolFile judges one such file that the session wrote, and follows what it names.
func (f *follower) toolFile(s *toolSettings, file string) {
	if f.hit != "" || !f.wrote(file) {
		return
	}
	text, known := f.text(file)
	if !known {
		return
	}
	if s.plain == nil {
		f.file(file)
		return
	}
	if !s.plain(f.c, file, text) {
		f.hit = file
		return
	}
	if s.programs != "" && path.Base(file) != "package.json" {
		f.words(text, file)
		f.rubyFiles(text, file)
	}
}

// rubyFiles adds the unvetted files of Ruby that settings name without an ending (rspec --require).
func (f *follower) rubyFiles(text, file string) {
	for _, w := range strings.Fields(text) {
		for _, dir := range f.places(file) {
			if name := path.Join(dir, w) + ".rb"; len(w) < maxFileName && f.bad[name] {
				f.file(name)
			}
		}
	}
}

// versionWord is what a file of versions may name: a number, a name, a long-term line of Node.js, an
// environment of pyenv. An address, a place and a revision are none.
var versionWord = pattern{text: `^(?:lts/[\w*.-]+|[\^~<>=v]*[A-Za-z0-9*][\w.+*=-]*(?:/envs/[\w.-]+)?)$`}

func (c *Context) versionsPlain(_, text string) bool {
	for line := range strings.Lines(text) {
		line, _, _ = cutAt(line, "#")
		for _, w := range strings.Fields(line) {
			if !versionWord.compiled().MatchString(w) || strings.Contains(w, "..") {
				return false
			}
		}
	}
	return true
}

// What variables make of a program that is started: places where it looks for code, options of interpreters and
// compilers, programs of their own.
var (
	searchPaths  = []string{"NODE_PATH", "PATH", "PERL5LIB", "PYTHONPATH", "RUBYLIB", "_.path"}
	optionsOfRun = []string{"GOFLAGS", "JAVA_TOOL_OPTIONS", "NODE_OPTIONS", "PERL5OPT", "RUBYOPT", "RUSTFLAGS"}
	plainOptions = pattern{text: `^(?:\s*(?:--max-old-space-size=\d+|--enable-source-maps|--no-warnings|-W\w*|-mod=\w+|-tags=[\w,]+|-Xm[sx]\w+|-C\s*target-cpu=\w+|-D\s*warnings))*\s*$`}
	ownPrograms  = pattern{text: `^(?:BASH_ENV|ENV|LD_\w+|DYLD_\w+|GIT_\w+|\w*_WRAPPER|RUSTC|EDITOR|VISUAL|PAGER|\w*_COMMAND|PYTHON(?:HOME|STARTUP|INSPECT)|_\.source|_\.file|_)$`}
)

// misePlain says whether settings of mise choose versions, set variables and keep tasks, which are judged where
// they are run (mise.jdx.dev, Configuration).
func (c *Context) misePlain(file, text string) bool {
	section := ""
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			section = strings.Trim(line, "[] ")
			continue
		}
		key, value, ok := cutAt(line, "=")
		key, value = strings.Trim(strings.TrimSpace(key), `"'`), strings.TrimSpace(value)
		switch {
		case strings.HasPrefix(section, "hooks"):
			if slices.ContainsFunc(texts(value), func(s string) bool { return c.plainlyAsks(s, path.Dir(file)) }) {
				return false
			}
		case strings.HasPrefix(section, "tools"):
			if !ok || strings.Contains(value, "postinstall") || slices.ContainsFunc(texts(value), func(s string) bool { return !c.versionsPlain("", s) }) {
				return false
			}
		case section == "plugins", section == "alias", section == "tool_alias":
			if strings.Contains(value, ":") {
				return false
			}
		case strings.HasPrefix(section, "env"):
			if !c.variablePlain(file, trimPrefix(section, "env.")+"."+key, value) || !c.variablePlain(file, key, value) {
				return false
			}
		}
	}
	return true
}

// variablePlain says whether a variable steers no program to code that nobody vetted.
func (c *Context) variablePlain(file, name, value string) bool {
	text := strings.Join(texts(value), " ")
	switch {
	case isAmong(searchPaths, name):
		return c.staysInside(file, text)
	case isAmong(optionsOfRun, name):
		return plainOptions.compiled().MatchString(text)
	case name == "_.file":
		return c.staysInside(file, text)
	}
	return !ownPrograms.compiled().MatchString(name)
}

// managerWord is a package manager with its version, and a digest of it (Corepack's README).
var managerWord = pattern{text: `^(?:bun|npm|pnpm|yarn)@[0-9^~][\w.+/=-]*$`}

// managerPlain says whether a manifest names the package manager by a version, and takes its tools from no
// other file outside of the project (docs.volta.sh, package.json).
func (c *Context) managerPlain(file, text string) bool {
	var m struct {
		PackageManager string         `json:"packageManager"`
		Volta          map[string]any `json:"volta"`
	}
	if json.Unmarshal([]byte(text), &m) != nil {
		return true // it is judged elsewhere
	}
	extends, _ := m.Volta["extends"].(string)
	return (m.PackageManager == "" || managerWord.compiled().MatchString(m.PackageManager)) && (extends == "" || c.staysInside(file, extends))
}

// commandsPlain says whether the commands in a text of any form would be approved, as far as they are plain, and
// no value leads out of the project: in quotes, behind a key, in brackets with its words apart.
func (c *Context) commandsPlain(file, text string) bool {
	if len(text) > maxPlain {
		return false
	}
	whole := text
	text = withoutComments(text)
	lines := append(literals(text), recipes(values(text))...)
	lines = append(append(append(lines, behindShell(text)...), started(text)...), bracketGroups(text)...)
	return !slices.ContainsFunc(atMost(lines), func(line string) bool { return c.plainlyAsks(line, path.Dir(file)) }) && c.staysInside(file, whole)
}

// withoutComments is a text without the lines that are comments in most languages of settings.
func withoutComments(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		t := strings.TrimSpace(line)
		if !strings.HasPrefix(t, "//") && !strings.HasPrefix(t, "# ") && !strings.HasPrefix(t, ";") && !strings.HasPrefix(t, "-- ") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// bracketGroups are the innermost texts in brackets without their quotes and commas.
func bracketGroups(text string) []string {
	var out []string
	start := -1
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '[', '{':
			start = i + 1
		case ')', ']', '}':
			if start >= 0 && i-start < maxFileName {
				words := strings.FieldsFunc(text[start:i], func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`,", r) })
				for n := 0; n < len(words) && n < 2; n++ { // behind a word that says how it is run
					out = append(out, strings.Join(words[n:], " "))
				}
			}
			start = -1
		}
	}
	return slices.DeleteFunc(out, func(s string) bool { return !command(s) })
}

// rubyPlain says whether a file without an ending would be approved as Ruby.
func (c *Context) rubyPlain(file, text string) bool {
	return c.vetted(&effect.Written{Path: file + ".rb", Text: text, Known: true})
}

// noText says whether a file holds nothing.
func noText(_ *Context, _, text string) bool { return strings.TrimSpace(text) == "" }

// home judges where a virtual environment whose program is run takes Python's own library from
// (docs.python.org/3/library/venv.html, pyvenv.cfg).
func (f *follower) home(r *effect.Run) {
	dir, _ := path.Split(r.Words[0])
	if path.Base(path.Clean(dir)) != "bin" {
		return
	}
	file := path.Join(f.c.places.Resolve(r.Cwd, dir), "../pyvenv.cfg")
	if f.hit != "" || !f.wrote(file) {
		return
	}
	text, _ := f.text(file)
	for line := range strings.Lines(text) {
		key, value, _ := cutAt(line, "=")
		if value = strings.TrimSpace(value); strings.TrimSpace(key) == "home" && !strings.HasPrefix(value, "/usr/") && !strings.HasPrefix(value, "/opt/") {
			f.hit = file
		}
	}
}

// buildScripts adds the unvetted code that Cargo runs while it builds a workspace: the build scripts and the
// macros of all of its packages (the Cargo book, Build Scripts; the Rust reference, Procedural Macros).
func (f *follower) buildScripts(programs []string, r *effect.Run) {
	if !slices.ContainsFunc(programs, func(p string) bool { return mark.Among("cargo maturin trunk wasm-pack", p) }) {
		return
	}
	if sub := plainWord(r.Words[1:]); mark.Among("add fetch fmt init metadata new search tree update", sub) {
		return
	}
	for u := range f.bad {
		if path.Ext(u) != ".rs" || !mark.Under(u, r.Cwd) {
			continue
		}
		text, _ := f.text(u)
		if path.Base(u) == "build.rs" || strings.Contains(text, "#[proc_macro") || f.namedByCargo(u) {
			f.file(u)
		}
	}
}

// namedByCargo says whether a manifest of Cargo above a file names it as its build script, or makes macros of its package.
func (f *follower) namedByCargo(file string) bool {
	for dir := path.Dir(file); f.c.inWorkspace(dir); dir = path.Dir(dir) {
		text, ok := f.text(path.Join(dir, "Cargo.toml"))
		if ok {
			return strings.Contains(text, "proc-macro") || strings.Contains(text, `"`+trimPrefix(file, dir+"/")+`"`) && strings.Contains(text, "build")
		}
		if dir == "/" {
			break
		}
	}
	return false
}

// plainWord is the first word that is no option.
func plainWord(words []string) string {
	for _, w := range words {
		if w != "" && w[0] != '-' && w[0] != '+' {
			return w
		}
	}
	return ""
}
