package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file judges the tools whose first word is a task, where it is no command of their
// own: one that the project defines, or one of the libraries that it depends on. It is
// code of the workspace, as that of a task in a makefile; what its name or its first word
// says about publishing, deploying or losing data asks.

// ownCommands are the commands of these tools that have no row in the table: they are no
// tasks. From the tools' own lists: pnpm help --all (10.34.9 and 12.21.0) with the commands that it hands to
// npm; yarn help (1.22.22) and yarn --help (4.x); mix help (1.18); the tasks in leiningen-2.10.0.jar; rails --help (railties 6.1 to 8);
// bun --help and the list in bun completions (1.4.5).
// Sorted.
var ownCommands = map[string]string{
	"bun": "a add audit bun bunx c completions create dedupe deploy discord exec feedback getcompletes help i info init install link list login logout patch patch-commit pm prune publish " +
		"remove repl rm uninstall unlink up update upgrade use view whoami why",
	"pnpm": "access add adduser approve approve-builds bugs c cache cat-file cat-index change clean create deploy deprecate dist-tag dlx docs edit env explore find-hash hook i " +
		"ignored-builds info init install-clean install-test issues it lane link ln login logout m multi org owner pack pack-app patch patch-commit patch-remove permissions pipeline " +
		"pkg profile publish purge rb recursive repo runtime sbom self-update server set set-script setup shim star stars tasks team token undeprecate unlink unpublish unstar up " +
		"update upgrade v version with xmas",
	"yarn": "access add constraints create dlx exec explain generate-lock-entry generateLockEntry global import init link login logout node owner pack patch patch-commit plugin policies " +
		"publish search self-update set stage tag team unlink unplug up upgrade upgrade-interactive version",
	"lein":  "change deploy do downgrade new plugin release search self-install update-in upgrade vcs with-profiles",
	"mix":   "archive cmd do escript eval loadconfig loadpaths local new phx profile",
	"rails": "app c console credentials d db dbconsole destroy dev encrypted new plugin r rails restart runner secret secrets",
}

// publishers are programs of the npm registry whose every run sends what the project is
// elsewhere, by their README. Sorted.
var publishers = []string{"auto", "gh-pages", "np", "release-it", "release-please", "semantic-release", "surge"}

// projectTask runs a word that is no command of the tool's own. ok is false where it may
// be one, or where nobody defines such words.
func (m *machine) projectTask(t *tool, word string, args []string, in data, want bool) (data, bool) {
	own, ok := ownCommands[t.name]
	namespace, _, spaced := cutAt(word, taskSeparator(t.name))
	if t.name == "rails" && m.frameworkCode("rails", append([]string{word}, args...), in) {
		m.build()
		return unknown, true
	}
	switch {
	case !ok, !plainTask(word), mark.Among(own, word), m.aimsElsewhere(args):
		return data{}, false
	case t.name == "mix" && spaced && mark.Among(own, namespace) && !mark.Among(phoenixTasks, word):
		return data{}, false
	case t.name == "rails" && (!spaced || mark.Among(own, namespace) && namespace != "db"):
		return data{}, false
	}
	if t.name == "bun" || t.name == "pnpm" || t.name == "yarn" {
		if searchNames(publishers, word) {
			return data{}, false
		}
		if mark.Among(npmTools, word) || lookupTool(word) != nil {
			return m.run(append([]string{word}, args...), in, want), true
		}
		if out, ok := m.taskOfDependency(word, args, in, want); ok {
			return out, true
		}
	}
	r := toolRun{m: m, t: t}
	r.task(word)
	if t.name == "yarn" {
		m.envTask(word)
	}
	for _, a := range args {
		switch {
		case strings.HasPrefix(a, "-"):
			_, value, _ := cutAt(a, "=")
			m.leavesWorkspace(t, value)
		default:
			r.task(a)
			m.leavesWorkspace(t, a)
		}
	}
	m.build()
	return unknown, true
}

// phoenixTasks are those of Phoenix that serve, list, compress or write files of the project;
// others make projects elsewhere or print secrets (mix help of Phoenix 1.7). Sorted.
const phoenixTasks = "phx.digest phx.gen.auth phx.gen.channel phx.gen.context phx.gen.embedded phx.gen.html phx.gen.json phx.gen.live phx.gen.notifier phx.gen.presence phx.gen.schema " +
	"phx.gen.socket phx.routes phx.server"

// taskSeparator stands between the namespace of a task and its name.
func taskSeparator(tool string) string {
	if tool == "mix" {
		return "."
	}
	return ":"
}

// plainTask says whether a word looks like the name of a task.
func plainTask(word string) bool {
	return word != "" && word[0] != '-' && word[0] != '.' && word[0] != '@' &&
		strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-:.") == ""
}

// leavesWorkspace asks about a word that names a place outside of the workspace, or
// something that only the run time knows: what a task does with it nobody knows.
func (m *machine) leavesWorkspace(t *tool, word string) {
	if mark.Has(word) || strings.Contains(word, "://") {
		m.escape(t.name + " " + word)
		return
	}
	if !reachesOut(word) {
		return
	}
	if z, _, _ := m.p.Where(m.p.Resolve(m.cwd, word)); z != effect.ZoneWorkspace && z != effect.ZoneTemp {
		m.escape(t.name + " " + word)
	}
}
