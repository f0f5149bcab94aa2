package gates

import (
	"crypto/sha256"
	"encoding/base64"
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about manifests and lock files that the session changes, however it does: by a
// tool, a text in the shell, sed, jq, inline code, a copy or a patch. What they named before is
// remembered at the first change, as digests; what they name is looked up when something is
// about to go by them. So it is all one which program wrote, and a manifest that git has put
// back, or that names nothing new, asks nothing.

// Bounds of what is remembered of one manifest: as many dependencies one by one, more of them and
// lock files as one.
const (
	maxNamed  = 300
	nameBytes = 9 // of a digest, which no other package's name is likely to have
)

// unknownNames stands for what nobody knows.
const unknownNames = "?"

// manifestNames are the dependencies of a manifest as digests: of a lock file, its text. An empty text
// names none.
func (c *Context) manifestNames(file, text string) string {
	k := kindOf(file)
	if k == nil || k.lock {
		if text = strings.Join(strings.Fields(text), " "); text == "" {
			return ""
		}
		return digestOf(text)
	}
	var out []string
	for name := range k.dependencies(text, c.ownAt(file)) {
		out = append(out, digestOf(name))
	}
	slices.Sort(out)
	if len(out) > maxNamed {
		return digestOf(strings.Join(out, ""))
	}
	return strings.Join(out, "")
}

// ownAt says of a path in a manifest whether it lies in the workspace, or in a project beside it. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) ownAt(manifest string) func(string) bool {
	return func(to string) bool {
		full := c.places.Resolve(path.Dir(manifest), to)
		return exact(full) && c.ownRepository(full)
	}
}

func digestOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return base64.RawURLEncoding.EncodeToString(sum[:nameBytes])
}

// digestLen is how long a digest is in an entry.
const digestLen = nameBytes * 4 / 3

// addsNames says whether a manifest names what it did not name before.
func addsNames(before, now string) bool {
	if before == unknownNames {
		return true
	}
	for ; len(now) >= digestLen; now = now[digestLen:] {
		if !slices.ContainsFunc(chunks(before), func(d string) bool { return d == now[:digestLen] }) {
			return true
		}
	}
	return false
}

func chunks(s string) []string {
	var out []string
	for ; len(s) >= digestLen; s = s[digestLen:] {
		out = append(out, s[:digestLen])
	}
	return out
}

// turnsOfManifest is the change that a write of a manifest makes, as long as none is remembered.
// What git brings in is the repository's own, and a line that goes by the file after the write is
// asked about itself.
func (c *Context) turnsOfManifest(i int) []turn {
	e := &c.Effects[i]
	if c.after || c.text == nil || e.Kind != effect.Write || e.Op == effect.OpChmod || e.Op == effect.OpChown || !exact(e.Resource) || e.Program == "git" {
		return nil
	}
	return c.remembered(c.manifestsAt(e.Resource), i+1)
}

// turnsOfEditor is the same of a program that changes a manifest which its line does not name (go
// help mod edit; npm-pkg(1)).
func (c *Context) turnsOfEditor(r *effect.Run) []turn {
	if c.after || c.text == nil || len(r.Effects) == 0 || !exact(r.Cwd) {
		return nil
	}
	next := r.Effects[len(r.Effects)-1] + 1
	if appliesPatch(r) {
		return c.remembered(c.usualAt(r.Cwd), next)
	}
	if len(r.Words) < 3 {
		return nil
	}
	file := ""
	switch prog := path.Base(r.Words[0]); {
	case prog == "go" && r.Words[1] == "mod" && r.Words[2] == "edit":
		file = "go.mod"
	case r.Words[1] == "pkg" && isAmong(clientFiles[prog], ".npmrc"):
		file = "package.json"
	}
	if file = path.Join(r.Cwd, file); kindOf(file) == nil || !exact(file) {
		return nil
	}
	return c.remembered([]string{file}, next)
}

// remembered are changes of manifests that an effect before number next makes.
func (c *Context) remembered(files []string, next int) []turn {
	var out []turn
	for _, file := range files {
		if !c.inWorkspace(file) || installedUnder(file) || slices.ContainsFunc(c.Flow.Turned, func(s string) bool { t := turnOf(s); return t.kind == turnNames && t.what == file }) {
			continue
		}
		if slices.ContainsFunc(c.Effects[next:], func(o Effect) bool { return fetchesBy(file, &o) }) {
			continue
		}
		out = append(out, turn{kind: turnNames, what: file, now: c.namesAt(file)})
	}
	return out
}

// manifestsAt is the manifest that a write to a path may change, if it is one.
func (c *Context) manifestsAt(at string) []string {
	if k := kindOf(at); k != nil && (!k.script || c.declaresScript(at)) {
		return []string{at}
	}
	return nil
}

// usualAt are the manifests of the usual names that lie in a directory, which a patch may change.
func (c *Context) usualAt(dir string) []string {
	if c.exists == nil {
		return nil
	}
	var out []string
	for _, name := range usualManifests {
		if file := path.Join(dir, name); c.exists(file) {
			out = append(out, file)
		}
	}
	return out
}

// usualManifests are the names that a project's manifests and lock files have at its root.
var usualManifests = [...]string{
	".pre-commit-config.yaml", "CMakeLists.txt", "Cargo.lock", "Cargo.toml", "Dockerfile", "Gemfile", "Gemfile.lock", "MODULE.bazel", "MODULE.bazel.lock", "Package.resolved", "Package.swift", "Pipfile", "Pipfile.lock", "Podfile",
	"build.gradle", "build.gradle.kts", "build.sbt", "build.zig.zon", "bun.lock", "cabal.project", "compose.yaml", "compose.yml", "composer.json", "composer.lock", "deno.json", "deno.lock", "deps.edn",
	"docker-compose.yaml", "docker-compose.yml", "flake.lock", "flake.nix", "go.mod", "go.work", "mix.exs", "mix.lock", "noxfile.py", "package-lock.json", "package.json", "pdm.lock", "pnpm-lock.yaml",
	"pnpm-workspace.yaml", "poetry.lock", "pom.xml", "project.clj", "pubspec.lock", "pubspec.yaml", "pubspec_overrides.yaml", "pyproject.toml", "rebar.config", "requirements.txt", "settings.gradle",
	"settings.gradle.kts", "setup.cfg", "stack.yaml", "tox.ini", "uv.lock", "yarn.lock",
}

// scriptBlock begins the lines of a script that name what it depends on (PEP 723).
const scriptBlock = "# /// script"

// declaresScript says whether a script names dependencies of its own, before the call or in what
// the call puts into it.
func (c *Context) declaresScript(file string) bool {
	text, _ := c.text(file)
	return strings.Contains(text, scriptBlock) || strings.Contains(c.Command, scriptBlock) || slices.ContainsFunc(c.written, func(w effect.Written) bool { return w.Path == file && strings.Contains(w.Text, scriptBlock) })
}

// appliesPatch says whether a run changes files as a patch says, which need not stand in the call.
func appliesPatch(r *effect.Run) bool {
	switch path.Base(r.Words[0]) {
	case "patch", "gpatch":
		return true
	case "git":
		sub, _ := shell.GitSubcommand(r.Words)
		return sub == "apply" || sub == "am"
	}
	return false
}

// namesAt is what a manifest names now; a file that is not there names nothing.
func (c *Context) namesAt(file string) string {
	if text, ok := c.text(file); ok {
		return c.manifestNames(file, text)
	}
	if c.exists != nil && !c.exists(file) {
		return c.manifestNames(file, "")
	}
	return unknownNames
}

// goesByNames are the effects that bring in what a manifest names which it did not name before
// the session changed it.
func (c *Context) goesByNames(out []use) []use {
	if c.text == nil {
		return out
	}
	for _, entry := range c.Flow.Turned {
		t := turnOf(entry)
		if t.kind != turnNames {
			continue
		}
		at := slices.IndexFunc(c.Effects, func(e Effect) bool { return e.Kind == effect.Spawn && c.goesByManifest(&e, t.what) })
		if at >= 0 && c.Effects[at].Op != effect.OpEscape && (t.what == anyTurn || addsNames(t.now, c.namesAt(t.what))) {
			out = append(out, use{at: at, kind: turnNames, entries: []string{entry}})
		}
	}
	return out
}

// newNames are the dependencies that a manifest names since the session changed it, for people.
func (c *Context) newNames(t turn) string {
	if c.text == nil {
		return "" // nobody looks
	}
	k := kindOf(t.what)
	text, ok := c.text(t.what)
	if k == nil || k.lock || k.script || !ok || t.now == unknownNames {
		return ""
	}
	var out []string
	for name := range k.dependencies(text, c.ownAt(t.what)) {
		if addsNames(t.now, digestOf(name)) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// settledNames says whether an entry is about a manifest that the call goes by: it was asked
// about, or it brings in nothing.
func (c *Context) settledNames(entry string) bool {
	t := turnOf(entry)
	return t.kind == turnNames && slices.ContainsFunc(c.Effects, func(e Effect) bool { return e.Kind == effect.Spawn && c.goesByManifest(&e, t.what) })
}

// goesByManifest says whether an effect brings in what a manifest names.
func (c *Context) goesByManifest(e *Effect, file string) bool {
	switch {
	case file == anyTurn:
		return installs(e)
	case kindOf(file) != nil && kindOf(file).script: // uv's guide to scripts; pipx run
		text, _ := c.text(file)
		return e.Op == effect.OpRunFile && e.Resource == file && (strings.Contains(c.Command, "uv") || strings.Contains(c.Command, "pipx") || strings.Contains(text, "uv run"))
	}
	return fetchesBy(file, e)
}
