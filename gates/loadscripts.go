package gates

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file follows the commands that a project's files keep under names: the scripts of
// package.json and composer.json and the targets of makefiles. Of those that the session
// wrote, what runs is judged by itself: a script that nobody runs counts for nothing.

// scripts follows what a program runs by name where it works.
func (f *follower) scripts(program string, r *effect.Run) {
	switch program {
	case "npm", "pnpm", "yarn", "bun", "composer":
		f.packageScripts(program, r)
	case "node": // --run (nodejs.org/api/cli.html)
		if i := slices.Index(r.Words, "--run"); i >= 0 && i+1 < len(r.Words) {
			f.packageScripts("npm", &effect.Run{Words: []string{"npm", "run", r.Words[i+1]}, Cwd: r.Cwd})
		}
	case "make", "gmake":
		f.makeTargets(r, makefileNames[:])
	case "just":
		f.just = true
		f.makeTargets(r, justfileNames[:])
		f.just = false
	case "task":
		f.makeTargets(r, taskfileNames[:])
	case "ninja":
		f.ninjaRules(r)
	case "lage", "lerna", "nx", "turbo":
		f.graphScripts(r)
	}
}

// packageScripts follows the scripts that a package manager runs: the one that is named,
// those before and after it, and those of an installation (the manuals of npm, Yarn, pnpm,
// Bun and Composer, scripts).
func (f *follower) packageScripts(program string, r *effect.Run) {
	dir, names := scriptNames(program, r)
	if dir != "" {
		dir = f.c.places.Resolve(r.Cwd, dir)
	} else {
		dir = r.Cwd
	}
	if slices.ContainsFunc(r.Words[1:], ofWorkspaces) {
		f.workspaceScripts(r.Words[1:])
	}
	file := path.Join(dir, "package.json")
	if program == "composer" {
		file = path.Join(dir, "composer.json")
	}
	text, ok := f.text(file)
	if !ok {
		if f.bad[file] {
			f.hit = file
		}
		f.steering(dir, runnerLanguage(program)) // nobody knows what the script starts
		return
	}
	f.judged[file] = true
	scripts := scriptsOf(text)
	if scripts == nil && f.bad[file] {
		f.hit = file // it cannot be read
		return
	}
	for _, name := range names {
		for _, n := range [...]string{"pre" + name, name, "post" + name} {
			if lines, ok := scripts[n]; ok && !f.seen[file+" "+n] {
				f.seen[file+" "+n] = true
				for _, line := range lines {
					f.script(file, trimPrefix(line, "@"), dir)
				}
			}
		}
	}
}

// together follows the commands and the scripts of package.json that a program is given to
// run together or in a row, by the manuals of concurrently and npm-run-all.
func (f *follower) together(r *effect.Run) {
	switch path.Base(r.Words[0]) {
	case "concurrently", "npm-run-all", "run-p", "run-s":
	default:
		return
	}
	for _, w := range r.Words[1:] {
		if strings.Contains(w, " ") {
			f.command(w, r.Cwd)
		} else if name := trimPrefix(w, "npm:"); name != "" && name[0] != '-' {
			f.packageScripts("npm", &effect.Run{Words: []string{"npm", "run", name}, Cwd: r.Cwd})
		}
	}
}

// ofWorkspaces says whether a word of a package manager has it work in other packages of
// the project than that of its directory.
func ofWorkspaces(w string) bool {
	switch w {
	case "-w", "--workspace", "-ws", "--workspaces", "workspace", "workspaces", "--filter", "-F", "-r", "--recursive", "foreach":
		return true
	}
	return strings.HasPrefix(w, "--workspace=") || strings.HasPrefix(w, "--filter=")
}

// workspaceScripts judges the scripts that words name of all unvetted manifests of packages
// below the project.
func (f *follower) workspaceScripts(words []string) {
	list := f.bad
	if f.harms {
		list = map[string]bool{path.Join(f.c.Cwd, "package.json"): true}
	}
	for file := range list {
		if path.Base(file) != "package.json" {
			continue
		}
		text, _ := f.text(file)
		for name, lines := range scriptsOf(text) {
			if isAmong(words, trimPrefix(trimPrefix(name, "pre"), "post")) || isAmong(words, name) {
				for _, line := range lines {
					f.script(file, line, path.Dir(file))
				}
			}
		}
	}
}

// graphScripts judges the scripts that a program runs in the packages of a project: those that it is
// told, and those that its settings name, which may come before (the manuals of Turborepo, Nx, Lerna
// and Lage).
func (f *follower) graphScripts(r *effect.Run) {
	words := strings.FieldsFunc(strings.Join(r.Words[1:], " "), func(c rune) bool { return strings.ContainsRune(" :=,", c) })
	for _, base := range [...]string{"turbo.json", "nx.json", "lage.config.js"} {
		text, _ := f.text(path.Join(r.Cwd, base))
		words = append(words, strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" \t\n\"',:[]{}^#", c) })...)
	}
	f.workspaceScripts(words)
}

// script judges a line of a file that keeps commands, if that is unvetted or the session
// wrote it under a name by which nobody knew what it would be, and follows it.
func (f *follower) script(file, line, dir string) {
	if (f.bad[file] || f.c.wrote(file)) && f.c.taskAsks(line, dir) {
		f.hit = file
		return
	}
	if !f.grave(file, line, dir) {
		f.command(line, dir)
	}
}

// scriptNames are the scripts that the words of a package manager run, and the directory
// that they name.
func scriptNames(program string, r *effect.Run) (dir string, names []string) {
	words := r.Words[1:]
	var plain []string
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "--":
			i = len(words)
		case (w == "-C" || w == "--prefix" || w == "--cwd" || w == "--dir" || w == "-d" && program == "composer") && i+1 < len(words):
			i++
			dir = words[i]
		case strings.HasPrefix(w, "--prefix=") || strings.HasPrefix(w, "--cwd="):
			_, dir, _ = cutAt(w, "=")
		case !strings.HasPrefix(w, "-") && w != "":
			plain = append(plain, w)
		}
	}
	if len(plain) == 0 {
		plain = []string{"install"}
	}
	switch plain[0] {
	case "install", "i", "ci", "add", "update", "up", "require", "upgrade", "dump-autoload":
		return dir, []string{"install", "prepare", "prepublish", "prepack", "install-cmd", "update-cmd", "autoload-dump", "dependencies"}
	case "publish", "pack", "version":
		return dir, []string{plain[0], "prepare", "prepublish", "prepublishOnly", "prepack", "pack"}
	case "run", "run-script", "rum", "urn", "exec":
		return dir, plain[1:min(2, len(plain))]
	case "t", "tst":
		return dir, []string{"test"}
	case "it", "install-test", "cit":
		return dir, []string{"install", "prepare", "test"}
	case "restart":
		return dir, []string{"stop", "restart", "start"}
	}
	return dir, plain[:1]
}

// scriptsOf are the scripts of a manifest by their names; nil where it cannot be read.
func scriptsOf(text string) map[string][]string {
	var m struct {
		Scripts map[string]any `json:"scripts"`
	}
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return nil
	}
	out := map[string][]string{}
	for name, value := range m.Scripts {
		switch v := value.(type) {
		case string:
			out[name] = []string{v}
		case []any:
			for _, x := range v {
				if s, ok := x.(string); ok {
					out[name] = append(out[name], s)
				}
			}
		}
	}
	for key, lines := range out { // Composer's events, and scripts that name others: @test
		for _, l := range lines {
			if other, ok := cutPrefix(l, "@"); ok && out[other] != nil && other != key {
				out[key] = append(out[key], out[other]...)
			}
		}
	}
	return out
}

// What make(1), just and Task look for, where no name is given (their manuals).
var (
	makefileNames = [...]string{"GNUmakefile", "makefile", "Makefile"}
	justfileNames = [...]string{"justfile", ".justfile", "Justfile"}
	taskfileNames = [...]string{"Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml"}
)

// makeTargets follows the recipes of the targets that make is asked for.
func (f *follower) makeTargets(r *effect.Run, names []string) {
	if f.harms && onlyTells(r.Words) {
		return
	}
	dir, files, targets := r.Cwd, []string(nil), []string(nil)
	f.environment, f.makeSets = r.Values, nil
	for i := 1; i < len(r.Words); i++ {
		w := r.Words[i]
		switch {
		case (w == "-C" || w == "-f" || w == "--file" || w == "--directory") && i+1 < len(r.Words):
			i++
			if w == "-f" || w == "--file" {
				files = append(files, r.Words[i])
			} else {
				dir = f.c.places.Resolve(dir, r.Words[i])
			}
		case strings.HasPrefix(w, "--file="), strings.HasPrefix(w, "--makefile="):
			files = append(files, w[firstByte(w, '=')+1:])
		case strings.HasPrefix(w, "-f") && len(w) > 2:
			files = append(files, w[2:])
		case strings.HasPrefix(w, "--env"), strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.Contains(w, "e"):
			f.makeSets = append(f.makeSets, r.Values...) // -e
		case strings.HasPrefix(w, "-"):
		case strings.Contains(w, "="):
			f.makeSets = append(f.makeSets, w)
		default:
			targets = append(targets, w)
		}
	}
	if files == nil {
		files = names
	}
	for _, name := range files {
		f.makefile(f.c.places.Resolve(dir, name), dir, targets, 0)
	}
}

// ninjaRules judges the commands of the rules in the file that ninja is given, or finds
// (ninja-build.org, manual: -f, -C, command).
func (f *follower) ninjaRules(r *effect.Run) {
	dir, file := r.Cwd, "build.ninja"
	for i, w := range r.Words[:len(r.Words)-1] {
		switch w {
		case "-C":
			dir = f.c.places.Resolve(dir, r.Words[i+1])
		case "-f":
			file = r.Words[i+1]
		}
	}
	file = f.c.places.Resolve(dir, file)
	text, _ := f.text(file)
	for line := range strings.Lines(text) {
		if key, value, ok := cutAt(strings.TrimSpace(line), "="); ok && strings.TrimSpace(key) == "command" {
			f.script(file, strings.TrimSpace(value), dir)
		}
	}
}

// makefile follows one makefile and those that it includes.
func (f *follower) makefile(file, dir string, targets []string, depth int) {
	text, ok := f.text(file)
	if !ok {
		if f.bad[file] {
			f.hit = file
		}
		return
	}
	if f.seen["make "+file] || depth > maxNestedCommands {
		return
	}
	f.seen["make "+file] = true
	f.judged[file] = true
	switch {
	case strings.HasPrefix(strings.ToLower(path.Base(file)), "taskfile"):
		text = taskRules(text)
	case strings.Contains(strings.ToLower(path.Base(file)), "just") || f.just:
		text = justRules(text)
	default:
		text = makeItself.Replace(madeAs(text, f.makeRun(text, dir)))
	}
	for _, line := range computedByMake(text) {
		f.script(file, line, dir)
	}
	for _, line := range recipesOf(text, targets) {
		f.script(file, line, dir)
	}
	for line := range strings.Lines(text) {
		rest, ok := cutPrefix(strings.TrimLeft(strings.TrimSpace(line), "-s"), "include ")
		if other, imports := cutPrefix(line, "import"); imports && f.just { // just's manual, imports
			rest, ok = unquoted(strings.TrimSpace(strings.TrimLeft(other, "? "))), true
		}
		if !ok {
			continue
		}
		for _, w := range strings.Fields(rest) {
			if strings.ContainsAny(w, "*?[$") {
				f.allRecipes(dir)
				continue
			}
			f.makefile(f.c.places.Resolve(dir, w), dir, targets, depth+1)
		}
	}
}

// makeRun is what a run of make brings to a makefile.
func (f *follower) makeRun(text, dir string) makeRun {
	run := makeRun{environment: f.environment, set: f.makeSets, included: f.included(text, dir)}
	if f.c.names != nil {
		run.entries = func(d string) []string { return f.entries(f.c.places.Resolve(dir, d)) }
	}
	return run
}

// included are the texts of the makefiles that one includes by their names, for their variables.
func (f *follower) included(text, dir string) []string {
	var out []string
	for _, m := range makeIncludes.FindAllStringSubmatch(text, -1) {
		for _, w := range strings.Fields(m[1]) {
			if other, ok := f.text(f.c.places.Resolve(dir, w)); ok && len(out) < maxNestedCommands && len(other) <= maxPlain {
				out = append(out, other)
			}
		}
	}
	return out
}

// makeItself puts make where a recipe names it by its variable (GNU make's manual, MAKE).
var makeItself = strings.NewReplacer("$(MAKE)", "make", "${MAKE}", "make")

// allRecipes adds the unvetted makefiles below a directory.
func (f *follower) allRecipes(dir string) {
	f.below(dir, func(name string) bool { return f.bad[name] && shell.Loaded(name) == shell.Recipes })
}

// recipesOf are the lines of the rules that targets lead to; without a target, of the first
// one. A rule with a pattern or a computed name counts for every target.
func recipesOf(text string, targets []string) []string {
	type rule struct{ names, needs, lines []string }
	var rules []rule
	for line := range strings.Lines(text) {
		if line[0] == '\t' && len(rules) > 0 {
			r := &rules[len(rules)-1]
			r.lines = append(r.lines, strings.TrimLeft(strings.TrimSpace(line), "@-+"))
			continue
		}
		names, needs, ok := cutAt(line, ":")
		if !ok || strings.HasPrefix(needs, "=") || strings.HasPrefix(strings.TrimSpace(line), "#") || strings.Contains(names, "=") {
			continue
		}
		rules = append(rules, rule{names: strings.Fields(names), needs: strings.Fields(strings.TrimLeft(needs, ":"))})
	}
	if len(targets) == 0 {
		for _, r := range rules {
			if len(r.names) > 0 && r.names[0][0] != '.' {
				targets = r.names[:1]
				break
			}
		}
	}
	wanted := slices.Clone(targets)
	var out []string
	done := make([]bool, len(rules))
	for again := true; again; {
		again = false
		for i, r := range rules {
			any := slices.ContainsFunc(r.names, func(n string) bool { return isAmong(wanted, n) || strings.ContainsAny(n, "%$") })
			if done[i] || !any {
				continue
			}
			done[i], again = true, true
			wanted = append(wanted, r.needs...)
			out = append(out, r.lines...)
		}
	}
	return out
}
