package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file judges deno run and deno eval: a script of the workspace, or code. A package or an
// address is code from elsewhere. What the options grant is no more than what Node.js gives each
// script unasked (deno run --help=full and deno eval --help=full, 2.9.6).

// denoFlags are long options of both that take no value, or one behind an equals sign, and grant
// something to the script, check it, or say what is done without. Sorted.
const denoFlags = "allow-all allow-env allow-ffi allow-net allow-read allow-run allow-sys allow-write cached-only check env-file frozen frozen-lockfile ignore-env ignore-read no-check " +
	"no-clear-screen no-code-cache no-config no-lock no-npm no-prompt no-remote node-modules-dir print quiet vendor watch watch-exclude watch-hmr"

// denoValued are those that take a value, which only says how the script is read. Sorted.
var denoValued = []string{"conditions", "ext", "location", "log-level", "node-modules-linker", "seed"}

// denoRun judges both: their options, then the script or the code.
func (m *machine) denoRun(name string, args []string, in data, want bool) data {
	for i := 0; i < len(args); i++ {
		a := args[i]
		option, value, has := cutAt(trimPrefix(a, "--"), "=")
		switch {
		case a == "--help":
			m.spawn(effect.OpRun, "deno")
			return unknown
		case a == "-" && name == "deno run":
			return m.interpretStdin("node", in, want)
		case a == "--env-file" || strings.HasPrefix(a, "--env-file="):
			if has {
				m.envFile(name+" --"+option, value)
			}
		case denoPlain(a):
		case strings.HasPrefix(a, "--inspect") && option != "inspect-publish-uid":
			m.nodeInspect(value)
		case strings.HasPrefix(a, "--") && i+1 < len(args) && (option == "config" || option == "import-map"), a == "-c" && i+1 < len(args):
			if !has {
				i++
				value = args[i]
			}
			m.settings(value)
		case strings.HasPrefix(a, "--") && isAmong(denoValued, option), a == "-L":
			if !has {
				i++
			}
		case strings.HasPrefix(a, "-") || mark.Has(a) && name == "deno run":
			m.escape(name + " " + a)
			return unknown
		case name == "deno eval":
			return m.code("node", a, in, want)
		case firstByte(a, ':') >= 0:
			m.elsewhere(name, a)
			return unknown
		default:
			return m.interpretScript("node", a, args[i+1:], in, want)
		}
	}
	m.escape(name)
	return unknown
}

// denoPlain says whether an option grants or checks something and loads nothing: by its long
// name, or as letters for all, environment, network, reading, systems and writing.
func denoPlain(a string) bool {
	long, ok := cutPrefix(a, "--")
	name, value, _ := cutAt(long, "=")
	if ok {
		return !mark.Has(value) && (mark.Among(denoFlags, name) || strings.HasPrefix(name, "deny-") || strings.HasPrefix(name, "unstable-"))
	}
	letters, _, _ := cutAt(a, "=")
	return len(letters) > 1 && letters[0] == '-' && strings.Trim(letters[1:], "AENRSWpq") == ""
}
