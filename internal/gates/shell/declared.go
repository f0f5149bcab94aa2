package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file tells the installation of what the workspace itself declares from that of
// something new: requirements that stand in a file of the workspace, the workspace's own
// project and what it depends on. That brings in what its people chose, as a builder does
// that reads the same files. Whatever the session writes to such files is judged where it
// is written.

// does is what the run does beside what its words do.
func (r *toolRun) does() byte {
	switch r.t.name {
	case "pip install", "pip3 install", "uv pip install":
		if r.declared() {
			return doesBuild
		}
	case "terraform init", "tofu init": // no state is reached: providers and modules that the files name (terraform init -help)
		if switchedOn(r.words, "-backend=false", "--backend=false") || r.m.initsLocked(r.words) {
			return doesBuild
		}
	case "goreleaser release": // nothing is published or announced (goreleaser release --help)
		if switchedOn(r.words, "--snapshot") {
			return doesBuild
		}
	case "ansible-galaxy collection install", "ansible-galaxy role install": // what a file of the workspace lists, put into the workspace
		if len(r.operands) == 0 && hasOption(r.words, "-r", "--requirements-file", "--role-file") && hasOption(r.words, "-p", "--collections-path", "--roles-path") {
			return doesBuild
		}
	case "tmux new", "tmux new-session": // one without a name goes on unseen
		if !hasOption(r.words, "-s", "-ds") || !hasOption(r.words, "-d", "-ds") {
			return doesReview
		}
	case "go get":
		if r.updates && !r.namesOthers() {
			return doesBuild // asked about as an update
		}
	}
	if r.t.act == doesInteract && r.typed() {
		return doesBuild
	}
	if r.here && r.t.act == doesListen {
		return doesRun // what else it listens at has been recorded
	}
	return r.t.act
}

// switchedOn says whether one of these words stands among others, and is no value of an
// option: the word before it is none that may have one.
func switchedOn(words []string, on ...string) bool {
	for i, w := range words {
		if isAmong(on, w) && (i == 0 || words[i-1][:min(1, len(words[i-1]))] != "-" || strings.Contains(words[i-1], "=") || isAmong(noValues, words[i-1])) {
			return true
		}
		if w == "--" {
			return false
		}
	}
	return false
}

// hasOption says whether one of these options stands among words, with its value attached or
// behind it. Not inlined, for the size of programs.
//
//go:noinline
func hasOption(words []string, names ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		name, _, _ := cutAt(w, "=")
		return isAmong(names, name)
	})
}

// noValues are options of such programs that have no value.
var noValues = []string{"--clean", "--draft", "--fail-fast", "--verbose", "-compact-warnings", "-no-color"}

// declared says whether pip is given nothing but files and projects of the workspace, and
// no option that says where packages come from or where they go (pip install --help).
func (r *toolRun) declared() bool {
	some := false
	for i := 0; i < len(r.words); i++ {
		switch a := r.words[i]; a {
		case "-q", "--quiet", "-qq", "-v", "--verbose", "-U", "--upgrade", "--no-cache-dir", "--no-cache", "--no-input", "--disable-pip-version-check", "--no-deps", "--prefer-binary", "--require-hashes", "--no-build-isolation", "--force-reinstall":
		case "-r", "--requirement", "--requirements", "-c", "--constraint", "--constraints", "-e", "--editable":
			if i++; i == len(r.words) || !r.ownProject(r.words[i]) {
				return false
			}
			some = some || a != "-c" && !strings.HasPrefix(a, "--constraint")
		case "pip", "setuptools", "wheel": // the installers themselves, of whose names nobody else can be
		default:
			name, value, ok := cutAt(a, "=")
			switch {
			case ok && (name == "--requirement" || name == "--editable"):
				a = value
			case strings.HasPrefix(a, "-r"):
				a = a[len("-r"):]
			case !strings.HasPrefix(a, ".") && !strings.HasPrefix(a, "/"):
				return false // the name of a package
			}
			if !r.ownProject(a) {
				return false
			}
			some = true
		}
	}
	return some
}

// ownVariables says whether an option names a file of the workspace with values of the
// program's variables, as it finds terraform.tfvars by itself. It shows none of those that
// the configuration calls sensitive (developer.hashicorp.com/terraform: Input Variables, Assigning
// values; Suppressing values in CLI output).
func (r *toolRun) ownVariables(name, value string) bool {
	ofFile := strings.TrimLeft(name, "-") == "var-file" && (strings.HasPrefix(r.t.name, "terraform ") || strings.HasPrefix(r.t.name, "tofu "))
	return ofFile && (strings.HasSuffix(value, ".tfvars") || strings.HasSuffix(value, ".tfvars.json")) && r.ownProject(value)
}

// ownProject says whether a word names a file or a directory of the workspace, with the
// extras of a project in brackets behind it.
func (r *toolRun) ownProject(word string) bool {
	if dir, extras, ok := cutAt(word, "["); ok && strings.HasSuffix(extras, "]") {
		word = dir
	}
	if mark.Has(word) || strings.Contains(word, "://") || strings.Contains(word, "@") || word == "-" || word == "" {
		return false
	}
	z, _, _ := r.m.p.Where(r.m.p.Resolve(r.m.cwd, word))
	return z == effect.ZoneWorkspace
}
