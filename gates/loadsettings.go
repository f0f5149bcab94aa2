package gates

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about settings that a tool loads by their names and the session wrote. A value
// that names a place outside of the project where people and programs without rights may write
// has the tool load code, or more settings, that nobody here vetted: it counts for the run that
// goes by it. Where a tool's settings hold more than values, what they may hold is listed.

// settingsKind is what settings must be not to count.
type settingsKind byte

const (
	inside   settingsKind = iota // values that stay in the project
	codeless                     // no code at all: the file holds nothing else
	commands                     // command lines that would be approved
	jvm                          // options of a JVM that only say how much it takes
	keysOf                       // keys of the list alone
	hooks                        // code of Python that would be approved
	recipe                       // what a makefile says beside its recipes
)

// heldBy is a file of settings that programs read.
type heldBy struct {
	programs, files string // blank-separated
	kind            settingsKind
	keys            string
}

// settingsHeld are from the manuals of pnpm (pnpm-workspace.yaml), .NET (global.json), rebar3
// (dynamic configuration), Nx (project.json), sbt and Gradle (options of the JVM), CMake (presets),
// Pylint (init-hook), GNU Make (SHELL), golangci-lint, Buf, GraphQL Code Generator and Wrangler
// (plugins and builds), and of what runs TypeScript by tsconfig.json.
var settingsHeld = [...]heldBy{
	{"bun deno jest ts-node ts-node-esm tsx vite-node vitest webpack", "tsconfig.json jsconfig.json", inside, ""},
	{"buf", "buf.gen.yaml buf.yaml buf.work.yaml", inside, ""},
	{"cmake ctest cpack", "CMakePresets.json CMakeUserPresets.json", inside, ""},
	{"dotnet", "global.json", keysOf, "sdk sdk.version sdk.rollForward sdk.allowPrerelease sdk.errorMessage test test.runner tools $schema"},
	{"golangci-lint", ".golangci.yml .golangci.yaml .golangci.toml .golangci.json", inside, ""},
	{"gradle gradlew", "gradle.properties", jvm, ""},
	{"graphql-codegen", "codegen.yml codegen.yaml codegen.json", inside, ""},
	{"make gmake", "GNUmakefile makefile Makefile", recipe, ""},
	{"nx", "project.json nx.json", commands, ""},
	{"pnpm pnpx", "pnpm-workspace.yaml", keysOf, pnpmKeys},
	{"pylint", ".pylintrc pylintrc", hooks, ""},
	{"rebar3", "rebar.config.script", codeless, ""},
	{"sbt sbtn", ".sbtopts .jvmopts", jvm, ""},
	{"wrangler", "wrangler.toml wrangler.json wrangler.jsonc", inside, ""},
}

// plainSettings says whether settings are what they must be.
func (c *Context) plainSettings(s *heldBy, file, text string) bool {
	switch s.kind {
	case inside:
		return c.staysInside(file, text)
	case commands:
		return !slices.ContainsFunc(atMost(literals(text)), func(line string) bool { return c.plainlyAsks(line, path.Dir(file)) })
	case jvm:
		return jvmPlain(path.Ext(file) == ".properties", text)
	case keysOf:
		keys := yamlKeys(text)
		if path.Ext(file) == ".json" {
			keys = jsonKeys(text)
		}
		return keysAmong(keys, s.keys)
	case hooks:
		return c.hooksPlain(file, text)
	case recipe:
		return c.makesPlainly(file, text)
	}
	return strings.TrimSpace(text) == ""
}

// pnpmKeys are settings of pnpm that name packages and how they are laid out, no program and no
// place (pnpm.io/settings).
const pnpmKeys = "packages catalog catalogs catalogMode overrides packageExtensions peerDependencyRules allowedDeprecatedVersions ignoredBuiltDependencies ignoredOptionalDependencies minimumReleaseAge minimumReleaseAgeExclude hoist hoistPattern publicHoistPattern shamefullyHoist nodeLinker autoInstallPeers strictPeerDependencies dedupePeerDependents linkWorkspacePackages preferWorkspacePackages " +
	"sharedWorkspaceLockfile saveWorkspaceProtocol savePrefix saveExact resolutionMode includeWorkspaceRoot strictDepBuilds engineStrict nodeVersion cleanupUnusedCatalogs trustPolicy blockExoticSubdeps"

// wroteSettings says whether the session or the call wrote a file of settings.
func (c *Context) wroteSettings() bool {
	settings := func(file string) bool { return codeOf(file) == "" || codeOf(file) == "node" }
	return slices.ContainsFunc(c.Flow.Made, func(m Made) bool { return settings(m.Path) }) || slices.ContainsFunc(c.written, func(w effect.Written) bool { return settings(w.Path) })
}

// heldSettings judges the settings of a program in a directory and those above it.
func (f *follower) heldSettings(program, dir string) {
	for ; ; dir = path.Dir(dir) {
		for i := range settingsHeld {
			s := &settingsHeld[i]
			if !isAmong(strings.Fields(s.programs), program) {
				continue
			}
			for _, base := range strings.Fields(s.files) {
				f.setting(path.Join(dir, base), s)
			}
		}
		if dir == "/" || !f.c.inWorkspace(path.Dir(dir)) {
			return
		}
	}
}

// setting judges one file of settings, where the session wrote it and its text is known.
func (f *follower) setting(file string, s *heldBy) {
	if f.hit != "" || f.judged[file] || !f.wrote(file) {
		return
	}
	if text, known := f.text(file); known && !f.c.plainSettings(s, file, text) {
		f.hit = file
	}
}

// leads judges by its places a file that runners load by its name, if it is one of settings.
func (f *follower) leads(file string) {
	base := path.Base(file)
	if code := codeOf(file); code == "" || code == "node" && (strings.Contains(base, ".config.") || base[0] == '.') {
		f.setting(file, &heldBy{kind: inside})
	}
}

// sinks are keys of settings whose value names where something is put or kept, without signs
// and in small letters.
const sinks = "cache cachedir cachedirectory cachelocation cachepath cachefolder temp tempdir tmp tmpdir basetemp javaiotmpdir log logfile logdir logs out outdir outfile output outputdir outputfile outputpath outputdirectory reportdir reportsdirectory datafile junitxml heapdumppath errorfile socket pidfile prefix installprefix cmakeinstallprefix dest destination database databaseurl db url"

// staysInside says whether no value of settings leads outside of the project to where a session
// may write.
func (c *Context) staysInside(file, text string) bool {
	key := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//") || strings.HasPrefix(line, ";") || strings.HasPrefix(line, "*") {
			continue
		}
		for _, w := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`=,;:()[]{}<>|&$", r) }) {
			switch {
			case !strings.Contains(w, "/") && w != "~":
				key = w
			case c.leavesProject(w, key, path.Dir(file)):
				return false
			}
		}
	}
	return true
}

// leavesProject says whether a word of settings is a place outside of the project where a session
// may write, and the key before it no name of a place where something is put.
func (c *Context) leavesProject(w, key, dir string) bool {
	plain := strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(key))
	if len(w) > maxFileName || isAmong(strings.Fields(sinks), trimPrefix(plain, "d")) || isAmong(strings.Fields(sinks), plain) {
		return false
	}
	if strings.HasPrefix(w, "///") { // file:///
		w = w[2:]
	}
	if strings.HasPrefix(w, "/") && mentionsHome(key) {
		return true
	}
	if !strings.HasPrefix(w, "/") && !strings.HasPrefix(w, "~") && !strings.Contains(w, "..") || strings.HasPrefix(w, "//") {
		return false
	}
	full := c.places.Resolve(dir, w)
	zone, sensitive, _ := c.places.Where(full)
	return !c.inWorkspace(full) && (sensitive || zone == effect.ZoneTemp || zone == effect.ZoneHome)
}

// keysAmong says whether each key is one of a list.
func keysAmong(keys []string, list string) bool {
	return !slices.ContainsFunc(keys, func(k string) bool { return !isAmong(strings.Fields(list), k) })
}

// yamlKeys are the keys of a document's first level; one that stands in another form is no key
// that anybody knows.
func yamlKeys(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.ContainsAny(line, "\r\u0085\u2028\u2029"), strings.HasPrefix(line, "%"), strings.HasPrefix(line, "---") && strings.TrimRight(line, " -") != "",
			len(out) == 0 && line != "" && strings.ContainsAny(line[:1], " \t") && strings.TrimSpace(line) != "" && strings.TrimSpace(line)[0] != '#':
			return []string{"?"}
		case line == "", strings.ContainsAny(line[:1], " \t#-"):
			continue
		}
		key, _, _ := cutAt(line, ":")
		out = append(out, strings.Trim(key, `"'`))
	}
	return out
}

// jsonKeys are the keys of an object, and of the objects in it behind theirs; of what is none, one
// that nobody knows.
func jsonKeys(text string) []string {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &object) != nil {
		return []string{"?"}
	}
	var out []string
	for key, value := range object {
		out = append(out, key)
		var inner map[string]json.RawMessage
		if json.Unmarshal(value, &inner) == nil {
			for k := range inner {
				out = append(out, key+"."+k)
			}
		}
	}
	return out
}

// jvmOption is an option of the JVM that says how much it takes and how it works, and loads and
// starts nothing (java(1)).
var jvmOption = regexp.MustCompile(`^-(?:X(?:m[snx]|ss)\w+|XX:[+-]\w+|XX:\w+=[0-9]\w*|D[\w.]+(?:=.*)?|ea|da|server|client|verbose:gc|-enable-preview|-add-(?:opens|exports|reads)|-enable-native-access)(?:=|$)`)

// jvmLoads are properties by which the JVM, or sbt's launcher, loads code (java(1), java.lang.System;
// scala-sbt.org, sbt Launcher).
var jvmLoads = regexp.MustCompile(`^-D(?:java\.(?:system|ext|endorsed|library|class|security|rmi)|jdk\.|sun\.|com\.sun\.|sbt\.(?:boot|global|repository|ivy|override|main|version|dependency|offline|script))`)

// jvmPlain says whether each option for a JVM is one of those; sbt hands on what stands behind -J.
// In a file of properties other words may stand (Gradle's manual, Build Environment; the format is
// that of java.util.Properties).
func jvmPlain(properties bool, text string) bool {
	if properties && strings.Contains(text, "\\") {
		return false // an escape, or a line that goes on
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" || strings.ContainsAny(line[:1], "#!") {
			continue
		}
		if properties {
			at := strings.IndexAny(line, "=: \t")
			if at < 0 {
				continue
			}
			if key := line[:at]; strings.HasPrefix(key, "org.gradle.java.") {
				return false
			}
			line = strings.TrimLeft(line[at:], "=: \t")
		}
		for _, w := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\"'", r) }) {
			w = trimPrefix(w, "-J")
			if option := strings.HasPrefix(w, "-") && len(w) > 1; option && (!jvmOption.MatchString(w) || jvmLoads.MatchString(w)) || !option && !properties && strings.Trim(w, "0123456789") != "" {
				return false
			}
		}
	}
	return true
}

// initHook is code of Python that Pylint runs before it starts (its manual, --init-hook).
var initHook = regexp.MustCompile(`(?m)^\s*init-hook\s*[=:]\s*(.*(?:\n[ \t]+\S.*)*)`)

// hooksPlain says whether such code would be approved, and what is named beside it lies in the project.
func (c *Context) hooksPlain(file, text string) bool {
	for _, m := range initHook.FindAllStringSubmatch(text, -1) {
		code := unquoted(strings.TrimSpace(m[1]))
		if code != "" && !c.vetted(&effect.Written{Path: path.Join(path.Dir(file), "hook.py"), Text: code + "\n", Known: true}) {
			return false
		}
	}
	return c.staysInside(file, text)
}

// What a makefile may name as the shell of its recipes, with its options, and files that it includes
// (GNU Make's manual, Choosing the Shell and Including Other Makefiles).
var (
	makeShell    = regexp.MustCompile(`(?m)^[ \t]*(?:export[ \t]+|override[ \t]+)*(\.?SHELL|\.SHELLFLAGS)[ \t]*(?:::?:?|\?|\+)?=[ \t]*(.*)$`)
	shellWord    = regexp.MustCompile(`\bSHELL(?:FLAGS)?\b`)
	shellUses    = regexp.MustCompile(`\$[({]\.?SHELL(?:FLAGS)?[)}]|(?m:^\s*#.*\bSHELL\b)`)
	plainShell   = regexp.MustCompile(`^(?:(?:/usr)?(?:/local)?/bin/(?:env )?)?(?:ba|da|z|k)?sh[ \t]*$`)
	plainFlags   = regexp.MustCompile(`^(?:-[a-zA-Z]+|pipefail|errexit|nounset|[ \t])*$`)
	makeIncludes = regexp.MustCompile(`(?m)^[ \t]*[-s]?include[ \t]+(.*)$`)
)

func (c *Context) makesPlainly(file, text string) bool {
	for _, m := range makeShell.FindAllStringSubmatch(text, -1) {
		value := strings.TrimSpace(m[2])
		if m[1] == ".SHELLFLAGS" && !plainFlags.MatchString(value) || m[1] != ".SHELLFLAGS" && !plainShell.MatchString(value) {
			return false
		}
	}
	if len(shellWord.FindAllString(text, -1)) > len(shellUses.FindAllString(text, -1))+len(makeShell.FindAllString(text, -1)) {
		return false // set for a target, by define or by eval
	}
	for _, m := range makeIncludes.FindAllStringSubmatch(text, -1) {
		if !c.staysInside(file, m[1]) {
			return false
		}
	}
	return true
}
