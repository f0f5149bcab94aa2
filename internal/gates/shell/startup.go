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
	if rest, ok := strings.CutPrefix(full, m.p.Home+"/"); ok && m.p.Home != "" && m.p.Home != "/" && (isAmong(startFiles[:], rest) || matchesOne(homeSetups[:], rest)) {
		return true
	}
	return m.startLine(func(line string, text string) bool {
		for _, word := range [...]string{"source ", ". ", `\. `} {
			if at := strings.LastIndex(line, word); at == 0 || at > 0 && strings.IndexByte(" \t;&|", line[at-1]) >= 0 {
				name := strings.TrimSpace(strings.TrimSuffix(line[at+len(word):], "; fi"))
				if name, _, _ = strings.Cut(name, " #"); m.expands(strings.Trim(name, `"' `), text) == full {
					return true
				}
			}
		}
		return false
	})
}

func matchesOne(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, _ := path.Match(p, name)
		return ok
	})
}

// startLine says whether a line of one of the user's start files, as they were before the session, is so.
func (m *machine) startLine(is func(line, text string) bool) bool {
	if m.p.SettledText == nil || m.p.Home == "" {
		return false
	}
	for _, name := range startFiles {
		text := m.p.SettledText(m.p.Home + "/" + name)
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' && is(line, text) {
				return true
			}
		}
	}
	return false
}

// expands is a word of a start file with the home and what the file itself exports in it put in; it holds
// a dollar sign where there is more.
func (m *machine) expands(word, text string) string {
	if rest, ok := strings.CutPrefix(word, "~/"); ok {
		word = m.p.Home + "/" + rest
	}
	for _, home := range [...]string{"${HOME}", "$HOME"} {
		word = strings.ReplaceAll(word, home, m.p.Home)
	}
	if rest, ok := strings.CutPrefix(word, "$"); ok && rest != "" && rest[0] != '$' {
		name, below, _ := strings.Cut(rest, "/")
		name = strings.Trim(name, "{}")
		for line := range strings.Lines(text) {
			if value, ok := strings.CutPrefix(strings.TrimSpace(line), "export "+name+"="); ok && !strings.HasPrefix(value, "$"+name) {
				return m.expands(strings.Trim(value, `"' `), "") + "/" + below
			}
		}
	}
	return word
}

// setupPrinters print what sets up the shell that runs it, as their manuals tell users to do in a start file:
// common knowledge, of which no list was opened. SH is the name of a shell.
var setupPrinters = [...]string{
	"atuin init SH", "brew shellenv", "brew shellenv SH", "conda shell.SH hook", "direnv export SH", "direnv hook SH", "dircolors", "dircolors -b", "fnm env", "fnm env --shell SH", "fnm env --use-on-cd",
	"fnm env --use-on-cd --shell SH", "goenv init -", "jenv init -", "luarocks path", "luarocks path --bin", "mamba shell hook --shell SH", "micromamba shell hook --shell SH", "mise activate SH", "mise env",
	"mise hook-env", "nodenv init -", "opam env", "poetry env activate", "pyenv init -", "pyenv init - SH", "pyenv init --path", "pyenv virtualenv-init -", "rbenv init -", "rbenv init - SH",
	"ssh-agent", "ssh-agent -s", "starship init SH", "zoxide init SH",
}

// setsUp says whether a command has the shell run what one of these programs prints, or what a start file
// of the user's has it run by the same words, and which program that is.
func (m *machine) setsUp(c *syntax.CallExpr) (program string, ok bool) {
	if len(c.Args) != 2 || len(c.Assigns) > 0 || c.Args[0].Lit() != "eval" || m.redefined("eval") {
		return "", false
	}
	parts := c.Args[1].Parts
	if q, quoted := parts[0].(*syntax.DblQuoted); len(parts) == 1 && quoted {
		parts = q.Parts
	}
	if len(parts) != 1 {
		return "", false
	}
	sub, is := parts[0].(*syntax.CmdSubst)
	if !is || len(sub.Stmts) != 1 {
		return "", false
	}
	stmt := sub.Stmts[0]
	inner, is := stmt.Cmd.(*syntax.CallExpr)
	if !is || len(inner.Assigns) > 0 || stmt.Background || stmt.Negated || slices.ContainsFunc(stmt.Redirs, func(r *syntax.Redirect) bool {
		return r.Op != syntax.RdrOut || r.N == nil || r.N.Value != "2" || r.Word.Lit() != "/dev/null"
	}) {
		return "", false
	}
	var words []string
	for _, w := range inner.Args {
		word := literal(w)
		if word == "" || strings.ContainsAny(word, `\*?[`) {
			return "", false
		}
		words = append(words, word)
	}
	if len(words) == 0 || m.redefined(words[0]) || !m.searchesHome() {
		return "", false
	}
	given := strings.Join(words, " ")
	if dir := path.Dir(words[0]); dir != "." {
		if !isAmong(brewPlaces[:], dir) {
			return "", false
		}
		words[0] = path.Base(words[0])
	}
	line := " " + strings.Join(words, " ") + " "
	for _, p := range setupPrinters {
		if slices.ContainsFunc([]string{"bash", "posix", "sh", "zsh"}, func(sh string) bool { return line == " "+strings.Replace(p, "SH", sh, 1)+" " }) {
			return words[0], true
		}
	}
	said := m.startLine(func(line, _ string) bool {
		return strings.Contains(line, `eval "$(`+given+`)"`) || strings.HasSuffix(line, "eval $("+given+")")
	})
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
	rest, ok := strings.CutPrefix(value, m.p.Home+"/")
	return ok && m.p.Home != "" && slices.Contains(defaults[:], name+" "+rest)
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

// literal is a word without expansions, whole or quoted; empty where it is none.
func literal(w *syntax.Word) string {
	if len(w.Parts) == 1 {
		switch p := w.Parts[0].(type) {
		case *syntax.SglQuoted:
			if !p.Dollar {
				return p.Value
			}
		case *syntax.DblQuoted:
			if len(p.Parts) == 1 && !p.Dollar {
				if l, ok := p.Parts[0].(*syntax.Lit); ok {
					return l.Value
				}
			}
		}
	}
	return w.Lit()
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
