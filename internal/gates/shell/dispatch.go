package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// dispatch runs builtins and the programs whose arguments are a language of
// their own. ok is false for all others.
func (m *machine) dispatch(name string, argv []string, in data, want bool) (data, bool) {
	args := argv[1:]
	switch name {
	case "echo", "printf", "cd", "pushd", "popd", "pwd", "alias", "eval", "source", ".", "exec", "builtin", "command", "trap",
		"set", "shift", "unset", "read", "mapfile", "readarray", "test", "[", "kill", "enable", "complete", "bind", "export",
		"declare", "typeset", "readonly", "local", "let", "wait", "type", "noglob", "nocorrect", "history", "hash", "fc", "ulimit", "umask",
		":", "exit", "return", "break", "continue", "jobs", "fg", "bg", "disown", "dirs", "times", "getopts", "shopt", "caller", "logout", "suspend",
		"setopt", "unsetopt", "unalias", "compgen", "whence", "print", "help":
		return m.builtin(name, args, in, want), true
	case "sh", "bash", "dash", "zsh", "ksh", "ash", "mksh", "rbash", "ksh93", "pdksh", "lksh", "posh", "yash", "oksh":
		return m.shell(args, in, want), true
	case "env":
		return m.env(args, in, want), true
	case "cross-env":
		return m.crossEnv(args, in, want), true
	case "sudo", "doas", "su", "runuser", "sg", "pkexec":
		return m.privileged(name, args, in, want), true
	}
	return m.language(name, args, in, want)
}

// language runs the programs whose arguments are a language of their own.
func (m *machine) language(name string, args []string, in data, want bool) (data, bool) {
	switch name {
	case "xargs", "gxargs":
		return m.passing(m.xargs(args, in, want), nil, in, ""), true
	case "parallel":
		return m.parallel(args, in, want), true
	case "find", "gfind":
		return m.find(args, want), true
	case "fd", "fdfind":
		return m.fd(args, want), true
	case "sed", "gsed", "ssed":
		return m.passing(m.sed(args, in, want), args, in, "q"), true
	case "awk", "gawk", "mawk", "nawk", "original-awk", "goawk":
		out := m.passing(m.awk(args, in, want), args, in, "exit")
		if first, ok := firstColumn("awk", args, in.text); ok && out.text == unknown.text {
			out = data{text: first}
		}
		if _, ok := m.processesOf(in.text); ok && printsNumbers(args) {
			out = data{text: in.text}
		}
		return out, true
	case "git":
		out := m.git(args, in, want)
		if out.text == unknown.text && namesDiffed(args) {
			out = data{text: string(rune(mark.Inside))}
		}
		return out, true
	case "dd":
		return m.dd(args, in), true
	case "cp", "mv", "ln", "gcp", "gmv", "gln":
		m.copyFiles(trimPrefix(name, "g"), args)
		return data{}, true
	case "rsync":
		m.rsync(args)
		return unknown, true
	case "chmod", "gchmod":
		m.chmod(args)
		return data{}, true
	case "mktemp", "gmktemp":
		return m.mktemp(args), true
	case "basename", "dirname", "gbasename", "gdirname":
		m.spawn(effect.OpRun, name)
		return pathPart(trimPrefix(name, "g"), args), true
	case "busybox", "toybox":
		return m.busybox(args, in, want), true
	case "magick":
		if len(args) > 0 && magickTool(args[0]) {
			return m.run(args, in, want), true
		}
	case "tar", "gtar", "bsdtar":
		m.tar(args)
		return unknown, true
	case "openssl":
		return m.openssl(args, in, want), true
	case "journalctl":
		return m.journal(args, want), true
	case "java":
		return m.java(args), true
	case "service":
		if len(args) == 2 && args[1] == "status" {
			m.spawn(effect.OpRun, name)
			return unknown, true
		}
	case "dbmate", "diesel", "flyway", "goose", "migrate", "sqlx":
		if m.migrates(name, args) {
			return unknown, true
		}
	case "nc", "ncat", "netcat":
		if m.probes(args) || m.asksPage(args, in) {
			return unknown, true
		}
	case "adb":
		if portsOnly(args) {
			m.spawn(effect.OpRun, name)
			return unknown, true
		}
		if m.emulated(args) {
			return unknown, true
		}
		if line, ok := asApplication(args); ok {
			return m.run(append([]string{name}, line...), in, want), true
		}
	case "pwsh", "powershell", "pwsh.exe", "powershell.exe":
		if m.p.PowerShell != nil && m.p.PowerShell.Run(m, args) {
			return unknown, true
		}
	case "cargo":
		if m.ownLock(args) {
			return unknown, true
		}
	case "simctl":
		if m.simctl(args) {
			return unknown, true
		}
	case "PlistBuddy":
		if m.plist(args) {
			return unknown, true
		}
	case "sips":
		if m.sips(args) {
			return unknown, true
		}
	case "entr":
		if isAmong(args, changedFile) && strings.Count(strings.Join(args, " "), changedFile) == 1 {
			m.spawn(effect.OpRun, name)
			return m.runItems(append([]string{name}, args...), changedFile, in, want), true
		}
	case "emacs", "erl", "ghc", "groovy", "guile", "kotlin", "kotlinc", "octave", "octave-cli", "racket", "sbcl", "scala":
		if m.namedRun(name, args) {
			return unknown, true
		}
	case "clj", "clojure":
		if m.namedRun(name, args) {
			return unknown, true
		}
		if own, given := m.clojure(name, args); len(given) > 0 {
			m.givenArgs(given)
			return m.toolArgs(lookupTool(name), nil, own, in, want), true
		}
	case "swift", "dart":
		if name == "swift" && m.swiftRun(args, in) {
			return unknown, true
		}
		if len(args) > 0 && starterOf(name, args[0], nil) != nil { // swift FILE, dart FILE
			m.script(args[0])
			m.givenArgs(args[1:])
			return unknown, true
		}
	case "mix":
		if code := mixCode(args); code != "" && m.plainCode("elixir", code) {
			m.build()
			return unknown, true
		}
	case "unzip", "7z", "7za", "7zr", "7zz", "unrar", "rar", "ar", "jar":
		m.unpacks(name, args)
	case "install", "ginstall":
		m.installs(args)
	case "patch", "gpatch":
		m.patches(args, in)
	case "ps":
		m.psOptions(args)
	case "wait-on":
		m.waits(args)
	case "exiftool":
		if t := lookupTool(name); t != nil {
			return m.tool(t, append([]string{name}, withoutTags(args)...), in, want), true
		}
	case "mlr":
		if isAmong(args, "then") {
			return m.chained(args, in, want), true
		}
	case "printenv":
		if len(args) == 0 {
			return m.dumpEnviron(), true
		}
		if len(args) == 1 && (args[0] == "-0" || args[0] == "--null") {
			m.environ("environment")
			return unknown, true
		}
	case "uvx":
		if len(args) > 0 && mark.Among(pypiTools, args[0]) {
			return m.run(args, in, want), true
		}
		return m.fetched(name, args), true
	case "dnx", "jbang", "pnx":
		return m.fetched(name, args), true
	case "docker", "podman":
		if len(args) > 0 && args[0] == "run" {
			start, files := len(m.effects), len(m.files)
			if out, ok := m.containerRun(args[1:], in, want); ok {
				return out, true
			}
			m.effects, m.files = m.effects[:start], m.files[:files]
		}
	case "bun":
		if len(args) == 2 && (args[0] == "-e" || args[0] == "--eval" || args[0] == "-p" || args[0] == "--print") {
			return m.code("node", args[1], in, want), true // bun --help
		}
		if (len(args) == 1 || len(args) == 2 && args[0] == "run") && args[len(args)-1] == "-" && !in.tty { // bun run --help
			return m.interpretStdin("node", in, want), true
		}
	case "irb":
		if m.irbRun(args, in, want) {
			return unknown, true
		}
	case "tsx", "ts-node", "esno":
		if m.typedRun(name, args, in, want) {
			return unknown, true
		}
	case "Rscript", "R", "julia", "elixir":
		if line, ok := mixBehind(name, args); ok {
			m.spawn(effect.OpRun, name)
			return m.run(line, in, want), true
		}
		if code, ok := m.plainWords(name, args, in); ok && m.plainCode(trimSuffix(name, "script"), code) {
			return unknown, true
		}
	case "gdb":
		if m.gdbReads(args) {
			return unknown, true
		}
	case "lldb":
		if m.lldbReads(args) {
			return unknown, true
		}
	case "nvim":
		if m.nvimRuns(args) {
			return unknown, true
		}
	case "cmake", "meson":
		if len(args) > 0 && (args[0] == "--install" || args[0] == "install") && m.stagedInstall(name, args) {
			return unknown, true
		}
	case "deactivate":
		if len(args) == 0 && m.activated() {
			return data{}, true
		}
	case "make", "gmake":
		return m.makeTool(args), true
	}
	if lang, ok := interpreter(name); ok {
		return m.interpret(lang, args, in, want), true
	}
	return data{}, false
}

// mixBehind is the run of mix that elixir is told to start, perhaps as a node that those of this
// machine's network reach who have its cookie (elixir(1), -S and --sname).
func mixBehind(name string, args []string) ([]string, bool) {
	if len(args) > 2 && args[0] == "--sname" && plainName(args[1]) {
		args = args[2:]
	}
	if name != "elixir" || len(args) < 2 || args[0] != "-S" || args[1] != "mix" {
		return nil, false
	}
	return args[1:], true
}

// changedFile stands for the file that changed first where entr runs its command (entr(1)).
const changedFile = "/_"

// activated says whether the line has sourced the script of a virtual environment,
// which defines deactivate (venv of Python's library).
func (m *machine) activated() bool {
	return slices.ContainsFunc(m.effects, func(e effect.Effect) bool {
		return e.Op == effect.OpRunFile && e.Program == "source" && strings.HasSuffix(e.Resource, "/bin/activate")
	})
}

// namesDiffed says whether git only prints names of files of its repository: of those
// that differ (git-diff(1)). --no-index compares any, and a format is text.
func namesDiffed(args []string) bool {
	if len(args) < 2 || args[0] != "diff" || !isAmong(args, "--name-only") {
		return false
	}
	for _, a := range args[1:] {
		switch {
		case a == "--":
			return true
		case a == "--name-only" || a == "--cached" || a == "--staged" || strings.HasPrefix(a, "--diff-filter=") || a == "-z" || a == "--relative":
		case strings.HasPrefix(a, "-") || reachesOut(a):
			return false
		}
	}
	return true
}

func (m *machine) dd(args []string, in data) data {
	m.spawn(effect.OpRun, "dd")
	endless, count, size, seek, out, text := in.endless, "", "512", "", "", in
	for _, a := range args {
		k, v, _ := cutAt(a, "=")
		switch k {
		case "if":
			m.read(v)
			endless, text = endlessFile(v), m.contents(v)
		case "of":
			m.write(v, effect.OpCreate)
			out = v
		case "count":
			count = v
		case "bs", "ibs", "obs":
			size = v
		case "seek", "oseek":
			seek = v
		default:
			if mark.Has(k) {
				m.opaque(effect.OpComputed, "computed operand of dd")
			}
		}
	}
	endless = endless && count == "" || count != "" && bytesOf(count+"x"+size) >= hugeBytes
	if out != "" && (endless || seek != "" && bytesOf(seek+"x"+size) >= hugeBytes) {
		m.fills(out)
	}
	whole := unknown
	whole.endless = endless && out == ""
	if count == "" && !slices.ContainsFunc(args, func(a string) bool {
		return strings.HasPrefix(a, "skip=") || strings.HasPrefix(a, "seek=") || strings.HasPrefix(a, "conv=")
	}) {
		whole.made = text.best()
	}
	if out != "" && len(m.files) > 0 {
		m.files[len(m.files)-1].made = whole.made
	}
	return whole
}

// magickTool says whether a first word of magick is one of its other programs,
// which it then is (ImageMagick-im7.q16.1; the names in any case).
func magickTool(word string) bool {
	switch strings.ToLower(plain(word)) {
	case "animate", "compare", "composite", "conjure", "convert", "display", "identify", "import", "magick", "magick-script", "mogrify", "montage", "stream":
		return true
	}
	return false
}

func (m *machine) busybox(args []string, in data, want bool) data {
	for len(args) > 0 && strings.HasPrefix(args[0], "--") {
		if args[0] == "--list" || args[0] == "--help" || args[0] == "--list-full" {
			return data{}
		}
		m.escape(m.prog + " " + args[0])
		args = args[1:]
	}
	if len(args) == 0 {
		return data{}
	}
	return m.run(args, in, want)
}
