package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// pluginGroups are those whose plugins Maven finds by a prefix alone, without a word of
// the project's: Apache's and MojoHaus's own (Maven's guide to plugin prefix resolution).
var pluginGroups = []string{"org.apache.maven.plugins", "org.codehaus.mojo"}

// reachingGoals fetch what the line names, or run code that comes with it, an artifact of
// any repository and a template of a project; or they push to the project's repository (the
// pages of these plugins).
var reachingGoals = []string{"archetype:generate", "dependency:copy", "dependency:get", "dependency:unpack", "scm:branch", "scm:tag", "scm:untag"}

// mavenGoal judges a word of Maven's that is a phase, a goal by the prefix of its plugin,
// or one of a plugin that is named in full, which is fetched and run.
func (r *toolRun) mavenGoal(word string) (done bool) {
	parts := strings.Split(word, ":")
	goal := word
	if len(parts) > 2 {
		if !slices.Contains(pluginGroups, parts[0]) {
			r.m.escape(r.t.name + " " + word)
			return true
		}
		goal = strings.TrimSuffix(strings.TrimPrefix(parts[1], "maven-"), "-plugin") + ":" + parts[len(parts)-1]
	}
	goal, _, _ = strings.Cut(goal, "@") // an execution of the project's settings
	if slices.Contains(reachingGoals, goal) {
		r.m.escape(r.t.name + " " + word)
	}
	return plainTask(strings.ReplaceAll(word, "@", ""))
}

// mavenPlain says whether a property is one that only names a class of the project to run,
// or a plugin to be told about, and its value nothing else (exec:java, help:describe).
func mavenPlain(key, value string) bool {
	return (key == "exec.mainClass" || key == "plugin") && value != "" && plainTask(strings.ReplaceAll(value, "$", ""))
}

// computedSetting asks about a setting of which a part is computed.
func (r *toolRun) computedSetting(value string) {
	if strings.IndexByte(value, mark.Unknown) >= 0 {
		r.m.opaque(effect.OpComputed, "computed setting of "+r.t.name)
	}
}
