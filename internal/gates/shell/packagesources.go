package shell

import (
	"net/url"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file judges where packages and programs come from that a line fetches and
// runs: a place of their own has code of its own.

// remoteOperand judges an operand of a tool that takes addresses as modules to
// run or to check (deno, bun), or whose unlisted options take one as the place
// that packages come from (uv, npm ci).
func (r *toolRun) remoteOperand(word string) {
	if r.t.has(traitTakesAddresses) && strings.Contains(word, "://") && !officialSource(word) {
		r.m.escape(r.t.name + " " + word)
	}
}

// sourceOptions are long options that name the place packages come from, in the
// manuals of npm, pnpm, yarn, pip, uv, pipx and cargo. Sorted.
var sourceOptions = []string{"default-index", "extra-index-url", "find-links", "index", "index-url", "registry"}

func (r *toolRun) sourceOption(name, value string) {
	if searchNames(sourceOptions, name) && strings.Contains(value, "://") && !officialSource(value) {
		r.m.escape(r.t.name + " --" + name + " " + value)
	}
}

// officialSource says whether all of a setting's addresses are those that the
// package managers have without it. A list is separated as GOPROXY's is.
func officialSource(value string) bool {
	for _, v := range strings.FieldsFunc(value, func(c rune) bool { return c == ',' || c == '|' || c == ' ' }) {
		if !strings.Contains(v, "://") {
			continue
		}
		u, err := url.Parse(v)
		if err != nil || u.Scheme != "https" || u.User != nil {
			return false
		}
		switch u.Host {
		case "registry.npmjs.org", "registry.yarnpkg.com", "pypi.org", "download.pytorch.org", "proxy.golang.org", "index.crates.io", "static.rust-lang.org", "rubygems.org", "repo.hex.pm":
		default:
			return false
		}
	}
	return true
}

// sourceFamilies are the beginnings of the variables by which package managers
// take their settings, in lower case: pip, uv, npm, yarn, pnpm, cargo, rustup,
// bundler, hex and go, from the chapters on the environment of their manuals.
var sourceFamilies = [...]string{"bundle_", "cargo_", "goproxy", "gosumdb", "hex_", "npm_config_", "pip_", "pnpm_config_", "rustup_", "uv_", "yarn_"}

// sourceVar judges a variable that says where packages come from, or where the
// settings that say so are.
func (m *machine) sourceVar(name, value string) bool {
	low := strings.ToLower(name)
	switch low {
	case "npm_config_node_options":
		if !tameNodeOptions(value) {
			m.escape(name + "=" + value)
		}
		return true
	case "npm_config_git", "npm_config_shell", "npm_config_editor", "npm_config_viewer":
		m.programVar(name, value)
		return true
	case "npm_config_userconfig", "npm_config_globalconfig", "pip_config_file", "uv_config_file", "yarn_rc_filename", "bundle_config", "goenv":
		if value != "" && value != "off" {
			m.settings(value)
		}
		return true
	}
	if strings.HasPrefix(name, "CARGO_ALIAS_") {
		m.escape(name + "=" + value)
		return true
	}
	for _, f := range sourceFamilies {
		if strings.HasPrefix(low, f) {
			if !strings.Contains(value, "://") {
				return false
			}
			if !officialSource(value) {
				m.escape(name + "=" + value)
			}
			return true
		}
	}
	return false
}

// programVars are variables whose value a builder runs as a program (make's
// implicit variables, autoconf, cargo, go help environment). Sorted.
const programVars = "AS CARGO CPP CXXCPP F77 FC GOAUTH GOCACHEPROG LD LEX NM OBJC OBJCOPY OBJDUMP PKG_CONFIG RANLIB RUSTC_WORKSPACE_WRAPPER RUSTDOC STRIP YACC"

// programVar judges a setting that names a program. One without a slash is
// looked for among those that are installed.
func (m *machine) programVar(name, value string) {
	for _, word := range strings.FieldsFunc(value, func(c rune) bool { return c == ';' || c == ' ' }) {
		if namesShell(word) {
			m.escape(name + "=" + value)
			return
		}
		if firstByte(word, '/') >= 0 && word[0] != '-' && word[0] != mark.Caller {
			m.program(name, word)
		}
	}
}

func (m *machine) program(name, path string) {
	full := m.p.Resolve(m.cwd, path)
	_, own := m.written(full)
	if z, _, _ := m.p.Where(full); own || z == effect.ZoneTemp || z == effect.ZoneHome || z == effect.ZoneStream {
		m.escape(name + "=" + path)
	}
}

// compilerFlags are variables with flags for a compiler or linker (make's
// implicit variables, go help environment). Sorted.
var compilerFlags = []string{"CFLAGS", "CGO_CFLAGS", "CGO_CPPFLAGS", "CGO_CXXFLAGS", "CGO_LDFLAGS", "CPPFLAGS", "CXXFLAGS", "FFLAGS", "LDFLAGS"}

// loadsCode says whether flags of a compiler name a program or code that it
// loads (gcc(1): -fplugin, -wrapper, -specs).
func loadsCode(flags string) bool {
	return strings.Contains(flags, "-fplugin") || strings.Contains(flags, "-wrapper") || strings.Contains(flags, "-specs") || strings.Contains(flags, "-load")
}
