package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about long options of interpreters that run no code by themselves:
// where files are written, and settings are loaded from.

// nodeWrites are options of node whose value is a file or a directory that is written
// (node --help, 20.20; the documentation of Node.js 24, "Command-line API"; logfile and
// perf-prof-path are of the JavaScript engine and Linux). Sorted.
var nodeWrites = []string{
	"cpu-prof-dir", "cpu-prof-name", "diagnostic-dir", "heap-prof-dir", "heap-prof-name", "localstorage-file", "logfile", "perf-prof-path", "redirect-warnings", "report-dir", "report-directory", "report-filename",
	"test-reporter-destination", "tls-keylog", "trace-event-file-pattern",
}

// nodeValued are other options of node that take a value, which may be the next word
// (node --help, 20.20). Sorted.
var nodeValued = []string{
	"allow-fs-read", "allow-fs-write", "build-snapshot-config", "conditions", "cpu-prof-interval", "disable-proto", "disable-warning", "dns-result-order", "env-file-if-exists", "experimental-config-file",
	"experimental-default-type", "experimental-policy", "experimental-sea-config", "heap-prof-interval", "heapsnapshot-near-heap-limit", "heapsnapshot-signal", "icu-data-dir", "input-type", "max-http-header-size",
	"openssl-config", "policy-integrity", "report-signal", "secure-heap", "secure-heap-min", "snapshot-blob", "test-concurrency", "test-global-setup", "test-name-pattern", "test-reporter", "test-shard",
	"test-timeout", "title", "tls-cipher-list", "trace-event-categories", "unhandled-rejections", "watch-path",
}

// nodeOption judges an option of node that is none of code, and returns how many of the
// next words are its value. The JavaScript engine's options are not listed: a path
// outside the workspace tells.
func (r *inline) nodeOption(name, value string, has bool, next []string) (used int) {
	writes := searchNames(nodeWrites, name)
	if !has && len(next) > 0 && (writes || searchNames(nodeValued, name)) {
		value, used = next[0], 1
	}
	switch {
	case value == "" || value == "stdout" || value == "stderr":
	case writes:
		r.m.write(value, effect.OpCreate)
	case !reachesOut(value):
	case name != "test-reporter" && writesTo(name):
		r.m.write(value, effect.OpCreate)
	default:
		r.m.settings(value)
	}
	return used
}

// ipythonOptions judges the options that set what IPython's configuration may hold:
// --Class.trait=VALUE sets any of it, lines to run and extensions to load among them,
// and the short names those that follow (ipython --help-all).
func (m *machine) ipythonOptions(args []string) {
	for _, a := range args {
		body, ok := strings.CutPrefix(a, "--")
		if !ok {
			continue
		}
		name, value, _ := strings.Cut(body, "=")
		switch name {
		case "config", "profile-dir", "ipython-dir", "ext", "c", "m":
			m.escape("ipython " + a)
		case "logfile", "logappend":
			m.write(value, effect.OpModify)
		default:
			if strings.Contains(name, ".") {
				m.escape("ipython " + a)
			}
		}
	}
}
