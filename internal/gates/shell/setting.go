package shell

import (
	"net/netip"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about variables that programs are given. Those that are known by
// name are judged as their manuals say (variables.go). What any other one does nobody
// knows here, so its name and its value decide: a number or a word passes; an address
// elsewhere, a path outside the workspace or to what may be a program, the name of
// a program, an option and a command do not. A path in /tmp passes where the name
// does not say that something is loaded from it.

// placeVars are variables that say where a program puts caches, temporary files and
// results, so that /tmp is as good as the workspace (go help environment; the
// manuals of pip, uv, npm, cargo, coverage.py, Python, matplotlib; the XDG Base
// Directory Specification; TMPDIR of POSIX; DESTDIR and PREFIX of the GNU Coding Standards).
// Sorted.
const placeVars = "CARGO_TARGET_DIR COVERAGE_FILE DESTDIR GOCACHE GOCOVERDIR GOLANGCI_LINT_CACHE GOTMPDIR MPLCONFIGDIR MYPY_CACHE_DIR PIP_CACHE_DIR PREFIX PYTHONPYCACHEPREFIX RUFF_CACHE_DIR " +
	"TEMP TMP TMPDIR UV_CACHE_DIR XDG_CACHE_HOME npm_config_cache"

// homeVars are variables that name a directory which a program makes for itself, for its
// caches, its own database and its settings (Airflow 2.10, airflow/configuration.py;
// huggingface_hub, Environment variables; torch/hub.py of PyTorch). In /tmp that is a fresh one, as long as
// neither the line nor an earlier call put anything there that would be loaded. Sorted.
var homeVars = [...]string{"AIRFLOW_HOME", "HF_HOME", "TORCH_HOME"}

// loadVars are variables that say where programs, libraries, settings or homes lie
// from which a program loads what runs (go help environment; java(1), venv of
// Python, the Android SDK's and curl's and wget's manuals, git(1), man(1),
// locale(7), openssl(1), POSIX for HOME and NLSPATH). Sorted.
const loadVars = "ANDROID_HOME ANDROID_SDK_ROOT CURL_HOME GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_WORK_TREE GOBIN GOPATH GOROOT HOME JAVA_HOME " +
	"LOCPATH MANPATH MAVEN_HOME NLSPATH PNPM_HOME RUSTUP_HOME SSL_CERT_DIR SSL_CERT_FILE SYSTEMROOT UV_PROJECT_ENVIRONMENT VIRTUAL_ENV WGETRC"

// loadWords are parts of names that say that a variable's value is loaded or run.
var loadWords = [...]string{"AGENT", "CMD", "COMMAND", "CONF", "EXEC", "EXTENSION", "FLAGS", "HOOK", "INIT", "LIB", "LOAD", "MODULE", "PLUGIN", "PRELUDE", "PROFILE", "SCRIPT", "SHELL", "STARTUP", "WRAPPER"}

// loads says whether a variable's name says that what it names is loaded.
func loads(name string) bool {
	if mark.Among(loadVars, name) || mark.Among(envLoads, name) {
		return true
	}
	name = strings.ToUpper(name)
	for _, w := range loadWords {
		if strings.Contains(name, w) {
			return true
		}
	}
	return strings.HasSuffix(name, "RC") || strings.HasSuffix(name, "_HOME") || strings.HasSuffix(name, "_BUNDLE")
}

// wordVars are variables whose value is a name or a mask that only looks like an
// address or a command (git(1), debug's README). Sorted.
var wordVars = [...]string{"DEBUG", "GIT_AUTHOR_DATE", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_NAME", "GIT_COMMITTER_DATE", "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_NAME", "RUST_LOG"}

// maxWord bounds the values in which names of files are looked for.
const maxWord = 4096

// exported judges a variable that a program is given.
func (m *machine) exported(name, value string) {
	if len(m.p.Made) > 0 && len(value) < maxWord {
		for _, part := range strings.FieldsFunc(value, func(c rune) bool { return strings.ContainsRune(" =:,;@", c) }) {
			m.madeLoaded(part)
		}
	}
	if !m.environment(name, value) {
		m.setting(name, value)
	}
}

// setting judges a variable that no list knows, by its name and its value.
func (m *machine) setting(name, value string) {
	if m.bareAddresses(name, value) {
		return
	}
	if value == "" || tameValue(value) || searchNames(wordVars[:], name) && !strings.ContainsAny(value, "/`$") {
		return
	}
	if name == "TZ" && timeZone(value) || name == "GTEST_FILTER" && testPattern(value) {
		return
	}
	switch {
	case namesProgram(name) && m.temporaryProgram(value):
		m.source(value, unknown)
	case runs(name), strings.Contains(value, "$(") || strings.Contains(value, "`"):
		m.escape(name + "=" + value)
	case m.addressIn(name, value):
	case m.outsideIn(name, value), optionIn(value) && !searchNames(compilerFlags, name), m.programIn(name, value):
		m.escape(name + "=" + value)
	default:
		m.commandIn(value)
	}
}

// timeZone says whether a value of TZ is the name of a zone or a rule (POSIX.1-2024, Environment
// Variables, TZ): what is read for it lies where the system keeps the zones. A path does not.
func timeZone(value string) bool {
	value = trimPrefix(value, ":")
	return value != "" && value[0] != '/' && !strings.Contains(value, "..") && strings.Trim(strings.ToLower(value), "abcdefghijklmnopqrstuvwxyz0123456789+-_/,<>:.") == ""
}

// testPattern says whether a value is patterns of names of tests, which are looked at and no
// more (GoogleTest, Advanced Topics).
func testPattern(value string) bool {
	return value[0] != '/' && value[0] != '.' && strings.Trim(strings.ToLower(value), "abcdefghijklmnopqrstuvwxyz0123456789*?:-./_") == ""
}

// tameValue says whether a value is a number or says yes or no.
func tameValue(value string) bool {
	switch strings.ToLower(value) {
	case "true", "false", "yes", "no", "on", "off", "none", "auto", string(rune(mark.Caller)):
		return true
	}
	return strings.Trim(value, "0123456789.,_") == "" || value[0] == '-' && number(value[1:]) >= 0
}

// runWords are words of names that say that the value is run, or loaded as code.
// Sorted.
const runWords = "ASKPASS BIN BINARY BROWSER CMD COMMAND COMPILER EDITOR EXE EXEC EXECUTABLE HOOK HOOKS INTERPRETER JAVACMD LAUNCHER LINKER LOADER PAGER PLUGIN PLUGINS PRELOAD PYTHON RUNNER " +
	"SHELL STARTUP WRAPPER"

// runs says whether one of a name's words says that its value is run.
func runs(name string) bool {
	for w := range strings.SplitSeq(name, "_") {
		if mark.Among(runWords, w) {
			return true
		}
	}
	return false
}

// namesProgram says whether a name says that its value is a program, and nothing else
// that is loaded or run.
func namesProgram(name string) bool {
	binary := false
	for w := range strings.SplitSeq(name, "_") {
		switch {
		case w == "BIN" || w == "BINARY" || w == "EXE" || w == "EXECUTABLE":
			binary = true
		case mark.Among(runWords, w):
			return false
		}
	}
	return binary
}

// temporaryProgram says whether a value is the place of one file in a temporary directory
// that is no program with a name of its own: whoever reads the variable runs that file, and
// what it may do is judged as if the line had run it. In the workspace such a place may be
// a directory of programs.
func (m *machine) temporaryProgram(value string) bool {
	if !strings.HasPrefix(value, "/") || strings.Trim(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./+") != "" {
		return false
	}
	full := m.p.Resolve(m.cwd, value)
	base := lastElement(full)
	if _, shell := interpreter(base); shell || namesShell(base) || lookupTool(base) != nil || runsLine(base) || dependency(full) {
		return false
	}
	z, _, _ := m.p.Where(full)
	return z == effect.ZoneTemp
}

// labelWords are last words of names that say that the value is a label, so that the
// name of a program is one as well. Sorted.
const labelWords = "APP BRANCH CHANNEL COLOR DATABASE DB ENV ENVIRONMENT FORMAT GROUP KEY KIND LANG LANGUAGE LEVEL LOCALE MODE NAME PACKAGE PROFILE REF REGION ROLE SECRET SERVICE STAGE SUITE TAG " +
	"TARGET TERM TEST THEME TITLE TOKEN TYPE USER USERNAME VERSION"

// placeWords are last words of names that say that the value is a place for data.
// Sorted.
const placeWords = "BASE CACHE CACHEDIR CONFIG COVERAGE CWD DATA DEST DESTINATION DIR DIRECTORY DIRS FILE FILENAME FILES FOLDER HOME INPUT LOG LOGS OUT OUTDIR OUTPUT PATH PATHS PUBLIC REPORT " +
	"REPORTS ROOT SOURCE SOURCES SRC STATE TEMP TMP TMPDIR URI URL WORKDIR WORKSPACE"

func lastWord(name string) string {
	return strings.ToUpper(name[lastByte(name, '_')+1:])
}

// programIn says whether a value may be a program: the name of one, or a path to
// what is no file of data, where the variable's name says nothing else.
func (m *machine) programIn(name, value string) bool {
	last := lastWord(name)
	if mark.Among(labelWords, last) {
		return false
	}
	if strings.Contains(value, "/") && !strings.ContainsAny(value, " \n") {
		return !mark.Has(value) && !mark.Among(placeWords, last) && !mark.Among(placeVars, name) && !loads(name) && !dataPath(value)
	}
	if _, ok := interpreter(value); ok || namesShell(value) {
		return true
	}
	t := lookupTool(value)
	return t != nil && (t.act != doesRun || strings.HasPrefix(t.opts, "=!n")) || runsLine(value)
}

// optionIn says whether a word of a value is an option.
func optionIn(value string) bool {
	for w := range strings.FieldsSeq(value) {
		if len(w) > 1 && w[0] == '-' && number(w[1:]) < 0 && strings.Trim(w, "-") != "" {
			return true
		}
	}
	return false
}

// dataPath says whether a path is written as that of a directory, of an address or
// of a file of data.
func dataPath(path string) bool {
	if strings.HasSuffix(path, "/") || strings.Contains(path, ":") {
		return true
	}
	switch ext := lastElement(path); ext[lastByte(ext, '.')+1:] {
	case "cfg", "conf", "crt", "csv", "db", "env", "gz", "html", "ini", "json", "jsonl", "log", "md", "out", "pem", "properties", "sqlite", "sqlite3", "tar", "toml", "tsv", "txt", "xml", "yaml", "yml", "zip":
		return true
	}
	return false
}

// addressIn records a connection to the address that a value is, or several of
// them with commas, and says whether it is one.
func (m *machine) addressIn(name, value string) bool {
	found := false
	for part := range strings.SplitSeq(value, ",") {
		part = strings.TrimSpace(part)
		if !isAddress(name, part) {
			continue
		}
		found = true
		if i := strings.Index(part, "://"); i >= 0 {
			part = part[lastByte(part[:i], ':')+1:] // jdbc:postgresql://
		}
		if n, ok := effect.ParseURL(withoutPort(part), ""); !ok || n.Domain != "localhost" && n.Domain != "host.docker.internal" && !loopbackIP(n.IP) {
			m.url(effect.OpConnect, part, "")
		}
	}
	return found
}

// bareAddresses records a connection to each address that stands as a number in a
// value or in a list of them, alone or with a user, a port or a weight (SSH's, curl's
// and distcc's ways to name a host), and says whether there is one elsewhere.
func (m *machine) bareAddresses(name, value string) bool {
	if strings.HasSuffix(name, "VERSION") || strings.EqualFold(name, "no_proxy") || strings.Count(value, ".") < 3 && strings.Count(value, ":") < 2 {
		return false
	}
	found := false
	for part := range strings.FieldsFuncSeq(value, func(c rune) bool { return c == ' ' || c == ',' || c == ';' }) {
		if ip := bareIP(part); ip != "" && !loopbackIP(ip) {
			m.url(effect.OpConnect, ip, "")
			found = true
		}
	}
	return found
}

func bareIP(word string) string {
	word = word[lastByte(word, '@')+1:]
	word, _, _ = cutAt(word, "/")
	if p, err := netip.ParseAddrPort(word); err == nil {
		return p.Addr().String()
	}
	if a, err := netip.ParseAddr(strings.Trim(word, "[]")); err == nil {
		return a.String()
	}
	return ""
}

// withoutPort cuts a port that only the run time knows from an address.
func withoutPort(address string) string {
	if i := strings.Index(address, ":"+string(rune(mark.Caller))); i >= 0 {
		return address[:i]
	}
	return address
}

// loopbackIP says whether an address is this machine's own, or all of its own for
// a server to listen at.
func loopbackIP(ip string) bool {
	a, err := netip.ParseAddr(ip)
	return err == nil && (a.IsLoopback() || a.IsUnspecified())
}

// isAddress says whether a word is the address of a host: with a scheme, as a host
// with a port, as a number, or as a host's name behind a variable's that asks for
// one.
func isAddress(name, word string) bool {
	if scheme, rest, ok := cutAt(word, "://"); ok {
		return scheme != "file" && rest != "" && rest[0] != '/' // sqlite:///path has no host
	}
	if strings.ContainsAny(word, " /\\") || word == "" {
		return false
	}
	host, port, hasPort := cutAt(word, ":")
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	dotted := strings.Contains(host, ".") && strings.Trim(host, "0123456789.") != ""
	return dotted && (hasPort && port != "" && strings.Trim(port, "0123456789") == "" || asksForHost(name))
}

// asksForHost says whether a variable's name ends as those of hosts do.
func asksForHost(name string) bool {
	name = strings.ToUpper(name)
	for _, end := range [...]string{"URL", "URI", "HOST", "HOSTNAME", "REGISTRY", "INDEX", "PROXY", "ENDPOINT", "SERVER", "ADDR", "ADDRESS", "DOMAIN", "MIRROR", "REMOTE", "DSN"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// outsideIn says whether a value names a path outside the workspace: as a whole, in
// a list, or behind an option's letters.
func (m *machine) outsideIn(name, value string) bool {
	place := mark.Among(placeVars, name)
	for _, part := range strings.FieldsFunc(value, func(c rune) bool { return strings.ContainsRune(" \t\n:,;=\"'", c) }) {
		path := pathIn(part)
		if path == "" {
			continue
		}
		full := m.p.Resolve(m.cwd, path)
		switch z, sensitive, _ := m.p.Where(full); {
		case sensitive:
			return true
		case z == effect.ZoneWorkspace || z == effect.ZonePublic || z == effect.ZoneStream || z == effect.ZoneCaller:
		case z == effect.ZoneHome && name != "HOME" && !strings.HasPrefix(name, "GIT_") && mark.Among(loadVars, name): // where tools install what is the user's own
		case z == effect.ZoneTemp && (place || !loads(name) || searchNames(homeVars[:], name) && m.untouched(full)):
			m.path(effect.Read, effect.OpRead, path) // so that it is seen what the episode put there
		case z == effect.ZoneOutside && asksForHost(name) && strings.Count(full, "/") == 1: // the path of an address
		default:
			return true
		}
	}
	return false
}

// untouched says whether neither this line nor an earlier call wrote anything below a
// directory.
func (m *machine) untouched(dir string) bool {
	below := func(path string) bool {
		return path == dir || strings.HasPrefix(path, trimSuffix(dir, "/")+"/")
	}
	return !slices.ContainsFunc(m.files, func(f file) bool { return below(f.path) }) && !slices.ContainsFunc(m.p.Made, func(f effect.Made) bool { return below(f.Path) })
}

// pathIn is the path that a word is, or that stands in it behind the letters of
// an option: -L/tmp, @/etc/x.
func pathIn(word string) string {
	word = strings.TrimLeft(word, "@<>|!")
	if strings.HasPrefix(word, "-") {
		i := strings.IndexAny(word, "/~.")
		if i < 0 || i > 3 {
			return ""
		}
		word = word[i:]
	}
	if strings.HasPrefix(word, "/") || strings.HasPrefix(word, "~") || strings.HasPrefix(word, "..") || strings.HasPrefix(word, "./") || strings.Contains(word, "/..") {
		return word
	}
	return ""
}

// commandIn judges a value that is a command line of known programs, since what
// reads the variable may run it.
func (m *machine) commandIn(value string) {
	if mark.Has(value) || !strings.ContainsAny(value, " ;|&") {
		return
	}
	file, ok := Parse(value).Syntax()
	if !ok {
		return
	}
	known := true
	syntax.Walk(file, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok && known {
			name := ""
			if len(c.Args) > 0 {
				name = c.Args[0].Lit()
			}
			known = name != "" && (lookupTool(name) != nil || namesShell(name) || runsLine(name))
		}
		return known
	})
	if known {
		m.source(value, unknown)
	}
}

// runsLine says whether a program is one that has code of its own and harms by what
// it is given, and is in no table.
func runsLine(name string) bool {
	switch name {
	case "eval", "source", "rm", "mv", "cp", "dd", "git", "find", "python", "python3", "node", "tar", "rsync", "kill":
		return true
	}
	return false
}

// nodeFlags are options of Node.js that set limits and warnings (Node.js
// documentation, "Command-line API"), with = before a value.
const nodeFlags = "--abort-on-uncaught-exception --dns-result-order= --enable-source-maps --experimental-vm-modules --max-http-header-size= --max-old-space-size= --max-semi-space-size= " +
	"--no-deprecation --no-warnings --openssl-legacy-provider --pending-deprecation --stack-trace-limit= --throw-deprecation --trace-deprecation --trace-uncaught --trace-warnings " +
	"--unhandled-rejections="

// tameNodeOptions says whether a value of NODE_OPTIONS only holds such options.
func tameNodeOptions(value string) bool {
	for _, w := range strings.Fields(value) {
		name, _, valued := cutAt(w, "=")
		if valued {
			name += "="
		}
		if !mark.Among(nodeFlags, name) {
			return false
		}
	}
	return true
}

// elsewhere says whether a word that names code is an address, or holds the code.
func elsewhere(word string) bool {
	return strings.Contains(word, "://") || strings.HasPrefix(word, "data:")
}

// rework changes a file in place. Given a whole workspace, formatters change the
// sources in it and leave settings and hooks alone.
func (m *machine) rework(word string) {
	full := m.p.Resolve(m.cwd, word)
	for _, root := range m.p.Roots {
		if full == root {
			word = string(rune(mark.Inside))
		}
	}
	m.write(word, effect.OpModify)
}
