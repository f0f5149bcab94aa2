package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// call runs a simple command.
func (m *machine) call(c *syntax.CallExpr, in data, want bool) data {
	start := len(m.scratch)
	for _, w := range c.Args {
		m.scratch = m.fields(m.scratch, w)
	}
	argv := m.scratch[start:len(m.scratch):len(m.scratch)]
	k := len(m.vars)
	exporting := m.exporting
	m.exporting = exporting || len(argv) > 0
	for _, a := range c.Assigns {
		m.assignment(a, false)
		if len(argv) > 0 && len(m.vars) > 0 && namesShell(m.vars[len(m.vars)-1].value) {
			m.escape(a.Name.Value + "=" + m.vars[len(m.vars)-1].value)
		}
	}
	m.exporting = exporting
	var out data
	if len(argv) > 0 {
		out = m.run(argv, in, want)
		if len(c.Assigns) > 0 && k <= len(m.vars) {
			ifs := m.ifs
			m.vars = m.vars[:k]
			if b, ok := m.lookup("IFS"); ok {
				ifs = b.value
			} else if ifs != " \t\n" {
				ifs = " \t\n"
			}
			m.ifs = ifs
		}
	}
	m.scratch = m.scratch[:start]
	return out
}

// run runs an argument vector: a function, an alias, a builtin, a program.
func (m *machine) run(argv []string, in data, want bool) data {
	if len(argv) == 0 || !m.step() || !m.enter() {
		return unknown
	}
	prog, parent, words, input := m.prog, m.parent, m.argv, m.in
	m.parent, m.argv, m.in = prog, argv, in
	out := m.runInner(argv, in, want)
	m.prog, m.parent, m.argv, m.in = prog, parent, words, input
	m.depth--
	return out
}

func (m *machine) runInner(argv []string, in data, want bool) data {
	name := argv[0]
	if mark.Has(name) {
		m.opaque(effect.OpComputed, "computed program name: "+name)
		return unknown
	}
	if name == "" {
		return data{}
	}
	if len(m.funcs) > 0 {
		if out, ok := m.callFunc(name, argv[1:], in, want); ok {
			return out
		}
	}
	if len(m.aliases) > 0 {
		if out, ok := m.callAlias(name, argv[1:], in, want); ok {
			return out
		}
	}
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		full := m.p.Resolve(m.cwd, name)
		if !standardDir(full) {
			return m.runFile(full, argv, in, want)
		}
		if f, ok := m.written(full); ok {
			return m.runWritten(f, full, in, want)
		}
		name = full[strings.LastIndexByte(full, '/')+1:]
	} else if m.paths && m.wroteAny(name) {
		m.escape("a program of this line's own making: " + name)
	}
	m.prog = name
	if out, ok := m.dispatch(name, argv, in, want); ok {
		return out
	}
	if t := lookupTool(name); t != nil {
		return m.tool(t, argv, in, want)
	}
	m.spawn(effect.OpRunUnknown, name)
	return unknown
}

// standardDir says whether a path lies directly in a directory of installed
// programs.
func standardDir(full string) bool {
	switch full[:strings.LastIndexByte(full, '/')+1] {
	case "/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/", "/opt/homebrew/bin/":
		return true
	}
	return false
}

func (m *machine) callFunc(name string, args []string, in data, want bool) (data, bool) {
	for i := len(m.funcs) - 1; i >= 0; i-- {
		if m.funcs[i].name != name {
			continue
		}
		m.funcs[i].used = true
		body := m.funcs[i].body
		oldArgs, oldHas := m.args, m.hasArgs
		m.args, m.hasArgs = append([]string(nil), args...), true
		out := m.stmt(body, in, want)
		m.args, m.hasArgs = oldArgs, oldHas
		return out, true
	}
	return data{}, false
}

func (m *machine) callAlias(name string, args []string, in data, want bool) (data, bool) {
	for i := len(m.aliases) - 1; i >= 0; i-- {
		a := m.aliases[i]
		if a.name != name {
			continue
		}
		words := strings.Fields(a.value)
		if strings.ContainsAny(a.value, "'\"\\$`;|&<>()") || len(words) == 0 || words[0] == name {
			if len(words) > 0 && words[0] == name && !strings.ContainsAny(a.value, "'\"\\$`;|&<>()") {
				return data{}, false
			}
			return m.sourceOut(a.value, in, want), true
		}
		return m.run(append(words, args...), in, want), true
	}
	return data{}, false
}

// runFile runs a file as a program: one that the line wrote by its contents,
// any other by where it lies.
func (m *machine) runFile(full string, argv []string, in data, want bool) data {
	if f, ok := m.written(full); ok {
		return m.runWritten(f, full, in, want)
	}
	base := full[strings.LastIndexByte(full, '/')+1:]
	m.prog = base
	z, _, _ := m.p.Where(full)
	if z == effect.ZoneWorkspace || z == effect.ZonePublic {
		switch dir := full[:len(full)-len(base)]; {
		case strings.HasSuffix(dir, "/bin/") || strings.HasSuffix(dir, "/.bin/") || strings.HasSuffix(dir, "/Scripts/"):
			if out, ok := m.dispatch(base, argv, in, want); ok {
				return out
			}
			if t := lookupTool(base); t != nil {
				return m.tool(t, argv, in, want)
			}
		case base == "gradlew" || base == "mvnw":
			if t := lookupTool(base); t != nil {
				return m.tool(t, argv, in, want)
			}
		}
	}
	m.console(base, argv[1:])
	if base == "configure" {
		for _, a := range argv[1:] {
			if name, value, ok := strings.Cut(a, "="); ok && name != "" && name[0] != '-' {
				m.exported(name, value)
			}
		}
	}
	m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: z, Resource: show(full), Program: base})
	return unknown
}

func (m *machine) runWritten(f file, full string, in data, want bool) data {
	m.prog = full[strings.LastIndexByte(full, '/')+1:]
	if f.built && m.allBuilt() {
		z, _, _ := m.p.Where(full)
		m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: z, Resource: show(full), Program: m.prog})
		return unknown
	}
	if !f.known || f.net {
		m.record(effect.Effect{Kind: effect.Opaque, Op: effect.OpComputed, Resource: "a file this line wrote and runs: " + show(full)})
		return unknown
	}
	if lang := shebang(f.text); lang != "" {
		return m.code(lang, f.text, in, want)
	}
	return m.sourceOut(f.text, in, want)
}

// shebang returns the interpreter a script names, or "".
func shebang(text string) string {
	line, ok := strings.CutPrefix(text, "#!")
	if !ok {
		return ""
	}
	line, _, _ = strings.Cut(line, "\n")
	words := strings.Fields(line)
	for i, w := range words {
		base := w[strings.LastIndexByte(w, '/')+1:]
		if base == "env" || i > 0 && strings.HasPrefix(w, "-") {
			continue
		}
		return base
	}
	return ""
}

// envCommands are environment variables whose value a well-known program runs
// as a command (environ sections of their manuals). Sorted.
var envCommands = [...]string{
	"BROWSER", "EDITOR", "FCEDIT", "GIT_ASKPASS", "GIT_EDITOR", "GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_PROXY_COMMAND",
	"GIT_SEQUENCE_EDITOR", "GIT_SSH", "GIT_SSH_COMMAND", "LESSCLOSE", "LESSOPEN", "MANPAGER", "PAGER", "PROMPT_COMMAND",
	"RSYNC_RSH", "SHELL", "SSH_ASKPASS", "SUDO_ASKPASS", "SUDO_EDITOR", "SYSTEMD_EDITOR", "SYSTEMD_PAGER", "TAR_OPTIONS", "VISUAL", "XDG_CONFIG_HOME",
}

// envLoads are variables that make programs load code, options or settings
// from elsewhere (ld.so(8) and the manuals of the interpreters). Sorted.
var envLoads = [...]string{
	"ACKRC", "BASH_ENV", "BASH_FUNC_x%%", "BAT_CONFIG_PATH", "BAT_PAGER", "BUNDLE_GEMFILE", "CARGO_HOME", "CLASSPATH",
	"COR_PROFILER_PATH", "CVS_RSH", "DELTA_PAGER", "DOCKER_CONFIG", "DOCKER_CONTEXT", "DOCKER_HOST",
	"DOTNET_STARTUP_HOOKS", "DYLD_INSERT_LIBRARIES", "DYLD_LIBRARY_PATH", "ELECTRON_RUN_AS_NODE", "ENV", "FACTERLIB",
	"GCONV_PATH", "GEM_HOME", "GEM_PATH", "GIO_EXTRA_MODULES", "GIT_CONFIG", "GIT_CONFIG_COUNT", "GIT_CONFIG_GLOBAL",
	"GIT_CONFIG_PARAMETERS", "GIT_CONFIG_SYSTEM", "GIT_DIR", "GIT_EXEC_PATH", "GIT_TEMPLATE_DIR", "GNUMAKEFLAGS",
	"GOFLAGS", "GRADLE_OPTS", "GREP_OPTIONS", "GROFF_BIN_PATH", "GROFF_COMMAND_PREFIX", "GTK_MODULES", "HELM_PLUGINS",
	"HGEDITOR", "HGRCPATH", "INPUTRC", "JAVA_OPTS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "JULIA_LOAD_PATH",
	"KUBECONFIG", "KUBECTL_EXTERNAL_DIFF", "KUBE_EDITOR", "LD_AUDIT", "LD_LIBRARY_PATH", "LD_PRELOAD", "LESS",
	"LESSKEY", "LESSKEYIN", "LESS_TERMCAP_mb", "LUA_CPATH", "LUA_INIT", "LUA_PATH", "MAILER", "MAKEFILES", "MAKEFLAGS",
	"MANROFFOPT", "MAVEN_OPTS", "MORE", "NODE_OPTIONS", "NODE_PATH", "NPM_CONFIG_SCRIPT_SHELL", "OPENER",
	"OPENSSL_CONF", "PERL5DB", "PERL5LIB", "PERL5OPT", "PERLLIB", "PHP_INI_SCAN_DIR", "PS1", "PS4", "PYTEST_ADDOPTS",
	"PYTEST_PLUGINS", "PYTHONBREAKPOINT", "PYTHONHOME", "PYTHONINSPECT", "PYTHONPATH", "PYTHONSTARTUP",
	"PYTHONWARNINGS", "QT_PLUGIN_PATH", "RIPGREP_CONFIG_PATH", "RUBYLIB", "RUBYOPT", "RUSTC", "RUSTC_WRAPPER",
	"RUSTFLAGS", "R_PROFILE", "SBT_OPTS", "SVN_EDITOR", "SVN_SSH", "TAPE", "TCLLIBPATH", "TERMINFO",
	"TF_CLI_CONFIG_FILE", "UNZIP", "VIMINIT", "ZDOTDIR", "ZIPOPT", "_JAVA_OPTIONS", "npm_config_script_shell",
}

// environment judges the setting of a variable that programs act on. known is
// false for one that no list has.
func (m *machine) environment(name, value string) (known bool) {
	if searchNames(envLoads[:], name) {
		m.loadVar(name, value)
		return true
	}
	if m.loaderVar(name, value) || m.sourceVar(name, value) {
		return true
	}
	if proxyVar(name) && value != "" {
		m.url(effect.OpConnect, value, "")
		return true
	}
	if searchNames(envCommands[:], name) && value != "" {
		m.envCommand(name, value)
		return true
	}
	if name == "PATH" {
		m.searchPath(value)
		return true
	}
	return false
}

func (m *machine) envCommand(name, value string) {
	if name == "SHELL" || name == "XDG_CONFIG_HOME" || name == "TAR_OPTIONS" {
		if value != "/bin/bash" && value != "/bin/sh" {
			m.escape(name + "=" + value)
		}
		return
	}
	base := value[strings.LastIndexByte(value, '/')+1:]
	switch base {
	case "cat", "less", "more", "true", "false", "echo", ":", "less -R", "less -FRX", "vim", "vi", "nano", "code --wait":
		return
	}
	m.source(strings.TrimPrefix(value, "|"), unknown)
	m.escape(name + "=" + value)
}

// loadVar judges variables by what a harmless value looks like: flags that
// load nothing, or directories of the workspace that this line did not write.
func (m *machine) loadVar(name, value string) {
	switch name {
	case "PS1", "PS4":
		if !strings.Contains(value, "$(") && !strings.Contains(value, "`") && !mark.Has(value) {
			return
		}
	case "NODE_OPTIONS":
		if tameNodeOptions(value) {
			return
		}
	case "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM":
		if value == "/dev/null" || value == "" {
			return
		}
	case "RUSTC_WRAPPER":
		if value != "" && value != "sccache" && value != "ccache" {
			m.source(value, unknown)
		}
		return
	case "PYTHONWARNINGS", "MAKEFLAGS", "GOFLAGS", "RUSTFLAGS", "JAVA_TOOL_OPTIONS", "JAVA_OPTS", "MAVEN_OPTS", "GRADLE_OPTS", "SBT_OPTS", "PYTEST_ADDOPTS", "LESS", "GREP_OPTIONS", "UNZIP", "ZIPOPT":
		if harmlessFlags(value) {
			return
		}
	case "LD_LIBRARY_PATH", "PYTHONPATH", "NODE_PATH", "CLASSPATH", "PERL5LIB", "RUBYLIB", "GEM_HOME", "GEM_PATH", "GIT_DIR", "BUNDLE_GEMFILE", "CARGO_HOME":
		if m.workspacePaths(value) {
			return
		}
	}
	m.escape(name + "=" + value)
}

// flagWords are parts of option strings that load or run something.
var flagWords = [...]string{"-r", "require", "import", "loader", "inspect", "agent", "OnError", "OnOut", "exec", "linker", "wrapper", "runner", "-p ", "plugin", "eval", "!", "`", "$(", ".", "+", "SHELL", "-f", "-o", "modfile", "mod=mod", "overlay"}

func harmlessFlags(value string) bool {
	if strings.IndexByte(value, mark.Unknown) >= 0 {
		return false
	}
	for _, w := range flagWords {
		if strings.Contains(value, w) {
			return false
		}
	}
	return true
}

func (m *machine) workspacePaths(value string) bool {
	if len(m.files) > 0 {
		return false
	}
	for _, p := range strings.Split(value, ":") {
		if p == "" || p == string(rune(mark.Caller)) {
			continue
		}
		if z, _, _ := m.p.Where(m.p.Resolve(m.cwd, p)); z != effect.ZoneWorkspace && z != effect.ZonePublic {
			return false
		}
	}
	return true
}

// loaderVar judges whole families of variables: those of the dynamic linker,
// of git, and any variable that names a shell, since a program may run it.
func (m *machine) loaderVar(name, value string) bool {
	switch {
	case strings.HasPrefix(name, "LD_"), strings.HasPrefix(name, "TF_CLI_ARGS"), strings.HasPrefix(name, "DYLD_"), strings.HasPrefix(name, "BASH_FUNC_"), strings.HasPrefix(name, "CARGO_TARGET_"), strings.HasPrefix(name, "CARGO_BUILD_RUST"):
		m.escape(name + "=" + value)
		return true
	case strings.HasPrefix(name, "GIT_TRACE"):
		if value != "1" && value != "0" && value != "2" && value != "true" {
			m.write(value, effect.OpModify)
		}
		return true
	case name == "HISTFILE" || name == "HISTSIZE" && value == "0" || name == "HISTFILESIZE" && value == "0":
		m.wipeHistory()
		return true
	case name == "CC" || name == "CXX" || name == "AR" || name == "HOSTCC" || name == "LINKER" || name == "PYTHON" || name == "NODE":
		m.source(value, unknown)
		return true
	case searchNames(programVars, name):
		m.programVar(name, value)
		return true
	case searchNames(compilerFlags, name) && loadsCode(value), strings.HasPrefix(name, "CARGO_ENCODED_RUST") && !harmlessFlags(value):
		m.escape(name + "=" + value)
		return true
	case strings.HasPrefix(name, "CMAKE_"):
		m.cmakeSetting(name + "=" + value)
		return true
	}
	return false
}

// searchPath judges a new PATH: a first directory that anybody may write to or
// that is relative decides which program a name means.
func (m *machine) searchPath(value string) {
	m.paths = true
	first, _, _ := strings.Cut(value, ":")
	if first == "" || first[0] != '/' && first[0] > mark.Inside {
		first = m.p.Resolve(m.cwd, first)
	}
	if z, _, _ := m.p.Where(first); z == effect.ZoneTemp || strings.IndexByte(value, mark.Unknown) >= 0 || value == "" {
		m.escape("PATH=" + value)
	}
}

func searchNames(sorted []string, s string) bool {
	_, ok := slices.BinarySearch(sorted, s)
	return ok
}

// proxyVar says whether a variable names a proxy for connections (curl(1),
// environment): then a request to the host itself goes elsewhere.
func proxyVar(name string) bool {
	switch strings.ToLower(name) {
	case "all_proxy", "ftp_proxy", "http_proxy", "https_proxy":
		return true
	}
	return false
}
