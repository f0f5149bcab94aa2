package shell

import (
	"path"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/names"
)

// Loader is how tools read a file that they load without being told its name.
type Loader uint8

// The loaders.
const (
	NotLoaded Loader = iota
	Recipes          // lines that a shell runs: make, just
	Literals         // code, or settings, with commands in quotes
	Modules          // the code of an interpreter, found by its import or test rules
	Tasks            // settings whose values are lines that a shell runs: mise, tox
)

// Loaded says how tools load a file of a project by its name, or by the ending of a
// compiled language or of an interpreter's module: common knowledge without a source.
func Loaded(file string) Loader {
	base := names.Fold(baseName(file))
	switch base {
	case "makefile", "gnumakefile", "justfile", ".justfile":
		return Recipes
	case "mise.toml", ".mise.toml", "mise.local.toml", ".mise.local.toml", "tox.ini", "tox.toml", "makefile.toml", "nextest.toml", "nodemon.json", "lefthook.toml", "lefthook.json":
		return Tasks
	case ".flake8", "go.mod", "go.work", "phpunit.xml", "phpunit.xml.dist", "package.json", "composer.json", "deno.json", "deno.jsonc", "pyproject.toml", "setup.cfg", "build.ninja":
		return Tasks
	case "cmakelists.txt", "pom.xml", "build.xml", "dockerfile", "containerfile", "taskfile.yml", "taskfile.yaml", "taskfile.dist.yml", "taskfile.dist.yaml", "lefthook.yml", "lefthook.yaml", "lefthook-local.yml", "docker-compose.yml", "docker-compose.yaml", "compose.yml", "compose.yaml",
		"procfile", "vagrantfile", "meson.build", "build", "build.bazel", "workspace", "workspace.bazel", "module.bazel", "build.sbt":
		return Literals
	case "rakefile", "gemfile", "guardfile", "sconstruct", "sconscript", "podfile", "fastfile", "capfile":
		return Modules
	}
	if (strings.HasPrefix(base, "compose.") || strings.HasPrefix(base, "docker-compose.")) && (strings.HasSuffix(base, ".yml") || strings.HasSuffix(base, ".yaml")) {
		return Literals // the override file is read unasked, others with -f
	}
	if settingsName(base) {
		return Tasks
	}
	if strings.HasSuffix(names.Fold(file), "/.cargo/config.toml") || strings.HasSuffix(names.Fold(file), "/.cargo/config") || strings.HasPrefix(base, "dockerfile.") {
		return Literals
	}
	switch trimPrefix(path.Ext(base), ".") {
	case "mk", "just":
		return Recipes
	case "go", "rs", "c", "h", "cc", "cpp", "java", "kt", "kts", "cs", "swift", "gradle", "groovy", "ts", "tsx", "jsx", "mts", "cts", "cmake", "ninja",
		"cxx", "hpp", "hh", "m", "mm", "scala", "sbt", "zig", "hs", "ml", "ex", "exs", "erl", "dart", "nim", "cr", "fs", "vb", "jl", "bzl", "bazel", "dockerfile",
		"tf", "tofu", "csproj", "fsproj", "vbproj", "proj", "props", "targets":
		return Literals
	case "py", "pth", "js", "mjs", "cjs", "rb", "rake", "php", "lua", "pl", "pm", "t", "sh", "bash":
		return Modules
	}
	return NotLoaded
}

// settingsName says whether a file's name is one under which tools look for their
// settings: a hidden one with the ending of a format, or that ends in rc, or an ending
// of settings alone.
func settingsName(base string) bool {
	ext := path.Ext(base)
	switch ext {
	case ".ini", ".cfg":
		return true
	case ".json", ".yaml", ".yml", ".toml":
		return base[0] == '.' && len(base) > len(ext)
	}
	return len(base) > 1 && base[0] == '.' && strings.HasSuffix(base, "rc")
}
