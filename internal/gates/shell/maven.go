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

// buildPlugins are prefixes of Apache's own plugins that build, check and report, and keep
// what they make in the project or in Maven's own repository of this machine (Maven's list of its
// own plugins, maven.apache.org/plugins). Sorted.
const buildPlugins = "assembly checkstyle clean compiler dependency enforcer failsafe help install jar javadoc jlink jxr resources shade source surefire surefire-report toolchains verifier war"

// ownGoals are goals of other plugins that run the project's program or tests here, or write
// the project's own files (the goals of the Spring Boot and the Quarkus plugin, the index of
// the Versions plugin, the README of Spotless for Maven; Debian's
// description of exec-maven-plugin 3.1.0). Sorted.
const ownGoals = "exec:java quarkus:dev quarkus:run spotless:apply spring-boot:process-aot spring-boot:process-test-aot spring-boot:repackage spring-boot:run spring-boot:start spring-boot:stop " +
	"spring-boot:test-run versions:commit versions:display-dependency-updates versions:display-plugin-updates versions:display-property-updates versions:revert versions:set"

// knownGoal says whether a goal of a plugin is known to build, check, show or run what is the
// project's. Of a plugin that is not listed its goal's own words have to say so: Maven finds
// many by their prefix alone, those that run statements, scripts and commands of the line and
// send what was built among them.
func knownGoal(goal string) bool {
	prefix, name, _ := cutAt(goal, ":")
	switch {
	case isAmong(reachingGoals, goal):
		return false
	case mark.Among(buildPlugins, prefix), mark.Among(ownGoals, goal):
		return true
	}
	return slices.ContainsFunc(strings.FieldsFunc(camelSplit(name), separates), func(w string) bool { return mark.Among(workVerbs, w) })
}

// mavenGoal judges a word of Maven's that is a phase, a goal by the prefix of its plugin,
// or one of a plugin that is named in full, which is fetched and run.
func (r *toolRun) mavenGoal(word string) (done bool) {
	parts := strings.Split(word, ":")
	goal := word
	if len(parts) > 2 {
		if !isAmong(pluginGroups, parts[0]) {
			r.m.escape(r.t.name + " " + word)
			return true
		}
		goal = trimSuffix(trimPrefix(parts[1], "maven-"), "-plugin") + ":" + parts[len(parts)-1]
	}
	goal, _, _ = cutAt(goal, "@") // an execution of the project's settings
	if strings.Contains(goal, ":") && !knownGoal(goal) {
		r.m.escape(r.t.name + " " + word)
	}
	return plainTask(strings.ReplaceAll(word, "@", ""))
}

// mavenPlain says whether a property is one that only names a class of the project to run,
// or a plugin to be told about, and its value nothing else (exec:java, help:describe).
func mavenPlain(key, value string) bool {
	return (key == "exec.mainClass" || key == "plugin") && value != "" && plainTask(strings.ReplaceAll(value, "$", ""))
}

// localRepository says whether a property moves Maven's cache of this machine (Maven, Guide to
// Configuring Maven, "Configuring your Local Repository") to a directory for temporary files where
// nothing is yet: what comes to lie in it comes from where it comes from otherwise.
func (m *machine) localRepository(key, dir string) bool {
	if key != "maven.repo.local" || m.p.There == nil || !strings.HasPrefix(dir, "/") || mark.Has(dir) || strings.ContainsAny(dir, "$;,*?") {
		return false
	}
	full := m.p.Resolve(m.cwd, dir)
	z, _, _ := m.p.Where(full)
	return z == effect.ZoneTemp && !m.p.There(full) && len(m.runs) == 0 && !slices.ContainsFunc(m.files, func(f file) bool { return mark.Has(f.path) || mark.Under(f.path, full) || mark.Under(full, f.path) })
}

// computedSetting asks about a setting of which a part is computed.
func (r *toolRun) computedSetting(value string) {
	if firstByte(value, mark.Unknown) >= 0 {
		r.m.opaque(effect.OpComputed, "computed setting of "+r.t.name)
	}
}

// sbtShown are settings of sbt's launcher and shell that change what is shown and nothing else,
// with a truth value or a number (scala-sbt.org, Command line reference, Command line options).
const sbtShown = "sbt.ci sbt.color sbt.log.noformat sbt.progress sbt.supershell"
