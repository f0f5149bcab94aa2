package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about what the user's own shells run when they start: a line that runs the same does what
// every terminal of the user does. Whether the session has changed it is the guardrail's to say.

// StartFiles is effect.Places.StartFiles of hosts that go by what the user's shells run. It is handed over
// and not called where it is used: programs that never ask for it are smaller.
func StartFiles() any { return startReader{} }

type startReader struct{}

// starts is what StartFiles returns.
type starts interface {
	startsShells(m *machine, full string) bool
	setsUp(m *machine, c *syntax.CallExpr) (program string, ok bool)
	setToDefault(m *machine, name, value string) bool
}

func (startReader) startsShells(m *machine, full string) bool            { return m.startsShells(full) }
func (startReader) setsUp(m *machine, c *syntax.CallExpr) (string, bool) { return m.setsUp(c) }
func (startReader) setToDefault(m *machine, name, value string) bool {
	return m.setToDefault(name, value)
}

// startFiles are what shells read when they start, in a home and in /etc (bash(1), INVOCATION; zsh(1),
// STARTUP/SHUTDOWN FILES; the wiki of pyenv, Unix shell initialization). Sorted.
var startFiles = [...]string{".bash_login", ".bash_profile", ".bashrc", ".profile", ".zlogin", ".zprofile", ".zshenv", ".zshrc"}

const systemStartFiles = "/etc/bash.bashrc /etc/bashrc /etc/profile /etc/zprofile /etc/zsh/zprofile /etc/zsh/zshenv /etc/zsh/zshrc /etc/zshenv /etc/zshrc"

// setups are the scripts of version managers and toolchains that their installers have users put into such
// files, as patterns of path.Match below a home and of absolute paths: common knowledge, of which no list was
// opened. What else a user's files run, they say themselves.
var (
	homeSetups = [...]string{
		".asdf/asdf.sh", ".cargo/env", ".config/nvm/nvm.sh", ".deno/env", ".elan/env", ".ghcup/env", ".gvm/scripts/gvm", ".local/bin/env",
		".local/share/swiftly/env.sh", ".nix-profile/etc/profile.d/nix.sh", ".nvm/nvm.sh", ".opam/opam-init/init.sh", ".rvm/scripts/rvm", ".sdkman/bin/sdkman-init.sh",
		"anaconda3/etc/profile.d/conda.sh", "mambaforge/etc/profile.d/*.sh", "miniconda3/etc/profile.d/conda.sh", "miniforge3/etc/profile.d/*.sh", "esp/esp-idf/export.sh",
	}
	systemSetups = [...]string{
		"/etc/profile.d/*.sh", "/nix/var/nix/profiles/default/etc/profile.d/nix-daemon.sh", "/opt/conda/etc/profile.d/conda.sh", "/opt/homebrew/opt/*/nvm.sh",
		"/opt/intel/oneapi/setvars.sh", "/opt/miniconda3/etc/profile.d/conda.sh", "/opt/ros/*/setup.*sh", "/usr/local/opt/*/nvm.sh", "/usr/local/rvm/scripts/rvm", "/usr/share/nvm/init-nvm.sh",
	}
)

// startsShells says whether a file is one that the user's shells run when they start, by its name, or
// because one of the user's own start files runs it, where the host lets these be read.
func (m *machine) startsShells(full string) bool {
	if _, other := m.lookup("HOME"); other || mark.Has(full) || path.Clean(full) != full {
		return false
	}
	if isAmong(strings.Fields(systemStartFiles), full) || matchesOne(systemSetups[:], full) {
		return true
	}
	if rest, ok := cutPrefix(full, m.p.Home+"/"); ok && m.p.Home != "" && m.p.Home != "/" && (isAmong(startFiles[:], rest) || matchesOne(homeSetups[:], rest)) {
		return true
	}
	return m.atStart(func(c *syntax.CallExpr, text string) bool {
		if len(c.Args) != 2 || !isAmong(sourcing[:], c.Args[0].Lit()) {
			return false
		}
		var b strings.Builder
		return syntax.NewPrinter().Print(&b, c.Args[1]) == nil && m.expands(strings.Trim(b.String(), `"'`), text) == full
	})
}

// sourcing are the words by which a shell runs a file itself.
var sourcing = [...]string{"source", ".", `\.`}

func matchesOne(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, _ := path.Match(p, name)
		return ok
	})
}

// atStart says whether a command that one of the user's start files runs whenever it is run is so: one that
// stands there by itself, or behind nothing but the question whether something is there. The files are read
// as they were before the session; one that cannot be read as bash says nothing.
func (m *machine) atStart(is func(c *syntax.CallExpr, text string) bool) bool {
	if m.p.SettledText == nil || m.p.Home == "" {
		return false
	}
	for _, name := range startFiles {
		text := m.p.SettledText(m.p.Home + "/" + name)
		file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
		if text != "" && err == nil && slices.ContainsFunc(startCalls(file.Stmts, 0), func(c *syntax.CallExpr) bool { return is(c, text) }) {
			return true
		}
	}
	return false
}

// startCalls are such commands among statements.
func startCalls(list []*syntax.Stmt, depth int) (out []*syntax.CallExpr) {
	for _, s := range list {
		if s.Background || s.Negated || s.Coprocess || depth > maxConditions || slices.ContainsFunc(s.Redirs, func(r *syntax.Redirect) bool { return r.Hdoc != nil }) {
			continue
		}
		switch c := s.Cmd.(type) {
		case *syntax.CallExpr:
			out = append(out, c)
		case *syntax.BinaryCmd:
			if c.Op == syntax.AndStmt && asksIfThere(c.X) {
				out = append(out, startCalls([]*syntax.Stmt{c.Y}, depth+1)...)
			}
		case *syntax.IfClause:
			if len(c.Cond) == 1 && asksIfThere(c.Cond[0]) {
				out = append(out, startCalls(c.Then, depth+1)...)
			}
		}
	}
	return out
}

// maxConditions bounds conditions within conditions of a start file.
const maxConditions = 4

// asksIfThere says whether a statement does nothing but ask whether a file or a program is there, or a
// variable is set.
func asksIfThere(s *syntax.Stmt) bool {
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		first := ""
		if len(c.Args) > 2 && !s.Negated {
			first = c.Args[0].Lit()
		}
		switch second := ""; {
		case first == "command":
			return len(c.Args) == 3 && c.Args[1].Lit() == "-v"
		case first == "[" || first == "test":
			second = c.Args[1].Lit()
			return len(c.Args) < 5 && isAmong(thereFlags[:], second)
		}
	case *syntax.TestClause:
		t, ok := c.X.(*syntax.UnaryTest)
		return ok && !s.Negated && isAmong(thereFlags[:], t.Op.String())
	}
	return false
}

// thereFlags ask whether something is there (test(1)).
var thereFlags = [...]string{"-d", "-e", "-f", "-n", "-r", "-s", "-x"}

// expands is a word of a start file with the home and what the file itself exports in it put in; it holds
// a dollar sign where there is more.
func (m *machine) expands(word, text string) string {
	if rest, ok := cutPrefix(word, "~/"); ok {
		word = m.p.Home + "/" + rest
	}
	for _, home := range [...]string{"${HOME}", "$HOME"} {
		word = strings.ReplaceAll(word, home, m.p.Home)
	}
	if rest, ok := cutPrefix(word, "$"); ok && rest != "" && rest[0] != '$' {
		name, below, _ := strings.Cut(rest, "/")
		name = strings.Trim(name, "{}")
		for line := range strings.Lines(text) {
			if value, ok := cutPrefix(strings.TrimSpace(line), "export "+name+"="); ok && !strings.HasPrefix(value, "$"+name) {
				return m.expands(strings.Trim(value, `"' `), "") + "/" + below
			}
		}
	}
	return word
}

// setupPrinters print what sets up the shell that runs it, as their manuals tell users to do in a start file:
// common knowledge, of which no list was opened. SH is the name of a shell.
var setupPrinters = [...]string{
	"atuin init SH", "brew shellenv", "brew shellenv SH", "conda shell.SH hook", "direnv hook SH", "dircolors", "dircolors -b", "fnm env", "fnm env --shell SH", "fnm env --use-on-cd",
	"fnm env --use-on-cd --shell SH", "goenv init -", "jenv init -", "luarocks path", "luarocks path --bin", "mamba shell hook --shell SH", "micromamba shell hook --shell SH",
	"nodenv init -", "opam env", "pyenv init -", "pyenv init - SH", "pyenv init --path", "pyenv virtualenv-init -", "rbenv init -", "rbenv init - SH",
	"ssh-agent", "ssh-agent -s", "starship init SH", "zoxide init SH",
}

// setsUp says whether a command has the shell run what one of these programs prints, or what a start file
// of the user's has it run by the same words, and which program that is.
func (m *machine) setsUp(c *syntax.CallExpr) (program string, ok bool) {
	words := evalWords(c)
	if len(words) == 0 || m.redefined("eval") || m.redefined(words[0]) || !m.searchesHome() {
		return "", false
	}
	given := strings.Join(words, " ")
	if dir := path.Dir(words[0]); dir != "." {
		if !isAmong(brewPlaces[:], dir) {
			return "", false
		}
		words[0] = baseName(words[0])
	}
	line := " " + strings.Join(words, " ") + " "
	for _, p := range setupPrinters {
		if slices.ContainsFunc([]string{"bash", "posix", "sh", "zsh"}, func(sh string) bool { return line == " "+strings.Replace(p, "SH", sh, 1)+" " }) {
			return words[0], true
		}
	}
	said := len(m.p.Made) == 0 && m.atStart(func(c *syntax.CallExpr, _ string) bool { return strings.Join(evalWords(c), " ") == given })
	return words[0], said
}

// defaults are variables with the place in a home that their program takes without them, which start files
// of users set all the same: common knowledge, of which no list was opened.
var defaults = [...]string{
	"ASDF_DIR .asdf", "BUN_INSTALL .bun", "CARGO_HOME .cargo", "DENO_INSTALL .deno", "KUBECONFIG .kube/config", "NVM_DIR .config/nvm", "NVM_DIR .nvm", "PYENV_ROOT .pyenv", "RBENV_ROOT .rbenv",
	"RUSTUP_HOME .rustup", "SDKMAN_DIR .sdkman", "VOLTA_HOME .volta",
}

// setToDefault says whether a variable gets the value that its program takes without it.
func (m *machine) setToDefault(name, value string) bool {
	_, other := m.lookup("HOME")
	rest, ok := cutPrefix(value, m.p.Home+"/")
	return ok && !other && m.p.Home != "" && slices.Contains(defaults[:], name+" "+rest)
}

// searchesHome says whether programs are looked for where they were, and in places of the user's and the
// system's that the line adds: none that the session may write to unasked.
func (m *machine) searchesHome() bool {
	if !m.paths {
		return true
	}
	value, _ := m.variable("PATH")
	return !slices.ContainsFunc(strings.Split(value, ":"), func(dir string) bool {
		if dir == string(rune(mark.Caller)) {
			return false
		}
		z, _, _ := m.p.Where(m.p.Resolve(m.cwd, dir))
		return mark.Has(dir) || dir == "" || z != effect.ZoneHome && z != effect.ZoneSystem && z != effect.ZonePublic
	})
}

// evalWords are the words of the program whose output a command has the shell run; nil where it is not such a
// command, or one of them is not known.
func evalWords(c *syntax.CallExpr) []string {
	if len(c.Args) != 2 || len(c.Assigns) > 0 || c.Args[0].Lit() != "eval" {
		return nil
	}
	parts := c.Args[1].Parts
	if q, quoted := parts[0].(*syntax.DblQuoted); len(parts) == 1 && quoted {
		parts = q.Parts
	}
	if len(parts) != 1 {
		return nil
	}
	sub, is := parts[0].(*syntax.CmdSubst)
	if !is || len(sub.Stmts) != 1 {
		return nil
	}
	stmt := sub.Stmts[0]
	inner, is := stmt.Cmd.(*syntax.CallExpr)
	if !is || len(inner.Assigns) > 0 || stmt.Background || stmt.Negated || slices.ContainsFunc(stmt.Redirs, func(r *syntax.Redirect) bool {
		return r.Op != syntax.RdrOut || r.N == nil || r.N.Value != "2" || r.Word.Lit() != "/dev/null"
	}) {
		return nil
	}
	var words []string
	for _, w := range inner.Args {
		word := Literal(w)
		if word == "" || strings.ContainsAny(word, `\*?[`) {
			return nil
		}
		words = append(words, word)
	}
	return words
}

// brewPlaces are where Homebrew has its programs (docs.brew.sh/Installation).
var brewPlaces = [...]string{"/home/linuxbrew/.linuxbrew/bin", "/opt/homebrew/bin", "/usr/local/bin"}

// redefined says whether the line gives a name another meaning, or may have done so.
func (m *machine) redefined(name string) bool {
	took := strings.Contains(m.took, "/") && !m.startsShells(m.took)
	return took || slices.ContainsFunc(m.funcs, func(f function) bool { return f.name == name }) || slices.ContainsFunc(m.aliases, func(b binding) bool { return b.name == name })
}

// settingUp runs what a program prints to set up the shell: of the variables that it sets nobody knows.
func (m *machine) settingUp(program string) data {
	m.begin([]string{program})
	n := len(m.runs) - 1
	m.spawn(effect.OpRun, program)
	m.ended(n)
	m.took = program
	return data{}
}
