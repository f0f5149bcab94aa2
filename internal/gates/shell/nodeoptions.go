package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about long options of Node.js: what they load, where they write, and who may
// watch the program with them (node --help, 20.20; the documentation of Node.js 24,
// "Command-line API").

// nodeWrites are options of node whose value is a file or a directory that is written
// (node --help, 20.20; the documentation of Node.js 24, "Command-line API"; logfile and
// perf-prof-path are of the JavaScript engine and Linux). Sorted.
const nodeWrites = "cpu-prof-dir cpu-prof-name diagnostic-dir heap-prof-dir heap-prof-name localstorage-file logfile perf-prof-path redirect-warnings report-dir report-directory report-filename " +
	"test-reporter-destination tls-keylog trace-event-file-pattern"

// nodeValued are other options of node that take a value, which may be the next word
// (node --help, 20.20). Sorted.
const nodeValued = "allow-fs-read allow-fs-write build-snapshot-config conditions cpu-prof-interval disable-proto disable-warning dns-result-order experimental-config-file " +
	"experimental-default-type experimental-policy experimental-sea-config heap-prof-interval heapsnapshot-near-heap-limit heapsnapshot-signal icu-data-dir input-type " +
	"max-http-header-size openssl-config policy-integrity report-signal secure-heap secure-heap-min test-concurrency test-name-pattern test-shard test-timeout title " +
	"tls-cipher-list trace-event-categories unhandled-rejections watch-path"

// nodeLoads are the options of node that load a module before the program: a file, or a
// package that is installed. The first two are the same. Sorted.
var nodeLoads = []string{"experimental-loader", "import", "loader", "require", "test-global-setup", "test-reporter"}

// nodeReporters are the reporters that node --test brings with it (the documentation of
// Node.js 24, "Test reporters").
const nodeReporters = " dot junit lcov spec tap "

// nodeOption judges a long option of node that is none of code, and returns how many of the
// next words are its value. The JavaScript engine's options are not listed: a path
// outside the workspace tells.
func (r *inline) nodeOption(name, value string, has bool, next []string) (used int) {
	loads, writes := searchNames(nodeLoads, name), mark.Among(nodeWrites, name)
	if !has && len(next) > 0 && (loads || writes || nodeSteers(name) || name == "inspect-port" || name == "debug-port" || mark.Among(nodeValued, name)) {
		value, used = next[0], 1
	}
	switch {
	case name == "test":
		r.m.build()
		r.coded, r.tests = true, true
	case name == "experimental-network-imports":
		r.m.escape("node --" + name)
	case strings.HasPrefix(name, "inspect") && name != "inspect-publish-uid" || name == "debug-port":
		r.m.nodeInspect(value)
	case value == "" || value == "stdout" || value == "stderr":
	case name == "test-reporter" && strings.Contains(nodeReporters, " "+value+" "):
	case loads:
		r.m.nodeLoad(value)
	case nodeSteers(name):
		r.m.envFile("node --"+name, value)
	case writes:
		r.m.write(value, effect.OpCreate)
	case !reachesOut(value):
	case writesTo(name):
		r.m.write(value, effect.OpCreate)
	default:
		r.m.settings(value)
	}
	return used
}

// nodeSteers says whether an option's value is a file that steers the program.
func nodeSteers(name string) bool {
	switch name {
	case "env-file", "env-file-if-exists", "experimental-config-file", "openssl-config", "snapshot-blob":
		return true
	}
	return false
}

// envFile judges a file whose variables a program hands to what it starts and does not show,
// or that names what is loaded: it may set the runtime's own (NODE_OPTIONS). One of the
// project's own passes; of one that the session wrote, what it sets is judged.
func (m *machine) envFile(program, word string) {
	full := m.p.Resolve(m.cwd, word)
	z, _, _ := m.p.Where(full)
	_, own := m.written(full)
	if own || z != effect.ZoneWorkspace {
		m.escape(program + " with variables of " + word)
		return
	}
	m.madeLoaded(word)
	m.madeSettings(full)
}

// nodeLoad judges a module that node loads before the program: a file of the workspace runs
// as the program does, and so does a package that is installed for it. Node fetches neither.
func (m *machine) nodeLoad(word string) {
	pkg, ok := nodePackage(word)
	if !ok || languageByName(word) != "" {
		was := m.prog
		m.prog = "node"
		m.script(word)
		m.prog = was
	}
	if !ok {
		return
	}
	full, ok := m.above("node_modules/" + pkg + "/package.json")
	if full = trimSuffix(full, "/package.json"); !ok {
		full = m.p.Resolve(m.cwd, "node_modules/"+pkg)
	}
	z, _, _ := m.p.Where(full)
	m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: z, Resource: show(full)})
}

// nodePackage is the package that a bare name of a module begins with: name/part or
// @scope/name/part (the documentation of Node.js, "Modules: Packages").
func nodePackage(word string) (pkg string, ok bool) {
	parts := strings.Split(trimPrefix(word, "@"), "/")
	for _, p := range parts {
		if !plainTask(p) || strings.Contains(p, ":") {
			return "", false
		}
	}
	n := 1
	if strings.HasPrefix(word, "@") {
		n = 2
	}
	if len(parts) < n {
		return "", false
	}
	return strings.Join(strings.Split(word, "/")[:n], "/"), true
}

// nodeInspect judges the address at which node lets a debugger in: one of this machine,
// which is what it takes unasked, or one that others reach.
func (m *machine) nodeInspect(addr string) {
	if port := strings.Trim(addr, "0123456789") == ""; !port && !onlyHere(addr) {
		m.record(effect.Effect{Kind: effect.Network, Op: effect.OpListen, Resource: show(addr)})
	}
}

// testFiles judges an operand of node --test: a file, or a pattern of files, in braces, too
// (the documentation of Node.js 24, "Test runner").
func (r *inline) testFiles(word string) {
	was := r.m.prog
	r.m.prog = "node"
	for _, part := range strings.FieldsFunc(word, func(c rune) bool { return c == '{' || c == '}' || c == ',' }) {
		if part != word && reachesOut(part) {
			r.m.script(part)
		}
	}
	r.m.script(word)
	r.m.prog = was
}
