package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about variables that are known by name to load or to run something,
// or to say what a program trusts.

// envCommands are environment variables whose value a well-known program runs
// as a command. Opened: git(1), bash(1), less(1), man(1), rsync(1), sudo(8) and
// systemd(1) of Debian trixie. Common knowledge without a source:
// GIT_PROXY_COMMAND, SSH_ASKPASS, SYSTEMD_EDITOR and TAR_OPTIONS. Sorted.
const envCommands = "BROWSER EDITOR FCEDIT GIT_ASKPASS GIT_EDITOR GIT_EXTERNAL_DIFF GIT_PAGER GIT_PROXY_COMMAND GIT_SEQUENCE_EDITOR GIT_SSH GIT_SSH_COMMAND LESSCLOSE LESSOPEN MANPAGER PAGER " +
	"PROMPT_COMMAND RSYNC_RSH SHELL SSH_ASKPASS SUDO_ASKPASS SUDO_EDITOR SYSTEMD_EDITOR SYSTEMD_PAGER TAR_OPTIONS VISUAL XDG_CONFIG_HOME"

// envLoads are variables that make programs load code, options or settings
// from elsewhere. Opened, of Debian trixie: bash(1), bc(1), cpan(1), e2fsck(8),
// elixirc(1), git(1), gitweb.conf(5), gpgv(1), groff(1), ld.so(8), less(1), man(1),
// mke2fs(8), pg_wrapper(1), python3.13(1), ruby3.3(1), systemd(1). They name the
// variables of their programs; the others are common knowledge without a source
// (compilers, Java, Julia, Node, OpenSSL, Perl's libraries, R, uv and more). Those of Windows and .NET are from
// Microsoft's documentation; names have no case there, so they are here as it writes them and in capitals. Sorted.
const envLoads = "ACKRC BASHOPTS BASH_ENV BASH_FUNC_x%% BASH_LOADABLES_PATH BASH_XTRACEFD BAT_CONFIG_PATH BAT_PAGER BC_ENV_ARGS BUNDLE_GEMFILE CARGO_HOME CCC_OVERRIDE_OPTIONS CDPATH " +
	"CLASSPATH COMPILER_PATH COMPOSER COMPOSER_HOME COMPOSE_ENV_FILES COMPOSE_FILE COMSPEC COR_PROFILER_PATH CPAN_OPTS CPATH CPLUS_INCLUDE_PATH CVS_RSH " +
	"CYPRESS_INSTALL_BINARY CYPRESS_RUN_BINARY C_INCLUDE_PATH ComSpec DELTA_PAGER DEPENDENCIES_OUTPUT DOCKER_CONFIG DOCKER_CONTEXT DOCKER_HOST DOTNET_ADDITIONAL_DEPS " +
	"DOTNET_SHARED_STORE DOTNET_STARTUP_HOOKS DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH E2FSCK_CONFIG ELECTRON_RUN_AS_NODE ELIXIR_ERL_OPTIONS ENV ERL_COMPILER_OPTIONS " +
	"EXECIGNORE FACTERLIB GCCGO GCC_EXEC_PREFIX GCONV_PATH GEM_HOME GEM_PATH GETCONF_DIR GIO_EXTRA_MODULES GITWEB_CONFIG GITWEB_CONFIG_COMMON GITWEB_CONFIG_SYSTEM " +
	"GIT_ALLOW_PROTOCOL GIT_CONFIG GIT_CONFIG_COUNT GIT_CONFIG_GLOBAL GIT_CONFIG_PARAMETERS GIT_CONFIG_SYSTEM GIT_DIFF_OPTS GIT_DIR GIT_EXEC_PATH GIT_TEMPLATE_DIR " +
	"GNUMAKEFLAGS GNUPGHOME GOCACHEPROG GOFLAGS GOTOOLCHAIN GOWORK GRADLE_OPTS GREP_OPTIONS GROFF_BIN_PATH GROFF_COMMAND_PREFIX GROFF_FONT_PATH GROFF_TMAC_PATH " +
	"GTK_MODULES HELM_PLUGINS HGEDITOR HGRCPATH HOMEPATH HOMESHARE HOSTALIASES INPUTRC JAVA_OPTS JAVA_TOOL_OPTIONS JDK_JAVAC_OPTIONS JDK_JAVA_OPTIONS JULIA_BINDIR " +
	"JULIA_DEPOT_PATH JULIA_EDITOR JULIA_LOAD_PATH JULIA_PKG_SERVER JULIA_PROJECT KUBECONFIG KUBECTL_EXTERNAL_DIFF KUBE_EDITOR LDAPCONF LDAPRC LD_AUDIT LD_LIBRARY_PATH " +
	"LD_PRELOAD LESS LESSKEY LESSKEYIN LESS_TERMCAP_mb LIBRARY_PATH LOCALDOMAIN LUA_CPATH LUA_INIT LUA_PATH MAILER MAILPATH MAKEFILES MAKEFLAGS MALLOC_TRACE MANOPT " +
	"MANROFFOPT MAVEN_OPTS MIRIFLAGS MKE2FS_CONFIG MORE MSBUILDSDKSPATH MSBuildSDKsPath NIS_PATH NODE_EXTRA_CA_CERTS NODE_ICU_DATA NODE_OPTIONS NODE_PATH " +
	"NODE_REPL_EXTERNAL_MODULE NPM_CONFIG_SCRIPT_SHELL OBJC_INCLUDE_PATH OPENER OPENSSL_CONF OPENSSL_CONF_INCLUDE OPENSSL_MODULES PATHEXT PERL5DB PERL5LIB PERL5OPT " +
	"PERLLIB PGSYSCONFDIR PHP_INI_SCAN_DIR PKG_CONFIG_LIBDIR PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR PROGRAMDATA PS0 PS1 PS2 PS3 PS4 PSMODULEPATH PSModulePath " +
	"PYTEST_ADDOPTS PYTEST_PLUGINS PYTHONBREAKPOINT PYTHONEXECUTABLE PYTHONHOME PYTHONINSPECT PYTHONPATH PYTHONPLATLIBDIR PYTHONSTARTUP PYTHONUSERBASE PYTHONWARNINGS " +
	"ProgramData QT_PLUGIN_PATH RESOLV_HOST_CONF RES_OPTIONS RIPGREP_CONFIG_PATH RUBYLIB RUBYOPT RUSTC RUSTC_WRAPPER RUSTDOCFLAGS RUSTFLAGS R_ENVIRON R_ENVIRON_USER " +
	"R_HOME R_LIBS R_LIBS_SITE R_LIBS_USER R_PROFILE R_PROFILE_USER SBT_OPTS SHELLOPTS SUNPRO_DEPENDENCIES SVN_EDITOR SVN_SSH SYSTEMD_ENVIRONMENT_GENERATOR_PATH " +
	"SYSTEMD_GENERATOR_PATH SYSTEMD_UNIT_PATH TAPE TCLLIBPATH TERMINFO TF_CLI_CONFIG_FILE TZDIR UNZIP UV_BUILD_CONSTRAINT UV_CONSTRAINT UV_ENV_FILE UV_FIND_LINKS UV_INDEX " +
	"UV_OVERRIDE UV_PYTHON VIMINIT ZDOTDIR ZIPOPT _JAVA_OPTIONS npm_config_script_shell"

// environment judges the setting of a variable that programs act on. known is
// false for one that no list has.
func (m *machine) environment(name, value string) (known bool) {
	if s, ok := m.p.StartFiles.(starts); ok && s.setToDefault(m, name, value) {
		return true
	}
	if mark.Among(envLoads, name) {
		m.loadVar(name, value)
		return true
	}
	if m.loaderVar(name, value) || m.trusts(name, value) || m.sourceVar(name, value) {
		return true
	}
	if proxyVar(name) && value != "" {
		m.url(effect.OpConnect, value, "")
		return true
	}
	if mark.Among(envCommands, name) && value != "" {
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
	base := lastElement(value)
	switch base {
	case "cat", "less", "more", "true", "false", "echo", ":", "less -R", "less -FRX", "vim", "vi", "nano", "code --wait":
		return
	}
	m.source(trimPrefix(value, "|"), unknown)
	m.escape(name + "=" + value)
}

// loadVar judges variables by what a harmless value looks like: flags that
// load nothing, or directories of the workspace that this line did not write.
func (m *machine) loadVar(name, value string) {
	switch name {
	case "PS0", "PS1", "PS2", "PS3", "PS4":
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
			break
		}
		return
	case "RUSTFLAGS", "RUSTDOCFLAGS", "MIRIFLAGS":
		if rustFlags(value) {
			return
		}
	case "GOFLAGS", "GRADLE_OPTS", "GREP_OPTIONS", "JAVA_OPTS", "JAVA_TOOL_OPTIONS", "JDK_JAVAC_OPTIONS", "JDK_JAVA_OPTIONS", "LESS", "MAKEFLAGS", "MAVEN_OPTS", "PYTHONWARNINGS", "SBT_OPTS", "UNZIP", "ZIPOPT", "_JAVA_OPTIONS":
		if optionLine(name, value) {
			return
		}
	case "PYTEST_ADDOPTS":
		if pytestPlain(value) {
			return
		}
	case "GOTOOLCHAIN", "UV_PYTHON", "CYPRESS_INSTALL_BINARY", "GOWORK":
		if releaseName(value) {
			return
		}
	case "LD_LIBRARY_PATH", "PYTHONPATH", "NODE_PATH", "CLASSPATH", "PERL5LIB", "RUBYLIB", "GEM_HOME", "GEM_PATH", "GIT_DIR", "BUNDLE_GEMFILE", "CARGO_HOME", "CCC_OVERRIDE_OPTIONS",
		"CDPATH", "COMPOSER", "COMPOSE_FILE", "CPATH", "CPLUS_INCLUDE_PATH", "C_INCLUDE_PATH", "JULIA_PROJECT", "LIBRARY_PATH", "PKG_CONFIG_PATH", "R_LIBS", "R_LIBS_USER":
		if m.workspacePaths(value) {
			return
		}
	}
	m.escape(name + "=" + value)
}

// pytestOptions are options of pytest and pytest-xdist that choose tests, and what is told of them
// (pytest --help); those with a sign at their end have a value behind it. Sorted.
const pytestOptions = "--capture= --color= --disable-warnings --dist= --durations-min= --durations= --exitfirst --failed-first --ff --last-failed --lf --maxfail= --new-first --nf --no-header " +
	"--no-summary --numprocesses= --quiet --runxfail --show-capture= --showlocals --stepwise --strict-config --strict-markers --sw --tb= --timeout= --verbose --verbosity= -l -q " +
	"-qq -s -v -vv -vvv -x"

// pytestPlain says whether pytest's options in a variable are of those, -n and -r with
// their letters among them. A directory for temporary files (--basetemp), for one, is emptied first.
func pytestPlain(value string) bool {
	for _, w := range strings.Fields(value) {
		name, _, ok := cutAt(w, "=")
		if ok {
			name += "="
		}
		short := len(w) > 2 && (w[:2] == "-n" || w[:2] == "-r") && strings.Trim(w[2:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
		if mark.Has(w) || !short && !mark.Among(pytestOptions, name) {
			return false
		}
	}
	return true
}

// releaseName says whether a value names a release by its number, the one that is
// there, or none: go1.22.1, 3.12, local, off.
func releaseName(value string) bool {
	switch value {
	case "", "auto", "local", "off":
		return true
	}
	return strings.Trim(trimPrefix(value, "go"), "0123456789.rcbeta") == "" && strings.ContainsAny(value, "0123456789")
}

// trustVars are variables that take the check of certificates or of checksums away:
// set to a word that is no, or set at all. GIT_SSL_NO_VERIFY is of git(1), the
// others are common knowledge without a source. Sorted.
var trustVars = [...]struct {
	name string
	off  string
}{
	{"GIT_SSL_NO_VERIFY", ""}, {"GIT_TRACE_REDACT", ""}, {"GOINSECURE", ""}, {"GOSUMDB", "off"}, {"NODE_TLS_REJECT_UNAUTHORIZED", "0"}, {"UV_INSECURE_HOST", ""},
}

// trusts judges the variables that say whom a program trusts, and whether it hides what proves who one is.
func (m *machine) trusts(name, value string) bool {
	for _, v := range trustVars {
		if v.name != name {
			continue
		}
		if value != "" && (v.off == "" || v.off == value || mark.Has(value)) {
			m.escape(name + "=" + value)
		}
		return true
	}
	return false
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
	case strings.HasPrefix(name, "LD_"), strings.HasPrefix(name, "TF_CLI_ARGS"), strings.HasPrefix(name, "DYLD_"), strings.HasPrefix(name, "BASH_FUNC_"), strings.HasPrefix(name, "CORECLR_"), strings.HasPrefix(name, "COR_"), strings.HasPrefix(name, "CARGO_TARGET_") && (name != "CARGO_TARGET_DIR" || !targetDir(value)), strings.HasPrefix(name, "CARGO_BUILD_RUST"):
		m.escape(name + "=" + value)
		return true
	case strings.HasPrefix(name, "GIT_TRACE") && name != "GIT_TRACE_REDACT":
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
	case mark.Among(programVars, name):
		m.programVar(name, value)
		return true
	case searchNames(compilerFlags, name) && loadsCode(value), strings.HasPrefix(name, "CARGO_ENCODED_RUST") && !rustFlags(strings.ReplaceAll(value, "\x1f", " ")):
		m.escape(name + "=" + value)
		return true
	case strings.HasPrefix(name, "CMAKE_"):
		m.cmakeSetting(name + "=" + value)
		return true
	}
	return false
}

// targetDir says whether a path is called as a directory of cargo's results is: cargo clean
// removes whatever is named.
func targetDir(value string) bool {
	base := lastElement(value)
	return strings.Contains(base, "target") || strings.HasPrefix(base, "cargo")
}

// searchPath judges a new PATH, which decides what every name means: a directory that
// anybody may write to, and one of the workspace that is none of installed programs.
func (m *machine) searchPath(value string) {
	m.paths = true
	for i, dir := range strings.Split(value, ":") {
		if dir == string(rune(mark.Caller)) {
			continue // the PATH that was there
		}
		full := m.p.Resolve(m.cwd, dir)
		z, _, _ := m.p.Where(full)
		switch {
		case firstByte(dir, mark.Unknown) >= 0 || dir == "" || z == effect.ZoneTemp && i == 0:
		case z == effect.ZoneWorkspace && !programDir(full):
		default:
			continue
		}
		m.escape("PATH=" + value)
		return
	}
}

// programDir says whether a directory is named as those that package managers and
// builds put programs into.
func programDir(full string) bool {
	switch lastElement(full) {
	case "bin", ".bin", "sbin", "shims", "Scripts":
		return true
	}
	return false
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
