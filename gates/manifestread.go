package gates

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file reads out of manifests which dependencies they name and from where these come. A
// version is no part of a name: another one of the same package from the same place is no news.
// Whatever else is said of a dependency is part of its name, unless it is known to lead nowhere
// else: the same package from a repository, another registry or under another name is another.

// depends is what a reader of a manifest adds to: the names, and whether a path that it gives lies
// in the workspace or beside it.
type depends struct {
	names map[string]bool
	own   func(path string) bool
}

func (n *depends) add(name string) {
	if name = strings.Join(strings.Fields(name), " "); name != "" {
		n.names[name] = true
	}
}

// path adds a dependency that is a directory, if that is not the workspace's.
func (n *depends) path(name, path string) {
	if path = unquoted(strings.TrimSpace(path)); n.own == nil || !n.own(path) {
		n.add(name + " " + path)
	}
}

// leadsNowhere are what may be said of a dependency without a word about where it comes from
// (the Cargo book, Specifying Dependencies; Poetry's and uv's guides to dependencies).
var leadsNowhere = map[string]bool{
	"version": true, "features": true, "optional": true, "default-features": true, "default_features": true, "workspace": true, "public": true, "artifact": true, "target": true, "lib": true,
	"extras": true, "python": true, "markers": true, "marker": true, "platform": true, "platforms": true, "sys_platform": true, "allow-prereleases": true, "develop": true, "editable": true, "group": true, "extra": true,
}

// dependency adds one of a table of TOML.
func (n *depends) dependency(name string, attributes []tomlPair) {
	n.add(name)
	for _, a := range attributes {
		switch key := strings.Join(a.path, "."); {
		case key == "" && !strings.HasPrefix(a.value, "["), leadsNowhere[key]:
		case key == "path":
			n.path(name+" path", a.value)
		default:
			n.add(name + " " + key + " " + unquoted(a.value))
		}
	}
}

// inTables adds the dependencies of tables of which one says that they are some; the place of
// that table among the others, or a negative number, is what is tells.
func (n *depends) inTables(text string, is func(path []string) int) {
	for _, p := range tomlPairs(text) {
		i := is(p.path)
		switch {
		case i < 0 || len(p.path) < i+2:
		case len(p.path) > i+2:
			n.dependency(p.path[i+1], []tomlPair{{p.path[i+2:], p.value}})
		case p.value == "":
			n.add(p.path[i+1])
		default:
			n.dependency(p.path[i+1], tomlAttributes(p.value))
		}
	}
}

func (n *depends) cargo(text string) {
	n.inTables(text, func(path []string) int {
		switch {
		case path[0] == "patch":
			return 1
		case path[0] == "replace":
			return 0
		}
		return slices.IndexFunc(path, func(key string) bool { return strings.HasSuffix(key, "dependencies") })
	})
}

// requirement is one in quotes, with its name, and the address behind an at sign (PEP 508).
var requirement = regexp.MustCompile(`["']([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*(?:@\s*([^"';\s]+)|[<>=!~; ][^"']*)?["']`)

func (n *depends) python(text string) {
	n.inTables(text, func(path []string) int {
		for i, key := range path {
			if strings.HasSuffix(key, "dependencies") || key == "sources" && i > 0 || i == 0 && strings.HasSuffix(key, "packages") {
				return i
			}
		}
		return -1
	})
	for _, p := range tomlPairs(text) {
		key := p.path[len(p.path)-1]
		parent := strings.Join(p.path[:len(p.path)-1], ".")
		list := strings.HasPrefix(p.value, "[")
		switch {
		case list && (strings.HasSuffix(key, "dependencies") || key == "requires" || key == "deps" || strings.Contains(parent, "optional-dependencies") || strings.Contains(parent, "dependency-groups")):
			for _, m := range requirement.FindAllStringSubmatch(p.value, -1) {
				n.add(m[1])
				n.add(m[2])
			}
		case strings.Contains(p.value, "://") && !strings.Contains(p.value, "{") && (strings.Contains(parent, "source") || strings.Contains(key+parent, "index") || strings.Contains(key, "find-links") || strings.HasPrefix(parent, "tool.uv")):
			n.add(unquoted(p.value))
		}
	}
}

// sections of package.json and composer.json that name dependencies.
var jsonSections = [...]string{"dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "overrides", "resolutions", "require", "require-dev"}

// json reads package.json (npm's, pnpm's and Bun's documentation) and composer.json.
func (n *depends) json(text string) {
	var manifest map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &manifest) != nil {
		return
	}
	for _, key := range jsonSections {
		n.entries(manifest[key])
	}
	var pnpm map[string]json.RawMessage
	if json.Unmarshal(manifest["pnpm"], &pnpm) == nil {
		n.entries(pnpm["overrides"])
		delete(pnpm, "overrides")
		for _, key := range slices.Sorted(maps.Keys(pnpm)) {
			n.each("pnpm "+key+" ", pnpm[key])
		}
	}
	for _, key := range [...]string{"trustedDependencies", "repositories", "packageExtensions", "patchedDependencies", "dependenciesMeta"} {
		n.each(key+" ", manifest[key])
	}
	var config map[string]json.RawMessage
	if json.Unmarshal(manifest["config"], &config) == nil {
		n.each("allow-plugins ", config["allow-plugins"])
		n.each("repositories ", config["repositories"])
	}
	if manager := string(manifest["packageManager"]); strings.Contains(manager, "://") {
		n.add("packageManager " + unquoted(manager))
	}
	var members []string
	if json.Unmarshal(manifest["workspaces"], &members) == nil {
		for _, m := range members {
			dir, _, _ := cutAt(trimPrefix(m, "!"), "*")
			n.path("workspace", dir)
		}
	}
}

func (n *depends) entries(section json.RawMessage) {
	var entries map[string]json.RawMessage
	if json.Unmarshal(section, &entries) != nil {
		return
	}
	for name, value := range entries {
		kind, place, _ := cutAt(unquoted(string(value)), ":")
		switch {
		case kind == "workspace" && !strings.ContainsAny(place, "/@"):
			// A package of this workspace, or an error (pnpm.io/workspaces, yarnpkg.com/features/workspaces).
		case strings.ContainsAny(string(value), ":/"): // not a version: another package, or an address
			n.add(name + " " + string(value))
		default:
			n.add(name)
		}
	}
}

// each adds the members of a value one by one, whatever they are.
func (n *depends) each(prefix string, value json.RawMessage) {
	var members map[string]json.RawMessage
	var list []json.RawMessage
	switch {
	case json.Unmarshal(value, &members) == nil:
		for _, key := range slices.Sorted(maps.Keys(members)) {
			switch inner := string(members[key]); {
			case strings.HasPrefix(inner, "{") || strings.HasPrefix(inner, "["):
				n.each(prefix+key+" ", members[key])
			default:
				n.add(prefix + key + " " + inner)
			}
		}
	case json.Unmarshal(value, &list) == nil:
		for _, m := range list {
			n.add(prefix + string(m))
		}
	case len(value) > 0:
		n.add(prefix + string(value))
	}
}

// pub reads pubspec.yaml (dart.dev, Package dependencies).
func (n *depends) pub(text string) {
	section, name := "", ""
	for line := range strings.Lines(text) {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		key, value, ok := cutAt(strings.TrimSpace(line), ":")
		value, _, _ = cutAt(value, " #")
		value = strings.TrimSpace(value)
		switch {
		case !ok || key[:min(1, len(key))] == "#":
		case indent == 0:
			section = key
		case !strings.HasSuffix(section, "dependencies") && section != "dependency_overrides":
		case indent <= 2:
			if name = key; section == "dependency_overrides" {
				n.add("override " + name + " " + value)
			}
			n.add(name)
			if strings.ContainsAny(value, "{:/") && !strings.Contains(value, "sdk:") {
				n.add(name + " " + value)
			}
		case key == "path":
			n.path(name+" path", value)
		case key != "sdk" && key != "version" && value != "":
			n.add(name + " " + key + " " + value)
		}
	}
}

var (
	goNamed   = regexp.MustCompile(`(?m)^\s*(?:require\s+)?([a-z0-9.-]+\.[a-z]+/\S+)\s+v`)
	goReplace = regexp.MustCompile(`=>\s*(\S+)`)
	goUse     = regexp.MustCompile(`(?m)^\s*(?:use\s+)?(\.{0,2}/\S*|\.\.)\s*(?://.*)?$`)
)

// goMod reads go.mod and go.work (go.dev/ref/mod).
func (n *depends) goMod(text string) {
	for _, m := range goNamed.FindAllStringSubmatch(text, -1) {
		n.add(m[1])
	}
	for _, m := range append(goReplace.FindAllStringSubmatch(text, -1), goUse.FindAllStringSubmatch(text, -1)...) {
		if m[1][0] == '.' || m[1][0] == '/' {
			n.path("directory", m[1])
		} else {
			n.add("=> " + m[1])
		}
	}
}

var (
	mixTuple  = regexp.MustCompile(`\{\s*:(\w+)\s*,([^{}]*(?:\[[^\]]*\][^{}]*)*)\}`)
	mixOption = regexp.MustCompile(`(\w+):\s*("[^"]*"|\[[^\]]*\]|:?\w+)`)
)

// mixSays are options of a dependency of mix that lead nowhere else (mix help deps).
var mixSays = [...]string{"app", "compile", "env", "in_umbrella", "manager", "only", "optional", "override", "runtime", "sparse", "submodules", "targets"}

func (n *depends) mix(text string) {
	for _, m := range mixTuple.FindAllStringSubmatch(text, -1) {
		n.add(m[1])
		for _, o := range mixOption.FindAllStringSubmatch(m[2], -1) {
			switch {
			case isAmong(mixSays[:], o[1]):
			case o[1] == "path":
				n.path(m[1]+" path", o[2])
			default:
				n.add(m[1] + " " + o[1] + " " + unquoted(o[2]))
			}
		}
	}
}

var swiftArgument = regexp.MustCompile(`\b(url|path|id|branch|revision):\s*"([^"]+)"`)

// swift reads Package.swift (SwiftPM's PackageDescription).
func (n *depends) swift(text string) {
	url := ""
	for _, m := range swiftArgument.FindAllStringSubmatch(text, -1) {
		switch m[1] {
		case "path":
			n.path("path", m[2])
		case "branch", "revision":
			n.add(url + " " + m[1] + " " + m[2])
		default:
			url = m[2]
			n.add(url)
		}
	}
}

var (
	dockerFrom  = regexp.MustCompile(`(?mi)^\s*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?`)
	dockerOther = regexp.MustCompile(`(?mi)^\s*(?:#\s*syntax\s*=\s*|COPY\s+(?:--\S+\s+)*--from=|ADD\s+(?:--\S+\s+)*(?:https?|git)\S*://)\S+`)
	dockerArg   = regexp.MustCompile(`(?mi)^\s*ARG\s+(\w+)=(\S+)`)
	imageTag    = regexp.MustCompile(`(?:@sha256:\w+|:[\w.-]+)$`)
)

// image reads a Dockerfile (docs.docker.com, Dockerfile reference).
func (n *depends) image(text string) { n.imageWith(text, nil) }

// imageWith is image where arguments have the values that a build is told.
func (n *depends) imageWith(text string, told map[string]string) {
	stages := map[string]bool{"scratch": true}
	for _, m := range dockerFrom.FindAllStringSubmatch(text, -1) {
		base := m[1]
		for name, value := range told {
			base = strings.NewReplacer("${"+name+"}", value, "$"+name, value).Replace(base)
		}
		for _, a := range dockerArg.FindAllStringSubmatch(text, -1) {
			value := strings.Trim(a[2], `"'`)
			base = strings.NewReplacer("${"+a[1]+"}", value, "$"+a[1], value).Replace(base)
		}
		n.pulled(base, stages)
		stages[strings.ToLower(m[2])] = true
	}
	for _, m := range dockerOther.FindAllString(text, -1) {
		from := m[strings.LastIndexAny(m, "= \t")+1:]
		if strings.Trim(from, "0123456789") != "" {
			n.pulled(from, stages)
		}
	}
}

// pulled adds an image, unless it is an official one, which may run without a question, or an
// earlier stage of the same build.
func (n *depends) pulled(image string, stages map[string]bool) {
	if name := imageTag.ReplaceAllString(image, ""); !shell.OfficialImage(image) && !stages[strings.ToLower(name)] {
		n.add("image " + name)
	}
}

var composeKey = regexp.MustCompile(`^(?:-\s*)?(image|build|context|include|path|file|dockerfile_inline):\s*(\S.*)$`)

// compose reads a Compose file (docs.docker.com, Compose file reference).
func (n *depends) compose(text string) {
	section := ""
	for line := range strings.Lines(text) {
		if len(line) > 0 && line[0] != ' ' && line[0] != '#' && line[0] != '-' && line[0] != '\n' {
			section, _, _ = cutAt(line, ":")
		}
		line = withoutComment(line)
		if from, ok := cutPrefix(line, "- "); ok && section == "include" && strings.ContainsAny(from, ":@") {
			n.add("include " + from)
		}
		m := composeKey.FindStringSubmatch(line)
		switch {
		case m == nil:
		case m[1] == "image":
			n.pulled(unquoted(m[2]), nil)
		case m[1] == "dockerfile_inline":
			n.image(m[2])
		case strings.Contains(m[2], "://") || strings.Contains(m[2], "git@") || strings.Contains(m[2], "github.com/"):
			n.add(m[1] + " " + unquoted(m[2]))
		}
	}
}

var flakeInput = regexp.MustCompile(`["']?((?:github|gitlab|sourcehut|git|tarball|file|path|https?|hg|flake)(?:\+\w+)?:[^"'\s;]+)`)

// flake reads flake.nix (the Nix manual, nix3-flake): a branch or a revision of the same
// repository is no part of an input's name.
func (n *depends) flake(text string) {
	for _, m := range flakeInput.FindAllStringSubmatch(text, -1) {
		url, _, _ := cutAt(m[1], "?")
		if parts := strings.Split(url, "/"); !strings.Contains(url, "://") && len(parts) > 2 {
			url = strings.Join(parts[:2], "/")
		}
		if rest, ok := cutPrefix(url, "path:"); ok {
			n.path("path", rest)
			continue
		}
		n.add(url)
	}
}

var (
	toxKey         = regexp.MustCompile(`^(deps|requires|indexserver|install_command|package_env|external)\b[^=:]*[=:](.*)$`)
	quotedText     = regexp.MustCompile(`["']([^"']+)["']`)
	noxInstall     = regexp.MustCompile(`\.(?:install|conda_install|run_install|run_always)\(([^)]*)\)`)
	oneRequirement = regexp.MustCompile(`^(?:\S+:\s*)?([A-Za-z0-9][\w.-]*(?:\[[^\]]*\])?)\s*(?:@\s*(\S+)|[<>=!~;].*)?$`)
)

// tox reads tox.ini and setup.cfg's sections for tox (tox's documentation, Configuration).
func (n *depends) tox(text string) {
	within := false
	for _, line := range strings.Split(text, "\n") {
		if m := toxKey.FindStringSubmatch(line); m != nil {
			within, line = true, m[2]
		} else if line != "" && line[0] != ' ' && line[0] != '\t' && strings.TrimSpace(line) != "" {
			within = false
		}
		if line = withoutComment(line); !within || line == "" {
			continue
		}
		for _, word := range atOnce(line) {
			n.requirement(word)
		}
	}
}

// atOnce are the requirements of a line: each of its words, if none belongs to another.
func atOnce(line string) []string {
	if strings.ContainsAny(line, ";@<>= ") && !strings.ContainsAny(line, ";@<>=") {
		return strings.Fields(line)
	}
	return []string{line}
}

// requirement adds one as pip reads it: its name, or all of it where it says from where.
func (n *depends) requirement(text string) {
	if m := oneRequirement.FindStringSubmatch(strings.TrimSpace(text)); m != nil && m[2] == "" {
		n.add(m[1])
		return
	}
	n.add(text)
}

// nox reads the installs of a noxfile (nox's documentation, Session).
func (n *depends) nox(text string) {
	for _, m := range noxInstall.FindAllStringSubmatch(text, -1) {
		for _, s := range quotedText.FindAllStringSubmatch(m[1], -1) {
			n.requirement(s[1])
		}
	}
}

var gradlePath = regexp.MustCompile(`(?:includeBuild|includeFlat|projectDir\s*=\s*(?:new\s+)?[Ff]ile|files|fileTree|flatDir|from:?)[^"'\n]*["']([^"']+)["']`)

// gradle reads the directories that a build of Gradle takes in.
func (n *depends) gradle(text string) {
	for _, m := range gradlePath.FindAllStringSubmatch(text, -1) {
		if strings.HasPrefix(m[1], "..") || strings.HasPrefix(m[1], "/") || strings.HasPrefix(m[1], "~") {
			n.path("path", m[1])
		}
	}
}
