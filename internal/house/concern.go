package main

import (
	"path"
	"slices"
	"strings"
)

// rule gives files to a concern: those of the rooms named, or of the rooms below
// one that ends in "/...", whose base name matches one of the patterns; all of
// them without a pattern. The first rule that matches a file counts.
type rule struct {
	concern string
	rooms   []string
	files   []string
}

// concerns are in the order of the report. Rooms are written without "internal".
var concerns = []rule{
	{"tool and program tables", []string{"gates/shell", "gates/call/shell"}, []string{"tools_*.go"}},
	{"tool and program tables", []string{"gates/call/data/...", "gates/programs/..."}, nil},
	{"option reader and single programs", []string{"gates/shell", "gates/call/shell"}, []string{
		"spec.go", "options.go", "getopt.go", "lookup.go", "special.go", "upload.go", "acts.go", "awk.go", "cmake.go", "copy.go",
		"dispatch.go", "exhaust.go", "journalctl.go", "make.go", "openssl.go", "packagesources.go", "readsendless.go", "tar.go", "tooleffects.go", "toolroles.go", "tooltable.go",
		"find.go", "git.go", "gitloss.go", "held.go", "fill.go", "launch.go", "misc.go", "query.go", "sed.go", "sources.go", "sql.go", "tasks.go", "files.go",
	}},
	{"option reader and single programs", []string{"gates/call/tools/..."}, nil},
	{"inline code", []string{"gates/shell", "gates/call/shell"}, []string{"analyzecode.go", "code.go", "dialects.go", "interpret.go", "literal.go", "nodefs.go"}},
	{"inline code", []string{"gates/call/code/..."}, nil},
	{"shell evaluator", []string{"gates/shell/...", "gates/call/shell/..."}, nil},
	{"actions", []string{"gates/action/..."}, nil},
	{"actions", []string{"gates/call"}, []string{"action*.go"}},
	{"classes and roles", []string{"gates", "gates/call/..."}, []string{"name*.go", "role*.go", "schema*.go", "tool*.go", "class*.go"}},
	{"gate language and programs", []string{"gates/lang/...", "gates/program/..."}, nil},
	{"gate language and programs", []string{"gates"}, []string{"eval*.go", "gate.go", "index*.go", "library.go", "pattern.go", "program*.go"}},
	{"learn", []string{"gates/learn/...", "learn/..."}, nil},
	{"origin", []string{"gates/flow/...", "gates/origin/..."}, nil},
	{"memory of a run", []string{"gates/episode/..."}, nil},
	{"effects, guardrail, content", []string{"gates/effect/...", "gates/mark/...", "gates/names/...", "gates/class/...", "gates/content/...", "gates/guardrail/...", "gates/reply/...", "content/...", "reply/..."}, nil},
	{"effects, guardrail, content", []string{"gates"}, []string{"guardrail*.go", "checker*.go", "consent*.go", "unvetted*.go", "message*.go"}},
	{"contexts and reading of arguments", []string{"gates", "gates/call/..."}, nil},
	{"gates, other", []string{"gates/..."}, nil},
	{"tree", []string{"tree/..."}, nil},
	{"artifacts", []string{"artifacts/..."}, nil},
	{"traverse", []string{"traverse/..."}, nil},
	{"corpora and log readers", []string{"corpora/..."}, nil},
	{"segment and distill", []string{"segment/...", "distill/...", "conditions/..."}, nil},
	{"replay", []string{"replay/..."}, nil},
	{"evolve", []string{"evolve/..."}, nil},
	{"hosts and hook", []string{"hosts/...", "cmd/gbt-hook/..."}, nil},
	{"serve", []string{"serve/...", "stores/...", "protocol/..."}, nil},
	{"redactor", []string{"redact/..."}, nil},
	{"this measure, generators", []string{"house/...", "integrations/generate/..."}, nil},
	{"mcp proxy", []string{"mcpproxy/..."}, nil},
	{"runner", []string{"runner/..."}, nil},
	{"cmd/gbt", []string{"cmd/gbt/..."}, nil},
}

const otherConcern = "other"

// concernOf finds the concern of a file by its path.
func concernOf(name string) string {
	dir, base := path.Split(plain(name))
	dir = strings.TrimSuffix(dir, "/")
	for _, r := range concerns {
		if slices.ContainsFunc(r.rooms, func(p string) bool { return covers(p, dir) }) && matches(r.files, base) {
			return r.concern
		}
	}
	return otherConcern
}

// covers says whether a room is the one of a pattern, or below it for "x/...".
func covers(pattern, dir string) bool {
	top, all := strings.CutSuffix(pattern, "/...")
	return dir == top || all && strings.HasPrefix(dir, top+"/")
}

func matches(patterns []string, base string) bool {
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(p string) bool {
		ok, err := path.Match(p, base)
		return ok && err == nil
	})
}

// byConcern counts lines by concern, in the order of the table; concerns
// without a file are left in, at 0.
func byConcern(s *source) []tally {
	var out []tally
	for _, name := range append(concernNames(), otherConcern) {
		out = append(out, tally{Name: name})
	}
	for _, f := range s.files {
		name := concernOf(f.path)
		out[slices.IndexFunc(out, func(t tally) bool { return t.Name == name })].Count += f.lines
	}
	return out
}

func concernNames() []string {
	var out []string
	for _, r := range concerns {
		if !slices.Contains(out, r.concern) {
			out = append(out, r.concern)
		}
	}
	return out
}
