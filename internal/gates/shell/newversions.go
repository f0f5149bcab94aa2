package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file judges runs that bring in new versions of what a project depends on. A lock file
// holds what its people chose; what a run puts in its place nobody has chosen, and the next
// build or test runs it. Which runs these are the programs' files say (does: updates); what
// counts as one is here, for all of them.

// newVersions records that the run brings them in, in which project and of which
// dependencies. One that only tells what there is to update is none.
func (r *toolRun) newVersions() {
	if r.t.act == doesUpdate {
		r.updates, r.updated = true, append(r.updated, r.operands...)
	}
	if !r.updates || r.dry || r.help || r.keepsVersions() {
		return
	}
	z, _, _ := r.m.p.Where(r.m.cwd)
	r.m.record(effect.Effect{Kind: effect.Setting, Op: effect.OpInstall, Zone: z, Deed: "update", Resource: show(r.m.cwd), Ref: show(r.ofDependencies())})
}

// ofDependencies are the names of what is updated; empty for all that the project depends on.
func (r *toolRun) ofDependencies() string {
	if slices.ContainsFunc(r.updated, allOfProject) {
		return ""
	}
	names := slices.Clone(r.updated)
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ")
}

// allOfProject says whether a word stands for packages of the project itself, whose
// dependencies are meant (go help packages).
func allOfProject(word string) bool {
	return word == "." || word == "all" || strings.HasPrefix(word, "./")
}

// namesOthers says whether an operand is no package of the project: go get adds what it names.
func (r *toolRun) namesOthers() bool {
	return slices.ContainsFunc(r.operands, func(w string) bool { return !allOfProject(w) })
}

// keepsVersions says whether the run is told to bring in new versions and has none to bring
// in, or is judged as something else.
func (r *toolRun) keepsVersions() bool {
	switch r.t.name {
	case "go get":
		return r.namesOthers()
	case "pip install", "pip3 install": // only what is named is upgraded, and what a file names (pip install --help, --upgrade-strategy)
		eager := slices.ContainsFunc(r.words, func(w string) bool { return strings.Contains(w, "eager") })
		files := r.requirements()
		return r.does() != doesBuild || !eager && !slices.ContainsFunc(files, r.open)
	case "uv pip install":
		return r.does() != doesBuild
	case "pdm lock":
		return ContainsAny(r.words, "--check", "--refresh", "--update-reuse", "--update-reuse-installed")
	}
	return false
}

// requirements are the files of requirements that pip is told to install.
func (r *toolRun) requirements() []string {
	var out []string
	for i, w := range r.words {
		name, value, attached := strings.Cut(w, "=")
		switch {
		case name == "--requirement" && attached:
			out = append(out, value)
		case (w == "-r" || w == "--requirement") && i+1 < len(r.words):
			out = append(out, r.words[i+1])
		case strings.HasPrefix(w, "-r") && len(w) > 2:
			out = append(out, w[2:])
		}
	}
	return out
}

// open says whether a file of requirements leaves a version open, as far as it is known that it
// does not: each line of one that was there before the session has to name a version (pip's
// requirements file format).
func (r *toolRun) open(file string) bool {
	full := r.m.p.Resolve(r.m.cwd, file)
	if r.m.p.SettledText == nil || !r.m.settled(full) {
		return true
	}
	some := false
	for line := range strings.Lines(r.m.p.SettledText(full)) {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimRight(strings.TrimSpace(line), " \\")
		switch {
		case line == "", strings.HasPrefix(line, "--hash="):
		case !strings.Contains(line, "==") || strings.Contains(line, "*") || line[0] == '-':
			return true
		default:
			some = true
		}
	}
	return !some
}
